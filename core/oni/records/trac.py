"""TRAC, a collection of animations: which ones a character has, and how often each is chosen [OniGalore OBD:TRAC]."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...files.binary import Bytes, Reader
from ...reporting.errors import ExportError
from .body_records import field_position
from .record import Raw, Record

TAG = "TRAC"

USUAL_WEIGHT = 100
"""Of most animations of the game."""

MOST_WEIGHT = 0x7FFF

_HEAD = np.dtype([("pad", "u1", 16), ("parent", "<u4"), ("runtime", "u1", 2), ("count", "<u2")])
_ITEM = np.dtype([("weight", "<u2"), ("pad", "u1", 6), ("animation", "<u4")])
_PARENT = field_position(_HEAD, "parent")


def _link_at(index: int) -> int:
    """Where the link to an animation is."""
    return _HEAD.itemsize + index * _ITEM.itemsize + field_position(_ITEM, "animation")


class _Layout:
    """Links alone; it has no raw blocks."""

    def links(self, body: Bytes) -> tuple[int, ...]:
        count = len(_items(body)[1])
        return (_PARENT, *(_link_at(index) for index in range(count)))

    def blocks(self, _body: Bytes, _raw: Raw) -> dict[int, bytes]:
        return {}


LAYOUT = _Layout()


def _items(body: Bytes) -> tuple[NDArray[Any], NDArray[Any], bytes]:
    """Fixed fields, animations, and what follows them. Raises FormatError for a body that is shorter than its count has it."""
    reader = Reader(body)
    head = reader.array(_HEAD, 1, "TRAC").reshape(())
    return head, reader.array(_ITEM, int(head["count"]), "animations of a TRAC"), bytes(reader.rest())


@dataclass(frozen=True, eq=False)
class Collection:
    """record: what everything that is not edited comes from. names: (N,) of the animations, weights: (N,)."""

    record: Record
    names: tuple[str, ...]
    weights: tuple[int, ...]

    @classmethod
    def of(cls, record: Record) -> Collection:
        """Raises FormatError."""
        items = _items(record.body)[1]
        names = tuple(record.links.get(_link_at(index), "") for index in range(len(items)))
        return cls(record, names, tuple(items["weight"].tolist()))

    @property
    def parent(self) -> str:
        """The collection that a character has besides, "" for none."""
        return self.record.links.get(_PARENT, "")

    def with_animation(self, name: str, weight: int) -> Collection:
        """With an animation behind the others, or with another weight of one that it has."""
        if not 0 < weight <= MOST_WEIGHT:
            raise ExportError(f"{name}: a weight of {weight}; 1 to {MOST_WEIGHT} are possible")
        rows, names = _items(self.record.body)[1].copy(), self.names
        if name in names:
            rows["weight"][names.index(name)] = weight
        else:
            row = np.zeros(1, _ITEM)
            row["weight"] = weight
            rows, names = np.concatenate([rows, row]), (*names, name)
        return self._with(rows, names)

    def without(self, name: str) -> Collection:
        """Raises ExportError where it has no such animation."""
        if name not in self.names:
            raise ExportError(f"{self.record.name} has no {name}")
        stays = np.array([each != name for each in self.names])
        return self._with(_items(self.record.body)[1][stays], tuple(each for each in self.names if each != name))

    def _with(self, rows: NDArray[Any], names: tuple[str, ...]) -> Collection:
        head, before, tail = _items(self.record.body)
        head = head.copy()
        head["count"] = len(rows)
        body = head.tobytes() + rows.tobytes() + (tail if len(rows) == len(before) else b"")
        links = {_PARENT: self.parent} if self.parent else {}
        links |= {_link_at(index): name for index, name in enumerate(names) if name}
        return Collection(replace(self.record, body=body, links=links), names, tuple(rows["weight"].tolist()))
