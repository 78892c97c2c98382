"""COLLADA's scenes, as far as motion needs them: nodes with their transforms and the curves that move them.

No library of the format: documents are read by `tree`, which refuses a DTD, so that no entity can grow.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from ...files.binary import Bytes
from ...motion.rotations import rotation_matrix
from ...motion.rotations.rotation_matrix import Floats
from ...reporting import log
from . import tree
from .tree import Node
from .values import wrong

DEEPEST = 100
"""Elements in one another: far more than a skeleton has."""

SIZES = {"translate": 3, "rotate": 4, "scale": 3, "matrix": 16}
"""The numbers of each kind of transform. A rotation has an axis and degrees; a matrix has rows, for column vectors."""

MEMBERS = {"X": 0, "Y": 1, "Z": 2, "ANGLE": 3}


@dataclass(frozen=True, eq=False)
class Curve:
    """times: (K,) seconds, ascending. values: (K, C). step: each value holds until the next one, else they are interpolated.

    bends: (K - 1, 2, C) the two control values between each key and the next, None where all are straight. They are read as OniSplit
    reads them [Sampler.cs]: at even times, whatever time the file gives them.
    """

    times: Floats
    values: Floats
    step: bool = False
    bends: Floats | None = None

    def at(self, times: Floats) -> Floats:
        """(T, C); before the first and after the last key it holds."""
        if self.step:
            return self.values[np.searchsorted(self.times, times, side="right").clip(1) - 1]
        if self.bends is not None:
            return self._bent(self.bends, times)
        result = np.empty((len(times), self.values.shape[1]))
        for column in range(self.values.shape[1]):
            result[:, column] = np.interp(times, self.times, self.values[:, column])
        return result

    def _bent(self, bends: Floats, times: Floats) -> Floats:
        index = (np.searchsorted(self.times, times, side="right") - 1).clip(0, len(self.times) - 2)
        length, since = np.diff(self.times)[index], times - self.times[index]
        # Two keys at one time are looked between at the ends of a curve alone.
        part = np.where(length > 0, since / np.where(length > 0, length, 1), since >= 0).clip(0, 1)[:, None]
        rest = 1 - part
        outer = self.values[index] * rest**3 + self.values[index + 1] * part**3
        return outer + 3 * rest * part * (bends[index, 0] * rest + bends[index, 1] * part)


@dataclass(eq=False)
class Transform:
    """curves: by the number that they move, -1 for all of them."""

    kind: str
    sid: str
    values: Floats
    curves: dict[int, Curve] = field(default_factory=dict[int, Curve])

    def at(self, times: Floats) -> Floats:
        """(T, numbers)."""
        result = np.tile(self.values, (len(times), 1))
        for index, curve in self.curves.items():
            if index < 0:
                result = curve.at(times)
            else:
                result[:, index] = curve.at(times)[:, 0]
        return result


@dataclass(eq=False)
class SceneNode:
    """labels: its name, id and sid, those that it has. element: where it stands in the file."""

    labels: tuple[str, ...]
    transforms: list[Transform]
    children: list[SceneNode]
    element: Node

    def walk(self) -> Iterator[SceneNode]:
        """Itself and all below it, parents first, in the file's order."""
        yield self
        for child in self.children:
            yield from child.walk()

    def local(self, times: Floats) -> tuple[Floats, Floats]:
        """Its transforms one after the other, without their scale: rotations (T, 3, 3) and positions (T, 3), column vectors."""
        rotation, position = np.tile(np.eye(3), (len(times), 1, 1)), np.zeros((len(times), 3))
        for transform in self.transforms:
            values = transform.at(times)
            if transform.kind == "translate":
                position = position + np.einsum("tij,tj->ti", rotation, values)
            elif transform.kind == "rotate":
                rotation = rotation @ rotation_matrix.from_axis_angle(np.column_stack([np.radians(values[:, 3]), values[:, :3]]))
            elif transform.kind == "matrix":
                rows = values.reshape(-1, 4, 4)
                position = position + np.einsum("tij,tj->ti", rotation, rows[:, :3, 3])
                length = np.linalg.norm(rows[:, :3, :3], axis=1, keepdims=True)
                rotation = rotation @ (rows[:, :3, :3] / np.where(length > 0, length, 1))
        return rotation, position


@dataclass(frozen=True, eq=False)
class Scene:
    """up: X_UP, Y_UP or Z_UP. metres: a unit's. roots: the nodes of its visual scene. tool: what wrote it, "" where it does not say."""

    up: str
    metres: float
    roots: list[SceneNode]
    tool: str = ""

    def walk(self) -> Iterator[SceneNode]:
        for root in self.roots:
            yield from root.walk()


def parse(data: Bytes) -> Scene:
    """Raises FormatError naming the line."""
    root = tree.parse(data, DEEPEST)
    if _local(root) != "COLLADA":
        raise wrong(root, f"<COLLADA> expected, not <{root.tag}>")
    everything = list(_all(root))
    asset = next((node for node in root.children if _local(node) == "asset"), Node("asset"))
    unit = next((node for node in asset.children if _local(node) == "unit"), None)
    metres = 1.0 if unit is None else float(_numbers(unit, unit.attributes.get("meter", "1"), 1)[0])
    if metres <= 0:
        raise wrong(asset, f"a unit of {metres:g} metres")
    up = next((node.text for node in asset.children if _local(node) == "up_axis"), "Y_UP")
    if up not in ("X_UP", "Y_UP", "Z_UP"):
        raise wrong(asset, f"<up_axis>: {up or 'nothing'} is none of X_UP, Y_UP and Z_UP")
    scenes = [node for node in everything if _local(node) == "visual_scene"]
    if not scenes:
        raise wrong(root, "there is no <visual_scene>")
    shown = {node.attributes.get("url", "").removeprefix("#") for node in everything if _local(node) == "instance_visual_scene"}
    visual = next((node for node in scenes if node.attributes.get("id") in shown), scenes[0])
    tool = next((node.text for node in _all(asset) if _local(node) == "authoring_tool"), "")
    scene = Scene(up, metres, [_node(child) for child in visual.children if _local(child) == "node"], tool)
    _animate(scene, everything)
    return scene


def _local(node: Node) -> str:
    return node.tag.rpartition(":")[2]


def _all(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        yield from _all(child)


def _node(element: Node) -> SceneNode:
    labels = tuple(label for name in ("name", "id", "sid") if (label := element.attributes.get(name)))
    transforms = [
        Transform(_local(child), child.attributes.get("sid", ""), _numbers(child, child.text, SIZES[_local(child)]))
        for child in element.children
        if _local(child) in SIZES
    ]
    return SceneNode(labels, transforms, [_node(child) for child in element.children if _local(child) == "node"], element)


def _numbers(node: Node, text: str, count: int | None = None) -> Floats:
    try:
        result = np.array(text.split(), np.float64)
    except ValueError as error:
        raise wrong(node, f"<{node.tag}>: {error}") from None
    if count is not None and len(result) != count:
        raise wrong(node, f"<{node.tag}>: {len(result)} numbers instead of {count}")
    if not (np.abs(result) < 1e9).all():
        raise wrong(node, f"<{node.tag}>: a number beyond all limits")
    return result


def _animate(scene: Scene, everything: list[Node]) -> None:
    """Give each transform its curves."""
    by_id: dict[str, Node] = {}
    for element in everything:
        by_id.setdefault(element.attributes.get("id", ""), element)
    nodes: dict[str, SceneNode] = {}
    for node in scene.walk():
        nodes.setdefault(node.element.attributes.get("id") or (node.labels[0] if node.labels else ""), node)
    for channel in everything:
        if _local(channel) != "channel":
            continue
        target = re.fullmatch(r"([^/]+)/(?:.*/)?([^/.()]+)(?:\.(\w+)|\((\d{1,2})\))?", channel.attributes.get("target", ""))
        node = nodes.get(target[1]) if target else None
        transform = next((one for one in node.transforms if one.sid == target[2]), None) if node is not None and target else None
        if transform is None or target is None:
            continue
        index = MEMBERS.get(target[3].upper(), len(transform.values)) if target[3] else int(target[4]) if target[4] else -1
        if index >= len(transform.values):
            raise wrong(channel, f"<channel>: {channel.attributes['target']} is no number of a <{transform.kind}>")
        sampler = by_id.get(channel.attributes.get("source", "").removeprefix("#"))
        if sampler is None:
            raise wrong(channel, f"<channel>: there is no sampler {channel.attributes.get('source', '')}")
        transform.curves[index] = _curve(sampler, by_id, len(transform.values) if index < 0 else 1)


def _curve(sampler: Node, by_id: dict[str, Node], width: int) -> Curve:
    inputs = {node.attributes.get("semantic", ""): node.attributes.get("source", "").removeprefix("#") for node in sampler.children}
    times, values = (_floats(sampler, by_id.get(inputs.get(name, "")), name) for name in ("INPUT", "OUTPUT"))
    if len(values) != width * len(times) or not len(times):
        raise wrong(sampler, f"<sampler>: {len(values)} values for {len(times)} keys of {width} numbers")
    if (np.diff(times) < 0).any():
        raise wrong(sampler, "<sampler>: the times do not ascend")
    source = by_id.get(inputs.get("INTERPOLATION", ""))
    listed = [] if source is None else [node.text for node in source.children if _local(node).endswith("_array")]
    kinds = " ".join(listed).split()
    if unknown := set(kinds) - {"LINEAR", "STEP", "BEZIER"}:
        log.warning(f"line {sampler.line}: {', '.join(sorted(unknown))} curves are read as straight between their keys")
    curve = Curve(times, values.reshape(len(times), width), set(kinds) == {"STEP"})
    return replace(curve, bends=_bends(sampler, by_id, inputs, curve, kinds)) if "BEZIER" in kinds and len(times) > 1 else curve


def _bends(sampler: Node, by_id: dict[str, Node], inputs: dict[str, str], curve: Curve, kinds: list[str]) -> Floats:
    """The control values of a curve some of whose keys are BEZIER: tangents are a time and a value for each number, or the values alone,
    or one time and all the values."""
    count, width = curve.values.shape
    sides: list[Floats] = []
    for name in ("OUT_TANGENT", "IN_TANGENT"):
        tangents = _floats(sampler, by_id.get(inputs.get(name, "")), name)
        if len(tangents) not in (count * width, 2 * count * width, count * (width + 1)):
            raise wrong(sampler, f"<sampler>: {len(tangents)} numbers of its {name} for {count} keys of {width} numbers")
        rows = tangents.reshape(count, -1)
        sides.append(rows[:, 1::2] if rows.shape[1] == 2 * width else rows[:, -width:])
    bends = np.stack([sides[0][:-1], sides[1][1:]], axis=1)
    before, after = curve.values[:-1], curve.values[1:]
    straight = np.stack([before + (after - before) / 3, after - (after - before) / 3], axis=1)
    bent = (np.array([*kinds[: count - 1], *["LINEAR"] * (count - 1 - len(kinds))]) == "BEZIER")[:, None, None]
    return np.where(bent, bends, straight)


def _floats(sampler: Node, source: Node | None, semantic: str) -> Floats:
    array = next((node for node in source.children if _local(node) == "float_array"), None) if source is not None else None
    if array is None:
        raise wrong(sampler, f"<sampler>: its {semantic} has no numbers")
    return _numbers(array, array.text)
