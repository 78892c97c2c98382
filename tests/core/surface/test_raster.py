"""Small pictures of surfaces: what covers what, colours, textures, balls and lines, and that nothing of a broken surface hurts."""

from __future__ import annotations

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
