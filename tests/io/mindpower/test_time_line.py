"""Where edited actions of Tales of Pirates go on the time line, and what the action table says of it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from support.mindpower.mindpower_warrior import Part, Warrior

OPS: Any = bpy.ops
"""The stubs do not know our operators."""


def test_a_whole_timeline_that_begins_earlier_is_refused(part: Part, copied: Path) -> None:
    """Later it may begin: what was before stays. No frame gets another number."""
    mindpower, export = part("io.mindpower.build"), part("io.mindpower.pack")
    path = copied / "animation" / "0741.lab"
    imported = mindpower.import_mindpower(bpy.context, mindpower.ImportOptions((str(path),), actions="TIMELINE", fps_mode="SET"))
    (action,), options = imported.actions, export.ExportOptions("")
    action.frame_start += 9
    action.frame_end += 5
    lab = export.pack_lab(bpy.context, imported.armatures[0], options).lab
    before = part("core.mindpower.files.skeleton.lab").Lab.parse(path.read_bytes())
    assert lab.frame_count == before.frame_count + 5
    assert lab.quaternions[:, : before.frame_count].tobytes() == before.quaternions.tobytes()
    action.frame_start -= 12
    with pytest.raises(part("core.reporting.errors").ExportError, match="3 frames earlier"):
        export.pack_lab(bpy.context, imported.armatures[0], options)


def test_a_longer_action_and_its_table(warrior: Warrior) -> None:
    start, end = warrior.frames(5)
    warrior.action(5).frame_end += 7
    packed = warrior.packed()
    lab, before, count = packed.lab, warrior.before, warrior.before.frame_count
    assert lab.frame_count == count + end - start + 8
    assert lab.quaternions[:, :count].tobytes() == before.quaternions.tobytes()
    assert lab.quaternions[:, count : count + end - start + 1].tobytes() == before.quaternions[:, start : end + 1].tobytes()
    old = {row.number: row for row in packed.actions.table.types[packed.actions.type]}
    for row in packed.actions.rows:
        was = old[row.number]
        moved = (was.start, was.end) == (start, end)
        assert (row.start, row.end) == ((count, lab.frame_count - 1) if moved else (was.start, was.end))
    text = packed.actions.table.pack().splitlines()
    new = packed.actions.table.with_rows(packed.actions.type, packed.actions.rows).pack().splitlines()
    lines = {index for index, (one, other) in enumerate(zip(text, new, strict=True)) if one != other}
    assert lines == {was.line for was in old.values() if (was.start, was.end) == (start, end)}


def written(warrior: Warrior, path: Path) -> list[Path]:
    export = warrior.part("io.mindpower.write")
    bpy.context.view_layer.objects.active = warrior.obj
    return [Path(name) for name in export.export_mindpower(bpy.context, export.ExportOptions(str(path))).paths]


def test_a_longer_action_over_its_client(part: Part, game_file: Callable[[str], Path], tmp_path: Path) -> None:
    """The client's own table takes the row, both files have a copy, and what is not that action is where it was."""
    client = tmp_path / "client"
    for name in ("animation/0005.lab", "scripts/txt/CharacterAction.tx", "scripts/table/CharacterInfo.txt"):
        (client / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(game_file("mindpower") / name, client / name)
    table, lab = client / "scripts" / "txt" / "CharacterAction.tx", client / "animation" / "0005.lab"
    before = table.read_bytes(), lab.read_bytes()
    warrior = Warrior(part, client)
    assert set(written(warrior, lab)) == {lab, table} and not list(client.rglob("*.bak"))
    warrior.action(5).frame_end += 7
    assert set(written(warrior, lab)) == {lab, table}
    assert sorted(path.name for path in (client / "animation").iterdir()) == ["0005.lab", "0005.lab.bak"]
    assert (table.with_name("CharacterAction.tx.bak").read_bytes(), lab.with_name("0005.lab.bak").read_bytes()) == before
    old, new = (part("core.mindpower.files.tables.action_table").ActionTable.parse(data) for data in (before[0], table.read_bytes()))
    start, end = warrior.frames(5)
    changed = {(row.type, row.number) for row, was in zip(new.rows, old.rows, strict=True) if row != was}
    assert changed == {(row.type, row.number) for row in old.of_type(5) if (row.start, row.end) == (start, end)}


@pytest.mark.parametrize("spoil", ["deleted", "spoiled", "text"])
def test_the_table_is_gone(warrior: Warrior, tmp_path: Path, spoil: str) -> None:
    """The rows that the actions remember go into a new one."""
    if spoil == "deleted":
        del warrior.obj.data["mindpower_table"]
    else:
        warrior.obj.data["mindpower_table"] = b"spoiled" if spoil == "spoiled" else "text"
    warrior.action(5).frame_end += 7
    _, table = written(warrior, tmp_path / "0005.lab")
    parse = warrior.part("core.mindpower.files.tables.action_table").ActionTable.parse
    rows = {row.number: row for row in parse(table.read_bytes()).of_type(5)}
    count, (start, end) = warrior.before.frame_count, warrior.frames(5)
    assert (rows[5].start, rows[5].end) == (count, count + end - start + 7)
    assert (rows[1].start, rows[1].end) == warrior.frames(1)


@pytest.mark.thorough
def test_an_action_without_a_number_is_given_one(warrior: Warrior) -> None:
    action = warrior.action(5).copy()
    action.name = "sneak"
    warrior.part("io.mindpower.marks").make_new(action, 1)
    for value in (None, "", "none", 0, -3, 1.5, [1.0, 2.0]):
        action.pop("mindpower_actions", None)
        if value is not None:
            action["mindpower_actions"] = value
        with warrior.part("core.reporting.log").collect() as said:
            packed = warrior.packed()
        (line,) = [line for line in said.digest("WARNING") if "sneak" in line]
        was = packed.actions.table.of_type(packed.actions.type)
        (row,) = [row for row in packed.actions.rows if row.end == packed.lab.frame_count - 1]
        assert f"as {row.number} " in line and row.start == warrior.before.frame_count
        assert not [one for one in was if one.number == row.number and not one.unused]


def test_two_actions_with_one_number_are_refused(warrior: Warrior) -> None:
    for name in ("sneak", "creep"):
        action = warrior.action(5).copy()
        action.name = name
        warrior.part("io.mindpower.marks").make_new(action, 50)
    with pytest.raises(warrior.part("core.reporting.errors").ExportError, match=r"(sneak|creep) and (sneak|creep) .* 50"):
        warrior.packed()


def test_keys_before_the_start_are_left_out(warrior: Warrior) -> None:
    """No frame gets another number: what is before the first one is said to be none of the clip."""
    action = warrior.action(5)
    bone = next(curve for curve in warrior.part("io.blender.compat").curves(action) if "rotation" in curve.data_path)
    bone.keyframe_points.insert(-5, 0.5)
    with warrior.part("core.reporting.log").collect() as log:
        packed = warrior.packed()
    assert packed.lab.frame_count == warrior.before.frame_count
    (line,) = [message.text for message in log.messages if "keys before" in message.text]
    assert line.startswith("keys before frame 1, where it starts, are left out")
    action.frame_start = -5
    with warrior.part("core.reporting.log").collect() as log:
        warrior.packed()
    assert not [message.text for message in log.messages if "keys before" in message.text]


def test_keys_behind_the_end_count(warrior: Warrior) -> None:
    action = warrior.action(5)
    curve = warrior.curve(action, "Bip02 Head", "rotation_quaternion", 2)
    curve.keyframe_points.insert(action.frame_end + 4, 0.5)
    start, end = warrior.frames(5)
    assert warrior.packed().lab.frame_count == warrior.before.frame_count + end - start + 1 + 4


def test_keys_behind_a_shorter_frame_range_are_named(warrior: Warrior) -> None:
    action = warrior.action(5)
    end = action.frame_end
    for shorter in (0, 3):
        action.frame_end = end - shorter
        with warrior.part("core.reporting.log").collect() as log:
            warrior.packed()
        texts = [message.text for message in log.messages if "frame range ends" in message.text]
        named = f"keys behind frame {end - 3:g}, where its frame range ends, are left out: have it end with frame {end:g} to write them"
        assert texts == ([named] if shorter else [])


@pytest.mark.parametrize(("sampling", "longer"), [("KEYS", False), ("VISUAL", True)])
def test_keys_of_a_control_behind_the_end(warrior: Warrior, sampling: str, longer: bool) -> None:
    """They move nothing where keys are written as they are; what they move where a clip is written as it looks counts."""
    action = warrior.action(5)
    warrior.obj.animation_data.action = action
    bpy.context.view_layer.objects.active = warrior.obj
    bpy.ops.object.mode_set(mode="EDIT")
    warrior.obj.data.edit_bones.new("control").tail = (0, 0, 1)
    bpy.ops.object.mode_set(mode="OBJECT")
    assert warrior.obj.pose.bones["control"].keyframe_insert("location", frame=action.frame_end + 4)
    start, end = warrior.frames(5)
    grown = warrior.packed(source="ACTIVE", sampling=sampling).lab.frame_count - warrior.before.frame_count
    assert grown == (end - start + 1 + 4 if longer else 0)


def test_a_marker_moves_a_key_frame(warrior: Warrior) -> None:
    action = next(one for one in warrior.actions if len(one["mindpower_key_frames"]))
    start = action["mindpower_range"][0]
    numbers = set(map(int, action["mindpower_actions"].split(",")))
    keys = list(action["mindpower_key_frames"])
    marker = next(marker for marker in action.pose_markers if marker.frame == keys[0] + 1)
    marker.frame += 2
    packed = warrior.packed()
    assert packed.data == warrior.path.read_bytes()
    rows = {row.number: row for row in packed.actions.rows}
    was = {row.number: row for row in packed.actions.table.types[packed.actions.type]}
    for number in numbers:
        moved = [key + 2 if key == start + keys[0] else key for key in was[number].keys]
        assert sorted(rows[number].keys) == sorted(moved) or start + keys[0] not in was[number].keys
    assert all(rows[number] == was[number] for number in was if number not in numbers)


def test_a_new_action_with_a_number(warrior: Warrior) -> None:
    action = warrior.action(5).copy()
    action.name = "sneak"
    present = warrior.obj.animation_data.action
    warrior.obj.animation_data.action = action
    assert OPS.retro_anim.mindpower_new_action(number=12) == {"FINISHED"}
    warrior.obj.animation_data.action = present
    start, end = warrior.frames(5)
    packed = warrior.packed()
    lab, length = packed.lab, end - start + 1
    assert lab.frame_count == warrior.before.frame_count + length
    assert lab.quaternions[:, : warrior.before.frame_count].tobytes() == warrior.before.quaternions.tobytes()
    worlds = warrior.part("core.mindpower.motion.evaluate").world_matrices(lab)
    assert np.abs(worlds[-length:] - worlds[start : end + 1]).max() < 1e-5
    (row,) = [row for row in packed.actions.rows if row.number == 12]
    assert (row.start, row.end) == (warrior.before.frame_count, lab.frame_count - 1)


def test_two_edited_actions_for_the_same_frames_are_refused(warrior: Warrior) -> None:
    """One that nobody changed says nothing that the file does not."""
    copy = warrior.action(5).copy()
    copy.name = "again"
    assert warrior.packed().data == warrior.path.read_bytes()
    start, _ = warrior.frames(5)
    for count, action in enumerate((copy, warrior.action(5))):
        point = warrior.curve(action, "Bip02 Head", "rotation_quaternion", 2).keyframe_points[3 + count]
        point.co.y += 0.1
        if not count:
            assert warrior.changed(warrior.packed().lab)[1] == [start + 3]
    with pytest.raises(warrior.part("core.reporting.errors").ExportError, match=r"again.* frames|5 run .*again"):
        warrior.packed()


@pytest.mark.parametrize(("answers", "grown"), [(("REPLACE", "NEW"), True), (("LEAVE", "REPLACE"), False), (("REPLACE", "LEAVE"), False)])
def test_of_two_edited_copies_of_one_range_somebody_says_which(warrior: Warrior, answers: tuple[str, str], grown: bool) -> None:
    """A script gets an error; what is kept apart goes behind the last frame, under a number of its own."""
    questions, action = warrior.part("io.pipeline.destination.questions"), warrior.action(5)
    copy = action.copy()
    copy.name = "sneak"
    for each, by in ((action, 0.1), (copy, 0.3)):
        warrior.curve(each, "Bip02 Head", "rotation_quaternion", 2).keyframe_points[3].co.y += by
    with pytest.raises(questions.UndecidedError, match="both stand for frames") as problem:
        warrior.packed()
    assert {question.title for question in problem.value.questions} == {action.name, "sneak"}
    given = dict(zip((action.name, "sneak"), answers, strict=True))
    with questions.answered({(question.title, question.where): given[question.title] for question in problem.value.questions}):
        lab = warrior.packed().lab
    start, end = warrior.frames(5)
    count = warrior.before.frame_count
    assert lab.frame_count == count + (end - start + 1) * grown
    head = warrior.before.names.index("Bip02 Head")
    written, old = (each.quaternions[head, start + 3] for each in (lab, warrior.before))
    by = np.abs(written - old).max()
    assert 0.02 < by < 0.15 if answers[0] == "REPLACE" else by > 0.2


def test_two_strips_of_one_range_are_two_clips(warrior: Warrior) -> None:
    """The one that plays as the action is stays in its frames; the other, twice as slow, goes behind the last."""
    data, action = warrior.obj.animation_data, warrior.action(5)
    data.action = None
    for name, scale in (("plain", 1.0), ("slow", 2.0)):
        track = data.nla_tracks.new()
        strip = track.strips.new(name, 1 if name == "plain" else 200, action)
        if hasattr(strip, "action_slot"):
            strip.action_slot = action.slots[0]
        strip.scale = scale
    export = warrior.part("io.mindpower.write")
    options = export.ExportOptions(str(warrior.path.with_name("out.lab")), source="NLA", dry_run=True)
    exported = export.export_mindpower(bpy.context, options)
    assert {change.action: change.worst for change in exported.changes}.keys() == {action.name, "slow"}
    for change in exported.changes:  # the slow one is sampled between its keys, and there only nearly
        assert change.worst is None or (change.action == "slow" and change.worst.difference < 0.05 and "the arc" in change.messages[0])
    assert sum("slow has no number" in line for line in exported.warnings) == 1


def test_an_active_armature_that_plays_nothing(warrior: Warrior) -> None:
    """No action is written, and that is said: what was edited is in one that is not shown."""
    data, action, log = warrior.obj.animation_data, warrior.action(5), warrior.part("core.reporting.log")
    figure = warrior.part("io.mindpower.figure.figure_read").read(warrior.obj)

    def said() -> list[str]:
        with log.collect() as lines:
            assert warrior.part("io.mindpower.pack").chosen_actions(bpy.context, figure, "ACTIVE") == []
        return list(lines.digest("WARNING"))

    data.action = None
    (nothing,) = said()
    assert "has no active action, and its NLA plays nothing" in nothing
    strip: Any = data.nla_tracks.new().strips.new("idle", 1, action)
    strip.mute = True
    assert ["idle does not play, and is left out" in line for line in said()] == [True, False]
    if hasattr(strip, "action_slot"):
        strip.mute, strip.action_slot = False, None
        assert ["the strip idle has no slot of its action" in line for line in said()] == [True, False]
    strip.mute = False
    strip.action = bpy.data.actions.new("empty")
    if hasattr(strip, "action_slot"):
        strip.action_slot = strip.action.slots.new("OBJECT", "slot")
    strip.scale = 2
    said()
    for other in list(bpy.data.actions):
        bpy.data.actions.remove(other)
    assert ["idle has no action any more" in line for line in said()] == [True]


def test_a_curve_without_keys_is_at_no_frame(part: Part, copied: Path) -> None:
    """Blender says frame 0 of it, where a new action would begin."""
    mindpower, compat = part("io.mindpower.build"), part("io.blender.compat")
    obj = mindpower.import_mindpower(bpy.context, mindpower.ImportOptions((str(copied / "animation" / "0741.lab"),))).armatures[0]
    action = bpy.data.actions.new("new")
    compat.assign(obj, action)
    for frame in (7, 20):
        assert obj.pose.bones[0].keyframe_insert("rotation_quaternion", frame=frame)
    assert obj.pose.bones[1].keyframe_insert("location", frame=9)
    empty = next(curve for curve in compat.curves(action, obj) if curve.data_path.endswith("location"))
    empty.keyframe_points.clear()
    assert part("io.mindpower.clips.actions").keyed(action, obj, "KEYS") == (7, 20)
