"""Taking a record out of its file: its raw blocks beside it, its links as names."""

from __future__ import annotations

from collections.abc import Sequence

from ...files.binary import Bytes
from ...reporting.errors import FormatError
from ..records.layouts import LAYOUTS
from ..records.record import PREFIX, Raw, Record
from .instances import Tables


def take(tables: Tables, index: int, data: Bytes, raw: Raw) -> Record:
    """The record in an instance's `data` (with the prefix). Raises FormatError with the offset in the file."""
    tag = tables.tag(index)
    if tag not in LAYOUTS:
        raise FormatError(f"{tag} records cannot be taken out of their file")
    layout, body, start = LAYOUTS[tag], memoryview(data)[PREFIX:], tables.span(index)[0]
    links: dict[int, str] = {}
    try:
        blocks = layout.blocks(body, raw)
        positions = layout.links(body)
    except FormatError as error:
        error.offset = None if error.offset is None else error.offset + start
        raise
    for at in positions:
        other = tables.linked(int.from_bytes(body[at : at + 4], "little"), start + PREFIX + at)
        if other is not None:
            links[at] = tables.name(other) or f"{tables.tag(other)}_{other}"
    level_id = int.from_bytes(bytes(data[4:PREFIX]), "little")
    return Record(tag, tables.name(index), level_id, _without(body, (*blocks, *links)), blocks, links)


def _without(body: memoryview, pointers: Sequence[int]) -> bytes:
    """The bytes of a record, zeros for its pointers and links."""
    if not pointers:
        return bytes(body)
    out = bytearray(body)
    for at in pointers:
        out[at : at + 4] = bytes(4)
    return bytes(out)
