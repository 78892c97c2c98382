"""A property of all items of a collection as one array, custom properties that are lists of numbers, and where an object stands."""

from __future__ import annotations

from math import prod
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...core.reporting.errors import ExportError

ItemT = TypeVar("ItemT", bound=np.generic)

KIND = np.uint8
"""What Blender keeps the interpolation and the type of a key in. An array of these is copied as a whole; of any other numbers each is taken
by itself, which takes more than ten times as long."""


class Items(Protocol):
    """Any collection of Blender's: vertices, loops, bones, layers' values."""

    def __len__(self) -> int: ...
    def foreach_get(self, attr: str, seq: Any) -> None: ...
    def foreach_set(self, attr: str, seq: Any) -> None: ...


def values_of(items: Items, name: str, dtype: type[ItemT], *shape: int) -> NDArray[ItemT]:
    """(N, *shape) a property of all items, each of that shape; matrices come as Blender stores them, transposed."""
    values = np.empty(len(items) * prod(shape), dtype)
    items.foreach_get(name, values)
    return values.reshape(len(items), *shape)


def set_values(items: Items, name: str, values: NDArray[Any]) -> None:
    """Give all items a property. values: (N, ...), of the type that the property has, or it takes much longer."""
    items.foreach_set(name, values.ravel())


def of_property(values: Any) -> NDArray[np.float64]:
    """The numbers of a property, empty for anything else."""
    items = list(values) if hasattr(values, "__len__") and not isinstance(values, str | bytes) else []
    return np.array(items if all(isinstance(value, int | float) for value in items) else [], np.float64)


def world_of(obj: Any) -> NDArray[np.float64]:
    """(4, 4) an object's space -> the scene's. Raises ExportError for one that stands at no number."""
    matrix = np.array(obj.matrix_world, np.float64)
    if not np.isfinite(matrix).all():
        raise nowhere(obj)
    return matrix


def nowhere(obj: Any) -> ExportError:
    """For an object whose matrix is of no numbers."""
    return ExportError(f"{obj.name} stands nowhere, at no number: clear its location, rotation and scale, or its parent's")
