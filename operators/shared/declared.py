"""Declared options as properties of operators and settings: a dialog, a panel and a job have one declaration; and
what of them was chosen in a dialog that failed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty

from ...core.declare.options import Option, declared
from .layout import with_placeholder

_Class = TypeVar("_Class", bound=type)

_SUBTYPES = {"ANGLE": "ANGLE"}
"""Blender's, by the option's. Paths are texts with suggestions; see nearby.py."""


_REMEMBERED = set[str]()
_FORGOTTEN = {"SKIP_SAVE"}
"""Options of Blender's properties: whether a dialog starts with what it had the last time."""


def with_options(*kinds: type, update: Callable[[Any, Any], None] | None = None) -> Callable[[_Class], _Class]:
    """Give a class of properties (an operator, a property group, a mix-in of them) those of declared options, in their order.

    update: called after each change. What the class itself annotates stays as it is."""

    def extended(owner: _Class) -> _Class:
        own = owner.__annotations__
        owner.__annotations__ = {name: prop for kind in kinds for name, prop in properties(kind, update).items()} | own
        return owner

    return extended


@cache
def properties(kind: type, update: Callable[[Any, Any], None] | None = None) -> Mapping[str, Any]:
    """By name the properties of the options that a dialog shows, the same for all classes that have them."""
    return {name: _shared(item, update) for name, item in declared(kind).items() if item.group}


def suggesting(endings: Sequence[str], *, folders: bool) -> dict[str, Any]:
    """What a text property for a path offers. endings: of the files, empty for any. folders: whether a folder is what is looked for."""

    def search(owner: Any, context: bpy.types.Context, text: str) -> list[str]:
        from . import nearby

        return nearby.suggestions(bpy.path.abspath(text), nearby.folder_of(owner, context), endings, folders)

    return {"search": search, "search_options": {"SUGGESTION"}}


@cache
def _shared(item: Option, update: Callable[[Any, Any], None] | None) -> Any:
    """The same for all classes that have the option from one above them."""
    return property_of(item) if update is None else property_of(item, update=update)


def property_of(item: Option, **further: Any) -> Any:
    """One option as a property. further: what it has besides."""
    details: dict[str, Any] = {"name": item.label, "description": item.help, "default": item.default, **further}
    details["options"] = _REMEMBERED if item.remembered else _FORGOTTEN
    match item.type:
        case "choice":
            return EnumProperty(items=[(choice.id, choice.label, choice.help) for choice in item.choices], **details)
        case "bool":
            return BoolProperty(**details)
        case "int":
            return IntProperty(**details, **_limits(item, int))
        case "float":
            return FloatProperty(**details, **_limits(item, float), **_subtype(item), precision=item.precision)
        case _:
            if item.subtype in ("FILE", "FOLDER"):
                details |= suggesting(item.files, folders=item.subtype == "FOLDER")
            return StringProperty(**details)


def ticks(kind: type) -> dict[str, Any]:
    """By name the ticks that stand for -1 of those options of which that is none; see `draw_or_none`."""
    return {none_of(name): tick(name, item.none) for name, item in declared(kind).items() if item.none}


def tick(number: str, label: str) -> Any:
    """A tick that an operator has besides a whole number of its own: whether that is -1, which people shall not need to know."""

    def get(owner: Any) -> bool:
        return getattr(owner, number) < 0

    def put(owner: Any, is_none: bool) -> None:
        setattr(owner, number, -1 if is_none else max(0, getattr(owner, number)))

    described = "Instead of a number; -1 in scripts"
    return BoolProperty(name=label, description=described, options={"HIDDEN", "SKIP_SAVE"}, get=get, set=put)


def none_of(number: str) -> str:
    """The name of a number's tick."""
    return f"{number}_none"


def draw_or_none(layout: Any, owner: Any, number: str) -> None:
    """A whole number that has a tick for -1: the number only where there is one. The tick says always what it is for."""
    row = layout.row(heading=getattr(owner, "properties", owner).bl_rna.properties[number].name)
    row.prop(owner, none_of(number))
    if not getattr(owner, none_of(number)):
        row.prop(owner, number, text="")


def _limits(item: Option, number: type[int] | type[float]) -> dict[str, Any]:
    limits = {"min": item.minimum, "max": item.maximum, "soft_max": item.soft_maximum}
    return {name: number(limit) for name, limit in limits.items() if limit is not None}


def _subtype(item: Option) -> dict[str, Any]:
    return {"subtype": _SUBTYPES[item.subtype]} if item.subtype in _SUBTYPES else {}


def draw(layout: Any, owner: Any, kind: type, name: str, now: str = "") -> None:
    """One option of `kind`, or a property that the operator has besides; a text that is empty says what happens then, as its help does.
    now: what happens now, where the help says what does otherwise."""
    item = declared(kind).get(name)
    if item is not None and item.none:
        draw_or_none(layout, owner, name)
        return
    said = now or placeholder(item) if item is not None else _when_empty(_description(owner, name))
    if said:
        with_placeholder(layout, owner, name, said, labelled=True)
    else:
        layout.prop(owner, name)


def placeholder(item: Option) -> str:
    """What a field says while it is empty, "" where it has nothing to say: what the option's help says of that, up to a semicolon."""
    if item.type in ("choice", "bool", "int", "float"):
        return ""
    return _when_empty(item.help)


def _description(owner: Any, name: str) -> str:
    """Of a property that an operator, or a group, has besides the options."""
    known = getattr(owner, "properties", owner).bl_rna.properties.get(name)
    return known.description if known is not None else ""


def _when_empty(says: str) -> str:
    return says.partition("Empty: ")[2].partition(";")[0]


def values(kind: type, owner: Any) -> dict[str, Any]:
    """By name the values that `owner` has of a kind's options; paths that are relative to the .blend are absolute."""
    return {name: _value(item, getattr(owner, name)) for name, item in declared(kind).items() if item.group}


def _value(item: Option, value: Any) -> Any:
    if item.subtype in ("FILE", "FOLDER") and value:
        return bpy.path.abspath(value)
    if item.type == "float":
        # Properties are in single precision, in which a limit may lie a little beyond itself.
        return min(max(value, -math.inf if item.minimum is None else item.minimum), math.inf if item.maximum is None else item.maximum)
    return value


def groups(*kinds: type) -> Mapping[str, tuple[str, ...]]:
    """By the title of its panel the names of the options that it shows."""
    result: dict[str, tuple[str, ...]] = {}
    for kind in kinds:
        for name, item in declared(kind).items():
            if item.group:
                result[item.group] = (*result.get(item.group, ()), name)
    return result


_kept: dict[str, tuple[str, dict[str, Any]]] = {}
"""What was chosen in a dialog whose work came to nothing: Blender keeps what a dialog ended with, and forgets what it failed with. By the
dialog's operator what it was about, and the values of its properties."""


def _about(block: Any) -> str:
    """What a dialog is about: Blender's number of an object or a data-block, which no other has, of the next .blend neither."""
    return str(block.session_uid) if block is not None else ""


def keep(operator: Any, dialog: str, block: Any, names: Iterable[str]) -> None:
    """Before its work: what these properties have now. block: what it is done to; for anything else the dialog opens as ever."""
    _kept[dialog] = _about(block), {name: getattr(operator, name) for name in names}


def forget(dialog: str) -> None:
    """Its work is finished: it opens as ever."""
    _kept.pop(dialog, None)


def restore(operator: Any, dialog: str, block: Any) -> None:
    """As it opens: what was chosen for the same. What whoever opens it gives stays; Blender gives by itself what its options keep."""
    known, values = _kept.get(dialog, ("", {}))
    if known != _about(block):
        return
    given = getattr(operator, "properties", None)
    for name, value in values.items():
        own = given.bl_rna.properties[name].is_skip_save if given is not None else False
        if not (own and given.is_property_set(name)):
            setattr(operator, name, value)
