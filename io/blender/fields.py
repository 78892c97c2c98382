"""Values as custom properties of data-blocks: a game's table of fields, filled at import, read and checked at export; lists of numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, cast

from ...core.declare.fields import Field, checked

Block = Any
"""Any data-block with custom properties."""


def fill(block: Block, table: Iterable[Field], values: Mapping[str, Any]) -> None:
    """Give a block the values, by field name, as its custom properties; several whole numbers are shown as such."""
    for item in table:
        if item.name in values:
            value, name = values[item.name], item.property
            sequence = item.kind in ("numbers", "series", "vector") or (item.kind == "integers" and item.size > 2)
            block[name] = value = numbers(value) if sequence else value
            text = isinstance(value, str)
            if text or not sequence or len(value):
                one = text or isinstance(value, int | float)
                whole = isinstance(value, int) if one else getattr(block[name], "typecode", "d") == "i"
                block.id_properties_ui(name).update(**_known(item, text, whole))


def _known(item: Field, text: bool, whole: bool) -> dict[str, Any]:
    """As `_shown`, found out once: every action of an import asks for the same. The field is kept beside, so that its id stays its own."""
    key = id(item), text, whole
    known = _SHOWN.get(key)
    if known is None:
        known = _SHOWN[key] = item, _shown(item, text, whole)
    return known[1]


_SHOWN: dict[tuple[int, bool, bool], tuple[Field, dict[str, Any]]] = {}


def _shown(item: Field, text: bool, whole: bool) -> dict[str, Any]:
    """How Blender is to show a property: its tooltip, and of numbers the limits; several whole numbers, kept as floats, without digits
    after the point."""
    details: dict[str, Any] = {"description": item.tooltip}
    if text:
        return details
    kind = int if whole else float
    limits = {"min": item.minimum, "max": item.maximum}
    details |= {name: kind(limit) for name, limit in limits.items() if limit is not None}
    return details | ({"precision": 0, "step": 100} if item.kind in ("integers", "series") and not whole else {})


def read(block: Block, table: Iterable[Field]) -> dict[str, Any]:
    """The values that a block has, by field name. Raises ExportError, a line for each that is not what its field can hold."""
    table = tuple(table)
    values = {item.property: plain(block[item.property]) for item in table if item.property in block}
    return checked(table, values, block.name)


def copied(value: Any) -> Any:
    """A property's value by itself: what Blender gives of lists and groups is gone when the property is."""
    if isinstance(value, list):  # of groups
        return [copied(item) for item in cast("list[Any]", value)]
    return next((getattr(value, name)() for name in ("to_list", "to_dict") if hasattr(value, name)), value)


def plain(value: Any) -> Any:
    """Lists and the like as tuples; everything else as it is."""
    if isinstance(value, str | bytes | Mapping) or not hasattr(value, "__len__"):
        return cast(Any, value)
    return tuple(value)


def numbers(values: Iterable[Any]) -> list[float]:
    """Whole numbers as a property holds them: as floats, since Blender's FBX exporter takes any three numbers for a vector of floats and
    fails on others. `whole` reads them."""
    return [float(value) for value in values]


def whole(values: Any) -> list[int] | None:
    """The whole numbers of a property, which older .blend files hold as such; None for anything else."""
    if not hasattr(values, "__len__") or isinstance(values, str | bytes):
        return None
    items = list(values)
    if not all(isinstance(value, int | float) and math.isfinite(value) and value == value // 1 for value in items):
        return None
    return [int(value) for value in items]
