"""The texture page of LBA2 as an image: faces of one's own are textured by their place on it, and it goes back into RESS.HQR."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.files import address
from ....core.files.disk import disk
from ....core.files.letter_case import find_beside
from ....core.lba.body.nearest_colour import nearest
from ....core.lba.characters import companions
from ....core.lba.files.archive.hqr import Hqr
from ....core.lba.files.palette import Palette
from ....core.lba.files.texture import SIDE, TexturePage
from ....core.reporting import log
from ....core.reporting.errors import ExportError, reading
from ...blender.surface.materials import images
from .paint import PAGE

_TITLE = "LBA2 texture page"
_FAR = 0.1
"""From a colour to the nearest of the palette, from which on it looks quite different."""


def resources(path: str) -> Path:
    """The RESS.HQR that a path is or lies beside. Raises ExportError where there is none."""
    file = Path(address.split(path)[0]) if path else Path()
    source = file if path and file.name.lower() == "ress.hqr" and file.is_file() else find_beside(file, "RESS.HQR") if path else None
    if source is None:
        raise ExportError("there is no RESS.HQR: choose the one of Little Big Adventure 2")
    return source


def open_page(path: str) -> Any:
    """The page in RESS.HQR as an image, 256 x 256; texel 0, which is a hole in faces with holes, is transparent. Raises RetroAnimError."""
    source = resources(path)
    palette, page = _read(source)
    image: Any = bpy.data.images.new(_TITLE, SIDE, SIDE, alpha=True)
    image.pixels.foreach_set((_colours(palette, page)[::-1].ravel() / np.float32(255)).astype(np.float32))
    image.alpha_mode = "CHANNEL_PACKED"
    image.pack()
    image[PAGE] = str(source)
    return image


def use_as_page(image: Any) -> None:
    """Faces with this image are textured by their place on the page from now on. Raises ExportError for another size."""
    if tuple(image.size) != (SIDE, SIDE):
        raise ExportError(f"{image.name} has {image.size[0]} x {image.size[1]} pixels; the texture page has {SIDE} x {SIDE}")
    image[PAGE] = str(image.get(PAGE, ""))


def write_page(image: Any, path: str) -> str:
    """Put an image into RESS.HQR as its texture page, of which a .bak is kept; returns FILE#ENTRY. Texels whose colour is as it was keep
    their number, the others get the nearest colour of the palette. All bodies share the page. Raises RetroAnimError."""
    use_as_page(image)
    source = resources(path or str(image.get(PAGE, "")))
    palette, page = _read(source)
    pixels = np.empty(4 * SIDE * SIDE, np.float32)
    image.pixels.foreach_get(pixels)
    shown = np.round(np.clip(pixels.reshape(SIDE, SIDE, 4)[::-1], 0, 1) * 255).astype(np.int64)
    before = _colours(palette, page).astype(np.int64)
    was_hole = before[..., 3] == 0
    hole, colour = shown[..., 3] < 128, np.abs(shown - before)[..., :3].max(axis=2) <= 1
    same: NDArray[np.bool_] = (hole & was_hole) | (~hole & ~was_hole & colour)
    texels = page.texels.copy()
    texels[~same & hole] = 0
    new = ~same & ~hole
    if new.any():
        plain = Palette(palette.colours[1:])  # 0 is the hole
        colours, index = np.unique(shown[new][:, :3], axis=0, return_inverse=True)
        chosen, away = nearest(plain, colours / 255)
        texels[new] = (chosen + 1).astype(np.uint8)[index.reshape(-1)]
        far = int((away > _FAR)[index.reshape(-1)].sum())
        if far:
            log.warning(f"{far} texels get a colour of the palette that looks quite different")
    if not same.all():
        with reading(str(source)):
            archive = Hqr.parse(disk.read_file(source))
        disk.write_file(source, archive.replaced(companions.PAGE_ENTRY, TexturePage(texels).pack()).pack(), backup=True)
        image[PAGE] = str(source)
    images.pack_painted(image)
    return f"{source}#{companions.PAGE_ENTRY}"


def _read(source: Path) -> tuple[Palette, TexturePage]:
    with reading(str(source)):
        archive = Hqr.parse(disk.read_file(source))
    with reading(f"{source}#{companions.PAGE_ENTRY}"):
        page = TexturePage.parse(archive.read(companions.PAGE_ENTRY))
    return companions.palette_of(source)[0], page


def _colours(palette: Palette, page: TexturePage) -> NDArray[np.uint8]:
    """(256, 256, 4) from the top."""
    return page.pixels(palette, 0, SIDE - 1, SIDE - 1, True)
