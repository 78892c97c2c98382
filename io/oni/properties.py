"""What a TRAM or an OBAN says besides its motion, as properties of its action: words instead of numbers, made from the core's one table.

They work without the add-on enabled, too, as on the command line: `ensure` registers them where nobody has yet.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

import bpy
import numpy as np
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from ...core.oni.fields import OBAN_FIELDS, TRAM_FIELDS, TRAM_LISTS, Details, Field, Row, details_of, fields_of
from ...core.oni.records.enums import Enumeration, Flags
from ...core.oni.records.oban import Oban
from ...core.oni.records.tram import BLOCKS, RECORD, Tram

TRAM, OBAN = "oni_tram", "oni_oban"
"""Properties of an action."""

OTHER = "OTHER"
"""Stands for a number that has no word; it is kept."""

changed: list[Callable[[bpy.types.Action], None]] = []
"""Who wants to know of an edit."""

_filling: list[bool] = []


def fill(action: bpy.types.Action, record: Tram | Oban) -> None:
    """Give an action the properties of a record."""
    ensure()
    details, group = details_of(record), getattr(action, _key(record))
    with quietly():
        group.present = True
        _fill(group, fields_of(record), details.values)
        for name, rows in details.lists.items():
            lines = getattr(group, name)
            lines.clear()
            for row in rows:
                _fill(lines.add(), TRAM_LISTS[name], row)


def read(action: bpy.types.Action, kind: str) -> Details | None:
    """What an action's properties say; without what has no word. None for an action without. kind: TRAM or OBAN."""
    ensure()
    group = getattr(action, kind)
    if not group.present:
        return None
    values = _read(group, TRAM_FIELDS if kind == TRAM else OBAN_FIELDS)
    lists = {name: [_read(line, columns) for line in getattr(group, name)] for name, columns in TRAM_LISTS.items()} if kind == TRAM else {}
    return Details(values, lists)


def write_value(action: bpy.types.Action, kind: str, place: tuple[str, int, str], value: int) -> None:
    """Change one whole number. place: the list ("" for the record's own field), the line, and the field."""
    group, (name, index, item) = getattr(action, kind), place
    setattr(getattr(group, name)[index] if name else group, item, value)


def instance_name(name: str, tag: str) -> str:
    """A name of ours as that of an instance of the game: with the tag, without what files cannot have."""
    plain = re.sub(r"[^A-Za-z0-9_]", "_", name)
    return plain if plain.startswith(tag) else tag + plain


@contextmanager
def quietly() -> Generator[None]:
    """Nobody is told of edits made inside."""
    _filling.append(True)
    try:
        yield
    finally:
        _filling.pop()


def told(self: Any, context: bpy.types.Context) -> None:
    if not _filling:
        for listener in changed:
            listener(self.id_data)


def _key(record: Tram | Oban) -> str:
    return TRAM if isinstance(record, Tram) else OBAN


def _fill(group: Any, columns: tuple[Field, ...], values: Row) -> None:
    for item in columns:
        value = values[item.name]
        if isinstance(item.words, Enumeration):
            value = item.words.words[value] if value < len(item.words.words) else OTHER
        elif isinstance(item.words, Flags):
            value = set(item.words.words(value))
        setattr(group, item.name, value)


def _read(group: Any, columns: tuple[Field, ...]) -> Row:
    values: Row = {}
    for item in columns:
        value = getattr(group, item.name)
        if isinstance(item.words, Enumeration):
            if value == OTHER:
                continue
            value = item.words.value(value)
        elif isinstance(item.words, Flags):
            value = sum(item.words.bits[word] for word in value)
        elif item.kind == "vector":
            value = tuple(value)
        values[item.name] = value
    return values


def _property(item: Field, kind: np.dtype[Any] | None) -> Any:
    """Blender's property for a field. kind: of its place in the file, where that is a number."""
    common: dict[str, Any] = {"name": item.label, "description": item.about, "update": told}
    if isinstance(item.words, Enumeration):
        words = [(word, word, "", number) for number, word in enumerate(item.words.words)]
        return EnumProperty(items=[*words, (OTHER, "Other", "A number that has no word; it is kept", 0xFFFF)], **common)
    if isinstance(item.words, Flags):
        bits = [(word, word, "", bit) for word, bit in item.words.bits.items()]
        return EnumProperty(items=bits, options={"ENUM_FLAG"}, **common)
    if item.kind == "vector":
        return FloatVectorProperty(size=3, **common)
    if item.kind == "angle":
        return FloatProperty(subtype="ANGLE", **common)
    if item.kind == "number":
        return FloatProperty(**common)
    if item.kind == "text":
        return StringProperty(**common)
    limits = np.iinfo(kind if kind is not None else np.dtype("<u2"))
    return IntProperty(min=int(limits.min), max=int(limits.max), **common)


def _group(name: str, columns: tuple[Field, ...], kind: np.dtype[Any] | None, more: dict[str, Any]) -> Any:
    names = (kind.names or ()) if kind is not None else ()
    made = {item.name: _property(item, kind[item.name] if kind is not None and item.name in names else None) for item in columns}
    return type(name, (bpy.types.PropertyGroup,), {"__annotations__": {**made, **more}, "__module__": __name__})


_LINES = {name: _group(f"RetroAnimOni_{name}", columns, BLOCKS[name][1], {}) for name, columns in TRAM_LISTS.items()}
_PRESENT = {"present": BoolProperty(options={"HIDDEN"})}
_TRAM = _group(
    "RetroAnimOniTram",
    TRAM_FIELDS,
    RECORD,
    {**_PRESENT, **{name: CollectionProperty(type=kind) for name, kind in _LINES.items()}},
)
_OBAN = _group("RetroAnimOniOban", OBAN_FIELDS, np.dtype([("ticks", "<i2"), ("half_stop", "<u2")]), _PRESENT)
_CLASSES = (*_LINES.values(), _TRAM, _OBAN)


def ensure() -> None:
    """Register the properties, unless they are."""
    if not hasattr(bpy.types.Action, TRAM):
        register()


def register() -> None:
    if hasattr(bpy.types.Action, TRAM):
        return
    for kind in _CLASSES:
        bpy.utils.register_class(kind)
    setattr(bpy.types.Action, TRAM, PointerProperty(type=_TRAM))
    setattr(bpy.types.Action, OBAN, PointerProperty(type=_OBAN))


def unregister() -> None:
    delattr(bpy.types.Action, TRAM)
    delattr(bpy.types.Action, OBAN)
    for kind in reversed(_CLASSES):
        bpy.utils.unregister_class(kind)
