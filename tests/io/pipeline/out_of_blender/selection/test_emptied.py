"""A clip whose keys are gone does not replace its file by a single pose."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import pytest

Part = Callable[[str], Any]
SAMPLES = Path(__file__).resolve().parents[5] / "samples"
FILES = {
    "lba": Path("lba1", "walk.anm"),
    "oni": Path("oni", "TRAMmannequin_walk.oni"),
    "mindpower": Path("mindpower", "animation", "0001.lab"),
}


def remove_curves(part: Part, obj: Any, action: Any) -> None:
    """As the list of slots does it, and before there were any, the removal of all curves."""
    del obj
    if part("io.blender.compat").SLOTTED:
        for slot in list(action.slots):
            action.slots.remove(slot)
    else:
        action.fcurves.clear()


def remove_keys(part: Part, obj: Any, action: Any) -> None:
    """Curves without keys stay, as they do where they have modifiers."""
    for curve in part("io.blender.compat").curves(action, obj):
        curve.keyframe_points.clear()


def remove_keys_beside_another_slot(part: Part, obj: Any, action: Any) -> None:
    remove_keys(part, obj, action)
    if part("io.blender.compat").SLOTTED:
        slot = action.slots.new("OBJECT", "other")
        curve = action.layers[0].strips[0].channelbag(slot, ensure=True).fcurves.new("location")
        curve.keyframe_points.insert(1, 1.0)


def come_in(part: Part, tmp_path: Path, game: str) -> tuple[Path, bytes, Any, Any]:
    """A file of a sample game and its bytes, and what came of it: its character, and the first clip, which that shows."""
    top = FILES[game].parts[0]
    shutil.copytree(SAMPLES / top, tmp_path / top, copy_function=shutil.copyfile)
    path = tmp_path / FILES[game]
    imported = part("io.pipeline.games").import_(bpy.context, part("core.games").GAMES[game], [str(path)], {})
    obj, action = imported.armatures[0], imported.actions[0]
    part("io.blender.compat").assign(obj, action)
    return path, path.read_bytes(), obj, action


@pytest.mark.parametrize("game", FILES)
@pytest.mark.parametrize("empty", [remove_curves, remove_keys, remove_keys_beside_another_slot])
def test_an_action_that_has_lost_its_keys(part: Part, tmp_path: Path, game: str, empty: Callable[..., None]) -> None:
    """It is refused; what constraints show of it may be meant, and so may a new clip that stands still."""
    games, row = part("io.pipeline.games"), part("core.games").GAMES[game]
    path, before, obj, action = come_in(part, tmp_path, game)
    empty(part, obj, action)
    with pytest.raises(part("core.reporting.errors").ExportError, match=r"it has no keys any more.*import it again"):
        games.export(bpy.context, row, str(path), {})
    assert path.read_bytes() == before and not path.with_name(f"{path.name}.bak").exists()
    still = path.with_name(f"still{path.suffix}")
    games.export(bpy.context, row, str(still), {"sampling": "VISUAL"})
    assert still.is_file()
    bpy.data.actions.remove(action)
    obj.animation_data.action = bpy.data.actions.new("mine")
    new = path.with_name(f"mine{path.suffix}")
    games.export(bpy.context, row, str(new), {})
    assert new.is_file()


@pytest.mark.parametrize("game", FILES)
def test_an_action_of_another_armature(part: Part, tmp_path: Path, game: str) -> None:
    """As Blender's own list of actions, or the asset browser, shows it on any armature: a character saved with it takes it not over."""
    path, before, obj, _ = come_in(part, tmp_path, game)
    foreign = bpy.data.actions.new("of somebody")
    rig: Any = bpy.data.objects.new("rig", bpy.data.armatures.new("rig"))
    bpy.context.scene.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    edit_mode: Any = bpy.ops.object.mode_set
    edit_mode(mode="EDIT")
    rig.data.edit_bones.new("tentacle").tail = (0, 0, 1)
    edit_mode(mode="OBJECT")
    part("io.blender.compat").assign(rig, foreign)
    for frame in (1, 9):
        rig.pose.bones["tentacle"].keyframe_insert("location", frame=frame)
    bpy.context.view_layer.objects.active = obj
    part("io.blender.compat").assign(obj, foreign)
    remedy = rf"of somebody: none of its bones is on {obj.name} \(tentacle\), .* give {obj.name} a clip of its own, or retarget this one"
    with pytest.raises(part("core.reporting.errors").ExportError, match=remedy):
        part("io.pipeline.out_of_blender.character").save_character(bpy.context, obj)
    assert path.read_bytes() == before
    for channel in part("io.blender.compat").curves(foreign, obj)[:1]:
        channel.data_path = channel.data_path.replace("tentacle", obj.pose.bones[0].name)
    part("io.pipeline.out_of_blender.selection.emptied").check(obj, foreign, "KEYS")


@pytest.mark.parametrize("game", FILES)
def test_a_character_joined_with_its_copy(part: Part, tmp_path: Path, game: str) -> None:
    """Blender gives the keys of all clips that both have to the bones of the copy."""
    games, row = part("io.pipeline.games"), part("core.games").GAMES[game]
    path, before, obj, action = come_in(part, tmp_path, game)
    for each in bpy.context.view_layer.objects:
        each.select_set(each == obj)
    bpy.context.view_layer.objects.active = obj
    assert bpy.ops.object.duplicate() == {"FINISHED"}
    copy: Any = bpy.context.view_layer.objects.active
    assert copy is not None and copy != obj
    part("io.blender.compat").assign(copy, action)
    obj.select_set(True)
    bpy.context.view_layer.objects.active = obj
    assert bpy.ops.object.join() == {"FINISHED"}
    with pytest.raises(part("core.reporting.errors").ExportError, match=r"\.001, a copy of a bone of the game, has the keys"):
        games.export(bpy.context, row, str(path), {})
    assert path.read_bytes() == before and not path.with_name(f"{path.name}.bak").exists()
    for bone, own in part("io.blender.armature").copies(obj).items():
        obj.pose.bones[own].constraints.new("COPY_TRANSFORMS").subtarget = bone
    part("io.pipeline.out_of_blender.selection.emptied").check(obj, action, "KEYS")  # copies as controls


def test_clips_of_a_character_in_one_file_are_not_called_left_out(part: Part, tmp_path: Path) -> None:
    shutil.copytree(SAMPLES / "mindpower", tmp_path / "client", copy_function=shutil.copyfile)
    lab = tmp_path / "client" / "animation" / "0001.lab"
    part("io.pipeline.games").import_(bpy.context, part("core.games").GAMES["mindpower"], [str(lab)], {})
    with part("core.reporting.log").collect() as said:
        part("io.pipeline.out_of_blender.everything").export_everything(bpy.context, fps_from="IMPORT")
    assert not [message for message in said.messages if "left out" in str(message)]
