"""TXMP, a texture: its first picture, out of the raw data (Mac and demo: .sep) [OniGalore OBD:TXMP; OniSplit TextureDatReader.cs]."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...files.binary import Reader
from ...reporting.errors import FormatError, reading
from ...surface.mesh import Image
from ..files.instances import MAC
from ..files.level import Level
from ..files.library import Instance

TAG = "TXMP"

HEAD = np.dtype(
    [
        ("name", "S128"),
        ("flags", "<u4"),
        ("width", "<u2"),
        ("height", "<u2"),
        ("format", "<u4"),
        ("animation", "<u4"),
        ("environment", "<u4"),
        ("raw", "<u4"),
        ("sep", "<u4"),
    ]
)
"""The record's fields. raw: where the pixels are; sep: the same on Mac and in the demo."""

ENVIRONMENT = 0x200
"""The alpha of such a texture says how much it mirrors."""

BGRA4444, BGR555, BGRA5551, RGBA, BGR, DXT1 = 0, 1, 2, 7, 8, 9
_WITH_ALPHA = (BGRA4444, BGRA5551, RGBA)
_BYTES = {BGRA4444: 2, BGR555: 2, BGRA5551: 2, RGBA: 4, BGR: 4}

_SHIFTS = {BGRA4444: (8, 4, 0, 12), BGR555: (10, 5, 0, 15), BGRA5551: (10, 5, 0, 15)}
"""Of the 16-bit formats: where red, green, blue and alpha stand."""


def read_texture(instance: Instance) -> Image:
    """The texture at `place`; alpha is 255 where it does not mean transparency. Raises FormatError naming file and offset."""
    body, start = instance.body(), instance.start
    with reading(instance.path):
        if instance.tag != TAG:
            raise FormatError(f"a {instance.tag}; a {TAG} is expected", start)
        head = Reader(body).array(HEAD, 1, TAG).reshape(())
        width, height, kind = int(head["width"]), int(head["height"]), int(head["format"])
        if not width or not height:
            raise FormatError(f"a texture of {width} x {height} pixels", start)
        if kind not in (*_BYTES, DXT1):
            raise FormatError(f"texture format {kind}; 0, 1, 2, 7, 8 and 9 are known", start)
        data = _pixels(instance, head, _size(width, height, kind))
        pixels = _of_blocks(data, width, height) if kind == DXT1 else _plain(data, width, height, kind)
    if kind not in _WITH_ALPHA or int(head["flags"]) & ENVIRONMENT:
        pixels[..., 3] = 255
    return Image(instance.name, pixels)


def _size(width: int, height: int, kind: int) -> int:
    return _padded(width) * _padded(height) // 2 if kind == DXT1 else width * height * _BYTES[kind]


def _padded(length: int) -> int:
    """DXT1 has blocks of 4."""
    return -(-length // 4) * 4


def _pixels(instance: Instance, head: NDArray[Any], size: int) -> NDArray[np.uint8]:
    """The first picture; smaller ones follow it."""
    elsewhere = instance.file.tables.header["checksum"] == MAC and int(head["sep"]) != 0
    area = instance.file.sep if elsewhere and isinstance(instance.file, Level) else instance.file.raw_area
    pointer = int(head["sep"] if elsewhere else head["raw"])
    if not pointer:
        raise FormatError("a texture without pixels", instance.start)
    return np.frombuffer(bytes(area.exactly(pointer, size, "texture")), np.uint8)


def _plain(data: NDArray[np.uint8], width: int, height: int, kind: int) -> NDArray[np.uint8]:
    """(H, W, 4) of a format without compression."""
    if kind in (RGBA, BGR):
        pixels = data.reshape(height, width, 4)
        return pixels.copy() if kind == RGBA else pixels[..., [2, 1, 0, 3]].copy()
    texels = data.view("<u2").astype(np.uint32).reshape(height, width)
    bits = (4, 4, 4, 4) if kind == BGRA4444 else (5, 5, 5, 1)
    parts = [(texels >> shift & (1 << count) - 1) * 255 // ((1 << count) - 1) for shift, count in zip(_SHIFTS[kind], bits, strict=True)]
    return np.stack(parts, axis=-1).astype(np.uint8)


def _of_blocks(data: NDArray[np.uint8], width: int, height: int) -> NDArray[np.uint8]:
    """(H, W, 4) of DXT1: two colours a block of 4 x 4 pixels, and which of four between them each pixel has."""
    across, down = _padded(width) // 4, _padded(height) // 4
    blocks = data.view(np.dtype([("ends", "<u2", 2), ("rows", "u1", 4)]))
    ends = blocks["ends"].astype(np.int64)
    parts = [(ends >> shift & (1 << count) - 1) * 255 // ((1 << count) - 1) for shift, count in ((11, 5), (5, 6), (0, 5))]
    both = np.stack(parts, axis=-1)  # (blocks, 2, 3)
    one, two = both[:, 0], both[:, 1]
    four = (ends[:, 0] > ends[:, 1])[:, None]
    third = np.where(four, (2 * one + two) // 3, (one + two) // 2)
    fourth = np.where(four, (one + 2 * two) // 3, 0)
    colours = np.stack([one, two, third, fourth], axis=1)  # (blocks, 4, 3)
    which = blocks["rows"][..., None] >> np.arange(0, 8, 2, dtype=np.uint8) & 3  # (blocks, 4 rows, 4 columns)
    pixels = colours[np.arange(len(blocks))[:, None, None], which]
    whole = pixels.reshape(down, across, 4, 4, 3).transpose(0, 2, 1, 3, 4).reshape(down * 4, across * 4, 3)
    out = np.full((height, width, 4), 255, np.uint8)
    out[..., :3] = whole[:height, :width]
    return out
