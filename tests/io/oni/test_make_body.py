"""A character of one's own as the game would have it: from a rig in A pose, whose meshes are split among the game's bones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import mathutils
import numpy as np
import pytest
from support.oni.oni_bodies import read, textures_of
from support.oni.oni_shown import pictured
from support.someone import someone

OPS: Any = bpy.ops
DATA: Any = bpy.data
CONTEXT: Any = bpy.context
Part = Callable[[str], ModuleType]


@pytest.fixture
def character() -> Any:
    return someone()


def test_arms_of_an_a_pose_lie_along_the_game_s_limbs(character: Any, tmp_path: Path) -> None:
    assert OPS.retro_anim.oni_make() == {"FINISHED"}
    new = CONTEXT.object
    assert len(new.data.bones) == 19
    path = tmp_path / "TRBSsomeone.oni"
    assert OPS.export_mesh.oni(filepath=str(path)) == {"FINISHED"}
    body = read(path.read_bytes())
    offsets = body.offsets
    for bone, length in ((13, 3.0), (14, 2.5), (17, 3.0), (18, 2.5), (2, 4.5), (3, 4.0)):
        assert offsets[bone] == pytest.approx([length, 0, 0], abs=1e-4), bone
    assert offsets[1] == pytest.approx([-0.5, 0, 1.0], abs=1e-4), "the left hip is at +Z of the pelvis, a little below"
    assert offsets[11][2] > 0 > offsets[15][2]
    for bone, piece in enumerate(body.bones):
        assert piece is not None, bone
        middle = (piece.points.min(axis=0) + piece.points.max(axis=0)) / 2
        far = np.hypot(0.3, 0.5) if bone in (14, 18) else 0.3
        assert np.linalg.norm(middle) == pytest.approx(far, abs=0.02), "as far from its joint as in Blender"
        assert np.ptp(piece.points, axis=0) == pytest.approx([0.8] * 3, abs=0.12)
    for bone in (12, 13, 16, 17):
        middle = (body.bones[bone].points.min(axis=0) + body.bones[bone].points.max(axis=0)) / 2
        assert middle == pytest.approx([0, -0.3, 0], abs=0.02), "to the front, which is -Y of the arms in the T pose"
    for bone, side in ((14, -1), (18, 1)):
        middle = (body.bones[bone].points.min(axis=0) + body.bones[bone].points.max(axis=0)) / 2
        assert middle == pytest.approx([0.5, 0, 0.3 * side], abs=0.02), "onwards along the arm; the fists' +Y is down in the T pose"
    for bone in (0, 1, 4, 7, 10):
        middle = (body.bones[bone].points.min(axis=0) + body.bones[bone].points.max(axis=0)) / 2
        assert middle == pytest.approx([0, 0.3, 0], abs=0.02)


def test_written_and_opened_it_is_the_same_file(character: Any, tmp_path: Path) -> None:
    OPS.retro_anim.oni_make(height=20)
    first, second = tmp_path / "TRBSsomeone.oni", tmp_path / "again" / "TRBSsomeone.oni"
    second.parent.mkdir()
    OPS.export_mesh.oni(filepath=str(first))
    OPS.import_anim.oni(filepath=str(first))
    OPS.export_mesh.oni(filepath=str(second))
    assert first.read_bytes() == second.read_bytes()
    assert read(first.read_bytes()).name == "TRBSsomeone"


def test_bare_vertices_go_with_the_pelvis_and_the_height_is_what_is_shown(character: Any, part: Part, tmp_path: Path) -> None:
    """The mesh is an object that lies on its side, so that its box says nothing of how high it is."""
    mesh = character.children[0]
    tilt = mathutils.Euler((0.7, 0.4, 0)).to_matrix().to_4x4()
    mesh.data.transform(tilt.inverted())
    mesh.matrix_world = mesh.matrix_world @ tilt
    group = mesh.vertex_groups["mixamorig:Head"]
    group.remove([vertex.index for vertex in mesh.data.vertices if any(item.group == group.index for item in vertex.groups)][:3])
    CONTEXT.view_layer.update()
    with part("core.reporting.log").collect() as said:
        built = part("io.oni.make").make_body(CONTEXT, character, part("core.oni.game").MakeOptions(height=16))
    assert [message.text for message in said.messages if "no bone" in message.text] == [
        f"{mesh.name}: 3 vertices have no bone: they go with pelvis"
    ]
    (new,) = built.meshes
    heights = [(built.armature.matrix_world.inverted() @ new.matrix_world @ vertex.co).z for vertex in new.data.vertices]
    assert abs(max(heights) - min(heights) - 1.6) < 1e-3


def test_a_rig_without_legs_is_refused_by_name(character: Any) -> None:
    OPS.object.mode_set(mode="EDIT")
    bones = character.data.edit_bones
    for name in [bone.name for bone in bones if "Leg" in bone.name or "Foot" in bone.name]:
        bones.remove(bones[name])
    OPS.object.mode_set(mode="OBJECT")
    before = set(DATA.objects)
    with pytest.raises(RuntimeError, match="no bone is left_thigh, left_calf, left_foot, right_thigh"):
        OPS.retro_anim.oni_make()
    assert set(DATA.objects) == before


@pytest.mark.parametrize("opened", [False, True])
def test_its_pictures_go_where_they_are_wanted(character: Any, part: Part, tmp_path: Path, opened: bool) -> None:
    """Inside the body's file, and from there or at once into files beside it, under a name."""
    material, pixels = pictured()
    character.children[0].data.materials.append(material)
    OPS.retro_anim.oni_make()
    path = tmp_path / "TRBSsomeone.oni"
    OPS.export_mesh.oni(filepath=str(path))
    assert [each.name for each in tmp_path.iterdir()] == ["TRBSsomeone.oni"]
    read_body = part("core.oni.body.body_read").read_body
    body = read_body(str(path))
    (inside,) = body.images.values()
    assert {piece.texture for piece in body.pieces} == set(body.images), "no bone names a picture that is in no file"
    assert b"TXMPskin" not in path.read_bytes()
    if opened:
        OPS.wm.read_homefile(use_empty=True)
        OPS.import_anim.oni(filepath=str(path))
    path = tmp_path / "beside" / "TRBSsomeone.oni"
    path.parent.mkdir()
    OPS.export_mesh.oni(filepath=str(path), textures="BESIDE")
    (other,) = {each.name for each in path.parent.iterdir()} - {path.name, "TRMAsomeone.oni"}
    assert other.startswith("TXMPsomeone_" if opened else "TXMPskin")
    assert textures_of((path.parent / "TRMAsomeone.oni").read_bytes()) == [other.removesuffix(".oni")] * 19
    body = read_body(str(path))
    assert list(body.images) == [other.removesuffix(".oni")], "no texture is left inside"
    for shown in (inside, *body.images.values()):
        assert np.array_equal(shown.pixels[::-1], np.rint(pixels * 255).astype(np.uint8))
    assert len(path.read_bytes()) < len((tmp_path / path.name).read_bytes())


def test_what_a_person_overlooks_is_named(character: Any, part: Part) -> None:
    """Another scale, lying, without a UV map under a picture, in edit mode, and without a vertex: by what to do."""
    mesh = next(each for each in DATA.objects if each.find_armature() == character)
    material = DATA.materials.new("cloth")
    material.use_nodes = True
    picture = material.node_tree.nodes.new("ShaderNodeTexImage")
    picture.image = DATA.images.new("cloth", 8, 8)
    material.node_tree.links.new(picture.outputs["Color"], material.node_tree.nodes["Principled BSDF"].inputs["Base Color"])
    mesh.data.materials.append(material)
    mesh.data.uv_layers.remove(mesh.data.uv_layers[0])
    character.scale, character.rotation_euler.x = (100, 100, 100), np.pi / 2
    CONTEXT.view_layer.update()
    CONTEXT.view_layer.objects.active = character
    OPS.object.mode_set(mode="EDIT")
    with part("core.reporting.log").collect() as said:
        built = part("io.oni.make").make_body(CONTEXT, character, part("core.oni.game").MakeOptions())
    assert CONTEXT.object == built.armature and CONTEXT.object.mode == "OBJECT"
    warnings = [str(message) for message in said.of("WARNING")]
    for text in ("its head is not above its hips: turn it upright", "units high, and the game's characters are about 16: choose Height"):
        assert any(text in warning for warning in warnings)
    assert f"{mesh.name}: it has no UV map, so that each face has one colour of the picture of cloth: unwrap it" in warnings
    mesh.data.clear_geometry()
    CONTEXT.view_layer.objects.active = character
    with pytest.raises(RuntimeError, match=f"{mesh.name}: no vertices to make a body of"):
        OPS.retro_anim.oni_make()


@pytest.mark.thorough
def test_far_more_triangles_than_the_game_has_are_named(character: Any, part: Part) -> None:
    mesh = next(each for each in DATA.objects if each.find_armature() == character)
    before = len(mesh.data.polygons)
    mesh.modifiers.new("more", "SUBSURF").levels = 3
    with part("core.reporting.log").collect() as said:
        part("io.oni.make").make_body(CONTEXT, character, part("core.oni.game").MakeOptions(height=16))
    assert before < 2000
    (line,) = [str(message) for message in said.of("WARNING") if "triangles" in message.text]
    assert line.endswith(
        "where the game's Konoko has 3294: whether it has room for so many is not known; a Decimate modifier on the mesh leaves fewer"
    )
