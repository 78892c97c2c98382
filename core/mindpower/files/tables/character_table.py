"""Characterinfo.bin, the client's list of characters as the game itself reads it; CharacterInfo.txt is what it is made from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ....files.binary import Bytes
from ....reporting import log
from ....reporting.errors import ExportError
from .. import names
from . import obfuscation
from .character_info import PART_COUNT, SHIP, CharacterRow
from .obfuscation import HEAD, INDEX

RECORD_SIZE = 206
"""Bytes of a record that are known, of 940 in all known clients."""


def record_dtype(size: int) -> np.dtype[Any]:
    """A record: the head of all tables, then the columns of the text as numbers: the number and the name once more, with
    room for 31 bytes, and the name of a picture. What is not needed is `unknown` and `more`."""
    numbers = [("model_type", "u1"), ("logic_type", "u1"), ("unknown_163", "u1"), ("framework", "<u2"), ("suit", "<u2"), ("suits", "<u2")]
    effects = [("effects", "<u2", 3), ("unknown_192", "u1", 4), ("special_effects", "<u2", 3), ("shadow", "<u2"), ("action_type", "<u2")]
    parts = [("parts", "<u2", PART_COUNT)]
    own = [("character", "<u4"), ("title", "u1", 32), ("icon", "u1", 17)]
    return np.dtype([*HEAD.descr, *INDEX.descr, *own, *numbers, *parts, *effects, ("more", "u1", (size - RECORD_SIZE,))])


@dataclass(frozen=True, eq=False)
class CharacterTable(obfuscation.Table):
    """records: array of `record_dtype`."""

    @classmethod
    def parse(cls, data: Bytes) -> CharacterTable:
        """Raises FormatError for records that are too small."""
        table = cls(*obfuscation.parsed(data, RECORD_SIZE, record_dtype))
        if len(table.records) and not table.rows:
            log.warning("no record has a number and a name that is text; kept")
        return table

    @cached_property
    def rows(self) -> tuple[CharacterRow, ...]:
        """The records that are in use."""
        used = self.records[(self.records["exists"] == 1) & (self.records["id"] < obfuscation.MOST_ROWS)]
        columns = [used[name].tolist() for name in ("id", "model_type", "framework", "suit", "action_type", "parts")]
        return tuple(
            CharacterRow(number, name, model_type, framework, suit, tuple(parts), action_type)
            for name, number, model_type, framework, suit, action_type, parts in zip(names.texts(used["name"]), *columns, strict=True)
        )

    def with_character(self, row: CharacterRow, like: int) -> CharacterTable:
        """With another character, in everything else as the one with the number `like`. Raises ExportError for a name that is too
        long, where the number is taken or there is no such character."""
        before = np.flatnonzero((self.records["exists"] == 1) & (self.records["id"] == like))
        if not len(before):
            raise ExportError(f"there is no character {like}")
        used = self.records["name"][self.records["exists"] == 1]
        encoding = names.encoding_of(bytes(field).split(b"\0", 1)[0] for field in used)
        title = names.encode(row.name, self.records["title"].shape[1], encoding=encoding)
        name = np.frombuffer(title.ljust(self.records["name"].shape[1], b"\0"), "u1")
        records, index = obfuscation.inserted(self.records, int(before[0]), row.id, name)
        record = records[index : index + 1]
        record["character"], record["title"] = row.id, np.frombuffer(title, "u1")
        record["model_type"], record["framework"], record["action_type"] = row.model_type, row.framework, row.action_type
        record["suit"], record["suits"], record["parts"] = row.suit, 1, row.parts
        return replace(self, records=records)

    @cached_property
    def characters(self) -> tuple[CharacterRow, ...]:
        """The rows with a skeleton file: all but ships."""
        return tuple(row for row in self.rows if row.model_type != SHIP)


def recognise(head: bytes, size: int) -> bool:
    """Whether a file of `size` bytes that starts with `head` is whole records, the first of which has a number and a name."""
    record = int.from_bytes(head[:4], "little")
    return obfuscation.looks_like_rows(head, RECORD_SIZE) and (size - 4) % record == 0
