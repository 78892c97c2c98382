"""A shape as an LM2: what was not edited keeps its words, everything else is encoded anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..files.lm2 import GROUP, LINE, NORMAL, POINT, ROOT, SPHERE, TEXTURE, Lm2
from . import limits
from .body import Body
from .lm2_polygons import LIGHT, LOST, Encoder, starts_of
from .outlines import mended
from .shape import NOWHERE, Ints, Points, Shape, arranged, extent

_ANIMATED = 0x110
"""What the header of an animated body says, in most of the game's own."""


def lm2_of(shape: Shape, original: Lm2 | None = None, fresh_normals: bool = False) -> Lm2:
    """As `lm1_write.lm1_of`."""
    body = Body.from_lm2(original) if original is not None else None
    points = arranged(shape, body)
    encoder = Encoder(shape, points, original, fresh_normals)
    runs, stream = encoder.runs()
    lights = encoder.normals.table(len(shape.names))
    normals = encoder.point_normals()
    _renumber(runs, stream, lights.index, len(normals), len(lights.fourths))
    lines, spheres = (
        mended(kind, outlines, points, 1, before, references_of(original, kind))
        for kind, outlines, before in (
            (LINE, shape.lines, None if original is None else original.lines),
            (SPHERE, shape.spheres, None if original is None else original.spheres),
        )
    )
    faces = int(runs["count"].sum(dtype="i8"))
    counts = _counts(len(points.world), faces, len(lines), len(spheres), len(encoder.textures))
    limits.check(limits.Size(counts, shape.names, points.local, points.group_of), _counts_of(original), wide=True)
    face_normals = np.zeros(len(lights.fourths), NORMAL)
    face_normals["direction"], face_normals["group"] = lights.directions, lights.fourths
    sections: dict[str, Any] = {
        "groups": _groups(shape, points, lights.counts, original),
        "points": _points(points, original),
        "normals": normals,
        "face_normals": face_normals,
        "runs": runs,
        "stream": stream.astype("<u2"),
        "lines": lines,
        "spheres": spheres,
        "textures": _textures(encoder.textures),
    }
    if original is not None:
        box = original.box if shape.box is None else shape.box.astype("<i4")
        claimed = original.polygon_count + faces - int(original.runs["count"].sum(dtype="i8"))
        return replace(original, **sections, box=box, polygon_count=claimed)
    box = (extent(points.world) if shape.box is None else shape.box).astype("<i4")
    return Lm2(_ANIMATED, box, **sections, polygon_count=faces)


def references_of(original: Lm2 | None, kind: np.dtype[Any]) -> Ints:
    """As `lm1_write.references_of`."""
    if original is None:
        return np.zeros((0, 1), np.int64)
    points = (original.lines["points"] if kind == LINE else original.spheres["point"][:, None]).astype(np.int64)
    return np.where(points < len(original.points), points, -1)


def _counts(points: int, faces: int, lines: int, spheres: int, textures: int) -> dict[str, int]:
    return {"points": points, "polygons": faces, "polygons, lines and spheres": faces + lines + spheres, "textures": textures}


def _counts_of(original: Lm2 | None) -> dict[str, int] | None:
    if original is None:
        return None
    drawn = (original.runs["count"].sum(dtype="i8"), *map(len, (original.lines, original.spheres, original.textures)))
    return _counts(len(original.points), *map(int, drawn)) | {limits.GROUPS: len(original.groups)}


def _textures(regions: Sequence[tuple[int, int, int]]) -> NDArray[Any]:
    """regions: the corner and the two masks of each."""
    textures = np.zeros(len(regions), TEXTURE)
    textures["corner"] = [region[0] for region in regions]
    textures["mask"] = np.array([region[1:] for region in regions], "u1").reshape(-1, 2)
    return textures


def _points(points: Points, original: Lm2 | None) -> NDArray[Any]:
    table = np.zeros(len(points.world), POINT)
    table["position"], table["group"] = points.local, points.group_of
    if original is not None and not original.animated:
        known = points.numbers >= 0
        table["group"][known] = original.points["group"][points.numbers[known]]
    return table


def _groups(shape: Shape, points: Points, normal_counts: Ints, original: Lm2 | None) -> NDArray[Any]:
    if original is not None and not original.animated and len(shape.names) == 1:
        return original.groups
    groups = np.zeros(len(shape.names), GROUP)
    if original is not None and original.animated:
        known = original.groups[: len(groups)]
        groups[: len(known)] = known
    roots = np.full(len(groups), ROOT)
    if original is not None and original.animated:
        roots[0] = groups["parent"][0]  # whatever it says
    groups["parent"] = np.where(shape.parents < 0, roots, shape.parents)
    groups["pivot"] = np.where(shape.parents >= 0, points.pivots, groups["pivot"])
    groups["point_count"] = points.counts
    groups["face_normal_count"] = normal_counts
    return groups


def _renumber(runs: NDArray[Any], stream: Ints, index: Ints, first: int, count: int) -> None:
    """Put where each normal is now for what the encoder has for it, in place; what leads nowhere still does. first, count: the first face
    normal, behind those of the points, and how many there are now."""
    at = starts_of(runs) + LIGHT
    lights = stream[at]
    own, lost = lights < 0, lights >= LOST
    stream[at[own]] = first + index[-1 - lights[own]]
    stream[at[lost]] = np.where(lights[lost] - LOST < first + count, NOWHERE, lights[lost] - LOST)
