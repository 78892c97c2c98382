"""TXMP, a texture: its first picture, out of the raw data (Mac and demo: .sep) [OniGalore OBD:TXMP; OniSplit TextureDatReader.cs]."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...files.binary import Reader
from ...images.blocks import decode_blocks, size_of
from ...images.pixels import Pixels, spread
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
"""The alpha of such a texture is how much it mirrors."""

BGRA4444, BGR555, BGRA5551, RGBA, BGR, DXT1 = 0, 1, 2, 7, 8, 9
_WITH_ALPHA = (BGRA4444, BGRA5551, RGBA)
_BYTES = {BGRA4444: 2, BGR555: 2, BGRA5551: 2, RGBA: 4, BGR: 4}

_MASKS = {
    BGRA4444: (0xF00, 0xF0, 0xF, 0xF000),
    BGR555: (0x7C00, 0x3E0, 0x1F, 0),
    BGRA5551: (0x7C00, 0x3E0, 0x1F, 0x8000),
    RGBA: (0xFF, 0xFF00, 0xFF0000, 0xFF000000),
    BGR: (0xFF0000, 0xFF00, 0xFF, 0),
}
"""Of a pixel as a number: where red, green, blue and alpha are."""


def read_texture(instance: Instance) -> Image:
    """The texture of an instance; alpha is 255 where it does not mean transparency. Raises FormatError naming file and offset."""
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
        pixels = _decode(data, width, height, kind)
    if kind not in _WITH_ALPHA or int(head["flags"]) & ENVIRONMENT:
        pixels[..., 3] = 255
    return Image(instance.name, pixels)


def _size(width: int, height: int, kind: int) -> int:
    return size_of(width, height, "DXT1") if kind == DXT1 else width * height * _BYTES[kind]


def _pixels(instance: Instance, head: NDArray[Any], size: int) -> bytes:
    """The first picture; smaller ones follow it."""
    elsewhere = instance.file.tables.header["checksum"] == MAC and int(head["sep"]) != 0
    area = instance.file.sep if elsewhere and isinstance(instance.file, Level) else instance.file.raw_area
    pointer = int(head["sep"] if elsewhere else head["raw"])
    if not pointer:
        raise FormatError("a texture without pixels", instance.start)
    return bytes(area.exactly(pointer, size, "texture"))


def _decode(data: bytes, width: int, height: int, kind: int) -> Pixels:
    """(H, W, 4) of the first picture."""
    if kind == DXT1:
        return decode_blocks(Reader(data), width, height, "DXT1").copy()
    values = np.frombuffer(data, f"<u{_BYTES[kind]}").reshape(height, width)
    return spread(values, _MASKS[kind])
