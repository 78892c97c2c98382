"""An instance taken out of its file: what it points to stands beside it instead of the pointers."""

from __future__ import annotations

from dataclasses import field
from typing import Protocol

from ...files.binary import Bytes
from ...record import numerous

PREFIX = 8
"""Bytes before each record: instance id and level id."""


@numerous
class Record:
    """tag: such as TRAM. name: with the tag, empty for an unnamed instance. level_id: kept; 0 in a .oni.

    body: what follows the prefix, its raw pointers and links 0. blocks: the raw blocks, links: the names of the instances, both by the
    offset in the body of what points to them, in the order in which they are written; what is absent is not in them.
    """

    tag: str
    name: str
    level_id: int
    body: bytes
    blocks: dict[int, bytes] = field(default_factory=dict[int, bytes])
    links: dict[int, str] = field(default_factory=dict[int, str])


class Raw(Protocol):
    """The raw area that a record's pointers lead to."""

    def exactly(self, pointer: int, size: int, what: str, /) -> Bytes:
        """`size` bytes from the pointer on. Raises FormatError when they are not there."""
        ...

    def up_to(self, pointer: int, size: int, what: str, /) -> Bytes:
        """The same, or less where the area ends. Raises FormatError when the pointer is outside."""
        ...


class Layout(Protocol):
    """Where a kind of record keeps pointers and links."""

    def links(self, body: Bytes, /) -> tuple[int, ...]:
        """Offsets in the body of all links. Raises FormatError for a body that is not of this kind."""
        ...

    def blocks(self, body: Bytes, raw: Raw, /) -> dict[int, bytes]:
        """The raw blocks by the offset of their pointer, in the order in which they are written. Raises FormatError."""
        ...
