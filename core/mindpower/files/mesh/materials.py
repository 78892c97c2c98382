"""The materials block of a mesh file: colours, Direct3D render states, and up to four textures each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ....files.binary import Reader
from ....reporting.errors import FormatError
from .. import names

UNUSED = 0xFFFFFFFF
"""The stage of a texture slot, or the state of a render state slot, that is empty."""

STATE = np.dtype([("state", "<u4"), ("values", "<u4", 2)])
"""A Direct3D state and the value to set; both values are the same in practice."""
OLD_STATE = np.dtype([("state", "<u4"), ("value", "<u4")])

_COLOURS: list[tuple[str, str, int] | tuple[str, str]] = [
    ("diffuse", "<f4", 4),
    ("ambient", "<f4", 4),
    ("specular", "<f4", 4),
    ("emissive", "<f4", 4),
    ("power", "<f4"),
]


def _texture(states: DTypeLike, shape: tuple[int, ...]) -> np.dtype[Any]:
    fields = ["stage", "level", "usage", "format", "pool", "byte_alignment", "type", "width", "height", "colour_key_type"]
    return np.dtype(
        [*((name, "<u4") for name in fields), ("colour_key", "u1", 4), ("file", "u1", 64), ("data", "<u4"), ("states", states, shape)]
    )


TEXTURE = _texture(STATE, (8,))
TEXTURE_1 = _texture(OLD_STATE, (2, 8))
TEXTURE_0 = np.dtype(
    [
        ("stage", "<u4"),
        ("colour_key_type", "<u4"),
        ("colour_key", "u1", 4),
        ("format", "<u4"),
        ("file", "u1", 64),
        ("states", OLD_STATE, (2, 8)),
    ]
)

_HEAD = [("opacity", "<f4"), ("transparency", "<u4")]
MATERIAL = np.dtype([*_HEAD, *_COLOURS, ("states", STATE, 8), ("textures", TEXTURE, 4)])
MATERIAL_1 = np.dtype([*_HEAD, *_COLOURS, ("states", OLD_STATE, (2, 8)), ("textures", TEXTURE_1, 4)])
MATERIAL_0 = np.dtype([*_COLOURS, ("states", OLD_STATE, (2, 8)), ("textures", TEXTURE_0, 4)])


def material_dtype(version: int) -> np.dtype[Any] | None:
    """The record of a file's version, or of the block's own in a version 0 file; None where there is none."""
    return MATERIAL if version >= 0x1000 else {0: MATERIAL_0, 1: MATERIAL_1, 2: MATERIAL}.get(version)


@dataclass(frozen=True, eq=False)
class Materials:
    """records: array of `MATERIAL`, or of `MATERIAL_1` or `MATERIAL_0` in old files. colours are red, green, blue, alpha.
    transparency: 0 filter, 1 to 4 additive kinds, 5 to 8 subtractive kinds. colour_key: blue, green, red, alpha.

    old_version: the block's own version in a version 0 file. rest: bytes after the last record.
    """

    records: NDArray[Any]
    old_version: int = 0
    rest: bytes = b""

    @classmethod
    def parse(cls, reader: Reader, version: int) -> Materials:
        """The whole of `reader`. version: the file's. Raises FormatError."""
        start = reader.offset
        old_version = reader.u32("version of the materials") if version == 0 else 0
        record = material_dtype(version or old_version)
        if record is None:
            raise FormatError(f"materials of version {old_version}, which is none of 0, 1, 2", start)
        records = reader.array(record, reader.u32("material count"), "materials")
        return cls(records, old_version, reader.rest())

    def pack(self, version: int) -> bytes:
        head = [self.old_version] if version == 0 else []
        return np.array([*head, len(self.records)], "<u4").tobytes() + self.records.tobytes() + self.rest

    def __len__(self) -> int:
        return len(self.records)

    def opacity(self, index: int) -> float:
        """1 in files that have none."""
        return float(self.records["opacity"][index]) if "opacity" in _fields(self.records) else 1.0

    def transparency(self, index: int) -> int:
        """0 in files that have none."""
        return int(self.records["transparency"][index]) if "transparency" in _fields(self.records) else 0

    def states(self, index: int) -> dict[int, int]:
        """Direct3D render states and their values, up to the first empty slot, which is where the engine stops."""
        return used_states(self.records["states"][index])

    def textures(self, index: int) -> list[str]:
        """The file names of the textures in use; the first one is the picture, others are seldom."""
        used: list[str] = []
        for slot in self.records["textures"][index]:
            if int(slot["stage"]) == UNUSED:
                break
            used.append(names.decode(slot["file"]))
        return used


def used_states(slots: NDArray[Any]) -> dict[int, int]:
    """State -> value of an array of `STATE` or, whose first row alone is used, of `OLD_STATE`."""
    row, count = _used(slots)
    values = row["value"] if "value" in _fields(row) else row["values"][:, 0]
    return dict(zip(row["state"][:count].tolist(), values[:count].tolist(), strict=True))


def set_state(slots: NDArray[Any], state: int, value: int | None) -> None:
    """Give one state of an array of `STATE`, or of the first row of one of `OLD_STATE`, a value, None to take it out. All others stay as
    they are, and in their order. Raises ValueError where there is no room for one more."""
    row, count = _used(slots)
    there = np.flatnonzero(row["state"][:count] == state)
    field = "value" if "value" in _fields(row) else "values"
    if value is None:
        row[: len(row) - len(there)] = np.delete(row, there)
        row[len(row) - len(there) :] = np.array((UNUSED, 0), row.dtype)
    elif len(there):
        row[field][there] = value
    elif row["state"][-1] != UNUSED:
        raise ValueError(f"there is room for {len(row)} render states, and all of it is in use")
    else:
        row[count + 1 :] = row[count:-1].copy()
        row["state"][count], row[field][count] = state, value


def _used(slots: NDArray[Any]) -> tuple[NDArray[Any], int]:
    """The row of states that is used, and how many there are before its first empty slot."""
    row = slots[0] if "value" in _fields(slots) else slots
    empty = np.flatnonzero(row["state"] == UNUSED)
    return row, int(empty[0]) if len(empty) else len(row)


def _fields(array: NDArray[Any]) -> tuple[str, ...]:
    return array.dtype.names or ()


def new_states(states: dict[int, int]) -> NDArray[Any]:
    """(8,) of `STATE`, the other slots empty. Raises ValueError for more than eight."""
    slots = np.full(8, np.array((UNUSED, 0), STATE))
    for state, value in states.items():
        set_state(slots, state, value)
    return slots


def new_material(textures: list[str], states: dict[int, int] | None = None) -> NDArray[Any]:
    """(1,) of `MATERIAL`: white, opaque, with the game's usual settings for textures from files.

    textures: up to four file names. Raises ExportError for names that the file has no room for.
    """
    record = np.zeros(1, MATERIAL)
    record["opacity"] = 1
    for colour in ("diffuse", "ambient", "specular"):
        record[colour] = 1
    record["states"][0] = new_states(states or {})
    slots = record["textures"][0]
    slots["stage"] = UNUSED
    slots["states"]["state"] = UNUSED
    for stage, name in enumerate(textures[:4]):
        slot = slots[stage : stage + 1]
        slot["stage"], slot["level"] = stage, 1
        slot["file"] = np.frombuffer(names.encode(name, 64), "u1")
    return record


def fitting(record: NDArray[Any], records: NDArray[Any]) -> NDArray[Any]:
    """A record (1,) of `MATERIAL` as those of an older file are; what it has no room for, as for how pictures are drawn, is as in the first
    of these."""
    if records.dtype == record.dtype:
        return record
    result = records[:1].copy() if len(records) else np.zeros(1, records.dtype)
    for name in set(_fields(record)) & set(_fields(records)) - {"states", "textures"}:
        result[name] = record[name]
    result["states"]["state"][:, 0] = record["states"]["state"]
    result["states"]["value"][:, 0] = record["states"]["values"][..., 0]
    for name in ("stage", "file", "colour_key_type"):
        result["textures"][name] = record["textures"][name]
    return result
