"""Bodies out of Blender: unedited the same bytes; one vertex, one colour, one bone changed changes its bytes and nothing else."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import bmesh
import bpy
import numpy as np
import pytest
from support.lba import lba2_chain

OPS: Any = bpy.ops
Part = Callable[[str], ModuleType]
ARCHIVES = ("lba1/BODY.HQR", "lba2/BODY.HQR", "lba2/Human_Hand.lm2", "lba2/Twinsen_Mario_LBA2.lm2")


@pytest.fixture
def pack(part: Part) -> Callable[..., bytes]:
    """The bytes that a character stands for: `pack(obj, normals="NEW")`."""
    bodies, options = part("io.lba.bodies"), part("core.lba.game")
    return lambda obj, **given: bodies.pack_body(bpy.context, obj, options.BodyOptions(**given)).pack()


@pytest.fixture
def said(part: Part) -> Iterator[Any]:
    with part("core.reporting.log").collect() as messages:
        yield messages


def mesh_named(end: str) -> Any:
    return next(obj for obj in bpy.data.objects if obj.type == "MESH" and obj.name.endswith(end))


def kept_of(obj: Any, part: Part) -> bytes:
    return part("io.blender.source_data").kept(obj.data)


def differing(one: bytes, other: bytes) -> list[int]:
    assert len(one) == len(other)
    return [index for index, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]


class Plain1:
    """An LM1 taken apart without the package: offsets of what a test looks at."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        count = self._u16(0x1A)
        self.points_at = 0x1C
        self.points = [struct.unpack_from("<3h", data, self.points_at + 6 * index) for index in range(count)]
        self.groups_at = self.points_at + 6 * count + 2
        self.groups = [
            struct.unpack_from("<HHHhH3hHH", data, self.groups_at + 38 * index) for index in range(self._u16(self.groups_at - 2))
        ]
        self.normals_at = self.groups_at + 38 * len(self.groups) + 2
        at = self.normals_at + 8 * self._u16(self.normals_at - 2)
        self.polygons_at = []
        for _ in range(self._u16(at)):
            at = (self.polygons_at[-1] + self._size(self.polygons_at[-1])) if self.polygons_at else at + 2
            self.polygons_at.append(at)

    def _u16(self, at: int) -> int:
        return struct.unpack_from("<H", self.data, at)[0]

    def _size(self, at: int) -> int:
        material, count = self.data[at], self.data[at + 1]
        return 4 + 2 * (2 * count if material >= 9 else count + (material >= 7))

    def rest(self) -> list[tuple[int, ...]]:
        """Every point in character space, as the engine puts it at rest."""
        world: list[tuple[int, ...]] = []
        for first, count, pivot, parent, *_ in self.groups:
            origin = world[pivot // 6] if parent >= 0 else (0, 0, 0)
            own = self.points[first // 6 : first // 6 + count]
            world.extend(tuple(a + b for a, b in zip(origin, point, strict=True)) for point in own)
        return world


@pytest.mark.parametrize("name", ARCHIVES)
@pytest.mark.parametrize("look", ["PLAIN", "GAME"])
def test_every_body_unedited_is_the_same_bytes(
    fetch: Any, pack: Any, part: Part, said: Any, game_file: Callable[[str], Path], name: str, look: str
) -> None:
    direction = "CHILD" if look == "GAME" else "GAME"
    imported = fetch(game_file(name), look=look, bone_direction=direction)
    said.messages.clear()
    assert imported.armatures
    assert [obj.name for obj in imported.armatures if pack(obj) != kept_of(obj, part)] == []
    assert said.of("WARNING") == []


def test_after_saving_and_opening(fetch: Any, pack: Any, part: Part, chain: Path, tmp_path: Path) -> None:
    fetch(chain / "chain.lm1")
    saved = str(tmp_path / "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=saved)
    bpy.ops.wm.open_mainfile(filepath=saved)
    obj = next(each for each in bpy.data.objects if each.type == "ARMATURE")
    assert pack(obj) == (chain / "chain.lm1").read_bytes()


def test_one_vertex(fetch: Any, pack: Any, chain: Path) -> None:
    obj = fetch(chain / "chain.lm1").armatures[0]
    before = Plain1(pack(obj))
    vertex = mesh_named("mesh").data.vertices[8]  # no pivot, at (-150, 300, 0)
    vertex.co.x += 0.007
    vertex.co.z += 0.0024
    after = Plain1(pack(obj))
    changed = differing(before.data, after.data)
    assert changed and all(before.points_at + 48 <= index < before.points_at + 54 for index in changed)
    assert after.points[8] == (-93, 2, 0)


def test_one_colour_by_material_and_by_attribute(fetch: Any, pack: Any, chain: Path) -> None:
    obj = fetch(chain / "chain.lm1").armatures[0]
    before = Plain1(pack(obj))
    data = mesh_named("mesh").data
    other = data.materials[data.polygons[0].material_index].copy()
    other["lba_colour"] = 130
    data.materials.append(other)
    data.polygons[0].material_index = len(data.materials) - 1
    after = pack(obj)
    assert differing(before.data, after) == [before.polygons_at[0] + 2] and after[before.polygons_at[0] + 2] == 130
    data.attributes["lba_colour"].data[1].value = 77
    both = pack(obj)
    assert differing(after, both) == [before.polygons_at[1] + 2] and both[before.polygons_at[1] + 2] == 77


def test_a_new_colour_is_the_nearest_of_the_palette(fetch: Any, pack: Any, part: Part, chain: Path) -> None:
    obj = fetch(chain / "chain.lm1").armatures[0]
    before = Plain1(pack(obj))
    data = mesh_named("mesh").data
    face = next(index for index, at in enumerate(before.polygons_at) if before.data[at] == 0)
    own: Any = bpy.data.materials.new("own")
    data.materials.append(own)
    palette = part("core.lba.files.palette").Palette.plain().colours
    linear = [float(part) / 255 for part in palette[90]]
    shader = part("io.blender.compat").shader_tree(own).nodes["Principled BSDF"]
    red, green, blue = (value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in linear)
    shader.inputs["Base Color"].default_value = (0, 0, 0, 1)
    shader.inputs["Emission Color"].default_value, shader.inputs["Emission Strength"].default_value = (red, green, blue, 1), 1
    data.polygons[face].material_index = len(data.materials) - 1
    after = Plain1(pack(obj))
    at = after.polygons_at[face]
    assert tuple(after.data[at : at + 3]) == (0, before.data[at + 1], 90), "unlit, and that colour"


def test_one_bone_moved(fetch: Any, pack: Any, part: Part, chain: Path) -> None:
    """Group 3 hangs on vertex 6, which nothing else uses in the chain: moving its bone moves where it rotates, and no surface."""
    obj = fetch(chain / "chain.lm1").armatures[0]
    before = Plain1(pack(obj))
    rest = before.rest()
    making = part("io.blender.new_objects")
    with making.editing(bpy.context, obj) as bones:
        name = next(bone.name for bone in bones if bone.name.endswith("03"))
        bones[name].head.x += 0.02
        bones[name].tail.x += 0.02
    after = Plain1(pack(obj))
    pivot = after.rest()[after.groups[3][2] // 6]
    old = rest[before.groups[3][2] // 6]
    assert pivot == (old[0] + 20, old[1], old[2])
    assert {*rest} <= {*after.rest()}, "every point stays where it was"
    assert after.data[:0x1A] == before.data[:0x1A]


def test_a_vertex_in_another_group_stays_where_it_is(fetch: Any, pack: Any, chain: Path) -> None:
    obj = fetch(chain / "chain.lm1").armatures[0]
    before = Plain1(pack(obj))
    mesh = mesh_named("mesh")
    for group in mesh.vertex_groups:
        group.remove([10])
    mesh.vertex_groups.get("group 02").add([10], 1.0, "REPLACE")
    after = Plain1(pack(obj))
    assert sorted(after.rest()) == sorted(before.rest())
    assert after.groups[2][1] == before.groups[2][1] + 1


def test_edited_in_edit_mode_new_faces_and_deleted_ones(fetch: Any, pack: Any, part: Part, chain: Path) -> None:
    import bmesh

    obj = fetch(chain / "chain.lm1").armatures[0]
    before = Plain1(pack(obj))
    data = mesh_named("mesh").data
    held = bmesh.new()
    held.from_mesh(data)
    held.faces.ensure_lookup_table()
    extruded = bmesh.ops.extrude_discrete_faces(held, faces=[held.faces[0]])["faces"][0]
    for vertex in extruded.verts:
        vertex.co.y -= 0.1
    held.to_mesh(data)
    held.free()
    after = Plain1(pack(obj))
    lm1 = part("core.lba.files.lm1").Lm1.parse(after.data)
    assert len(lm1.polygons) == len(data.polygons)
    assert {*before.rest()} <= {*after.rest()} and len(after.rest()) == len(data.vertices)
    shown = {tuple(round(1000 * part) for part in (v.co.x, v.co.z, -v.co.y)) for v in data.vertices}
    assert shown == {*after.rest()}


@pytest.mark.parametrize("name", ["lba1/BODY.HQR", "lba2/BODY.HQR"])
def test_one_vertex_of_a_real_body_changes_its_point_alone(
    fetch: Any, pack: Any, part: Part, said: Any, game_file: Callable[[str], Path], name: str
) -> None:
    obj = fetch(game_file(name), entries="0").armatures[0]
    before = pack(obj)
    original = part("io.lba.bodies").original_of(obj)
    body, writer = part("core.lba.body.body").Body.of(original), part(f"core.lba.body.{'lm1' if name.startswith('lba1') else 'lm2'}_write")
    kinds = part(f"core.lba.files.{'lm1' if name.startswith('lba1') else 'lm2'}")
    held = {number for kind in (kinds.LINE, kinds.SPHERE) for number in writer.references_of(original, kind).ravel().tolist()}
    free = sorted({*range(len(body.points))} - {*body.pivots.tolist()} - held)[40]
    said.messages.clear()
    mesh_named("mesh").data.vertices[free].co.x += 0.003
    after = pack(obj)
    at = (0x1C + 6 * free) if name.startswith("lba1") else (struct.unpack_from("<I", before, 0x2C)[0] + 8 * free)
    assert differing(before, after) and {*differing(before, after)} <= {at, at + 1}
    assert struct.unpack_from("<h", after, at)[0] == struct.unpack_from("<h", before, at)[0] + 3
    assert said.of("WARNING") == []


def test_lines_and_spheres(fetch: Any, pack: Any, part: Part, said: Any, chain: Path) -> None:
    obj = fetch(chain / "chain.lm1").armatures[0]
    parse = part("core.lba.files.lm1").Lm1.parse
    before = parse(pack(obj))
    said.messages.clear()
    spheres = mesh_named("spheres").data
    points = np.array([vertex.co for vertex in spheres.vertices])
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    for vertex, grown in zip(spheres.vertices, middle + 2 * (points - middle), strict=True):
        vertex.co = grown
    after = parse(pack(obj))
    assert after.spheres["radius"].tolist() == (2 * before.spheres["radius"]).tolist()
    assert after.spheres["point"].tolist() == before.spheres["point"].tolist()
    assert said.of("WARNING") == []
    away = np.abs(points - middle).max(axis=1)
    inner = int(np.argmin(away))  # at no side of what bounds the ball
    spheres.vertices[inner].co = middle + 1.5 * (np.array(spheres.vertices[inner].co) - middle)
    assert parse(pack(obj)).spheres.tolist() == after.spheres.tolist()
    assert "1 sphere is no ball: " in said.of("WARNING")[0].text
    lines = mesh_named("lines").data
    for vertex in lines.vertices[:4]:
        vertex.co.x += 0.011
    moved = parse(pack(obj))
    assert len(moved.points) == len(before.points) + 1 and len(moved.lines) == len(before.lines)


def test_a_radius_edited_as_an_attribute_is_named(fetch: Any, pack: Any, part: Part, said: Any, chain: Path) -> None:
    """The size that is shown counts."""
    obj = fetch(chain / "chain.lm1").armatures[0]
    before = pack(obj)
    for item in mesh_named("spheres").data.attributes["radius"].data:
        item.value += 40
    said.messages.clear()
    assert pack(obj) == before
    (message,) = said.of("WARNING")
    assert "the attribute radius of 1 sphere was edited" in message.text and "scale the ball" in message.text


@pytest.mark.parametrize(("mesh", "name"), [("mesh", "game_point"), ("mesh", "game_face"), ("mesh", "lba_material"), ("spheres", "radius")])
@pytest.mark.parametrize(("kind", "domain"), [("FLOAT_VECTOR", ""), ("INT", "CORNER")])
def test_an_attribute_that_was_converted_is_named(
    fetch: Any, pack: Any, said: Any, chain: Path, mesh: str, name: str, kind: Any, domain: str
) -> None:
    """As Blender's Convert Attribute does it; the body is what is shown."""
    obj = fetch(chain / "chain.lm1").armatures[0]
    before = Plain1(pack(obj))
    data = mesh_named(mesh).data
    was = data.attributes[name].domain
    data.attributes.remove(data.attributes[name])
    data.attributes.new(name, kind, domain or was)
    after = Plain1(pack(obj))
    assert sorted(after.points) == sorted(before.points)
    assert any(f"the attribute {name} of {data.name} is not a number for each" in message.text for message in said.of("WARNING"))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", ["game_point", "game_face", "lba_material"])
def test_an_attribute_of_decimal_numbers_that_are_none(fetch: Any, pack: Any, chain: Path, name: str) -> None:
    """Converted to Float and filled by somebody: what stands for no point and no face is new."""
    obj = fetch(chain / "chain.lm1").armatures[0]
    before = Plain1(pack(obj))
    data = mesh_named("mesh").data
    domain = data.attributes[name].domain
    data.attributes.remove(data.attributes[name])
    values: Any = data.attributes.new(name, "FLOAT", domain).data
    values.foreach_set("value", [(float("inf"), -float("inf"), float("nan"), 3e38, -1e19)[index % 5] for index in range(len(values))])
    assert sorted(Plain1(pack(obj)).points) == sorted(before.points)


@pytest.mark.parametrize("edited", ["custom normals", "shade flat"])
def test_normals_that_the_file_does_not_get_are_named(
    fetch: Any, pack: Any, said: Any, game_file: Callable[[str], Path], edited: str
) -> None:
    obj = fetch(game_file("lba2/Twinsen_Mario_LBA2.lm2")).armatures[0]
    before = pack(obj)
    assert not [message for message in said.of("WARNING") if "normals" in message.text]
    data = mesh_named("mesh").data
    if edited == "custom normals":
        data.normals_split_custom_set([(0, 0, 1)] * len(data.loops))
    else:
        data.polygons.foreach_set("use_smooth", [False] * len(data.polygons))
    assert pack(obj) == before
    assert any("other normals now, by up to" in message.text and "Light: From the Shape" in message.text for message in said.of("WARNING"))


def test_without_its_faces_lines_and_spheres_are_left(fetch: Any, pack: Any, part: Part, said: Any, chain: Path) -> None:
    """Their ends become points of the body. An armature that is mirrored as an object says that the file is not."""
    obj = fetch(chain / "chain.lm1").armatures[0]
    faces = next(each for each in obj.children_recursive if each.name.endswith("mesh"))
    before = part("core.lba.files.lm1").Lm1.parse(kept_of(obj, part))
    said.messages.clear()
    bpy.data.objects.remove(faces)
    after = part("core.lba.files.lm1").Lm1.parse(pack(obj))
    assert (len(after.lines), len(after.spheres), len(after.polygons)) == (len(before.lines), len(before.spheres), 0)
    assert not said.of("WARNING")
    obj.scale.x = -1
    bpy.context.view_layer.update()
    assert pack(obj) == after.pack()
    (message,) = said.of("WARNING")
    assert "it is mirrored as an object, and is written as it is without" in str(message)


def test_what_does_not_fit_is_refused_by_number(fetch: Any, part: Part, pack: Any, chain: Path) -> None:
    errors = part("core.reporting.errors")
    obj = fetch(chain / "chain.lm1").armatures[0]
    mesh = mesh_named("mesh")
    mesh.data.vertices[8].co.x = 40.0
    with pytest.raises(errors.ExportError, match=r"is at \[40050, 0, 0\] from its pivot, a file reaches 32767: .* Height in Make"):
        pack(obj)
    mesh.data.vertices[8].co.x = -0.15
    first = len(mesh.data.vertices)
    mesh.data.vertices.add(500)
    mesh.vertex_groups[0].add(list(range(first, first + 500)), 1.0, "REPLACE")
    with pytest.raises(errors.ExportError, match=r"511 points, the game has room for 500"):
        pack(obj)
    mesh.vertex_groups[0].remove([first])
    with pytest.raises(errors.ExportError, match="1 vertices have no bone"):
        pack(obj)


def test_the_operator_writes_files_and_entries(fetch: Any, part: Part, game_file: Callable[[str], Path], tmp_path: Path) -> None:
    import shutil

    shutil.copyfile(game_file("lba2/BODY.HQR"), tmp_path / "BODY.HQR")
    shutil.copyfile(game_file("lba2/RESS.HQR"), tmp_path / "RESS.HQR")
    path = tmp_path / "BODY.HQR"
    original = path.read_bytes()
    obj = fetch(path, entries="1").armatures[0]
    bpy.context.view_layer.objects.active = obj
    assert OPS.export_mesh.lba(filepath=str(path)) == {"FINISHED"}
    assert path.read_bytes() == original
    mesh_named("mesh").data.vertices[50].co.x += 0.01
    assert OPS.export_mesh.lba(filepath=str(path)) == {"FINISHED"}
    hqr = part("core.lba.files.archive.hqr").Hqr
    before, after = hqr.parse(original), hqr.parse(path.read_bytes())
    assert [bytes(after.blobs[blob]) == bytes(before.blobs[blob]) for blob in (0, 2, 3)] == [True] * 3
    assert after.read(1) != before.read(1) and after.entry(1).method == before.entry(1).method
    assert path.with_name("BODY.HQR.bak").read_bytes() == original
    assert OPS.export_mesh.lba(filepath=str(path), entry="new") == {"FINISHED"}
    now = hqr.parse(path.read_bytes())
    assert len(now) == len(before) + 1 and now.read(len(before)) == after.read(1)
    with pytest.raises(RuntimeError, match=r"goes to \.lm2 or \.hqr"):
        OPS.export_mesh.lba(filepath=str(tmp_path / "hero.lm1"))
    assert OPS.export_mesh.lba(filepath=str(tmp_path / "hero.lm2")) == {"FINISHED"}
    assert (tmp_path / "hero.lm2").read_bytes() == after.read(1)


def test_a_face_of_the_file_with_more_corners_than_the_game_draws_is_there_in_all_its_triangles(
    fetch: Any, pack: Any, part: Part, tmp_path: Path
) -> None:
    """A vertex put on an edge leaves the face its number."""
    path = tmp_path / "chain.lm2"
    path.write_bytes(lba2_chain.LM2)
    obj = fetch(path).armatures[0]
    data = mesh_named("mesh").data
    edited = bmesh.new()
    edited.from_mesh(data)
    edge = next(face for face in edited.faces if len(face.verts) == 4).edges[0]
    bmesh.utils.edge_split(edge, edge.verts[0], 0.5)
    edited.to_mesh(data)
    edited.free()
    sizes = [len(polygon.vertices) for polygon in data.polygons]
    assert max(sizes) == 5
    written = part("core.lba.files.lm2").Lm2.parse(pack(obj))
    assert written.polygon_count == sum(1 if size <= 4 else size - 2 for size in sizes)


def test_an_lba2_face_of_another_type_and_moved_uvs(fetch: Any, pack: Any, part: Part, tmp_path: Path) -> None:
    path = tmp_path / "chain.lm2"
    path.write_bytes(lba2_chain.LM2)
    obj = fetch(path).armatures[0]
    parse = part("core.lba.files.lm2").Lm2.parse
    before = parse(pack(obj)).faces
    data = mesh_named("mesh").data
    textured = int(np.flatnonzero(before.uv.any(axis=(1, 2)))[0])
    layer = data.uv_layers.active
    loop = data.polygons[textured].loop_start
    layer.uv[loop].vector.x += 0.25
    after = parse(pack(obj)).faces
    changed = np.argwhere(after.uv[textured] != before.uv[textured])
    assert changed.tolist() in ([[0, 0]], [[0, 0], [3, 0]])
    lit = int(np.flatnonzero(before.kind == 4)[0]) if (before.kind == 4).any() else 0
    data.attributes["lba_type"].data[lit].value = 0
    flat = parse(pack(obj))
    assert sorted(flat.faces.kind.tolist()) == sorted([0 if index == lit else kind for index, kind in enumerate(after.kind.tolist())])
    assert flat.polygon_count == len(before.kind)


@pytest.mark.parametrize("away", ["object", "collection"])
def test_meshes_that_are_disabled_in_viewports_go_along(fetch: Any, pack: Any, part: Part, chain: Path, away: str) -> None:
    """Blender leaves their matrices as they were, while the character has walked on."""
    obj = fetch(chain / "chain.lm1").armatures[0]
    meshes = [each for each in bpy.data.objects if each.type == "MESH" and each.parent == obj]
    apart = bpy.data.collections.new("apart")
    bpy.context.scene.collection.children.link(apart)
    for mesh in meshes:
        mesh.users_collection[0].objects.unlink(mesh)
        apart.objects.link(mesh)
        mesh.hide_viewport = away == "object"
    apart.hide_viewport = away == "collection"
    obj.location, obj.rotation_euler = (0.5, -2.0, 0.25), (0.0, 0.0, 0.7)
    bpy.context.view_layer.update()
    assert pack(obj) == (chain / "chain.lm1").read_bytes()
    assert not any(part("io.blender.surface.as_objects").edited_parts(obj, mesh) for mesh in meshes)
