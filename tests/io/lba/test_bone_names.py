"""Bones with names that people know: what each is, that they mirror, and that nothing of it reaches the game's files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy as blender
import numpy as np
import pytest

bpy: Any = blender
OPS: Any = bpy.ops
Part = Callable[[str], ModuleType]

PEOPLE = {"lba1": (0, 1, 2, 3, 4, 5, 6, 9, 10, 74), "lba2": (0, 7, 12, 20, 33)}
"""Bodies of humans and of those who walk like them."""


@pytest.fixture(params=PEOPLE)
def imported(request: Any, game_file: Any) -> Any:
    path = game_file(f"{request.param}/BODY.HQR")
    entries = ",".join(map(str, PEOPLE[request.param]))
    before = set(bpy.data.objects)
    assert OPS.import_anim.lba(filepath=str(path), entries=entries, bone_names="KNOWN") == {"FINISHED"}
    return [obj for obj in bpy.data.objects if obj.type == "ARMATURE" and obj not in before]


def test_left_is_on_the_left_and_mirrors(imported: Any) -> None:
    """The characters look along -Y, so that their left is +X."""
    for obj in imported:
        bones = obj.data.bones
        for name in ("upper_arm", "forearm", "thigh", "shin"):
            left, right = bones[f"{name}.L"], bones[f"{name}.R"]
            assert bpy.utils.flip_name(left.name) == right.name
            assert left.head_local.x > right.head_local.x, (obj.name, name)
        assert bones["shin.L"].parent == bones["thigh.L"] and bones["forearm.R"].parent == bones["upper_arm.R"]
        assert bones["head"].head_local.z > bones["hips"].head_local.z > bones["shin.L"].head_local.z


def test_every_bone_keeps_its_number(imported: Any) -> None:
    for obj in imported:
        assert sorted(bone["retro_anim_bone"] for bone in obj.data.bones) == list(range(len(obj.data.bones)))
        others = [bone for bone in obj.data.bones if bone.name.startswith("group ")]
        assert others and all(bone.name == f"group {bone['retro_anim_bone']:02d}" for bone in others)
        assert set(obj.data.collections["Game Bones"].bones) == set(obj.data.bones)


def test_what_is_written_is_the_same(part: Part, game_file: Any, tmp_path: Path) -> None:
    """The animation, byte for byte; its poses; and the vertices that each bone carries."""
    path = game_file("lba1/FILE3D.HQR")
    shown: dict[str, Any] = {}
    for names in ("GAME", "KNOWN"):
        bpy.context.view_layer.objects.active = None  # else the clips would come in on the armature that is there
        OPS.import_anim.lba(filepath=str(path), entities="0", bone_names=names)
        obj: Any = bpy.context.view_layer.objects.active
        action = obj.animation_data.action
        bpy.context.scene.frame_set(int(action.frame_range[0]) + 3)
        ordered = sorted(obj.data.bones, key=lambda bone: bone["retro_anim_bone"])
        shown[names] = np.array([obj.pose.bones[bone.name].matrix for bone in ordered])
        target = tmp_path / f"{names}.anm"
        assert OPS.export_anim.lba(filepath=str(target)) == {"FINISHED"}
        carriers = {group.name for child in obj.children if child.type == "MESH" for group in child.vertex_groups}
        assert carriers and carriers <= {bone.name for bone in obj.data.bones}
    np.testing.assert_array_equal(shown["GAME"], shown["KNOWN"])
    assert (tmp_path / "GAME.anm").read_bytes() == (tmp_path / "KNOWN.anm").read_bytes()
    assert "upper_arm.L" in obj.data.bones


def test_what_is_no_human_keeps_its_numbers(part: Part, game_file: Any) -> None:
    before = set(bpy.data.objects)
    OPS.import_anim.lba(filepath=str(game_file("lba1/BODY.HQR")), entries="41", bone_names="KNOWN")
    (obj,) = [obj for obj in bpy.data.objects if obj.type == "ARMATURE" and obj not in before]
    assert all(bone.name.startswith("group ") for bone in obj.data.bones)


def test_clips_that_come_later_go_to_the_same_bones(game_file: Any) -> None:
    OPS.import_anim.lba(filepath=str(game_file("lba1/BODY.HQR")), entries="0", bone_names="KNOWN")
    obj: Any = bpy.context.view_layer.objects.active
    OPS.import_anim.lba(filepath=str(game_file("lba1/ANIM.HQR")), entries="0")
    assert bpy.context.view_layer.objects.active == obj
    bpy.context.scene.frame_set(40)
    assert any(obj.pose.bones[name].matrix_basis.to_euler()[:] != (0, 0, 0) for name in ("upper_arm.L", "forearm.L", "chest", "head"))


def test_retargeting_maps_them_as_the_numbers(part: Part, game_file: Any) -> None:
    """What the names say is what the structure says: the same bones play the same roles."""
    label, read = part("core.retarget.mapping.humanoid.labels").label, part("io.retarget.reading.read")
    for entries in ("0", "9", "6"):
        roles: list[Any] = []
        for names in ("GAME", "KNOWN"):
            bpy.context.view_layer.objects.active = None
            OPS.import_anim.lba(filepath=str(game_file("lba1/BODY.HQR")), entries=entries, bone_names=names)
            obj: Any = bpy.context.view_layer.objects.active
            ordered = [bone["retro_anim_bone"] for bone in obj.data.bones]
            roles.append({role: ordered[bone] for role, bone in label(read.figure_of(obj)).roles.items()})
        assert roles[0] == roles[1]
