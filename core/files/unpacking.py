"""One budget for everything that unpacks: entries of archives, pictures, and what a .blend file keeps. A few bytes may claim gigabytes."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from ..reporting.errors import FormatError

if TYPE_CHECKING:
    from .binary import Bytes

LARGEST = 1 << 26
"""Bytes that anything unpacks to, at most: far more than the games' biggest."""


def check_size(size: int, what: str, offset: int | None = None) -> None:
    """Raises FormatError for more bytes than anything unpacks to. what: begins the sentence, such as "entry 3"."""
    if size > LARGEST:
        raise FormatError(f"{what} claims {size} bytes, at most {LARGEST} are accepted", offset)


def inflate(data: Bytes, size: int | None = None, *, raw: bool = False) -> bytes:
    """The bytes of a deflated stream, no more of it than the budget is ever unpacked.

    size: what it must unpack to, if known. raw: without zlib's header. Raises FormatError for damaged data and for another size.
    """
    most = LARGEST if size is None else size
    stream = zlib.decompressobj(-15 if raw else 15)
    try:
        plain = stream.decompress(data, most + 1)
    except zlib.error:
        raise FormatError("its packed data is damaged") from None
    if len(plain) > most:
        raise FormatError(f"unpacks to more bytes instead of {size}" if size is not None else f"unpacks to more than {most} bytes")
    if not stream.eof or (size is not None and len(plain) != size):
        raise FormatError(f"unpacks to {len(plain)} bytes instead of {'more' if size is None else size}")
    return plain
