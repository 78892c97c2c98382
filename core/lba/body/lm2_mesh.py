"""The surface of an LM2: faces with the palette's colours or with repeating regions of the texture page, lines and spheres."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from ...reporting import log
from ...reporting.labels import counted
from ...surface.holdable import rows_of
from ...surface.mesh import SHADES, Blend, Image, Line, Material, Mesh, Shading, Sphere
from ..fields import COLOUR, REACH, REGION, TYPE
from ..files.lm2 import (
    DITHER,
    DITHER_TABLE,
    ENVIRONMENT,
    FLAT,
    GOURAUD,
    SCREEN_DOOR,
    SOLID,
    TEXTURED,
    TRANSPARENT,
    Faces,
    Lm2,
)
from ..files.texture import TexturePage
from .light import Colours, reach_of, shades_of_lm2
from .material_list import MaterialList
from .regions import picture_of, region_text

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_REGIONS = 256
"""Textures of one body, at most: more than the page has room for in any sense."""

_SHADINGS: tuple[Shading, ...] = ("UNLIT", "FLAT", "SMOOTH", "SMOOTH")
_FLAT, SMOOTH = 1, 2
_DITHERED = 3
_FULLY_LIT = SHADES - 2
_NORMAL_LENGTH = 0x4000
_QUANTUM = 1 / 256
"""Of texture coordinates, in texels."""

_SIZES = np.array([1 << mask.bit_length() for mask in range(256)], np.float64)
"""Texels of what repeats, by its mask."""


def mesh_of(lm2: Lm2, points: Floats, bones: Ints, colours: Colours, page: TexturePage) -> Mesh:
    """points: (P, 3) at rest, in character space. bones: (P,) the group of each."""
    faces = lm2.faces
    face_of, slot = drawn_corners(faces)
    corners = faces.corners[face_of, slot].astype(np.int64)
    normals = _lit_by(lm2, faces, len(points))[face_of, slot]
    counts = np.bincount(face_of, minlength=len(faces.type))
    drawn = counts > 0
    starts = (np.cumsum(counts[drawn]) - counts[drawn]).astype(np.int64)
    shades = shades_of_lm2(normals)
    table = _Materials(lm2, colours, page)
    keys = np.column_stack([faces.type, faces.colour & 0xFF, faces.handle])[drawn]
    keys = np.column_stack([keys, reach_of(shades, starts)]).tolist()
    material = cache(table.face)
    material_of = np.array([material(*key) for key in keys], np.int64)
    if not colours.game:  # a renderer knows by itself where flat faces look
        normals[shading_of(faces.kind)[face_of] == _FLAT] = 0
    columns = {"type": faces.type, "colour": faces.colour, "normal": faces.normal, "texture": faces.handle, "scale": faces.scale}
    lines, spheres = _outlines(lm2, cache(table.plain))
    uvs = (
        {"UVMap": _coordinates(lm2, faces, face_of, slot, rows_of(_point_normals(lm2, len(points)), corners))}
        if (faces.handle >= 0).any()
        else {}
    )
    return Mesh(
        points=points,
        bones=bones,
        starts=starts,
        counts=counts[drawn].astype(np.int64),
        corners=corners,
        normals=normals,
        materials=table.materials,
        material_of=material_of,
        lines=lines,
        spheres=spheres,
        attributes={f"lba_{name}": values[drawn] for name, values in columns.items()},
        uvs=uvs,
        numbers=np.flatnonzero(drawn),
        light=shades if colours.game else None,
    )


def _outlines(lm2: Lm2, plain: Callable[[int, int], int]) -> tuple[list[Line], list[Sphere]]:
    """plain: the material of a polygon type and a colour."""
    lines = zip(lm2.lines["colour"].tolist(), lm2.lines["points"].tolist(), strict=True)
    return (
        [Line((first, second), plain(SOLID, colour & 0xFF), number) for number, (colour, (first, second)) in enumerate(lines)],
        [
            Sphere(point, float(radius), plain(TRANSPARENT if kind else SOLID, colour & 0xFF), number)
            for number, (kind, colour, point, radius) in enumerate(lm2.spheres.tolist())
        ],
    )


def drawn_corners(faces: Faces) -> tuple[Ints, Ints]:
    """Face and slot of every corner that is drawn: each point once in a face, and no face of fewer than three."""
    used = np.ones((len(faces.type), 4), bool)
    used[:, 3] = faces.quad
    for slot_index in range(1, 4):
        used[:, slot_index] &= (faces.corners[:, slot_index, None] != faces.corners[:, :slot_index]).all(axis=1)
    used &= used.sum(axis=1, keepdims=True) >= 3
    left_out = len(used) - int(used.any(axis=1).sum())
    if left_out:
        log.info(f"{counted(left_out, 'polygon')} without an area: not shown")
    face_of, slot = np.nonzero(used)
    return face_of, slot


def lit_corners(lm2: Lm2) -> tuple[Ints, Ints, Floats]:
    """(C,) polygon and point of every corner that is drawn, and (C, 3) the normal that lights it, zero for none."""
    faces = lm2.faces
    with log.collect():  # the import says what is not shown
        face_of, slot = drawn_corners(faces)
    return face_of, faces.corners[face_of, slot].astype(np.int64), _lit_by(lm2, faces, len(lm2.points))[face_of, slot]


def _lit_by(lm2: Lm2, faces: Faces, points: int) -> Floats:
    """(F, 4, 3) the normals that light each face's corners: those of its points, or its own four times; zero for what is not lit."""
    shading = shading_of(faces.kind)
    lights = np.concatenate([lm2.normals["direction"], lm2.face_normals["direction"], np.zeros((1, 3))]).astype(np.float64)
    own = lights[np.minimum(faces.normal, len(lights) - 1)]  # a few faces name one that is not there
    normals = np.where((shading == _FLAT)[:, None, None], own[:, None], rows_of(_point_normals(lm2, points), faces.corners))
    return np.where((shading > 0)[:, None, None], normals, 0.0)


def shading_of(kind: NDArray[np.int32]) -> NDArray[np.int64]:
    """Index in `_SHADINGS` of every polygon type."""
    plain = np.where(kind == FLAT, 1, np.where(kind >= GOURAUD, 2, 0))
    return np.where(kind < TEXTURED, plain, kind % 4).astype(np.int64)


@cache
def _shading(kind: int) -> Shading:
    return _SHADINGS[int(shading_of(np.array([kind]))[0])]


def _point_normals(lm2: Lm2, count: int) -> Floats:
    """One normal a point, whatever the file has."""
    normals = lm2.normals["direction"].astype(np.float64)
    rows = np.zeros((count, 3))
    rows[: min(count, len(normals))] = normals[:count]
    return rows


def _coordinates(lm2: Lm2, faces: Faces, face_of: Ints, slot: Ints, normals: Floats) -> Floats:
    """(C, 2) in units of the face's region, v upwards. Those of environment maps, which in the game move with the view, are what the
    game shows from the front at rest."""
    regions = np.concatenate([lm2.textures, np.zeros(1, lm2.textures.dtype)])[faces.handle[face_of]]
    size = _SIZES[regions["mask"]]
    fixed = faces.uv[face_of, slot].astype(np.float64)
    scale = np.stack([faces.scale & 0xFF, faces.scale >> 8], axis=1)[face_of]
    mirrored = np.floor((normals[:, :2] + _NORMAL_LENGTH) * scale / 16)
    fixed = np.where((faces.type[face_of] & ENVIRONMENT != 0)[:, None], mirrored, fixed)
    # The middle of each 1/256 texel: on its edge, upwards would be another texel than downwards, as the game counts.
    slot_index = (fixed + 0.5) * _QUANTUM / size
    slot_index[:, 1] = 1 - slot_index[:, 1]
    slot_index[faces.handle[face_of] < 0] = 0
    return slot_index


def is_clear(kind: int) -> bool:
    """Whether polygons of a type are shown half transparent."""
    return kind in (TRANSPARENT, SCREEN_DOOR)


@lru_cache(maxsize=4096)
def plain_material(colours: Colours, kind: int, colour: int, reach: int) -> Material:
    """Of a polygon type without a texture and a colour of the palette. reach: whole shades that light adds at most."""
    shading = _shading(kind)
    look = colours.drawn(colour, shading, kind in (DITHER, DITHER_TABLE), kind == SCREEN_DOOR, 0.5 if kind == TRANSPARENT else 1.0)
    alpha = 0.5 if is_clear(kind) else 1.0
    name, ramp = colours.name(f"LBA2 {kind}:{colour}", colour, shading, reach), colours.ramp(colour, shading, reach)
    properties = {TYPE: kind, COLOUR: colour, REACH: reach}
    return Material(name, shading, ramp, alpha, two_sided=look is None, properties=properties, look=look)


class _Materials(MaterialList):
    """One material for every pair of type and colour, or of type and texture region, and how far it is lit."""

    def __init__(self, lm2: Lm2, colours: Colours, page: TexturePage) -> None:
        super().__init__()
        self.colours, self.page = colours, page
        self._textures: list[tuple[int, int, int]] = np.column_stack([lm2.textures["corner"], lm2.textures["mask"]]).tolist()
        self._images: dict[tuple[int, int, int, bool], Image] = {}

    def face(self, kind: int, colour: int, handle: int, reach: int) -> int:
        number = kind & 0xFF
        if handle < 0:
            return self.plain(number, colour, reach)
        corner, mask_u, mask_v = self._textures[handle]
        holes = number % 8 >= 4
        image = self._image(corner, mask_u, mask_v, holes)
        if image is None:
            return self.plain(number, colour, reach)
        shading = _SHADINGS[number % 4]
        name = self.colours.name(f"LBA2 {number} {image.name.removeprefix('LBA2 ')}", 0, shading, reach)
        part = min(reach / _FULLY_LIT, 1.0) if shading != "UNLIT" else 1.0
        look = self.colours.drawn(0, shading, number % 4 == _DITHERED)
        blend: Blend = "CLIP" if holes else "OPAQUE"
        properties = {TYPE: number, REACH: reach, REGION: region_text(corner, mask_u, mask_v)}
        ramp = ((part, part, part),)
        return self.index(Material(name, shading, ramp, 1.0, image, blend, two_sided=look is None, properties=properties, look=look))

    def plain(self, kind: int, colour: int, reach: int = 0) -> int:
        return self.index(plain_material(self.colours, kind, colour, reach))

    def _image(self, corner: int, mask_u: int, mask_v: int, holes: bool) -> Image | None:
        key = (corner, mask_u, mask_v, holes)
        if key not in self._images:
            if len(self._images) == MOST_REGIONS:
                return None
            self._images[key] = picture_of(self.page, self.colours.palette, *key)
        return self._images[key]
