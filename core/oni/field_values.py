"""The fields of a record as plain values to show and to edit, and back: what was not edited keeps its bits.

Values are numbers as the file has them, also of choices and flags; what a field can hold is declared in `fields`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..declare.checks import wrong
from ..files.document import same
from ..reporting.errors import ExportError
from .enums import Flags
from .fields import BY_HAND, OBAN_FIELDS, TRAM_FIELDS, TRAM_LISTS, OniField
from .records.oban import Oban
from .records.tram import Tram
from .records.tram_layout import BLOCKS, LIMITS, TAG, Array, text_of

Row = dict[str, Any]

_RING = {"ring_left": slice(0, 18), "ring_right": slice(18, 36)}
"""The halves of a record's attack ring."""

_PARTS: dict[str, tuple[str, Any]] = {
    "direct_1": ("direct", 0),
    "direct_2": ("direct", 1),
    **{name: ("attack_ring", half) for name, half in _RING.items()},
}
"""Fields that are a part of one of a record's: which, and where."""


@dataclass(frozen=True)
class Details:
    """values: of the record's own fields. lists: rows of each block. Numbers for choices and flags."""

    values: Row
    lists: dict[str, list[Row]]


def fields_of(record: Tram | Oban) -> tuple[OniField, ...]:
    return TRAM_FIELDS if isinstance(record, Tram) else OBAN_FIELDS


def details_of(record: Tram | Oban) -> Details:
    """What a record holds besides motion."""
    values = {item.name: _plain(item, _get(record, item.name)) for item in fields_of(record)}
    if isinstance(record, Oban):
        return Details(values, {})
    lists = {name: [_row(row, columns) for row in _rows(record, name)] for name, columns in TRAM_LISTS.items()}
    return Details(values, lists)


def with_details(record: Tram | Oban, details: Details) -> Tram | Oban:
    """The record with other details; what is the same, or is not among them, stays to the bit. Bits that have no name stay too.

    Raises ExportError for what its fields cannot hold.
    """
    before, problems = details_of(record), list[str]()
    changes: dict[str, Any] = {}
    for item in fields_of(record):
        value = details.values.get(item.name, before.values[item.name])
        if not _alike(value, before.values[item.name]):
            changes[item.name] = _stored(item, value, before.values[item.name], item.label, problems)
    if isinstance(record, Tram):
        for name, columns in TRAM_LISTS.items():
            rows = details.lists.get(name)
            if rows is not None and not _same_rows(rows, before.lists[name]):
                changes[name] = _block(record, name, columns, rows, before.lists[name], problems)
    if problems:
        raise ExportError(problems)
    if isinstance(record, Oban):
        return replace(record, **changes)
    halves = {name: changes.pop(name) for name in _RING if name in changes}
    if halves:
        changes["attack_ring"] = np.concatenate([halves.get(name, record.attack_ring[part]) for name, part in _RING.items()])
    first, second = (_tagged(changes.pop(f"direct_{number}", name), name) for number, name in enumerate(record.direct, 1))
    if "impact" in changes:
        changes["impact"] = changes["impact"].encode("latin-1")
    return replace(record, direct=(first, second), **changes)


def _tagged(name: str, before: str) -> str:
    """The name of a direct animation with its tag, which people leave out."""
    return name if not name or name == before or name.startswith(TAG) else TAG + name


def has(record: Tram | Oban, details: Details) -> bool:
    """Whether a record has these details already, as far as they are known."""
    own = details_of(record)
    rows = (name for name in own.lists if details.lists.get(name) is not None)
    values = (name for name in own.values if name in details.values)
    return all(_alike(details.values[name], own.values[name]) for name in values) and all(
        _same_rows(details.lists[name], own.lists[name]) for name in rows
    )


def edited_by_hand(details: Details | None, base: Tram) -> frozenset[str]:
    """What of `BY_HAND` somebody has edited. base: what the properties were filled with."""
    if details is None:
        return frozenset()
    record = with_details(base, details)
    return frozenset(name for name in BY_HAND if not same(getattr(record, name), getattr(base, name)))


def _get(record: Tram | Oban, name: str) -> Any:
    part = _PARTS.get(name)
    return getattr(record, name) if part is None else getattr(record, part[0])[part[1]]


def _rows(record: Tram, name: str) -> Sequence[Any]:
    block = getattr(record, name)
    return [] if block is None else block.reshape(-1)


def _row(row: Any, columns: tuple[OniField, ...]) -> Row:
    return {item.name: _plain(item, row[item.name]) for item in columns}


def _plain(item: OniField, value: Any) -> Any:
    if type(value) is int and not item.step and item.kind not in _FLOATS:  # as most are
        return value
    if item.kind in ("vector", "numbers"):
        numbers: Array = np.asarray(value)
        return _numbers(numbers.dtype, numbers.tobytes())
    if item.step:
        return int(value) * item.step
    if item.kind == "text":
        return text_of(value) if isinstance(value, bytes) else str(value)
    return float(value) if item.kind in ("number", "angle") else int(value)


_FLOATS = "number", "angle", "text", "vector", "numbers"
"""Kinds of fields that are no whole numbers."""


@lru_cache(maxsize=256)
def _numbers(kind: np.dtype[Any], data: bytes) -> tuple[float, ...]:
    """The numbers of an array in one dimension; many records have the same ones."""
    return tuple(np.frombuffer(data, kind).astype(np.float64).tolist())


def _alike(value: Any, before: Any) -> bool:
    """The same as the file keeps it and a property shows it: numbers in single precision, none equal to none, infinite ones as the largest
    that there is."""
    if value != before and isinstance(before, float | tuple):
        return bool(np.array_equal(_as_shown(value), _as_shown(before), equal_nan=True))
    return value == before


def _as_shown(value: Any) -> NDArray[np.float32]:
    largest = np.finfo(np.float32).max
    return np.clip(np.asarray(value, np.float32), -largest, largest)


def _same_rows(rows: Sequence[Mapping[str, Any]], before: list[Row]) -> bool:
    return len(rows) == len(before) and all(
        all(_alike(row.get(name, value), value) for name, value in old.items()) for row, old in zip(rows, before, strict=True)
    )


def _block(
    record: Tram, name: str, columns: tuple[OniField, ...], rows: Sequence[Mapping[str, Any]], before: list[Row], problems: list[str]
) -> NDArray[Any] | None:
    """A block with other rows; each starts as the one that had its index."""
    most = 1 if name == "throw" else LIMITS[name]
    title = name.replace("_", " ")
    if len(rows) > most:
        problems.append(f"{len(rows)} {title}; at most {most} are possible")
        return None
    if not rows:
        return None
    kind = BLOCKS[name][1]
    block, old = np.zeros(len(rows), kind), _rows(record, name)
    for index, row in enumerate(rows):
        base: Row = before[index] if index < len(before) else {}
        if index < len(before):
            block[index] = old[index]
        for item in columns:
            if item.name in row and not (item.name in base and _alike(row[item.name], base[item.name])):
                label = f"{title} {index + 1}, {item.label.lower()}"
                value = _stored(item, row[item.name], base.get(item.name, 0), label, problems)
                block[index][item.name] = value.encode("latin-1") if isinstance(value, str) else value
    return block.reshape(()) if name == "throw" else block


def _stored(item: OniField, value: Any, before: Any, label: str, problems: list[str]) -> Any:
    """A value as the record holds it. Adds to `problems` what the field cannot hold."""
    problem = _problem(item, value)
    if problem:
        problems.append(f"{label} {problem}")
        return before
    match item.kind:
        case "text":
            return value
        case "number" | "angle" if item.step:
            return round(value / item.step)
        case "number" | "angle":
            return np.float32(value)
        case "vector" | "numbers":
            return np.asarray(value, np.float32)
        case _:
            number = int(value)
            return (number & item.codes.known) | item.codes.unknown(int(before)) if isinstance(item.codes, Flags) else number


def _problem(item: OniField, value: Any) -> str:
    """What is wrong with a value of the file, as the end of a sentence; empty where nothing is."""
    if item.kind == "choice":  # a number here; names without one never come this far
        return "" if isinstance(value, int) and 0 <= value <= 0xFFFF else f"is {value!r}, and must be a whole number from 0 to 65535"
    problem = wrong(item, value)
    if problem or item.kind != "text":
        return problem
    if len(value) > item.length:
        return f"is {value!r}, of {len(value)} characters; at most {item.length} are possible"
    return "" if value.isascii() else f"is {value!r}, with characters that the game does not have"
