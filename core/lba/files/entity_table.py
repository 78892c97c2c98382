"""The entity table of LBA2, entry 44 of its RESS.HQR: an offset table as in an archive, and a stream of records for each character."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from ...files.binary import Bytes
from ...reporting.errors import FormatError
from .archive.hqr import Hqr
from .file3d import ANIMATION, BODY, END, Entity


@dataclass(frozen=True, eq=False)
class EntityTable:
    """layout: the table and the entities' bytes, as an archive whose blobs have no headers. parsed: entities that were read already, by
    blob."""

    layout: Hqr
    parsed: dict[int, Entity] = field(default_factory=dict[int, Entity], init=False, repr=False)

    @classmethod
    def parse(cls, data: Bytes) -> EntityTable:
        """Raises FormatError when this is no such table, or one of the entities is cut off."""
        try:
            layout = Hqr.parse(data)
        except FormatError as error:
            raise FormatError(error.problem.replace("an HQR archive", "an entity table"), error.offset) from None
        if not layout.closed or layout.tail:
            raise FormatError("not an entity table: its last offset is not its size", 0)
        if layout.odd:
            slot, value = next(iter(layout.odd.items()))
            raise FormatError(f"entity {slot} lies outside the table, at 0x{value:X}", 4 * slot)
        table = cls(layout)
        blobs, first_slots = np.unique(layout.slots, return_index=True)
        for slot in first_slots[blobs >= 0].tolist():
            table.entity(slot)
        return table

    def pack(self) -> bytes:
        return self.layout.pack()

    def __len__(self) -> int:
        return len(self.layout)

    def blank(self, index: int) -> bool:
        return self.layout.blank(index)

    def entity(self, index: int) -> Entity:
        """Raises FormatError when there is none, or it is cut off."""
        if not 0 <= index < len(self) or self.blank(index):
            raise FormatError(f"there is no entity {index}")
        blob = int(self.layout.slots[index])
        try:
            if blob not in self.parsed:
                self.parsed[blob] = Entity.parse(self.layout.blobs[blob], wide=True)
        except FormatError as error:
            raise FormatError(f"entity {index}: {error.problem}", self.layout.offset(index) + (error.offset or 0)) from None
        return self.parsed[blob]

    def stored(self, index: int) -> Bytes:
        """The bytes of an entity that is there."""
        return self.layout.blobs[int(self.layout.slots[index])]

    def with_entity(self, index: int, entity: Entity) -> EntityTable:
        """With an entity in its slot, or in a new one behind the last; all others keep their bytes."""
        slots, blobs = self.layout.slots, list(self.layout.blobs)
        if not 0 <= index <= len(self):
            raise FormatError(f"entity {index} cannot be written: there are {len(self)}, so {len(self)} is the first new one")
        old = int(slots[index]) if index < len(self) else -1
        if old >= 0 and not self.layout.shared(index):
            blobs[old] = entity.pack()
            return EntityTable(replace(self.layout, blobs=tuple(blobs)))
        slots = np.append(slots, np.int32(-1)) if index == len(self) else slots.copy()
        position = int(slots[:index].max(initial=-1)) + 1
        slots[slots >= position] += 1
        slots[index] = position
        blobs.insert(position, entity.pack())
        return EntityTable(replace(self.layout, slots=slots, blobs=tuple(blobs)))


def recognise(head: bytes, size: int) -> bool:
    """Whether the offsets lie between the table and `size`, the last exactly there, and the first entity's records walk to an end mark
    (as far as `head` goes)."""
    first = int.from_bytes(head[:4], "little")
    if size < 9 or first < 8 or first % 4 or first >= size:
        return False
    table = np.frombuffer(head[: min(first, len(head) // 4 * 4)], "<u4").astype(np.int64)
    if ((table != 0) & ((table < first) | (table > size))).any() or (first <= len(head) and table[-1] != size):
        return False
    offset = first
    while offset + 4 <= len(head) and head[offset] in (BODY, ANIMATION):
        offset += 1 + (head[offset] == ANIMATION)
        length = head[offset + 1]
        if length < 3:
            return False
        offset += 1 + length
    return offset >= len(head) or head[offset] in (BODY, ANIMATION, END)
