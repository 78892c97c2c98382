"""Materials as the game's colours: by what an import has kept on them, or else the nearest of the palette."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.lba.body.light import region_of
from ....core.lba.body.nearest_colour import lit_as, nearest
from ....core.lba.fields import COLOUR, REACH, REGION, TYPE
from ....core.lba.files.palette import Palette
from ....core.reporting import log
from ...blender import arrays
from ...blender.surface import images, materials
from ...blender.surface.images import image_of
from ...blender.surface.plain_colour import DEFAULT, alpha_of, is_unlit, shader_of, shown

_FULL = 14
_TOLERANCE = 0.02
"""Of a colour, within which it is the one that the import gave."""


_SPOKES = (0.25, 0.5, 0.8)
"""How far from the middle of a face towards its edges its picture is looked at."""

PAGE = "lba_page"
"""Custom property of an image that is LBA2's texture page: the RESS.HQR that it belongs to."""

WHOLE_PAGE = (0, 255, 255)
"""The region that is the page itself."""


@dataclass(frozen=True)
class Paint:
    """What faces of a material are. kind: polygon type, -1 for what follows from the face. colour: index in the palette, -1 where it has a
    texture. reach: shades that the light adds. region: corner and masks. plain: the colour of the palette that is meant where `kind` is -1.
    image: of whose pixels faces have their colours. unlit, transparent: of a material that is not the game's; holes: where the
    picture's alpha is used. matched: where the colour is the nearest of the palette."""

    kind: int = -1
    colour: int = -1
    reach: int = _FULL
    region: tuple[int, int, int] | None = None
    plain: int = -1
    image: bpy.types.Image | None = None
    unlit: bool = False
    transparent: bool = False
    holes: bool = False
    matched: bool = False


def paint_of(material: bpy.types.Material | None, palette: Palette, foreign: bool) -> Paint:
    """A material that kept its colours is what the file had; one whose colour was changed, or of one's own, the nearest of the palette.
    foreign: of the other game, whose numbers mean other colours and polygon types."""
    if material is None:
        return Paint(plain=_nearest("no material", DEFAULT, palette), matched=True)
    kind, colour, reach = (material.get(name) for name in (TYPE, COLOUR, REACH))
    region = region_of(str(material.get(REGION, "")))
    if not foreign and isinstance(kind, int) and (region is not None or isinstance(colour, int)):
        reach = reach if isinstance(reach, int) else _FULL
        if region is not None:
            return Paint(kind & 0xFF, -1, reach, region)
        assert isinstance(colour, int)
        if not _recoloured(material):
            return Paint(kind & 0xFF, colour & 0xFF, reach)
        index = _nearest(material.name, shown(material), palette)
        if reach == 0:
            return Paint(kind & 0xFF, index, 0, matched=True)
        return Paint(kind & 0xFF, *lit_as(index), matched=True)
    image = image_of(material)
    plain = -1 if image is not None else _nearest(material.name, shown(material), palette)
    return Paint(
        plain=plain,
        image=image,
        unlit=is_unlit(material),
        transparent=alpha_of(material) < 0.99,
        holes=_holes(material),
        matched=image is None or PAGE not in image,
    )


def _nearest(name: str, colour: tuple[float, ...], palette: Palette) -> int:
    index, away = nearest(palette, np.array([colour]))
    said = log.warning if away[0] > 0.1 else log.info
    said(f"{name}: the nearest colour of the palette is {index[0]}{', which looks quite different' if away[0] > 0.1 else ''}")
    return int(index[0])


def _recoloured(material: Any) -> bool:
    """Whether somebody gave it another colour than the import."""
    kept = arrays.of_property(material.get(materials.RAMP))
    ramp = kept.reshape(-1, 3) if kept.size % 3 == 0 else np.zeros((0, 3))
    return bool(len(ramp)) and bool(np.abs(ramp[len(ramp) * 2 // 3] - shown(material)).max() > _TOLERANCE)


def _holes(material: Any) -> bool:
    shader = shader_of(material)
    return shader is not None and shader.inputs["Alpha"].is_linked


def mean_of(pixels: NDArray[np.float64], uvs: NDArray[np.float64]) -> NDArray[np.float64]:
    """(3,) the colour of a face at (N, 2) of a picture (H, W, 4), the lowest row first, as a whole; what is transparent counts less."""
    height, width = pixels.shape[:2]
    spokes = np.concatenate([uvs, (uvs + np.roll(uvs, 1, axis=0)) / 2])
    middle = uvs.mean(axis=0)
    points = np.concatenate([middle[None], *(middle + share * (spokes - middle) for share in _SPOKES)])
    column, row = (np.floor(points * (width, height)).astype(np.int64) % (width, height)).T
    colours = pixels[row, column]
    weights = np.maximum(colours[:, 3], 1e-3)
    return (colours[:, :3] * weights[:, None]).sum(axis=0) / weights.sum()


def pixels_of(image: Any) -> NDArray[np.float64]:
    """(H, W, 4) of a picture, 0 to 1 as displayed, the lowest row first."""
    return images.pixels_of(image)[::-1] / 255
