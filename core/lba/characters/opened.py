"""Archives and bodies that were opened already: many animations ask for the same ones.

`changed` is when a file was written last, so that a new one is read again.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from ...files.disk.disk import read_file
from ...reporting import log
from ...reporting.errors import FormatError, reading
from ..files import anm, lm1
from ..files.archive.hqr import Hqr
from ..files.lm1 import Lm1
from ..files.lm2 import Lm2

Document = Lm1 | Lm2


def changed_at(path: Path) -> int:
    """When the file was written last, so that a new one is read again. Raises FormatError."""
    try:
        return path.stat().st_mtime_ns
    except OSError as error:
        raise FormatError(error.strerror or str(error)) from error


def open_archive(path: Path) -> Hqr:
    with reading(str(path)):
        return archive_of(path, changed_at(path))


@lru_cache(maxsize=8)
def archive_of(path: Path, changed: int) -> Hqr:  # noqa: ARG001 - a part of the cache's key
    return Hqr.parse(read_file(path))


def body_entry(path: Path, index: int) -> Document | None:
    """The entry as a body; None where it is something else or cannot be read."""
    try:
        return _document(path, changed_at(path), index)
    except FormatError:
        return None


@lru_cache(maxsize=32)
def _document(path: Path, changed: int, index: int) -> Document | None:  # noqa: ARG001 - a part of the cache's key
    with log.about(f"{path}#{index}"):
        data = open_archive(path).read(index)
        if lm1.is_lm2(data[:96]):
            return Lm2.parse(data)
        # An animation has its size written all over it; as a body without groups almost anything could be read.
        is_body = looks_like_lm1(data, len(data)) and not anm.recognise(data, len(data))
        return Lm1.parse(data) if is_body else None


def body_file(path: Path) -> Document | None:
    """A loose body; None, with a warning, where it cannot be read."""
    try:
        return _file(path, changed_at(path))
    except FormatError as error:
        log.warning(f"a body that cannot be used: {error}")
        return None


@lru_cache(maxsize=512)
def _file(path: Path, changed: int) -> Document:  # noqa: ARG001 - a part of the cache's key
    with reading(str(path)), log.about(str(path)):
        data = read_file(path)
        return Lm2.parse(data) if path.suffix.lower() == ".lm2" else Lm1.parse(data)


def looks_like_lm1(head: bytes, size: int) -> bool:
    """As `lm1.recognise`, there are points, and as far as `head` goes the polygons are some: a picture that starts black looks like a
    body without any, and other data like one whose polygons make no sense."""
    offset = lm1.INFO_AT + int.from_bytes(head[14:16], "little")
    if not lm1.recognise(head, size) or not any(head[offset : offset + 2]):
        return False
    for item in (lm1.POINT_SIZE, lm1.GROUP_SIZE if head[0] & lm1.ANIMATED else 0, lm1.NORMAL_SIZE):
        offset += 2 + item * int.from_bytes(head[offset : offset + 2], "little") if item else 0
    polygons = int.from_bytes(head[offset : offset + 2], "little")
    offset += 2
    for _ in range(polygons):
        if offset + 2 > len(head):
            break
        material, corners = head[offset : offset + 2]
        if not 3 <= corners <= 16:
            return False
        length = 2 * corners if material >= lm1.GOURAUD else corners + (material >= lm1.FLAT_LIT)
        offset += lm1.POLYGON.itemsize + 2 * length
    return offset <= size
