"""Tables of a body by hand: normals that are there once, lines and spheres as records."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.lba.body.lm2_write import lm2_of
from retro_anim.core.lba.body.normal_table import NormalTable, owners
from retro_anim.core.lba.body.outlines import mended
from retro_anim.core.lba.body.shape import Outlines, Points
from retro_anim.core.lba.files import lm1, lm2
from support.lba.lba_shapes import new_shape


def table() -> NormalTable:
    """Two of group 0 and two of group 1, the second of these as the first."""
    return NormalTable(np.array([(1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 1)]), np.array([5, 5, 6, 6]), np.array([0, 0, 1, 1]))


def test_new_normals_are_there_once() -> None:
    normals = table()
    assert [normals.get(0, (1, 0, 0), 5), normals.get(1, (0, 0, 1), 6), normals.get(1, (1, 0, 0), 5)] == [0, 2, 4]
    assert [normals.get(1, (1, 0, 0), 5), normals.get(1, (1, 0, 0), 7), normals.get(0, (9, 9, 9), 5)] == [4, 5, 6]
    result = normals.table(2)
    assert result.directions.tolist() == [[1, 0, 0], [0, 1, 0], [9, 9, 9], [0, 0, 1], [0, 0, 1], [1, 0, 0], [1, 0, 0]]
    assert (result.fourths.tolist(), result.counts.tolist()) == ([5, 5, 5, 6, 6, 5, 7], [3, 4])
    assert result.index.tolist() == [0, 1, 3, 4, 5, 6, 2]


def test_normals_that_nothing_uses_any_more_go() -> None:
    """1 is used by something else still, 3 goes to another group, and of the groups one is gone."""
    normals = table()
    normals.drop(0)
    normals.drop(1)
    assert (normals.keep(1), normals.moved(2, 1), normals.moved(3, 0)) == (1, 2, 4)
    result = normals.table(2)
    assert result.directions.tolist() == [[0, 1, 0], [0, 0, 1], [0, 0, 1]] and result.counts.tolist() == [2, 1]
    assert result.index[[1, 2, 4]].tolist() == [0, 2, 1]
    assert normals.table(1).counts.tolist() == [2] and normals.table(3).counts.tolist() == [2, 1, 0]


@pytest.mark.parametrize(
    ("counts", "total", "expected"), [([2, 0, 1], 3, [0, 0, 2]), ([2, 1], 5, [0, 0, 1, 1, 1]), ([2, 4], 3, [0, 0, 1]), ([], 2, [0, 0])]
)
def test_whose_normals_are(counts: list[int], total: int, expected: list[int]) -> None:
    assert owners(np.array(counts, np.int64), total).tolist() == expected
    assert owners(None, total).tolist() == [0] * total


POINTS = Points(
    np.zeros((3, 3), int),
    np.zeros(3, int),
    np.zeros((3, 3), int),
    np.array([0, 2, -1]),
    np.array([2, 0, 1]),
    np.array([3]),
    np.zeros(1, int),
)
"""The file's points 0 and 2 and a new one; the shape's first point is the last in the file, and 1 and 2 those before it."""


@pytest.mark.parametrize(("kind", "unit"), [(lm1.SPHERE, 6), (lm2.SPHERE, 1)])
def test_spheres_as_records(kind: np.dtype, unit: int) -> None:
    """Radii are whole and not below 0; what is on no point stays between the others, and new ones are behind."""
    before = np.zeros(3, kind)
    before["colour"], before["radius"] = [0x25, 0x26, 0x27], 50
    before["point"][1] = 0xFFFE
    wanted = Outlines(np.array([-1, 2, 0]), np.array([[0], [1], [2]]), np.array([7, 8, 9]), np.array([-3.0, 0.4, 1.6]))
    records = mended(kind, wanted, POINTS, unit, before, np.array([[0], [-1], [0]]))
    assert records["point"].tolist() == [1 * unit, 0xFFFE, 0, 2 * unit]
    assert records["radius"].tolist() == [2, 50, 0, 0]
    assert (records["colour"] & 0xFF).tolist() == [9, 0x26, 8, 7]
    (new,) = mended(
        kind, Outlines(np.array([-1]), np.array([[0]]), np.array([7]), np.array([1e6])), POINTS, unit, None, np.zeros((0, 1), int)
    )
    assert (int(new["point"]), int(new["radius"]), int(new["colour"])) == (2 * unit, 65535, 7)


def test_runs_of_the_second_game_are_by_type_and_triangles_first() -> None:
    square, triangle = (0, 1, 2, 3), (0, 1, 2)
    types = np.array([4, 1, 4, 1, 1])
    points = [(0, 0, 0), (9, 0, 0), (9, 9, 0), (0, 9, 0)]
    faces = [square, triangle, triangle, square, square]
    body = lm2_of(new_shape(points, faces, types=types, normals=np.tile((0.0, 0, 1), (sum(map(len, faces)), 1))))
    assert body.runs["type"].tolist() == [1, 0x8001, 4, 0x8004]


@pytest.mark.parametrize("kind", [8, 9, 10])
def test_new_faces_with_a_texture_are_read_as_they_are_meant(kind: int) -> None:
    """A quad and a triangle of a region of 16 by 64 texels at column 32, row 3; v goes up in Blender. 256 are a texel."""
    faces = [(0, 1, 2, 3), (0, 1, 2)]
    region = (3 * 256 + 32, 15, 63)
    uvs = np.array([(0, 1), (0.5, 1), (0.5, 0.5), (0, 0.5), (0.25, 0.75), (1 / 16, 1), (0, 1)])
    shape = new_shape(
        [(0, 0, 0), (9, 0, 0), (9, 9, 0), (0, 9, 0)],
        faces,
        types=np.full(2, kind),
        regions=np.array([region] * 2),
        uvs=uvs,
        normals=np.tile((0.0, 0, 1), (7, 1)),
    )
    body = lm2.Lm2.parse(lm2_of(shape).pack())
    read = body.faces
    assert sorted(zip(read.kind.tolist(), read.quad.tolist(), read.handle.tolist(), strict=True)) == [(kind, False, 0), (kind, True, 0)]
    assert (body.textures["corner"].tolist(), body.textures["mask"].tolist()) == ([region[0]], [[15, 63]])
    for quad, corners in ((True, [(0, 0), (8, 0), (8, 32), (0, 32)]), (False, [(4, 16), (1, 0), (0, 0)])):
        (face,) = np.flatnonzero(read.quad == quad).tolist()
        assert sorted((read.uv[face, : len(corners)] / 256).tolist()) == sorted(map(list, corners))
