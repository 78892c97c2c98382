"""A mod as people exchange it, OniSplit's XML with its motion in a .dae beside it, into Blender and out again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support.oni import oni_dae
from support.oni.oni_trams import random_tram

Part = Callable[[str], ModuleType]
FRAMES = 6


@pytest.fixture
def mod(part: Part, tmp_path: Path) -> Path:
    """The XML of a pair."""
    random = np.random.default_rng(2)
    angles, root = random.uniform(-80, 80, (FRAMES, 19, 3)), random.uniform(0, 9, (FRAMES + 1, 3))
    text = part("core.oni.xml.documents").TramXml.new(random_tram(4, FRAMES)).data.decode("utf-8-sig")
    start, end = text.index("<Heights"), text.index("<ThrowSource")
    text = (text[:start] + text[end:]).replace("<Animation>", '<Animation>\n        <Import Path="walk.dae" />')
    folder = tmp_path / "mod"
    folder.mkdir()
    (folder / "TRAMwalk.xml").write_bytes(text.encode())
    (folder / "walk.dae").write_text(oni_dae.dae(angles, root, random.uniform(-1, 1, (19, 3)), "ROOT", backwards=True))
    return folder / "TRAMwalk.xml"


@pytest.fixture
def imported(part: Part, mod: Path) -> Any:
    oni = part("io.oni")
    return oni.import_oni(bpy.context, oni.ImportOptions((str(mod),)))


def write(part: Part, path: Path) -> None:
    oni = part("io.oni")
    oni.export_oni(bpy.context, oni.ExportOptions(str(path)))


def test_it_moves_as_the_file_says(part: Part, mod: Path, imported: Any) -> None:
    (obj,), (action,) = imported.armatures, imported.actions
    assert tuple(action.frame_range) == (1, FRAMES)
    record = part("core.formats").open_file(mod).document.tram
    joints = part("core.oni.posing").joints_at(record, part("core.oni.body.mannequin").mannequin(), np.arange(FRAMES, dtype=float))
    for frame in range(FRAMES):
        bpy.context.scene.frame_set(frame + 1)
        for bone, name in ((0, "pelvis"), (14, "left_handfist"), (6, "right_foot")):
            head = np.array(obj.matrix_world @ obj.pose.bones[name].head)
            x, y, z = joints.positions[frame, bone] * 0.1
            np.testing.assert_allclose(head, (x, -z, y), atol=1e-5)


def test_unedited_both_stay(part: Part, mod: Path, imported: Any) -> None:
    before = mod.read_bytes()
    write(part, mod)
    assert mod.read_bytes() == before
    assert sorted(path.name for path in mod.parent.iterdir()) == ["TRAMwalk.xml", "walk.dae"]


@pytest.mark.parametrize("lost", [False, True])
def test_somewhere_else_the_xml_has_the_motion_itself(part: Part, mod: Path, imported: Any, tmp_path: Path, lost: bool) -> None:
    """So it needs no other file; also where the .dae is gone meanwhile."""
    wanted = part("core.formats").open_file(mod).document.tram
    if lost:
        mod.with_name("walk.dae").unlink()
    write(part, tmp_path / "TRAMwalk.xml")
    document = part("core.formats").open_file(tmp_path / "TRAMwalk.xml").document
    assert document.imported is None
    rotations_of = part("core.oni.motion.evaluate").rotations_of
    both = [rotations_of(one).quaternions() for one in (document.tram, wanted)]
    assert np.degrees(2 * np.arccos(np.abs((both[0] * both[1]).sum(axis=1)).clip(0, 1))).max() < 0.02
    np.testing.assert_allclose(document.tram.heights, wanted.heights, atol=1e-5)


def test_an_edit_is_written_into_the_xml(part: Part, mod: Path, imported: Any) -> None:
    (obj,) = imported.armatures
    bpy.context.scene.frame_set(3)
    obj.pose.bones["head"].rotation_quaternion = (1, 0, 0, 0)
    obj.pose.bones["head"].keyframe_insert("rotation_quaternion")
    before = part("core.formats").open_file(mod).document.tram
    write(part, mod)
    after = part("core.formats").open_file(mod).document
    assert after.imported is None
    rotations_of = part("core.oni.motion.evaluate").rotations_of
    one, two = rotations_of(before), rotations_of(after.tram)
    for bone in range(19):
        assert np.array_equal(one.track(bone)[1], two.track(bone)[1]) == (bone != 10)


def test_as_an_instance_of_its_own(part: Part, mod: Path, imported: Any, tmp_path: Path) -> None:
    wanted = part("core.formats").open_file(mod).document.tram
    write(part, tmp_path / "TRAMwalk.oni")
    record = part("core.formats").open_file(tmp_path / "TRAMwalk.oni").document.tram
    assert (record.rotations, record.frame_count) == (wanted.rotations, wanted.frame_count)
    assert len(record.positions) == FRAMES
