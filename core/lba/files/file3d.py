"""Entities: which bodies and animations belong together, and in which role. LBA1 keeps one in each entry of FILE3D.HQR, LBA2 all of
them in one table (see entity_table).

Sources: FICHE.C SearchBody, SearchAnim, GereAnimAction; the numbers of roles are those of the engine's GEN_ANIM constants.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ...files.binary import Bytes, Reader
from ...reporting.errors import ExportError, FormatError
from .actions import Action, actions_of, bytes_of

BODY, ANIMATION, END = 1, 3, 0xFF
EMPTY = bytes([END])
"""An entity of nothing: a place that a game has left free."""

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

    def with_record(self, op: int, role: int, index: int, actions: Sequence[Action] | None = None) -> Entity:
        """With this body or animation in a role: in the record that has the role already, else in a new one behind the last.

        actions: what happens, None for what the record has, or nothing in a new one. Raises ExportError for what the file cannot hold.
        """
        if not 0 <= role <= (0xFFFF if self.wide and op == ANIMATION else 0xFF):
            raise ExportError(f"role {role}: the file has room for {0xFFFF if self.wide and op == ANIMATION else 0xFF}")
        if not 0 <= index <= 0x7FFF:
            raise ExportError(f"entry {index}: the file reaches {0x7FFF}")
        at = next((at for at, record in enumerate(self.records) if (record.op, record.role) == (op, role)), len(self.records))
        before = self.records[at].actions if at < len(self.records) else bytes((0,))
        record = _record(op, role, index, before if actions is None else bytes_of(actions, self.wide, op))
        return replace(self, records=(*self.records[:at], record, *self.records[at + 1 :]))

    def without(self, op: int, role: int) -> Entity:
        """Without the record of a role. Raises ExportError where there is none."""
        left = tuple(record for record in self.records if (record.op, record.role) != (op, role))
        if len(left) == len(self.records):
            raise ExportError(f"it has no {'body' if op == BODY else 'animation'} in the role {role}")
        return replace(self, records=left)

    def with_actions(self, animation: int, actions: Sequence[Action]) -> Entity:
        """With these instead of `actions_of` an animation: each of its roles keeps its own ones of them, wherever they happen now. New ones
        go to the roles that have any, or to all where none has. Raises ExportError."""
        read = {
            at: actions_of(record.actions, self.wide, ANIMATION)
            for at, record in enumerate(self.records)
            if record.op == ANIMATION and record.index == animation
        }
        if not read:
            raise ExportError(f"it does not use animation {animation}")
        if any(claimed != len(own) for own, claimed in read.values()):
            raise ExportError(f"animation {animation} has actions that cannot be read, which would be lost")
        become, added = _matched(self.actions_of(animation), actions)
        records = list(self.records)
        for at in [at for at, (own, _) in read.items() if own] or list(read):
            left = [become[action] for action in read[at][0] if action in become]
            record = records[at]
            records[at] = _record(record.op, record.role, animation, bytes_of([*left, *added], self.wide, record.op))
        return replace(self, records=tuple(records))

    @property
    def bodies(self) -> dict[int, list[int]]:
        """Entry in BODY.HQR -> its roles, in the order of the file."""
        return self._by_index(BODY)

    @property
    def animations(self) -> dict[int, list[int]]:
        """Entry in ANIM.HQR -> its roles, in the order of the file; one animation may have several."""
        return self._by_index(ANIMATION)

    def actions_of(self, animation: int) -> list[Action]:
        """What the game does over all records of an animation, each once, by keyframe."""
        return self._actions.get(animation, [])

    def events_of(self, animation: int) -> list[tuple[int, str]]:
        """(keyframe, title) of `actions_of`, each once."""
        return list(dict.fromkeys((action.frame, action.title) for action in self.actions_of(animation)))

    @property
    def unread(self) -> int:
        """Actions that records claim to have, and that cannot be read: of an unknown type, or cut off."""
        read = [actions_of(record.actions, self.wide, record.op) for record in self.records if record.op in (BODY, ANIMATION)]
        return sum(claimed - len(actions) for actions, claimed in read)

    @cached_property
    def _actions(self) -> dict[int, list[Action]]:
        actions: dict[int, dict[Action, None]] = {}
        for record in self.records:
            if record.op == ANIMATION:
                actions.setdefault(record.index, {}).update(dict.fromkeys(actions_of(record.actions, self.wide, ANIMATION)[0]))
        return {animation: sorted(each, key=lambda action: action.frame) for animation, each in actions.items()}

    def _by_index(self, op: int) -> dict[int, list[int]]:
        table: dict[int, list[int]] = {}
        for record in self.records:
            if record.op == op:
                table.setdefault(record.index, []).append(record.role)
        return table


def _record(op: int, role: int, index: int, data: bytes) -> Record:
    """data: the actions. Raises ExportError where they are too many."""
    size = 3 + len(data)
    if size > 0xFF:
        raise ExportError(f"the actions take {len(data)} bytes, a record has room for {0xFF - 3}: take some away")
    return Record(op, role, size, index, data)


_ALIKE: tuple[Callable[[Action], object], ...] = (
    lambda action: action,
    lambda action: (action.kind, action.numbers),
    lambda action: action.kind,
)
"""What an action that was changed has in common with the one that it was, the surest first."""


def _matched(before: Sequence[Action], after: Sequence[Action]) -> tuple[dict[Action, Action], list[Action]]:
    """What each of the actions before is now, without those that are no more; and the new ones."""
    become, left = dict[Action, Action](), list(after)
    for key in _ALIKE:
        for old in before:
            alike = [new for new in left if key(new) == key(old)] if old not in become else []
            if alike:
                become[old] = min(alike, key=lambda new: abs(new.frame - old.frame))
                left.remove(become[old])
    return become, left


def recognise(head: bytes, size: int) -> bool:
    """Whether `head` starts with a record of an entity and the records walk to an end mark (checked as far as `head` goes)."""
    offset = 0
    while offset + 5 <= len(head) and head[offset] in (BODY, ANIMATION) and head[offset + 2] >= 4:
        offset += 2 + head[offset + 2]
    return 0 < offset < size and (offset >= len(head) or head[offset] == END) and (offset + 1 == size or offset >= len(head))
