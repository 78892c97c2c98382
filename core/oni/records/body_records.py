"""The records that bodies consist of: fixed fields, and behind them a number of items that one of the fields counts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...files.binary import Bytes, Reader
from ...record import numerous
from ...reporting.errors import FormatError
from .record import PREFIX, Raw

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Shape:
    """head: the fixed fields. count: the one that holds how many items follow, "" for a record without. links: those that are links.
    room: bytes that a new record has behind its items."""

    head: np.dtype[Any]
    count: str = ""
    item: np.dtype[Any] | None = None
    links: tuple[str, ...] = ()
    room: int = 0


def _counted(item: Any, pad: int = 20, count: str = "<u4", room: int = 0) -> Shape:
    return Shape(np.dtype([("pad", "u1", pad), ("count", count)]), "count", np.dtype(item), room=room)


_PNTA = [("pad", "u1", 12), ("box", "<f4", (2, 3)), ("sphere", "<f4", 4), ("count", "<u4")]
_TRCM = [("pad", "u1", 4), ("bone_count", "<u2"), ("rest", "u1", 0x4E), ("meshes", "<u4"), ("offsets", "<u4"), ("hierarchy", "<u4")]
_M3GM_LINKS = ("points", "normals", "face_normals", "uvs", "strips", "normal_of", "texture")

SHAPES: dict[str, Shape] = {
    "TRBS": Shape(np.dtype([("levels", "<u4", 5)]), links=("levels",)),
    "TRCM": Shape(np.dtype(_TRCM), links=("meshes", "offsets", "hierarchy")),
    "TRTA": _counted(("<f4", 3), 22, "<u2"),
    "TRIA": _counted([("parent", "u1"), ("child", "u1"), ("sibling", "u1"), ("pad", "u1")], 22, "<u2"),
    "TRGA": Shape(np.dtype([("pad", "u1", 22), ("count", "<u2")]), "count", np.dtype("<u4"), ("items",)),
    "TRMA": Shape(np.dtype([("pad", "u1", 22), ("count", "<u2")]), "count", np.dtype("<u4"), ("items",)),
    "M3GM": Shape(np.dtype([("pad", "<u4"), *((name, "<u4") for name in _M3GM_LINKS), ("pad2", "<u4")]), links=_M3GM_LINKS),
    "PNTA": Shape(np.dtype(_PNTA), "count", np.dtype(("<f4", 3))),
    "VCRA": _counted(("<f4", 3)),
    "TXCA": _counted(("<f4", 2), room=480),
    "IDXA": _counted("<i4"),
}
"""Of each tag. TRBS: levels of detail, low to high. TRMA: the textures of a character's bones. M3GM: normal_of are the face normals of the
triangles. "items" are links themselves. TXCA: room for 60 more, which OniSplit leaves behind those of every mesh [ImporterFile.cs]."""


@numerous
class BodyRecord:
    """One record. head: () of the shape's; items: (n, ...) of the shape's, None for a record without. tail: what follows (padding).

    The links are kept as numbers; which instances they mean depends on the file.
    """

    tag: str
    head: Array
    items: Array | None
    tail: bytes

    @classmethod
    def parse(cls, tag: str, body: Bytes) -> BodyRecord:
        """Raises FormatError when the body is shorter than its count has it; offsets count from the record's prefix."""
        shape = SHAPES[tag]
        reader = Reader(body)
        try:
            head = reader.array(shape.head, 1, f"{tag} record").reshape(())
            if shape.item is None:
                return cls(tag, head, None, reader.rest())
            count = int(head[shape.count])
            items = reader.array(shape.item.base, count * math.prod(shape.item.shape), f"{tag} items").reshape(count, *shape.item.shape)
            return cls(tag, head, items, reader.rest())
        except FormatError as error:
            error.offset = None if error.offset is None else error.offset + PREFIX
            raise

    def pack(self) -> bytes:
        head = self.head.copy()
        if self.items is not None:
            head[SHAPES[self.tag].count] = len(self.items)
        return head.tobytes() + (b"" if self.items is None else self.items.tobytes()) + self.tail

    def __len__(self) -> int:
        """Items."""
        return 0 if self.items is None else len(self.items)


class BodyLayout:
    """Where a record of a body keeps its links; it has no raw blocks."""

    def __init__(self, tag: str) -> None:
        self.tag = tag

    def links(self, body: Bytes) -> tuple[int, ...]:
        record, shape = BodyRecord.parse(self.tag, body), SHAPES[self.tag]
        positions: list[int] = []
        for name in shape.links:
            if name == "items":
                start, count = shape.head.itemsize, len(record)
            else:
                start, count = field_position(shape.head, name), shape.head[name].itemsize // 4
            positions += range(start, start + 4 * count, 4)
        return tuple(positions)

    def blocks(self, _body: Bytes, _raw: Raw) -> dict[int, bytes]:
        return {}


def field_position(head: np.dtype[Any], field: str) -> int:
    """The offset of a fixed field in the record."""
    names = head.names or ()
    return sum(head[name].itemsize for name in names[: names.index(field)])
