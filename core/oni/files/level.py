"""A level file (VR31): all instances of a level in a .dat, their raw data in the .raw of the same name.

Only what is asked for is read; nothing is ever written.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...files.binary import Bytes
from ...files.letter_case import find_beside
from ...files.source import Memory, OnDisk, Source
from ...record import numerous
from ..records.layouts import LAYOUTS
from ..records.record import Raw
from .instance_file import InstanceFile
from .instances import HEADER, VR31, Tables
from .onifile import OniFile, named_only
from .raw_area import NoRaw, RawArea

NAME = np.dtype([("instance", "<u4"), ("zero", "<u4")])
TEMPLATE = np.dtype([("checksum", "<u8"), ("tag", "S4"), ("count", "<u4")])


@numerous
class Level(InstanceFile):
    """order: (names,) of NAME, sorted by name. templates: (tags,) of TEMPLATE. source: the .dat; raw: the .raw; sep: the .sep, which Mac
    and demo have besides."""

    order: NDArray[Any]
    templates: NDArray[Any]
    source: Source
    raw: Raw
    sep: Raw

    @classmethod
    def open(cls, path: str) -> Level:
        """The level at `path`, its raw data beside it. Raises FormatError as `parse`."""
        raw, sep = (find_beside(path, Path(path).stem + extension) for extension in (".raw", ".sep"))
        return cls._of(OnDisk.of(path), *(_raw(OnDisk.of(file)) if file else NoRaw() for file in (raw, sep)))

    @classmethod
    def parse(cls, data: Bytes, raw: Bytes | None = None, sep: Bytes | None = None) -> Level:
        """From memory. Raises FormatError unless all tables are in the file."""
        return cls._of(Memory(data), *(NoRaw() if area is None else _raw(Memory(area)) for area in (raw, sep)))

    @classmethod
    def _of(cls, source: Source, raw: Raw, sep: Raw) -> Level:
        tables = Tables.read(source, VR31)
        position = HEADER.itemsize + tables.descriptors.nbytes
        names, templates = int(tables.header["name_count"]), int(tables.header["template_count"])
        order = np.frombuffer(source.read(position, names * NAME.itemsize, "name descriptors"), NAME)
        position += order.nbytes
        result = np.frombuffer(source.read(position, templates * TEMPLATE.itemsize, "template descriptors"), TEMPLATE)
        return cls(tables, order, result, source, raw, sep)

    def pack(self) -> bytes:
        """The file's tables without the data: header, instances, order of names, templates, names."""
        front = (self.tables.header, self.tables.descriptors, self.order, self.templates)
        return b"".join(table.tobytes() for table in front) + self.tables.names

    @property
    def front(self) -> bytes:
        """The same bytes out of the file."""
        head = int(self.tables.header["name_offset"]), int(self.tables.header["name_size"])
        size = HEADER.itemsize + self.tables.descriptors.nbytes + self.order.nbytes + self.templates.nbytes
        return bytes(self.source.read(0, size, "tables")) + bytes(self.source.read(*head, "name table"))

    @property
    def raw_area(self) -> Raw:
        return self.raw

    def read(self, index: int) -> bytes:
        """The instance as a .oni of its own, as OniSplit exports it; of an unknown kind only tag and name. Raises FormatError."""
        if self.tag(index) in LAYOUTS:
            return OniFile.of(replace(self.record(index), level_id=0)).pack()
        return named_only(self.tag(index), self.name(index))

    def bytes_of(self, index: int) -> bytes:
        start, size = self.tables.span(index)
        return bytes(self.source.read(start, size, f"instance {index}"))


def _raw(source: Source) -> RawArea:
    return RawArea(source, 0, source.size)
