"""How our dialogs and panels are laid out."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import bpy

TAB = "Retro Anim"
"""The side bar's tab."""


_MOST_LINES = 40

_NARROW = 260
"""Pixels at a scale of 1; Blender opens its side bar with 280."""

_AROUND_DIALOG = 40
"""Pixels of a window's width that a dialog leaves, at a scale of 1."""

_LINES = 16
"""Of the list of a dialog."""

_AROUND_LIST, _LINE = 260, 21
"""Pixels of a dialog's height beside its list and those of a line of it, at a scale of 1."""

LINKED = "It is linked from another .blend: make a library override, or edit it there"
"""What a disabled button says of what Blender keeps no edits of."""


class SidePanel:
    """Where all our panels stand."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = TAB


def is_tab_open(area: Any) -> bool:
    """Whether the side bar of a 3D view is open at our tab."""
    sidebar = next((region for region in area.regions if region.type == "UI"), None)
    return sidebar is not None and sidebar.width > 1 and getattr(sidebar, "active_panel_category", TAB) == TAB


def split_layout(obj: Any) -> bpy.types.UILayout:
    """The layout of an operator or a panel, with labels in a column of their own."""
    layout = obj.layout
    layout.use_property_split = True
    layout.use_property_decorate = False
    return layout


def ask(operator: Any, context: bpy.types.Context, confirm_text: str = "", **details: Any) -> Any:
    """A dialog of an operator's properties, whose button says what it does, in our words also where Blender's interface has others for
    something else of that name."""
    does = confirm_text or operator.bl_label
    return context.window_manager.invoke_props_dialog(operator, confirm_text=does, translate=False, **details)


def allowed(kind: Any, fine: bool, needs: str) -> bool:
    """What a poll answers. needs: what a disabled button says that it needs; panels, which are not drawn then, have nobody to tell."""
    if not fine and issubclass(kind, bpy.types.Operator):
        kind.poll_message_set(needs)
    return fine


def confirm(operator: Any, context: bpy.types.Context, event: bpy.types.Event, does: str, message: str) -> Any:
    """Ask before an operator takes something away. does: its button. message: what is lost, or stays."""
    manager = context.window_manager
    return manager.invoke_confirm(operator, event, title=does, message=message, confirm_text=does, icon="WARNING", translate=False)


def dialog_width(context: bpy.types.Context, pixels: int) -> int:
    """Of a dialog in pixels, at a scale of 1: as wide as that, or as its window has room for, whose edge would hide the rest."""
    if context.window is None:
        return pixels
    return min(pixels, max(_NARROW, int(width_of(context.window)) - _AROUND_DIALOG))


def lines_in(window: Any) -> int:
    """How many lines the list of a dialog has: in a low window fewer, which would have the buttons below it out of sight."""
    if window is None:
        return _LINES
    height = window.height / (bpy.context.preferences.system.ui_scale or 1.0)
    return min(_LINES, max(3, int((height - _AROUND_LIST) / _LINE)))


def of_width(pixels: int) -> Any:
    """What stands for the region of a dialog of this width, as it was asked for."""
    return SimpleNamespace(width=pixels * (bpy.context.preferences.system.ui_scale or 1.0))


def width_of(region: Any) -> float:
    """Of a region or a window in pixels, at a scale of 1; None is a region of the usual width."""
    return region.width / (bpy.context.preferences.system.ui_scale or 1.0) if region is not None else 280  # without a window the scale is 0


def letters_in(region: Any, beside: int) -> int:
    """How many letters have room beside each other in a region, of which None is one of the usual width. beside: pixels without any."""
    return int((width_of(region) - beside) / 5.8)


def is_narrow(region: Any) -> bool:
    """Whether somebody has drawn the side bar narrower than Blender opens it: what stands beside each other elsewhere has no room there."""
    return width_of(region) < _NARROW


def beside(layout: Any, region: Any, align: bool = True) -> Any:
    """Where buttons with labels, or a list and its buttons, are drawn beside each other; in a narrow region below, where they have room for
    these."""
    return layout.column(align=align) if is_narrow(region) else layout.row(align=align)


def buttons_of_list(around: Any, region: Any) -> Any:
    """Where the buttons of a list are drawn that is in what `beside` gave."""
    return around.row(align=True) if is_narrow(region) else around.column(align=True)


def below(layout: Any, region: Any, label: str) -> Any:
    """Where a field is drawn that has a label: in a narrow region below it, as the column beside the fields would cut both off; else
    `layout`, where it has it beside it."""
    if not is_narrow(region):
        return layout
    column = layout.column(align=True)
    column.use_property_split = False
    column.label(text=label, translate=False)
    return column


def draw_field(layout: Any, owner: Any, name: str, region: Any, label: str = "", among: tuple[Any, str] | None = None) -> None:
    """A property with its whole label, also in a narrow region, where a column beside the fields cuts it off: a number and a tick have it
    inside, a menu and a name above. label: instead of the property's own. among: of a name, whose collection it is in, and which."""
    details = {"text": label} if label else {}
    known = owner.bl_rna.properties[name]
    if is_narrow(region) and (known.type == "ENUM" or among is not None):
        layout, details = below(layout, region, label or known.name), {"text": ""}
    elif is_narrow(region):
        layout = layout.column(align=True)
        layout.use_property_split = False
    if among is None:
        layout.prop(owner, name, **details)
    else:
        layout.prop_search(owner, name, *among, **details)


def beginning(text: str, region: Any, beside: int) -> str:
    """What of a text in one line has room in a region, from its beginning: Blender would cut a label's middle out. beside: pixels without
    any letter."""
    if region is None:
        return text
    import blf

    preferences = bpy.context.preferences
    scale = preferences.system.ui_scale or 1.0  # it is 0 without a window
    blf.size(0, preferences.ui_styles[0].widget.points * scale)
    room = region.width - beside * scale

    def fits(part: str) -> bool:
        return blf.dimensions(0, part)[0] <= room

    if fits(text):
        return text
    shown, cut = 0, len(text)
    while cut - shown > 1:
        middle = (shown + cut) // 2
        shown, cut = (middle, cut) if fits(f"{text[:middle]}…") else (shown, middle)
    return f"{text[:shown].rstrip()}…"


def draw_whole(layout: Any, text: str, region: Any, icon: str = "", indent: str = "") -> None:
    """A long text in as many lines as it needs in a region, of which None is one of the usual width: a label would be cut off. icon: before
    the first line. indent: before the others, so that texts below each other can be distinguished. One that is longer than any message
    says that it goes on."""
    import textwrap

    letters = max(12, letters_in(region, 70))
    column = layout.column(align=True)
    column.scale_y = 0.8
    text = text[: (_MOST_LINES + 1) * (letters + 1)]  # no more has room, and a file may hold a text of any length
    wrapped = textwrap.wrap(
        text, max(10, letters - 4) if icon else letters, subsequent_indent=indent, max_lines=_MOST_LINES, placeholder=" …"
    )
    for number, part in enumerate(wrapped):
        column.label(text=part, icon=(icon if number == 0 else "BLANK1") if icon else "NONE", translate=False)


def with_placeholder(layout: Any, owner: Any, name: str, placeholder: str, labelled: bool = False, **details: Any) -> None:
    """A text field, without its label, that says what it is for while it is empty, where Blender can (from 4.3 on)."""
    known: Any = bpy.types.UILayout.bl_rna
    if "placeholder" in known.functions["prop"].parameters:
        details["placeholder"] = placeholder
    layout.prop(owner, name, **({} if labelled else {"text": ""}), **details)
