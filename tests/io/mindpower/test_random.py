"""Any edits of a character of Tales of Pirates: an export gives a file that can be read again, or says in one line why not."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import pytest

Part = Callable[[str], ModuleType]
VALUES = (0, -1, 3.5, 1e30, float("nan"), "text", "", b"bytes", [1, 2], [1.5], True, {"a": 1})


def _key(chance: random.Random, part: Part, action: Any) -> Any:
    curves = list(part("io.blender.compat").curves(action))
    return chance.choice(curves) if curves else None


def move_key(chance: random.Random, part: Part, imported: Any) -> None:
    curve = _key(chance, part, chance.choice(imported.actions))
    if curve is not None and len(curve.keyframe_points):
        point = chance.choice(list(curve.keyframe_points))
        point.co = (point.co.x + chance.uniform(-40, 40), chance.choice([point.co.y, 0.5, 1e20, float("inf"), float("nan")]))
        curve.update()


def add_key(chance: random.Random, part: Part, imported: Any) -> None:
    curve = _key(chance, part, chance.choice(imported.actions))
    if curve is not None:
        curve.keyframe_points.insert(chance.uniform(-20, 300), chance.uniform(-1, 1))


def delete_keys(chance: random.Random, part: Part, imported: Any) -> None:
    curve = _key(chance, part, chance.choice(imported.actions))
    while curve is not None and len(curve.keyframe_points):
        curve.keyframe_points.remove(curve.keyframe_points[0])


def change_range(chance: random.Random, part: Part, imported: Any) -> None:
    action = chance.choice(imported.actions)
    action.use_frame_range = chance.random() < 0.7
    action.frame_start, action.frame_end = action.frame_start + chance.randint(-9, 9), action.frame_end + chance.randint(-50, 50)


def remove_action(chance: random.Random, part: Part, imported: Any) -> None:
    if len(imported.actions) > 1:
        bpy.data.actions.remove(imported.actions.pop(chance.randrange(len(imported.actions))))


def copy_action(chance: random.Random, part: Part, imported: Any) -> None:
    copy = chance.choice(imported.actions).copy()
    if chance.random() < 0.7:
        part("io.mindpower.marks").make_new(copy, chance.randint(1, 60))
    imported.actions.append(copy)


def rename_bone(chance: random.Random, part: Part, imported: Any) -> None:
    chance.choice(list(imported.armatures[0].data.bones)).name = chance.choice(["Skull", "骨" * 30, "x" * 63, "'\"\\"])


def edit_bones(chance: random.Random, part: Part, imported: Any) -> None:
    bpy.context.view_layer.objects.active = imported.armatures[0]
    bpy.ops.object.mode_set(mode="EDIT")
    bones = imported.armatures[0].data.edit_bones
    bone = chance.choice(list(bones))
    kind = chance.randrange(4)
    if kind == 0:
        bones.remove(bone)
    elif kind == 1:
        bone.roll += 1.0
    elif kind == 2:
        bone.parent = None
    else:
        bones.new("more").tail = (0, 0, 1)
    bpy.ops.object.mode_set(mode="OBJECT")


def lose_files(chance: random.Random, part: Part, imported: Any) -> None:
    bpy.data.batch_remove(list(bpy.data.texts))


def change_property(chance: random.Random, part: Part, imported: Any) -> None:
    objects = [*imported.armatures, *bpy.data.objects]
    blocks = [imported.armatures[0].data, *imported.actions, *objects, *(mesh.data for mesh in imported.meshes), *bpy.data.materials]
    block = chance.choice([imported.armatures[0].data, chance.choice(imported.actions), chance.choice(blocks)])
    names = [name for name in list(block.keys()) if name.startswith(("mindpower_", "retro_anim_"))]
    if chance.random() < 0.2:
        block = chance.choice(list(imported.armatures[0].data.bones))
        names = list(block.keys())
    if names:
        name = chance.choice(names)
        if chance.random() < 0.3:
            del block[name]
        else:
            block[name] = chance.choice(VALUES)


def change_object(chance: random.Random, part: Part, imported: Any) -> None:
    obj = imported.armatures[0]
    obj.scale, obj.rotation_euler = [chance.choice([0.0, 1.0, -2.0])] * 3, (0.0, 0.0, chance.choice([0.0, 1.0]))
    if chance.random() < 0.5:
        bpy.ops.object.select_all(action="DESELECT")
        obj.select_set(True)
        bpy.context.view_layer.objects.active = obj
        bpy.ops.object.transform_apply()


def change_modes(chance: random.Random, part: Part, imported: Any) -> None:
    for bone in imported.armatures[0].pose.bones:
        bone.rotation_mode = chance.choice(["XYZ", "AXIS_ANGLE", "QUATERNION"])


def change_mesh(chance: random.Random, part: Part, imported: Any) -> None:
    if imported.meshes:
        mesh = chance.choice(imported.meshes)
        kind = chance.randrange(5)
        if kind == 0:
            mesh.vertex_groups.clear()
        elif kind == 1:
            mesh.data.materials.append(bpy.data.materials.new("more"))
            mesh.data.polygons[0].material_index = len(mesh.data.materials) - 1
        elif kind == 2:
            mesh.data.clear_geometry()
        elif kind == 3:
            mesh.data.materials.clear()
        else:
            mesh.data.uv_layers.remove(mesh.data.uv_layers[0])


EDITS = (
    move_key, add_key, delete_keys, change_range, remove_action, copy_action, rename_bone, edit_bones, lose_files, change_property,
    change_property, change_property, change_object, change_modes, change_mesh,
)  # fmt: skip


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(60))
def test_any_edits(part: Part, game_file: Callable[[str], Path], tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    client = game_file("mindpower")
    mindpower, export = part("io.mindpower.build"), part("io.mindpower.write")
    name = chance.choice(["0741", "0014", "0005", "0010", "0616"])
    options = {"helper_bones": chance.random() < 0.3, "actions": chance.choice(["RANGES", "TIMELINE"])}
    imported = mindpower.import_mindpower(bpy.context, mindpower.ImportOptions((str(client / "animation" / f"{name}.lab"),), **options))
    for _ in range(chance.randint(1, 3)):
        chance.choice(EDITS)(chance, part, imported)
    bpy.context.view_layer.objects.active = imported.armatures[0]
    sampling = chance.choice(["KEYS", "KEYS", "VISUAL"])
    source = chance.choice(["ALL", "ALL", "ACTIVE"])
    wanted = export.ExportOptions(str(tmp_path / f"{name}.lab"), source, sampling, with_meshes=True)
    try:
        written = export.export_mindpower(bpy.context, wanted).paths
    except part("core.reporting.errors").RetroAnimError as error:
        assert str(error) and "\n" not in str(error)
        return
    for path in written:
        if path.endswith((".lab", ".lgo")):
            kind = part("core.mindpower.files.skeleton.lab").Lab if path.endswith(".lab") else part("core.mindpower.files.mesh.lgo").Lgo
            kind.parse(Path(path).read_bytes())
