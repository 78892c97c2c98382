"""Options declared once: the frozen record that a job takes is also what its dialog, the command line and the docs are made from.

class ImportOptions(shared.ImportOptions):
    body: int = option(0, "Body", "Which of a character's bodies, counted from 0", minimum=0, group="Include")
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import MISSING
from types import MappingProxyType
from typing import Any, ClassVar, Literal, TypeAlias, cast

from ..record import Record
from ..reporting.errors import OptionError

# Types as texts, here and where options are declared: what nobody checks at run time need not be made when Blender starts.
Subtype: TypeAlias = "Literal['', 'FILE', 'FOLDER', 'ANGLE']"


class Choice:
    """One value of an option: its id in scripts, its label and its meaning for people, and on the command line what stands for it, where
    that is not the id in lower case. There are hundreds of them at Blender's start."""

    __slots__ = ("flag", "help", "id", "label")

    def __init__(self, id: str, label: str, help: str = "", flag: str = "") -> None:  # noqa: A002 - what they are called everywhere
        self.id, self.label, self.help, self.flag = id, label, help, flag


class Option:
    """What is known of an option.

    label: in title case. help: a sentence without a full stop. choices: of a text that is one of several.
    minimum, maximum: limits, both allowed; soft_maximum: as far as a slider goes. precision: digits after the point.
    subtype: what the text or number stands for. files: of a path, how the names of fitting files end, empty for any.
    group: the dialog's panel, empty for options that no dialog shows.
    flag: the command line's name, such as "--game", empty where the command line has none. metavar: what stands for its value there.
    remembered: whether a dialog starts with what it had the last time.
    none: of a whole number, of which -1 stands for none: what a dialog says then instead of the number.

    name: its class's. type: "str", "int", "float", "bool", "choice" or "tuple": every option has a default, and that is of its type.
    """

    name: str
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

    def __init__(self, default: Any, label: str, help: str = "", **details: Any) -> None:  # noqa: A002 - what it is called everywhere
        self.default, self.label, self.help = default, label, help
        if not details.keys() <= _DETAILS:
            raise TypeError(f"an option has none of {', '.join(details)}")
        self.__dict__.update(details)  # what it has besides is the class's: there are hundreds at Blender's start

    @property
    def type(self) -> str:
        return "choice" if self.choices else self.default.__class__.__name__

    def __set_name__(self, _owner: object, name: str) -> None:
        self.name = name


_DETAILS = Option.__annotations__.keys()

option: Any = Option
"""Declares a field in its class, of which instances have the default: Any, for checkers of types take it as the field's own value."""


def changed(kind: type[Options], name: str, default: Any = MISSING, **details: Any) -> Any:
    """The field `name` of the options class `kind` again, with another default or other details, for a class below it."""
    known = {**vars(declared(kind)[name]), **details}
    return Option(**known if default is MISSING else {**known, "default": default})


def declared(kind: type[Options]) -> Mapping[str, Option]:
    """The options of a class, by name, in their order."""
    return kind.declarations


class Options(Record):
    """The base of all options classes. Raises OptionError for a value of the wrong type, outside its limits, or that is no choice.

    Numbers of other kinds, such as numpy's, and lists of texts are taken, and held as the plain numbers and tuples that they stand for."""

    declarations: ClassVar[Mapping[str, Option]] = MappingProxyType({})

    def __init_subclass__(cls, **details: Any) -> None:
        known: dict[str, Option] = {}
        for base in reversed(cls.__bases__):
            if issubclass(base, Options):
                known.update(base.declarations)
        own = dict(vars(cls))
        for name in cls.__annotations__:
            declaration = own.get(name)
            if isinstance(declaration, Option):
                known[name] = declaration
                setattr(cls, name, declaration.default)
            else:
                known.pop(name, None)
        cls.declarations = MappingProxyType(known)
        super().__init_subclass__(**details)

    def __post_init__(self) -> None:
        for name, item in self.declarations.items():
            value = _plain(item, getattr(self, name))
            problem = wrong(item, value)
            if problem:
                raise OptionError(f"{name} {problem}")
            object.__setattr__(self, name, value)


def _plain(item: Option, value: Any) -> Any:
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


def wrong(item: Option, value: Any) -> str:
    """What is wrong with a value, as the end of a sentence that starts with the option's name; empty where nothing is."""
    match item.type:
        case "choice":
            ids = [choice.id for choice in item.choices]
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


def _wrong_number(item: Option, value: Any) -> str:
    whole = item.type == "int"
    if isinstance(value, bool) or not isinstance(value, int if whole else int | float) or not math.isfinite(value):
        return f"is {value!r}, and must be a {'whole ' if whole else ''}number"
    low, high = item.minimum, item.maximum
    if low is not None and value < low:
        return f"is {value:g}, and must be at least {low:g}"
    if high is not None and value > high:
        return f"is {value:g}, and must be at most {high:g}"
    return ""


def chosen(kind: type[Options], values: Mapping[str, Any]) -> dict[str, Any]:
    """Of `values` those that are options of the class `kind`."""
    return {name: value for name, value in values.items() if name in declared(kind)}
