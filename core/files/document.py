"""Documents: a file as it is, one dataclass a format, every field kept, so that pack(parse(data)) == data."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray


class Document(Protocol):
    """Anything that was parsed from a file and can be packed into it again."""

    def pack(self) -> bytes:
        """The file's bytes, from the fields alone."""
        ...


def same(one: Any, other: Any) -> bool:
    """Whether two documents (or any of their fields) hold the same values, NaN equal to NaN, bit patterns compared for arrays."""
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray):
        first, second = cast("NDArray[Any]", one), cast("NDArray[Any]", other)
        return first.dtype == second.dtype and first.shape == second.shape and first.tobytes() == second.tobytes()
    if is_dataclass(one) and not isinstance(one, type):
        return all(same(getattr(one, field.name), getattr(other, field.name)) for field in fields(one))
    if isinstance(one, list | tuple):
        left, right = cast("list[Any]", one), cast("list[Any]", other)
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(one, dict):
        table, mirror = cast("dict[Any, Any]", one), cast("dict[Any, Any]", other)
        return table.keys() == mirror.keys() and all(same(value, mirror[key]) for key, value in table.items())
    return bool(one == other)
