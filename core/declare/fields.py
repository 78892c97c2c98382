"""What a file says besides motion, as a table of fields: the panel is drawn from it, import fills it, export reads and checks it.

A field is kept as one custom property of an action or an armature (`key`), or, of Oni, as a property of a group; see io/blender/fields.py.
"""

from __future__ import annotations

import math
import reprlib
from collections.abc import Iterable, Mapping
from copy import copy
from typing import Any, Literal, Self, TypeAlias, cast

from ..reporting.errors import ExportError
from .options import Choice

Kind: TypeAlias = (
    "Literal['integer', 'number', 'angle', 'text', 'choice', 'flags', 'hexadecimal', 'vector', 'numbers', 'integers', 'series']"
)
"""One whole number; a number; radians; a text; one of the choices; several of them, as bits; 32 bits as text, such as 0x80000000, since
Blender's own whole numbers end at 2^31; three numbers; up to `size` numbers; `size` whole numbers; any number of whole numbers."""

_MOST = 60
"""Letters of a wrong value that are shown."""

_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = _MOST


class Field:
    """name: how the code and the docs call it. key: the custom property, `name` where it is empty. label: in title case.
    help: a sentence without a full stop. unit: of the value, for the docs and the panel. minimum, maximum: both allowed.
    choices: ids are what the property holds; `bits` or positions are what the file holds. none: the value that means none.
    time: whether it is a frame of the animation. size: how many numbers. editable: whether the panel lets it be changed.
    group: the title of the sub-panel that it stands in, empty for those that are always seen; short: its label there, where the title says
    the rest of it. parts: what each of several numbers is. retargeted: whether what is retargeted onto another figure of the game has it,
    too."""

    def __init__(
        self,
        name: str,
        label: str,
        kind: Kind = "integer",
        help: str = "",  # noqa: A002 - what it is called everywhere
        key: str = "",
        unit: str = "",
        minimum: float | None = None,
        maximum: float | None = None,
        *,
        choices: tuple[Choice, ...] = (),
        none: Any = None,
        time: bool = False,
        size: int = 1,
        editable: bool = True,
        group: str = "",
        short: str = "",
        parts: tuple[str, ...] = (),
        retargeted: bool = False,
    ) -> None:
        self.name, self.label, self.kind, self.help, self.unit = name, label, kind, help, unit
        self.property = key or name
        self.minimum, self.maximum, self.none, self.time, self.size = minimum, maximum, none, time, size
        self.editable, self.group, self.short, self.parts, self.retargeted = editable, group, short, parts, retargeted
        self._choices = choices

    def locked(self) -> Self:
        """The same field, not to be edited."""
        result = copy(self)
        result.editable = False
        return result

    @property
    def choices(self) -> tuple[Choice, ...]:
        return self._choices

    @property
    def components(self) -> tuple[str, ...]:
        """What each of its numbers is: of three the axis. Empty where it is one value, or where nobody knows."""
        three = self.kind == "vector" or (self.kind in ("numbers", "integers") and self.size == 3)
        return self.parts or (("X", "Y", "Z") if three else ())

    @property
    def tooltip(self) -> str:
        """What it means, in which unit, and which value means none; without a full stop."""
        unit = f"In {self.unit}" if self.unit and self.unit not in self.help else ""
        return ". ".join(part for part in (self.help, unit) if part)

    @property
    def first(self) -> int:
        """Of a whole number that can be none: the first value that is not."""
        least = int(self.minimum or 0)
        return least if least != self.none else least + 1


def shown(value: Any) -> str:
    """A value of any kind and size as the part of a line."""
    return _SHORT.repr(value[:_MOST] if isinstance(value, str | bytes) else value)


def wrong(item: Field, value: Any) -> str:
    """What is wrong with a value, as the end of a sentence that starts with the field's name; empty where nothing is."""
    match item.kind:
        case "text":
            return "" if isinstance(value, str) else f"is {shown(value)}, and must be a text"
        case "choice":
            ids = [choice.id for choice in item.choices]
            return "" if value in ids else f"is {shown(value)}, and must be one of {', '.join(ids)}"
        case "hexadecimal":
            return "" if _bits(value) is not None else f"is {shown(value)}, and must be a whole number from 0 to 0xFFFFFFFF"
        case "vector" | "numbers" | "integers" | "series":
            return _wrong_sequence(item, value)
        case _:
            return _wrong_number(item, value, item.kind in ("integer", "flags"))


def _wrong_sequence(item: Field, value: Any) -> str:
    sequence = isinstance(value, Iterable) and not isinstance(value, str | bytes)
    numbers = list(cast("Iterable[Any]", value)) if sequence else []
    if item.kind == "series":
        return (
            next((problem for number in numbers if (problem := _wrong_number(item, number, True))), "") if sequence else "must be numbers"
        )
    most = 3 if item.kind == "vector" else item.size
    if not (1 if item.kind == "numbers" else most) <= len(numbers) <= most:
        return f"must be {'up to ' if item.kind == 'numbers' else ''}{most} {'whole ' if item.kind == 'integers' else ''}numbers"
    return next((problem for number in numbers if (problem := _wrong_number(item, number, item.kind == "integers"))), "")


def _bits(value: Any) -> int | None:
    """A whole number of 32 bits, as it is or as text; None for anything else."""
    try:
        bits = int(value, 0) if isinstance(value, str) else int(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return bits if 0 <= bits <= 0xFFFFFFFF and (isinstance(value, str) or bits == value) else None


def _wrong_number(item: Field, value: Any, whole: bool) -> str:
    number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    if not number or (whole and value != int(value)):
        return f"is {shown(value)}, and must be a {'whole ' if whole else ''}number{_limits(item)}"
    low, high = item.minimum, item.maximum
    inside = (low is None or value >= low) and (high is None or value <= high)
    return "" if inside else f"is {value:g}, and must be a {'whole ' if whole else ''}number{_limits(item)}"


def _limits(item: Field) -> str:
    if item.minimum is not None and item.maximum is not None:
        return f" from {item.minimum:g} to {item.maximum:g}"
    if item.minimum is not None:
        return f" of at least {item.minimum:g}"
    return f" of at most {item.maximum:g}" if item.maximum is not None else ""


def checked(table: Iterable[Field], values: Mapping[str, Any], owner: str) -> dict[str, Any]:
    """The values by field name, of those fields that have one. values: by property. Raises ExportError with a line for each that is wrong.

    owner: what they belong to, such as the action's name."""
    problems: list[str] = []
    result: dict[str, Any] = {}
    for item in table:
        if item.property not in values:
            continue
        value = values[item.property]
        problem = wrong(item, value)
        if problem:
            problems.append(f"{owner}: {item.property} ({item.label}) {problem}")
        else:
            result[item.name] = _plain(item, value)
    if problems:
        raise ExportError(problems)
    return result


def _plain(item: Field, value: Any) -> Any:
    match item.kind:
        case "integer" | "flags":
            return int(value)
        case "number" | "angle":
            return float(value)
        case "hexadecimal":
            return _bits(value)
        case "vector" | "numbers":
            return tuple(float(number) for number in value)
        case "integers" | "series":
            return tuple(int(number) for number in value)
        case _:
            return value
