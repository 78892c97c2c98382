"""An armature as a new character of a client: what was edited, painted and made in Blender has files of its own, all of them or none."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support.mindpower import mindpower_files

Part = Callable[[str], ModuleType]
RED = struct.pack("<3B", 10, 20, 250)


def contents(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


@pytest.fixture
def client(tmp_path: Path) -> Path:
    return mindpower_files.public_client(tmp_path / "client")


@pytest.fixture
def crab(part: Part, client: Path) -> Any:
    """The big crab, active."""
    options = part("io.mindpower").ImportOptions((str(client),), entries="Big Crab", fps_mode="SET")
    (obj,) = part("io.mindpower").import_mindpower(bpy.context, options).armatures
    bpy.context.view_layer.objects.active = obj
    return obj


def make(part: Part, obj: Any, client: Path, **options: Any) -> Any:
    mindpower = part("io.mindpower")
    return mindpower.make_character(bpy.context, obj, client, mindpower.CharacterOptions(**options))


def test_unedited_it_is_a_copy(part: Part, crab: Any, client: Path) -> None:
    before = contents(client)
    result = make(part, crab, client, number=41, name="Guard")
    after = contents(client)
    assert (result.id, result.action_type) == (201, 8)
    assert after["Animation/0041.lab"] == before["Animation/0007.lab"]
    for number in ("00", "02"):
        old = before[f"model/Character/00070000{number}.lgo"].replace(b"body.bmp".ljust(64, b"\0"), b"0041000000.bmp".ljust(64, b"\0"))
        assert after[f"model/Character/00410000{number}.lgo"] == old
    assert after["Texture/CHARACTER/0041000000.bmp"] == before["Texture/CHARACTER/Body.Bmp"]
    record = after["Scripts/table/CharacterInfo.BIN"][-940:]
    assert struct.unpack_from("<4H", record, 164) == (41, 0, 1, 1) and record[206:] == b"\xdd" * 734
    assert after["Scripts/TXT/characteraction.TX"].endswith(
        b"\n8\r\n\t\t1\t\t0\t\t4\r\n\t\t7\t\t3\t\t30\t\t8\r\n\t\t8\t\t6\t\t5\r\n\t\t9\t\t40\t\t50\r\n"
    )


def test_edits_pictures_and_new_actions_go_to_the_new_one_alone(part: Part, crab: Any, client: Path) -> None:
    before = contents(client)
    mesh: Any = next(child for child in crab.children_recursive if child.type == "MESH" and child.name.endswith("2"))
    mesh.data.vertices[0].co.z -= 0.5
    picture: Any = next(node.image for node in mesh.active_material.node_tree.nodes if node.type == "TEX_IMAGE")
    picture.pixels[:] = [250 / 255, 20 / 255, 10 / 255, 1.0] * (len(picture.pixels) // 4)
    crab.animation_data.action.copy().name = "Spin"
    action = bpy.data.actions["Spin"]
    part("io.mindpower.marks").make_new(action, 379)
    result = make(part, crab, client, number=41, name="Guard")
    after = contents(client)
    unchanged = {name for name in before if after[name] == before[name]}
    assert {name for name in before if "table" not in name.lower() and "TXT" not in name} <= unchanged, "of the crab nothing"
    assert after["Texture/CHARACTER/0041000000.bmp"][54:] == RED * 16
    points = [after[f"model/Character/004100000{number}.lgo"] != before[f"model/Character/000700000{number}.lgo"].replace(
        b"body.bmp".ljust(64, b"\0"), b"0041000000.bmp".ljust(64, b"\0")) for number in "02"]  # fmt: skip
    assert points == [False, True]
    rows = after["Scripts/TXT/characteraction.TX"].rpartition(b"\n8\r\n")[2].split(b"\r\n")
    assert rows[-2].split() == [b"379", b"20", b"24"], "behind the last frame"
    assert result.paths[0].endswith("0041.lab") and struct.unpack_from("<I", after["Animation/0041.lab"], 8) == (25,)


def doll_of_one_bone() -> Any:
    """An active armature whose only bone, the hips, points upwards."""
    data = bpy.data.armatures.new("doll")
    doll = bpy.data.objects.new("doll", data)
    bpy.context.collection.objects.link(doll)
    bpy.context.view_layer.objects.active = doll
    bpy.ops.object.mode_set(mode="EDIT")
    data.edit_bones.new("hips").tail = (0, 0, 1)
    bpy.ops.object.mode_set(mode="OBJECT")
    return doll


def test_an_armature_of_ones_own(part: Part, client: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from retro_anim.core.files.disk import disk

    doll = doll_of_one_bone()
    bone = doll.pose.bones["hips"]
    for frame, angle in ((1, 0.0), (10, 1.0)):
        bone.rotation_quaternion = (1 - angle / 2, angle / 2, 0, 0)
        bone.keyframe_insert("rotation_quaternion", frame=frame)
    bpy.ops.mesh.primitive_cube_add()
    cube: Any = bpy.context.object
    cube.parent = doll
    cube.modifiers.new("Armature", "ARMATURE").object = doll
    cube.vertex_groups.new(name="hips").add(range(8), 1.0, "REPLACE")
    before = contents(client)
    honest = disk.os.replace

    def full(source: str, target: str) -> None:
        if Path(target).name == "CharacterInfo.BIN" and Path(source).stat().st_size > len(mindpower_files.PUBLIC):
            raise OSError(28, "No space left on device")
        honest(source, target)

    with monkeypatch.context() as patched:
        patched.setattr(disk.os, "replace", full)
        with pytest.raises(part("core.reporting.errors").RetroAnimError, match="No space left"):
            make(part, doll, client, name="Doll")
    assert contents(client) == before
    result = make(part, doll, client, name="Doll", like="id=10")
    after = contents(client)
    assert sorted(after.keys() - before.keys()) == [
        "Animation/0008.lab", "Scripts/TXT/characteraction.TX.bak", "Scripts/table/CharacterInfo.BIN.bak", "model/Character/0008000000.lgo",
    ]  # fmt: skip
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    options = part("io.mindpower").ImportOptions((str(client),), entries="Doll", fps_mode="SET")
    (again,) = part("io.mindpower").import_mindpower(bpy.context, options).armatures
    assert (again.name, [bone.name for bone in again.data.bones], result.number) == ("Doll", ["hips"], 8)
    assert len(next(child for child in again.children_recursive if child.type == "MESH").data.polygons) == 12


@pytest.mark.parametrize(("size", "named"), [(1.0, False), (100.0, True), (0.01, True)])
def test_a_size_that_no_character_has_is_named(part: Part, client: Path, size: float, named: bool) -> None:
    """As of a rig in centimetres."""
    doll = doll_of_one_bone()
    doll.pose.bones["hips"].keyframe_insert("location", frame=1)
    bpy.ops.mesh.primitive_cube_add()
    cube: Any = bpy.context.object
    cube.parent = doll
    cube.modifiers.new("Armature", "ARMATURE").object = doll
    cube.vertex_groups.new(name="hips").add(range(8), 1.0, "REPLACE")
    doll.scale = (size, size, size)
    bpy.context.view_layer.update()
    with part("core.reporting.log").collect() as said:
        make(part, doll, client, like="Big Crab", number=41)
    text = f"doll is {2 * size:g} units large, and the game's players are 2.7 high: scale the armature in Object Mode"
    assert [str(each) for each in said.of("WARNING") if "units large" in each.text] == [text] * named


def test_an_action_of_another_name_says_which_number_it_gets(part: Part, client: Path) -> None:
    doll = doll_of_one_bone()
    for name in ("wait", "dance"):
        doll.animation_data_create().action = bpy.data.actions.new(name)
        doll.pose.bones["hips"].keyframe_insert("rotation_quaternion", frame=1)
    with part("core.reporting.log").collect() as said:
        make(part, doll, client, name="Doll", like="id=10")
    lines = [(message.where, message.text) for message in said.messages if "no free action" in message.text]
    assert [where for where, _ in lines] == ["dance"] and "written as 2 show" in lines[0][1]
    rows = (client / "Scripts/TXT/characteraction.TX").read_bytes().split(b"\r\n")
    assert [int(row.split()[0]) for row in rows[-3:-1]] in ([1, 2], [2, 1])


def test_more_meshes_than_the_list_has_room_for_become_one(part: Part, client: Path) -> None:
    """Nine cubes in a row, every second one seen from outside alone: one file of two materials with all their faces, each where it was."""
    doll = doll_of_one_bone()
    doll.pose.bones["hips"].keyframe_insert("rotation_quaternion", frame=1)
    kinds: Any = [bpy.data.materials.new(name) for name in ("one", "two")]
    kinds[1].use_backface_culling = True
    for index in range(9):
        bpy.ops.mesh.primitive_cube_add(location=(3 * index, 0, 0))
        cube: Any = bpy.context.object
        cube.data.materials.append(kinds[index % 2])
        cube.parent = doll
        cube.vertex_groups.new(name="hips").add(range(8), 1.0, "REPLACE")
        cube.modifiers.new("Armature", "ARMATURE").object = doll
    with part("core.reporting.log").collect() as said:
        make(part, doll, client, name="Row", like="id=10")
    assert any("9 meshes" in message.text and "written as 1" in message.text for message in said.messages)
    (path,) = (client / "model/Character").glob("0008*.lgo")
    mesh = part("core.mindpower.files.mesh.lgo").Lgo.parse(path.read_bytes()).mesh
    assert len(mesh.triangles) == 9 * 12
    corners = mesh.positions[mesh.triangles].reshape(-1, 3)
    along = int(np.argmax(np.ptp(corners, axis=0)))
    cubes = [corners[np.abs(np.abs(corners[:, along]) - 3 * index) < 1.5] for index in range(9)]
    assert [len(cube) for cube in cubes] == [36] * 9
    assert np.array([np.ptp(cube, axis=0) for cube in cubes]) == pytest.approx(np.full((9, 3), 2.0), abs=1e-4)
    of_material = [np.abs(mesh.positions[mesh.triangles[mesh.triangle_subsets == index]][..., along]) for index in (0, 1)]
    assert [sorted({round(float(value) / 3) for value in each.ravel()}) for each in of_material] == [[0, 2, 4, 6, 8], [1, 3, 5, 7]]
