"""Picture files, whatever their format: read by their content, written by the name of the file.

Each format has its module, with `decode` and, where the games' tools need it, `encode`; `blocks` are the pixels of DXT1 to DXT5.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath

from ..files.binary import Bytes
from ..reporting.errors import FormatError
from . import bmp, dds, png, tga
from .pixels import Pixels

EXTENSIONS = (".bmp", ".tga", ".dds", ".png")
"""What files of the formats that can be read are called."""

_OTHERS = {b"\xff\xd8\xff": "a JPEG", b"GIF8": "a GIF"}
"""Pictures that are not read, by their first bytes: people call them .bmp."""

_ENCODERS: dict[str, Callable[[Pixels], bytes]] = {".bmp": bmp.encode, ".tga": tga.encode}


def kind_of(data: Bytes) -> Callable[[Bytes], Pixels] | None:
    """What decodes a file's bytes, None for those that are no picture that can be read."""
    head = bytes(memoryview(data)[: len(png.MARK)])
    marked = {bmp.MARK: bmp.decode, dds.MARK: dds.decode, png.MARK: png.decode}
    known = next((decoder for mark, decoder in marked.items() if head.startswith(mark)), None)
    return known or (tga.decode if tga.recognise(data) else None)


def decode(data: Bytes) -> Pixels:
    """(H, W, 4) red, green, blue, alpha, top row first, of a BMP, DDS, PNG or TGA file. Raises FormatError."""
    decoder = kind_of(data)
    if decoder is not None:
        return decoder(data)
    mark = bytes(memoryview(data)[:4])
    other = next((kind for start, kind in _OTHERS.items() if mark.startswith(start)), "")
    raise FormatError(f"{other} picture: save it as BMP, TGA or DDS" if other else "neither a BMP, a TGA, a DDS nor a PNG picture", 0)


def encode(pixels: Pixels, name: str) -> bytes:
    """The file `name` of pixels (H, W, 4), top row first: .tga with alpha, .bmp without. Raises ValueError for another extension."""
    extension = PurePath(name).suffix.lower()
    if extension not in _ENCODERS:
        raise ValueError(f"pictures are written as {' or '.join(_ENCODERS)}, not as {extension or name}")
    return _ENCODERS[extension](pixels)
