"""Names in fields of a fixed size: text up to the first NUL, then whatever the writer's memory held."""

from __future__ import annotations

from collections.abc import Iterable

from ...files import code_pages
from ...files.binary import Bytes
from ...reporting.errors import ExportError, FormatError

ENCODING = "gb18030"
"""The games are Chinese; most names are ASCII, which is the same in it."""

UTF_16 = (b"\xff\xfe", b"\xfe\xff")
"""What a text in UTF-16 begins with, as Excel saves "Unicode Text"."""

BOM = b"\xef\xbb\xbf"
"""What editors put before a text in UTF-8; the games' own texts have none."""


def refuse_packed(data: Bytes) -> None:
    """Raises FormatError for a file that was compressed, as some are that people pass on."""
    if bytes(memoryview(data)[:2]) == b"\x1f\x8b":
        raise FormatError("a compressed file (gzip): unpack it first")


def decode(field: Bytes) -> str:
    """The text before the first NUL; bytes that are no text come out as replacement characters."""
    return bytes(field).split(b"\0", 1)[0].decode(ENCODING, "replace")


def texts(fields: Iterable[Bytes]) -> list[str]:
    """As `decode`, of what people read, in the encoding of most of them."""
    raw = [bytes(field).split(b"\0", 1)[0] for field in fields]
    encoding = encoding_of(raw)
    return [name.decode(encoding, "replace").strip() for name in raw]


def encoding_of(raw: Iterable[bytes]) -> str:
    """Of a file's names, most of which say it together: a short Chinese name may happen to be UTF-8, and a long one may be cut off in the
    middle of a letter. Clients come in UTF-8, and in the code pages of China, Taiwan, Korea, Japan, Thailand, western Europe and Russia."""
    foreign = [name for name in raw if not name.isascii()]
    if 2 * _share(foreign, "utf-8", cut=False) > 1:
        return "utf-8"
    if foreign and all(map(code_pages.is_western, foreign)):
        return "cp1252"
    if encoding := next(code_pages.alone(b"\n".join(foreign)), None):
        return encoding
    if len(foreign) < _FEW or _share(foreign, "gb2312") >= _MOST:
        return ENCODING
    letters = b"".join(foreign)
    if 3 * (len(letters) - len(letters.decode("ascii", "ignore"))) < len(letters):
        return "cp1252"  # accents here and there
    if 2 * sum(map(code_pages.is_japanese, foreign)) > len(foreign):
        return "cp932"
    if _share(foreign, "big5") >= _MOST:
        return "big5"
    return ENCODING if _share(foreign, ENCODING) >= _MOST else "cp1251"


_FEW, _MOST = 4, 0.75
"""Names that are too few to say that they are not Chinese; the part of them that has to be text in an encoding."""

_LONG = 16
"""Bytes of a name that may have been cut off."""


def _share(foreign: list[bytes], encoding: str, cut: bool = True) -> float:
    """Which part of names is text in an encoding."""

    def is_text(raw: bytes) -> bool:
        try:
            raw.decode(encoding)
        except UnicodeDecodeError as error:
            return cut and len(raw) >= _LONG and error.start >= len(raw) - 2
        return True

    return sum(map(is_text, foreign)) / max(len(foreign), 1)


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
