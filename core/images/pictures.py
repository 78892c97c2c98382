"""Picture files, whatever their format: read by their content, written by the name of the file.

Each format has its module, with `decode` and, where the games' tools need it, `encode`; `blocks` are the pixels of DXT1 to DXT5.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath

from ..files.binary import Bytes
from ..reporting.errors import FormatError
from . import bmp, dds, tga
from .pixels import Pixels

EXTENSIONS = (".bmp", ".tga", ".dds")
"""What files of the formats that can be read are called."""

_OTHERS = {b"\x89PNG": "a PNG", b"\xff\xd8\xff": "a JPEG", b"GIF8": "a GIF"}
"""Pictures that are not read, by their first bytes: people call them .bmp."""

_ENCODERS: dict[str, Callable[[Pixels], bytes]] = {".bmp": bmp.encode, ".tga": tga.encode}


def decode(data: Bytes) -> Pixels:
    """(H, W, 4) red, green, blue, alpha, top row first, of a BMP, DDS or TGA file. Raises FormatError."""
    mark = bytes(memoryview(data)[:4])
    if mark.startswith(bmp.MARK):
        return bmp.decode(data)
    if mark == dds.MARK:
        return dds.decode(data)
    if tga.recognise(data):
        return tga.decode(data)
    other = next((kind for start, kind in _OTHERS.items() if mark.startswith(start)), "")
    raise FormatError(f"{other} picture: save it as BMP, TGA or DDS" if other else "neither a BMP, a TGA nor a DDS picture", 0)


def encode(pixels: Pixels, name: str) -> bytes:
    """The file `name` of pixels (H, W, 4), top row first: .tga with alpha, .bmp without. Raises ValueError for another extension."""
    extension = PurePath(name).suffix.lower()
    if extension not in _ENCODERS:
        raise ValueError(f"pictures are written as {' or '.join(_ENCODERS)}, not as {extension or name}")
    return _ENCODERS[extension](pixels)
