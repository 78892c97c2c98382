"""Names in fields of a fixed size: text up to the first NUL, then whatever the writer's memory held."""

from __future__ import annotations

from collections.abc import Iterable

from ...files.binary import Bytes
from ...reporting.errors import ExportError

ENCODING = "gb18030"
"""The games are Chinese; most names are ASCII, which is the same in it."""

BOM = b"\xef\xbb\xbf"
"""What editors put before a text in UTF-8; the games' own texts have none."""


def decode(field: Bytes) -> str:
    """The text before the first NUL; bytes that are no text come out as replacement characters."""
    return bytes(field).split(b"\0", 1)[0].decode(ENCODING, "replace")


def texts(fields: Iterable[Bytes]) -> list[str]:
    """As `decode`, of what people read, in the encoding of most of them."""
    raw = [bytes(field).split(b"\0", 1)[0] for field in fields]
    encoding = encoding_of(raw)
    return [name.decode(encoding, "replace").strip() for name in raw]


def encoding_of(raw: Iterable[bytes]) -> str:
    """Clients come in UTF-8 and in the Chinese encoding; most names of a file say which, for a short Chinese name may happen to be UTF-8,
    and a long one may be cut off in the middle of a letter."""
    foreign = [name for name in raw if not name.isascii()]
    return "utf-8" if 2 * sum(map(_is_utf8, foreign)) > len(foreign) else ENCODING


def _is_utf8(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True


def encode(name: str, size: int, before: bytes = b"", encoding: str = ENCODING) -> bytes:
    """`name` in a field of `size` bytes, which ends with at least one NUL.

    before: the field as it was; it comes back as it is, garbage and all, if it says `name` already.
    Raises ExportError when the name is too long, or has characters that the encoding lacks.
    """
    if len(before) == size and decode(before) == name:
        return before
    try:
        text = name.encode(encoding)
    except UnicodeEncodeError as error:
        raise ExportError(f"the name {name!r} cannot be written: {error.reason}") from error
    if len(text) >= size or b"\0" in text:
        raise ExportError(f"the name {name!r} takes {len(text)} bytes; the file has room for {size - 1}: shorten it")
    return text.ljust(size, b"\0")
