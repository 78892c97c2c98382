"""A game's table of fields in the side panel: what can be edited as properties, the rest as text."""

from collections.abc import Iterable, Sequence
from typing import Any

import bpy

from ...core.declare.checks import shown, wrong
from ...core.declare.fields import Field
from .layout import below, draw_whole, is_narrow


def draw(layout: Any, owner: Any, table: Iterable[Field]) -> None:
    """Those of the fields that `owner` has, in their order: first those that are always seen, then a sub-panel for each group, folded in.

    owner: an action, armature or bone with custom properties, or a property group with a property for each field, by its name."""
    groups: dict[str, list[Field]] = {}
    for item in table:
        if _group(owner) or item.property in owner:
            groups.setdefault(item.group, []).append(item)
    for item in groups.pop("", ()):
        _draw_one(layout, owner, item, item.label)
    for title, items in groups.items():
        header, body = layout.panel(_identifier(owner, title), default_closed=True)
        header.label(text=title, translate=False)
        for item in items if body else ():
            _draw_one(body, owner, item, item.short or item.label)


def draw_line(layout: Any, owner: Any, table: Iterable[Field]) -> None:
    """The fields of one line of a list, without sub-panels."""
    for item in table:
        _draw_value(layout, owner, item, item.label)


def _draw_one(layout: Any, owner: Any, item: Field, label: str) -> None:
    if not (item.kind == "flags" and _group(owner)):
        _draw_value(layout, owner, item, label)
        return
    # Flags are folded in: two dozen buttons would push everything else out of sight.
    header, body = layout.panel(_identifier(owner, item.label), default_closed=True)
    names = [choice.label for choice in item.choices if choice.id in getattr(owner, item.name)]
    header.label(text=f"{label}: {', '.join(names) or 'None'}")
    if body:
        body.use_property_split = False  # the header has the label already
        body.column(align=True).prop(owner, item.name, expand=True)


def _draw_value(layout: Any, owner: Any, item: Field, label: str) -> None:
    name = item.name if _group(owner) else f'["{item.property}"]'
    value = getattr(owner, item.name) if _group(owner) else owner[item.property]
    if item.kind == "flags" and _group(owner):
        layout.label(text=label)
        names = layout.grid_flow(row_major=True, columns=2, align=True)
        names.use_property_split = False  # they would be slivers in the half beside a second label
        for choice in owner.bl_rna.properties[name].enum_items:
            names.prop_enum(owner, name, choice.identifier)
    elif not item.editable:
        unit = f" {item.unit}" if item.kind == "number" and item.unit else ""
        draw_whole(layout, f"{label}: {text(item, value)}{unit}", bpy.context.region)
    elif item.components and _has(value, len(item.components)):
        draw_components(layout, owner, name, f"{label} ({item.unit})" if item.unit else label, item.components)
    else:
        right = _beside_label(layout, label)
        if item.none is None:
            right.prop(owner, name, text="")
        else:
            _draw_or_none(right, owner, item, name, value)


def draw_components(layout: Any, owner: Any, name: str, label: str, components: Sequence[str]) -> None:
    """Several numbers below each other, with what each of them is, under what they are together and in which unit."""
    layout.label(text=label, translate=False)
    column = layout.column(align=True)
    narrow = is_narrow(bpy.context.region)
    for index, part in enumerate(components):
        # A number has room for a short label inside.
        row = column.row() if narrow else _beside_label(column, part)
        row.use_property_split = False
        row.prop(owner, name, index=index, text=part if narrow else "", translate=False)


def _draw_or_none(layout: Any, owner: Any, item: Field, name: str, value: Any) -> None:
    """A whole number that can be none: a tick, and the number where there is one."""
    row = layout.row(align=True)
    row.context_pointer_set("retro_anim_owner", owner)
    is_none = value == item.none
    tick = row.operator(
        "retro_anim.no_value", text="None" if is_none else "", translate=False, icon="CHECKBOX_HLT" if is_none else "CHECKBOX_DEHLT"
    )
    tick.field, tick.value = item.name if _group(owner) else item.property, item.first if is_none else item.none
    if not is_none:
        row.prop(owner, name, text="")


def _group(owner: Any) -> bool:
    return isinstance(owner, bpy.types.PropertyGroup)


def _identifier(owner: Any, title: str) -> str:
    """By which Blender remembers whether a sub-panel is open: the same for all owners of a kind."""
    return f"retro_anim_{type(owner).__name__}_{title}"


def _has(value: Any, count: int) -> bool:
    """Whether a property holds so many numbers: a file from elsewhere may hold anything."""
    return not isinstance(value, str | bytes) and hasattr(value, "__len__") and hasattr(value, "__getitem__") and len(value) == count


def _beside_label(layout: Any, label: str) -> Any:
    """Half of the width for a label, half for its value: Blender's own two fifths cut what formats call their fields. In a narrow region
    the label is above."""
    region = bpy.context.region
    if is_narrow(region):
        return below(layout, region, label)
    split = layout.split(factor=0.5)
    split.use_property_split = False
    left, value = split.row(), split.column(align=True)
    left.alignment = "RIGHT"
    left.label(text=label, translate=False)
    return value


def text(item: Field, value: Any) -> str:
    """A value as people read it: of a choice its label. What the field cannot hold is shown as it is, cut short."""
    from ...io.blender.fields import plain

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
