"""What is edited of a character of Tales of Pirates differs in its files, and nothing else; what cannot be read changes nothing."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest

OPS: Any = bpy.ops
"""The stubs do not know our operators."""

Part = Callable[[str], ModuleType]


class Warrior:
    """0005: quaternions; actions 1 = 2..44 and so on, as the table says."""

    def __init__(self, part: Part, client: Path) -> None:
        self.part, self.path = part, client / "animation" / "0005.lab"
        mindpower = part("io.mindpower.build")
        imported = mindpower.import_mindpower(bpy.context, mindpower.ImportOptions((str(self.path),), fps_mode="SET"))
        self.obj, self.actions = imported.armatures[0], imported.actions
        self.parse = part("core.mindpower.files.lab").Lab.parse
        self.before = self.parse(self.path.read_bytes())

    def packed(self, **options: Any) -> Any:
        export = self.part("io.mindpower.write")
        return export.pack_lab(bpy.context, self.obj, export.ExportOptions("", **options))

    def action(self, number: int) -> Any:
        return next(action for action in self.actions if number in map(int, action["mindpower_actions"].split(",")))

    def frames(self, number: int) -> tuple[int, int]:
        start, end = self.action(number)["mindpower_range"]
        return start, end

    def curve(self, action: Any, bone: str, channel: str, index: int) -> Any:
        path = f'pose.bones["{bone}"].{channel}'
        return next(one for one in self.part("io.blender.compat").curves(action) if (one.data_path, one.array_index) == (path, index))

    def changed(self, lab: Any) -> tuple[list[int], list[int]]:
        """Bones and frames whose keys have other bits."""
        off = (lab.quaternions != self.before.quaternions).any(axis=2) | (lab.positions != self.before.positions).any(axis=2)
        return np.flatnonzero(off.any(axis=1)).tolist(), np.flatnonzero(off.any(axis=0)).tolist()


@pytest.fixture
def warrior(part: Part, game_file: Callable[[str], Path]) -> Warrior:
    return Warrior(part, game_file("mindpower"))


def test_one_key(warrior: Warrior) -> None:
    start, _ = warrior.frames(5)
    point = warrior.curve(warrior.action(5), "Bip02 Head", "rotation_quaternion", 2).keyframe_points[3]
    point.co.y += 0.1
    lab = warrior.packed().lab
    assert warrior.changed(lab) == ([warrior.before.names.index("Bip02 Head")], [start + 3])


def test_only_the_present_action(warrior: Warrior) -> None:
    """The others count as they were, whatever was done to them."""
    for number in (5, 2):
        for point in warrior.curve(warrior.action(number), "Bip02 Head", "rotation_quaternion", 2).keyframe_points:
            point.co.y += 0.1
    warrior.obj.animation_data.action = warrior.action(5)
    start, end = warrior.frames(5)
    assert warrior.changed(warrior.packed(source="ACTIVE").lab)[1] == list(range(start, end + 1))


def test_as_it_looks(warrior: Warrior) -> None:
    """Unedited the same file; a constraint that looks elsewhere is in the keys."""
    warrior.obj.animation_data.action = warrior.action(5)
    assert warrior.packed(source="ACTIVE", sampling="VISUAL").data == warrior.path.read_bytes()
    target = bpy.data.objects.new("target", None)
    bpy.context.collection.objects.link(target)
    target.location = (3, 3, 3)
    limit = warrior.obj.pose.bones["Bip02 Head"].constraints.new("DAMPED_TRACK")
    limit.target = target
    bones, frames = warrior.changed(warrior.packed(source="ACTIVE", sampling="VISUAL").lab)
    start, end = warrior.frames(5)
    assert frames == list(range(start, end + 1))
    assert warrior.before.names.index("Bip02 Head") in bones
    assert warrior.before.names.index("Bip02 Pelvis") not in bones


@pytest.mark.parametrize("sampling", ["KEYS", "VISUAL"])
def test_motion_of_the_object_is_the_roots(warrior: Warrior, sampling: str) -> None:
    """Wherever the character was put, and however large: what it does from there is in the file, in either way."""
    warrior.obj.location, warrior.obj.scale = (5.0, -3.0, 1.0), (2.0, 2.0, 2.0)
    warrior.obj.rotation_euler = (0.0, 0.0, 0.5)
    action = warrior.action(5)
    warrior.obj.animation_data.action = action
    first, last = action.frame_start, action.frame_end
    for frame, (x, angle) in ((first, (5.0, 0.5)), (last, (9.0, 0.5 + np.pi / 2))):
        warrior.obj.location, warrior.obj.rotation_euler = (x, -3.0, 1.0), (0.0, 0.0, angle)
        warrior.obj.keyframe_insert("location", frame=frame)
        warrior.obj.keyframe_insert("rotation_euler", frame=frame)
    start, end = warrior.frames(5)
    lab = warrior.packed(source="ACTIVE", sampling=sampling).lab
    evaluate = warrior.part("core.mindpower.motion.evaluate")
    now, before = (evaluate.world_matrices(one) for one in (lab, warrior.before))
    assert np.abs(now[start] - before[start]).max() < 1e-5
    back, moved = (
        np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]]),
        np.array([np.cos(0.5), np.sin(0.5), 0]) * 2,
    )
    wanted = before[end].copy()
    wanted[..., :3] = before[end][..., :3] @ back  # to the left in Blender is to the right in the game
    wanted[:, 3, :3] += moved
    assert np.abs(now[end] - wanted).max() < 1e-4


def test_a_whole_timeline_that_begins_earlier_is_refused(part: Part, copied: Path) -> None:
    """Later it may begin: what was before stays. No frame gets another number."""
    mindpower, export = part("io.mindpower.build"), part("io.mindpower.write")
    path = copied / "animation" / "0741.lab"
    imported = mindpower.import_mindpower(bpy.context, mindpower.ImportOptions((str(path),), actions="TIMELINE", fps_mode="SET"))
    (action,), options = imported.actions, export.ExportOptions("")
    action.frame_start += 9
    action.frame_end += 5
    lab = export.pack_lab(bpy.context, imported.armatures[0], options).lab
    before = part("core.mindpower.files.lab").Lab.parse(path.read_bytes())
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
    old, new = (part("core.mindpower.files.action_table").ActionTable.parse(data) for data in (before[0], table.read_bytes()))
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
    rows = {row.number: row for row in warrior.part("core.mindpower.files.action_table").ActionTable.parse(table.read_bytes()).of_type(5)}
    count, (start, end) = warrior.before.frame_count, warrior.frames(5)
    assert (rows[5].start, rows[5].end) == (count, count + end - start + 7)
    assert (rows[1].start, rows[1].end) == warrior.frames(1)


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


def test_keys_behind_the_end_count(warrior: Warrior) -> None:
    action = warrior.action(5)
    curve = warrior.curve(action, "Bip02 Head", "rotation_quaternion", 2)
    curve.keyframe_points.insert(action.frame_end + 4, 0.5)
    start, end = warrior.frames(5)
    assert warrior.packed().lab.frame_count == warrior.before.frame_count + end - start + 1 + 4


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


def test_its_own_file_comes_onto_the_active_armature(warrior: Warrior, tmp_path: Path) -> None:
    """New actions, none overwritten, no mesh twice; wherever the file lies. Another file makes a character of its own."""
    count = len(bpy.data.objects)
    point = warrior.curve(warrior.action(5), "Bip02 Head", "rotation_quaternion", 2).keyframe_points[3]
    point.co.y += 0.1
    edited = warrior.packed().data
    mindpower = warrior.part("io.mindpower.build")
    again = mindpower.import_mindpower(bpy.context, mindpower.ImportOptions((str(warrior.path),), fps_mode="SET"))
    assert again.armatures == [warrior.obj] and not again.meshes and len(bpy.data.objects) == count
    assert len(again.actions) == len(warrior.actions) and not set(again.actions) & set(warrior.actions)
    assert warrior.obj.animation_data.action == again.actions[0]
    assert warrior.packed().data == edited
    for action in warrior.actions:
        bpy.data.actions.remove(action)
    assert warrior.packed().data == warrior.path.read_bytes()
    moved = tmp_path / "elsewhere.lab"
    moved.write_bytes(warrior.path.read_bytes())
    assert mindpower.import_mindpower(bpy.context, mindpower.ImportOptions((str(moved),))).armatures == [warrior.obj]
    moved.write_bytes(edited)
    assert mindpower.import_mindpower(bpy.context, mindpower.ImportOptions((str(moved),))).armatures != [warrior.obj]


def test_its_own_file_where_the_kept_one_is_lost(warrior: Warrior) -> None:
    bpy.data.batch_remove(list(bpy.data.texts))
    mindpower = warrior.part("io.mindpower.build")
    for action in warrior.actions:
        bpy.data.actions.remove(action)
    again = mindpower.import_mindpower(bpy.context, mindpower.ImportOptions((str(warrior.path),), fps_mode="SET"))
    assert again.armatures == [warrior.obj]
    assert warrior.packed().data == warrior.path.read_bytes()


def test_dummies(warrior: Warrior) -> None:
    """Moved, added, removed; the others keep their bits."""
    empties = {obj["mindpower_order"]: obj for obj in bpy.data.objects if "mindpower_dummy" in obj}
    empties[2].location.z += 0.5
    bpy.data.objects.remove(empties[4])
    warrior.obj.data.bones.active = warrior.obj.data.bones["Bip02 Head"]
    assert OPS.retro_anim.mindpower_dummy(slot="20") == {"FINISHED"}
    dummies, before = warrior.packed().lab.dummies, warrior.before.dummies
    kept = [0, 1, 3, *range(5, len(before))]
    assert dummies[[0, 1, 3, *range(4, len(before) - 1)]].tobytes() == before[kept].tobytes()
    moved = before[2]["matrix"].astype(float)
    step = moved[2, :3] * 0.5  # along the dummy's own z axis
    assert np.abs(dummies[2]["matrix"][3, :3] - moved[3, :3] - step).max() < 1e-5
    assert (dummies[-1]["id"], dummies[-1]["parent"]) == (20, warrior.before.names.index("Bip02 Head"))
    bone = warrior.obj.data.bones["Bip02 Head"]
    assert np.abs(dummies[-1]["matrix"][3, :3] * [1, -1, 1] - np.array(bone.head_local)).max() < 1e-5
    assert np.abs(dummies[-1]["matrix"][:3, :3] - np.eye(3)).max() < 1e-5


def test_a_bone_renamed(warrior: Warrior) -> None:
    """Another name in the file, and nothing else, though Blender renames it in the present action alone."""
    warrior.obj.data.bones["Bip02 Head"].name = "Skull"
    index = warrior.before.names.index("Bip02 Head")
    lab = warrior.packed().lab
    assert lab.names[index] == "Skull"
    assert warrior.changed(lab) == ([], [])


@pytest.fixture
def copied(game_file: Callable[[str], Path], tmp_path: Path) -> Path:
    """A client with one character, to be broken."""
    source, root = game_file("mindpower"), tmp_path / "client"
    for name in (
        "animation/0741.lab",
        "model/character/0741000000.lgo",
        "scripts/txt/CharacterAction.tx",
        "scripts/table/CharacterInfo.txt",
    ):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / name, root / name)
    return root


def snapshot() -> dict[str, Any]:
    """What the user would notice."""
    kinds = [name for name in dir(bpy.data) if isinstance(getattr(bpy.data, name), bpy.types.bpy_prop_collection)]
    active = bpy.context.view_layer.objects.active
    return {
        **{name: len(getattr(bpy.data, name)) for name in kinds},
        "selected": sorted(obj.name for obj in bpy.context.selected_objects),
        "active": active.name if active else None,
        "rate": (bpy.context.scene.render.fps, bpy.context.scene.render.fps_base),
    }


HOSTILE = {
    "empty": b"",
    "short": b"\x05\x10\x00\x00\x02\x00\x00\x00",
    "counts": b"\x05\x10\x00\x00" + b"\xff" * 12 + b"\x03\x00\x00\x00" + bytes(100),
    "version": b"\x06\x10\x00\x00" + bytes(200),
}


@pytest.mark.parametrize("name", [*HOSTILE, "cut"])
@pytest.mark.parametrize("suffix", [".lab", ".lgo"])
def test_a_hostile_file(part: Part, copied: Path, tmp_path: Path, name: str, suffix: str) -> None:
    whole = next(copied.rglob(f"*{suffix}")).read_bytes()
    file = tmp_path / f"bad{suffix}"
    file.write_bytes(HOSTILE.get(name, whole[: len(whole) // 2]))
    before = snapshot()
    mindpower = part("io.mindpower.build")
    with pytest.raises(part("core.reporting.errors").RetroAnimError) as raised:
        mindpower.import_mindpower(bpy.context, mindpower.ImportOptions((str(file),), fps_mode="SET"))
    assert str(raised.value).startswith(str(file))
    assert snapshot() == before
    with pytest.raises(RuntimeError) as reported:
        OPS.import_anim.mindpower(filepath=str(file))
    assert "Traceback" not in str(reported.value)
    assert snapshot() == before


def test_a_failure_while_building(part: Part, copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, mindpower = snapshot(), part("io.mindpower.build")

    def fail(*_: object) -> None:
        raise part("core.reporting.errors").FormatError("broken")

    monkeypatch.setattr(part("io.mindpower.dummies"), "build", fail)
    with pytest.raises(part("core.reporting.errors").RetroAnimError, match="broken"):
        mindpower.import_mindpower(bpy.context, mindpower.ImportOptions((str(copied / "animation" / "0741.lab"),), fps_mode="SET"))
    assert snapshot() == before


def test_a_broken_mesh_does_not_keep_the_character_away(part: Part, copied: Path) -> None:
    (copied / "model" / "character" / "0741000000.lgo").write_bytes(b"nothing")
    mindpower = part("io.mindpower.build")
    with part("core.reporting.log").collect() as said:
        imported = mindpower.import_mindpower(bpy.context, mindpower.ImportOptions((str(copied / "animation" / "0741.lab"),)))
    assert (len(imported.armatures), len(imported.meshes)) == (1, 0)
    assert any("0741000000.lgo" in str(line) for line in said.of("ERROR"))


@pytest.mark.parametrize(
    ("rows", "ranges"),
    [
        (b"\t1\t0\t20\r\n\t2\t10\t30\t15\r\n", [(0, 20), (10, 30)]),
        (b"\t1\t30\t10\r\n\t2\t5\t8\r\n", [(5, 8)]),
        (b"\t1\t70\t99999\t80000\r\n\t2\t500\t600\r\n", [(70, 78)]),
        (b"\t1\t0\t0\r\n", [(0, 78)]),
        (b"\t1\t5\t5\r\n\t3\t5\t5\r\n\t1\t6\t9\t7,8 7\r\n", [(5, 5), (6, 9)]),
        (b"nonsense\r\n\t\t\t\r\n\tx\ty\r\n", [(0, 78)]),
    ],
    ids=["overlapping", "reversed", "beyond", "unused", "one frame", "no numbers"],
)
def test_a_hostile_table(part: Part, copied: Path, rows: bytes, ranges: list[tuple[int, int]]) -> None:
    """Kept, reported, not fatal: the skeleton and the table come out as they went in."""
    path, table = copied / "animation" / "0741.lab", copied / "scripts" / "txt" / "CharacterAction.tx"
    table.write_bytes(b"// comment\r\n7\r\n" + rows + b"8\r\n\t1\t1\t2\r\n")
    mindpower, export = part("io.mindpower.build"), part("io.mindpower.write")
    imported = mindpower.import_mindpower(bpy.context, mindpower.ImportOptions((str(path),), action_type=7))
    assert [tuple(action["mindpower_range"]) for action in imported.actions] == ranges
    packed = export.pack_lab(bpy.context, imported.armatures[0], export.ExportOptions(""))
    assert packed.data == path.read_bytes()
    assert packed.actions.table.with_rows(packed.actions.type, packed.actions.rows).pack() == table.read_bytes()


def test_a_bone_turned_at_rest(warrior: Warrior) -> None:
    """The pose that is seen is what counts: its keys, and those of its children, are written anew."""
    bpy.ops.object.mode_set(mode="EDIT")
    bone = warrior.obj.data.edit_bones["Bip02 L ForeArm"]
    bone.roll += 0.5
    bpy.ops.object.mode_set(mode="OBJECT")
    packed, index = warrior.packed(), warrior.before.names.index("Bip02 L ForeArm")
    lab, start = packed.lab, next(row.start for row in packed.actions.rows if row.number == 5)  # overlapping ranges have moved
    warrior.obj.animation_data.action = warrior.action(5)
    bpy.context.scene.frame_set(int(warrior.action(5).frame_start) + 3)
    pose = warrior.obj.pose.bones["Bip02 L ForeArm"].matrix @ warrior.obj.data.bones["Bip02 L ForeArm"].matrix_local.inverted()
    evaluate = warrior.part("core.mindpower.motion.evaluate")
    skin = (lab.inverse_binds[index].astype(np.float64) @ evaluate.world_matrices(lab)[start + 3, index]).T * np.outer(
        [1, -1, 1, 1], [1, -1, 1, 1]
    )
    assert np.abs(skin - np.array(pose)).max() < 1e-5


def test_the_lists_to_choose_from(part: Part, game_file: Callable[[str], Path]) -> None:
    client, contents = game_file("mindpower"), part("io.mindpower.contents")
    choices = contents.contents(str(client / "scripts" / "table" / "CharacterInfo.txt"), {})
    key, *_ = next(line for line in choices["characters"] if line[1].startswith("0088"))
    chosen = OPS.import_anim.mindpower_choose(filepath=str(client / "scripts"), entries=key)
    assert chosen == {"FINISHED"}
    objects: list[Any] = [obj for obj in bpy.data.objects if obj.type == "ARMATURE"]
    assert [sum("mindpower_helper" not in bone for bone in obj.data.bones) for obj in objects] == [38]
    assert contents.contents(str(client / "animation" / "0088.lab"), {}) == {}


def test_suits_to_choose_from(part: Part, copied: Path) -> None:
    for suit, number in ((0, 1), (3, 0), (3, 2)):
        source = copied / "model" / "character" / "0741000000.lgo"
        shutil.copyfile(source, source.with_name(f"{741_000_000 + 10_000 * suit + number:010}.lgo"))
    choices = part("io.mindpower.contents").contents(str(copied / "animation" / "0741.lab"), {})
    assert [key for key, *_ in choices["suits"]] == ["0741000000", "0741000001", "0741030000", "0741030002"]
    mindpower = part("io.mindpower.build")
    options = mindpower.ImportOptions((str(copied / "animation" / "0741.lab"),), parts="0741000000, 0741030002")
    assert [mesh.name for mesh in mindpower.import_mindpower(bpy.context, options).meshes] == ["0741000000", "0741030002"]


@pytest.mark.parametrize("option", ["location", "rotation", "scale"])
def test_an_applied_transform_is_refused(warrior: Warrior, option: str) -> None:
    """The way out that the message names leads back to the same file."""
    bpy.ops.object.select_all(action="DESELECT")
    warrior.obj.select_set(True)
    bpy.context.view_layer.objects.active = warrior.obj
    values = {"location": (1.0, 2.0, 0.0), "rotation": (0.0, 0.0, 0.5), "scale": (2.0, 2.0, 2.0)}[option]
    setattr(warrior.obj, "rotation_euler" if option == "rotation" else option, values)
    with warrior.part("core.reporting.log").collect() as said:
        assert warrior.packed().data == warrior.path.read_bytes()
    assert any("root bone" in line for line in said.digest("WARNING")) == (option != "location")
    bpy.ops.object.transform_apply(**{kind: kind == option for kind in ("location", "rotation", "scale")})
    with pytest.raises(warrior.part("core.reporting.errors").ExportError, match=f"{option}.*applied.*undo"):
        warrior.packed()


def test_rotation_modes_changed_after_import_change_nothing(warrior: Warrior, part: Part) -> None:
    for bone in warrior.obj.pose.bones:
        bone.rotation_mode = "XYZ"
    with part("core.reporting.log").collect() as said:
        assert warrior.packed().data == warrior.path.read_bytes()
    lines = said.digest("WARNING")
    assert lines and all("is not that of the curves, which do nothing now: their curves are converted" in line for line in lines)


def test_what_the_object_does_is_the_root(warrior: Warrior, part: Part) -> None:
    action, obj = warrior.action(5), warrior.obj
    part("io.blender.compat").assign(obj, action)
    start, _ = warrior.frames(5)
    for frame, where, angle in ((1, 0.0, 0.0), (5, 0.7, 0.8)):
        obj.location, obj.rotation_euler = (where, 0, 0), (0, 0, angle)
        obj.keyframe_insert("location", frame=frame)
        obj.keyframe_insert("rotation_euler", frame=frame)
    lab = warrior.packed(source="ACTIVE").lab
    figure = part("io.mindpower.figure_read").read(obj)
    root = int(np.flatnonzero(figure.rig.parents < 0)[0])
    again = part("core.mindpower.motion.channels").poses(figure.motion_of(lab))
    for frame in (1, 3, 5):
        bpy.context.scene.frame_set(frame)
        shown = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
        matrix = np.array(shown.matrix_world @ shown.pose.bones[figure.names.bones[root]].matrix)
        assert np.abs(again[start + frame - 1, root] - matrix).max() < 1e-3


@pytest.mark.parametrize(("answers", "grown"), [(("REPLACE", "NEW"), True), (("LEAVE", "REPLACE"), False), (("REPLACE", "LEAVE"), False)])
def test_of_two_edited_copies_of_one_range_somebody_says_which(warrior: Warrior, answers: tuple[str, str], grown: bool) -> None:
    """A script gets an error; what is kept apart goes behind the last frame, under a number of its own."""
    questions, action = warrior.part("io.pipeline.questions"), warrior.action(5)
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
