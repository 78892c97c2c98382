"""The fields of a bone map's JSON, each read and checked by what it must be. All readers raise ValueError, which says what is wrong."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import TypeVar, cast

from ....reporting.errors import FormatError
from ....reporting.labels import first_few
from ..roles import ROLES

_MOST = 20_000
"""Pairs or chains in a file, and bones in a chain."""

_LONGEST = 1024
"""Characters of a name or a note."""

_T = TypeVar("_T")
_FINGERPRINT = re.compile(r"[0-9a-f]{16}|")
_ODD = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")


class Fields:
    """The fields of a JSON object, each taken once; `check_empty` complains of what is left."""

    def __init__(self, value: object, where: str) -> None:
        if not isinstance(value, dict):
            raise FormatError(f"{where} is no JSON object")
        self.left = dict(cast("dict[str, object]", value))
        self.where = where

    def take(self, name: str, read: Callable[[object], _T], default: _T) -> _T:
        if name not in self.left:
            return default
        try:
            return read(self.left.pop(name))
        except ValueError as error:
            raise FormatError(f"{name} of {self.where} {error}") from error

    def check_empty(self) -> None:
        if self.left:
            raise FormatError(f"{self.where} has a field {sorted(self.left)[0][:40]!r} that no bone map has")


def no_number(choice: str) -> float:
    raise ValueError(f"{choice} is no number")


def text(value: object) -> str:
    if not isinstance(value, str) or len(value) > _LONGEST or _ODD.search(value):
        raise ValueError(f"is no text of at most {_LONGEST} printable characters")
    return value


def bone(value: object) -> str:
    if not text(value):
        raise ValueError("is empty")
    return text(value)


def bones(value: object) -> tuple[str, ...]:
    return tuple(bone(one) for one in rows(value))


def rows(value: object) -> list[object]:
    if not isinstance(value, list) or len(cast("list[object]", value)) > _MOST:
        raise ValueError(f"is no list of at most {_MOST}")
    return cast("list[object]", value)


def number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or abs(value) > 1e6 or math.isnan(value):
        raise ValueError("is no number")
    return float(value)


def whole(value: object) -> int:
    if int(number(value)) != value:
        raise ValueError("is no whole number")
    return int(number(value))


def part(value: object) -> float:
    if not 0.0 <= number(value) <= 1.0:
        raise ValueError("is not from 0 to 1")
    return number(value)


def factor(value: object) -> float:
    if not 0.0 <= number(value) <= 1000.0:
        raise ValueError("is not from 0 to 1000")
    return number(value)


def roles(value: object) -> dict[str, str]:
    """By bone what it is to a humanoid."""
    if not isinstance(value, dict) or len(cast("dict[object, object]", value)) > _MOST:
        raise ValueError(f"is no object of at most {_MOST}")
    return {bone(name): one_of(*ROLES)(one) for name, one in cast("dict[object, object]", value).items()}


def rotations(value: object) -> dict[str, tuple[float, float, float, float]]:
    """By bone unit quaternions, w first."""
    if not isinstance(value, dict) or len(cast("dict[object, object]", value)) > _MOST:
        raise ValueError(f"is no object of at most {_MOST}")
    return {bone(name): _rotation(one) for name, one in cast("dict[object, object]", value).items()}


def _rotation(value: object) -> tuple[float, float, float, float]:
    given = [number(one) for one in rows(value)]
    size = math.hypot(*given)
    if len(given) != 4 or not 0.5 < size < 2:
        raise ValueError("has a rotation that is no quaternion of four numbers")
    w, x, y, z = (one / size for one in given)
    return w, x, y, z


def angles(value: object) -> tuple[float, float, float]:
    x, y, z = (number(one) for one in rows(value)) if len(rows(value)) == 3 else _wrong("is not three angles")
    return x, y, z


def _wrong(problem: str) -> tuple[float, float, float]:
    raise ValueError(problem)


def truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("is neither true nor false")
    return value


def one_of(*choices: str) -> Callable[[object], str]:
    def read(value: object) -> str:
        if value not in choices:
            raise ValueError(f"is none of {first_few([choice for choice in choices if choice], 6)}")
        return cast("str", value)

    return read


def fingerprint(value: object) -> str:
    if not isinstance(value, str) or not _FINGERPRINT.fullmatch(value):
        raise ValueError("is not 16 hexadecimal digits")
    return value
