"""Skeletons of Oni 2 out of Blender: what was changed changes in the text, and nothing else; armatures from elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import mathutils
import numpy as np
import pytest
from support.foreign import foreign, moving
from support.oni2.oni2_blender import two_bones
from support.oni2.oni2_files import CHANNELS_SKEL, TWO_BONES

OPS: Any = bpy.ops
Part = Callable[[str], ModuleType]
SAMPLES = Path(__file__).resolve().parents[3] / "samples"


def test_a_longer_bone_in_the_skeleton(tmp_path: Path, part: Part) -> None:
    """The text changes in one number; locks, limits and names stay."""
    (tmp_path / "five.skel").write_bytes(CHANNELS_SKEL.replace("\n", "\r\n").encode() + b"# end")
    OPS.import_anim.oni2(filepath=str(tmp_path / "five.skel"))
    obj: Any = bpy.context.object
    bpy.ops.object.mode_set(mode="EDIT")
    obj.data.edit_bones["arm_l"].translate(mathutils.Vector((0.25, 0, 0)))
    bpy.ops.object.mode_set(mode="OBJECT")
    obj.data.bones["pelvis"].name = "hip"
    OPS.export_anim.oni2(filepath=str(tmp_path / "new.skel"))
    expected = (tmp_path / "five.skel").read_bytes().replace(b"0.25 0.3 0.0", b"0.5 0.3 0.0").replace(b"bone pelvis", b"bone hip")
    assert (tmp_path / "new.skel").read_bytes() == expected


@pytest.mark.parametrize("file", ["new.skel", "new.mod"])
def test_a_scaled_object_is_named(tmp_path: Path, part: Part, file: str) -> None:
    """Twice as large as either is written; applied, both are."""
    oni2, entity = part("io.oni2"), SAMPLES / "oni2/Entity/mannequin/Entity.type"
    (obj,) = oni2.import_oni2(bpy.context, oni2.ImportOptions((str(entity),))).armatures
    bpy.context.view_layer.objects.active = obj
    options = oni2.ExportOptions(str(tmp_path / file), dry_run=True)
    assert oni2.export_oni2(bpy.context, options).warnings == []
    obj.scale = (2, 2, 2)
    (line,) = oni2.export_oni2(bpy.context, options).warnings
    assert f"{obj.name}: it is shown at 2 times its size, and the scale of objects is not exported: scale that back; or" in line


def test_locks_and_limits_that_the_file_does_not_get_are_named(tmp_path: Path, part: Part) -> None:
    (tmp_path / "five.skel").write_text(CHANNELS_SKEL)
    oni2 = part("io.oni2")

    def said() -> list[str]:
        options = oni2.ExportOptions(str(tmp_path / "new.skel"), dry_run=True)
        return [line for line in oni2.export_oni2(bpy.context, options).warnings if "locks or rotation limits" in line]

    for direction in ("GAME", "CHILD"):
        options = oni2.ImportOptions((str(tmp_path / "five.skel"),), limits=True, bone_direction=direction)
        (obj,) = oni2.import_oni2(bpy.context, options).armatures
        bpy.context.view_layer.objects.active = obj
        assert said() == []
        limiting = [bone for bone in obj.pose.bones if bone.constraints]
        constraint: Any = limiting[0].constraints[0]
        axis = next(letter for letter in "xyz" if getattr(constraint, f"use_limit_{letter}"))
        setattr(constraint, f"max_{axis}", getattr(constraint, f"max_{axis}") + 0.25)
        (line,) = said()
        assert f"1 bone ({limiting[0].name})" in line and "Channels" in line
        constraint.mute = True
        assert said() == []
        obj.pose.bones["piston"].lock_scale[1] = not obj.pose.bones["piston"].lock_scale[1]
        assert "1 bone (piston)" in said()[0]
        bpy.data.objects.remove(obj)


def test_other_channels_give_a_clean_text(tmp_path: Path, part: Part) -> None:
    (tmp_path / "five.skel").write_text(CHANNELS_SKEL + "# end")
    OPS.import_anim.oni2(filepath=str(tmp_path / "five.skel"))
    obj: Any = bpy.context.object
    obj.data.bones["piston"]["oni2_channels"] = "transZ limit 0 1"
    OPS.export_anim.oni2(filepath=str(tmp_path / "new.skel"))
    new = (tmp_path / "new.skel").read_text()
    assert "# end" not in new
    channels = part("core.oni2.files.skeleton.skel").Skel.parse(new.encode()).bones[3].channels
    assert part("core.oni2.files.skeleton.skel_bones").text_of(channels) == "transZ limit 0.0 1.0"
    obj.data.bones["piston"]["oni2_channels"] = "transQ"
    with pytest.raises(RuntimeError, match=r"piston: oni2_channels \(Channels\) is wrong: transQ"):
        OPS.export_anim.oni2(filepath=str(tmp_path / "new.skel"))


@pytest.mark.parametrize("facing", ["-Z", "+Z"])
def test_an_armature_from_elsewhere(tmp_path: Path, facing: str) -> None:
    """Its skeleton and its motion, opened again, go where it goes."""
    obj = moving()
    for name in ("rig.skel", "rig.anim"):
        OPS.export_anim.oni2(filepath=str(tmp_path / name), facing=facing)
    rest = {bone.name: bone.matrix_local.copy() for bone in obj.data.bones}
    OPS.import_anim.oni2(filepath=str(tmp_path / "rig.anim"), facing=facing)
    again: Any = bpy.context.object
    assert again is not obj
    assert [bone.name for bone in again.pose.bones] == ["hips", "arm", "hand"]
    for frame in range(1, 6):
        bpy.context.scene.frame_set(frame)
        for bone in again.pose.bones:
            now = bone.matrix @ again.data.bones[bone.name].matrix_local.inverted()
            was = obj.pose.bones[bone.name].matrix @ rest[bone.name].inverted()
            assert np.abs(np.array(now) - np.array(was)).max() < 2e-6


def test_an_armature_with_two_roots_is_no_skeleton(tmp_path: Path) -> None:
    obj = foreign()
    bpy.ops.object.mode_set(mode="EDIT")
    obj.data.edit_bones["arm"].parent = None
    bpy.ops.object.mode_set(mode="OBJECT")
    with pytest.raises(RuntimeError, match="2 bones without a parent"):
        OPS.export_anim.oni2(filepath=str(tmp_path / "rig.skel"))


def test_same_names_twice(tmp_path: Path) -> None:
    text = TWO_BONES.replace("bone spine", "bone root")
    (tmp_path / "same.skel").write_text(text)
    OPS.import_anim.oni2(filepath=str(tmp_path / "same.skel"))
    assert [bone.name for bone in bpy.context.object.pose.bones] == ["root", "root.001"]
    OPS.export_anim.oni2(filepath=str(tmp_path / "again.skel"))
    assert (tmp_path / "again.skel").read_text() == text


def test_limits_of_a_bone_that_are_no_numbers_are_refused(tmp_path: Path) -> None:
    OPS.import_anim.oni2(filepath=str(two_bones(tmp_path) / "two.skel"))
    obj: Any = bpy.context.object
    obj.data.bones["spine"]["oni2_rotmin"] = [1.0, 2.0]
    with pytest.raises(RuntimeError, match=r"spine: oni2_rotmin \(Lowest Rotation\) must be 3 numbers"):
        OPS.export_anim.oni2(filepath=str(tmp_path / "out.skel"))
