"""The tables of an instance file: what is in it, by tag, name and offset. The same for .oni (VR32) and level files (VR31)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...files.binary import Bytes
from ...files.source import Source
from ...record import numerous
from ...reporting import log
from ...reporting.errors import FormatError
from ..records.record import PREFIX

VR31, VR32, VR33 = 0x56523331, 0x56523332, 0x56523333
WINDOWS, MAC, PS2 = 0x0003BCDF33DC271F, 0x0003BCDF23C13061, 0x0003BA70A8D8AE11
"""Total template checksums: which game program the layouts belong to. MAC is also the Windows demo's."""

SIZES = (64, 20, 16, 8)
UNNAMED, PLACEHOLDER, SHARED = 1, 2, 8

LONGEST_NAME = 63

PADDING = 31
"""Bytes that may miss at the end of the data table: OniSplit counts those behind the last record, but does not write them."""

_OVERLAP = 16
"""How often the bytes of the data table may be used on average; otherwise a small file could mean a lot of work."""

HEADER = np.dtype(
    [
        ("checksum", "<u8"),
        ("version", "<u4"),
        ("sizes", "<u2", 4),
        ("instance_count", "<u4"),
        ("name_count", "<u4"),
        ("template_count", "<u4"),
        ("data_offset", "<u4"),
        ("data_size", "<u4"),
        ("name_offset", "<u4"),
        ("name_size", "<u4"),
        ("raw_offset", "<u4"),
        ("raw_size", "<u4"),
        ("zero", "<u4", 2),
    ]
)
DESCRIPTOR = np.dtype([("tag", "S4"), ("data", "<u4"), ("name", "<u4"), ("size", "<u4"), ("flags", "<u4")])
"""Of an instance. tag: reversed. data: in the data table, behind the prefix. name: in the name table. size: with the prefix."""

Array = NDArray[Any]


@numerous
class Tables:
    """header: () of HEADER. descriptors: (instances,) of DESCRIPTOR. names: the name table."""

    header: Array
    descriptors: Array
    names: bytes

    @classmethod
    def read(cls, source: Source, version: int) -> Tables:
        """Raises FormatError unless this is an instance file of `version` whose tables, instances and names are inside the file."""
        header = read_header(source)
        if int(header["version"]) != version:
            raise FormatError(f"version {_text(int(header['version']))} instead of {_text(version)}", 8)
        count = int(header["instance_count"])
        block = source.read(HEADER.itemsize, count * DESCRIPTOR.itemsize, "instance descriptors")
        descriptors = np.frombuffer(block, DESCRIPTOR)
        for table in ("data", "name", "raw"):
            end = int(header[f"{table}_offset"]) + int(header[f"{table}_size"])
            if end > source.size + (PADDING if table == "data" else 0):
                raise FormatError(f"the {table} table ends at 0x{end:X}, behind the file", int(header[f"{table}_offset"]))
        names = bytes(source.read(int(header["name_offset"]), int(header["name_size"]), "name table"))
        tables = cls(header, descriptors, names)
        if int(descriptors["size"].sum(dtype=np.int64)) > _OVERLAP * int(header["data_size"]):
            raise FormatError("the instances lie over one another", HEADER.itemsize)
        if int(descriptors["name"].max(initial=0)) >= max(len(names), 1):  # of unnamed ones, too
            outside = np.flatnonzero(~tables.unnamed & (descriptors["name"] >= max(len(names), 1)))
            if len(outside):
                index = int(outside[0])
                raise FormatError(f"the name of instance {index} is outside the name table", _at(index) + 8)
        return tables

    def __len__(self) -> int:
        return len(self.descriptors)

    @property
    def unnamed(self) -> NDArray[np.bool_]:
        return (self.descriptors["flags"] & UNNAMED) != 0

    def tag(self, index: int) -> str:
        return tag_text(bytes(self.descriptors["tag"][index]))

    def name(self, index: int) -> str:
        """With the tag; empty for an unnamed instance. Of one without an end a letter too many, so that it is refused where it is to be
        written, and not cut."""
        if int(self.descriptors["flags"][index]) & UNNAMED:
            return ""
        start = int(self.descriptors["name"][index])
        return self.names[start : start + LONGEST_NAME + 1].partition(b"\0")[0].decode("latin-1")

    def blank(self, index: int) -> bool:
        """Whether the instance is in another file and only its name is here."""
        _, data, _, _, flags = self.descriptors.item(index)
        return bool(flags & PLACEHOLDER) or not data

    def span(self, index: int) -> tuple[int, int]:
        """Offset in the file and size of an instance's data, with the prefix. Raises FormatError when it is not in the data table."""
        if self.blank(index):
            raise FormatError(f"{self.name(index) or f'instance {index}'} is in another file; here is only its name", _at(index))
        _, data, _, size, _ = self.descriptors.item(index)
        start = data - PREFIX
        if start < 0 or size < PREFIX or start + size > int(self.header["data_size"]):
            raise FormatError(f"instance {index}: {size} bytes at 0x{max(start, 0):X} are not inside the data table", _at(index) + 4)
        return int(self.header["data_offset"]) + start, size

    def linked(self, value: int, where: int) -> int | None:
        """The instance that a link means, None for none. where: offset of the link in the file, for the error."""
        if value == 0:
            return None
        index = value >> 8
        if value & 0xFF != 1 or index >= len(self):
            raise FormatError(f"a link to instance {index} (0x{value:08X}); there are {len(self)}", where)
        return index


def read_header(source: Source) -> Array:
    """() of HEADER. Raises FormatError for what is no instance file, and for those of other programs; an unknown checksum is warned of."""
    header = np.frombuffer(
        bytes(source.read(0, min(source.size, HEADER.itemsize), "header")).ljust(HEADER.itemsize, b"\0"), HEADER
    ).reshape(())
    version, checksum = int(header["version"]), int(header["checksum"])
    if version == VR33:
        raise FormatError("an instance file of OniX (VR33), which is not supported")
    if version not in (VR31, VR32) or tuple(header["sizes"].tolist()) != SIZES or source.size < HEADER.itemsize:
        raise FormatError("not an Oni instance file", 8)
    if checksum == PS2:
        raise FormatError("PlayStation 2 files are not supported")
    if checksum not in (WINDOWS, MAC):
        log.warning(f"unknown template checksum 0x{checksum:016X}; read as the PC's files are")
    return header


def version_of(head: Bytes) -> int:
    """The version of an instance file by its first bytes; 0 for other files."""
    version = int.from_bytes(bytes(head[8:12]), "little")
    return version if version in (VR31, VR32, VR33) else 0


def tag_text(stored: bytes) -> str:
    """'MART' -> 'TRAM'."""
    return stored.ljust(4, b"\0")[::-1].decode("latin-1")


def tag_bytes(tag: str) -> bytes:
    return tag.encode("latin-1")[::-1]


def _text(version: int) -> str:
    return version.to_bytes(4, "big").decode("latin-1")


def _at(index: int) -> int:
    """Where an instance's descriptor stands in the file."""
    return HEADER.itemsize + DESCRIPTOR.itemsize * index
