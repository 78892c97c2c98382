"""The fields of a TRAM or an OBAN as properties of its action, with names instead of numbers, built from the core's tables.

They work without the add-on enabled, too, as on the command line: `ensure` registers them where nothing has yet.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import bpy
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
from bpy.types import PropertyGroup

from ....core.oni.enums import Enumeration, Flags
from ....core.oni.fields import OBAN_FIELDS, OTHER, TRAM_FIELDS, TRAM_LISTS, OniField, items_of
from ....core.reporting.errors import RetroAnimError
from ...blender import register_group, register_property

if TYPE_CHECKING:
    from ....core.oni.field_values import Details, Row
    from ....core.oni.records.oban import Oban
    from ....core.oni.records.tram import Tram

TRAM, OBAN = "oni_tram", "oni_oban"
"""Properties of an action."""

BODY = "oni_body"
"""Custom property of an armature: FILE or FILE#ENTRY of its body, empty for our own."""

_filling: list[bool] = []

_listeners: list[Callable[[bpy.types.Action], None]] = []
"""Of edits; one at most."""


def fill(action: bpy.types.Action, record: Tram | Oban, copied: Details | None = None) -> Details:
    """Give an action the properties of a record; what they are. copied: those of the action that this one is a copy of."""
    from ....core.oni.field_values import Details, details_of, fields_of
    from ....core.oni.records.tram import Tram

    ensure()
    details, group = details_of(record), getattr(action, TRAM if isinstance(record, Tram) else OBAN)
    known = copied if copied is not None and group.present else Details({}, {})  # who copies may have cleared all properties
    with quietly():
        if known is not copied:
            group.present = True
        _fill(group, fields_of(record), details.values, known.values)
        for name, rows in details.lists.items():
            if name in known.lists and _same(rows, known.lists[name]):
                continue
            lines = getattr(group, name)
            lines.clear()
            for row in rows:
                _fill(lines.add(), TRAM_LISTS[name], row, {})
    return details


def read(action: bpy.types.Action, kind: str) -> Details | None:
    """The values of an action's properties, without numbers that have no name; None for an action without. kind: TRAM or OBAN."""
    from ....core.oni.field_values import Details

    ensure()
    group = getattr(action, kind)
    if not group.present:
        return None
    # What a .blend of an earlier version has no value of stays as the record has it.
    values = _read(group, [item for item in (TRAM_FIELDS if kind == TRAM else OBAN_FIELDS) if group.is_property_set(item.name)])
    tables = {name: columns for name, columns in TRAM_LISTS.items() if kind == TRAM and (name != "extents" or group.is_property_set(name))}
    return Details(values, {name: [_read(line, columns) for line in getattr(group, name)] for name, columns in tables.items()})


def write_value(action: bpy.types.Action, kind: str, location: tuple[str, int, str], value: int) -> None:
    """Change one whole number. location: the list ("" for the record's own field), the line, and the field."""
    group, (name, index, item) = getattr(action, kind), location
    setattr(getattr(group, name)[index] if name else group, item, value)


def listen(listener: Callable[[bpy.types.Action], None]) -> None:
    """Call this from now on after each edit by a person or a script, unless another one is called already."""
    if not _listeners:
        _listeners.append(listener)


def instance_name(name: str, tag: str) -> str:
    """A name of ours as that of an instance of the game: with the tag, without what files cannot have."""
    plain = re.sub(r"[^A-Za-z0-9_]", "_", name)
    return plain if plain.startswith(tag) else tag + plain


@contextmanager
def quietly() -> Generator[None]:
    """Edits inside call nothing."""
    _filling.append(True)
    try:
        yield
    finally:
        _filling.pop()


def _edited(self: Any, _context: bpy.types.Context) -> None:
    if not _filling:
        with suppress(RetroAnimError):  # what is wrong with the action's custom properties is said by the export
            for listener in _listeners:
                listener(self.id_data)


def _fill(group: Any, columns: tuple[OniField, ...], values: Row, known: Row) -> None:
    """known: the values that it has already."""
    for item in columns:
        value, before = values[item.name], known.get(item.name)
        if value is not before and not _same(value, before):
            setattr(group, item.name, _shown(item, value))


def _same(value: Any, other: Any) -> bool:
    return value == other and (isinstance(value, _EXACT) or repr(value) == repr(other))  # -0.0 is not 0.0


_EXACT = int, str
"""Types of which equal values are the same."""


def _shown(item: OniField, value: Any) -> Any:
    """A value of a record as its property holds it."""
    if isinstance(item.codes, Enumeration):
        return item.codes.name_of(int(value)) if item.codes.has(int(value)) else OTHER
    return set(item.codes.names_of(value)) if isinstance(item.codes, Flags) else value


def _read(group: Any, columns: Iterable[OniField]) -> Row:
    values: Row = {}
    for item in columns:
        value = getattr(group, item.name)
        if isinstance(item.codes, Enumeration):
            if value == OTHER:
                continue
            value = item.codes.value(value)
        elif isinstance(item.codes, Flags):
            value = sum(item.codes.bits[name] for name in value)
        elif item.kind in ("vector", "numbers"):
            value = tuple(value)
        values[item.name] = value
    return values


def _property(item: OniField) -> Any:
    """Blender's property for a field."""
    common: dict[str, Any] = {"name": item.label, "description": item.tooltip, "update": _edited}
    if isinstance(item.codes, Enumeration):
        return EnumProperty(items=items_of(item.codes), **common)
    if isinstance(item.codes, Flags):
        return EnumProperty(items=items_of(item.codes), options={"ENUM_FLAG"}, **common)
    match item.kind:
        case "vector" | "numbers":
            return FloatVectorProperty(size=len(item.components), **common)
        case "angle":
            return FloatProperty(subtype="ANGLE", **common)
        case "number":
            return FloatProperty(**common)
        case "text":
            return StringProperty(**common)
        case _:
            assert item.minimum is not None
            assert item.maximum is not None
            return IntProperty(min=int(item.minimum), max=int(item.maximum), **common)


def _group(name: str, columns: tuple[OniField, ...], more: dict[str, Any]) -> Any:
    annotations = {**{item.name: _property(item) for item in columns}, **more}
    return type(name, (PropertyGroup,), {"__annotations__": annotations, "__module__": __name__})


_LINES = {name: _group(f"RetroAnimOni_{name}", columns, {}) for name, columns in TRAM_LISTS.items()}
_PRESENT = {"present": BoolProperty(options={"HIDDEN"})}
_TRAM = _group("RetroAnimOniTram", TRAM_FIELDS, {**_PRESENT, **{name: CollectionProperty(type=kind) for name, kind in _LINES.items()}})
_OBAN = _group("RetroAnimOniOban", OBAN_FIELDS, _PRESENT)
_CLASSES = (*_LINES.values(), _TRAM, _OBAN)


def ensure() -> None:
    """Register the properties, unless they are."""
    if not hasattr(bpy.types.Action, TRAM):
        register()


def register() -> None:
    if hasattr(bpy.types.Action, TRAM):
        return
    for kind in _CLASSES:
        register_group(kind)
    register_property(bpy.types.Action, TRAM, PointerProperty(type=_TRAM))
    register_property(bpy.types.Action, OBAN, PointerProperty(type=_OBAN))


def unregister() -> None:
    _listeners.clear()
    delattr(bpy.types.Action, TRAM)
    delattr(bpy.types.Action, OBAN)
    for kind in reversed(_CLASSES):
        bpy.utils.unregister_class(kind)
