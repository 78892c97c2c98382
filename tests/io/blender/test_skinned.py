"""Meshes as they are shown at rest: what a body is written from."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest

Part = Callable[[str], ModuleType]


@pytest.fixture
def doll() -> tuple[Any, Any]:
    """An armature of two bones, its left one raised by half a unit, and a triangle at x = 1 that hangs on it."""
    data = bpy.data.armatures.new("rig")
    rig = bpy.data.objects.new("rig", data)
    bpy.context.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    for name, x in (("arm.L", 1.0), ("arm.R", -1.0)):
        bone = data.edit_bones.new(name)
        bone.head, bone.tail = (x, 0, 0), (x, 0, 1)
    bpy.ops.object.mode_set(mode="OBJECT")
    rig.pose.bones["arm.L"].location = (0, 0.5, 0)
    mesh = bpy.data.meshes.new("skin")
    mesh.from_pydata([(1, 0, 0), (2, 0, 0), (1, 0, 1)], [], [(0, 1, 2)])
    mesh["kept"] = "of the file"
    skin: Any = bpy.data.objects.new("skin", mesh)
    bpy.context.collection.objects.link(skin)
    skin.vertex_groups.new(name="arm.L").add(range(3), 1, "REPLACE")
    skin.vertex_groups.new(name="arm.R")
    skin.parent = rig
    skin.modifiers.new("Armature", "ARMATURE").object = rig
    bpy.context.view_layer.update()
    return rig, skin


def corners(obj: Any) -> set[tuple[float, ...]]:
    return {tuple(round(value, 4) for value in vertex.co) for vertex in obj.data.vertices}


def test_modifiers_and_shape_keys_count_and_the_pose_does_not(part: Part, doll: Any) -> None:
    skinned, log = part("io.blender.surface.skinned"), part("core.reporting.log")
    rig, skin = doll
    before = skin.data
    mirror = skin.modifiers.new("Other Side", "MIRROR")
    mirror.mirror_object = rig
    skin.shape_key_add(name="Basis")
    key = skin.shape_key_add(name="Long", from_mix=False)
    key.data[1].co.x, key.value = 3.0, 1.0
    bpy.context.view_layer.update()
    with log.collect() as said, skinned.as_shown(bpy.context, [skin]):
        assert corners(skin) == {(x, 0, z) for x, z in ((1, 0), (3, 0), (1, 1), (-1, 0), (-3, 0), (-1, 1))}
        assert skinned.carriers(skin, rig) == {"arm.L": 3, "arm.R": 3}
        assert skin.data["kept"] == "of the file"
    assert [message.text for message in said.messages] == ["skin is taken as it is shown, with Other Side, Long"]
    assert skin.data == before and len(bpy.data.meshes) == 1
    assert all(modifier.show_viewport for modifier in skin.modifiers)


def test_nothing_to_apply_nothing_happens(part: Part, doll: Any) -> None:
    skinned, log = part("io.blender.surface.skinned"), part("core.reporting.log")
    _rig, skin = doll
    skin.modifiers.new("Off", "MIRROR").show_viewport = False
    with log.collect() as said, skinned.as_shown(bpy.context, [skin]):
        assert len(bpy.data.meshes) == 1
    assert not said.messages


def test_the_mesh_is_back_after_an_error(part: Part, doll: Any) -> None:
    skinned = part("io.blender.surface.skinned")
    _rig, skin = doll
    skin.modifiers.new("Other Side", "MIRROR")
    before = skin.data
    with pytest.raises(ZeroDivisionError), skinned.as_shown(bpy.context, [skin]):
        raise ZeroDivisionError
    assert skin.data == before and len(bpy.data.meshes) == 1


@pytest.mark.parametrize("at", [float("nan"), 1e30])
def test_vertices_that_are_nowhere_are_named(part: Part, doll: Any, at: float) -> None:
    skinned, errors = part("io.blender.surface.skinned"), part("core.reporting.errors")
    _rig, skin = doll
    skin.data.vertices[2].co.y = at
    with pytest.raises(errors.ExportError, match=r"skin: 1 vertices are nowhere.*vertex 2"):
        skinned.positions_of(skin, np.eye(4))


def test_vertices_of_several_bones_are_named(part: Part, doll: Any) -> None:
    """A trace of another bone, as weight paint leaves behind, is nothing that is seen."""
    skinned, log = part("io.blender.surface.skinned"), part("core.reporting.log")
    _, skin = doll
    groups = {group.index: group.name for group in skin.vertex_groups}
    skin.vertex_groups["arm.R"].add([0], 0.005, "REPLACE")
    with log.collect() as said:
        skinned.report_shared(skin, groups)
    assert said.messages == []
    skin.vertex_groups["arm.R"].add([1, 2], 0.4, "REPLACE")
    with log.collect() as said:
        skinned.report_shared(skin, groups)
        skinned.report_shared(skin, {0: "arm.L"})
    assert [str(message) for message in said.messages] == [
        "skin: 2 vertices have weights on several bones; the game has one a vertex: that of the largest is taken"
    ]
