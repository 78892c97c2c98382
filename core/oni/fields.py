"""What an animation says besides its motion, as plain values to show and to edit, and the way back: what nobody touched keeps its bits.

One table of fields drives both directions, and the panel in Blender.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..reporting.errors import ExportError
from .records import enums
from .records.enums import Enumeration, Flags
from .records.oban import Oban
from .records.tram import BLOCKS, LIMITS, RECORD, Tram, text_of

Row = dict[str, Any]

Kind = Literal["word", "words", "whole", "number", "angle", "vector", "text"]


@dataclass(frozen=True)
class Field:
    """name: in the record or the block. kind: a word of `words`, several of them (bits), a whole number, a number, an angle in radians,
    three numbers, or text. time: it is a frame of the animation. about: for the user."""

    name: str
    label: str
    kind: Kind = "whole"
    words: Enumeration | Flags | None = None
    time: bool = False
    about: str = ""


REPLACE_ATOMIC = Flags("shortcut flag", {"ReplaceAtomic": 1})


def _word(name: str, label: str, words: Enumeration, about: str = "") -> Field:
    return Field(name, label, "word", words, about=about)


def _words(name: str, label: str, words: Flags, about: str = "") -> Field:
    return Field(name, label, "words", words, about=about)


def _time(name: str, label: str, about: str = "") -> Field:
    return Field(name, label, time=True, about=about)


TRAM_FIELDS = (
    Field("name", "Name", "text", about="Of the instance, with the tag TRAM"),
    _word("type", "Type", enums.ANIMATION_TYPE, "What the game plays it for"),
    _word("aiming_type", "Aiming Type", enums.ANIMATION_TYPE),
    _word("from_state", "From State", enums.ANIMATION_STATE, "State of the character in which it can start"),
    _word("to_state", "To State", enums.ANIMATION_STATE, "State of the character when it is over"),
    _words("varient", "Variants", enums.VARIENT, "Weapons and moods for which it is"),
    Field("first_level", "First Level", about="Level of the game from which on it is there"),
    _words("flags", "Flags", enums.ANIMATION_FLAGS),
    _time("atomic_start", "Atomic Start", "From here on nothing can interrupt it"),
    _time("atomic_end", "Atomic End"),
    _time("invulnerable_start", "Invulnerable Start"),
    _time("invulnerable_end", "Invulnerable End"),
    _words("used_bones", "Overlay: Used Bones", enums.BONE_MASK),
    _words("replaced_bones", "Overlay: Replaced Bones", enums.BONE_MASK),
    Field("hard_pause", "Hard Pause"),
    Field("soft_pause", "Soft Pause"),
    Field("interpolation_end", "Interpolation End"),
    Field("interpolation_max", "Interpolation Max"),
    Field("final_rotation", "Final Rotation", "angle", about="Turn of the character when it is over"),
    _word("direction", "Direction", enums.DIRECTION, "Of the move, along which its attacks are measured"),
    Field("vocalization", "Vocalization", about="65535 for none"),
    Field("action_frame", "Action Frame", about="65535 for none", time=True),
    Field("impact", "Impact", "text", about="Name of the impact effect, at most 15 characters"),
    Field("direct_1", "Direct Animation 1", "text", about="Name of a TRAM, empty for none"),
    Field("direct_2", "Direct Animation 2", "text", about="Name of a TRAM, empty for none"),
)

TRAM_LISTS: dict[str, tuple[Field, ...]] = {
    "attacks": (
        _time("start", "Start"),
        _time("end", "End"),
        _words("bones", "Bones", enums.BONE_MASK, "What strikes"),
        _words("flags", "Flags", enums.ATTACK_FLAGS),
        Field("knockback", "Knockback", "number"),
        Field("hit_points", "Hit Points"),
        _word("hit_type", "Hit Type", enums.ANIMATION_TYPE, "Type of the animation that the victim plays"),
        Field("hit_length", "Hit Length"),
        Field("stun_length", "Stun Length"),
        Field("stagger_length", "Stagger Length"),
    ),
    "self_damage": (_time("frame", "Frame"), Field("points", "Points")),
    "particles": (_time("start", "Start"), _time("end", "End"), _word("bone", "Bone", enums.BONE), Field("name", "Name", "text")),
    "footsteps": (_time("frame", "Frame"), _word("type", "Foot", enums.FOOTSTEP)),
    "sounds": (_time("frame", "Frame"), Field("name", "Name", "text")),
    "motion_blur": (
        _time("start", "Start"),
        _time("end", "End"),
        _words("bones", "Bones", enums.BONE_MASK),
        Field("lifetime", "Lifetime"),
        Field("alpha", "Alpha"),
        Field("interval", "Interval"),
    ),
    "shortcuts": (
        _word("from_state", "From State", enums.ANIMATION_STATE),
        _time("length", "Length", "Frames of the transition from that state"),
        _words("flags", "Flags", REPLACE_ATOMIC),
    ),
    "throw": (
        Field("position", "Target Position", "vector", about="Where the victim stands"),
        Field("angle", "Target Angle", "number", about="As the file has it"),
        Field("distance", "Distance", "number"),
        _word("type", "Target Type", enums.ANIMATION_TYPE, "Type of the animation that the victim plays"),
    ),
}
"""The lists by the name of their block; there is at most one throw."""

OBAN_FIELDS = (
    Field("name", "Name", "text", about="Of the instance, with the tag OBAN"),
    _words("flags", "Flags", enums.OBAN_FLAGS),
    _time("half_stop", "Half Stop", "Where a door stands open"),
    Field("ticks", "Ticks a Frame", about="Not used by the game"),
)


@dataclass(frozen=True)
class Details:
    """values: of the record's own fields. lists: rows of each block. Whole numbers for words and bits."""

    values: Row
    lists: dict[str, list[Row]]


def fields_of(record: Tram | Oban) -> tuple[Field, ...]:
    return TRAM_FIELDS if isinstance(record, Tram) else OBAN_FIELDS


def details_of(record: Tram | Oban) -> Details:
    """What a record says."""
    values = {item.name: _plain(item, _get(record, item.name)) for item in fields_of(record)}
    if isinstance(record, Oban):
        return Details(values, {})
    lists = {name: [_row(row, columns) for row in _rows(record, name)] for name, columns in TRAM_LISTS.items()}
    return Details(values, lists)


def with_details(record: Tram | Oban, wanted: Details) -> Tram | Oban:
    """The record with other details; what is the same, or is not among them, stays to the bit. Bits that have no word stay too.

    Raises ExportError for what its fields cannot hold.
    """
    before, problems = details_of(record), list[str]()
    changes: dict[str, Any] = {}
    head = RECORD if isinstance(record, Tram) else None
    for item in fields_of(record):
        value = wanted.values.get(item.name, before.values[item.name])
        if not _alike(value, before.values[item.name]):
            kind = np.dtype("S64" if item.name in ("name", "direct_1", "direct_2") else "<u2")
            if head is not None and item.name in (head.names or ()):
                kind = head[item.name]
            elif item.name == "flags":
                kind = np.dtype("<u4")
            changes[item.name] = _checked(item, value, before.values[item.name], kind, item.label, problems)
    if isinstance(record, Oban):
        _refuse(problems)
        return replace(record, **changes)
    direct = tuple(changes.pop(f"direct_{number}", name) for number, name in enumerate(record.direct, 1))
    for name, columns in TRAM_LISTS.items():
        rows = wanted.lists.get(name)
        if rows is not None and not _same_rows(rows, before.lists[name]):
            changes[name] = _block(record, name, columns, rows, before.lists[name], problems)
    _refuse(problems)
    impact = changes.get("impact")
    if impact is not None:
        changes["impact"] = impact.encode("latin-1")
    return replace(record, direct=(direct[0], direct[1]), **changes)


def _refuse(problems: list[str]) -> None:
    if problems:
        raise ExportError(problems)


def _get(record: Tram | Oban, name: str) -> Any:
    if isinstance(record, Tram) and name.startswith("direct_"):
        return record.direct[int(name[-1]) - 1]
    return getattr(record, name)


def _rows(record: Tram, name: str) -> Sequence[Any]:
    block = getattr(record, name)
    return [] if block is None else block.reshape(-1)


def _row(row: Any, columns: tuple[Field, ...]) -> Row:
    return {item.name: _plain(item, row[item.name]) for item in columns}


def _plain(item: Field, value: Any) -> Any:
    if item.kind == "vector":
        return tuple(float(part) for part in value)
    if item.kind == "text":
        return text_of(value) if isinstance(value, bytes) else str(value)
    return float(value) if item.kind in ("number", "angle") else int(value)


def _alike(one: Any, other: Any) -> bool:
    """The same as the file keeps it: numbers in single precision, and none equal to none."""
    if isinstance(other, float | tuple):
        return bool(np.array_equal(np.asarray(one, np.float32), np.asarray(other, np.float32), equal_nan=True))
    return one == other


def _same_rows(rows: Sequence[Mapping[str, Any]], before: list[Row]) -> bool:
    return len(rows) == len(before) and all(
        all(_alike(row.get(name, value), value) for name, value in old.items()) for row, old in zip(rows, before, strict=True)
    )


def _block(
    record: Tram, name: str, columns: tuple[Field, ...], rows: Sequence[Mapping[str, Any]], before: list[Row], problems: list[str]
) -> NDArray[Any] | None:
    """A block with other rows; each starts as the one that stood in its place."""
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
                where = f"{title} {index + 1}, {item.label.lower()}"
                value = _checked(item, row[item.name], base.get(item.name, 0), kind[item.name], where, problems)
                block[index][item.name] = value.encode("latin-1") if isinstance(value, str) else value
    return block.reshape(()) if name == "throw" else block


def _checked(item: Field, value: Any, before: Any, kind: np.dtype[Any], where: str, problems: list[str]) -> Any:
    """A value that its place can hold."""
    if item.kind == "text":
        room = kind.itemsize - 1
        if len(value) > room:
            problems.append(f"{where}: {value!r} has {len(value)} characters, at most {room} are possible")
            return ""
        if not value.isascii():
            problems.append(f"{where}: {value!r} has characters that the game does not have")
            return ""
        return value
    if item.kind in ("number", "angle", "vector"):
        return np.asarray(value, np.float32) if item.kind == "vector" else np.float32(value)
    number = int(value)
    if isinstance(item.words, Flags):
        number = (number & item.words.known) | item.words.unknown(int(before))
    limits = np.iinfo(kind)
    if not limits.min <= number <= limits.max:
        problems.append(f"{where}: {number} is not within {limits.min} and {limits.max}")
        return 0
    return number
