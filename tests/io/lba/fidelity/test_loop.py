"""The closing key in Blender: posed, baked, copied, moved, and put right by Refit Loop."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from support.lba.lba_edits import Part, Walk, differing, warnings

OPS: Any = bpy.ops
STEP = 2 * np.pi / 1024


def refit(walk: Walk) -> None:
    bpy.context.view_layer.objects.active = walk.obj
    walk.obj.select_set(True)
    assert OPS.retro_anim.refit_loop() == {"FINISHED"}


def closing(walk: Walk) -> dict[tuple[str, int], tuple[float, float]]:
    """Of every curve the frame and the value of its last key, which is generated."""
    result: dict[tuple[str, int], tuple[float, float]] = {}
    for curve in walk.curves():
        point = curve.keyframe_points[-1]
        if len(curve.keyframe_points) > 1:
            assert point.type in ("GENERATED", "JITTER"), curve.data_path
            result[curve.data_path, curve.array_index] = point.co.x, point.co.y
    return result


def pose(walk: Walk, bone: int, frame: float, steps: int) -> None:
    """A key as a person sets it: the bone is rotated and keyed there."""
    bpy.context.scene.frame_set(int(frame))
    owner = walk.obj.pose.bones[walk.name(bone)]
    owner.rotation_euler[0] += steps * STEP
    assert owner.keyframe_insert("rotation_euler", frame=frame)


def test_a_pose_on_the_last_frame_is_written_to_the_loop_frame(addon: Any, walk: Walk, part: Part) -> None:
    pose(walk, 3, 46, 30)
    now, said = warnings(part, walk.packed)
    assert differing(now, walk.before) == [[1, 3]]
    assert now.values[1, 3].tolist() == [46, 984, 0]
    assert len(said) == 1
    assert "closing key at frame 46 shows another pose: group 03 by 10.55 degrees; written is the pose of frame 46" in said[0]
    refit(walk)
    again, said = warnings(part, walk.packed)
    assert (again.pack(), said) == (now.pack(), [])
    bpy.context.scene.frame_set(10)
    assert walk.obj.pose.bones[walk.name(3)].rotation_euler[0] % (2 * np.pi) == pytest.approx(46 * STEP, abs=1e-4)


def test_an_edited_loop_frame_and_its_closing_key(addon: Any, walk: Walk, part: Part) -> None:
    pose(walk, 3, 10, 30)
    now, said = warnings(part, walk.packed)
    assert differing(now, walk.before) == [[1, 3]]
    assert "written is the pose of keyframe 1 (frame 10); press Refit Loop" in said[0]
    refit(walk)
    assert warnings(part, walk.packed)[1] == []
    assert walk.packed().pack() == now.pack()


@pytest.mark.parametrize("whole", [True, False])
def test_a_bake_makes_no_keyframe_behind_the_loop(addon: Any, walk: Walk, part: Part, whole: bool) -> None:
    bpy.context.view_layer.objects.active = walk.obj
    walk.obj.select_set(True)
    types: Any = {"POSE", "OBJECT"} if whole else {"POSE"}
    bpy.ops.object.mode_set(mode="POSE")
    bpy.ops.nla.bake(frame_start=1, frame_end=46, only_selected=False, visual_keying=False, use_current_action=True, bake_types=types)
    bpy.ops.object.mode_set(mode="OBJECT")
    now = walk.packed()
    assert len(now.frames) == 45
    assert now.durations[1:].tolist() == [1] * 44
    assert now.loop_frame == 9
    assert not (now.types[:, 1:] != walk.before.types[0, 1:]).any()


def test_a_lengthened_loop_is_refitted(addon: Any, walk: Walk, part: Part) -> None:
    """New keys behind the closing key, which stays where it was."""
    pose(walk, 3, 50, 20)
    _, said = warnings(part, walk.packed)
    assert any("the key at frame 50 stands behind the closing key at frame 46" in line for line in said)
    refit(walk)
    ends = closing(walk)
    assert {round(frame, 3) for frame, _ in ends.values()} == {59.0}
    assert (walk.action.frame_start, walk.action.frame_end, walk.action.use_cyclic) == (10.0, 59.0, True)
    assert not any(walk.keys(curve, 46) for curve in walk.curves())
    now, said = warnings(part, walk.packed)
    assert said == []
    assert now.durations.tolist() == [15, 9, 9, 9, 9, 13]
    assert ends["location", 1][1] == pytest.approx(-0.24 * 5 - 0.24, abs=1e-3)


def test_keys_put_together_by_hand_become_a_loop(addon: Any, walk: Walk, part: Part) -> None:
    """The closing keys deleted, the range lost."""
    for curve in walk.curves():
        for point in walk.keys(curve, 46):
            curve.keyframe_points.remove(point)
    walk.action.use_cyclic = False
    walk.action.frame_end = 37
    refit(walk)
    assert warnings(part, walk.packed)[1] == []
    assert walk.packed().pack() == walk.before.pack()
    assert walk.action.use_cyclic
    assert (walk.action.frame_start, walk.action.frame_end) == (10.0, 46.0)
    assert {round(frame, 3) for frame, _ in closing(walk).values()} == {46.0}


def test_refitting_what_was_not_edited_changes_nothing(addon: Any, walk: Walk) -> None:
    before = {(curve.data_path, curve.array_index): [tuple(point.co) for point in curve.keyframe_points] for curve in walk.curves()}
    refit(walk)
    after = {(curve.data_path, curve.array_index): [tuple(point.co) for point in curve.keyframe_points] for curve in walk.curves()}
    assert after.keys() == before.keys()
    for name, keys in before.items():
        assert np.allclose(after[name], keys, atol=2e-6), name


def test_what_is_played_once_is_no_loop(addon: Any, walk: Walk) -> None:
    walk.action["lba_loop_frame"] = 9
    bpy.context.view_layer.objects.active = walk.obj
    with pytest.raises(RuntimeError, match="does not loop"):
        OPS.retro_anim.refit_loop()


@pytest.mark.parametrize("entry", [1, 2, 3])
def test_a_key_behind_the_closing_key_is_said_once(walk: Walk, part: Part, tmp_path: Path, entry: int) -> None:
    """Of a bone or of the object; what every bone does before, where it closed the loop, is of the same."""
    lba = part("io.lba")
    owner: Any = walk.obj if entry == 1 else walk.obj.pose.bones[walk.name(entry)]
    path = "location" if entry == 1 else "rotation_euler"
    bpy.context.scene.frame_set(40)
    getattr(owner, path)[0] += 0.5
    assert owner.keyframe_insert(path, frame=56)
    bpy.context.view_layer.objects.active = walk.obj
    (change,) = lba.export_lba(bpy.context, lba.ExportOptions(str(tmp_path / "out.anm"), dry_run=True)).changes
    (line,) = change.messages
    assert "the key at frame 56 stands behind the closing key at frame 46" in line
