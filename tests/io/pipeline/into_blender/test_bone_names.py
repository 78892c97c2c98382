"""Bones of games whose files name them, called as people know them: left is on the left, names mirror, and the file keeps its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy as blender
import numpy as np
import pytest

bpy: Any = blender
OPS: Any = bpy.ops


@pytest.fixture(params=("0005.lab", "0725.lab"))
def pirate(request: Any, game_file: Any) -> Any:
    bpy.context.view_layer.objects.active = None
    path = game_file(f"mindpower/animation/{request.param}")
    assert OPS.import_anim.mindpower(filepath=str(path), bone_names="KNOWN") == {"FINISHED"}
    return path, bpy.context.view_layer.objects.active, "Bip02" if path.stem == "0005" else "Bip01"


@pytest.mark.thorough
def test_pirates_mirror_and_go_back_as_they_came(pirate: Any, tmp_path: Path) -> None:
    """Also one with the legs of a horse, which is no human: its names keep to themselves, but mirror."""
    path, obj, biped = pirate
    names = {bone.get("retro_anim_game_name", bone.name): bone for bone in obj.data.bones}
    left, right = names[f"{biped} L Foot"], names[f"{biped} R Foot"]
    assert bpy.utils.flip_name(left.name) == right.name and left.head_local.x > right.head_local.x
    assert left["retro_anim_game_name"] == f"{biped} L Foot" and left.name != f"{biped} L Foot"
    sided = [bone.name for name, bone in names.items() if " L " in name]
    assert sided and all(bpy.utils.flip_name(name) in obj.data.bones for name in sided)
    assert OPS.export_anim.mindpower(filepath=str(tmp_path / path.name), source="ALL") == {"FINISHED"}
    assert (tmp_path / path.name).read_bytes() == path.read_bytes()


@pytest.mark.thorough
def test_a_bone_that_is_renamed_afterwards_is_renamed_in_the_file(pirate: Any, tmp_path: Path) -> None:
    path, obj, biped = pirate
    bone = next(bone for bone in obj.data.bones if bone.get("retro_anim_game_name") == f"{biped} R Foot")
    bone.name = "Hook"
    assert OPS.export_anim.mindpower(filepath=str(tmp_path / path.name), source="ALL") == {"FINISHED"}
    written, given = (tmp_path / path.name).read_bytes(), path.read_bytes()
    assert b"Hook\0" in written and f"{biped} R Foot\0".encode() not in written and f"{biped} L Foot\0".encode() in written
    changed = np.flatnonzero(np.frombuffer(written, "u1") != np.frombuffer(given, "u1"))
    assert len(written) == len(given) and 0 < len(changed) <= 64


def test_oni_and_oni_2_are_called_as_the_others(game_file: Any, tmp_path: Path) -> None:
    """A clip that comes in afterwards goes to the same bones, and everything is written as it came."""
    mannequin = Path(__file__).parents[4] / "samples" / "oni2" / "Entity" / "mannequin"
    cases = (
        ("oni", game_file("oni/instances/TRBSTESTbody.oni"), game_file("oni/instances/TRAMTESTlong.oni"), "left_biceps"),
        ("oni2", mannequin / "mannequin.skel", mannequin / "mannequin_walk.anim", "upperarm_l"),
    )
    for game, body, clip, called in cases:
        bpy.context.view_layer.objects.active = None
        assert getattr(OPS.import_anim, game)(filepath=str(body), bone_names="KNOWN") == {"FINISHED"}
        obj: Any = bpy.context.view_layer.objects.active
        bone = obj.data.bones["upper_arm.L"]
        assert bone["retro_anim_game_name"] == called and bpy.utils.flip_name(bone.name) in obj.data.bones
        getattr(OPS.import_anim, game)(filepath=str(clip), bone_names="KNOWN")
        assert bpy.context.view_layer.objects.active == obj
        assert getattr(OPS.export_anim, game)(filepath=str(tmp_path / clip.name)) == {"FINISHED"}
        assert (tmp_path / clip.name).read_bytes() == clip.read_bytes()
    assert OPS.export_anim.oni2(filepath=str(tmp_path / "again.skel")) == {"FINISHED"}
    assert (tmp_path / "again.skel").read_bytes() == (mannequin / "mannequin.skel").read_bytes()
