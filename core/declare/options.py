"""Options declared once: the frozen record that a job takes is also what its dialog, the command line and the docs are made from.

class ImportOptions(shared.ImportOptions):
    body: int = option(0, "Body", "Which of a character's bodies, counted from 0", minimum=0, group="Include")
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import MISSING, Field, field
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, cast

from ..record import Record, values_of
from ..reporting.errors import OptionError

Subtype = Literal["", "FILE", "FOLDER", "ANGLE"]


class Choice(NamedTuple):
    """One value of an option: its id in scripts, its label and its meaning for people, and on the command line what stands for it, where
    that is not the id in lower case. There are hundreds of them at Blender's start."""

    id: str
    label: str
    help: str = ""
    flag: str = ""


class Option(Record):
    """What is known of an option besides its name, type and default.

    label: in title case. help: a sentence without a full stop. choices: of a text that is one of several.
    minimum, maximum: limits, both allowed; soft_maximum: as far as a slider goes. precision: digits after the point.
    subtype: what the text or number stands for. files: of a path, how the names of fitting files end, empty for any.
    group: the dialog's panel, empty for options that no dialog shows.
    flag: the command line's name, such as "--game", empty where the command line has none. metavar: what stands for its value there.
    remembered: whether a dialog starts with what it had the last time.
    none: of a whole number, of which -1 stands for none: what a dialog says then instead of the number.
    """

    label: str
    help: str = ""
    choices: tuple[Choice, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    soft_maximum: float | None = None
    precision: int = 2
    subtype: Subtype = ""
    files: tuple[str, ...] = ()
    group: str = ""
    flag: str = ""
    metavar: str = ""
    remembered: bool = True
    none: str = ""


class Declared(NamedTuple):
    """An option with its name, its type ("str", "int", "float", "bool", "choice", "tuple") and its default."""

    name: str
    type: str
    default: Any
    option: Option


def option(default: Any, label: str, help: str = "", **details: Any) -> Any:  # noqa: A002 - what it is called everywhere
    """A dataclass field with its declaration; see `Option` for the details."""
    return field(default=default, metadata={"option": Option(label, help, **details)})


def changed(kind: type, name: str, default: Any = MISSING, **details: Any) -> Any:
    """The field `name` of the options class `kind` again, with another default or other details, for a class below it."""
    known = declared(kind)[name]
    return field(
        default=known.default if default is MISSING else default,
        metadata={"option": known.option.but(**details)},
    )


@lru_cache(maxsize=64)
def declared(kind: type[Record]) -> Mapping[str, Declared]:
    """The options of a class, by name, in their order."""
    result: dict[str, Declared] = {}
    for base in reversed(kind.__bases__):
        if issubclass(base, Record):
            result.update(declared(base))
    for name, value in values_of(kind).items():
        declaration = value.metadata.get("option") if isinstance(value, Field) else None
        if declaration is None:
            result.pop(name, None)
        elif name not in result or result[name].option is not declaration:
            default = cast("Field[Any]", value).default
            result[name] = Declared(name, _type(default, declaration), default, declaration)
    return MappingProxyType(result)


def _type(default: Any, declaration: Option) -> str:
    """Every option has a default, and that is of its type."""
    return "choice" if declaration.choices else type(default).__name__


class Options(Record):
    """The base of all options classes. Raises OptionError for a value of the wrong type, outside its limits, or that is no choice.

    Numbers of other kinds, such as numpy's, and lists of texts are taken, and held as the plain numbers and tuples that they stand for."""

    def __post_init__(self) -> None:
        for item in declared(type(self)).values():
            value = _plain(item, getattr(self, item.name))
            problem = wrong(item, value)
            if problem:
                raise OptionError(f"{item.name} {problem}")
            object.__setattr__(self, item.name, value)


def _plain(item: Declared, value: Any) -> Any:
    """The value as the option's own type, where it stands for one; else as it is."""
    from numbers import Integral, Real  # which Blender's start does not need

    if item.type == "tuple" and isinstance(value, list):
        return tuple(cast("list[Any]", value))
    if isinstance(value, bool):
        return value
    if item.type == "int" and isinstance(value, Integral):
        return int(value)
    if item.type == "float" and isinstance(value, Real):
        try:
            return float(value)
        except OverflowError:  # a whole number beyond all floats
            return math.nan
    return value


def wrong(item: Declared, value: Any) -> str:
    """What is wrong with a value, as the end of a sentence that starts with the option's name; empty where nothing is."""
    match item.type:
        case "choice":
            ids = [choice.id for choice in item.option.choices]
            return "" if value in ids else f"is {value!r}, and must be one of {', '.join(ids)}"
        case "bool":
            return "" if isinstance(value, bool) else f"is {value!r}, and must be True or False"
        case "int" | "float":
            return _wrong_number(item, value)
        case "tuple":
            return "" if _is_texts(value) else f"is {value!r}, and must be a tuple of texts"
        case _:
            return "" if isinstance(value, str) else f"is {value!r}, and must be a text"


def _is_texts(value: Any) -> bool:
    return isinstance(value, tuple) and all(isinstance(text, str) for text in cast("tuple[Any, ...]", value))


def _wrong_number(item: Declared, value: Any) -> str:
    whole = item.type == "int"
    if isinstance(value, bool) or not isinstance(value, int if whole else int | float) or not math.isfinite(value):
        return f"is {value!r}, and must be a {'whole ' if whole else ''}number"
    low, high = item.option.minimum, item.option.maximum
    if low is not None and value < low:
        return f"is {value:g}, and must be at least {low:g}"
    if high is not None and value > high:
        return f"is {value:g}, and must be at most {high:g}"
    return ""


def chosen(kind: type, values: Mapping[str, Any]) -> dict[str, Any]:
    """Of `values` those that are options of the class `kind`."""
    return {name: value for name, value in values.items() if name in declared(kind)}
