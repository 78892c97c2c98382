"""A .oni file (VR32): one named instance, what belongs to it, placeholders for what is in other files, and their raw data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...files.binary import Bytes, joined, same_bytes
from ...files.source import Memory
from ...record import numerous
from ...reporting.errors import ExportError, FormatError
from ..records.layouts import LAYOUTS
from ..records.record import PREFIX, Raw, Record
from . import allocation
from .allocation import ALIGN
from .instance_file import InstanceFile
from .instances import DESCRIPTOR, HEADER, LONGEST_NAME, PLACEHOLDER, SIZES, UNNAMED, VR32, WINDOWS, Tables, tag_bytes
from .raw_area import NoRaw, RawArea

Array = NDArray[Any]


@numerous
class Part:
    """An instance of a file that is put together. links: the numbers of other parts by the offset in the body.
    flags: UNNAMED, PLACEHOLDER. Everything else as in `Record`."""

    tag: str
    name: str = ""
    level_id: int = 0
    body: bytes = b""
    blocks: dict[int, bytes] | None = None
    links: dict[int, int] | None = None
    flags: int = 0


@numerous
class OniFile(InstanceFile):
    """data: the data table. raw: the raw table; both are views on what was parsed. gaps: the bytes behind each part of the file (tables in
    the order of their offsets)."""

    data: Bytes
    raw: Bytes
    gaps: tuple[bytes, ...]

    @classmethod
    def parse(cls, data: Bytes) -> OniFile:
        """Raises FormatError as `Tables.read`, and when tables lie over one another."""
        source = Memory(bytes(data))  # which nobody changes while there are views on it
        tables = Tables.read(source, VR32)
        result: dict[str, Bytes] = {}
        gaps: list[bytes] = []
        end = 0
        for name, start, size in [*_order(tables), ("file's end", source.size, 0)]:
            if start < end:
                raise FormatError(f"the {name} table starts inside another one", start)
            if end:
                gaps.append(bytes(source.read(end, start - end, "gap")))
            result[name] = source.read(start, min(size, source.size - start), f"{name} table")
            end = start + len(result[name])
        return cls(tables, result.get("data", b""), result.get("raw", b""), tuple(gaps))

    def pack(self) -> bytes:
        return self._joined([self.data])

    def packed_with(self, level_id: int, body: Sequence[Bytes | Array]) -> bytes | None:
        """The same file packed with another body, in parts, of its only instance, which points to nothing; None where there are more, or
        the body is not as long.

        What `with_record` gives, with one copy of what may be large, and none compared.
        """
        part = self.part(0)
        if len(self) > 1 or PREFIX + sum(map(_size_of, body)) != len(part):
            return None
        data, start = memoryview(self.data), self.tables.span(0)[0] - int(self.tables.header["data_offset"])
        return self._joined([data[:start], part[:4], level_id.to_bytes(4, "little"), *body, data[start + len(part) :]])

    def _joined(self, data: Sequence[Bytes | Array]) -> bytes:
        """The file's bytes, of a data table in parts."""
        head = (self.tables.header, self.tables.descriptors)
        parts: dict[str, Sequence[Bytes | Array]] = {"head": head, "name": [self.tables.names], "data": data, "raw": [self.raw]}
        pairs = zip(_order(self.tables), self.gaps, strict=True)
        return joined(part for (name, _, _), gap in pairs for part in (*parts[name], gap))

    def read(self, index: int) -> bytes:
        """The instance as a .oni of its own: the file for one of an unknown kind that it is about, of others of such kinds only tag and
        name."""
        if self.tag(index) in LAYOUTS:
            return OniFile.of(self.record(index)).pack()
        return named_only(self.tag(index), self.name(index)) if index else self.pack()

    @property
    def raw_area(self) -> Raw:
        return RawArea(Memory(self.raw), 0, len(self.raw)) if self.raw else NoRaw()

    def bytes_of(self, index: int) -> bytes:
        return bytes(self.part(index))

    def part(self, index: int) -> memoryview:
        position, size = self.tables.span(index)
        start = position - int(self.tables.header["data_offset"])
        if start + size > len(self.data):
            raise FormatError(f"instance {index}: {size} bytes expected, {len(self.data) - start} left", position)
        return memoryview(self.data)[start : start + size]

    @classmethod
    def of(cls, record: Record, checksum: int = WINDOWS) -> OniFile:
        """A file of one instance, laid out as OniSplit does. Raises ExportError for a name that is too long."""
        names = list(dict.fromkeys(record.links.values()))
        links = {at: 1 + names.index(name) for at, name in record.links.items()}
        flags = 0 if record.name else UNNAMED
        main = Part(record.tag, record.name, record.level_id, record.body, record.blocks, links, flags)
        return cls.build([main, *(Part(name[:4], name, flags=PLACEHOLDER) for name in names)], checksum)

    @classmethod
    def build(cls, parts: Sequence[Part], checksum: int = WINDOWS) -> OniFile:
        """A file of several instances, laid out as OniSplit does. Raises ExportError for a name that is too long."""
        descriptors = np.zeros(len(parts), DESCRIPTOR)
        names, raw = bytearray(), bytearray(ALIGN)
        data, end = list[bytes](), 0
        for index, part in enumerate(parts):
            descriptors[index]["tag"], descriptors[index]["flags"] = tag_bytes(part.tag), part.flags
            if not part.flags & UNNAMED:
                descriptors[index]["name"] = len(names)
                names += name_bytes(part.name)
            if part.flags & PLACEHOLDER:
                continue
            pointers = {at: link(other) for at, other in (part.links or {}).items()}
            for at, block in (part.blocks or {}).items():
                raw += bytes(-len(raw) % ALIGN)
                pointers[at] = len(raw).to_bytes(4, "little")
                raw += block
            body, start = _with(part.body, pointers), end + -end % ALIGN
            descriptors[index]["data"], descriptors[index]["size"] = start + PREFIX, len(body) + PREFIX
            data += (bytes(start - end), link(index) + part.level_id.to_bytes(4, "little"), body)
            end = start + PREFIX + len(body)
        header = np.zeros((), HEADER)
        header["checksum"], header["version"], header["sizes"] = checksum, VR32, SIZES
        has_raw = any(part.blocks for part in parts)
        return laid_out(header, descriptors, bytes(names), b"".join(data), bytes(raw) if has_raw else b"")

    def with_record(self, index: int, record: Record) -> OniFile:
        """The same file with another record at `index`; everything else is kept. Raises ExportError for a name that is too long.

        A file that is one instance alone is laid out anew. In any other one what changed stays where it was, as far as there is room, or
        goes to where nothing is.
        """
        old = self.record(index)
        if vars(record) == vars(old):
            return self
        checksum = int(self.tables.header["checksum"])
        if self._is(OniFile.of(old, checksum)):
            return OniFile.of(record, checksum)
        return _Editing(self).put(index, old, record)

    def _is(self, other: OniFile) -> bool:
        """Whether both would be packed into the same bytes, without packing them."""
        tables = [file.tables.header.tobytes() + file.tables.descriptors.tobytes() + file.tables.names for file in (self, other)]
        one, another = ((file.data, file.raw) for file in (self, other))
        return tables[0] == tables[1] and self.gaps == other.gaps and all(map(same_bytes, one, another))

    def restored(self, index: int, backup: OniFile) -> OniFile:
        """The same file with the instance as it is in `backup`, by its type and name; everything else is kept.

        Raises FormatError where `backup` has no such instance."""
        wanted = self.tag(index), self.name(index)
        known = [each for each in range(len(backup)) if (backup.tag(each), backup.name(each)) == wanted and not backup.blank(each)]
        if not known:
            raise FormatError(f"the backup has no instance {self.name(index) or index} ({self.tag(index)})")
        return self.with_record(index, backup.record(known[0]))


class _Editing:
    """A copy of a file in which tables may grow."""

    def __init__(self, file: OniFile) -> None:
        self.file = file
        self.descriptors = file.tables.descriptors.copy()
        self.names, self.data, self.raw = allocation.of_names(file), allocation.of_data(file, file.data), allocation.of_raw(file, file.raw)
        self.known = {file.name(index): index for index in reversed(range(len(file))) if file.name(index)}

    def put(self, index: int, old: Record, record: Record) -> OniFile:
        original = self.file.bytes_of(index)
        body = bytearray(record.body)
        for at in old.blocks.keys() - record.blocks.keys():
            self.raw.drop((index, at))
        for at, block in record.blocks.items():
            same = old.blocks.get(at) == block
            pointer = original[PREFIX + at : PREFIX + at + 4]
            body[at : at + 4] = pointer if same else self.raw.put((index, at), block).to_bytes(4, "little")
        for at, name in record.links.items():
            body[at : at + 4] = original[PREFIX + at : PREFIX + at + 4] if old.links.get(at) == name else link(self._named(name))
        if record.name != old.name:
            self.descriptors[index]["name"] = self.names.put(index, name_bytes(record.name))
            self.descriptors[index]["flags"] &= ~np.uint32(UNNAMED)
        position = self.data.put(index, original[:4] + record.level_id.to_bytes(4, "little") + body)
        self.descriptors[index]["data"], self.descriptors[index]["size"] = position + PREFIX, PREFIX + len(body)
        return self._file()

    def _named(self, name: str) -> int:
        """The instance called that; a placeholder for it is added where there is none."""
        if name not in self.known:
            self.known[name] = index = len(self.descriptors)
            entry = np.zeros(1, DESCRIPTOR)
            entry["tag"], entry["name"], entry["flags"] = tag_bytes(name[:4]), self.names.put(index, name_bytes(name)), PLACEHOLDER
            self.descriptors = np.concatenate([self.descriptors, entry])
        return self.known[name]

    def _file(self) -> OniFile:
        """As far as nothing grew, every table is where it was."""
        file, tables = self.file, self.file.tables
        names, data = bytes(self.names.data), bytes(self.data.data)
        raw = bytes(self.raw.data) if file.raw or len(self.raw.data) > ALIGN else b""
        sizes = (len(self.descriptors), len(names), len(data), len(raw))
        if sizes == (len(tables), len(tables.names), len(file.data), len(file.raw)):
            return replace(file, tables=replace(tables, descriptors=self.descriptors, names=names), data=data, raw=raw)
        return laid_out(tables.header, self.descriptors, names, data, raw, file.gaps[-1])


def laid_out(header: Array, descriptors: Array, names: bytes, data: bytes, raw: bytes, tail: bytes = b"") -> OniFile:
    """The tables one after the other, each on a multiple of 32, as OniSplit writes them, and what is behind all of them."""
    head = header.copy()
    end = HEADER.itemsize + descriptors.nbytes
    head["instance_count"], head["name_count"], head["template_count"] = len(descriptors), 0, 0
    padded = -(-len(data) // ALIGN) * ALIGN
    data = data.ljust(padded, b"\0") if raw else data  # what is behind the last record is counted, but not written
    gaps: list[bytes] = []
    for table, content, size in (("name", names, len(names)), ("data", data, padded), ("raw", raw, len(raw))):
        start = -(-end // ALIGN) * ALIGN if content else 0
        head[f"{table}_offset"], head[f"{table}_size"] = start, size
        if content:
            gaps.append(bytes(start - end))
            end = start + len(content)
    return OniFile(Tables(head, descriptors, names), data, raw, (*gaps, tail))


def _size_of(part: Bytes | Array) -> int:
    return part.nbytes if isinstance(part, np.ndarray) else len(part)


def _with(body: bytes, pointers: dict[int, bytes]) -> bytes:
    """A record's body with pointers in it, by their offset; body itself where there are none."""
    if not pointers:
        return body
    out = bytearray(body)
    for at, pointer in pointers.items():
        out[at : at + 4] = pointer
    return bytes(out)


def link(index: int) -> bytes:
    """A link to an instance of the same file; also an instance's own id."""
    return (index << 8 | 1).to_bytes(4, "little")


@lru_cache(maxsize=256)
def named_only(tag: str, name: str) -> bytes:
    """A .oni for information only; most instances of a level have no name, so that many are alike."""
    return OniFile.build([Part(tag, name, flags=PLACEHOLDER | (0 if name else UNNAMED))]).pack()


def name_bytes(name: str) -> bytes:
    """As the name table has it. Raises ExportError for a name that is too long, or has characters that it cannot have."""
    if len(name) > LONGEST_NAME:
        raise ExportError(f"{name}: {len(name)} characters; at most {LONGEST_NAME} are possible")
    try:
        return name.encode("latin-1") + b"\0"
    except UnicodeEncodeError as error:
        raise ExportError(f"{name}: a name with characters that the game does not have") from error


def _order(tables: Tables) -> list[tuple[str, int, int]]:
    """The tables that are not empty in the order of their offsets, with these, and their sizes."""
    header = tables.header
    parts = [("head", 0, HEADER.itemsize + tables.descriptors.nbytes)]
    parts += [(name, int(header[f"{name}_offset"]), size) for name in ("name", "data", "raw") if (size := int(header[f"{name}_size"]))]
    return sorted(parts, key=lambda table: table[1])
