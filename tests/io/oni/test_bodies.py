"""Bodies out of Blender: unedited byte for byte, of an edited one what was edited, as a reader of its own sees it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bmesh
import bpy
import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st
from mathutils import Vector
from mathutils.kdtree import KDTree
from support.oni.oni_bodies import read
from support.oni.oni_meshes import random_body
from support.oni.oni_shown import AXES, Stage, body_in_blender

OPS: Any = bpy.ops
DATA: Any = bpy.data
Part = Callable[[str], ModuleType]


@pytest.mark.parametrize("pieces", ["ONE", "SEPARATE"])
@pytest.mark.parametrize("direction", ["GAME", "CHILD"])
def test_unedited_is_the_same_file(source: Path, exported: Any, pieces: str, direction: str) -> None:
    body_in_blender(source, pieces=pieces, bone_direction=direction, scale=0.37)
    assert exported() == source.read_bytes()


def test_it_stays_the_same_moved_about_and_saved(source: Path, exported: Any, tmp_path: Path) -> None:
    obj, _ = body_in_blender(source)
    obj.location, obj.rotation_euler = (3, 2, 1), (0.1, 0.2, 0.3)
    bpy.context.view_layer.update()
    OPS.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"))
    OPS.wm.open_mainfile(filepath=str(tmp_path / "scene.blend"))
    bpy.context.view_layer.objects.active = next(each for each in DATA.objects if each.type == "ARMATURE")
    assert exported() == source.read_bytes()


@pytest.mark.parametrize(
    ("scale", "what"),
    [((2, 2, 2), "shown at 2 times its size"), ((1, 1, 2), "scaled differently along its axes")],
)
def test_a_scaled_object_is_named_until_it_is_applied(source: Path, exported: Any, part: Part, scale: Any, what: str) -> None:
    """Its body is written without that; applied, a body of twice the size is."""
    obj, mesh = body_in_blender(source)
    obj.scale = scale

    def said() -> list[str]:
        with part("core.reporting.log").collect() as heard:
            part("io.oni.bodies").export_body(bpy.context, obj, part("core.oni.game").BodyOptions(str(source)))
        return [line for line in heard.digest("WARNING") if "scale of objects" in line]

    (line,) = said()
    assert f"{obj.name}: it is {what}, and the scale of objects is not exported: scale that back; or to have it in the body, apply" in line
    before = read(source.read_bytes())
    for each in (obj, mesh):
        each.select_set(True)
    OPS.object.transform_apply(location=False, rotation=False, scale=True)
    assert said() == []
    if scale == (2, 2, 2):
        after = read(source.read_bytes())
        assert np.allclose(after.bones[10].points, 2 * before.bones[10].points, atol=1e-5)


@pytest.mark.parametrize("pieces", ["ONE", "SEPARATE"])
def test_one_vertex(source: Path, exported: Any, pieces: str) -> None:
    """Half a unit up in Blender, at a scale of 0.1: in the game that is +Y of the character, in the head's axes +X."""
    _, mesh = body_in_blender(source, pieces=pieces)
    if pieces == "SEPARATE":
        mesh = next(each for each in DATA.objects if each.type == "MESH" and each.name.endswith("head"))
    group = mesh.vertex_groups["head"].index
    chosen = next(vertex for vertex in mesh.data.vertices if any(item.group == group for item in vertex.groups))
    chosen.co.z += 0.05
    before, after = read(source.read_bytes()), read(exported())
    for index, (old, new) in enumerate(zip(before.bones, after.bones, strict=True)):
        changed = np.flatnonzero((old.points != new.points).any(axis=1)).tolist()
        assert changed == ([0] if index == 10 else []), index
        assert (old.strips, old.uvs.tobytes()) == (new.strips, new.uvs.tobytes())
    moved = after.bones[10].points[0] - before.bones[10].points[0]
    assert moved == pytest.approx([0.5, 0, 0], abs=1e-5)


def test_normals_as_shown(source: Path, exported: Any) -> None:
    """A vertex far away: with the file's normals that is said, as shown those around it are others."""
    _, mesh = body_in_blender(source)
    mesh.data.vertices[83].co.z += 0.1
    kept = read(exported())
    fresh = read(exported(normals="NEW"))
    before = read(source.read_bytes())
    assert kept.bones[10].normals.tobytes() == before.bones[10].normals.tobytes()
    assert fresh.bones[10].points[: len(before.bones[10].points)].tobytes() == kept.bones[10].points.tobytes()
    assert fresh.bones[10].normals[:8].tobytes() != before.bones[10].normals.tobytes()
    assert fresh.bones[9].normals.tobytes() == before.bones[9].normals.tobytes()


def test_custom_normals_that_the_file_does_not_get_are_named(source: Path, part: Part) -> None:
    obj, mesh = body_in_blender(source)
    options = part("core.oni.game").BodyOptions(path=str(source))

    def said() -> list[str]:
        with part("core.reporting.log").collect() as messages:
            assert part("io.oni.bodies").pack_body(bpy.context, obj, options)[0].pack() == source.read_bytes()
        return [message.text for message in messages.of("WARNING") if "other normals now, by up to" in message.text]

    assert not said()
    mesh.data.normals_split_custom_set([(0, 0, 1)] * len(mesh.data.loops))
    (line,) = said()
    assert line.endswith("keep the normals of the file: choose Normals: As Shown, to have them anew")


@pytest.mark.parametrize("name", ["game_point", "game_face"])
def test_an_attribute_that_was_converted_is_named(source: Path, part: Part, name: str) -> None:
    """As Blender's Convert Attribute does it."""
    obj, mesh = body_in_blender(source)
    domain = mesh.data.attributes[name].domain
    mesh.data.attributes.remove(mesh.data.attributes[name])
    mesh.data.attributes.new(name, "FLOAT_VECTOR", domain)
    with part("core.reporting.log").collect() as said:
        part("io.oni.bodies").pack_body(bpy.context, obj, part("core.oni.game").BodyOptions(path=str(source)))
    assert any(f"the attribute {name} of {mesh.data.name} is not a number for each" in message.text for message in said.of("WARNING"))


def test_faces_deleted_and_added(source: Path, exported: Any) -> None:
    """A cube's worth of new vertices on the chest, and a foot without a face less."""
    obj, mesh = body_in_blender(source)
    count = len(mesh.data.polygons)
    OPS.object.select_all(action="DESELECT")
    bpy.context.view_layer.objects.active = mesh
    mesh.select_set(True)
    OPS.object.mode_set(mode="EDIT")
    OPS.mesh.select_all(action="DESELECT")
    OPS.mesh.primitive_cube_add(size=0.2, location=(0, 0, 1))
    OPS.object.mode_set(mode="OBJECT")
    new = [vertex.index for vertex in mesh.data.vertices if vertex.select]
    mesh.vertex_groups["chest"].add(new, 1.0, "REPLACE")
    assert len(mesh.data.polygons) == count + 6
    bpy.context.view_layer.objects.active = obj
    before, after = read(source.read_bytes()), read(exported())
    assert len(after.bones[8].triangles) == len(before.bones[8].triangles) + 12
    for index in range(19):
        if index != 8:
            assert after.bones[index].points.tobytes() == before.bones[index].points.tobytes()
    old = before.bones[8].points
    assert after.bones[8].points[: len(old)].tobytes() == old.tobytes()
    size = np.ptp(after.bones[8].points[len(old) :], axis=0)
    assert size == pytest.approx([2, 2, 2], abs=1e-4)


def test_a_joint_that_was_moved(source: Path, exported: Any) -> None:
    obj, _ = body_in_blender(source)
    OPS.object.mode_set(mode="EDIT")
    for bone in obj.data.edit_bones:
        if bone.name == "head":
            bone.head.z += 0.02
            bone.tail.z += 0.02
    OPS.object.mode_set(mode="OBJECT")
    before, after = read(source.read_bytes()), read(exported())
    assert after.offsets[10] - before.offsets[10] == pytest.approx([0.2, 0, 0], abs=1e-5)
    assert (np.delete(after.offsets, 10, 0) == np.delete(before.offsets, 10, 0)).all()


def test_a_mesh_of_ones_own_on_the_neutral_body(exported: Any, game_file: Callable[[str], Path], tmp_path: Path) -> None:
    """19 parts called as their bones, and none of the game's files."""
    alone = Path(shutil.copyfile(game_file("oni/instances/TRAMSHINZOMidle1_wiki.oni"), tmp_path / "TRAMSHINZOMidle1_wiki.oni"))
    obj, mesh = body_in_blender(alone, pieces="NONE")
    assert mesh is None
    for bone in obj.data.bones:
        OPS.mesh.primitive_uv_sphere_add(segments=8, ring_count=4, radius=0.1, location=obj.matrix_world @ bone.head_local)
        ball: Any = bpy.context.object
        ball.name = bone.name
        ball.parent = obj
        ball.matrix_parent_inverse = obj.matrix_world.inverted()
    bpy.context.view_layer.objects.active = obj
    after = read(exported())
    assert after.name == "TRBSout"
    for bone in after.bones:
        assert bone.points.min(axis=0) == pytest.approx([-1] * 3, abs=0.09)
        assert bone.points.max(axis=0) == pytest.approx([1] * 3, abs=0.09)
        outwards = np.einsum("ij,ij->i", bone.faces, bone.points[bone.triangles].mean(axis=1))
        assert (outwards > 0).all()


def test_vertices_without_a_bone_are_named(source: Path, exported: Any) -> None:
    _, mesh = body_in_blender(source)
    mesh.vertex_groups["head"].remove([80])
    with pytest.raises(RuntimeError, match=r"1 vertices have no bone of the game \(the first is vertex 80\)"):
        exported()


def test_out_of_a_level(game_file: Callable[[str], Path], source: Path, exported: Any) -> None:
    body_in_blender(Path(game_file("oni/level/level1_Final.dat")), entries="TRBSTESTbody")
    after, before = read(exported()), read(source.read_bytes())
    assert [bone.points.tobytes() for bone in after.bones] == [bone.points.tobytes() for bone in before.bones]
    assert after.name == "TRBSTESTbody"


@settings(
    max_examples=3,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@example(seed=14, options={"pieces": "SEPARATE", "bone_direction": "CHILD", "scale": 0.1})
@given(
    seed=st.integers(0, 2**20),
    options=st.fixed_dictionaries(
        {
            "pieces": st.sampled_from(["ONE", "SEPARATE"]),
            "bone_direction": st.sampled_from(["GAME", "CHILD"]),
            "scale": st.sampled_from([0.1, 1.0]),
        }
    ),
)
def test_random_bodies_come_back_byte_for_byte_and_edited_as_they_are_shown(part: Part, tmp_path: Path, seed: int, options: Any) -> None:
    path, out = tmp_path / "TRBSrandom.oni", tmp_path / "TRBSout.oni"
    path.write_bytes(random_body(seed))
    bpy.ops.wm.read_homefile(use_empty=True)
    obj, _ = body_in_blender(path, **options)
    bodies, taken = part("io.oni.bodies"), part("core.oni.game").BodyOptions(str(out), overwrite=True)
    bodies.export_body(bpy.context, obj, taken)
    assert out.read_bytes() == path.read_bytes()
    rng = np.random.default_rng(seed)
    for mesh in [each for each in DATA.objects if each.type == "MESH"]:
        for vertex in mesh.data.vertices:
            if rng.random() < 0.1:
                vertex.co += Vector((0.05 * rng.normal(size=3)).tolist())
        work = bmesh.new()
        work.from_mesh(mesh.data)
        if len(work.faces) > 3:
            bmesh.ops.delete(work, geom=[face for face in work.faces if rng.random() < 0.1], context="FACES_ONLY")
        for face in [face for face in work.faces if rng.random() < 0.05]:
            bmesh.ops.poke(work, faces=[face])
        work.to_mesh(mesh.data)
        work.free()
        # Blender gives what it puts in the middle of a face without a surface a weight of 0
        bare = [vertex.index for vertex in mesh.data.vertices if not any(item.weight for item in vertex.groups)]
        mesh.vertex_groups[0].add(bare, 1.0, "REPLACE")
    bodies.export_body(bpy.context, obj, taken)
    written, shown = engine(out.read_bytes(), obj, options["scale"]), in_blender(obj, options["scale"])
    assert close(written, shown)
    assert close(shown, written)


def close(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether each triangle (T, 9) of one is among those of the other; where one is there twice, Blender shows it once."""
    tree: Any = KDTree(len(other))
    for index, row in enumerate(other):
        tree.insert(row[:3] * 0.6 + row[3:6] * 0.3 + row[6:] * 0.1, index)
    tree.balance()
    return all(tree.find(row[:3] * 0.6 + row[3:6] * 0.3 + row[6:] * 0.1)[2] < 2e-3 for row in one)


def cycled(corners: np.ndarray) -> np.ndarray:
    """(T, 9) of those with a surface, from the lowest corner on, by its coordinates as far as rounding leaves them alone."""
    area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    corners = corners[area > 1e-4]
    rounded = np.round(corners, 2)
    first = [min(range(3), key=lambda corner: tuple(rounded[face, corner])) for face in range(len(corners))]
    return np.array([np.roll(corners[face], -start, axis=0).ravel() for face, start in enumerate(first)]).reshape(-1, 9)


def engine(data: bytes, obj: Any, scale: float) -> np.ndarray:
    """The triangles of a file in the T pose of the format's description, where the armature has its pelvis."""
    body, stage = read(data), Stage(obj, scale)
    joints = np.zeros((19, 3))
    joints[0] = np.array(obj.data.bones["pelvis"].head_local) @ AXES / scale
    for bone in range(1, 19):
        joints[bone] = joints[stage.parents[bone]] + stage.t_pose[stage.parents[bone]] @ body.offsets[bone]
    corners = [
        piece.points[distinct(piece.triangles)] @ stage.t_pose[bone].T + joints[bone]
        for bone, piece in enumerate(body.bones)
        if piece is not None
    ]
    return cycled(np.concatenate(corners))


def distinct(triangles: np.ndarray) -> np.ndarray:
    """Without those that name a point twice."""
    return triangles[(np.diff(np.sort(triangles, axis=1), axis=1) != 0).all(axis=1)]


def in_blender(obj: Any, scale: float) -> np.ndarray:
    """The same of the meshes."""
    corners = []
    for mesh in [each for each in DATA.objects if each.type == "MESH"]:
        mesh.data.calc_loop_triangles()
        to = np.array(obj.matrix_world.inverted() @ mesh.matrix_world)
        points = np.array([vertex.co for vertex in mesh.data.vertices]) @ to[:3, :3].T + to[:3, 3]
        corners += [points[list(triangle.vertices)] @ AXES / scale for triangle in mesh.data.loop_triangles]
    return cycled(np.array(corners))


def test_properties_that_somebody_spoiled(source: Path, exported: Any) -> None:
    obj, _ = body_in_blender(source)
    for value in ("{", '{"a": 1}', "[1]"):
        obj.data["oni_shown"], obj.data["oni_detail"] = value, "four"
        exported()
