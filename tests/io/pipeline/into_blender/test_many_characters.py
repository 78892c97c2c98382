"""Several characters of one import: where they stand, in which collections, and what an export makes of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support import counted

Part = Callable[[str], ModuleType]


def boxes(armatures: list[Any]) -> Any:
    """(N, 2, 2) the low and the high corner of each character's meshes at rest, seen from above, in the scene."""
    result: list[Any] = []
    for obj in armatures:
        meshes = [child for child in bpy.data.objects if child.parent == obj and child.type == "MESH"]
        points = np.array([corner[:2] for mesh in meshes for corner in mesh.bound_box]) + np.array(obj.location[:2])
        result.append([points.min(axis=0), points.max(axis=0)])
    return np.array(result)


def test_they_stand_apart_in_collections_and_export_as_they_were(fetch: Any, part: Part, anims: Path) -> None:
    imported = fetch(anims.with_name("FILE3D.HQR"), game="lba1")
    armatures, before = imported.armatures, anims.read_bytes()
    assert len(armatures) == 5
    low, high = boxes(armatures).swapaxes(0, 1)
    for index in range(5):
        for other in range(index):
            assert (low[index] > high[other]).any() or (low[other] > high[index]).any(), (armatures[index].name, armatures[other].name)
    assert tuple(armatures[0].location) == (0, 0, 0)
    assert len({round(obj.location.y, 3) for obj in armatures}) > 1  # rows, and not one line
    collections = {obj.name: obj.users_collection[0] for obj in armatures}
    assert {name: collection.name for name, collection in collections.items()} == {obj.name: obj.name for obj in armatures}
    for mesh in imported.meshes:
        assert mesh.users_collection == (collections[mesh.parent.name],)
    assert all(collection.name in bpy.context.collection.children for collection in collections.values())
    moving = [obj for obj in armatures if max(abs(obj.location.x), abs(obj.location.y)) > 0.1]
    assert all(np.allclose(obj.matrix_world.translation, obj.location) for obj in moving)
    lba = part("io.lba")
    for obj in armatures:
        part("io.blender.scene").make_active(bpy.context, obj)
        with part("core.reporting.log").collect() as said:
            lba.export_lba(bpy.context, lba.ExportOptions(str(anims), source="ALL"))
        assert said.digest("WARNING") == []
    assert anims.read_bytes() == before


def test_root_motion_starts_where_a_character_stands(fetch: Any, anims: Path) -> None:
    """The walk of the last of them goes from its own position as far as that of one alone."""
    ends: list[Any] = []
    for entries in ("40", "0,10,20,40"):
        imported = fetch(anims.with_name("FILE3D.HQR"), game="lba1", entries=entries)
        obj = imported.armatures[-1]
        walk = next(action for action in imported.actions if action.name.startswith("Praying mantis walk"))
        obj.animation_data.action = walk
        start = np.array(obj.location)
        bpy.context.scene.frame_set(int(walk.frame_end))
        ends.append(np.array(obj.matrix_world.translation) - start)
    assert np.linalg.norm(ends[0]) > 0.1
    assert np.abs(ends[0] - ends[1]).max() < 1e-5


def test_one_alone_stands_at_the_origin(fetch: Any, anims: Path) -> None:
    obj = fetch(anims, entries="1").armatures[0]
    (own,) = obj.users_collection
    assert tuple(obj.location) == (0, 0, 0) and own.name in bpy.context.collection.children
    assert {each.parent for each in own.objects} == {None, obj}, "its meshes are in it, too"
    assert len(bpy.data.scenes) == 1


def test_dummies_of_many_are_in_a_hidden_collection(part: Part, game_data: Path) -> None:
    mindpower = part("io.mindpower")
    paths = tuple(str(game_data / "mindpower" / "animation" / f"{number}.lab") for number in ("0289", "0311", "0088", "0016"))
    with part("core.reporting.log").collect():
        imported = mindpower.import_mindpower(bpy.context, mindpower.ImportOptions(paths))
    empties = [obj for obj in bpy.data.objects if obj.type == "EMPTY"]
    assert empties and all(obj.users_collection[0].name == "Dummies and Spheres" for obj in empties)
    layer = bpy.context.view_layer.layer_collection.children["Dummies and Spheres"]
    assert layer.hide_viewport and not any(obj.visible_get() for obj in empties)
    assert [obj.users_collection[0].name for obj in imported.armatures] == [obj.name for obj in imported.armatures]
    assert all(obj.visible_get() for obj in (*imported.armatures, *imported.meshes))
    low, high = boxes(imported.armatures).swapaxes(0, 1)
    apart = [(low[one] > high[other]).any() or (low[other] > high[one]).any() for one in range(4) for other in range(one)]
    assert all(apart), "their meshes come after their clips, but count where they stand"


@pytest.mark.thorough
def test_work_grows_with_the_number_of_characters(fetch: Any, part: Part, game_data: Path, tmp_path: Path) -> None:
    """The last twenty of sixty take as many calls as those before them, and Blender evaluates the scene as often for few: none of them
    waits for others."""
    took: dict[int, int] = {}
    evaluated: dict[int, int] = {}
    for count in (5, 20, 40, 60):  # the first loads modules, too
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)  # which forgets the handler of the round before, too
        folder = tmp_path / str(count)
        folder.mkdir()
        part("benchmarks.archives").lba1(game_data / "lba1", folder, count)
        updates: list[object] = []
        bpy.app.handlers.depsgraph_update_post.append(lambda *given, seen=updates: seen.append(given))
        with counted.calls() as calls:
            imported = fetch(folder / "FILE3D.HQR", game="lba1")
        took[count], evaluated[count] = calls(), len(updates)
        assert len(imported.armatures) == count
    bpy.app.handlers.depsgraph_update_post.pop()
    assert took[60] - took[40] < 1.2 * (took[40] - took[20]), took
    assert evaluated[20] == evaluated[60]


def test_an_import_leaves_the_bones_of_selected_armatures_alone(fetch: Any, part: Part, anims: Path) -> None:
    """Edit mode takes in every selected armature and makes its bones anew: whoever holds one then writes into freed memory."""
    first = fetch(anims.with_name("FILE3D.HQR"), game="lba1").armatures
    for obj in first:
        obj.select_set(True)
    bpy.context.view_layer.objects.active = None
    before = [bone.as_pointer() for obj in first for bone in obj.data.bones]
    context, module = bpy.context, part("io.blender.new_objects")
    other = bpy.data.objects.new("other", bpy.data.armatures.new("other"))
    with module.editing(context, other) as edit:
        edit.new("bone").tail = (0, 0, 1)
    assert [bone.as_pointer() for obj in first for bone in obj.data.bones] == before
    assert all(obj.select_get() for obj in first)
