"""glTF has the same bytes in every run, though Blender writes channels in the order of hashes, which every export draws anew."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import bpy
import pytest

Convert = Callable[..., tuple[int, list[str], list[str]]]
ENDS = ("location", "rotation_euler", "scale")


@pytest.fixture
def moving(tmp_path: Path) -> Path:
    """Six objects whose curves glTF cannot hold as they are: which of their 3 channels is first, Blender leaves to chance."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    for number in range(6):
        obj = bpy.data.objects.new(f"part{number}", None)
        bpy.context.collection.objects.link(obj)
        for frame in (1, 12):
            obj.location, obj.rotation_euler, obj.scale = (frame, number, 2), (0, frame / 9, number), (1, frame, 3)
            for end in ENDS:
                obj.keyframe_insert(end, frame=frame)
        action: Any = obj.animation_data.action
        curves = action.fcurves if hasattr(action, "fcurves") else action.layers[0].strips[0].channelbags[0].fcurves
        for curve in curves:
            curve.keyframe_points[0].interpolation = "SINE"
    path = tmp_path / "moving.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    return path


def values(path: Path) -> dict[tuple[str, str, str], list[tuple[float, ...]]]:
    """Times and values of every channel, by animation, node and property; all of them floats."""
    data = path.read_bytes()
    if path.suffix == ".glb":
        size = int.from_bytes(data[12:16], "little")
        document, binary = json.loads(data[20 : 20 + size]), data[28 + size :]
        assert len(data) == int.from_bytes(data[8:12], "little") and len(binary) == int.from_bytes(data[20 + size : 24 + size], "little")
    else:
        document = json.loads(data)
        binary = (path.parent / unquote(document["buffers"][0]["uri"])).read_bytes()
    assert len(binary) == document["buffers"][0]["byteLength"]

    def read(index: int) -> tuple[float, ...]:
        accessor = document["accessors"][index]
        view = document["bufferViews"][accessor["bufferView"]]
        count = accessor["count"] * {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
        assert 4 * count == view["byteLength"]
        return struct.unpack_from(f"<{count}f", binary, view.get("byteOffset", 0))

    def channels() -> Iterator[tuple[tuple[str, str, str], list[tuple[float, ...]]]]:
        for animation in document["animations"]:
            for channel in animation["channels"]:
                target, sampler = channel["target"], animation["samplers"][channel["sampler"]]
                node = document["nodes"][target["node"]]["name"]
                yield (animation["name"], node, target["path"]), [read(sampler["input"]), read(sampler["output"])]

    return dict(channels())


@pytest.mark.parametrize("kind", ["glb", "gltf"])
def test_the_same_bytes_of_the_same_motion(convert: Convert, moving: Path, tmp_path: Path, kind: str) -> None:
    """Under a name that no URI has as it is."""
    bpy.ops.export_scene.gltf(
        filepath=str(tmp_path / "plain"), export_format="GLB", export_anim_slide_to_zero=True, export_optimize_animation_size=False
    )
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        assert convert(moving, "-o", tmp_path / folder / f"ä #1 50%.{kind}")[0] == 0
    one, two = (sorted((tmp_path / folder).iterdir()) for folder in ("one", "two"))
    assert [path.name for path in one] == (["ä #1 50%.glb"] if kind == "glb" else ["ä #1 50%.bin", "ä #1 50%.gltf"])
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in two]
    assert len(values(one[-1])) == 18
    assert values(one[-1]) == values(tmp_path / "plain.glb")


@pytest.mark.parametrize("there", ["[" * 100_000, '{"buffers": [{"uri": "a%00b"}], "images": [{"uri": "a\\u0000b"}]}'])
def test_what_is_there_says_nothing_of_its_parts(convert: Convert, moving: Path, tmp_path: Path, there: str) -> None:
    """Nested without an end, or naming files that cannot be: it is replaced as any other file that was named."""
    (tmp_path / "out.gltf").write_text(there)
    assert convert(moving, "-o", tmp_path / "out.gltf")[0] == 0
    assert len(values(tmp_path / "out.gltf")) == 18
