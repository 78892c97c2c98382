"""Bodies that are worked out by hand: which way faces look, what groups hang on, and which normal lights which corner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.lba.body import limits
from retro_anim.core.lba.body.lm1_write import lm1_of
from retro_anim.core.lba.body.lm2_write import lm2_of
from retro_anim.core.lba.body.shape import Shape, rotated_faces
from retro_anim.core.lba.files.lm1 import Lm1
from retro_anim.core.lba.files.lm2 import Lm2
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import ExportError
from support.lba import lba1_chain, lba2_chain
from support.lba.lba_shapes import FLAT_LIT, SQUARE, new_shape, shape_of

CHAIN1, CHAIN2 = Lm1.parse(lba1_chain.LM1), Lm2.parse(lba2_chain.LM2)
POINT = 6
"""Bytes: the file has references to points multiplied by it."""


def test_a_new_face_is_lit_from_where_it_looks() -> None:
    """Counter-clockwise seen from +z; the same the other way round; and one that stands on an edge of it, looking along -x."""
    shape = new_shape([*SQUARE, (10, 10, 100), (10, 110, 100)], [(0, 1, 2, 3), (2, 1, 0), (0, 4, 5, 3)])
    after = lm1_of(shape)
    _, _, normal = after.corner_references()
    lights = after.normals["direction"][after.stream[np.unique(normal)]]
    assert lights.tolist() == [[0, 0, 64], [0, 0, -64], [-64, 0, 0]]


def test_a_group_hangs_on_the_point_at_its_bone_s_head_whatever_order_points_come_in() -> None:
    """The first point of the mesh is of the second group, and the third group hangs on it; in the file it comes after the root's."""
    shape = new_shape(
        [(0, 100, 0), (0, 0, 0), (30, 150, 0)],
        [(0, 1, 2)],
        names=("root", "spine", "head"),
        parents=np.array([-1, 0, 1]),
        heads=np.array([(0, 0, 0), (0, 0, 0), (0, 100, 0)], float),
        group_of=np.array([1, 0, 2]),
    )
    after = Lm1.parse(lm1_of(shape).pack())
    assert after.groups is not None
    assert after.groups["pivot"].tolist() == [0, 0, 1 * POINT]
    assert after.points.tolist() == [[0, 0, 0], [0, 100, 0], [30, 50, 0]], "each from what its group hangs on"


def test_a_flat_face_over_two_groups_is_lit_with_the_first_of_its_corners() -> None:
    """The normal of the triangle belongs to the spine, of which its first corner is, and the one of the same turned by a corner to the
    root."""
    for faces, of_groups in (([(2, 0, 1)], [0, 1]), ([(0, 1, 2)], [1, 0])):
        shape = new_shape(
            [(0, 0, 0), (50, 0, 0), (0, 90, 0)],
            faces,
            names=("root", "spine"),
            parents=np.array([-1, 0]),
            heads=np.zeros((2, 3)),
            group_of=np.array([0, 0, 1]),
        )
        groups = lm1_of(shape).groups
        assert groups is not None and groups["normal_count"].tolist() == of_groups


def arms(*heads: tuple[int, int, int]) -> Shape:
    """A root and two arms at their bones' heads, a triangle each; where no point is at a head, the file gets one of the root for it."""
    triangle = np.array([(10, 10, 0), (30, 10, 0), (10, 40, 0)])
    every = [(0, 0, 0), *heads]
    return new_shape(
        [tuple(point) for head in every for point in (triangle + head).tolist()],
        [(0, 1, 2), (3, 4, 5), (6, 7, 8)],
        names=("root", "left", "right"),
        parents=np.array([-1, 0, 0]),
        heads=np.array(every, float),
        group_of=np.repeat([0, 1, 2], 3),
    )


@pytest.mark.parametrize(
    ("moved", "root"),
    [
        ((1, 2), [(60, 80, 0)]),
        ((1,), [(50, 80, 0), (60, 80, 0)]),
        ((2,), [(50, 80, 0), (60, 80, 0)]),
        ((), [(50, 80, 0)]),
    ],
)
def test_a_point_that_is_nothing_but_a_pivot_goes_with_all_that_hang_on_it(
    moved: tuple[int, ...], root: list[tuple[int, int, int]]
) -> None:
    """Both arms hang on one point of the root. It goes to where both of their bones are now; where one stays, the other gets its own."""
    original = Lm1.parse(lm1_of(arms((50, 80, 0), (50, 80, 0))).pack())
    assert original.points.tolist()[3:4] == [[50, 80, 0]]
    shape = shape_of(original)
    heads = shape.heads.copy()
    heads[list(moved), 0] += 10
    after = Lm1.parse(lm1_of(replace(shape, heads=heads), original).pack())
    assert after.groups is not None
    assert [tuple(point) for point in after.points.tolist()[3 : after.groups["point_count"][0]]] == root
    pivots = after.points[after.groups["pivot"][1:] // POINT].tolist()
    assert pivots == [[60 if group in moved else 50, 80, 0] for group in (1, 2)]


def of_file(**fields: Any) -> Shape:
    """The square and a small triangle as a file has them, points 0 to 6, faces 0 and 1."""
    small = [(0, 0, 0), (6, 0, 0), (0, 6, 0)]
    return new_shape([*SQUARE, *small], [(0, 1, 2, 3), (4, 5, 6)], numbers=np.arange(7), face_numbers=np.arange(2), **fields)


def test_by_how_much_faces_of_the_file_look_elsewhere() -> None:
    """Raised by as much as it is wide at one side, the square leans back by 45 degrees. What is too small does not count."""
    shape = of_file()
    rest = shape.positions.copy()
    assert rotated_faces(shape, rest).tolist() == [0, 0]
    leaning = rest.copy()
    leaning[2:4, 2] = 100
    leaning[4:] = leaning[4:, [2, 1, 0]]
    assert rotated_faces(replace(shape, positions=leaning), rest) == pytest.approx([np.pi / 4, 0])
    assert rotated_faces(replace(shape, positions=leaning, face_numbers=np.array([-1, -1])), rest).tolist() == [0, 0], "new faces"
    new_corner = shape.numbers.copy()
    new_corner[3] = -1
    assert rotated_faces(replace(shape, positions=leaning, numbers=new_corner), rest).tolist() == [0, 0], "with a new point"


def test_faces_of_a_file_that_had_no_points_are_new() -> None:
    shape = new_shape(SQUARE, [(0, 1, 2, 3)])
    assert rotated_faces(shape, np.zeros((0, 3))).tolist() == [0]


def flipped(shape: Shape, face: int) -> Shape:
    corners = shape.corners.copy()
    corners[shape.face(face)] = corners[shape.face(face)][::-1]
    return replace(shape, corners=corners)


def around(points: Sequence[int]) -> list[int]:
    first = points.index(min(points))
    return [*points[first:], *points[:first]]


def test_a_face_that_is_turned_over_is_written_so() -> None:
    """The triangle 2 3 4 of both games, which comes second; its neighbours stay."""
    shape = shape_of(CHAIN1)
    after = lm1_of(flipped(shape, 1), CHAIN1)
    _, point, _ = after.corner_references()
    corners = (after.stream[point] // POINT).tolist()
    assert [corners[:3], around(corners[3:6]), corners[6:]] == [[0, 2, 3], [2, 4, 3], [3, 6, 8, 4]]
    assert after.normals["direction"].tolist() == [[0, 0, 64], [0, 0, -64]], "of the quad, and of what looks back now"
    shape2 = shape_of(CHAIN2)
    (face,) = np.flatnonzero(shape2.face_numbers == 1).tolist()
    after2 = lm2_of(flipped(shape2, face), CHAIN2)
    flat = [around(row[:3]) for row, kind in zip(after2.faces.corners.tolist(), after2.faces.type.tolist(), strict=True) if kind == 1]
    assert sorted(flat) == [[2, 4, 3], [2, 4, 3]], "and the one that was turned over before"


def test_a_corner_that_goes_to_another_group_takes_its_normal_along() -> None:
    """Point 8, of group 3, becomes one of group 4: the quad's one normal stays group 1's for the other corners, and group 4 has its own."""
    shape = shape_of(CHAIN1)
    group_of = shape.group_of.copy()
    group_of[8] = 4
    after = lm1_of(replace(shape, group_of=group_of), CHAIN1)
    assert after.groups is not None
    assert after.groups["normal_count"].tolist() == [0, 1, 0, 0, 1]
    assert after.normals["direction"].tolist() == [[0, 0, 64]] * 2
    _, point, normal = after.corner_references()
    lit = dict(zip((after.stream[point[-4:]] // POINT).tolist(), after.stream[normal[-4:]].tolist(), strict=True))
    assert lit == {3: 0, 6: 0, 8: 1, 4: 0}


def test_a_lit_face_that_is_flipped_keeps_the_normals_of_its_corners() -> None:
    """Of the quad 3 6 8 4, of which corner 8 has a normal of its own in the file, number 1."""
    _, point, normal = CHAIN1.corner_references()
    stream = CHAIN1.stream.copy()
    stream[normal[8]] = 1
    normals = CHAIN1.normals[[0, 0]].copy()
    normals["direction"][1] = (64, 0, 0)
    groups = CHAIN1.groups
    assert groups is not None
    groups = groups.copy()
    groups["normal_count"][1:4], groups["first_normal"][1:4] = (1, 0, 1), (0, 8, 8)
    document = replace(CHAIN1, stream=stream, normals=normals, groups=groups)
    after = lm1_of(flipped(shape_of(document), 2), document)
    _, point, normal = after.corner_references()
    corners, lights = (after.stream[point[-4:]] // POINT).tolist(), after.normals["direction"][after.stream[normal[-4:]]].tolist()
    assert around(corners) == [3, 4, 8, 6]
    assert dict(zip(corners, lights, strict=True)) == {3: [0, 0, 64], 4: [0, 0, 64], 8: [64, 0, 0], 6: [0, 0, 64]}


def lit_by(number: int) -> Lm1:
    """The chain, whose flat face has that number of a normal; the file has one, number 0."""
    _, _, normal = CHAIN1.corner_references()
    stream = CHAIN1.stream.copy()
    stream[normal[3]] = number
    return replace(CHAIN1, stream=stream)


@pytest.mark.parametrize("number", [1, 2, 3, 0xFFFF])
def test_a_normal_that_is_not_there_stays_so(number: int) -> None:
    """In an unedited body its number is the file's; with a new normal beside the file's one it is no other than a number of none."""
    document = lit_by(number)
    assert lm1_of(shape_of(document), document).pack() == document.pack()
    shape = shape_of(document)
    more = replace(
        shape,
        starts=np.append(shape.starts, len(shape.corners)),
        counts=np.append(shape.counts, 3),
        corners=np.append(shape.corners, [4, 3, 2]),
        face_numbers=np.append(shape.face_numbers, -1),
        types=np.append(shape.types, FLAT_LIT),
        colours=np.append(shape.colours, 20),
        reach=np.append(shape.reach, 10),
        normals=np.append(shape.normals, np.zeros((3, 3)), axis=0),
        regions=np.append(shape.regions, [[-1] * 3], axis=0),
        uvs=np.append(shape.uvs, np.zeros((3, 2)), axis=0),
    )
    after = lm1_of(more, document)
    assert after.normals["direction"].tolist() == [[0, 0, 64], [0, 0, -64]]
    _, _, normal = after.corner_references()
    assert int(after.stream[normal[3]]) == (0xFFFF if number == 1 else number)


@pytest.mark.parametrize("count", [0, 5, 11, 14])
def test_a_body_of_the_second_game_whose_points_have_not_each_a_normal(count: int) -> None:
    """There are 11 points. Face normals stand behind those of the points, however many these are."""
    normals = np.concatenate([CHAIN2.normals, CHAIN2.normals])[:count]
    document = Lm2.parse(replace(CHAIN2, normals=normals).pack())
    assert lm2_of(shape_of(document), document).pack() == document.pack()


@pytest.mark.parametrize(("number", "after"), [(11, 11), (12, 12), (13, 0xFFFF), (14, 14), (0xFFFF, 0xFFFF)])
def test_a_normal_of_the_second_game_that_is_not_there_stays_so(number: int, after: int) -> None:
    """11 normals of points and 2 of faces; a triangle beside it that is turned over gets the number 13."""
    stream = CHAIN2.stream.copy()
    first, light = 6, 5
    stream[first + light] = number
    document = replace(CHAIN2, stream=stream)
    shape = shape_of(document)
    assert lm2_of(shape, document).pack() == document.pack()
    (face,) = np.flatnonzero(shape.face_numbers == 2).tolist()
    written = lm2_of(flipped(shape, face), document)
    assert written.faces.normal[[1, 2]].tolist() == [after, 13]
    assert written.face_normals["direction"][-1].tolist()[:2] == [0, 0]


def size_of(points: int) -> limits.Size:
    return limits.Size({"points": points}, ("root",), np.zeros((0, 3), np.int64), np.zeros(0, np.int64))


def test_a_body_as_large_as_the_games_largest_passes_without_a_word() -> None:
    """In the first game there is room for 500 points; in the second more than its own bodies have is reported, if the file had fewer."""
    most = limits.LM2_LARGEST["points"]
    with log.collect() as said:
        limits.check(size_of(500))
        limits.check(size_of(most), wide=True)
        limits.check(size_of(most + 1), {"points": most + 1}, wide=True)
    assert not said.messages
    with pytest.raises(ExportError, match="501 points, the game has room for 500"):
        limits.check(size_of(501), {"points": 500})
    with log.collect() as said:
        limits.check(size_of(501), {"points": 501})
        limits.check(size_of(most + 1), {"points": most}, wide=True)
    assert len(said.of("WARNING")) == 2
