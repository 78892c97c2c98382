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
from ...blender.surface import materials

_FULL = 14
_TOLERANCE = 0.02
"""Of a colour, within which it is the one that the import gave."""


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


def paint_of(material: bpy.types.Material | None, palette: Palette) -> Paint:
    """A material that kept its colours is what the file had; one whose colour was changed, or of one's own, the nearest of the palette."""
    if material is None:
        return Paint(plain=_nearest("no material", (0.8, 0.8, 0.8), palette), matched=True)
    kind, colour, reach = (material.get(name) for name in (TYPE, COLOUR, REACH))
    region = region_of(str(material.get(REGION, "")))
    if isinstance(kind, int) and (region is not None or isinstance(colour, int)):
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
    image = _image(material)
    plain = -1 if image is not None else _nearest(material.name, shown(material), palette)
    return Paint(
        plain=plain,
        image=image,
        unlit=_unlit(material),
        transparent=_alpha(material) < 0.99,
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


def _shader(material: Any) -> Any:
    tree: Any = material.node_tree
    return next((node for node in tree.nodes if node.type == "BSDF_PRINCIPLED"), None) if tree is not None else None


def _unlit(material: Any) -> bool:
    shader = _shader(material)
    return shader is not None and shader.inputs["Emission Strength"].default_value > 0 and max(_base(shader)) < 1e-3


def _base(shader: Any) -> tuple[float, float, float]:
    red, green, blue = shader.inputs["Base Color"].default_value[:3]
    return red, green, blue


def _alpha(material: Any) -> float:
    shader = _shader(material)
    return float(shader.inputs["Alpha"].default_value) if shader is not None else float(material.diffuse_color[3])


def _holes(material: Any) -> bool:
    shader = _shader(material)
    return shader is not None and shader.inputs["Alpha"].is_linked


def _image(material: Any) -> bpy.types.Image | None:
    shader = _shader(material)
    if shader is None:
        return None
    for name in ("Base Color", "Emission Color"):
        links = shader.inputs[name].links
        node = links[0].from_node if links else None
        if node is not None and node.type == "TEX_IMAGE" and node.image is not None and node.image.size[0]:
            return node.image
    return None


def shown(material: Any) -> tuple[float, float, float]:
    """Its plain colour, 0 to 1 as displayed."""
    shader = _shader(material)
    linear: list[float] = list(material.diffuse_color[:3])
    if shader is not None:
        linear = list(shader.inputs["Emission Color"].default_value[:3]) if _unlit(material) else list(_base(shader))
    red, green, blue = (12.92 * part if part <= 0.0031308 else 1.055 * max(part, 0) ** (1 / 2.4) - 0.055 for part in linear)
    return red, green, blue


def sampled(image: Any, uvs: NDArray[np.float64]) -> NDArray[np.float64]:
    """(N, 3) the colours of an image at (N, 2), as displayed."""
    width, height = image.size
    pixels = np.empty(width * height * image.channels, np.float32)
    image.pixels.foreach_get(pixels)
    grid = pixels.reshape(height, width, image.channels)
    column, row = (np.floor(uvs * (width, height)).astype(np.int64) % (width, height)).T
    colours = grid[row, column].astype(np.float64)
    return colours[:, :3] if image.channels >= 3 else np.repeat(colours[:, :1], 3, axis=1)
