"""Meshes of a body that were joined with those of another kind: nothing becomes what it is not, and separated again they are what they
were, and can be edited."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from numpy.typing import NDArray
from support.sample_characters import opened

OPS: Any = bpy.ops
CONTEXT: Any = bpy.context
Part = Callable[[str], ModuleType]

EDITIONS = ["lba1", "lba2"]
PAIRS = [
    ("surface", "lines"),
    ("lines", "surface"),
    ("surface", "spheres"),
    ("spheres", "surface"),
    ("lines", "spheres"),
    ("spheres", "lines"),
]
"""The active one first."""

REFUSED = r"are joined in one mesh, all of which would be written as the same: undo that, or separate them in Edit Mode"


def packed(part: Part, obj: Any) -> Any:
    bodies, options = part("io.lba.bodies"), part("core.lba.game").BodyOptions()
    return bodies.pack_body(bpy.context, obj, options)


def refused(part: Part, obj: Any, match: str = REFUSED) -> None:
    with pytest.raises(part("core.reporting.errors").ExportError, match=match):
        packed(part, obj)


def meshes(edition: str, folder: Path) -> tuple[Any, dict[str, Any]]:
    """The armature of a sample, and its meshes by kind."""
    obj, surface = opened(edition, folder)
    others = {kind: next(each for each in obj.children_recursive if f" {kind}" in each.name) for kind in ("lines", "spheres")}
    return obj, {"surface": surface, **others}


def join(active: Any, other: Any) -> None:
    for each in CONTEXT.view_layer.objects:
        each.select_set(each in (active, other))
    CONTEXT.view_layer.objects.active = active
    OPS.object.join()


def separate_loose_parts(mesh: Any, _: NDArray[np.bool_]) -> None:
    OPS.object.mode_set(mode="EDIT")
    OPS.mesh.select_all(action="SELECT")
    OPS.mesh.separate(type="LOOSE")
    OPS.object.mode_set(mode="OBJECT")


def separate_selection(mesh: Any, chosen: NDArray[np.bool_]) -> None:
    OPS.object.mode_set(mode="EDIT")
    OPS.mesh.select_mode(type="VERT")
    OPS.mesh.select_all(action="DESELECT")
    OPS.object.mode_set(mode="OBJECT")
    mesh.data.vertices.foreach_set("select", chosen)
    OPS.object.mode_set(mode="EDIT")
    OPS.mesh.separate(type="SELECTED")
    OPS.object.mode_set(mode="OBJECT")


def positions_of(mesh: Any) -> NDArray[np.float64]:
    """(V, 3)"""
    return np.array([vertex.co for vertex in mesh.data.vertices], np.float64)


def records(part: Part, body: Any) -> dict[str, list[Any]]:
    """Lines and spheres as the game has them: colour, radius, and at each end the group and the place. In LBA1 a point is counted in its
    6 bytes."""
    of = part("core.lba.body.body").Body.of(body)
    size = 6 if "material" in body.lines.dtype.names else 1

    def ends(points: Any) -> list[Any]:
        return [(int(of.group_of[point]), *of.rest_points[point].tolist()) for point in np.atleast_1d(points).astype(int) // size]

    return {
        "lines": [(int(line["colour"]), 0, ends(line["points"])) for line in body.lines],
        "spheres": sorted((int(ball["colour"]), int(ball["radius"]), ends(ball["point"])) for ball in body.spheres),
    }


def colours(body: Any) -> list[int]:
    """Of all faces."""
    return sorted((body.polygons["colour"] if hasattr(body, "polygons") else body.faces.colour).tolist())


@pytest.mark.thorough
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("into", "joined"), PAIRS)
@pytest.mark.parametrize("separate", [separate_loose_parts, separate_selection])
def test_joined_and_separated(part: Part, tmp_path: Path, edition: str, into: str, joined: str, separate: Callable[..., None]) -> None:
    obj, kinds = meshes(edition, tmp_path)
    before = packed(part, obj)
    came = positions_of(kinds[joined])
    join(kinds[into], kinds[joined])
    these = [kind for kind in ("the surface", "lines", "spheres") if kind.removeprefix("the ") in (into, joined)]
    refused(part, obj, rf": {these[0]} and {these[1]} {REFUSED}")

    there = positions_of(kinds[into])
    separate(kinds[into], (np.abs(there[:, None] - came).max(axis=2) < 1e-6).any(axis=1))
    after = packed(part, obj)
    assert records(part, after) == records(part, before)
    assert len(after.lines) == 1 and len(after.spheres) == 2
    assert colours(after) == colours(before)


@pytest.mark.thorough
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("into", ["surface", "lines", "spheres"])
@pytest.mark.parametrize("up", [0.05, 0.3])
def test_a_line_is_moved_once_it_was_separated(part: Part, tmp_path: Path, edition: str, into: str, up: float) -> None:
    """By so many metres, of which a game unit is 0.001, up, which is the game's Y."""
    obj, kinds = meshes(edition, tmp_path)
    ((colour, _, before),) = records(part, packed(part, obj))["lines"]
    corners = positions_of(kinds["lines"])
    join(kinds[into], kinds["surface" if into == "lines" else "lines"])
    separate_loose_parts(kinds[into], np.zeros(0, bool))
    (line,) = (
        each
        for each in obj.children_recursive
        if each.type == "MESH"
        and len(each.data.vertices) == 8
        and np.abs(positions_of(each)[:, None] - corners).max(axis=2).min(axis=1).max() < 1e-6
    )
    for vertex in line.data.vertices:
        vertex.co.z += up
    ((moved_colour, _, after),) = records(part, packed(part, obj))["lines"]
    assert moved_colour == colour and [end[0] for end in after] == [end[0] for end in before]
    moved = np.array(after)[:, 1:] - np.array(before)[:, 1:]
    assert np.abs(moved - [0, up * 1000, 0]).max() <= 1


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_line_is_made_shorter_than_its_bar_is_wide(part: Part, tmp_path: Path, edition: str) -> None:
    """3 units of 6, along the game's Y."""
    obj, kinds = meshes(edition, tmp_path)
    ((_, _, before),) = records(part, packed(part, obj))["lines"]
    vertices = kinds["lines"].data.vertices
    for start, end in zip(vertices[:4], vertices[4:], strict=True):
        end.co = start.co
        end.co.z += 0.003
    ((_, _, after),) = records(part, packed(part, obj))["lines"]
    assert np.abs(np.array(after)[:, 1:] - [before[0][1:], np.add(before[0][1:], [0, 3, 0])]).max() <= 1
    assert after[0] == before[0] and after[1][0] == before[1][0]


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_line_with_a_vertex_of_its_own_and_one_of_the_surface(part: Part, tmp_path: Path, edition: str) -> None:
    """A new vertex is the line's, one that hangs together with it is still the surface's."""
    obj, kinds = meshes(edition, tmp_path)
    before = records(part, packed(part, obj))
    data = kinds["lines"].data
    data.attributes["game_outline"].data[7].value = 0
    assert records(part, packed(part, obj)) == before
    data.attributes.new("game_point", "INT", "POINT").data[7].value = 1
    refused(part, obj, rf": the surface and lines {REFUSED}")


def cube(obj: Any) -> Any:
    """One's own, which the root moves."""
    OPS.mesh.primitive_cube_add(size=0.2, location=(0, 0, 1))
    box = CONTEXT.object
    box.parent = obj
    box.modifiers.new("Armature", "ARMATURE").object = obj
    box.vertex_groups.new(name=obj.data.bones[0].name).add(list(range(8)), 1, "ADD")
    return box


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("into", ["lines", "spheres"])
def test_new_faces_are_no_lines_or_spheres(part: Part, tmp_path: Path, edition: str, into: str) -> None:
    obj, kinds = meshes(edition, tmp_path)
    join(kinds[into], cube(obj))
    refused(part, obj, rf": the surface and {into} {REFUSED}")


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("kind", ["lines", "spheres"])
def test_the_surface_without_its_numbers_is_still_the_surface(part: Part, tmp_path: Path, edition: str, kind: str) -> None:
    obj, kinds = meshes(edition, tmp_path)
    before = packed(part, obj)
    join(kinds["surface"], kinds[kind])
    kinds["surface"].data.attributes.remove(kinds["surface"].data.attributes["game_point"])
    refused(part, obj, rf": the surface and {kind} {REFUSED}")
    separate_loose_parts(kinds["surface"], np.zeros(0, bool))
    after = packed(part, obj)
    assert (len(after.lines), len(after.spheres)) == (1, 2)
    assert {*colours(after)} == {*colours(before)} and len(colours(after)) >= len(colours(before))  # some are triangles now


@pytest.mark.parametrize("edition", EDITIONS)
def test_edges_are_lines_but_among_spheres(part: Part, tmp_path: Path, edition: str) -> None:
    obj, kinds = meshes(edition, tmp_path)
    edge = cube(obj)
    edge.data = bpy.data.meshes.new("edge")
    edge.data.from_pydata([(0, 0, 0), (0, 0, 0.3)], [(0, 1)], [])
    edge.vertex_groups.new(name=obj.data.bones[0].name).add([0, 1], 1, "ADD")
    twin = edge.copy()
    twin.data = edge.data.copy()
    CONTEXT.collection.objects.link(twin)
    join(kinds["lines"], edge)
    assert len(packed(part, obj).lines) == 3
    join(kinds["spheres"], twin)
    refused(part, obj, rf": lines and spheres {REFUSED}")


@pytest.mark.parametrize("edition", EDITIONS)
def test_copies_are_new_lines_and_spheres(part: Part, tmp_path: Path, edition: str) -> None:
    obj, kinds = meshes(edition, tmp_path)
    for kind in ("lines", "spheres"):
        CONTEXT.view_layer.objects.active = kinds[kind]
        OPS.object.mode_set(mode="EDIT")
        OPS.mesh.select_all(action="SELECT")
        OPS.mesh.duplicate_move(TRANSFORM_OT_translate={"value": (0, 0, 0.5)})
        OPS.object.mode_set(mode="OBJECT")
    after = packed(part, obj)
    assert (len(after.lines), len(after.spheres)) == (2, 4)


@pytest.mark.parametrize("edition", EDITIONS)
def test_numbers_that_were_converted(part: Part, tmp_path: Path, edition: str) -> None:
    """As numbers of another type they still tell lines and spheres from faces; of faces they do not, which is said."""
    obj, kinds = meshes(edition, tmp_path)
    join(kinds["surface"], kinds["spheres"])
    data = kinds["surface"].data
    CONTEXT.view_layer.objects.active = kinds["surface"]
    data.attributes.active = data.attributes["game_outline"]
    OPS.geometry.attribute_convert(domain="POINT", data_type="FLOAT")
    refused(part, obj)
    data.attributes.active = data.attributes["game_outline"]
    OPS.geometry.attribute_convert(domain="FACE", data_type="INT")
    refused(part, obj, r"its attribute game_outline is not a number for each vertex any more.*undo its conversion")


@pytest.mark.parametrize("edition", EDITIONS)
def test_spheres_of_no_size_are_no_lines(part: Part, tmp_path: Path, edition: str) -> None:
    """As a file may have them, beside others and alone."""
    obj, kinds = meshes(edition, tmp_path)
    data: Any = kinds["spheres"].data
    numbers = np.array([item.value for item in data.attributes["game_outline"].data])
    for number in np.unique(numbers):
        mine = np.flatnonzero(numbers == number)
        middle = positions_of(kinds["spheres"])[mine].mean(axis=0)
        for index in mine.tolist():
            data.vertices[index].co, data.attributes["radius"].data[index].value = middle, 0.0
        assert len(packed(part, obj).spheres) == 2
    assert packed(part, obj).spheres["radius"].tolist() == [0, 0]
