"""Who uses a clip or a body, and what happens at its keyframes, written from Blender into the list of characters."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import pytest

OPS: Any = bpy.ops
Part = Callable[[str], ModuleType]


@pytest.fixture(params=["lba1", "lba2"])
def folder(request: pytest.FixtureRequest, game_file: Callable[[str], Path], tmp_path: Path) -> Path:
    target = tmp_path / "game"
    shutil.copytree(game_file(request.param), target, copy_function=shutil.copyfile)
    target.chmod(0o755)
    return target


@pytest.fixture
def entity(part: Part, folder: Path) -> Callable[[int], Any]:
    characters = part("core.lba.characters.characters")
    name = "FILE3D.HQR" if (folder / "FILE3D.HQR").exists() else "RESS.HQR"
    return lambda index: characters.of_file(str(folder / name)).entity(index)


def test_a_new_clip_gets_its_role_and_a_body_its_character(fetch: Any, entity: Any, folder: Path, part: Part) -> None:
    obj = fetch(folder / "ANIM.HQR", entries="1").armatures[0]
    bpy.context.view_layer.objects.active = obj
    assert OPS.export_anim.lba(filepath=str(folder / "ANIM.HQR"), entry="new") == {"FINISHED"}
    action = obj.animation_data.action
    new = part("io.pipeline.destination.targets").written(action).entry
    assert OPS.retro_anim.lba_role(entity=0, role=70) == {"FINISHED"}
    assert entity(0).animations[new] == [70]
    again = fetch(folder / "ANIM.HQR", entries=str(new)).actions[0]
    assert "animation 70" in again.name and again["lba_roles"] == "animation 70"
    assert OPS.retro_anim.lba_role(entity=0, role=70, how="REMOVE") == {"FINISHED"}
    assert new not in entity(0).animations
    assert OPS.retro_anim.lba_role(entity=-1, role=0, like=0) == {"FINISHED"}


def test_a_whole_new_character_with_a_body(fetch: Any, entity: Any, folder: Path, part: Part) -> None:
    obj = fetch(folder / "BODY.HQR", entries="1").armatures[0]
    bpy.context.view_layer.objects.active = obj
    assert OPS.export_mesh.lba(filepath=str(folder / "BODY.HQR"), entry="new") == {"FINISHED"}
    new = part("io.pipeline.destination.targets").written(obj.data).entry
    before = len(part("core.lba.characters.characters").beside(folder / "BODY.HQR"))
    assert OPS.retro_anim.lba_wear(entity=-1, role=0, like=0) == {"FINISHED"}
    copied = entity(before)
    assert 0 in copied.bodies[new] and copied.animations == entity(0).animations


def test_an_event_moves_with_its_marker(fetch: Any, entity: Any, folder: Path) -> None:
    first = entity(0)
    animation = next(each for each in first.animations if any(action.frame == 1 for action in first.actions_of(each)))
    imported = fetch(folder / "ANIM.HQR", entries=str(animation))
    obj, action = imported.armatures[0], imported.actions[0]
    bpy.context.view_layer.objects.active = obj
    before = entity(0).actions_of(animation)
    assert OPS.retro_anim.lba_events(entity=0) == {"FINISHED"}
    assert entity(0).actions_of(animation) == before, "what nobody moved stays"
    times = sorted({round(key.co.x, 3) for curve in curves(action) for key in curve.keyframe_points})
    marker = next(each for each in action.pose_markers if each.name == next(one.title for one in before if one.frame == 1))
    marker.frame = round(times[2])
    assert OPS.retro_anim.lba_events(entity=0) == {"FINISHED"}
    moved = [one for one in entity(0).actions_of(animation) if one.title == marker.name]
    assert 2 in [one.frame for one in moved]


def curves(action: Any) -> Any:
    return action.layers[0].strips[0].channelbags[0].fcurves if hasattr(action, "layers") and action.layers else action.fcurves


def test_a_new_marker_says_its_numbers(fetch: Any, entity: Any, folder: Path) -> None:
    first = entity(0)
    animation = next(iter(first.animations))
    imported = fetch(folder / "ANIM.HQR", entries=str(animation))
    bpy.context.view_layer.objects.active = imported.armatures[0]
    action = imported.actions[0]
    marker = action.pose_markers.new("hit")
    marker.frame = round(min(key.co.x for curve in curves(action) for key in curve.keyframe_points))
    with pytest.raises(RuntimeError, match="hit, strength 0"):
        OPS.retro_anim.lba_events(entity=0)
    marker.name = "hit, strength 7"
    assert OPS.retro_anim.lba_events(entity=0) == {"FINISHED"}
    hit = next(one for one in entity(0).actions_of(animation) if one.kind == 5)
    assert dict(hit.numbers) == {"strength": 7} and hit.frame == 0


def test_all_as_new_adds_only_what_changed(fetch: Any, folder: Path, part: Part) -> None:
    """And asks what that is used for."""
    write, options, read = part("io.lba"), part("core.lba.game").ExportOptions, part("core.lba.files.archive.hqr").Hqr.parse
    archive = folder / "ANIM.HQR"
    imported = fetch(archive, entries="1,2,3")
    obj = imported.armatures[0]
    bpy.context.view_layer.objects.active = obj
    before = read(archive.read_bytes())
    edited = next(action for action in imported.actions if part("io.blender.source_data").entry_of(action) == 2)
    curve = next(curve for curve in curves(edited) if "rotation" in curve.data_path)
    curve.keyframe_points[0].co.y += 0.3
    with part("core.reporting.log").collect() as said:
        exported = write.export_lba(bpy.context, options(path=str(archive), source="ALL", entry="new"))
    after = read(archive.read_bytes())
    assert len(after) == len(before) + 1 and exported.written == [f"{archive}#{len(before)}"]
    assert [after.read(index) for index in (1, 2, 3)] == [before.read(index) for index in (1, 2, 3)] and after.read(
        len(before)
    ) != before.read(2)
    assert any("2 of 3 clips are in ANIM.HQR as they are" in message.text for message in said.messages)
    users, text = part("io.lba.characters.users"), edited["lba_roles"]
    assert users.unused_of(exported) == [(edited.name, text)]
    users.use_as([(edited, "animation 71, talk")], 0)
    assert users.unused_of(exported) == []
    for action in imported.actions:
        action.retro_anim_ticked = action != edited
    write.export_lba(bpy.context, options(path=str(archive), source="TICKED", entry="new"))
    assert len(read(archive.read_bytes())) == len(after) + 2, "whoever ticks clips wants copies of them"


def test_a_role_that_there_is_not_is_refused(fetch: Any, folder: Path, part: Part) -> None:
    (action,) = fetch(folder / "ANIM.HQR", entries="1").actions
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    users, errors = part("io.lba.characters.users"), part("core.reporting.errors")
    with pytest.raises(errors.ExportError, match="moonwalk is no role: stand, walk, "):
        users.use_as([(action, "walk, moonwalk")], 0)
    with pytest.raises(errors.ExportError, match="no clip is used for anything"):
        users.use_as([(action, " ")], 0)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_clip_that_went_into_a_file_of_its_own_is_no_entry_to_be_used(fetch: Any, folder: Path, part: Part) -> None:
    """The number is that of the archive that it came from, whatever lies beside the file."""
    users, write, options = part("io.lba.characters.users"), part("io.lba"), part("core.lba.game").ExportOptions
    imported = fetch(folder / "ANIM.HQR", entries="1")
    (action,) = imported.actions
    bpy.context.view_layer.objects.active = imported.armatures[0]
    exported = write.export_lba(bpy.context, options(path=str(folder / "loose.anm")))
    assert exported.written and users.unused_of(exported) == []
    with pytest.raises(part("core.reporting.errors").ExportError, match="in no archive yet"):
        users.use(action, 0, 71)
