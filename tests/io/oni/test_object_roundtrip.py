"""Object animations of Oni into Blender and out again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest

OPS: Any = bpy.ops

Part = Callable[[str], ModuleType]


@pytest.mark.parametrize("target", ["EMPTY", "CAMERA", "ACTIVE"])
@pytest.mark.parametrize("keys", ["GAME", "EVERY"])
def test_objects(fetch: Any, write: Any, part: Part, files: Path, tmp_path: Path, target: str, keys: str) -> None:
    own = bpy.data.objects.new("own", None)
    bpy.context.collection.objects.link(own)
    bpy.context.view_layer.objects.active = own
    source = files / "OBANBlackvan_FB_wiki.oni"
    obj = fetch(source, target=target, keys=keys).objects[0]
    assert obj.type == ("CAMERA" if target == "CAMERA" else "EMPTY")
    assert (obj == own) == (target == "ACTIVE")
    out = tmp_path / "again.oni"
    write(out)
    assert out.read_bytes() == source.read_bytes()
    document = part("core.oni.files.documents").ObanFile.parse(source.read_bytes()).oban
    matrix_at = part("core.oni.motion.object_motion").matrix_at
    rotation = np.array([[1, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]])
    for frame in (0, 250, 500):
        bpy.context.scene.frame_set(1 + frame)
        world = np.array(obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world)
        wanted = rotation @ matrix_at(document, frame)
        assert np.abs(world[:3, :3] - wanted[:3, :3]).max() < 1e-5
        assert np.abs(world[:3, 3] * 10 - wanted[:3, 3]).max() < 1e-3


@pytest.mark.parametrize("keys", ["GAME", "EVERY"])
def test_a_local_object_keeps_the_axes(fetch: Any, write: Any, part: Part, files: Path, tmp_path: Path, keys: str) -> None:
    """Z is up in the file, too: where the object is, is what the file says, tenfold; edited, the axes are those of the file as well."""
    parse = part("core.oni.files.documents").ObanFile.parse
    file = parse((files / "OBANBlackvan_FB_wiki.oni").read_bytes())
    source = tmp_path / "OBANlocal.oni"
    source.write_bytes(replace(file, oban=replace(file.oban, flags=file.oban.flags | 0x10)).pack())
    obj = fetch(source, keys=keys).objects[0]
    out = tmp_path / "again.oni"
    write(out)
    assert out.read_bytes() == source.read_bytes()
    document = parse(source.read_bytes()).oban
    for frame in (0, 250, 500):
        bpy.context.scene.frame_set(1 + frame)
        world = np.array(obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world)
        wanted = part("core.oni.motion.object_motion").matrix_at(document, frame)
        assert np.abs(world[:3, :3] - wanted[:3, :3]).max() < 1e-5
        assert np.abs(world[:3, 3] * 10 - wanted[:3, 3]).max() < 1e-3
    bpy.context.scene.frame_set(501)
    obj.location.z += 2
    obj.keyframe_insert("location", index=2)
    write(out)
    moved = parse(out.read_bytes()).oban.keys["translation"][-1] - document.keys["translation"][-1]
    assert moved == pytest.approx((0, 0, 20), abs=1e-4)


def test_an_object_of_its_own(write: Any, part: Part, tmp_path: Path) -> None:
    obj = bpy.data.objects.new("crate", None)
    bpy.context.collection.objects.link(obj)
    bpy.context.view_layer.objects.active = obj
    bpy.context.scene.render.fps = 60
    for frame, position in ((1, (0, 0, 0)), (61, (1, 2, 3))):
        obj.location = position
        obj.keyframe_insert("location", frame=frame)
    obj.scale = (2, 2, 2)
    out = tmp_path / "OBANthing.oni"
    write(out)
    built = part("core.oni.files.documents").ObanFile.parse(out.read_bytes()).oban
    assert built.keys["frame"].tolist() == [0, 60]
    assert built.keys["translation"][1] == pytest.approx((10, 30, -20), abs=1e-5)
    assert built.base[0] == pytest.approx((2, 0, 0))
    obj.keyframe_insert("scale", frame=1)
    obj.scale = (3, 2, 2)
    obj.keyframe_insert("scale", frame=61)
    with pytest.raises(part("core.reporting.errors").ExportError, match="scale is animated"):
        write(out)


def test_what_is_odd_about_a_file_is_reported_as_it_comes_in_alone(fetch: Any, write: Any, part: Part, files: Path, tmp_path: Path) -> None:
    """A base that shears, and rotations that are too long: both are kept."""
    file = part("core.oni.files.documents").ObanFile.parse((files / "OBANBlackvan_FB_wiki.oni").read_bytes())
    base, keys = file.oban.base.copy(), file.oban.keys.copy()
    base[0] += (0, 0.5, 0)
    keys["rotation"] *= 1.5
    source = tmp_path / "OBANodd.oni"
    source.write_bytes(replace(file, oban=replace(file.oban, base=base, keys=keys)).pack())
    log = part("core.reporting.log")
    with log.collect() as said:
        fetch(source)
    assert [each for each in ("shears", "length is not 1") if any(each in line for line in said.digest("WARNING"))] == [
        "shears",
        "length is not 1",
    ]
    with log.collect() as said:
        write(tmp_path / "again.oni")
    assert (said.digest("WARNING"), (tmp_path / "again.oni").read_bytes()) == ([], source.read_bytes())
