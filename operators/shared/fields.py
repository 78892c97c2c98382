"""A game's table of fields in the side panel: what can be edited as properties, the rest as text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import bpy

from ...core.declare.fields import Field, shown, wrong
from ...io.blender.fields import plain


def draw(layout: Any, owner: Any, table: Iterable[Field]) -> None:
    """Those of the fields that `owner` has, in their order.

    owner: an action, armature or bone with custom properties, or a property group with a property for each field, by its name.
    """
    for item in table:
        if isinstance(owner, bpy.types.PropertyGroup):
            _draw_property(layout, owner, item, item.name)
        elif item.property not in owner:
            continue
        elif item.editable and item.size == 3 and item.kind == "integers" and has_three(owner[item.property]):
            _draw_axes(layout, owner, item)
        elif item.editable:
            layout.prop(owner, f'["{item.property}"]', text=item.label)
        else:
            layout.label(text=f"{item.label}: {text(item, owner[item.property])}")


def has_three(value: Any) -> bool:
    """Whether a custom property holds three numbers: a file from elsewhere may hold anything."""
    return hasattr(value, "typecode") and len(value) == 3


def _draw_axes(layout: Any, owner: Any, item: Field) -> None:
    """Three numbers along the game's axes, with their letters."""
    column = layout.column(align=True)
    for index, axis in enumerate("XYZ"):
        column.prop(owner, f'["{item.property}"]', index=index, text=f"{item.label} {axis}" if not index else axis)


def _draw_property(layout: Any, owner: Any, item: Field, name: str) -> None:
    if item.kind == "flags":
        layout.label(text=item.label)
        layout.grid_flow(columns=2, align=True).prop(owner, name, expand=True)
    else:
        label, value = _halves(layout)
        label.label(text=item.label)
        value.enabled = item.editable
        value.prop(owner, name, text="")


def _halves(layout: Any) -> tuple[Any, Any]:
    """Half of the width for a label, half for its value: Blender's own two fifths cut what formats call their fields."""
    split = layout.split(factor=0.5)
    split.use_property_split = False
    label, value = split.row(), split.column(align=True)
    label.alignment = "RIGHT"
    return label, value


def text(item: Field, value: Any) -> str:
    """A value as people read it: of a choice its label. What the field cannot hold is shown as it is, cut short."""
    value = plain(value)
    if wrong(item, value):
        return shown(value)
    if item.none is not None and value == item.none:
        return "None"
    if item.kind in ("vector", "numbers", "integers", "series") and not isinstance(value, str):
        return ", ".join(f"{number:g}" for number in value) or "None"
    if item.kind == "number" and not isinstance(value, str):
        return f"{value:.4g}"
    return next((choice.label for choice in item.choices if choice.id == value), str(value))
