"""What is wrong with the values of fields, by their table, as one line each."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Iterable, Mapping
from typing import Any, cast

from ..reporting.errors import ExportError
from .fields import Field

_MOST = 60
"""Letters of a wrong value that are shown."""

_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = _MOST


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
