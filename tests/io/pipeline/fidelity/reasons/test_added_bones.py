"""Bones that somebody adds: where they are keyed, and move vertices or are no controls, an export says that no clip holds them."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import bpy
import pytest
from support.lba import lba1_chain
from support.lba.lba_stage import Part
from support.oni.oni_trams import random_tram


@pytest.fixture
def chain(part: Part, tmp_path: Path) -> tuple[Any, Path]:
    """The chain on its body in Blender, with a bone more below the last."""
    (tmp_path / "chain.anm").write_bytes(lba1_chain.ANM)
    (tmp_path / "chain.lm1").write_bytes(lba1_chain.LM1)
    lba = part("io.lba")
    obj = lba.import_lba(bpy.context, lba.ImportOptions((str(tmp_path / "chain.anm"),))).armatures[0]
    add(obj, "tail", obj.data.bones[-1].name)
    return obj, tmp_path / "chain.anm"


def add(obj: Any, name: str, above: str) -> None:
    """A bone below another one."""
    bpy.context.view_layer.objects.active = obj
    bpy.ops.object.mode_set(mode="EDIT")
    bones = obj.data.edit_bones
    bone = bones.new(name)
    bone.parent, bone.head, bone.tail = bones[above], (0, 0, 0.3), (0, 0.1, 0.3)
    bpy.ops.object.mode_set(mode="OBJECT")


def key(obj: Any, bone: str, frames: tuple[int, int] = (1, 16)) -> None:
    """At keyframes of the file."""
    pose = obj.pose.bones[bone]
    pose.rotation_mode = "ZYX"
    for frame, angle in zip(frames, (0.0, 0.5), strict=True):
        pose.rotation_euler = (angle, 0, 0)
        assert pose.keyframe_insert("rotation_euler", frame=frame)


def warnings(part: Part, path: Path, **options: Any) -> list[str]:
    lba = part("io.lba")
    lines = lba.export_lba(bpy.context, lba.ExportOptions(str(path), **options)).warnings
    return [line for line in lines if "chain mesh was edited" not in line]


def surface_of(obj: Any) -> Any:
    return next(child for child in obj.children if child.type == "MESH" and not child.name.endswith(("lines", "spheres")))


def weigh(obj: Any) -> None:
    mesh = surface_of(obj)
    for group in mesh.vertex_groups:
        group.remove([5])
    mesh.vertex_groups.new(name="tail").add([5], 1.0, "REPLACE")


@pytest.mark.parametrize("sampling", ["KEYS", "VISUAL"])
def test_a_bone_that_moves_vertices_is_named(part: Part, chain: tuple[Any, Path], sampling: str) -> None:
    obj, path = chain
    weigh(obj)
    assert warnings(part, path, sampling=sampling) == []
    key(obj, "tail")
    (line,) = warnings(part, path, sampling=sampling)
    assert line.startswith("chain: tail: not of the game's skeleton, so its keys are not written: key a bone of the game")
    assert path.read_bytes() == lba1_chain.ANM


@pytest.mark.parametrize("kind", ["no deform", "followed", "moving a map", "driving", "driving a node", "above one that carries"])
def test_a_control_without_vertices_is_not(part: Part, chain: tuple[Any, Path], kind: str) -> None:
    """Nor are its keys keyframes, between those of the file or behind them; nor are those of properties that somebody added."""
    obj, path = chain
    key(obj, "tail", (3, 400))
    (line,) = warnings(part, path)
    assert line.startswith("chain: tail: not of the game's skeleton") and line.endswith("; or, where it is a control, take its Deform off")
    follower = bpy.data.objects.new("follower", None)
    match kind:
        case "no deform":
            obj.data.bones["tail"].use_deform = False
        case "followed":
            constraint: Any = follower.constraints.new("COPY_ROTATION")
            constraint.target, constraint.subtarget = obj, "tail"
        case "moving a map":
            mesh = bpy.data.objects.new("map", bpy.data.meshes.new("map"))
            modifier: Any = mesh.modifiers.new("warp", "UV_WARP")
            modifier.object_from, modifier.bone_from = obj, "tail"
        case "driving" | "driving a node":
            world: Any = bpy.data.worlds.new("sky")
            if world.node_tree is None:
                world.use_nodes = True
            node = world.node_tree.nodes.new("ShaderNodeValue").outputs[0]
            curve: Any = node.driver_add("default_value") if kind == "driving a node" else follower.driver_add("location", 0)
            variable = curve.driver.variables.new()
            variable.targets[0].id, variable.targets[0].data_path = obj, 'pose.bones["tail"].rotation_euler[0]'
        case _:
            add(obj, "tip", "tail")
            follower.parent, follower.parent_type, follower.parent_bone = obj, "BONE", "tip"
    obj["mine"] = obj.pose.bones[0]["mine"] = 1.0
    for owner in (obj, obj.pose.bones[0]):
        assert owner.keyframe_insert('["mine"]', frame=4)
        assert owner.keyframe_insert('["mine"]', frame=300)
    assert warnings(part, path) == []
    assert path.read_bytes() == lba1_chain.ANM


def test_a_body_names_bones_that_it_has_no_group_for(part: Part, chain: tuple[Any, Path]) -> None:
    obj, _ = chain

    def said() -> list[str]:
        with part("core.reporting.log").collect() as heard:
            part("io.lba.bodies").pack_body(bpy.context, obj, part("core.lba.game").BodyOptions())
        return [line for line in heard.digest("WARNING") if "largest weight" in line]

    (line,) = said()
    assert "tail: no vertex has its largest weight on it, so the body has no group for it: give it a vertex" in line
    obj.data.bones["tail"].use_deform = False
    assert said() == []
    obj.data.bones["tail"].use_deform = True
    weigh(obj)
    assert said() == []


@pytest.mark.parametrize("sampling", ["KEYS", "VISUAL"])
def test_a_bone_that_carries_a_piece_in_oni_is_named(part: Part, tmp_path: Path, sampling: str) -> None:
    """A character of Oni is a piece of mesh for each bone."""
    body = part("core.oni.body.body_file").body_file(part("core.oni.body.mannequin").mannequin(), "TRBStest").pack()
    (tmp_path / "TRBStest.oni").write_bytes(body)
    path = tmp_path / "TRAMtest.oni"
    path.write_bytes(part("core.oni.files.documents").TramFile.new(random_tram(2, 17)).pack())
    oni = part("io.oni")
    obj = oni.import_oni(bpy.context, oni.ImportOptions((str(path),), skeleton=str(tmp_path / "TRBStest.oni"))).armatures[0]
    before = path.read_bytes()

    def said() -> list[str]:
        exported = oni.export_oni(bpy.context, oni.ExportOptions(str(path), sampling=sampling))
        return [line for line in exported.warnings if "skeleton" in line]

    add(obj, "tail", "pelvis")
    assert said() == []
    key(obj, "tail")
    assert ["where it is a control" in line for line in said()] == [True]
    weigh(obj)
    (line,) = said()
    assert "tail: not of the game's skeleton, so its keys are not written: key a bone of the game" in line
    assert path.read_bytes() == before


def test_a_bone_that_moves_a_mesh_of_the_pirates_is_named(part: Part, tmp_path: Path) -> None:
    """And not the helper bones of sheared ones, which the import added itself."""
    client = shutil.copytree(Path(__file__).resolve().parents[5] / "samples" / "mindpower", tmp_path / "client")
    path = client / "animation" / "0001.lab"
    mindpower = part("io.mindpower")
    obj = mindpower.import_mindpower(bpy.context, mindpower.ImportOptions((str(path),))).armatures[0]
    before = path.read_bytes()

    def said() -> list[str]:
        exported = mindpower.export_mindpower(bpy.context, mindpower.ExportOptions(str(path)))
        return [line for line in exported.warnings if "skeleton" in line]

    add(obj, "tail", obj.data.bones[0].name)
    key(obj, "tail", (2, 9))
    obj.pose.bones[0]["mine"] = 1.0
    assert obj.pose.bones[0].keyframe_insert('["mine"]', frame=500)
    add(obj, "gone", "tail")
    key(obj, "gone", (2, 600))
    bpy.ops.object.mode_set(mode="EDIT")
    obj.data.edit_bones.remove(obj.data.edit_bones["gone"])
    bpy.ops.object.mode_set(mode="OBJECT")
    assert said() == []
    weigh(obj)
    (line,) = said()
    assert "tail: not of the game's skeleton, so its keys are not written" in line
    assert path.read_bytes() == before


@pytest.mark.parametrize("loose", [False, True])
@pytest.mark.parametrize("game", ["lba", "oni"])
def test_bones_that_hang_on_others_are_named(part: Part, chain: tuple[Any, Path], tmp_path: Path, game: str, loose: bool) -> None:
    """The parents are in the body's file, and a clip's numbers count from them."""
    obj, path = chain
    if game == "oni":
        path = tmp_path / "TRAMtest.oni"
        path.write_bytes(part("core.oni.files.documents").TramFile.new(random_tram(2, 17)).pack())
        obj = part("io.oni").import_oni(bpy.context, part("io.oni").ImportOptions((str(path),))).armatures[0]
    module = part(f"io.{game}")

    def said() -> list[str]:
        exported = getattr(module, f"export_{game}")(bpy.context, module.ExportOptions(str(path)))
        return [line for line in exported.warnings if "hung on" in line]

    assert said() == []
    bone = next(bone for bone in reversed(obj.data.bones) if "retro_anim_bone" in bone and bone.parent.parent)
    name, parent, root = bone.name, bone.parent.name, obj.data.bones[0].name
    bpy.context.view_layer.objects.active = obj
    bpy.ops.object.mode_set(mode="EDIT")
    obj.data.edit_bones[name].parent = None if loose else obj.data.edit_bones[root]
    bpy.ops.object.mode_set(mode="OBJECT")
    (line,) = said()
    assert line.endswith(f"{name} hung on {parent} when it came in, as in the game's skeleton, which no clip holds: undo that in Edit Mode")


def insert(obj: Any, name: str, below: str) -> None:
    """A bone just where another one is, which hangs on it from now on."""
    bpy.context.view_layer.objects.active = obj
    bpy.ops.object.mode_set(mode="EDIT")
    bones = obj.data.edit_bones
    bone, child = bones.new(name), bones[below]
    bone.head, bone.tail, bone.roll, bone.parent = child.head, child.tail, child.roll, child.parent
    child.parent = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    obj.pose.bones[name].rotation_mode = "ZYX"


@pytest.mark.parametrize("keyed", [False, True])
def test_a_bone_put_above_one_of_the_game_is_named(part: Part, chain: tuple[Any, Path], keyed: bool) -> None:
    """By its own angle as keyed. As it looks the bone below it takes that over, at the keys to the step."""
    obj, path = chain
    lba, last = part("io.lba"), obj.data.bones["tail"].parent.name
    insert(obj, "mine", last)
    assert list(lba.export_lba(bpy.context, lba.ExportOptions(str(path))).warnings) == [], "at rest it moves nothing"
    obj.pose.bones["mine"].rotation_euler = (0.5, 0, 0)
    if keyed:
        for frame in (1, 16, 31):
            assert obj.pose.bones["mine"].keyframe_insert("rotation_euler", frame=frame)
    (line,) = lba.export_lba(bpy.context, lba.ExportOptions(str(path))).warnings
    assert f"{last}: 28.6 degrees off" in line and "it hangs on mine" in line and "As It Looks" in line
    assert path.read_bytes() == lba1_chain.ANM
    lines = lba.export_lba(bpy.context, lba.ExportOptions(str(path), sampling="VISUAL")).warnings
    assert all("3.75 degrees off" in line and "put more keys" in line for line in lines if "mine" in line), "two rotations between keys"
    assert path.read_bytes() != lba1_chain.ANM
