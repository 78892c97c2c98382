"""Small pictures of surfaces: what covers what, colours, textures, balls and lines, and that nothing of a broken surface hurts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.images import png
from retro_anim.core.reporting.errors import FormatError
from retro_anim.core.surface import raster
from retro_anim.core.surface.mesh import Image, Line, Material, Mesh, Sphere
from retro_anim.core.surface.raster import Shape, draw, joined

SOUTH = np.array([0.0, -1.0, 0.0])
RED, GREEN, BLUE = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


def plain(*colours: Any, image: Any = None) -> list[Material]:
    return [Material("plain", "UNLIT", (colour,), image=image) for colour in colours]


def squares(depths: list[float], materials: list[Material], uvs: Any = None, **more: Any) -> Mesh:
    """A square of 2 by 2, upright, for each material; seen from -Y the one with the smallest depth is in front."""
    corner = np.array([[-1.0, 0, -1], [1, 0, -1], [1, 0, 1], [-1, 0, 1]])
    points = np.concatenate([corner + np.array([0, depth, 0]) for depth in depths])
    count = len(depths)
    return Mesh(
        points=points,
        bones=np.zeros(len(points), np.int64),
        starts=np.arange(count) * 4,
        counts=np.full(count, 4),
        corners=np.arange(4 * count),
        normals=np.zeros((4 * count, 3)),
        material_of=np.arange(count),
        materials=materials,
        lines=more.get("lines", []),
        spheres=more.get("spheres", []),
        uvs={} if uvs is None else {"UVMap": np.asarray(uvs, np.float64)},
    )


def pixels(mesh: Mesh, size: int = 32) -> Any:
    return draw(Shape.of(mesh, np.eye(3)), size, SOUTH)


def test_what_is_in_front_covers_what_is_behind() -> None:
    for order in ([RED, GREEN], [GREEN, RED]):
        for depths in ([0.0, 1.0], [1.0, 0.0]):
            shown = pixels(squares(depths, plain(*order)))[16, 16]
            assert tuple(shown) == (*(int(255 * part) for part in order[depths.index(0.0)]), 255)


def test_around_it_is_nothing() -> None:
    picture = pixels(squares([0.0], plain(RED)))
    assert picture.shape == (32, 32, 4) and picture.dtype == np.uint8
    assert not picture[0].any() and not picture[:, 0].any()
    covered = (picture[..., 3] == 255).mean()
    # The square is seen from 28 degrees aside and 12 above; it fills 92 % of the longer side.
    across, along = np.cos(np.radians(28)), np.cos(np.radians(12))
    width = 0.92 * 0.92 * 2 * across / (2 * along + 2 * np.sin(np.radians(28)) * np.sin(np.radians(12)))
    assert covered == pytest.approx(width * 2 * along / (2 * along + 2 * np.sin(np.radians(28)) * np.sin(np.radians(12))), abs=0.09)


def test_a_character_is_seen_from_where_it_looks() -> None:
    """Whoever looks along +Y shows the other side."""
    mesh = squares([0.0, 1.0], plain(RED, GREEN))
    shape = Shape.of(mesh, np.eye(3))
    assert draw(shape, 16, SOUTH)[8, 8, 0] == 255 and draw(shape, 16, -SOUTH)[8, 8, 1] == 255


def test_faces_are_fans_of_triangles() -> None:
    """A triangle of three of the square's corners, and what has but two."""
    square = squares([0.0], plain(RED))
    half = replace(square, counts=np.array([3, 2]), starts=np.array([0, 2]), material_of=np.zeros(2, np.int64))
    assert np.array_equal(Shape.of(half, np.eye(3)).corners, square.points[None, [0, 1, 2]])
    assert np.array_equal(Shape.of(square, np.eye(3)).corners, square.points[[[0, 1, 2], [0, 2, 3]]])


def test_textures_with_holes() -> None:
    """The upper half of the square has the texture's upper row, the lower half is transparent."""
    image = Image("two", np.array([[[0, 0, 255, 255]], [[0, 255, 0, 0]]], np.uint8))
    picture = pixels(squares([0.0], plain((1.0, 1.0, 1.0), image=image), [[0, 0], [1, 0], [1, 1], [0, 1]]))
    assert tuple(picture[10, 16]) == (0, 0, 255, 255)
    assert picture[24, 16, 3] == 0


def test_balls_and_lines() -> None:
    mesh = squares([1.0], plain(RED, GREEN, BLUE), spheres=[Sphere(0, 0.5, 1)], lines=[Line((2, 3), 2)])
    picture = pixels(mesh, 64).astype(int)
    assert (picture[..., 1] > picture[..., 0]).any() and (picture[..., 2] > picture[..., 0]).any()
    assert (picture[..., 0] == 255).sum() > 500


def test_lit_faces_are_darker_the_more_they_turn_away() -> None:
    lit = [Material("lit", "FLAT", (RED,))]
    front = draw(Shape.of(squares([0.0], lit), np.eye(3)), 32, SOUTH)[16, 16, 0]
    oblique = draw(Shape.of(squares([0.0], lit), np.array([[0.3, 1, 0], [-1, 0.3, 0], [0, 0, 1.0]])), 32, SOUTH)
    assert 255 * 0.44 < oblique[oblique[..., 3] == 255][:, 0].min() < front <= 255


def test_several_surfaces_are_one() -> None:
    image = Image("blue", np.full((1, 1, 4), (0, 0, 255, 255), np.uint8))
    textured = squares([0.0], plain((1.0, 1.0, 1.0), image=image), [[0, 0], [1, 0], [1, 1], [0, 1]])
    both = joined([Shape.of(squares([1.0], plain(RED)), np.eye(3)), Shape.of(textured, np.eye(3))])
    assert tuple(draw(both, 16, SOUTH)[8, 8]) == (0, 0, 255, 255)
    bare = Shape.of(replace(squares([-1.0], plain(RED), np.zeros((4, 2))), materials=[]), np.eye(3))
    red, green, blue, alpha = draw(joined([both, Shape.of(textured, np.eye(3)), bare]), 16, SOUTH)[8, 8].tolist()
    assert 255 * 0.7 * 0.45 < red == green == blue < 255 * 0.7 and alpha == 255, "grey in the light, without a material"


@pytest.mark.parametrize("value", [np.nan, np.inf, -1e300])
def test_broken_numbers(value: float) -> None:
    mesh = squares([0.0, 1.0], plain(RED, GREEN))
    mesh.points[1] = value
    with np.errstate(all="ignore"):
        assert pixels(mesh).shape == (32, 32, 4)


def test_nothing_at_all() -> None:
    none = np.zeros((0, 3))
    empty = Shape(np.zeros((0, 3, 3)), none, np.zeros((0, 3, 2)), np.zeros(0, np.int64), np.zeros(0, np.bool_))
    assert not draw(empty, 8, SOUTH).any()


def test_png_comes_back_and_is_what_others_read() -> None:
    given = np.random.default_rng(1).integers(0, 256, (5, 7, 4), np.uint8)
    data = png.encode(given)
    np.testing.assert_array_equal(png.decode(data), given)
    for broken in (data[:20], data[:50], b"", data.replace(b"IDAT", b"IDOT")):
        with pytest.raises(FormatError):
            png.decode(broken)


def test_triangles_drawn_together_look_as_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each into a picture of its own, with the nearest taken pixel by pixel; of equal depths the first."""
    rng = np.random.default_rng(5)
    corners = rng.normal(size=(40, 1, 3)) + 0.4 * rng.normal(size=(40, 3, 3))
    corners[20:30], corners[39] = corners[:10], [[-3, 0, -3], [3, 0, -3], [0, 0, 3]]
    image = rng.integers(0, 256, (4, 4, 4), np.uint8)
    count = len(corners)
    shape = Shape(
        corners, rng.random((count, 3)), rng.random((count, 3, 2)) * 3 - 1, np.arange(count) % 2 - 1, np.ones(count, np.bool_), [image]
    )
    together = draw(shape, 48, SOUTH)
    monkeypatch.setattr(raster, "_AT_ONCE", 3000)
    np.testing.assert_array_equal(draw(shape, 48, SOUTH), together)
    view = raster._view(SOUTH)
    low, high = (edge((corners @ view.T).reshape(-1, 3), axis=0) for edge in (np.min, np.max))
    shown, depths = np.zeros((96, 96, 4)), np.full((96, 96), -np.inf)
    for number in range(count):
        one = raster._Canvas(96, low, high)
        own = {name: getattr(shape, name)[[number]] for name in ("corners", "colours", "uvs", "image_of", "lit")}
        part = Shape(**own, images=shape.images)
        light = raster._lights(part.corners @ view.T, part.lit)
        one.triangles(one.placed(part.corners @ view.T), part.colours * light, part)
        nearer = one.depths > depths
        shown[nearer], depths[nearer] = one.colours[nearer], one.depths[nearer]
    whole = raster._Canvas(96, low, high)
    whole.colours = shown
    np.testing.assert_array_equal(whole.picture(), together)


ACROSS = np.cross([np.sin(raster.SIDE), -np.cos(raster.SIDE), 0.0], [0.0, 0.0, -1.0])
TOWARDS = np.array([np.sin(raster.SIDE) * np.cos(raster.ABOVE), -np.cos(raster.SIDE) * np.cos(raster.ABOVE), np.sin(raster.ABOVE)])
SEEN = np.stack([ACROSS, np.cross(TOWARDS, ACROSS), TOWARDS])
"""To the right, up and towards a camera from the south, 28 degrees aside and 12 above."""


def facing(points: Any, colours: Any, **more: Any) -> Shape:
    """Unlit triangles, of points (T, 3, 3) by what is to the right, up and towards the camera; balls and lines by the same."""
    corners = np.asarray(points, np.float64).reshape(-1, 3, 3) @ SEEN
    count = len(corners)
    given: dict[str, Any] = {name: np.asarray(more.pop(name), np.float64) @ SEEN for name in ("centres", "ends") if name in more}
    own: dict[str, Any] = {"uvs": np.zeros((count, 3, 2)), "image_of": np.full(count, -1), "lit": np.zeros(count, np.bool_)}
    return Shape(corners, np.reshape(np.asarray(colours, np.float64), (-1, 3)), **(own | given | more))


def square(depths: tuple[float, float] = (0.0, 0.0), size: float = 1.0) -> Any:
    """Two triangles of a square around the middle. depths: of its left and its right edge."""
    left, right = depths
    low, high = (-size, -size, left), (size, size, right)
    return [[low, (size, -size, right), high], [low, high, (-size, size, left)]]


def where(size: int, x: float, y: float) -> tuple[int, int]:
    """Row and column of a point of the square, whose edges are 92 % of the picture's."""
    return int(size / 2 - y * 0.46 * size), int(size / 2 + x * 0.46 * size)


@pytest.mark.parametrize("times", [1, 2])
def test_texels_by_hand(times: int) -> None:
    """4 columns and 2 rows, upside down in the file; more than once where coordinates go beyond 1."""
    texels = np.zeros((2, 4, 4), np.uint8)
    texels[..., 0], texels[..., 1], texels[..., 3] = np.arange(4) * 60 + 10, [[200], [30]], 255
    corners = np.array([[[0, 0], [1, 0], [1, 1]], [[0, 0], [1, 1], [0, 1]]]) * times - (times - 1)
    shape = facing(square(), [(1, 1, 1), (1, 0.5, 1)], uvs=corners.astype(np.float64), image_of=np.zeros(2, np.int64), images=[texels])
    picture = draw(shape, 50, SOUTH)
    for column, row in [(column, row) for column in range(4 * times) for row in range(2 * times)]:
        x, y = (column + 0.4) / (4 * times) * 2 - 1, (row + 0.3) / (2 * times) * 2 - 1
        green = (30, 200)[row % 2] / (1 if x > y else 2)
        assert picture[where(50, x, y)].tolist() == pytest.approx([column % 4 * 60 + 10, green, 0, 255], abs=1)


@pytest.mark.parametrize("alpha", [127, 128])
def test_texels_that_are_half_there_are_holes_or_not(alpha: int) -> None:
    image = np.array([[[255, 255, 255, alpha]]], np.uint8)
    shape = facing(square(), [RED, RED], image_of=np.zeros(2, np.int64), images=[image])
    assert draw(shape, 16, SOUTH)[8, 8].tolist() == ([255, 0, 0, 255] if alpha > 127 else [0, 0, 0, 0])


@pytest.mark.parametrize("size", [1.0, 0.001, 1000.0])
def test_surfaces_that_go_through_each_other(size: float) -> None:
    """The red one is nearer on the left, by up to its own size, and the green one on the right; blue lies behind both."""
    points = np.array(square((1, -1)) + square((-1, 1)) + square((-1.1, -1.1))) * size
    picture = draw(facing(points, [RED] * 2 + [GREEN] * 2 + [BLUE] * 2), 50, SOUTH)
    for x in (-0.95, -0.5, -0.1, 0.1, 0.5, 0.95):
        for y in (-0.95, -0.3, 0.4, 0.95):
            assert picture[where(50, x, y)].tolist() == ([255, 0, 0, 255] if x < 0 else [0, 255, 0, 255])
    assert (picture[..., 3] == 255).sum() == 46 * 46 and not picture[[0, 1, 48, 49]].any()


def test_a_ball_by_hand() -> None:
    """Of radius 1, in the light from the left, above and behind the camera; the square that cuts it at half its depth is nearer outside."""
    light = np.array([-0.45, 0.55, 0.7]) / np.sqrt(0.45**2 + 0.55**2 + 0.7**2)
    ball = {"centres": [[0, 0, 0]], "radii": np.ones(1), "ball_colours": np.array([(0.0, 0.8, 0.4)])}
    none = np.zeros((0, 3, 3))
    alone, cut = draw(facing(none, [], **ball), 100, SOUTH), draw(facing(square((0.5, 0.5)), [RED, RED], **ball), 100, SOUTH)
    for x, y in [(0, 0), (-0.5, 0.6), (0.5, -0.6), (0.9, 0), (0, 0.9), (-0.8, -0.5), (0.75, 0.75), (-0.75, -0.75)]:
        outside = x * x + y * y > 1
        row, column = where(100, x, y)
        x, y = (column + 0.5 - 50) / 46, (50 - row - 0.5) / 46
        towards = np.sqrt(max(1 - x * x - y * y, 0))
        shade = 0.45 + 0.55 * max(float(np.array([x, y, towards]) @ light), 0)
        shown = [0, 255 * 0.8 * shade, 255 * 0.4 * shade, 255]
        assert alone[row, column].tolist() == pytest.approx([0] * 4 if outside else shown, abs=2)
        assert cut[row, column].tolist() == pytest.approx([255, 0, 0, 255] if outside or towards < 0.5 else shown, abs=2)
    assert alone[..., 3].mean() / 255 == pytest.approx(np.pi * 0.46**2, rel=0.01)


@pytest.mark.parametrize(("x", "y"), [(0.5, -0.25), (-0.25, 0.5), (0.5, 0.5)])
def test_a_ball_is_where_its_centre_is(x: float, y: float) -> None:
    """A small one before a square."""
    ball = {"centres": [[x, y, 0.5]], "radii": np.full(1, 0.2), "ball_colours": np.array([(0.0, 0.8, 0.0)])}
    picture = draw(facing(square(), [RED, RED], **ball), 100, SOUTH)
    for at in ((0.5, -0.25), (-0.25, 0.5), (0.5, 0.5), (0.0, 0.0), (x + 0.1, y), (x, y - 0.1), (x - 0.2, y + 0.2)):
        inside = (at[0] - x) ** 2 + (at[1] - y) ** 2 < 0.2**2
        assert (picture[where(100, *at)][1] > 0) == inside


@pytest.mark.parametrize("depth", [0.0, -0.03, -0.2])
def test_a_line_by_hand(depth: float) -> None:
    """From edge to edge, half a pixel of the picture from the middle, so that it is half of two rows; on the square, or behind it. Of equal
    depths the first is seen."""
    ends = np.array([[(-1, 0.01, depth), (1, 0.01, depth)]] * 2)
    lines = {"ends": ends, "line_colours": np.array([GREEN, BLUE])}
    on_square = draw(facing(square(), [RED, RED], **lines), 50, SOUTH)
    alone = draw(facing(square(), [RED, RED], image_of=np.zeros(2, np.int64), images=[np.zeros((1, 1, 4), np.uint8)], **lines), 50, SOUTH)
    rows = np.flatnonzero(alone[:, 25, 3])
    assert (
        alone[rows, 25, 3].sum() == pytest.approx(255, abs=1) and (alone[..., 3].sum(axis=0)[3:47] == alone[..., 3].sum(axis=0)[25]).all()
    )
    assert alone[rows, 25, :3].tolist() == [[0, 255, 0]] * len(rows) and not np.delete(alone, rows, axis=0).any()
    assert alone[rows[0], 2, 3] and alone[rows[0], 47, 3] and not alone[:, 49:].any() and not alone[:, :2].any()
    shown = (on_square[:, 3:47, 1] > 0).any(axis=1)
    assert np.flatnonzero(shown).tolist() == (rows.tolist() if depth == 0 else [])


@pytest.mark.parametrize("edge", [-1, 1])
def test_lines_along_the_edges_of_a_tiny_picture(edge: int) -> None:
    """Less than a pixel from its edges, beyond which a part of them goes."""
    ends = np.array([[(-1, edge, 0), (1, edge, 0)], [(edge, -1, 0), (edge, 1, 0)]])
    picture = draw(facing([], [], ends=ends, line_colours=np.array([GREEN, GREEN])), 4, SOUTH)
    row, column = (3, 0) if edge < 0 else (0, 3)
    assert picture[row, :, 1].tolist() == picture[:, column, 1].tolist() == [255] * 4
    assert (picture[..., 3] > 0).sum() == 7
