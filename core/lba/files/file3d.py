"""Entities: which bodies and animations belong together, and in which role. LBA1 keeps one in each entry of FILE3D.HQR, LBA2 all of
them in one table (see entity_table).

Sources: FICHE.C SearchBody, SearchAnim, GereAnimAction; the numbers of roles are those of the engine's GEN_ANIM constants.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from functools import cached_property

from ...files.binary import Bytes, Reader
from ...reporting.errors import FormatError

BODY, ANIMATION, END = 1, 3, 0xFF

MOST_RECORDS = 0xFFFF
"""Of a character: far more than there are bodies and animations."""

ROLES = {
    0: "stand",
    1: "walk",
    2: "walk back",
    3: "turn left",
    4: "turn right",
    5: "hit",
    6: "hit hard",
    7: "fall",
    8: "land",
    9: "land hurt",
    10: "land dead",
    11: "action",
    12: "climb ladder",
    13: "ladder top",
    14: "jump",
    15: "throw",
    16: "hide",
    17: "kick",
    18: "punch right",
    19: "punch left",
    20: "found",
    21: "drown",
    22: "hit 2",
    23: "sabre",
    24: "draw sabre",
    25: "jump left",
    26: "jump right",
    27: "push",
    28: "talk",
}
"""What the game calls the generic animation ids that all characters share; others are numbered."""

_ACTION_SIZES = {5: 2, 6: 3, 7: 5, 8: 12, 15: 1, 16: 1}
"""Bytes behind the type byte of the animation actions that carry a frame number first."""

_ACTION_NAMES = {5: "hit", 6: "sound", 7: "sound", 8: "throw", 15: "left step", 16: "right step"}


def is_event(name: str) -> bool:
    """Whether a marker of this name is an event of an animation."""
    return any(name == event or name.startswith(f"{event} ") for event in _ACTION_NAMES.values())


def role_name(generic_id: int) -> str:
    return ROLES.get(generic_id, f"animation {generic_id}")


@dataclass(frozen=True)
class Record:
    """op: BODY or ANIMATION (others are kept). role: generic id. size: from its own start to the next record.
    index: entry in BODY.HQR or ANIM.HQR. actions: what follows the index, with the count of actions first."""

    op: int
    role: int
    size: int
    index: int
    actions: bytes

    def events(self) -> list[tuple[int, str]]:
        """(keyframe, name) of what the game does during the animation, up to the first action of unknown size."""
        events: list[tuple[int, str]] = []
        offset = 1
        for _ in range(self.actions[0] if self.actions else 0):
            kind = self.actions[offset] if offset < len(self.actions) else -1
            size = _ACTION_SIZES.get(kind)
            if size is None or offset + size >= len(self.actions):
                break
            frame = self.actions[offset + 1]
            name = _ACTION_NAMES[kind]
            if name == "sound":
                name = f"sound {int.from_bytes(self.actions[offset + 2 : offset + 4], 'little')}"
            events.append((frame, name))
            offset += 1 + size
        return events


@dataclass(frozen=True)
class Entity:
    """One character: its records in order, and the bytes after the end mark. wide: roles of animations have 16 bits, as in LBA2."""

    records: tuple[Record, ...]
    rest: bytes = b""
    wide: bool = False

    @classmethod
    def parse(cls, data: Bytes, wide: bool = False) -> Entity:
        """Raises FormatError when a record is cut off or the end mark is missing."""
        reader = Reader(data)
        records: list[Record] = []
        while (op := reader.u8("a record or the end mark")) != END:
            at = reader.offset - 1
            if len(records) == MOST_RECORDS:
                raise FormatError(f"more than {MOST_RECORDS} records", at)
            role = reader.u16("generic id") if wide and op == ANIMATION else reader.u8("generic id")
            size = reader.u8("record size")
            if size < 3:
                raise FormatError(f"record {len(records)} of type {op} claims {size} bytes, at least 3 are needed", at + 2)
            index = reader.s16("entry index")
            records.append(Record(op, role, size, index, bytes(reader.raw(size - 3, f"record {len(records)}"))))
        return cls(tuple(records), reader.rest(), wide)

    def pack(self) -> bytes:
        parts = [
            struct.pack("<BHBh" if self.wide and record.op == ANIMATION else "<BBBh", record.op, record.role, record.size, record.index)
            + record.actions
            for record in self.records
        ]
        return b"".join((*parts, bytes((END,)), self.rest))

    @property
    def bodies(self) -> dict[int, list[int]]:
        """Entry in BODY.HQR -> its roles, in the order of the file."""
        return self._by_index(BODY)

    @property
    def animations(self) -> dict[int, list[int]]:
        """Entry in ANIM.HQR -> its roles, in the order of the file; one animation may have several."""
        return self._by_index(ANIMATION)

    def events_of(self, animation: int) -> list[tuple[int, str]]:
        """(keyframe, name) over all records of an animation, each once."""
        return sorted(self._events.get(animation, ()))

    @cached_property
    def _events(self) -> dict[int, set[tuple[int, str]]]:
        events: dict[int, set[tuple[int, str]]] = {}
        if not self.wide:  # those of LBA2 have other sizes, and there are many more
            for record in self.records:
                if record.op == ANIMATION:
                    events.setdefault(record.index, set()).update(record.events())
        return events

    def _by_index(self, op: int) -> dict[int, list[int]]:
        table: dict[int, list[int]] = {}
        for record in self.records:
            if record.op == op:
                table.setdefault(record.index, []).append(record.role)
        return table


def recognise(head: bytes, size: int) -> bool:
    """Whether `head` starts with a record of an entity and the records walk to an end mark (checked as far as `head` goes)."""
    offset = 0
    while offset + 5 <= len(head) and head[offset] in (BODY, ANIMATION):
        if head[offset + 2] < 4:
            return False
        offset += 2 + head[offset + 2]
    return 0 < offset < size and (offset >= len(head) or head[offset] == END) and (offset + 1 == size or offset >= len(head))
