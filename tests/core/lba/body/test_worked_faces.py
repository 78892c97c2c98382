"""Faces of bodies that are worked out by hand: how they are lit and shown, which are left, and those that lead nowhere."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.lba.body.body import Body
from retro_anim.core.lba.body.light import colours_of
from retro_anim.core.lba.body.lm1_mesh import plain_material
from retro_anim.core.lba.body.lm1_write import lm1_of
from retro_anim.core.lba.body.lm2_write import lm2_of
from retro_anim.core.lba.body.regions import region_of, region_text
from retro_anim.core.lba.body.shape import Shape, bent_faces, relit_faces
from retro_anim.core.lba.files.lm1 import Lm1
from retro_anim.core.lba.files.lm2 import Lm2
from retro_anim.core.lba.files.palette import Palette
from support.lba import lba1_chain, lba2_chain
from support.lba.lba_shapes import SQUARE, new_shape, shape_of

CHAIN1, CHAIN2 = Lm1.parse(lba1_chain.LM1), Lm2.parse(lba2_chain.LM2)
SMOOTH = 9
UP = (0.0, 0, 1)


def square_and_triangle(size: float = 6) -> Shape:
    """Both lie flat and look up, faces 0 and 1 of a file, points 0 to 6; the triangle has 18 square units, or as its `size` says."""
    triangle = [(0, 0, 0), (size, 0, 0), (0, size, 0)]
    numbers: dict[str, Any] = {"numbers": np.arange(7), "face_numbers": np.arange(2)}
    return new_shape([*SQUARE, *triangle], [(0, 1, 2, 3), (4, 5, 6)], **numbers, normals=np.tile(UP, (7, 1)))


def test_by_how_much_faces_are_lit_otherwise_than_they_are_shown() -> None:
    """The file has a corner of each a quarter of a circle aside. What is smaller than 20 square units does not count, nor do new faces."""
    faces, points, lights = np.repeat([0, 1], [4, 3]), np.arange(7), np.tile(UP, (7, 1))
    lights[[2, 5]] = (1, 0, 0)
    assert relit_faces(square_and_triangle(), faces, points, lights) == pytest.approx([np.pi / 2, 0])
    assert relit_faces(square_and_triangle(7), faces, points, lights) == pytest.approx([np.pi / 2, np.pi / 2])
    second_is_new = replace(square_and_triangle(7), face_numbers=np.array([0, -1]))
    assert relit_faces(second_is_new, faces, points, lights) == pytest.approx([np.pi / 2, 0])


def test_light_is_compared_by_face_and_point_whatever_their_numbers() -> None:
    """The first face has the higher ones of the file's points, one of them a quarter of a circle aside; the second is lit as shown."""
    numbers = np.array([3, 4, 5, 6, 0, 1, 2])
    lights = np.tile(UP, (7, 1))
    lights[2] = (1, 0, 0)
    shape = replace(square_and_triangle(7), numbers=numbers)
    assert relit_faces(shape, np.repeat([0, 1], [4, 3]), numbers, lights) == pytest.approx([np.pi / 2, 0])


def test_by_how_much_faces_are_shown_otherwise_than_they_look() -> None:
    shape = square_and_triangle()
    shape.normals[2] = (1, 0, 1)
    assert bent_faces(shape) == pytest.approx([np.pi / 4, 0])
    assert bent_faces(new_shape(SQUARE, [])).tolist() == []


def test_a_smooth_face_is_lit_as_it_is_shown_or_else_from_where_it_looks() -> None:
    for shown, light in (((2.0, 0, 0), [64, 0, 0]), ((0.0, 0, 0), [0, 0, 64])):
        after = lm1_of(new_shape(SQUARE, [(0, 1, 2, 3)], types=np.array([SMOOTH]), normals=np.tile(shown, (4, 1))))
        assert np.unique(after.normals["direction"], axis=0).tolist() == [light]


@pytest.mark.parametrize("face", [1, 2])
def test_a_face_that_is_lit_anew_is_lit_as_it_is_shown(face: int) -> None:
    """The file's flat one that is smooth now, and its smooth one, where all light is made anew."""
    shape = shape_of(CHAIN1)
    shape.types[face] = SMOOTH
    shape.normals[shape.face(face)] = (1, 0, 0)
    after = lm1_of(shape, CHAIN1, fresh_normals=face == 2)
    polygon, _, normal = after.corner_references()
    lights = after.normals["direction"][after.stream[normal[polygon == face]]]
    assert lights.tolist() == [[64, 0, 0]] * int(shape.counts[face])


@pytest.mark.parametrize(("kind", "shading"), [(0, "UNLIT"), (6, "UNLIT"), (7, "FLAT"), (8, "FLAT"), (SMOOTH, "SMOOTH"), (10, "SMOOTH")])
def test_polygons_are_lit_by_their_type(kind: int, shading: str) -> None:
    """Not at all, alone, or at each corner, in the game as well."""
    material = plain_material(colours_of(Palette.plain(), "GAME"), kind, 20, 5)
    assert material.shading == shading and material.look is not None
    assert material.look.lit is (shading != "UNLIT")
    assert len(material.ramp) == (1 if shading == "UNLIT" else 6)


def test_a_texture_that_is_not_lit_is_shown_as_it_is() -> None:
    mesh = Body.of(CHAIN2).mesh(Palette.plain())
    assert mesh is not None
    unlit = [material for material in mesh.materials if material.image is not None and material.shading == "UNLIT"]
    assert unlit and all(material.ramp == ((1, 1, 1),) for material in unlit)


def test_shades_are_given_where_the_game_draws_alone() -> None:
    for document in (CHAIN1, CHAIN2):
        plain, game = Body.of(document).mesh(Palette.plain()), Body.of(document).mesh(Palette.plain(), look="GAME")
        assert plain is not None and plain.light is None
        assert game is not None and game.light is not None and len(game.light) == len(game.corners)


def test_a_region_as_a_text() -> None:
    """The corner, then the masks of v and of u, in hexadecimal digits."""
    assert region_of(" 0A1f 3F7F ") == (0x0A1F, 0x7F, 0x3F)
    assert region_text(0x0A1F, 0x7F, 0x3F) == "0A1F 3F7F"
    for wrong in ("", "0A1F", "0A1F3F7F", "0A1F 3F7", "0A1F 3F7G"):
        assert region_of(wrong) is None


def test_a_pivot_that_is_the_first_of_all_points_goes_with_its_bone() -> None:
    """It is nothing but the pivot of an arm."""
    triangle = np.array([(10, 10, 0), (30, 10, 0), (10, 40, 0)])
    head = np.array([50, 80, 0])
    shape = new_shape(
        [(50, 80, 0), *triangle.tolist(), *(triangle + head).tolist()],
        [(1, 2, 3), (4, 5, 6)],
        names=("root", "arm"),
        parents=np.array([-1, 0]),
        heads=np.array([(0, 0, 0), head], float),
        group_of=np.repeat([0, 1], [4, 3]),
    )
    original = Lm1.parse(lm1_of(shape).pack())
    moved = shape_of(original)
    moved.heads[1, 0] += 10
    after = Lm1.parse(lm1_of(moved, original).pack())
    assert after.groups is not None and after.groups["pivot"].tolist() == [0, 0]
    assert after.points[0].tolist() == [60, 80, 0] and len(after.points) == 7


@pytest.mark.parametrize("face", [0, 1, 2])
def test_a_face_on_a_point_that_is_not_there_stays(face: int) -> None:
    """One of each shading, of 11 points; with one more point it still leads nowhere."""
    polygon, point, _ = CHAIN1.corner_references()
    stream = CHAIN1.stream.copy()
    at = point[polygon == face][1]
    stream[at] = 66
    document = replace(CHAIN1, stream=stream)
    shape = shape_of(document)
    assert lm1_of(shape, document).pack() == document.pack()
    more = replace(
        shape,
        positions=np.append(shape.positions, [[5.0, 6, 7]], axis=0),
        group_of=np.append(shape.group_of, 4),
        numbers=np.append(shape.numbers, -1),
    )
    after = lm1_of(more, document)
    assert after.polygons.tolist() == document.polygons.tolist()
    stream[at] = 0xFFFF
    assert after.stream.tolist() == stream.tolist()


def without_faces(shape: Shape, *numbers: int) -> Shape:
    """Those of the file that are gone."""
    kept = ~np.isin(shape.face_numbers, numbers)
    corner = np.repeat(kept, shape.counts)
    counts = shape.counts[kept]
    names = ("face_numbers", "types", "colours", "reach", "regions")
    of_corners = {name: getattr(shape, name)[corner] for name in ("corners", "normals", "uvs")}
    return replace(
        shape, starts=np.cumsum(counts) - counts, counts=counts, **{name: getattr(shape, name)[kept] for name in names}, **of_corners
    )


@pytest.mark.parametrize(
    ("gone", "left", "normals"),
    [((1,), 1, [[16384, 0, 0]]), ((2,), 1, [[0, 0, 16384], [16384, 0, 0]]), ((1, 2), 0, [[16384, 0, 0]])],
)
def test_faces_that_are_gone_leave_no_record_and_no_normal(gone: tuple[int, ...], left: int, normals: list[list[int]]) -> None:
    """Faces 1 and 2, of type 1, are lit by one of the two face normals each; the second one lights others, too."""
    after = Lm2.parse(lm2_of(without_faces(shape_of(CHAIN2), *gone), CHAIN2).pack())
    assert after.faces.type.tolist().count(1) == left
    assert [run.tolist()[:2] for run in after.runs if run["type"] == 1] == [(1, left)] * (left > 0)
    assert after.face_normals["direction"].tolist() == normals
    assert len(after.faces.type) == 10 - len(gone)


def test_a_body_without_groups_has_none_until_it_gets_some() -> None:
    static = replace(CHAIN1, groups=None, flags=1)
    shape = shape_of(static)
    assert lm1_of(shape, static).pack() == static.pack()
    shape = replace(shape, names=("root", "arm"), parents=np.array([-1, 0]), heads=np.zeros((2, 3)))
    after = Lm1.parse(lm1_of(shape, static).pack())
    assert after.groups is not None and after.groups["parent"].tolist() == [-1, 0]
    assert (after.polygons.tolist(), after.flags) == (CHAIN1.polygons.tolist(), 3)


def test_types_with_a_shade_at_each_corner() -> None:
    """9 and 10 of the first game; 4 and 5 of the second, and of its textured ones the third and fourth, whatever flags are set."""
    assert Body.of(CHAIN1).smooth(np.arange(11)).tolist() == [False] * 9 + [True] * 2
    flags = 0xC000
    types = np.array([0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19])
    wanted = [kind in (4, 5, 10, 11, 14, 15, 18, 19) for kind in types.tolist()]
    assert Body.of(CHAIN2).smooth(types).tolist() == wanted == Body.of(CHAIN2).smooth(types | flags).tolist()
