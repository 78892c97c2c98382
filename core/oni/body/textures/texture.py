"""TXMP, a texture: its first picture, out of the raw data (Mac and demo: .sep) [OniGalore OBD:TXMP; OniSplit TextureDatReader.cs]."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ....files.binary import Reader
from ....images.blocks import decode_blocks, size_of
from ....images.pixels import Pixels, spread
from ....reporting import log
from ....reporting.errors import ExportError, FormatError, reading
from ....surface.mesh import Image
from ...files.instances import MAC, UNNAMED
from ...files.level import Level
from ...files.library import Instance
from ...files.onifile import Part

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

RAW = 148
"""Where a record has the pointer to its pixels."""

LINKS = (140, 144)
"""Where it has those to its animation, and to the texture that it mirrors."""

MIPMAPS = 1
"""Smaller pictures follow the first one."""

LITTLE_ENDIAN = 0x1000
"""How the pixels are stored; without it the game swaps their bytes. The bytes of RGBA have one order everywhere, and no flag
[OniSplit TextureImporter.cs; OniGalore OBD:TXMP]."""

LARGEST_SIDE = 1024
"""Of a texture that is written: the largest that OniSplit takes for a power of two; the game's own have up to 256."""

ENVIRONMENT = 0x200
"""The alpha of such a texture is how much it mirrors."""

BGRA4444, BGR555, BGRA5551, RGBA, BGR, DXT1 = 0, 1, 2, 7, 8, 9
Form = Literal["AUTO", "BGR", "BGR555", "BGRA5551", "BGRA4444", "RGBA"]
FORMS: dict[Form, int] = {"BGR": BGR, "BGR555": BGR555, "BGRA5551": BGRA5551, "BGRA4444": BGRA4444, "RGBA": RGBA}
"""How pixels are stored, by the names that OniSplit has for them."""
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
        pixels = _shown(_decode(data, width, height, kind), head)
    return Image(instance.name, pixels)


def new_texture(pixels: Pixels, form: Form, before: int | None = None) -> tuple[bytes, bytes]:
    """A record and its pixels (H, W, 4); the record's pointer is 0. form: how they are stored; AUTO: 8 bits a channel without alpha, with
    it what the game itself knows, or as `before`, the format of the texture in whose place it comes, where that has an alpha.

    Raises ExportError for a picture whose sides are no powers of two."""
    height, width = pixels.shape[:2]
    if any(side & (side - 1) or not 0 < side <= LARGEST_SIDE for side in (width, height)):
        raise ExportError(
            f"a texture of {width} x {height} pixels; the game takes sides that are powers of two, up to "
            f"{LARGEST_SIDE}: resize it (Image > Resize)"
        )
    kind = _kind(pixels, before) if form == "AUTO" else FORMS[form]
    if kind not in _WITH_ALPHA and bool((pixels[..., 3] < 255).any()):
        log.warning(f"the picture's alpha is lost: {form} has none; choose another Texture Format")
    head = np.zeros((), HEAD)
    head["width"], head["height"], head["format"], head["flags"] = width, height, kind, _byte_order(kind)
    return head.tobytes() + bytes(8), _encode(pixels, kind).tobytes()


def repainted(body: bytes, block: bytes, pixels: Pixels, form: Form = "AUTO") -> tuple[bytes, bytes]:
    """A record and its raw data with another picture: pixels that are the same keep their bits. Compressed pictures, pictures of another
    size or form and those with smaller ones behind them become plain ones, as the game takes them, too."""
    head = np.frombuffer(body[: HEAD.itemsize], HEAD).reshape(()).copy()
    width, height, kind = int(head["width"]), int(head["height"]), int(head["format"])
    same = form == "AUTO" or FORMS[form] == kind
    first = _size(width, height, kind) if kind in _BYTES else 0
    stays = np.zeros(pixels.shape[:2], np.bool_)
    if first and pixels.shape[:2] == (height, width):
        plain = _decode(block[:first], width, height, kind)
        stays = (_shown(plain.copy(), head) == pixels).all(axis=2)
        if int(head["flags"]) & ENVIRONMENT and kind in _WITH_ALPHA:  # how much it mirrors is not shown, and stays
            pixels = np.concatenate([pixels[..., :3], plain[..., 3:]], axis=2)
    if same and first and pixels.shape[:2] == (height, width) and not int(head["flags"]) & MIPMAPS:
        old = np.frombuffer(block[:first], f"<u{_BYTES[kind]}").reshape(height, width)
        return body, np.where(stays, old, _encode(pixels, kind)).astype(old.dtype).tobytes() + block[first:]
    new, data = new_texture(pixels, form, kind)
    own = np.frombuffer(new[: HEAD.itemsize], HEAD).reshape(())
    for name in ("width", "height", "format"):
        head[name] = own[name]
    head["flags"] = int(head["flags"]) & ~(MIPMAPS | LITTLE_ENDIAN) | _byte_order(int(own["format"]))
    return head.tobytes() + body[HEAD.itemsize :], data


def _kind(pixels: Pixels, before: int | None) -> int:
    """RGBA is none of the game's own formats: patches of it alone know that [OniGalore OBD:TXMP]."""
    alpha = pixels[..., 3]
    if bool((alpha == 255).all()):
        return BGR
    if before in _WITH_ALPHA:
        return before
    return BGRA5551 if bool(np.isin(alpha, (0, 255)).all()) else BGRA4444


def _byte_order(kind: int) -> int:
    """The flag of its pixels' bytes."""
    return 0 if kind == RGBA else LITTLE_ENDIAN


def _encode(pixels: Pixels, kind: int) -> NDArray[Any]:
    """(H, W) of unsigned numbers: each channel in as many bits as its mask has."""
    out = np.zeros(pixels.shape[:2], np.uint32)
    for channel, mask in enumerate(_MASKS[kind]):
        if mask:
            shift = (mask & -mask).bit_length() - 1
            values = np.rint(pixels[..., channel] * ((mask >> shift) / 255)).astype(np.uint32)
            out |= values << np.uint32(shift)
    return out.astype(f"<u{_BYTES[kind]}")


def _shown(pixels: Pixels, head: NDArray[Any]) -> Pixels:
    """Without the alpha where it does not mean transparency."""
    if int(head["format"]) not in _WITH_ALPHA or int(head["flags"]) & ENVIRONMENT:
        pixels[..., 3] = 255
    return pixels


def texture_part(instance: Instance) -> Part:
    """A texture without a name, as a part of another file: with all its pictures. Raises FormatError."""
    body, start = bytearray(instance.body()), instance.start
    with reading(instance.path):
        head = Reader(body).array(HEAD, 1, TAG).reshape(())
        data = _pixels(instance, head, pictures_size(head, start))
    body[RAW : RAW + 8] = bytes(8)
    return Part(TAG, body=bytes(body), blocks={RAW: data}, flags=UNNAMED)


def pictures_size(head: NDArray[Any], start: int) -> int:
    """Bytes of all pictures of a texture, each half as large as the one before. Raises FormatError."""
    width, height, kind = int(head["width"]), int(head["height"]), int(head["format"])
    if not width or not height or kind not in (*_BYTES, DXT1):
        raise FormatError(f"a texture of {width} x {height} pixels in the format {kind}", start)
    total = _size(width, height, kind)
    while int(head["flags"]) & MIPMAPS and (width > 1 or height > 1):
        width, height = max(width // 2, 1), max(height // 2, 1)
        total += _size(width, height, kind)
    return total


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
