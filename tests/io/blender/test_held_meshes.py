"""Surfaces that Blender cannot hold as they are: it lives, what is built is sound, and files come out as they went in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support import counted

Part = Callable[[str], ModuleType]

NUMBERS = st.sampled_from([0.0, 1.0, -2.5, 1e-30, 1e14, 1e300, float("nan"), float("inf"), float("-inf")])


@pytest.fixture
def build(part: Part) -> Callable[..., tuple[Any, Any]]:
    """Builds a surface on a rig of two bones: gives its mesh, the surface as it is held, and the log's messages."""
    mesh, rigs, skeletons, log = (
        part("core.surface.mesh"),
        part("core.motion.rigs.matrix_rig"),
        part("core.motion.rigs.skeleton"),
        part("core.reporting.log"),
    )
    heads = np.array([[0.0, 0, 0], [0, 0, 1]])
    tips = heads + np.array([0, 0, 0.5])
    skeleton = skeletons.Skeleton(("low", "high"), np.array([-1, 0], np.int32), heads, tips)
    rig = rigs.MatrixRig(skeleton, np.diag([1.0, -1, 1]), np.repeat(np.eye(3)[None], 2, axis=0), heads, tips)
    armature = part("io.blender.armature").build(bpy.context, "rig", rig, 1.0)

    def run(points: Any, starts: Any, counts: Any, corners: Any, **more: Any) -> tuple[Any, Any]:
        points, corners = np.asarray(points, float).reshape(-1, 3), np.asarray(corners, np.int64)
        values = {
            "bones": np.zeros(len(points), np.int64),
            "normals": np.tile([0.0, 0, 1], (len(corners), 1)),
            "material_of": np.zeros(len(starts), np.int64),
            "materials": [mesh.Material("plain", "SMOOTH", ((1.0, 1.0, 1.0),))],
            "lines": [],
            "spheres": [],
            "attributes": {"number": np.arange(len(starts), dtype=np.int32) // 8},
            "uvs": {"UVMap": np.zeros((len(corners), 2))},
            "colours": np.zeros((len(corners), 4), np.uint8),
        } | more
        surface = mesh.Mesh(
            points=points, starts=np.asarray(starts, np.int64), counts=np.asarray(counts, np.int64), corners=corners, **values
        )
        with log.collect() as said:
            objects = part("io.blender.surface.mesh").build(bpy.context, "surface", surface, rig, armature, 1.0)
        return objects, [message.text for message in said.messages]

    return run


def faces_of(obj: Any) -> list[list[int]]:
    return [list(face.vertices) for face in obj.data.polygons]


def is_sound(obj: Any) -> bool:
    """Whether Blender finds nothing to mend but faces on the same vertices, which show two sides or two materials."""
    data = obj.data.copy()
    sets = [frozenset(face) for face in faces_of(obj)]
    wanted = len(data.vertices), len(data.edges), len(set(sets))
    mended = data.validate(verbose=True) or data.validate_material_indices()
    return mended == (len(set(sets)) < len(sets)) and wanted == (len(data.vertices), len(data.edges), len(data.polygons))


SQUARE = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]


def test_each_kind_of_face(build: Any) -> None:
    """Two sound faces; then a vertex twice, too few, not there, negative, twice the same, back to back, a run outside of the corners."""
    corners = [0, 1, 2, 0, 2, 3, 0, 0, 1, 0, 1, 0, 1, 9, 0, 1, -1, 1, 2, 0, 2, 1, 0, 3]
    starts = [0, 3, 6, 9, 11, 14, 17, 20, 22, -1]
    counts = [3, 3, 3, 2, 3, 3, 3, 3, 3, 3]
    numbers = np.array([4, 5, 0, 0, 0, 0, 4, 6, 0, 0], np.int32)
    (obj,), said = build(SQUARE, starts, counts, corners, attributes={"number": numbers})
    # the axes mirror, so every face is the other way round; the last lies back to back with the first
    assert faces_of(obj) == [[2, 1, 0], [3, 2, 0], [0, 1, 2]]
    assert [item.value for item in obj.data.attributes["number"].data] == [4, 5, 6]
    assert len(obj.data.vertices) == 4
    assert all(vertex.groups[0].weight == 1 for vertex in obj.data.vertices)
    assert is_sound(obj)
    assert said == [
        "3 faces without three corners: left out",
        "2 faces on vertices that are not there: left out",
        "1 face with a vertex named twice: left out, Blender cannot hold them",
        "1 face on the vertices of another one: left out, Blender cannot hold them",
    ]


def test_a_sound_surface_is_untouched(build: Any) -> None:
    (obj,), said = build(SQUARE, [0], [4], [0, 1, 2, 3])
    assert faces_of(obj) == [[3, 2, 1, 0]]
    assert (len(obj.data.vertices), said) == (4, [])


@pytest.mark.parametrize("points", [[], SQUARE])
def test_nothing_to_show(build: Any, points: Any) -> None:
    (obj,), _ = build(points, [], [], [])
    assert (len(obj.data.vertices), len(obj.data.polygons)) == (len(points), 0)
    assert is_sound(obj)


def test_lines_and_spheres_on_points_that_are_not_there(build: Any, part: Part) -> None:
    mesh = part("core.surface.mesh")
    lines = [mesh.Line((0, 1), 0), mesh.Line((0, 4), 0), mesh.Line((-1, 0), 0)]
    spheres = [mesh.Sphere(4, 1.0, 0), mesh.Sphere(2, float("nan"), 5)]
    objects, said = build(SQUARE, [0], [4], [0, 1, 2, 3], lines=lines, spheres=spheres)
    assert [len(obj.data.vertices) for obj in objects][1] == 8
    assert all(map(is_sound, objects))
    assert said == ["3 lines and spheres on points that are not there: left out"]


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data())
def test_any_surface(build: Any, data: Any) -> None:
    """Degenerate, doubled, out of range, empty, of numbers that are none."""
    count = data.draw(st.integers(0, 6))
    points = data.draw(st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS), min_size=count, max_size=count))
    corners = data.draw(st.lists(st.integers(-1, count), max_size=40))
    runs = data.draw(st.lists(st.tuples(st.integers(-1, 40), st.integers(-1, 6)), max_size=16))
    normals = data.draw(st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS), min_size=len(corners), max_size=len(corners)))
    uvs = data.draw(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=len(corners), max_size=len(corners)))
    weights = data.draw(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=count, max_size=count))
    (obj,), _ = build(
        points, [run[0] for run in runs], [run[1] for run in runs], corners,
        normals=np.array(normals, float).reshape(-1, 3), uvs={"UVMap": np.array(uvs, float).reshape(-1, 2)},
        bones=np.tile([0, 9], (count, 1)), weights=np.array(weights, float).reshape(-1, 2),
    )  # fmt: skip
    assert len(obj.data.vertices) == count
    there = [corners[start : start + size] for start, size in runs if start >= 0 and size >= 3 and start + size <= len(corners)]
    fine = {frozenset(face) for face in there if len(set(face)) == len(face) and all(0 <= vertex < count for vertex in face)}
    assert {frozenset(face) for face in faces_of(obj)} == fine
    assert is_sound(obj)
    bpy.context.view_layer.update()
    bpy.data.meshes.remove(obj.data)


@pytest.mark.thorough
def test_a_million_faces(build: Any) -> None:
    """Of a grid, one in ten with a vertex twice, and one in a hundred twice: what is sound comes in, as whole arrays."""
    side = 709
    first = (np.arange(side - 1)[:, None] * side + np.arange(side - 1)).ravel()
    faces = np.concatenate([np.stack([first, first + 1, first + side], 1), np.stack([first + 1, first + side + 1, first + side], 1)])[
        :1_000_000
    ]
    spoiled = np.arange(len(faces)) % 10 == 0
    faces[spoiled, 2] = faces[spoiled, 0]
    faces[1::100] = faces[2::100]
    points = np.stack([np.arange(side * side) % side, np.arange(side * side) // side, np.zeros(side * side)], 1)
    with counted.calls() as calls:
        (obj,), _ = build(points, np.arange(len(faces)) * 3, np.full(len(faces), 3), faces.ravel())
    assert calls() < len(faces) / 2
    assert len(obj.data.polygons) == 1_000_000 - 100_000 - 10_000
    assert is_sound(obj)


def test_every_given_mesh_in_one_process(part: Part, game_file: Callable[[str], Path], tmp_path: Path) -> None:
    mindpower, export = part("io.mindpower.build"), part("io.mindpower.write")
    sources = sorted(game_file("mindpower/model/character").glob("*.lgo"))
    assert {"0113000000", "0861000001"} <= {path.stem for path in sources}
    for source in sources:
        imported = mindpower.import_mindpower(bpy.context, mindpower.ImportOptions((str(source),)))
        bpy.context.view_layer.update()
        target = tmp_path / source.name
        bpy.context.view_layer.objects.active = imported.armatures[0]
        export.export_mindpower(bpy.context, export.ExportOptions(str(target)))
        assert target.read_bytes() == source.read_bytes(), source
        assert not any(obj.data.copy().validate() for obj in imported.meshes), source
        assert all(map(is_sound, imported.meshes)), source  # afterwards: what it mends in a copy, old Blenders mend in the mesh as well
        bpy.data.batch_remove([*imported.meshes, *imported.armatures])


@pytest.mark.parametrize("added", [False, True], ids=["same vertices", "more vertices"])
def test_faces_that_blender_cannot_hold_go_back_into_an_edited_file(
    part: Part, game_file: Callable[[str], Path], tmp_path: Path, added: bool
) -> None:
    source = game_file("mindpower/model/character/0861000001.lgo")
    mindpower, export, log = part("io.mindpower.build"), part("io.mindpower.write"), part("core.reporting.log")
    data: Any = mindpower.import_mindpower(bpy.context, mindpower.ImportOptions((str(source),))).meshes[0].data
    parse = part("core.mindpower.files.mesh.lgo").Lgo.parse
    before = parse(source.read_bytes()).mesh
    data.vertices[5].co.x += 0.001  # so little that the normals of its faces stay theirs
    if added:
        data.vertices.add(3)
        data.loops.add(3)
        data.polygons.add(1)
        first = len(data.vertices) - 3
        for corner in range(3):
            data.vertices[first + corner].co = (corner, 0, corner * corner)
            data.loops[len(data.loops) - 3 + corner].vertex_index = first + corner
        data.polygons[-1].loop_start = len(data.loops) - 3
        data.update(calc_edges=True)
    with log.collect() as said:
        export.export_mindpower(bpy.context, export.ExportOptions(str(tmp_path / "out.lgo")))
    assert not [message.text for message in said.messages if "faces" in message.text]
    now = parse((tmp_path / "out.lgo").read_bytes()).mesh
    assert len(now.triangles) == len(before.triangles) + added
    assert flat(now) == flat(before)
    assert sum(len(set(face)) < 3 for face in now.triangles.tolist()) == 12


def flat(mesh: Any) -> list[Any]:
    """The corners of triangles of which two are at the same position."""
    corners = np.round(mesh.positions[mesh.triangles], 4).tolist()
    return sorted(sorted(map(tuple, face)) for face in corners if len(set(map(tuple, face))) < 3)


def test_of_faces_on_the_same_vertices_blender_keeps_one(build: Any) -> None:
    """Whatever their side and material, in a mesh that says so; the first one stays."""
    points = [(0, 0, 0), (1, 0, 0), (0, 0, 1), (1, 0, 1)]
    corners = [0, 1, 2, 2, 1, 0, 1, 2, 0, 1, 3, 2]
    (obj,), said = build(points, [0, 3, 6, 9], [3] * 4, corners, material_of=np.array([0, 0, 0, 0]), single=True)
    assert len(obj.data.polygons) == 2
    assert "2 faces on the vertices of another one: left out, Blender cannot hold them" in said
    assert not obj.data.validate()
