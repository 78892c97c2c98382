"""A glTF as Blender's importer reads all of it: of splines it takes the keys and guesses what is between, and nodes of a figure without a
skin, as files of animations alone have, become objects that are no armature."""

from __future__ import annotations

import base64
import json
import math
import struct
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote, unquote

import numpy as np

from ..core.files.disk.disk import read_file
from ..core.motion.rotations.rotation_matrix import Floats, from_quaternion
from ..core.reporting.errors import FormatError
from . import gltf
from .import_losses import rate_of

Document = dict[str, Any]

_TYPES = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
_FLOAT = 5126
_MOVED = ("translation", "rotation", "scale")
_SAME = 1e-5
"""Seconds within which two keys are one."""
_MOST = 1e7
"""Keys that all splines together may get: an hour of 90 of them."""


@contextmanager
def plain(path: str, rate: tuple[int, float]) -> Generator[str]:
    """The file, or a copy under the same name. rate: of the scene that it comes into, in two numbers."""
    try:
        document, buffers = _read(Path(path))
        changed = _with_straight_lines(document, buffers, rate)
        changed = _with_skin(document) or changed
    except (FormatError, ValueError, LookupError, TypeError, AttributeError, RecursionError, struct.error):
        changed = False  # Blender's importer says what is wrong with it
        document, buffers = {}, []
    if not changed:
        yield path
        return
    for part in (*document.get("buffers", ()), *document.get("images", ())):
        if not str(part.get("uri", "data:")).startswith("data:"):
            part["uri"] = quote(str(Path(path).absolute().parent / unquote(part["uri"])))
    with TemporaryDirectory() as folder:
        copy = Path(folder) / Path(path).name
        holds_first = "uri" not in document["buffers"][0]  # whatever the file is called
        copy.write_bytes(gltf.packed(document, buffers[0]) if holds_first else json.dumps(document).encode())
        yield str(copy)


def _read(path: Path) -> tuple[Document, list[bytes]]:
    data = read_file(path)
    if data[:4] == b"glTF":
        document, chunk = gltf.unpacked(data)
    else:
        document, chunk = json.loads(data), b""
    return document, [_content(path, buffer, chunk) for buffer in document.get("buffers", [])]


def _content(path: Path, buffer: Document, chunk: bytes) -> bytes:
    uri = buffer.get("uri")
    if uri is None:
        return chunk
    if uri.startswith("data:"):
        return base64.b64decode(uri.partition(",")[2])
    return bytes(read_file(path.parent / unquote(uri)))


def _values(document: Document, buffers: list[bytes], index: int) -> Floats:
    """(N, width) of an accessor. Raises ValueError for one that is not simply stored."""
    accessor = document["accessors"][index]
    if "sparse" in accessor or "bufferView" not in accessor:
        raise ValueError("sparse")
    view = document["bufferViews"][accessor["bufferView"]]
    if "extensions" in view:
        raise ValueError("packed")
    start, kind = view.get("byteOffset", 0) + accessor.get("byteOffset", 0), np.dtype(_TYPES[accessor["componentType"]])
    width = _WIDTHS[accessor["type"]]
    steps = view.get("byteStride", width * kind.itemsize), kind.itemsize
    raw = np.ndarray((accessor["count"], width), kind, buffers[int(view["buffer"])], start, steps).astype(np.float64)
    if accessor.get("normalized"):
        raw = np.maximum(raw / np.iinfo(kind).max, -1.0)
    return raw


def _with(document: Document, values: Floats, kind: str) -> int:
    """A new accessor of 32-bit numbers (N, width)."""
    data = values.astype("<f4")
    uri = "data:application/octet-stream;base64," + base64.b64encode(data.tobytes()).decode()
    document.setdefault("buffers", []).append({"byteLength": data.nbytes, "uri": uri})
    document.setdefault("bufferViews", []).append({"buffer": len(document["buffers"]) - 1, "byteLength": data.nbytes})
    ends = {"min": data.min(axis=0).tolist(), "max": data.max(axis=0).tolist()}
    view = len(document["bufferViews"]) - 1
    document.setdefault("accessors", []).append(
        {"bufferView": view, "componentType": _FLOAT, "count": len(data), "type": kind, **(ends if kind == "SCALAR" else {})}
    )
    return len(document["accessors"]) - 1


def _with_straight_lines(document: Document, buffers: list[bytes], rate: tuple[int, float]) -> bool:
    """Give splines a key at each frame, of the rate at which the file's own keys are on whole frames. Whether there are any."""
    animations = document.get("animations", [])
    samplers = [sampler for animation in animations for sampler in animation["samplers"]]
    splines = [sampler for sampler in samplers if sampler.get("interpolation") == "CUBICSPLINE"]
    if not splines:
        return False
    times = {index: _values(document, buffers, index)[:, 0] for index in {sampler["input"] for sampler in samplers}}
    keys, own = np.unique(np.concatenate(list(times.values()))), rate[0] / rate[1]
    if not (keys[-1] - keys[0]) * own * len(splines) < _MOST:  # nor if they are no numbers
        raise ValueError("times")
    fitting = rate_of(keys * own, rate) or rate
    rotations = {
        id(animation["samplers"][channel["sampler"]])
        for animation in animations
        for channel in animation["channels"]
        if channel["target"].get("path") == "rotation"
    }
    inputs: dict[int, tuple[int, Floats]] = {}
    for sampler in splines:
        at = times[sampler["input"]]
        if sampler["input"] not in inputs:
            frames = _between(at, float(keys[0]), fitting[0] / fitting[1])
            inputs[sampler["input"]] = _with(document, frames[:, None], "SCALAR"), frames
        new, frames = inputs[sampler["input"]]
        kind = document["accessors"][sampler["output"]]["type"]
        rows = _spline(at, _values(document, buffers, sampler["output"]).reshape(len(at), 3, -1), frames)
        if id(sampler) in rotations:
            rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
        sampler |= {"input": new, "output": _with(document, rows.reshape(-1, _WIDTHS[kind]), kind), "interpolation": "LINEAR"}
    return True


def _between(keys: Floats, start: float, rate: float) -> Floats:
    """The times of keys, and those of all frames between them, counted from a start."""
    first, last = math.ceil((float(keys[0]) - start) * rate), math.floor((float(keys[-1]) - start) * rate)
    frames = start + np.arange(first, last + 1, dtype=np.float64) / rate
    away = np.abs(frames - keys[np.searchsorted(keys, frames - _SAME).clip(0, len(keys) - 1)])
    return np.unique(np.concatenate([keys, frames[away > _SAME]]))


def _spline(keys: Floats, values: Floats, at: Floats) -> Floats:
    """(T, width) of a spline with keys (K,) and, for each, tangent in, value and tangent out (K, 3, width) [glTF 2.0, appendix C]."""
    if len(keys) < 2:
        return np.repeat(values[:1, 1], len(at), axis=0)
    index = np.searchsorted(keys, at, "right").clip(1, len(keys) - 1) - 1
    length = (keys[index + 1] - keys[index])[:, None]
    t = (at - keys[index])[:, None] / np.maximum(length, 1e-12)
    first, out, then, last = values[index, 1], values[index, 2], values[index + 1, 0], values[index + 1, 1]
    before = (2 * t**3 - 3 * t**2 + 1) * first + length * (t**3 - 2 * t**2 + t) * out
    return before + (-2 * t**3 + 3 * t**2) * last + length * (t**3 - t**2) * then


def _with_skin(document: Document) -> bool:
    """Give the nodes of figures in a file of motion alone a skin, from which Blender's importer makes an armature. Whether there are such:
    a node that moves, below another one that does."""
    if document.get("skins") or document.get("meshes"):
        return False
    channels = [channel["target"] for animation in document.get("animations", []) for channel in animation["channels"]]
    moved = {target["node"] for target in channels if "node" in target and target.get("path") in _MOVED}
    nodes = document.get("nodes", [])
    parents = _parents(nodes)
    tops, carried = dict[int, int](), set[int]()
    for index, parent in parents.items():
        tops[index] = index if parent < 0 else tops[parent]
        if parent in moved or parent in carried:
            carried.add(index)
    figures = {tops[index]: list[int]() for index in moved & carried}
    if not figures:
        return False
    for index in sorted(moved | carried):
        if tops[index] in figures:
            figures[tops[index]].append(index)
    worlds = _worlds(nodes, parents)
    for top in sorted(figures):
        joints = figures[top]
        inverse = np.linalg.inv([worlds[index] for index in joints]).transpose(0, 2, 1).reshape(-1, 16).astype(np.float64)
        bind = _with(document, inverse, "MAT4")
        document.setdefault("skins", []).append({"joints": joints, "inverseBindMatrices": bind})
    return True


def _parents(nodes: list[Document]) -> dict[int, int]:
    """The parent of each node, -1 for none, parents first. Raises ValueError for a circle."""
    there = range(len(nodes))
    own = {child: index for index, node in enumerate(nodes) for child in node.get("children", ()) if child in there}
    below: dict[int, list[int]] = {}
    for child, index in own.items():
        below.setdefault(index, []).append(child)
    order = [index for index in there if index not in own]
    for index in order:
        order += below.get(index, ())
    if len(order) < len(nodes):
        raise ValueError("a circle")
    return {index: own.get(index, -1) for index in order}


def _worlds(nodes: list[Document], parents: dict[int, int]) -> dict[int, Floats]:
    """(4, 4) of each node. parents: of each, parents first."""
    worlds: dict[int, Floats] = {}
    for index, parent in parents.items():
        own = _local(nodes[index])
        worlds[index] = own if parent < 0 else worlds[parent] @ own
    return worlds


def _local(node: Document) -> Floats:
    if "matrix" in node:
        return np.array(node["matrix"], np.float64).reshape(4, 4).T
    x, y, z, w = node.get("rotation", (0, 0, 0, 1))
    matrix = np.eye(4)
    matrix[:3, :3] = from_quaternion(np.array([w, x, y, z], np.float64)) * np.array(node.get("scale", (1, 1, 1)))
    matrix[:3, 3] = node.get("translation", (0, 0, 0))
    return matrix
