"""What of a broken surface is left out or mended, counted by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.reporting import log
from retro_anim.core.surface.holdable import LARGEST, MOST_MATERIALS, faces_of, holdable, rows_of
from retro_anim.core.surface.mesh import Line, Material, Mesh, Sphere

GREY = Material("grey", "UNLIT", ((0.5, 0.5, 0.5),))


def surface(faces: list[list[int]], points: int = 8, materials: int = 1, **more: Any) -> Mesh:
    """Faces of such points, one behind another. The corners' own numbers are their normals, texture coordinates, colours and lights."""
    counts, corners = np.array([len(face) for face in faces]), np.concatenate(faces)
    number = np.arange(len(corners))
    given = Mesh(
        points=np.arange(points)[:, None] * np.ones(3),
        bones=np.zeros(points, np.int64),
        starts=np.cumsum(counts) - counts,
        counts=counts,
        corners=corners,
        normals=number[:, None] * np.ones(3),
        material_of=np.zeros(len(faces), np.int64),
        materials=[GREY] * materials,
        lines=[],
        spheres=[],
        attributes={"type": np.arange(len(faces), dtype=np.int32) * 0},
        uvs={"UVMap": number[:, None] * np.ones(2)},
        colours=(number[:, None] * np.ones(4)).astype(np.uint8),
        light=number.astype(np.float64),
        numbers=np.arange(len(faces)) + 10,
    )
    return replace(given, **more)


def held(mesh: Mesh) -> tuple[Mesh, list[str]]:
    with log.collect() as said:
        result = holdable(mesh)
    return result, [message.text for message in said.messages]


def test_a_sound_surface_stays_and_nothing_is_said() -> None:
    given = surface([[0, 1, 2], [2, 1, 3, 4]], 5, lines=[Line((0, 4), 0)], spheres=[Sphere(4, LARGEST, 0)])
    mesh, said = held(given)
    assert said == [] and (mesh.lines, mesh.spheres) == (given.lines, given.spheres)
    for name in ("points", "starts", "counts", "corners", "normals", "material_of", "colours", "light", "numbers"):
        np.testing.assert_array_equal(getattr(mesh, name), getattr(given, name))


def test_what_goes_with_faces_that_are_left_out_goes_too() -> None:
    """Of three corners, of two, with a vertex twice, with one that is not there, above and below, and as the first one again."""
    mesh, said = held(surface([[0, 1, 2], [3, 4], [5, 6, 5], [4, 7, 8], [-1, 3, 4], [4, 5, 6, 7], [1, 2, 0]]))
    assert mesh.corners.tolist() == [0, 1, 2, 4, 5, 6, 7] and mesh.numbers is not None and mesh.numbers.tolist() == [10, 15]
    assert (mesh.starts.tolist(), mesh.counts.tolist(), mesh.material_of.tolist()) == ([0, 3], [3, 4], [0, 0])
    own = [0, 1, 2, 14, 15, 16, 17]
    assert mesh.colours is not None and mesh.light is not None
    kept = [mesh.normals[:, 0], mesh.uvs["UVMap"][:, 1], mesh.colours[:, 3], mesh.light]
    assert [values.tolist() for values in kept] == [own] * 4
    assert len(mesh.attributes["type"]) == 2
    assert [line.partition(":")[0] for line in said] == [
        "1 face without three corners",
        "2 faces on vertices that are not there",
        "1 face with a vertex named twice",
        "1 face on the vertices of another one",
    ]


@pytest.mark.parametrize(
    ("starts", "counts", "corners", "expected"),
    [
        ([0, 3], [3, 3], [0, 1, 2, 3, 4, 5], [0, 1]),
        ([3, 0], [3, 3], [0, 1, 2, 3, 4, 5], [0, 1]),  # they need not be in turn
        ([0, 2], [3, 3], [0, 1, 2, 3, 4], [0, 1]),  # and may share corners
        ([0, 3], [3, 4], [0, 1, 2, 3, 4, 5], [0]),
        ([0, -3], [3, 3], [0, 1, 2, 3, 4, 5], [0]),
        ([0, 3], [3, -3], [0, 1, 2, 3, 4, 5], [0]),
        ([0, 1 << 62], [3, 1 << 62], [0, 1, 2, 3, 4, 5], [0]),
        ([], [], [], []),
    ],
)
def test_runs_of_corners_may_hold_anything(starts: list[int], counts: list[int], corners: list[int], expected: list[int]) -> None:
    first, number, points = (np.array(each, np.int64) for each in (starts, counts, corners))
    assert faces_of(6, first, number, points, None).faces.tolist() == expected


@pytest.mark.parametrize(
    ("second", "kinds", "single", "kept"),
    [
        ([0, 1, 2, 3], [0, 0], False, 1),
        ([2, 3, 0, 1], [0, 0], False, 1),  # from another corner on
        ([3, 2, 1, 0], [0, 0], False, 2),  # its back
        ([0, 1, 3, 2], [0, 0], False, 2),  # in another order
        ([0, 1, 2, 3], [0, 1], False, 2),  # of another kind
        ([3, 2, 1, 0], [0, 1], True, 1),
        ([0, 1, 2, 4], [0, 0], True, 2),
    ],
)
def test_faces_on_the_same_vertices(second: list[int], kinds: list[int], single: bool, kept: int) -> None:
    """Apart from two others, which stay."""
    types = np.array([0, kinds[0], 0, kinds[1]], np.int32)
    mesh, said = held(surface([[4, 5, 6], [0, 1, 2, 3], [4, 6, 7], second], single=single, attributes={"type": types}))
    assert len(mesh.counts) == 2 + kept and len(said) == 2 - kept
    assert (mesh.numbers is None, mesh.attributes["type"].tolist()) == (False, types[: 2 + kept].tolist())


def test_materials_that_are_not_there_are_the_nearest() -> None:
    lines = [Line((0, 1), index) for index in (-1, 0, 2, 3)]
    spheres = [Sphere(0, 1.0, index) for index in (-1, 0, 2, 3)] + [Sphere(0, radius, 2) for radius in (-2 * LARGEST, np.nan, -1.0)]
    given = surface([[0, 1, 2], [3, 4, 5], [5, 6, 7], [4, 5, 6]], materials=3, lines=lines, spheres=spheres)
    mesh, _ = held(replace(given, material_of=np.array([-1, 0, 2, 3])))
    assert [line.material for line in mesh.lines] == mesh.material_of.tolist() == [0, 0, 2, 2]
    assert [(sphere.material, sphere.radius) for sphere in mesh.spheres] == [
        *((index, 1.0) for index in (0, 0, 2, 2)),
        *((2, radius) for radius in (0.0, 0.0, -1.0)),
    ]


@pytest.mark.parametrize("count", [0, MOST_MATERIALS, MOST_MATERIALS + 2])
def test_so_many_materials(count: int) -> None:
    mesh, said = held(replace(surface([[0, 1, 2]], materials=count), material_of=np.array([count])))
    assert len(mesh.materials) == min(count, MOST_MATERIALS) and mesh.material_of.tolist() == [max(len(mesh.materials) - 1, 0)]
    assert [line.partition(" ")[0] for line in said] == [f"{count}"] * (count > MOST_MATERIALS)


@pytest.mark.parametrize("more", [0, 1])
def test_lines_and_balls_on_points_that_are_not_there_are_left_out(more: int) -> None:
    lines = [Line((0, 7), 0), Line((0, 8), 0), *[Line((-1, 0), 0)] * more]
    mesh, said = held(surface([[0, 1, 2]], lines=lines, spheres=[Sphere(7, 1.0, 0), *[Sphere(8, 1.0, 0)] * more]))
    assert (len(mesh.lines), len(mesh.spheres)) == (1, 1) and said == [
        f"{1 + 2 * more} lines and spheres on points that are not there: left out"
    ]


def test_numbers_that_are_none_are_0() -> None:
    """Of 8 points 3 have one: just as much as is taken is none."""
    points = np.ones((8, 3))
    points[[1, 3, 5, 7], [0, 1, 2, 2]] = np.nan, -np.inf, 1.001 * LARGEST, LARGEST
    points[1, 2] = np.inf
    weights = np.array([[-0.5], [1.5], [0.25], [1.000001], [-0.000001], [np.nan], [0.0], [1.0]])
    mesh, said = held(replace(surface([[0, 1, 2]]), points=points, weights=weights))
    assert mesh.points[[1, 3, 5, 7]].tolist() == [[0, 1, 0], [1, 0, 1], [1, 1, 0], [1, 1, LARGEST]]
    assert mesh.weights is not None and mesh.weights.ravel().tolist() == [0, 1, 0.25, 1, 0, 0, 0, 1]
    assert said == [
        "3 positions that are no usable numbers: taken as 0",
        "1 weights that are no usable numbers: taken as 0",
        "2 vertices with weights that are not between 0 and 1: cut to that",
    ]


@pytest.mark.parametrize(("rows", "expected"), [([2, 0], [[5, 6], [1, 2]]), ([-1, 1, 3], [[0, 0], [3, 4], [0, 0]])])
def test_rows_that_are_not_there_are_zeros(rows: list[int], expected: list[list[int]]) -> None:
    assert rows_of(np.array([[1, 2], [3, 4], [5, 6]]), np.array(rows)).tolist() == expected


def test_twins_are_on_the_same_points() -> None:
    """The first with its back, the last with the same one again; the second has a point more."""
    assert surface([[0, 1, 2], [0, 1, 2, 3], [2, 1, 0], [1, 2, 3], [4, 5, 6], [5, 6, 4]]).twins().tolist() == [
        True,
        False,
        True,
        False,
        True,
        True,
    ]
