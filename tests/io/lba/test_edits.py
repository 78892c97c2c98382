"""What is edited in Blender differs in the file, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from support import one_edit
from support.lba.lba_edits import FIRST, Part, Walk, differing, same_but_bones, warnings


def test_one_key(walk: Walk) -> None:
    (point,) = walk.keys(walk.curves(3, "rotation_euler")[0], 10)
    point.co.y += 20 * 2 * np.pi / 1024
    now = walk.packed()
    assert differing(now, walk.before) == [[1, 3]]
    assert same_but_bones(now, walk.before)
    assert now.values[1, 3].tolist() == [36, 984, 0]


def test_a_keyframe_moved_in_time(walk: Walk) -> None:
    for curve in walk.curves():
        for point in walk.keys(curve, 10):
            point.co.x += 3
    for curve in walk.curves():
        curve.update()
    now = walk.packed()
    assert now.durations.tolist() == [15, 12, 6, 9, 9]
    assert differing(now, walk.before) == []
    assert (now.steps == walk.before.steps).all()


def test_a_keyframe_inserted_for_one_bone(walk: Walk) -> None:
    walk.put(walk.curves(3, "rotation_euler")[0], 14)
    now, old = walk.packed(), walk.before
    assert now.durations.tolist() == [15, 9, 4, 5, 9, 9]
    rest = [0, 1, 3, 4, 5]
    assert (now.frames["bones"][rest] == old.frames["bones"]).all()
    assert now.steps[2, 2] + now.steps[3, 2] == 240
    assert now.values[2, 2, 0] == round(1004 + 10 * 4 / 9)
    assert now.values[2, 1].tolist() == [0, round(-12 + 28 * 4 / 9), 0]


def test_keys_of_one_time_unit_are_one_keyframe(walk: Walk, part: Part) -> None:
    """The game has the times of whole frames here: frame 10 has a key, 14 none, so that of two beside it the nearer one is written."""
    curve = walk.curves(1, "rotation_euler")[1]
    for frame in (9.7, 10.3, 10.45):
        walk.put(curve, frame)
    now, lines = warnings(part, walk.packed)
    assert now.pack() == walk.before.pack()
    assert len(lines) == 1 and lines[0].startswith("frames 9.7, 10.3 and 10.45: less than one time unit of the game from other keys")
    for frame in (13.8, 14.4):
        walk.put(curve, frame)
    now, lines = warnings(part, walk.packed)
    assert now.durations.tolist() == [15, 9, 4, 5, 9, 9]
    assert now.values[2, 1].tolist() == [0, round(-12 + 28 * 3.8 / 9), 0]
    assert lines[0].startswith("frames 9.7, 10.3, 10.45 and 14.4: ") and "happens at frame 28 now: give it keyframe 5" in lines[1]


def test_a_loop_goes_back_to_the_key_that_was_set(walk: Walk) -> None:
    """Of the keys at 1, 10, 10.3, 19, 28 and 37 to number 5, which is keyframe 4 of those that are written."""
    walk.put(walk.curves(1, "rotation_euler")[1], 10.3)
    walk.action["lba_loop_frame"] = 5
    assert walk.packed().loop_frame == 4


def test_every_frame_baked_at_more_than_the_game_has(walk: Walk, part: Part) -> None:
    """At 120 frames a second a time unit is 2.4 frames: of 25 keys, each 4 steps on from the one before, 11 are nearest to one."""
    ops: Any = bpy.ops
    bpy.context.scene.render.fps = 120
    bpy.context.view_layer.objects.active = walk.obj
    assert ops.retro_anim.clip_new() == {"FINISHED"}
    action = walk.obj.animation_data.action
    for key in range(25):
        walk.insert(3, "rotation_euler", key + 1, (key * 8 * np.pi / 1024, 0, 0))
    for curve in part("io.blender.compat").curves(action):
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"
    walk.action = action
    now, lines = warnings(part, walk.packed)
    assert now.durations[1:].tolist() == [1] * 10
    assert now.values[:, 3, 0].tolist() == [4 * key for key in (0, 2, 5, 7, 10, 12, 14, 17, 19, 22, 24)]
    assert any("14 frames (first: 2)" in line for line in lines)


def test_a_keyframe_deleted(walk: Walk) -> None:
    for curve in walk.curves():
        for point in walk.keys(curve, 19):
            curve.keyframe_points.remove(point)
    now, old = walk.packed(), walk.before
    assert now.durations.tolist() == [15, 9, 18, 9]
    assert (now.frames["bones"] == old.frames["bones"][[0, 1, 3, 4]]).all()
    assert now.steps[:, 2].tolist() == [0, 240, 480, 240]


def test_the_way_of_the_object(walk: Walk) -> None:
    (forward,) = [curve for curve in walk.curves() if curve.data_path == "location" and curve.array_index == 1]
    for point in walk.keys(forward, 37):
        point.co.y -= 0.1
    now = walk.packed()
    assert differing(now, walk.before) == []
    assert now.steps[:, 2].tolist() == [0, 240, 240, 240, 340]
    assert (now.durations == walk.before.durations).all()


def test_all_times_doubled(walk: Walk) -> None:
    for curve in walk.curves():
        points = np.empty(2 * len(curve.keyframe_points), np.float32)
        curve.keyframe_points.foreach_get("co", points)
        points[::2] = FIRST + (points[::2] - FIRST) * 2
        curve.keyframe_points.foreach_set("co", points)
        curve.update()
    now = walk.packed()
    assert now.durations[1:].tolist() == [18, 18, 18, 18]
    assert differing(now, walk.before) == []
    assert (now.steps == walk.before.steps).all()


def test_turning_and_moving_is_refused(walk: Walk) -> None:
    walk.insert(3, "location", 10, (0.02, 0, 0))
    walk.refused(walk.name(3), "frames 1, 10 and 28")


def test_scale_is_refused(walk: Walk) -> None:
    walk.insert(3, "scale", 10, (1, 2, 1))
    walk.refused(walk.name(3), "10")


def test_a_long_duration_is_refused(walk: Walk) -> None:
    for curve in walk.curves():
        for point in (*walk.keys(curve, 37), *walk.keys(curve, 46)):
            point.co.x += 70000
        curve.update()
    walk.refused("70037", "65535")


def test_more_than_thirty_bones_are_refused(walk: Walk) -> None:
    bpy.context.view_layer.objects.active = walk.obj
    bpy.ops.object.mode_set(mode="EDIT")
    count = len(walk.obj.data.edit_bones)
    for index in range(count, 31):
        bone = walk.obj.data.edit_bones.new(walk.name(index))
        bone.head, bone.tail = (0, 0, 0), (0, 0.1, 0)
        bone.parent = walk.obj.data.edit_bones[walk.name(0)]
    bpy.ops.object.mode_set(mode="OBJECT")
    for index in range(count, 31):
        walk.obj.data.bones[walk.name(index)]["retro_anim_bone"] = index
    walk.action["lba_bone_count"] = 31
    walk.refused("30")


def test_quaternions(walk: Walk) -> None:
    """A bone that turns by quaternions stands for the same angles at keyframes."""
    pose = walk.obj.pose.bones[walk.name(4)]
    rotations = {}
    for frame in (1, 10, 19, 28, 37):
        bpy.context.scene.frame_set(frame)
        rotations[frame] = pose.matrix_basis.to_quaternion()
    bag = walk.curves(4)
    for curve in bag:
        curve.mute = True
        curve.data_path = curve.data_path.replace("rotation_euler", "away")
    pose.rotation_mode = "QUATERNION"
    for frame, value in rotations.items():
        pose.rotation_quaternion = value
        pose.keyframe_insert("rotation_quaternion", frame=frame)
    now = walk.packed()
    wrong = (now.values.astype(int) - walk.before.values) % 1024
    assert not wrong.any()
    assert (now.types == walk.before.types).all()


def test_as_it_looks_unedited(walk: Walk) -> None:
    assert walk.packed(sampling="VISUAL").pack() == walk.before.pack()


def test_as_it_looks_with_a_constraint(walk: Walk) -> None:
    constraint = walk.obj.pose.bones[walk.name(4)].constraints.new("COPY_ROTATION")
    constraint.target, constraint.subtarget = walk.obj, walk.name(3)
    constraint.target_space = constraint.owner_space = "LOCAL"
    now = walk.packed(sampling="VISUAL")
    assert {bone for _, bone in differing(now, walk.before)} == {4}
    assert (now.values[:, 4] == walk.before.values[:, 3]).all()
    assert walk.packed().pack() == walk.before.pack()


def test_as_it_looks_with_the_nla(walk: Walk) -> None:
    """A track above the action's own that holds one bone."""
    data = walk.obj.animation_data
    track = data.nla_tracks.new()
    strip = track.strips.new("walk", 1, walk.action)
    top = walk.action.copy()
    data.action = None
    data.action = top
    if hasattr(data, "action_slot") and data.action_slot is None:
        data.action_slot = top.slots[0]
    strip.blend_type, data.action_blend_type = "REPLACE", "REPLACE"
    walk.action = top
    for curve in walk.curves(4, "rotation_euler"):
        for point in curve.keyframe_points:
            point.co.y = np.pi / 2 if curve.array_index == 0 else 0
    now = walk.packed(sampling="VISUAL")
    assert now.values[:, 4].tolist() == [[256, 0, 0]] * 5
    assert {bone for _, bone in differing(now, walk.before)} == {4}


def test_renamed_bones(walk: Walk) -> None:
    """Also of an action that is not the present one, whose curves Blender leaves as they are."""
    walk.obj.animation_data.action = None
    for bone in walk.obj.data.bones:
        bone.name = f"new {bone.name}"
    assert any('"group 03"' in curve.data_path for curve in walk.curves())
    assert walk.packed().pack() == walk.before.pack()


def test_curves_of_strange_bones_are_told(walk: Walk, part: Part) -> None:
    for curve in walk.curves(3):
        curve.data_path = curve.data_path.replace("group 03", "tail")
    now, said = warnings(part, walk.packed)
    assert said == [f"bones that {walk.obj.name} does not have are left out: tail: delete their keys, or name bones so"]
    assert {bone for _, bone in differing(now, walk.before)} == {3}


@pytest.mark.parametrize("mode", ["QUATERNION", "AXIS_ANGLE"])
def test_rotation_modes_changed_after_import_change_nothing(walk: Walk, part: Part, mode: str) -> None:
    for bone in walk.obj.pose.bones:
        bone.rotation_mode = mode
    walk.obj.rotation_mode = mode
    now, said = warnings(part, walk.packed)
    assert now.pack() == walk.before.pack()
    assert said == [
        "rotation mode of 18 bones (first: group 02) is not that of the curves, which do nothing now: their curves are converted: "
        "set it back to see them, or delete these curves"
    ]


def test_the_curves_of_the_mode_that_is_on_are_written(walk: Walk, part: Part) -> None:
    """Those of before, which do nothing any more, are left out."""
    walk.obj.pose.bones[walk.name(3)].rotation_mode = "QUATERNION"
    walk.insert(3, "rotation_quaternion", 10, (1, 0, 0, 0))
    now, said = warnings(part, walk.packed)
    assert said == [
        "rotation curves that do nothing, since the rotation mode is another one, are left out: group 03: delete them, or set the mode back"
    ]
    assert {bone for _, bone in differing(now, walk.before)} == {3}
    assert not now.values[:, 3].any()


def test_muted_curves_are_told(walk: Walk, part: Part) -> None:
    """Muted, a bone is shown as it was last posed, which is at rest here."""
    export = part("io.lba")
    curve = max(walk.curves(3, "rotation"), key=lambda curve: max(abs(point.co[1]) for point in curve.keyframe_points))
    curve.mute = True
    exported = export.export_lba(bpy.context, export.ExportOptions(str(walk.out)))
    (line,) = exported.warnings
    assert "its curves are muted: unmute or delete them" in line
    assert walk.out.read_bytes() == walk.before.pack()


def test_a_copied_bone_is_not_the_games(walk: Walk) -> None:
    walk.obj.select_set(True)
    bpy.context.view_layer.objects.active = walk.obj
    bpy.ops.object.mode_set(mode="EDIT")
    copy = walk.obj.data.edit_bones.new("group 03.001")
    copy.head, copy.tail = (0, 0, 0), (0, 0, 1)
    bpy.ops.object.mode_set(mode="OBJECT")
    for name in ("retro_anim_bone", "retro_anim_name"):
        walk.obj.data.bones["group 03.001"][name] = walk.obj.data.bones["group 03"][name]
    assert walk.packed().pack() == walk.before.pack()


def test_the_whole_path_turned_walks_on_straight(walk: Walk) -> None:
    """Steps are in the character's own axes."""
    path = {
        (curve.data_path, curve.array_index): curve
        for curve in walk.part("io.blender.compat").curves(walk.action)
        if "[" not in curve.data_path
    }
    for x, y, rotation in zip(
        *(path[key].keyframe_points for key in (("location", 0), ("location", 1), ("rotation_euler", 2))), strict=True
    ):
        x.co.y, y.co.y = -y.co.y, x.co.y
        rotation.co.y += np.pi / 2
    assert walk.packed().steps.tolist() == walk.before.steps.tolist()


def test_as_it_looks_keeps_the_loop(walk: Walk) -> None:
    """Keyframes 0 and 1, which the loop goes back to, stay; in between there is a keyframe every other frame."""
    now = walk.packed(sampling="VISUAL", step=2.0)
    assert now.loop_frame == 1
    assert now.durations[1] == walk.before.durations[1] == 9
    assert now.steps[1].tolist() == walk.before.steps[1].tolist()
    assert now.durations[1:].sum() == walk.before.durations[1:].sum()
    assert now.steps.sum(axis=0).tolist() == walk.before.steps.sum(axis=0).tolist()


def test_as_it_looks_the_loop_is_kept_behind_a_new_key(walk: Walk) -> None:
    """Frames 5 and 10 stay, keyframes 1 and 2 now, between samples at frames 1, 13, 25 and 37."""
    walk.insert(5, "rotation_euler", 5.0, (0.1, 0.0, 0.0))
    now = walk.packed(sampling="VISUAL", step=12.0)
    assert (now.loop_frame, now.durations[1:].tolist()) == (2, [4, 5, 15, 12])


def test_fewer_keys_of_a_baked_walk_leave_its_loop(walk: Walk, part: Part) -> None:
    """The key one frame before the loop's keyframe stays: it is from frame 45 to the closing key at frame 46, too."""
    for curve in walk.curves():
        for frame in range(1, 47):
            curve.keyframe_points.insert(frame, curve.evaluate(frame), options={"FAST"}).interpolation = "LINEAR"
        curve.update()
    now, said = warnings(part, lambda: walk.packed(reduction="ANGLE"))
    times = np.cumsum(now.durations[1:]).tolist()
    assert times[now.loop_frame - 2 : now.loop_frame] == [8, 9]
    assert times[-1] + now.durations[now.loop_frame] == 45
    assert not any("last step" in text or "way back" in text for text in said)


def test_that_no_keyframe_can_go_is_said_of_the_clip_once(fetch: Any, part: Part, game_file: Any, tmp_path: Path) -> None:
    """Of a clip of LBA2 in which bones both rotate and move."""
    (action,) = fetch(game_file("lba2") / "ANIM.HQR", entries="361", game="lba2").actions
    one_edit.edit(part, action)
    export = part("io.lba")
    said = export.export_lba(bpy.context, export.ExportOptions(str(tmp_path / "out.anm"), sampling="VISUAL", reduction="ANGLE")).warnings
    text = "a bone both rotates and moves in it, so that all keyframes stay: choose Keep All as Fewer Keys"
    assert [line for line in said if text in line] == [f"{action.name}: {text}"]


def test_as_it_looks_of_one_keyframe(fetch: Any, part: Part, anims: Path) -> None:
    imported = fetch(anims, entries="31", skeleton=f"{anims.with_name('BODY.HQR')}#0")
    export = part("io.lba.pack")
    one, other = (
        export.pack_action(bpy.context, imported.armatures[0], imported.actions[0], export.ExportOptions("", sampling=sampling)).data
        for sampling in ("KEYS", "VISUAL")
    )
    assert one == other


def test_a_key_on_the_way_to_the_loop_is_told(walk: Walk, part: Part) -> None:
    walk.insert(5, "rotation_euler", 5.0, (0.1, 0.0, 0.0))
    assert walk.packed().loop_frame == 2
    _, said = warnings(part, walk.packed)
    assert [text for text in said if "last step" in text] == [
        "in the game the loop's last step takes as long as the step to keyframe 2: 5 time units, and not the 9 up to the closing key; "
        "press Refit Loop, which moves that to frame 42, or move the last keyframe"
    ]


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("lba_loop_frame", 70000, "lba_loop_frame (Loop From) is 70000, and must be a whole number from 0 to 65535"),
        ("lba_loop_frame", "x", "lba_loop_frame (Loop From) is 'x', and must be a whole number from 0 to 65535"),
        ("lba_word3", -1, "lba_word3 (Header Word 3) is -1, and must be a whole number from 0 to 65535"),
        ("lba_first_duration", 1.5, "lba_first_duration (Lead-in) is 1.5, and must be a whole number from 0 to 65535"),
        ("lba_first_step", [1], "lba_first_step (First Step) must be 3 whole numbers"),
        ("lba_first_turn", [0, 0, 40000], "lba_first_turn (First Rotation) is 40000, and must be a whole number from -32768 to 32767"),
        ("lba_game", "lba3", "lba_game (Game) is 'lba3', and must be one of lba1, lba2"),
    ],
)
def test_fields_outside_their_range_are_refused(walk: Walk, name: str, value: Any, problem: str) -> None:
    walk.action[name] = value
    walk.refused(f"{walk.action.name}: {problem}")


def test_the_tweak_mode_of_the_nla_is_told(walk: Walk, part: Part, fetch: Any) -> None:
    data = walk.obj.animation_data
    track = data.nla_tracks.new()
    strip = track.strips.new("walk", 1, walk.action)
    data.action = None
    track.select = strip.select = True
    data.use_tweak_mode = True
    bpy.context.view_layer.objects.active = walk.obj
    with pytest.raises(part("core.reporting.errors").RetroAnimError, match="tweak mode"):
        fetch(walk.anims, entries="3")
    assert len(bpy.data.actions) == 1


def test_a_body_and_an_animation_opened_together(part: Part, anims: Path, tmp_path: Path) -> None:
    """With other names, and more bones than the body has groups."""
    read = part("core.lba.files.archive.hqr").Hqr
    folder = tmp_path / "loose"
    folder.mkdir()
    for name, archive, entry in (("walk.anm", anims, 1), ("hero.lm1", anims.with_name("BODY.HQR"), 0)):
        (folder / name).write_bytes(read.parse(archive.read_bytes()).read(entry))
    lba = part("io.lba")
    with part("core.reporting.log").collect() as said:
        imported = lba.import_lba(bpy.context, lba.ImportOptions((str(folder / "walk.anm"), str(folder / "hero.lm1"))))
    assert [obj.name for obj in imported.armatures] == ["hero"]
    assert imported.armatures[0].animation_data.action == imported.actions[0]
    assert not [message for message in said.messages if "plain armature" in message.text]
