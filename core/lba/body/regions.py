"""Regions of LBA2's texture page: as text, and their pictures."""

from __future__ import annotations

import re
from functools import lru_cache

from ...surface.mesh import Image
from ..files.palette import Palette
from ..files.texture import TexturePage

REGION_NAME, HOLES_NAME = "LBA2 texture ", " holes"
"""What the picture of a texture's region is called, with the region, and what follows where it has holes."""


def region_text(corner: int, mask_u: int, mask_v: int) -> str:
    """A texture's region as a property of a material has it."""
    return f"{corner:04X} {mask_v:02X}{mask_u:02X}"


def region_of(text: str) -> tuple[int, int, int] | None:
    """Corner and masks of u and v; None for what is no region."""
    match = re.fullmatch(r"([0-9A-Fa-f]{4}) ([0-9A-Fa-f]{2})([0-9A-Fa-f]{2})", text.strip())
    return (int(match[1], 16), int(match[3], 16), int(match[2], 16)) if match else None


@lru_cache(maxsize=128)
def picture_of(page: TexturePage, palette: Palette, corner: int, mask_u: int, mask_v: int, holes: bool) -> Image:
    """Of a region of the texture page; the bodies of a game share many of them."""
    name = f"{REGION_NAME}{region_text(corner, mask_u, mask_v)}{HOLES_NAME if holes else ''}"
    return Image(name, page.pixels(palette, corner, mask_u, mask_v, holes), smooth=False)
