"""Characters that are saved: which clip has which role, and whose it is where several share a body."""

from __future__ import annotations

import shutil
import struct
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import pytest
from support.lba.lba_entities import contents, records, roles_of, unpacked

OPS: Any = bpy.ops
Part = Callable[[str], ModuleType]


def test_a_copy_for_something_else_has_an_entry_of_its_own(part: Part, folder: Path) -> None:
    wide = not (folder / "FILE3D.HQR").exists()
    options = part("core.lba.game")
    listed = folder / ("RESS.HQR" if wide else "FILE3D.HQR")
    (obj,) = part("io.lba").import_lba(bpy.context, options.ImportOptions((str(listed),), entities="0")).armatures
    before = contents(folder)
    walk = next(action for action in bpy.data.actions if "walk" in action.name)
    obj.animation_data.action = copy = walk.copy()
    copy.name, copy["lba_roles"] = "limp", "animation 200"
    curve = next(curve for curve in part("io.blender.compat").curves(copy) if "rotation" in curve.data_path)
    for key in curve.keyframe_points:
        key.co.y += 0.2
    save = part("io.lba.save").save_character
    saved = save(bpy.context, obj)
    old, new = unpacked(before["ANIM.HQR"]), unpacked((folder / "ANIM.HQR").read_bytes())
    assert new[:-1] == old and saved.clips["limp"] == len(old) and saved.clips[walk.name] < len(old)
    if not wide:
        assert set(records(unpacked(listed.read_bytes())[0] or b"", False)) >= {(3, 200, len(old)), (3, 1, saved.clips[walk.name])}
    assert save(bpy.context, obj).paths == []


def test_one_role_has_one_clip(part: Part, folder: Path) -> None:
    """The new one; which others give way is said, and they stay without."""
    wide = not (folder / "FILE3D.HQR").exists()
    listed = folder / ("RESS.HQR" if wide else "FILE3D.HQR")
    options, save, collect = part("core.lba.game"), part("io.lba.save").save_character, part("core.reporting.log").collect
    (obj,) = part("io.lba").import_lba(bpy.context, options.ImportOptions((str(listed),), entities="0")).armatures
    walk = next(action for action in bpy.data.actions if action.get("lba_roles") == "walk")
    known = roles_of(folder, wide)
    for name in ("stroll", "stray"):
        new = bpy.data.actions.new(name)
        obj.animation_data.action = new
        obj.pose.bones[1].keyframe_insert("rotation_euler", frame=1)
        obj.pose.bones[1].keyframe_insert("rotation_euler", frame=11)
        new["lba_roles"], new["retro_anim_rig"] = "Walk, moonwalk", walk["retro_anim_rig"]
    with collect() as said:
        saved = save(bpy.context, obj)
    text = " ".join(message.text for message in said.messages)
    assert f"stray is used for walk instead of {walk.name}" in text and "stroll is not used for walk, which stray is" in text
    assert "stray: moonwalk is no role: stand, walk, " in text
    assert (1, saved.clips["stray"]) in roles_of(folder, wide)
    assert {role for role, _ in roles_of(folder, wide)} == {role for role, _ in known}
    assert walk["lba_roles"] == bpy.data.actions["stroll"]["lba_roles"] == "not used"
    assert save(bpy.context, obj).paths == []


@pytest.mark.parametrize("said_now", ["animation 70", "not used"])
def test_a_role_that_is_no_more_in_the_field_is_named(part: Part, folder: Path, said_now: str) -> None:
    """The field gives roles to the clip, and takes none away."""
    wide = not (folder / "FILE3D.HQR").exists()
    listed = folder / ("RESS.HQR" if wide else "FILE3D.HQR")
    (obj,) = part("io.lba").import_lba(bpy.context, part("core.lba.game").ImportOptions((str(listed),), entities="0")).armatures
    walk = next(action for action in bpy.data.actions if action.get("lba_roles") == "walk")
    walk["lba_roles"] = said_now
    with part("core.reporting.log").collect() as said:
        saved = part("io.lba.save").save_character(bpy.context, obj)
    assert [message.text for message in said.of("WARNING")] == [
        f"{walk.name}: the character goes on using it as walk: Used For in the panel, with Remove, takes that away"
    ]
    assert (1, saved.clips[walk.name]) in roles_of(folder, wide)


def test_a_further_slot_takes_no_role(part: Part, folder: Path) -> None:
    """It is a clip of its own beside that of its action, which stays what the game plays."""
    wide = not (folder / "FILE3D.HQR").exists()
    listed = folder / ("RESS.HQR" if wide else "FILE3D.HQR")
    (obj,) = part("io.lba").import_lba(bpy.context, part("core.lba.game").ImportOptions((str(listed),), entities="0")).armatures
    walk: Any = next(action for action in bpy.data.actions if action.get("lba_roles") == "walk")
    obj.animation_data.action = walk
    if not hasattr(walk, "slots"):
        return  # Blender 4.2
    obj.animation_data.action_slot = walk.slots[0]
    bag = walk.layers[0].strips[0].channelbag(walk.slots.new("OBJECT", "limp"), ensure=True)
    for axis in range(3):
        points = bag.fcurves.new(f'pose.bones["{obj.pose.bones[2].name}"].rotation_euler', index=axis).keyframe_points
        for frame, value in ((1, 0.0), (7, 0.4), (13, 0.0)):
            points.insert(frame, value).interpolation = "LINEAR"
    before = roles_of(folder, wide)
    save, collect = part("io.lba.save").save_character, part("core.reporting.log").collect
    with collect() as said:
        saved = save(bpy.context, obj)
    new = saved.clips[f"{walk.name} limp"]
    of_the_first = "from what is shown", "its frame range ends"  # its loop and its range
    about_roles = [message.text for message in said.of("WARNING") if not any(text in message.text for text in of_the_first)]
    assert about_roles == [
        f"{walk.name} limp has no role: the character uses it as animation {roles_of(folder, wide)[-1][0]}; name another one in Used For"
    ]
    assert roles_of(folder, wide)[:-1] == before and roles_of(folder, wide)[-1][1] == new and walk["lba_roles"] == "walk"
    assert save(bpy.context, obj).paths == []


@pytest.mark.thorough
@pytest.mark.parametrize(("number", "says"), [("9", 9), ("10", None), ("10", "tomato"), ("10", 3)])
def test_characters_that_share_a_body_stay_apart(
    part: Part, game_file: Callable[[str], Path], tmp_path: Path, number: str, says: Any
) -> None:
    """The characters 7, 9, 10 and 11 of the second game are one hero in other moods, with other clips in the same roles; 7 has all of those
    of 9. An armature that does not say its number, or that of one with another body, and whose clips do not either, is known by its
    clips' roles."""
    for name in ("ANIM.HQR", "BODY.HQR", "RESS.HQR"):
        shutil.copyfile(game_file(f"lba2/{name}"), tmp_path / name)
    before, options = contents(tmp_path), part("core.lba.game").ImportOptions((str(tmp_path / "RESS.HQR"),), entities=number)
    (obj,) = part("io.lba").import_lba(bpy.context, options).armatures
    assert obj.data["lba_entity"] == int(number)
    for action in bpy.data.actions:
        del action["lba_entity"]
    if says is None:
        del obj.data["lba_entity"]
    else:
        obj.data["lba_entity"] = says
    saved = part("io.lba.save").save_character(bpy.context, obj)
    assert (saved.entity, saved.paths) == (int(number), []) and contents(tmp_path) == before


@pytest.mark.thorough
@pytest.mark.parametrize("at_once", [True, False])
def test_several_on_one_armature_are_saved_each_as_itself(part: Part, folder: Path, at_once: bool) -> None:
    """A second character with the body of the first, its clips in other roles: imported together, or one after the other."""
    edit, options, lba = part("core.lba.characters.edit"), part("core.lba.game"), part("io.lba")
    listed = folder / ("FILE3D.HQR" if (folder / "FILE3D.HQR").exists() else "RESS.HQR")
    wide = listed.name == "RESS.HQR"
    assert edit.add(str(listed), edit.use(0, 1), edit.use(1, 0), like=0) == 1
    for wanted in ["0,1"] if at_once else ["0", "1"]:
        obj = lba.import_lba(bpy.context, options.ImportOptions((str(listed),), entities=wanted)).armatures[0]
    before = contents(folder)
    saved = part("io.lba.save").save_character(bpy.context, obj)
    assert (saved.entities, saved.paths) == ((0, 1), []) and contents(folder) == before
    first, second = (of_character(folder, wide, index) for index in (0, 1))
    walk = next(action for action in bpy.data.actions if action["lba_entity"] == 1 and action["lba_roles"] == "walk")
    walk["lba_roles"] = "walk, animation 90"
    new = walk.copy()
    new.name, new["lba_roles"] = "wave", "animation 91"
    part("io.lba.save").save_character(bpy.context, obj)
    gained = set(of_character(folder, wide, 1)) - set(second)
    assert {role for _, role, _ in gained} == {90, 91} and set(second) <= set(of_character(folder, wide, 1))
    assert of_character(folder, wide, 0) == first
    assert part("io.lba.save").save_character(bpy.context, obj).paths == []


def of_character(folder: Path, wide: bool, index: int) -> list[tuple[int, int, int]]:
    """The records of an entity."""
    if not wide:
        return records(unpacked((folder / "FILE3D.HQR").read_bytes())[index] or b"", wide)
    table = unpacked((folder / "RESS.HQR").read_bytes())[44] or b""
    return records(table[struct.unpack_from("<I", table, 4 * index)[0] :], wide)
