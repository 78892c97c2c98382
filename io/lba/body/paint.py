"""Materials as the game's colours: by what an import has kept on them, or else the nearest of the palette."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.lba.body import lm1_mesh, lm2_mesh
from ....core.lba.body.nearest_colour import lit_as, nearest
from ....core.lba.body.regions import HOLES_NAME, REGION_NAME, region_of, region_text
from ....core.lba.fields import COLOUR, REACH, REGION, TYPE
from ....core.lba.files.palette import Palette
from ....core.reporting import log
from ....core.reporting.labels import first_few
from ...blender import arrays
from ...blender.surface.materials import images, materials
from ...blender.surface.materials.images import image_of
from ...blender.surface.materials.plain_colour import DEFAULT, alpha_of, is_unlit, shown, source_of
from ...blender.surface.materials.shown_nodes import CORNERS, principled
from ...blender.surface.materials.shown_picture import OPAQUE, shown_alpha

_FULL = 14
_PICTURE = "TEX_IMAGE"
"""A node that shows a picture."""

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
    image, source = image_of(material) if images.shows_picture(material) else None, source_of(material)
    if image is None and source not in ("", *CORNERS, _PICTURE):  # of the colours of corners there is a word elsewhere
        log.warning(f"{material.name}: nodes make its colour, of which the game gets none: give it a Principled BSDF with a plain colour")
    reach = reach if isinstance(reach, int) else _FULL
    ours = not foreign and isinstance(kind, int)
    if ours and region is not None and (image is None or PAGE not in image):
        _report_region(material, region, image)
        return Paint(kind & 0xFF, -1, reach, region)
    if ours and region is None and isinstance(colour, int) and source != _PICTURE:
        if not _recoloured(material):
            return Paint(kind & 0xFF, colour & 0xFF, reach)
        index = _nearest(material.name, shown(material), palette)
        if reach == 0:
            return Paint(kind & 0xFF, index, 0, matched=True)
        return Paint(kind & 0xFF, *lit_as(index), matched=True)
    if image is None and source == _PICTURE:
        log.warning(f"{material.name}: its picture is not found: the game gets one colour: find its file, or give it a plain colour")
    plain = -1 if image is not None else _nearest(material.name, shown(material), palette)
    return Paint(
        plain=plain,
        image=image,
        unlit=is_unlit(material),
        transparent=alpha_of(material) < OPAQUE,
        holes=_holes(material),
        matched=image is None or PAGE not in image,
    )


def report_picture(material: bpy.types.Material | None, chosen: Paint, wide: bool) -> None:
    """Say of a material that the game does not draw its picture. wide: of LBA2."""
    if material is None or chosen.image is None or PAGE in chosen.image:
        return
    page = "give them the texture page (Texture Page, Open as an Image), or" if wide else "give them"
    other = f"{page} materials of plain colours"
    text = f"each face gets the colour of the palette that is nearest to its part of {chosen.image.name}, which the game does not have"
    log.warning(f"{material.name}: {text}: {other}")


def report_opacity(paints: Mapping[bpy.types.Material | None, Paint], wide: bool) -> None:
    """Say which materials of the game let more or less through than their polygon types, which alone the file has; those of the same Alpha
    at once. wide: of LBA2."""
    of = lm2_mesh if wide else lm1_mesh
    alike: dict[tuple[str, bool], list[tuple[str, int]]] = {}
    for material, chosen in paints.items():
        alpha = None if material is None or chosen.kind < 0 else shown_alpha(material)
        if material is not None and alpha is not None and (alpha < OPAQUE) != of.is_clear(chosen.kind):
            alike.setdefault((f"{alpha:.3g}", alpha < OPAQUE), []).append((material.name, chosen.kind))
    for (alpha, clear), those in alike.items():
        kinds = sorted({kind for _, kind in those})
        types = f"type{'s' if len(kinds) > 1 else ''} {' and '.join(map(str, kinds))}"
        if clear:
            held, remedy = "opaque", f"set Polygon Type to {of.TRANSPARENT}, or Alpha to 1"
        else:
            held, remedy = "transparent", "set Alpha to 0.5, or Polygon Type to another one"
        names = first_few([name for name, _ in those], 3)
        log.warning(f"{names}: Blender shows an Alpha of {alpha}, and polygons of {types} are {held}: {remedy}")


def _report_region(material: bpy.types.Material, region: tuple[int, int, int], image: bpy.types.Image | None) -> None:
    """Say of a material with a region of the texture page that it shows anything else. image: what it shows."""
    name = images.name_of(material) if images.shows_picture(material) else ""
    shown_region = region_of(name.removeprefix(REGION_NAME).removesuffix(HOLES_NAME)) if name.startswith(REGION_NAME) else None
    if shown_region == region:
        return
    remedy = "assign a material of your own, or paint on that page: Texture Page, Open as an Image"
    if shown_region is not None:
        remedy = f"set its Texture Region to {region_text(*shown_region)}"
    shows = f"shows {image.name if image is not None else name}" if name else "does not show its picture"
    log.warning(f"{material.name} {shows}, and the game draws the region {region_text(*region)} of the texture page: {remedy}")


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
    shader = principled(material)
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
