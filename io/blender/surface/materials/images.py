"""Pictures of materials, and their pixels."""

from __future__ import annotations

import re
from typing import Any, cast
from zlib import crc32

import bpy
import numpy as np
from numpy.typing import NDArray

from .....core.reporting import log
from ... import not_undone
from .shown_nodes import PICTURE, nodes_of, origins

NAME = "retro_anim_image"
"""Custom property of an image that came from a file: what it was called as it came."""


PIXELS = "retro_anim_pixels"
"""Custom property of an image that a file has: the checksum of its pixels there."""


def image_of(material: bpy.types.Material) -> bpy.types.Image | None:
    """The picture whose colours it shows, else the first one."""
    return next((node.image for node in (*_shown(material), *nodes_of(material)) if _has_picture(node) and _has_pixels(node.image)), None)


def name_of(material: bpy.types.Material) -> str:
    """What a file calls the picture of a material, also where its pixels are not found; "" without one. Of one that came from a file the
    name that it had there; of another its own, without the number that Blender gives to a second one."""
    image = next((node.image for node in (*_shown(material), *nodes_of(material)) if _has_picture(node)), None)
    if image is None:
        return ""
    kept = image.get(NAME)
    return kept if isinstance(kept, str) else re.sub(r"\.\d{3}$", "", image.name)


def shows_picture(material: bpy.types.Material) -> bool:
    """Whether the colours of a picture go anywhere; yes where there is none."""
    pictures = [node for node in nodes_of(material) if _has_picture(node) and _has_pixels(node.image)]
    return not pictures or any(node.outputs["Color"].is_linked for node in pictures)


def report_unshown(material: bpy.types.Material, kept: str) -> None:
    """Say that a material does not show a picture that the file keeps, called `kept`."""
    if not shows_picture(material):
        log.warning(f"{material.name} does not show its picture: the file keeps {kept or 'none'}")


def _shown(material: bpy.types.Material) -> list[Any]:
    """The nodes with a colour that it shows."""
    return [output.node for output in origins(material) if output.name == "Color"]


def _has_picture(node: Any) -> bool:
    return node.bl_idname == PICTURE and node.image is not None


def is_painted(image: bpy.types.Image) -> bool:
    """Whether a picture that a file has has other pixels by now."""
    known = not_undone.kept(image, PIXELS)
    return isinstance(known, str) and _has_pixels(image) and checksum(pixels_of(image)) != known


def remember(image: bpy.types.Image) -> None:
    """That a file has the pixels of a picture as they are now."""
    if image.library is None and _has_pixels(image):
        not_undone.keep(image, PIXELS, checksum(pixels_of(image)))
        pack_painted(image)


def pack_painted(image: bpy.types.Image) -> None:
    """Keep what was painted in the .blend, where the picture is packed into that, so that Blender does not call it modified any more.
    With other alpha modes its pixels would not come back the same."""
    if image.packed_file is not None and image.is_dirty and image.alpha_mode in ("CHANNEL_PACKED", "STRAIGHT"):
        image.pack()


def _has_pixels(image: bpy.types.Image) -> bool:
    width, height = cast(Any, image.size)
    return min(width, height) > 0


def checksum(pixels: NDArray[np.uint8]) -> str:
    """Of (H, W, 4)."""
    return f"{crc32(np.ascontiguousarray(pixels).data.cast('B')):08x}"


def pixels_of(image: bpy.types.Image) -> NDArray[np.uint8]:
    """(H, W, 4) red, green, blue, alpha, as displayed, top row first."""
    size: Any = image.size
    width, height = size[0], size[1]
    values = np.empty(4 * width * height, np.float32)
    pixels: Any = image.pixels
    pixels.foreach_get(values)
    return np.round(np.clip(values, 0, 1) * 255).astype(np.uint8).reshape(height, width, 4)[::-1]
