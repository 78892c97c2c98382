"""What headers of parts that fold in say of what is in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def draw_changed(header: Any, owner: Any, names: Sequence[str]) -> None:
    """At the header's end how many of these properties are not as they come: also while the part is folded in."""
    draw_changes(header, changes(owner, names))


def changes(owner: Any, names: Sequence[str]) -> int:
    """How many of these properties are not as they come."""
    declared = owner.bl_rna.properties
    return sum(_plain(getattr(owner, name)) != _default(declared[name]) for name in names)


def draw_changes(header: Any, changed: int) -> None:
    """At the header's end, where there are any."""
    if changed:
        row = header.row()
        row.alignment, row.active = "RIGHT", False
        row.label(text=f"{changed} changed")


def _plain(value: Any) -> Any:
    """A vector as what can be compared."""
    return value if isinstance(value, str | int | float) else tuple(value)


def _default(prop: Any) -> Any:
    return tuple(prop.default_array) if getattr(prop, "is_array", False) else prop.default
