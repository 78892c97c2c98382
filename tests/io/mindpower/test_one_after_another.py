"""Actions of Tales of Pirates that are exported one after the other into one file: what was written of the others stays there."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from support.mindpower.mindpower_warrior import Part, Warrior


@pytest.fixture
def own(part: Part, game_file: Callable[[str], Path], tmp_path: Path) -> Warrior:
    """One whose files may be written."""
    source, root = game_file("mindpower"), tmp_path / "client"
    for name in ("animation/0005.lab", "scripts/txt/CharacterAction.tx", "scripts/table/CharacterInfo.txt"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / name, root / name)
    result = Warrior(part, root)
    bpy.context.view_layer.objects.active = result.obj
    return result


def show(warrior: Warrior, action: Any) -> None:
    data: Any = warrior.obj.animation_data
    data.action = action
    if action.slots if hasattr(action, "slots") else ():
        data.action_slot = action.slots[0]


def nudge(warrior: Warrior, number: int, key: int = 4) -> None:
    """Rotates a bone at the fifth frame of an action, or at another one, which becomes the active one."""
    action: Any = warrior.action(number)
    show(warrior, action)
    for index, value in enumerate((0.6, 0.8, 0.0, 0.0)):
        curve = warrior.curve(action, "Bip02 Head", "rotation_quaternion", index)
        curve.keyframe_points[key].co[1] = value
        curve.update()


def test_one_action_after_the_other(own: Warrior) -> None:
    """What was written of one stays when another one is written alone."""
    export = own.part("io.mindpower.write")
    for number in (1, 5):
        nudge(own, number)
        export.export_mindpower(bpy.context, export.ExportOptions(str(own.path), source="ACTIVE"))
    _, frames = own.changed(own.parse(own.path.read_bytes()))
    assert frames == sorted(own.frames(number)[0] + 4 for number in (1, 5))


def test_an_unedited_copy_in_place_of_what_was_written(own: Warrior) -> None:
    export = own.part("io.mindpower.write")
    copy = own.action(1).copy()
    nudge(own, 1)
    options = export.ExportOptions(str(own.path), source="ACTIVE")
    export.export_mindpower(bpy.context, options)
    own.obj.animation_data.action = copy
    (line,) = export.export_mindpower(bpy.context, options).warnings
    assert f"{copy.name} was not edited, and takes the place of what {own.action(1).name} was written as" in line
    assert own.changed(own.parse(own.path.read_bytes()))[1] == [], "as it came in again"


def exported(warrior: Warrior, **options: Any) -> tuple[list[str], Any, dict[int, tuple[int, int]]]:
    """What an export of the active action says, its skeleton, and its rows of the action table: first and last frame by number."""
    export, tables = warrior.part("io.mindpower.write"), warrior.part("core.mindpower.files.tables.action_table")
    warnings = export.export_mindpower(bpy.context, export.ExportOptions(str(warrior.path), **{"source": "ACTIVE", **options})).warnings
    table = tables.ActionTable.parse((warrior.path.parents[1] / "scripts" / "txt" / "CharacterAction.tx").read_bytes())
    rows = {row.number: (row.start, row.end) for row in table.of_type(5)}
    return warnings, warrior.parse(warrior.path.read_bytes()), rows


def new(warrior: Warrior, number: int, source: int) -> Any:
    """A new action with the motion of another one."""
    action = warrior.action(source).copy()
    warrior.part("io.mindpower.marks").make_new(action, number)
    return action


def shows(warrior: Warrior, lab: Any, span: tuple[int, int], source: tuple[int, int]) -> bool:
    """Whether a range of a file has the motion of a range of the file that came in, and no more frames."""
    worlds = warrior.part("core.mindpower.motion.evaluate").world_matrices
    now, was = (worlds(each)[first : last + 1] for each, (first, last) in ((lab, span), (warrior.before, source)))
    return now.shape == was.shape and bool(np.abs(now - was).max() < 1e-4)


def test_what_was_written_behind_stays_behind(own: Warrior) -> None:
    """Two actions that got longer, one after the other: 13 and 43 frames, each with 7 more."""
    count, spans = own.before.frame_count, {number: own.frames(number) for number in (1, 5)}
    for number in (5, 1):
        own.action(number).frame_end += 7
        show(own, own.action(number))
        for _ in range(2):
            lines, lab, rows = exported(own)
            assert not any("left out" in line for line in lines), lines
    lengths = {number: end - start + 1 + 7 for number, (start, end) in spans.items()}
    assert lab.frame_count == count + sum(lengths.values())
    assert lab.quaternions[:, :count].tobytes() == own.before.quaternions.tobytes()
    for number, (start, end) in spans.items():
        first, last = rows[number]
        assert last - first + 1 == lengths[number]
        assert first >= count
        assert shows(own, lab, (first, last - 7), (start, end))
    together, whole, _ = exported(own, source="ALL")
    assert whole.frame_count == lab.frame_count, together


@pytest.mark.parametrize("sources", [(5, 5), (1, 5), (5, 1)])
def test_new_actions_one_after_the_other(own: Warrior, sources: tuple[int, int]) -> None:
    """Of equal length, and a longer or shorter one first."""
    actions = {number: new(own, number, source) for number, source in zip((50, 51), sources, strict=True)}
    nudge(own, 5)  # not exported: the second new action is of the file's own motion
    for action in actions.values():
        show(own, action)
        lines, lab, rows = exported(own)
        assert not any("left out" in line for line in lines), lines
    for number, source in zip((50, 51), sources, strict=True):
        assert shows(own, lab, rows[number], own.frames(source)), (number, rows[number])
    assert lab.frame_count - own.before.frame_count == sum(rows[number][1] - rows[number][0] + 1 for number in (50, 51))
    assert rows[5] == own.frames(5)


@pytest.mark.thorough
@pytest.mark.parametrize("source", ["ACTIVE", "ALL"])
def test_what_was_written_of_an_action_that_was_deleted_is_named(own: Warrior, source: str) -> None:
    """A new one, and one of the file's that got longer: their frames stay; those of one that is there are what it is."""
    action = new(own, 50, 5)
    own.action(5).frame_end += 7
    for each in (action, own.action(5)):
        show(own, each)
        assert not any("any more" in line for line in exported(own)[0])
    bpy.data.actions.remove(action)
    bpy.data.actions.remove(own.action(5))
    show(own, own.action(1))
    lines, lab, rows = exported(own, source=source)
    (line,) = [line for line in lines if "any more" in line]
    assert "5 run" in line and "50 " in line and "were written into the file before, and stay in it" in line
    assert lab.frame_count > own.before.frame_count and rows[50][1] < lab.frame_count
    own.path.rename(own.path.with_suffix(".away"))
    for _ in range(2):
        lines, lab, _ = exported(own, source=source)
        assert not any("any more" in line for line in lines)
        assert lab.frame_count == own.before.frame_count


def test_frames_behind_that_no_row_names_are_not_left_out_in_silence(own: Warrior) -> None:
    table = own.path.parents[1] / "scripts" / "txt" / "CharacterAction.tx"
    before = table.read_bytes()
    own.action(5).frame_end += 7
    show(own, own.action(5))
    exported(own)
    table.write_bytes(before)
    nudge(own, 1)
    start, end = own.frames(5)
    lines, lab, _ = exported(own)
    assert lab.frame_count == own.before.frame_count
    assert any(f"{end - start + 8} frames of the file, which were written behind those that came in" in line for line in lines), lines


def moved_frames(warrior: Warrior, lab: Any) -> list[int]:
    """Frames of the old time line where a bone is turned otherwise, whatever the kind of keys."""
    local = warrior.part("core.mindpower.motion.evaluate").local_matrices
    count = warrior.before.frame_count
    off = np.abs(local(lab)[:count] - local(warrior.before)).max(axis=(1, 2, 3))
    return np.flatnonzero(off > 1e-3).tolist()


@pytest.mark.thorough
@pytest.mark.parametrize("second", ["MAT43", "MAT44", "QUAT", "AUTO"])
def test_one_after_the_other_in_another_kind_of_keys(own: Warrior, second: str) -> None:
    """Written as in the file by now where nothing else is asked for, which is said."""
    for number, kind in ((1, "MAT43"), (5, second)):
        nudge(own, number)
        lines, lab, _ = exported(own, key_type=kind)
    assert moved_frames(own, lab) == sorted(own.frames(number)[0] + 4 for number in (1, 5))
    kinds = own.part("core.mindpower.files.skeleton.lab").KEY_TYPES
    assert kinds[lab.key_type] == ("MAT43" if second == "AUTO" else second)
    assert any("keys are MAT43, as in the file by now" in line for line in lines) == (second == "AUTO")


def test_a_scaled_bone_makes_matrices_that_stay(own: Warrior) -> None:
    action, scaled = own.action(1), own.frames(1)[0] + 4
    nudge(own, 1)
    bone = own.obj.pose.bones["Bip02 Head"]
    frame = own.curve(action, "Bip02 Head", "rotation_quaternion", 0).keyframe_points[4].co[0]
    for at, size in ((frame - 1, 1.0), (frame, 1.5), (frame + 1, 1.0)):
        bone.scale = (size, size, size)
        assert bone.keyframe_insert("scale", frame=at)
    exported(own)
    nudge(own, 5)
    _, lab, _ = exported(own)
    head = own.before.names.index("Bip02 Head")
    (local,) = own.part("core.mindpower.motion.evaluate").local_matrices(lab, np.array([scaled]))
    assert np.linalg.norm(local[head, :3, :3], axis=1) == pytest.approx(1.5, abs=1e-4)
    assert own.frames(5)[0] + 4 in moved_frames(own, lab)


def test_a_frame_of_two_actions_stays_as_the_other_one_was_written(own: Warrior) -> None:
    """Show is 30 to 60, sleep is 60 to 100. Alone, neither knows what the other one changed; both together, nothing is undone any more."""
    (_, shared), (start, _) = own.frames(2), own.frames(3)
    assert shared == start
    nudge(own, 3, 0)
    exported(own)
    nudge(own, 2)
    lines, lab, _ = exported(own)
    assert moved_frames(own, lab) == [own.frames(2)[0] + 4, shared]
    assert not any("takes the place" in line for line in lines), lines


def test_who_is_named_as_replaced(own: Warrior) -> None:
    """Edited actions of this character for the same frames, none that nobody edited, and none of another character."""
    first, second = (own.action(1).copy() for _ in range(2))
    first.name, second.name = "first", "second"
    nudge(own, 1)
    theirs = own.action(1).copy()
    theirs.name, theirs["retro_anim_rig"] = "theirs", "another"
    exported(own)
    show(own, first)
    lines, _, _ = exported(own)
    (line,) = (line for line in lines if "takes the place" in line)
    assert f"takes the place of what {own.action(1).name} was written as" in line
    for index, value in enumerate((0.0, 0.6, 0.8, 0.0)):
        own.curve(second, "Bip02 Head", "rotation_quaternion", index).keyframe_points[6].co[1] = value
    show(own, second)
    exported(own)
    show(own, first)
    lines, _, _ = exported(own)
    (line,) = (line for line in lines if "takes the place" in line)
    assert f"takes the place of what {own.action(1).name}, second were written as" in line


def test_all_actions_that_have_no_number_are_one_message(own: Warrior) -> None:
    """The clips of a retargeted character are many, and a line for each would hide what else is said."""
    for name in ("Hero stroll", "Hero dance"):  # which mean none of the game's
        own.obj.animation_data.action = bpy.data.actions.new(name)
        own.obj.pose.bones[0].keyframe_insert("rotation_quaternion", frame=1)
        first, _, _ = exported(own)
        if name == "Hero stroll":
            assert next(line for line in first if "no number" in line).endswith("if it is none")
    both, _, rows = exported(own, source="ALL")
    (line,) = (line for line in both if "no number" in line)
    assert "2 actions have no number in the action table: they are written as " in line
    numbers = re.findall(r"(\d+) [a-z0-9 ]+ \(Hero (?:stroll|dance)\)", line)
    assert len(set(numbers)) == 2 and set(map(int, numbers)) <= set(rows)


def test_the_shortest_name_has_the_number_that_several_mean(part: Part) -> None:
    """Whatever their order, which the result keeps."""
    actions = [bpy.data.actions.new(f"Hero {name}") for name in ("jump left", "stroll", "jump", "jump right")]
    numbers = part("io.mindpower.clips.actions").free_numbers(actions, (1,))
    assert list(numbers) == actions and [numbers[action] for action in actions] == [2, 3, 20, 4]
