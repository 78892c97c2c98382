"""The instances of a body's file, to be changed: each one keeps its number, and what nobody touches keeps its bytes and its place."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..files.instances import DESCRIPTOR, PLACEHOLDER, UNNAMED, tag_bytes
from ..files.onifile import ALIGN, OniFile, laid_out, link, name_bytes
from ..records.body_records import SHAPES, BodyLayout, BodyRecord
from ..records.record import PREFIX


class Instances:
    """A file whose records change. A record that several others lead to is copied for the one that changes it."""

    def __init__(self, file: OniFile) -> None:
        self.file = file
        self.descriptors = file.tables.descriptors.copy()
        self.names = bytearray(file.tables.names)
        self.raw = bytearray(file.raw)
        self.data: list[bytes | None] = [None if file.blank(index) else file.bytes_of(index) for index in range(len(file))]
        self.leading = Counter(link for index in range(len(file)) for link in self._links(index))

    def tag(self, index: int) -> str:
        return self.descriptors["tag"][index].ljust(4, b"\0")[::-1].decode("latin-1")

    def body(self, index: int) -> bytes:
        """The record without its prefix; of one in another file nothing."""
        return (self.data[index] or bytes(PREFIX))[PREFIX:]

    def record(self, index: int) -> BodyRecord:
        return BodyRecord.parse(self.tag(index), self.body(index))

    def put(self, index: int, body: bytes) -> None:
        """Another record in place of the one that is there."""
        old = self.data[index]
        assert old is not None
        self.leading.subtract(self._links(index))
        self.data[index] = old[:PREFIX] + body
        self.leading.update(self._links(index))

    def below(self, index: int, at: int, tag: str, body: bytes) -> int:
        """What the link at an offset of a record leads to becomes `body`; a new instance where it is none, or not this one's alone.

        The number of it."""
        old = int.from_bytes(self.body(index)[at : at + 4], "little")
        if old and self.leading[old] == 1 and self.data[old >> 8] is not None:
            if self.body(old >> 8) != body:
                self.put(old >> 8, body)
            return old >> 8
        if old and self.body(old >> 8) == body:
            return old >> 8
        new = self.add(tag, body)
        self.lead(index, at, new)
        return new

    def lead(self, index: int, at: int, other: int | None) -> None:
        """Let the link at an offset of a record lead to another instance, None for none."""
        body = bytearray(self.body(index))
        body[at : at + 4] = bytes(4) if other is None else link(other)
        self.put(index, bytes(body))

    def add(self, tag: str, body: bytes) -> int:
        """A new instance without a name."""
        index = self._describe(tag, UNNAMED)
        self.data.append(link(index) + bytes(4) + body)
        self.leading.update(self._links(index))
        return index

    def named(self, name: str) -> int:
        """The instance called that, wherever it is. Raises ExportError for a name that no file can have."""
        for index in range(len(self.file)):
            if self.file.name(index) == name:
                return index
        for index in range(len(self.file), len(self.data)):
            start = int(self.descriptors["name"][index])
            if self.data[index] is None and bytes(self.names[start:]).split(b"\0", 1)[0] == name.encode("latin-1"):
                return index
        stored = name_bytes(name)
        index = self._describe(name[:4], PLACEHOLDER)
        self.descriptors["name"][index] = len(self.names)
        self.names += stored
        self.data.append(None)
        return index

    def add_raw(self, block: bytes) -> int:
        """Raw data; the pointer to it."""
        self.raw += bytes(max(ALIGN - len(self.raw), 0))
        self.raw += bytes(-len(self.raw) % ALIGN)
        start = len(self.raw)
        self.raw += block
        return start

    def packed(self) -> OniFile:
        """The file. As long as nothing grew everything is where it was; otherwise the records are laid out anew, in their order."""
        file = self.file
        sizes = [None if file.blank(index) else int(file.tables.descriptors["size"][index]) for index in range(len(file))]
        if [None if data is None else len(data) for data in self.data] == sizes and len(self.raw) == len(file.raw):
            data = bytearray(file.data)
            for index, own in enumerate(self.data):
                if own is not None:
                    start = int(self.descriptors["data"][index]) - PREFIX
                    data[start : start + len(own)] = own
            return replace(file, data=bytes(data), raw=bytes(self.raw))
        table = bytearray()
        order = sorted(range(len(self.data)), key=lambda index: int(self.descriptors["data"][index]) or 1 << 32)
        for index in order:
            own = self.data[index]
            if own is not None:
                table += bytes(-len(table) % ALIGN)
                self.descriptors["data"][index], self.descriptors["size"][index] = len(table) + PREFIX, len(own)
                table += own
        return laid_out(file.tables.header, self.descriptors, bytes(self.names), bytes(table), bytes(self.raw))

    def _describe(self, tag: str, flags: int) -> int:
        entry = np.zeros(1, DESCRIPTOR)
        entry["tag"], entry["flags"] = tag_bytes(tag), flags
        self.descriptors = np.concatenate([self.descriptors, entry])
        return len(self.descriptors) - 1

    def _links(self, index: int) -> list[int]:
        tag = self.tag(index)
        if tag not in SHAPES or self.data[index] is None:
            return []
        body = self.body(index)
        links = (int.from_bytes(body[at : at + 4], "little") for at in BodyLayout(tag).links(body))
        return [link for link in links if link]


def packed(tag: str, items: NDArray[Any], head: NDArray[Any] | None = None, tail: bytes = b"", **fields: Any) -> bytes:
    """A record of a body, with the room that the game wants behind it. head: of the one in whose place it comes, whose padding stays.
    fields: of its fixed ones."""
    own = np.zeros((), SHAPES[tag].head) if head is None else head.copy()
    for name, value in fields.items():
        own[name] = value
    return BodyRecord(tag, own, items, tail.ljust(SHAPES[tag].room, b"\0")).pack()
