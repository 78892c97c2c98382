"""A .gltf whose keys are ends of splines, or whose figure has no skin, moves as the format says: by an own writer, and own splines."""

from __future__ import annotations

import base64
import json
import struct
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest

Convert = Callable[..., tuple[int, list[str], list[str]]]
Floats = np.ndarray

TIMES = np.array([0.0, 0.1, 0.3, 0.6])
HEIGHTS = np.array([[0.0, 1.0, 0.0], [0.0, 1.4, 0.2], [0.3, 0.9, 0.2], [0.0, 1.1, 0.0]])
SLOPES = np.array([[0.0, 9.0, 1.0], [0.0, -6.0, 0.0], [-3.0, 2.0, 4.0], [1.0, 5.0, 0.0]])
"""Metres, and metres a second, of the root."""
ANGLES, SPINS = np.array([0.0, 0.5, -0.6, 0.1]), np.array([4.0, -3.0, 5.0, 1.0])
"""Radians about Z, and radians a second, of the bone above it, which is a metre long."""


class Writer:
    """A document and its bytes."""

    def __init__(self) -> None:
        self.data, self.views, self.accessors = b"", list[Any](), list[Any]()

    def accessor(self, values: Floats, kind: str) -> int:
        raw = np.asarray(values, "<f4")
        self.views.append({"buffer": 0, "byteOffset": len(self.data), "byteLength": raw.nbytes})
        self.data += raw.tobytes()
        ends = {"min": [float(raw.min())], "max": [float(raw.max())]} if kind == "SCALAR" else {}
        self.accessors.append({"bufferView": len(self.views) - 1, "componentType": 5126, "count": len(raw), "type": kind, **ends})
        return len(self.accessors) - 1

    def write(self, path: Path, **parts: Any) -> Path:
        (path.parent / "the motion.bin").write_bytes(self.data)
        document = {
            "asset": {"version": "2.0"},
            "buffers": [{"byteLength": len(self.data), "uri": "the%20motion.bin"}],
            "bufferViews": self.views,
            "accessors": self.accessors,
            "scenes": [{"nodes": [0]}],
            "scene": 0,
            **parts,
        }
        path.write_text(json.dumps(document))
        return path


def quaternions(angles: Floats) -> Floats:
    return np.stack([0 * angles, 0 * angles, np.sin(angles / 2), np.cos(angles / 2)], axis=-1)


def tangents(angles: Floats, spins: Floats) -> Floats:
    return np.stack([0 * angles, 0 * angles, np.cos(angles / 2), -np.sin(angles / 2)], axis=-1) * (spins / 2)[:, None]


def written(path: Path, skin: bool, spline: bool) -> Path:
    writer = Writer()
    times = writer.accessor(TIMES, "SCALAR")
    moved, spun = HEIGHTS, quaternions(ANGLES)
    if spline:
        moved = np.stack([SLOPES, HEIGHTS, SLOPES], axis=1).reshape(-1, 3)
        slopes = tangents(ANGLES, SPINS)
        spun = np.stack([slopes, spun, slopes], axis=1).reshape(-1, 4)
    kind = "CUBICSPLINE" if spline else "LINEAR"
    samplers = [
        {"input": times, "output": writer.accessor(moved, "VEC3"), "interpolation": kind},
        {"input": times, "output": writer.accessor(spun, "VEC4"), "interpolation": kind},
    ]
    channels = [
        {"sampler": 0, "target": {"node": 1, "path": "translation"}},
        {"sampler": 1, "target": {"node": 2, "path": "rotation"}},
    ]
    nodes = [
        {"name": "Figure", "children": [1], "translation": [2.0, 0.0, 0.0]},
        {"name": "Hips", "children": [2], "translation": [0.0, 1.0, 0.0]},
        {"name": "Spine", "children": [3], "translation": [0.0, 0.5, 0.0]},
        {"name": "Head", "translation": [0.0, 1.0, 0.0]},
    ]
    parts: dict[str, Any] = {"nodes": nodes, "animations": [{"name": "clip", "samplers": samplers, "channels": channels}]}
    if skin:
        inverse = np.tile(np.eye(4), (3, 1, 1))
        inverse[:, 3, :3] = [[-2, -1, 0], [-2, -1.5, 0], [-2, -2.5, 0]]
        parts["skins"] = [{"joints": [1, 2, 3], "inverseBindMatrices": writer.accessor(inverse.reshape(3, 16), "MAT4")}]
    return writer.write(path, **parts)


def hermite(values: Floats, slopes: Floats, at: float) -> Floats:
    """Between two keys, as appendix C of glTF 2.0 has it, by the basis of Bernstein."""
    index = min(int(np.searchsorted(TIMES, at, "right")) - 1, len(TIMES) - 2)
    length = TIMES[index + 1] - TIMES[index]
    t = (at - TIMES[index]) / length
    first, last = values[index], values[index + 1]
    points = (first, first + slopes[index] * length / 3, last - slopes[index + 1] * length / 3, last)
    return np.array([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3]) @ np.array(points)


def head_at(at: float, spline: bool) -> Floats:
    """Of the bone "Head", in Blender's axes."""
    if spline:
        root, spun = hermite(HEIGHTS, SLOPES, at), hermite(quaternions(ANGLES), tangents(ANGLES, SPINS), at)
    else:
        root = np.array([np.interp(at, TIMES, HEIGHTS[:, axis]) for axis in range(3)])
        spun = quaternions(np.asarray(np.interp(at, TIMES, ANGLES)))
    angle = 2 * np.arctan2(spun[2], spun[3])
    x, y, z = np.add(root, (2 - np.sin(angle), 0.5 + np.cos(angle), 0))
    return np.array([x, -z, y])


def shown(path: Path) -> dict[float, Floats]:
    """By seconds from the first key where the bone is, at each frame."""
    bpy.ops.wm.open_mainfile(filepath=str(path))
    scene: Any = bpy.context.scene
    obj: Any = next(obj for obj in bpy.data.objects if obj.type == "ARMATURE")
    first, last = map(round, obj.animation_data.action.frame_range)
    rate, result = scene.render.fps / scene.render.fps_base, dict[float, Floats]()
    for frame in range(first, last + 1):
        scene.frame_set(frame)
        result[(frame - first) / rate] = np.array(obj.matrix_world @ obj.pose.bones["Head"].head)
    return result


@pytest.mark.parametrize("skin", [True, False])
@pytest.mark.parametrize("spline", [True, False])
def test_it_moves_as_the_format_says(convert: Convert, tmp_path: Path, skin: bool, spline: bool) -> None:
    path = written(tmp_path / "clip.gltf", skin, spline)
    before = path.read_bytes()
    assert convert(path, "-o", tmp_path / "out.blend")[0] == 0
    positions = shown(tmp_path / "out.blend")
    assert max(positions) == pytest.approx(0.6)
    far = 1e-5 if spline else 5e-3  # of linear keys Blender rotates by the chord
    for at, where in positions.items():
        np.testing.assert_allclose(where, head_at(at, spline), atol=far, err_msg=str(at))
    assert path.read_bytes() == before and len(positions) == 19


def test_objects_that_move_stay_objects(convert: Convert, tmp_path: Path) -> None:
    """A machine of meshes, one below the other, is no figure without a skin."""
    path = written(tmp_path / "clip.gltf", False, False)
    document = json.loads(path.read_text())
    corners = base64.b64encode(np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], "<f4").tobytes()).decode()
    document["buffers"].append({"byteLength": 36, "uri": f"data:application/octet-stream;base64,{corners}"})
    document["bufferViews"].append({"buffer": 1, "byteLength": 36})
    view, accessor = len(document["bufferViews"]) - 1, len(document["accessors"])
    ends = {"min": [0, 0, 0], "max": [1, 1, 0]}
    document["accessors"].append({"bufferView": view, "componentType": 5126, "count": 3, "type": "VEC3", **ends})
    document["meshes"] = [{"primitives": [{"attributes": {"POSITION": accessor}}]}]
    document["nodes"][1]["mesh"] = 0
    path.write_text(json.dumps(document))
    assert convert(path, "-o", tmp_path / "out.blend")[0] == 0
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "out.blend"))
    assert not [obj for obj in bpy.data.objects if obj.type == "ARMATURE"]


def test_numbers_of_a_spline_that_lie_apart(convert: Convert, tmp_path: Path) -> None:
    """Four bytes of something else behind each."""
    path = written(tmp_path / "clip.gltf", True, True)
    document = json.loads(path.read_text())
    view = document["bufferViews"][1]
    data = (path.parent / "the motion.bin").read_bytes()
    rows = np.frombuffer(data, "<f4", view["byteLength"] // 4, view["byteOffset"]).reshape(-1, 3)
    apart = np.pad(rows, ((0, 0), (0, 1)), constant_values=7).tobytes()
    document["buffers"].append({"byteLength": len(apart), "uri": "apart.bin"})
    document["bufferViews"][1] = {"buffer": 1, "byteLength": len(apart), "byteStride": 16}
    (path.parent / "apart.bin").write_bytes(apart)
    path.write_text(json.dumps(document))
    assert convert(path, "-o", tmp_path / "out.blend")[0] == 0
    for at, where in shown(tmp_path / "out.blend").items():
        np.testing.assert_allclose(where, head_at(at, True), atol=1e-5, err_msg=str(at))


@pytest.mark.parametrize("name", ["clip.glb", "clip.gltf"])
def test_splines_in_a_binary_file_whatever_its_name_ends_in(convert: Convert, tmp_path: Path, name: str) -> None:
    path = written(tmp_path / "text.gltf", True, True)
    document, data = json.loads(path.read_text()), (path.parent / "the motion.bin").read_bytes()
    del document["buffers"][0]["uri"]
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data
    (tmp_path / name).write_bytes(struct.pack("<4s2I", b"glTF", 2, 12 + len(chunks)) + chunks)
    assert convert(tmp_path / name, "-o", tmp_path / "out.blend")[0] == 0
    for at, where in shown(tmp_path / "out.blend").items():
        np.testing.assert_allclose(where, head_at(at, True), atol=1e-5, err_msg=str(at))


@pytest.mark.parametrize("seconds", [np.inf, np.nan, 1e12])
def test_times_that_are_none(convert: Convert, tmp_path: Path, seconds: float) -> None:
    """Blender gets such a file as it is."""
    path = written(tmp_path / "clip.gltf", True, True)
    data = bytearray((path.parent / "the motion.bin").read_bytes())
    struct.pack_into("<f", data, 4 * (len(TIMES) - 1), seconds)
    (path.parent / "the motion.bin").write_bytes(data)
    assert convert(path, "-o", tmp_path / "out.blend")[0] == 0


def test_a_small_file_of_very_long_splines(part: Callable[[str], ModuleType], tmp_path: Path) -> None:
    """Of 12 kB, whose keys at each frame would be 150 million numbers."""
    writer = Writer()
    times = writer.accessor(np.array([0.0, 5e4]), "SCALAR")
    output = writer.accessor(np.zeros((6, 3)), "VEC3")
    samplers = [{"input": times, "output": output, "interpolation": "CUBICSPLINE"}] * 40
    channels = [{"sampler": index, "target": {"node": 0, "path": "translation"}} for index in range(40)]
    animations = [{"samplers": samplers, "channels": channels}]
    path = writer.write(tmp_path / "long.gltf", nodes=[{"name": "Figure"}], animations=animations)
    with part("cli.gltf_reading").plain(str(path), (30, 1.0)) as opened:
        assert opened == str(path)


def test_a_file_that_ends_early(convert: Convert, tmp_path: Path) -> None:
    (tmp_path / "short.glb").write_bytes(b"glTF\2\0\0\0\x0c\0\0\0")
    code, _, errors = convert(tmp_path / "short.glb", "-o", tmp_path / "out.blend")
    assert code == 1 and len(errors) == 1 and errors[0].startswith(str(tmp_path / "short.glb"))


def test_times_that_are_no_numbers_are_at_no_rate(part: Callable[[str], ModuleType]) -> None:
    assert part("cli.import_losses").rate_of(np.array([0.0, 1.0, np.nan, 3.0]), (24, 1.0)) is None
