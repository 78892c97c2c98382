"""One budget for everything that unpacks: entries of archives, pictures, and what a .blend file keeps. A few bytes may claim gigabytes."""

from __future__ import annotations

import zlib
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..reporting.errors import FormatError

if TYPE_CHECKING:
    from .binary import Bytes

LARGEST = 1 << 26
"""Bytes that anything unpacks to, at most: far more than the games' biggest."""


MOST_AT_ONCE = 1 << 30
"""Bytes that one operation, such as an import or a command, may unpack, whatever it has read."""

RATIO = 20
"""How many more for each byte of the files that it has read: archives and pictures of games unpack to less than ten times their size."""


class _Budget:
    """read: bytes of files so far. unpacked: what they became."""

    def __init__(self) -> None:
        self.read = self.unpacked = 0


_running: list[_Budget] = []
"""That of the operation that runs now; empty outside of one, where each entry and each picture is limited alone."""


@contextmanager
def operation() -> Generator[None]:
    """What is unpacked inside is counted together. One inside another belongs to that."""
    if _running:
        yield
        return
    _running.append(_Budget())
    try:
        yield
    finally:
        _running.clear()


def earn(size: int) -> None:
    """So many bytes of a file were read."""
    if _running:
        _running[0].read += size


def spend(size: int, what: str, offset: int | None = None) -> None:
    """So many bytes are about to be unpacked. Raises FormatError where the operation has none left. what: as of `check_size`."""
    if not _running:
        return
    budget = _running[0]
    if budget.unpacked + size > MOST_AT_ONCE + RATIO * budget.read:
        raise FormatError(f"{what}, {size} bytes, is left out: {budget.unpacked} were unpacked before from {budget.read} of files", offset)
    budget.unpacked += size


def check_size(size: int, what: str, offset: int | None = None) -> None:
    """Raises FormatError for more bytes than anything unpacks to. what: begins the sentence, such as "entry 3"."""
    if size > LARGEST:
        raise FormatError(f"{what} claims {size} bytes, at most {LARGEST} are accepted", offset)


def inflate(data: Bytes, size: int | None = None, *, raw: bool = False) -> bytes:
    """The bytes of a deflated stream, no more of it than the budget is ever unpacked.

    size: what it must unpack to, if known; a stream without is no part of a file, but of a .blend, and counts as read. raw: without
    zlib's header. Raises FormatError for damaged data and for another size.
    """
    if size is None:
        earn(len(data))
    spend(size or 0, "packed data")
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
    spend(len(plain) - (size or 0), "packed data")
    return plain
