"""A game's table of fields as custom properties of a data-block: filled at import, read and checked at export."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...core.declare.fields import Field, checked

Block = Any
"""Any data-block with custom properties."""


def fill(block: Block, table: Iterable[Field], values: Mapping[str, Any]) -> None:
    """Give a block the values, by field name, as its custom properties, with limits and descriptions for Blender's own dialogs."""
    for item in table:
        if item.name in values:
            value = values[item.name]
            # Blender's FBX exporter takes a list of three whole numbers for something else, and fails.
            sequence = item.kind in ("numbers", "series", "vector") or (item.kind == "integers" and item.size == 3)
            block[item.property] = [float(number) for number in value] if sequence else value


def read(block: Block, table: Iterable[Field]) -> dict[str, Any]:
    """The values that a block has, by field name. Raises ExportError, a line for each that is not what its field can hold."""
    table = tuple(table)
    values = {item.property: _plain(block[item.property]) for item in table if item.property in block}
    return checked(table, values, block.name)


def _plain(value: Any) -> Any:
    """Lists and the like as tuples; everything else as it is."""
    return tuple(value) if hasattr(value, "__len__") and not isinstance(value, str | bytes | dict) else value
