"""A small picture of a surface, drawn without a graphics card: triangles, balls and lines in one light, with depth.

What is drawn is given in Blender's axes. The camera looks at it from a little above, and a little from the side, without perspective.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..images.pixels import Pixels
from ..motion.rotations.directions import face_normals, unit
from ..reporting import log
from .holdable import holdable
from .mesh import Mesh

Floats = NDArray[np.float64]

SIDE, ABOVE = np.radians(28.0), np.radians(12.0)
"""From where the camera looks: how far from the front, and how far up."""

_LIGHT = np.array([-0.45, 0.55, 0.7]) / np.linalg.norm([-0.45, 0.55, 0.7])
"""Where the light is: to the left of, above and behind the camera, in its axes."""

_DARK = 0.45
"""What is lit least has this much of its colour."""

_FINER = 2
"""Pixels drawn for each one of the picture, along each side."""

_AT_ONCE = 1 << 17
"""Of so many pixels the triangles are drawn together, hidden ones among them."""


@dataclass(eq=False)
class Shape:
    """What is drawn. corners: (T, 3, 3) of triangles. colours: (T, 3) 0 to 1, as displayed. uvs: (T, 3, 2), v upwards. image_of: (T,)
    index in `images`, -1 for none. lit: (T,). centres, radii, ball_colours: (S, …) of balls. ends, line_colours: (L, 2, 3), (L, 3)."""

    corners: Floats
    colours: Floats
    uvs: Floats
    image_of: NDArray[np.int64]
    lit: NDArray[np.bool_]
    images: list[Pixels] = field(default_factory=list[Pixels])
    centres: Floats = field(default_factory=lambda: np.zeros((0, 3)))
    radii: Floats = field(default_factory=lambda: np.zeros(0))
    ball_colours: Floats = field(default_factory=lambda: np.zeros((0, 3)))
    ends: Floats = field(default_factory=lambda: np.zeros((0, 2, 3)))
    line_colours: Floats = field(default_factory=lambda: np.zeros((0, 3)))

    @classmethod
    def of(cls, mesh: Mesh, axes: Floats) -> Shape:
        """A game's surface. axes: (3, 3), the game's -> Blender's."""
        with log.collect():  # an import says what cannot be shown
            mesh = holdable(mesh)
        points = mesh.points @ axes.T
        face, corner = _triangles(mesh)
        vertices = mesh.corners[corner]
        material = mesh.material_of[face]
        known = {id(each.image): each.image for each in mesh.materials if each.image is not None}
        index = {key: number for number, key in enumerate(known)}
        images = np.array([-1 if each.image is None else index[id(each.image)] for each in mesh.materials] or [-1], np.int64)
        plain = np.array([each.colour for each in mesh.materials] or [(0.7, 0.7, 0.7)], np.float64)
        uvs = next(iter(mesh.uvs.values()), None)
        return cls(
            points[vertices],
            plain[material],
            np.zeros((len(face), 3, 2)) if uvs is None else uvs[corner],
            images[material] if uvs is not None else np.full(len(face), -1),
            np.array([each.shading != "UNLIT" for each in mesh.materials] or [True])[material],
            [image.pixels for image in known.values()],
            points[[ball.point for ball in mesh.spheres]].reshape(-1, 3),
            np.array([ball.radius for ball in mesh.spheres], np.float64),
            plain[[ball.material for ball in mesh.spheres]].reshape(-1, 3),
            points[[line.points for line in mesh.lines]].reshape(-1, 2, 3),
            plain[[line.material for line in mesh.lines]].reshape(-1, 3),
        )


def joined(shapes: list[Shape]) -> Shape:
    """All of them as one; there is at least one."""
    first, images = shapes[0], [len(each.images) for each in shapes]
    offsets = np.cumsum([0, *images])[:-1]
    numbered = [np.where(each.image_of < 0, -1, each.image_of + offset) for each, offset in zip(shapes, offsets.tolist(), strict=True)]
    parts = {name: np.concatenate([getattr(each, name) for each in shapes]) for name in vars(first) if name not in ("images", "image_of")}
    return Shape(**parts, image_of=np.concatenate(numbered), images=[image for each in shapes for image in each.images])


def draw(shape: Shape, size: int, forward: Floats) -> Pixels:
    """(size, size, 4), top row first, transparent around it. forward: (3,) where the character looks."""
    view = _view(np.asarray(forward, np.float64))
    corners, centres, ends = (points @ view.T for points in (shape.corners, shape.centres, shape.ends))
    low, high = _box(corners, centres, shape.radii, ends)
    canvas = _Canvas(size * _FINER, low, high)
    lights = _lights(corners, shape.lit)
    with np.errstate(all="ignore"):
        canvas.triangles(canvas.placed(corners), shape.colours * lights[:, None], shape)
    for centre, radius, colour in zip(canvas.placed(centres), shape.radii * canvas.scale, shape.ball_colours, strict=True):
        canvas.ball(centre, float(radius), colour)
    for line, colour in zip(canvas.placed(ends), shape.line_colours, strict=True):
        canvas.line(line, colour)
    return canvas.picture()


def _triangles(mesh: Mesh) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The face of each triangle, and its corners (T, 3); faces are fans around their first corner."""
    faces = np.flatnonzero(mesh.counts >= 3)
    count = mesh.counts[faces] - 2
    face = np.repeat(faces, count)
    step = np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count, count)
    start = mesh.starts[face]
    return face, np.stack([start, start + step + 1, start + step + 2], axis=1)


def _view(forward: Floats) -> Floats:
    """(3, 3) Blender's axes -> right, up, towards the camera."""
    up = np.array([0.0, 0.0, 1.0])
    left = np.cross(up, forward)
    flat = forward * np.cos(SIDE) + left * np.sin(SIDE)
    towards = flat * np.cos(ABOVE) + up * np.sin(ABOVE)
    right = np.cross(up, towards)
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(towards, right), towards])


def _box(corners: Floats, centres: Floats, radii: Floats, ends: Floats) -> tuple[Floats, Floats]:
    points = np.concatenate([corners.reshape(-1, 3), centres - radii[:, None], centres + radii[:, None], ends.reshape(-1, 3)])
    points = points[np.isfinite(points).all(axis=1)]
    return (points.min(axis=0), points.max(axis=0)) if len(points) else (np.zeros(3), np.ones(3))


def _lights(corners: Floats, lit: NDArray[np.bool_]) -> Floats:
    """(T,) how much of its colour each triangle shows; from behind it looks as from the front."""
    normals = unit(face_normals(corners))
    normals *= np.where(normals[:, 2] < 0, -1.0, 1.0)[:, None]
    return np.where(lit, _DARK + (1 - _DARK) * np.clip(normals @ _LIGHT, 0, 1), 1.0)


def _pixels_of(
    chosen: NDArray[np.int64], first: NDArray[np.int64], count: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Of all pixels in the windows of some triangles: the triangle, row and column."""
    across, along = count[chosen].T
    own = np.repeat(np.arange(len(chosen)), across * along)
    step = np.arange(len(own)) - np.repeat(np.cumsum(across * along) - across * along, across * along)
    row, column = np.divmod(step, across[own])
    of = chosen[own]
    return of, row + first[of, 1], column + first[of, 0]


def _texels(shape: Shape, of: NDArray[np.int64], second: Floats, third: Floats) -> Pixels:
    """(N, 4) what the texture of each pixel's triangle has there, white without one. second, third: weights of its last two corners."""
    texels = np.full((len(of), 4), 255, np.uint8)
    for number, image in enumerate(shape.images):
        here = np.flatnonzero(shape.image_of[of] == number)
        height, width = image.shape[:2]
        uvs = shape.uvs[of[here]]
        u, v = (uvs[:, 0] + second[here, None] * (uvs[:, 1] - uvs[:, 0]) + third[here, None] * (uvs[:, 2] - uvs[:, 0])).T
        texels[here] = image[((1 - v % 1) * height).astype(np.int64) % height, ((u % 1) * width).astype(np.int64) % width]
    return texels


class _Canvas:
    """Colours and depths, bottom row first. scale: pixels a unit."""

    def __init__(self, size: int, low: Floats, high: Floats) -> None:
        self.size = size
        span = float(max(high[0] - low[0], high[1] - low[1], 1e-9))
        self.scale = size * 0.92 / span
        self._middle = (low + high) / 2
        self.colours = np.zeros((size, size, 4))
        self.depths = np.full((size, size), -np.inf)

    def placed(self, points: Floats) -> Floats:
        """As pixels; the third is the depth, towards the camera."""
        placed = (points - self._middle) * self.scale
        placed[..., :2] += self.size / 2
        return placed

    def _window(self, low: Floats, high: Floats) -> tuple[slice, slice, Floats, Floats] | None:
        """The pixels around a box, None where it is outside; X and Y of their middles."""
        if not (np.isfinite(low).all() and np.isfinite(high).all()):
            return None
        x0, y0 = (max(int(value), 0) for value in np.floor(low[:2]))
        x1, y1 = (min(int(value) + 1, self.size) for value in np.ceil(high[:2]))
        if x0 >= x1 or y0 >= y1:
            return None
        x, y = np.arange(x0, x1, dtype=np.float64) + 0.5, np.arange(y0, y1, dtype=np.float64)[:, None] + 0.5
        return slice(y0, y1), slice(x0, x1), np.asarray(x, np.float64), np.asarray(y, np.float64)

    def triangles(self, flat: Floats, colours: Floats, shape: Shape) -> None:
        """flat: (T, 3, 3) placed. Of equal depths the first is seen. Texels whose alpha is below one half are holes."""
        first, count = self._windows(flat)
        edges = flat[:, 1:, :2] - flat[:, :1, :2]
        area: Floats = edges[:, 0, 0] * edges[:, 1, 1] - edges[:, 1, 0] * edges[:, 0, 1]
        textured = (shape.image_of < 0) | np.isfinite(shape.uvs).all(axis=(1, 2))
        chosen = np.flatnonzero((count > 0).all(axis=1) & (np.abs(area) >= 1e-12) & textured)
        step = np.cumsum(count[chosen].prod(axis=1)) // _AT_ONCE
        for number in np.unique(step).tolist():
            of, row, column = _pixels_of(chosen[step == number], first, count)
            x, y = column + 0.5 - flat[of, 0, 0], row + 0.5 - flat[of, 0, 1]
            second = (x * edges[of, 1, 1] - edges[of, 1, 0] * y) / area[of]
            third = (edges[of, 0, 0] * y - x * edges[of, 0, 1]) / area[of]
            inside = np.flatnonzero((second >= 0) & (third >= 0) & (second + third <= 1))
            of, second, third = of[inside], second[inside], third[inside]
            depth = flat[of, 0, 2] + second * (flat[of, 1, 2] - flat[of, 0, 2]) + third * (flat[of, 2, 2] - flat[of, 0, 2])
            texels = _texels(shape, of, second, third)
            self._show(row[inside] * self.size + column[inside], depth, texels[:, :3] / 255 * colours[of], texels[:, 3] >= 128)

    def _windows(self, flat: Floats) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The first column and row of the pixels around each triangle, and how many, (T, 2) each; none where it is outside or broken."""
        whole = np.isfinite(flat).all(axis=(1, 2), keepdims=True)
        near = np.clip(np.where(whole, flat[..., :2], -2.0), -2.0, self.size + 2.0)
        low = np.maximum(np.floor(near.min(axis=1)).astype(np.int64), 0)
        high = np.minimum(np.ceil(near.max(axis=1)).astype(np.int64) + 1, self.size)
        return low, np.maximum(high - low, 0)

    def _show(self, where: NDArray[np.int64], depth: Floats, colours: Floats, solid: NDArray[np.bool_]) -> None:
        """Pixels, several of one place among them."""
        depths, canvas = self.depths.reshape(-1), self.colours.reshape(-1, 4)
        nearer = np.flatnonzero(solid & (depth > depths[where]))[::-1]
        order = nearer[np.argsort(depth[nearer], kind="stable")]  # what is assigned last stays
        depths[where[order]] = depth[order]
        canvas[where[order], :3] = colours[order]
        canvas[where[order], 3] = 1

    def _put(self, where: tuple[slice, slice], drawn: NDArray[np.bool_], depth: Floats, colour: Floats) -> None:
        """colour: (3,), or one for each pixel that is drawn."""
        self.depths[where][drawn] = depth[drawn]
        pixels = self.colours[where]
        pixels[drawn, :3] = colour
        pixels[drawn, 3] = 1

    def ball(self, centre: Floats, radius: float, colour: Floats) -> None:
        window = self._window(centre - radius, centre + radius)
        if window is None or radius <= 0:
            return
        rows, columns, x, y = window
        across, along = (x - centre[0]) / radius, (y - centre[1]) / radius
        towards = np.sqrt(np.clip(1 - across**2 - along**2, 0, 1))
        depth = centre[2] + radius * towards
        drawn = (across**2 + along**2 <= 1) & (depth > self.depths[rows, columns])
        light = _DARK + (1 - _DARK) * np.clip(across * _LIGHT[0] + along * _LIGHT[1] + towards * _LIGHT[2], 0, 1)
        self._put((rows, columns), drawn, depth, light[drawn][:, None] * colour)

    def line(self, ends: Floats, colour: Floats) -> None:
        if not np.isfinite(ends).all():
            return
        count = int(np.abs(ends[1] - ends[0])[:2].max()) + 2
        points = ends[0] + np.linspace(0, 1, count)[:, None] * (ends[1] - ends[0])
        points = np.concatenate([points + np.array([x, y, 0.0]) for x in range(_FINER) for y in range(_FINER)])  # a pixel of the picture
        columns, rows = points[:, 0].astype(np.int64), points[:, 1].astype(np.int64)
        inside = (columns >= 0) & (rows >= 0) & (columns < self.size) & (rows < self.size)
        columns, rows, depth = columns[inside], rows[inside], points[inside, 2] + 1.0  # before the surface that it lies on
        drawn = depth > self.depths[rows, columns]
        self.depths[rows[drawn], columns[drawn]] = depth[drawn]
        self.colours[rows[drawn], columns[drawn]] = [*colour, 1]

    def picture(self) -> Pixels:
        small = self.size // _FINER
        parts = self.colours.reshape(small, _FINER, small, _FINER, 4)
        alpha = parts[..., 3].mean(axis=(1, 3))
        colours = parts[..., :3].sum(axis=(1, 3)) / np.maximum(parts[..., 3].sum(axis=(1, 3)), 1)[..., None]
        mixed = np.concatenate([colours, alpha[..., None]], axis=2)[::-1]
        return np.ascontiguousarray((np.clip(mixed, 0, 1) * 255 + 0.5).astype(np.uint8))
