"""Each reason for which the file does not show what Blender shows is said once, and is the real one."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from support.lba.lba_edits import Part, Walk

Said = Callable[[], list[str]]


@pytest.fixture
def said(walk: Walk, part: Part, tmp_path: Any) -> Said:
    """What an export of the walk says, which writes nothing."""
    bpy.context.view_layer.objects.active = walk.obj

    def messages() -> list[str]:
        lba = part("io.lba")
        (change,) = lba.export_lba(bpy.context, lba.ExportOptions(str(tmp_path / "out.anm"), dry_run=True)).changes
        return list(change.messages)

    return messages


def rotation(walk: Walk, bone: int) -> Any:
    path = f'pose.bones["{walk.name(bone)}"].rotation_euler'
    return next(curve for curve in walk.curves() if curve.data_path == path)


def test_a_closing_key_with_another_pose(walk: Walk, said: Said) -> None:
    rotation(walk, 6).keyframe_points[-1].co[1] += 0.5
    (line,) = said()
    assert "the closing key at frame 46 shows another pose: group 06 by 28.65 degrees" in line


def test_more_than_half_a_circle(walk: Walk, said: Said) -> None:
    points = rotation(walk, 6).keyframe_points
    points[2].co[1] = points[1].co[1] + np.radians(270)
    lines = [line for line in said() if "group 06" in line]
    assert len(lines) == 1 and "put a key between" in lines[0]


def test_bent_curves_are_no_fault_of_the_loop(walk: Walk, said: Said) -> None:
    for point in (point for curve in walk.curves() if not curve.data_path.endswith("]") for point in curve.keyframe_points):
        point.interpolation = "BEZIER"
    assert said() and all("choose Make Linear" in line for line in said())


def test_location_and_scale_keyed_at_rest_are_no_reason(walk: Walk, said: Said) -> None:
    """Insert Keyframe in Pose Mode keys them along with a rotation, whose curves are Bezier ones in a new clip."""
    ops: Any = bpy.ops
    assert ops.retro_anim.clip_new() == {"FINISHED"}
    bone = walk.obj.pose.bones[walk.name(6)]
    for frame, angle in ((1, 0.0), (11, 0.8)):
        bone.rotation_euler = (angle, 0.0, 0.0)
        for channels in ("location", "rotation_euler", "scale"):
            bone.keyframe_insert(channels, frame=frame)
    (line,) = [each for each in said() if bone.name in each]
    assert "choose Make Linear" in line


def test_a_posed_root(walk: Walk, said: Said) -> None:
    """Nothing below it takes the tilt: it is posed, and has no key."""
    walk.obj.pose.bones[walk.name(0)].rotation_euler = (0.4, 0.0, 0.0)
    (line,) = said()
    assert line.startswith(f"{walk.name(0)}: 22.9 degrees off") and "posed and not keyed" in line


def test_an_object_that_was_scaled(walk: Walk, said: Said) -> None:
    """Twice as large it goes half as far for its size."""
    walk.obj.scale = (2.0, 2.0, 2.0)
    (line,) = said()
    assert "shown at 2 times its size, by the object's scale, which was changed after the import" in line


def test_object_keys_of_a_clip_without_root_motion_are_its_path(fetch: Any, part: Part, anims: Any, tmp_path: Any) -> None:
    lba = part("io.lba")
    obj = fetch(anims, entries="1", skeleton=f"{anims.with_name('BODY.HQR')}#0", root_motion="NONE", fps_mode="SET").armatures[0]
    bpy.context.view_layer.objects.active = obj
    for frame, where in ((1, 0.0), (10, 0.4)):
        obj.location[0] = where
        obj.keyframe_insert("location", frame=frame)
    (change,) = lba.export_lba(bpy.context, lba.ExportOptions(str(tmp_path / "out.anm"), dry_run=True)).changes
    back, eased = change.messages
    assert "on the loop's way back" in back and change.worst.difference == pytest.approx(400, abs=1)
    assert "37.5 units off at frame 3.25 " in eased, "a quarter of the way of Blender's eased keys is 0.15625 of it"


@pytest.mark.parametrize("by", ["parent", "constraint"])
def test_what_moves_the_object_is_baked(walk: Walk, said: Said, by: str) -> None:
    """As It Looks takes the bones from how they look, and the object's path from its curves."""
    bpy.ops.object.empty_add()
    empty: Any = bpy.context.object
    for frame, where in ((1, 0.0), (37, 2.0)):
        empty.location = (where, 0.0, 0.0)
        empty.keyframe_insert("location", frame=frame)
    if by == "parent":
        walk.obj.parent = empty
    else:
        constraint = walk.obj.constraints.new("COPY_LOCATION")
        constraint.target, constraint.use_offset = empty, True
    bpy.context.view_layer.objects.active = walk.obj
    assert any(f"{walk.obj.name}: " in line and "bake its motion: Bake Action with Visual Keying" in line for line in said())


@pytest.mark.parametrize(("by", "closing"), [(4, False), (6, True)])
def test_a_loop_that_takes_another_time(walk: Walk, said: Said, part: Part, by: float, closing: bool) -> None:
    """Of one clip one line, whichever of its keys were moved."""
    for curve in part("io.blender.compat").curves(walk.obj.animation_data.action):
        for point in curve.keyframe_points:
            if (point.type == "GENERATED" or point.co[0] > 45.5) if closing else (12 < point.co[0] < 45.5):
                point.co[0] += by
        curve.update()
    (line,) = said()
    assert "the loop's last step takes as long as the step to keyframe 1: 9 time units" in line


def test_times_that_the_game_rounds_are_said_to_be_rounded(walk: Walk, said: Said, part: Part) -> None:
    """At two thirds of the speed keys lie between the game's time units, also the one that closes the loop."""
    action = walk.obj.animation_data.action
    for curve in part("io.blender.compat").curves(action):
        for point in curve.keyframe_points:
            point.co[0] = 1 + (point.co[0] - 1) * 1.5
        curve.update()
    action.frame_start, action.frame_end = 1 + (action.frame_start - 1) * 1.5, 1 + (action.frame_end - 1) * 1.5
    (line,) = said()
    assert "degrees off" in line and "units off" in line and "between the game's own times" in line


@pytest.mark.parametrize("step", [0.0, 1.0, 6.0])
def test_what_lies_between_two_samples(walk: Walk, part: Part, tmp_path: Path, step: float) -> None:
    """A bone swings out from 22 to 25 and back until 28: every sixth frame from the first is 1, 7, 13, 19, 25, and then 31."""
    curve = rotation(walk, 6)
    for frame in (22, 25):
        walk.put(curve, frame)
    walk.keys(curve, 25)[0].co[1] += 0.8
    curve.update()
    bpy.context.view_layer.objects.active = walk.obj
    lba = part("io.lba")
    options = lba.ExportOptions(str(tmp_path / "out.anm"), sampling="VISUAL", step=step, dry_run=True)
    (change,) = lba.export_lba(bpy.context, options).changes
    lines = [line for line in change.messages if "from what is shown" in line]
    if step < 6:
        assert lines == []
    else:
        assert lines
        assert all(line.endswith("between two samples is written as a straight line: set a smaller Sample Step") for line in lines)


def test_an_archive_that_is_not_there_any_more(walk: Walk, anims: Path, part: Part, tmp_path: Path) -> None:
    """It is named, with what to do, and no archive of one entry is made where it was."""
    lba, gone = part("io.lba"), tmp_path / "ANIM.HQR"
    bpy.context.view_layer.objects.active = walk.obj
    rotation(walk, 6).keyframe_points[1].co[1] += 0.5
    shutil.copy(anims, gone)
    walk.action["retro_anim_source"]["path"] = str(gone)
    gone.unlink()
    with pytest.raises(part("core.reporting.errors").RetroAnimError, match=r"is not there, so its entry 1 .* put the archive back"):
        lba.export_lba(bpy.context, lba.ExportOptions(str(gone)))
    assert not gone.exists()


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("size", [1e18, 1e30, 3e38])
def test_a_key_far_beyond_whole_numbers(walk: Walk, said: Said, size: float) -> None:
    """As curves can have them: the line tells no small number, and nothing else is printed."""
    rotation(walk, 6).keyframe_points[2].co[1] = size
    lines = [line for line in said() if "group 06" in line]
    assert len(lines) == 1 and "put a key between" in lines[0]
    rotation(walk, 6).keyframe_points[2].co[1] = 0
    bone = walk.obj.pose.bones[walk.name(1)]
    bone.location.x = size
    bone.keyframe_insert("location", index=0, frame=walk.obj.animation_data.action.frame_range[0] + 5)
    (line,) = [line for line in said() if "at most 32767" in line]
    assert int(line.partition("move")[2].split("units")[0].split()[-1]) > 32767
