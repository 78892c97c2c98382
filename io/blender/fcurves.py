"""Blocks of keys <-> F-curves, in bulk."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Hashable, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.motion.comparison import REST
from ...core.motion.curves import PATHS, Block, Channel, Curve, Curves, rotation_property, straight
from ...core.motion.modes import Converted, in_modes
from ...core.motion.rotation_matrix import Floats
from ...core.reporting import log
from . import armature, compat
from .arrays import values_of

IMPORTED = "retro_anim_fps"
"""Custom property of actions that came from a file."""

ROOT = "retro_anim_root_motion"
"""Custom property of such actions and their armatures: what carries the root motion."""

_BONE_PATH = re.compile(r'pose\.bones\["((?:[^"\\]|\\.)*)"\]\.?(.+)')


@lru_cache(maxsize=4096)
def data_path(bone: str, name: str) -> str:
    """The path, from its object, of a property of a bone, or of the object where `bone` is empty."""
    if not bone:
        return name
    dot = "" if name.startswith("[") else "."
    return f'pose.bones["{bpy.utils.escape_identifier(bone)}"]{dot}{name}'


class _Written(NamedTuple):
    """An action, what it was made from, and the data paths and indices of its curves."""

    action: bpy.types.Action
    blocks: list[Block]
    paths: list[tuple[str, int]]


_LATEST = "latest"
"""Of the actions with the same curves, the one that was written last."""


_FIRST = "\1"
"""A name before all others."""


class Writer:
    """Fills new actions of one object. Clips of a character have the same curves, many of them the same number of keys, and bones at rest
    the same keys: what is alike is copied from what was written before, which takes half the time of making it anew. Best written are
    those with many keys first, since a copy is easily shortened."""

    def __init__(self, owner: bpy.types.Object) -> None:
        self._owner = owner
        self._written: dict[Hashable, dict[Hashable, _Written]] = {}
        self._curves: dict[Hashable, Any] = {}

    def write(self, blocks: list[Block]) -> bpy.types.Action:
        """A new action with one F-curve for every channel; generated keys get a keyframe type of their own.

        Nothing may be added to the action before all actions are written, nor may it have its name: Blender keeps its lists in order, and
        looks for a place in them from the end. Before all others it is not in the way of those that get their names later."""
        kind = tuple(block.generated.tobytes() for block in blocks)
        known = self._written.setdefault(tuple((tuple(block.channels), block.stepped) for block in blocks), {})
        like = known.get(kind)
        if like is None and _LATEST in known and all(map(_shortens, known[_LATEST].blocks, blocks)):
            like = known[_LATEST]
        action = self._new(blocks) if like is None else self._copied(like, blocks)
        known[kind] = known[_LATEST] = _Written(action, blocks, _paths(blocks) if like is None else like.paths)
        return action

    def _copied(self, like: _Written, blocks: list[Block]) -> bpy.types.Action:
        """A copy of an action with the same curves. Keys that are too many are laid on the last one; the update merges them."""
        action = like.action.copy()
        curves = iter(compat.find_curves(action, self._owner, like.paths))
        for old, block in zip(like.blocks, blocks, strict=True):
            for row, curve in zip(_keys(block, len(old.frames)), curves, strict=False):
                curve.keyframe_points.foreach_set("co", row)
                curve.update()
        return action

    def _new(self, blocks: list[Block]) -> bpy.types.Action:
        """Where Blender can, every curve as a copy of one with as many keys, or with the very same ones."""
        action, curves = compat.new_action(_FIRST, self._owner)
        twins: dict[Hashable, Any] = {}
        for block in blocks:
            kind = (len(block.frames), block.generated.tobytes(), block.stepped)
            add = None
            for (bone, path, component), row in zip(block.channels, _keys(block), strict=True):
                twin = like = keys = None
                if compat.DUPLICATES:
                    keys = (component, row.tobytes(), kind)
                    twin = twins.get(keys)
                    like = twin or self._curves.get((component, kind))
                curve = curves.new(data_path(bone, path), component, bone or _OBJECT, like)
                if twin is not None:
                    continue
                points = curve.keyframe_points
                if like is None:
                    add = add or _adder(block)
                    add(points)
                if compat.DUPLICATES:
                    twins[keys] = self._curves[component, kind] = curve
                points.foreach_set("co", row)
                curve.update()  # while its keys are at hand: a second walk through all of them takes as long again
        return action


_OBJECT = "Object Transforms"
"""The group of curves that move the whole object, as Blender calls it."""


def _adder(block: Block) -> Callable[[Any], None]:
    """Gives a curve as many keys as the block has, without their frames and values."""
    count = len(block.frames)
    interpolation = np.full(count, compat.CONSTANT if block.stepped else compat.LINEAR, np.int32)
    types = np.where(block.generated, np.int32(compat.GENERATED_VALUE), np.int32(compat.KEYFRAME_VALUE))
    plain = not block.generated.any()

    def add(points: Any) -> None:
        points.add(count)
        points.foreach_set("interpolation", interpolation)
        if not plain:
            points.foreach_set("type", types)

    return add


def put_at_rest(action: bpy.types.Action, owner: bpy.types.Object, channels: Sequence[Channel]) -> None:
    """A generated key of 0, at the action's start, for each of the channels that it does not key: else Blender leaves them as the action
    before has left them."""
    present = {(curve.data_path, curve.array_index) for curve in compat.curves(action, owner)}
    absent = [(channel, data_path(channel.bone, channel.property)) for channel in channels]
    absent = [(channel, path) for channel, path in absent if (path, channel.component) not in present]
    curves = compat.more_curves(action, owner) if absent else None
    if curves is None:
        return
    block = Block([], np.array(action.curve_frame_range[:1], np.float32), np.zeros((0, 1), np.float32), np.ones(1, np.bool_))
    add, key = _adder(block), np.array([block.frames[0], 0], np.float32)
    for channel, path in absent:
        curve = curves.new(path, channel.component, channel.bone or _OBJECT)
        add(curve.keyframe_points)
        curve.keyframe_points.foreach_set("co", key)
        curve.update()


def _paths(blocks: list[Block]) -> list[tuple[str, int]]:
    return [(data_path(bone, path), component) for block in blocks for bone, path, component in block.channels]


def _shortens(old: Block, new: Block) -> bool:
    """Whether the new block has the types of the old one's first keys, and of its last, and is not so much shorter that making it anew
    is faster."""
    count = len(new.frames)
    same = old.generated[: count - 1].tobytes() == new.generated[: count - 1].tobytes()
    return same and count <= len(old.frames) <= 2 * count and bool(old.generated[-1] == new.generated[-1])


def _keys(block: Block, count: int = 0) -> NDArray[np.float32]:
    """(C, 2 * K) frame and value of every key in turn, as Blender takes them; up to `count` the last key again."""
    own = len(block.frames)
    keys = np.empty((len(block.channels), max(count, own), 2), np.float32)
    keys[:, :own, 0], keys[:, :own, 1] = block.frames, block.values
    if own < count:
        keys[:, own:] = keys[:, own - 1 : own]
    return keys.reshape(len(keys), -1)


@dataclass(frozen=True, eq=False)
class ReadCurves:
    """curves: what the action keys. generated: frames of the generated keys, of curves that have both. resting: curves that have generated
    keys alone, with these; in the rotation modes in which they are."""

    curves: Curves
    generated: Mapping[Channel, Floats]
    resting: Curves


@dataclass(frozen=True, eq=False)
class ShownCurve:
    """A curve as Blender shows it. keys: (K, 2) frame and value, generated ones too. plain: straight lines between them, and nothing else.
    linear: whether the keys are so joined, where modifiers are left out."""

    curve: Any
    keys: NDArray[np.float32]
    plain: bool
    linear: bool

    @property
    def mute(self) -> bool:
        return bool(self.curve.mute)

    def at(self, frames: Floats) -> Floats:
        """(F,) its values."""
        inside = self.curve.extrapolation == "CONSTANT" or (self.keys[0, 0] <= frames[0] and frames[-1] <= self.keys[-1, 0])
        if self.plain and inside:
            return np.interp(frames, self.keys[:, 0].astype(np.float64), self.keys[:, 1].astype(np.float64))
        return np.array([self.curve.evaluate(frame) for frame in frames.tolist()])


ShownCurves = dict[Channel, ShownCurve]
"""By what they drive; bones by the names that they have now."""

_reads: ContextVar[dict[bpy.types.Action, ShownCurves] | None] = ContextVar("reads", default=None)


@contextmanager
def recorded() -> Generator[dict[bpy.types.Action, ShownCurves]]:
    """Gathers the curves of every action that is read inside, so that nobody has to read them a second time."""
    reads: dict[bpy.types.Action, ShownCurves] = {}
    token = _reads.set(reads)
    try:
        yield reads
    finally:
        _reads.reset(token)


def shown_curves(action: bpy.types.Action, owner: bpy.types.Object) -> ShownCurves:
    """The curves of an action on `owner` as Blender has them."""
    with log.collect(), recorded() as reads:
        read_curves(action, owner)
    return reads[action]


def read_curves(
    action: bpy.types.Action, owner: bpy.types.Object, modes: Mapping[str, str] | None = None, looks: bool = False
) -> ReadCurves:
    """The keys of an action on `owner`, generated ones left out. modes: the rotation mode that the game has for bones, by name, and for the
    object (""); their curves are brought to it. looks: whether the evaluated pose is written.

    Blender renames a bone in the armature's present action alone: in any other one it is known by the name with which it came in."""
    bones: Mapping[str, bpy.types.PoseBone] = dict(armature.pose_bones(owner).items()) if owner.pose else {}
    renamed = armature.renamed(owner) if owner.type == "ARMATURE" else {}
    keys, strange = _Keys(), set[str]()
    for curve in compat.quick_curves(action, owner):
        channel = channel_of(curve)
        if channel is None or not len(curve.keyframe_points):
            continue
        bone = channel.bone if not channel.bone or channel.bone in bones else renamed.get(channel.bone)
        if bone is None:
            strange.add(channel.bone)
        else:
            keys.add(curve, channel._replace(bone=bone))
    if strange:
        log.warning(f"bones that {owner.name} does not have are left out: {_some(strange)}")
    present = {name: bone.rotation_mode for name, bone in bones.items()} | {"": owner.rotation_mode}
    converted = in_modes(keys.curves, present, modes or {})
    own = [name for name in converted.reordered if IMPORTED in action and (name or action.get(ROOT) == "OBJECT")]
    _warn_of_modes(converted, own, owner.name, looks)
    reads = _reads.get()
    if reads is not None:
        reads[action] = keys.shown
    idle = {name: rotation_property(present[name])[0] for name in converted.dropped}
    generated = {
        channel: frames
        for channel, frames in keys.generated.items()
        if not channel.property.startswith("rotation_") or idle.get(channel.bone, channel.property) == channel.property
    }
    return ReadCurves(converted.curves, generated, keys.resting)


@dataclass(eq=False)
class _Keys:
    """curves: without their generated keys. generated: the frames of those. resting: curves that have no other keys. shown: all curves as
    Blender has them."""

    curves: Curves = field(default_factory=dict[Channel, Curve])
    generated: dict[Channel, Floats] = field(default_factory=dict[Channel, Floats])
    resting: Curves = field(default_factory=dict[Channel, Curve])
    shown: ShownCurves = field(default_factory=dict[Channel, "ShownCurve"])

    def add(self, curve: Any, channel: Channel) -> None:
        points = curve.keyframe_points
        keys = values_of(points, "co", np.float32, 2)
        types, interpolation = values_of(points, "type", np.int32), values_of(points, "interpolation", np.int32)
        kept = types != compat.GENERATED_VALUE
        moves = not channel.property.startswith("[") or channel.property in PATHS
        curved = bool((interpolation[:-1] != compat.LINEAR).any()) and moves
        exact = not curved and not curve.modifiers
        self.shown[channel] = ShownCurve(curve, keys, exact, not curved)
        if not kept.any():
            self.resting[channel] = Curve(keys[:, 0], keys[:, 1], None if exact else _evaluator(curve))
        else:
            shown = (None if kept.all() else straight(keys[:, 0], keys[:, 1])) if exact else _evaluator(curve)
            self.curves[channel] = Curve(keys[kept, 0], keys[kept, 1], shown)
            if not kept.all():
                self.generated[channel] = keys[~kept, 0].astype(np.float64)


def make_linear(action: bpy.types.Action, owner: bpy.types.Object) -> int:
    """Straight lines between the keys of what moves bones or the object, as the games go; returns how many curves were others."""
    count = 0
    for curve in compat.curves(action, owner):
        channel = channel_of(curve)
        points = curve.keyframe_points
        moves = channel is not None and (channel.property in REST or channel.property in PATHS)
        if not moves or (values_of(points, "interpolation", np.int32)[:-1] == compat.LINEAR).all():
            continue
        points.foreach_set("interpolation", np.full(len(points), compat.LINEAR, np.int32))
        curve.update()
        count += 1
    return count


def moves_object(action: bpy.types.Action, owner: bpy.types.Object) -> bool:
    """Whether an action moves the object itself."""
    return any(curve.data_path == "location" or curve.data_path.startswith("rotation_") for curve in compat.curves(action, owner))


def _warn_of_modes(converted: Converted, reordered: list[str], owner: str, looks: bool) -> None:
    """Which rotation curves Blender does not show as they were made; a warning where that is not what is written. reordered: owners of
    imported Euler curves in another order."""
    say = log.info if looks else log.warning
    if converted.dropped:
        say(
            "rotation curves that do nothing, since the rotation mode is another one, are left out: "
            f"{_some({name or owner for name in converted.dropped})}"
        )
    if converted.idle:
        shown = "they are written as they look" if looks else "their curves are converted"
        say(f"rotation mode of {_count(converted.idle, owner)} is not that of the curves, which do nothing now: {shown}")
    if reordered:
        count = _count(reordered, owner)
        log.info(f"rotation mode of {count} is not the imported one: written is what Blender shows now")


def _count(names: list[str], owner: str) -> str:
    """How many bones, and the first of them; or the object."""
    return f"{len(names)} bones (first: {names[0]})" if len(names) > 1 else names[0] or owner


def _some(names: set[str]) -> str:
    """The first few of them."""
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    return ", ".join(sorted(names)[:5]) + more


def channel_of(curve: Any) -> Channel | None:
    """What a curve drives; None for anything but properties of bones and of the object itself."""
    driven = _driven(curve.data_path)
    return None if driven is None else Channel(*driven, curve.array_index)


@lru_cache(maxsize=4096)
def _driven(path: str) -> tuple[str, str] | None:
    """The bone, empty for the object itself, and its property that a path leads to."""
    match = _BONE_PATH.fullmatch(path)
    if match:
        return bpy.utils.unescape_identifier(match[1]), match[2]
    return ("", path) if "." not in path else None


def _evaluator(curve: Any) -> Callable[[Floats], Floats]:
    return lambda frames: np.array([curve.evaluate(frame) for frame in frames.tolist()])
