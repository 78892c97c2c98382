"""A layout for tests without a window: takes what panels and dialogs draw, and complains of what Blender would."""

from __future__ import annotations

from typing import Any

import bpy

OPS: Any = bpy.ops
TYPES: Any = bpy.types
PARAMETERS: Any = TYPES.UILayout.bl_rna.functions["prop"].parameters
ICONS = set(PARAMETERS["icon"].enum_items.keys())


class Options:
    """The options of an operator's button; only those that the operator has can be set."""

    known: set[str]

    def __init__(self, operator: Any) -> None:
        object.__setattr__(self, "known", set(operator.get_rna_type().properties.keys()))

    def __setattr__(self, name: str, value: Any) -> None:
        assert name in self.known, name


class Layout:
    """drawn: labels, and the names of properties and operators."""

    drawn: list[Any]

    def __init__(self, drawn: list[Any]) -> None:
        object.__setattr__(self, "drawn", drawn)

    def __setattr__(self, name: str, value: Any) -> None:
        assert name in TYPES.UILayout.bl_rna.properties, name

    def _inner(self, *_: Any, **__: Any) -> Layout:
        return Layout(self.drawn)

    row = column = split = box = grid_flow = _inner

    last: Layout | None = None
    """In which something was drawn last."""

    def separator(self, **_: Any) -> None:
        Layout.last = self

    def panel(self, name: str, **_: Any) -> tuple[Layout, Layout]:
        return Layout(self.drawn), Layout(self.drawn)

    def label(self, text: str = "", icon: str = "NONE", **_: Any) -> None:
        assert icon in ICONS, icon
        self.drawn.append(text)

    def prop(self, data: Any, name: str, text: str = "", icon: str = "NONE", **_: Any) -> None:
        assert name[2:-2] in data if name.startswith("[") else name in data.bl_rna.properties, name
        assert icon in ICONS, icon
        self.drawn.append(name)

    def prop_enum(self, data: Any, name: str, value: str, **_: Any) -> None:
        assert value in data.bl_rna.properties[name].enum_items, (name, value)
        self.drawn.append(value)

    def prop_search(self, data: Any, name: str, searched: Any, list_name: str, **_: Any) -> None:
        assert name in data.bl_rna.properties, name
        assert list_name in searched.bl_rna.properties, list_name
        self.drawn.append(name)

    def template_list(self, kind: str, name: str, data: Any, items: str, active: Any, index: str, **_: Any) -> None:
        assert items in data.bl_rna.properties and index in active.bl_rna.properties
        shown = getattr(TYPES, kind)
        for item in getattr(data, items):
            shown.draw_item(None, bpy.context, Layout(self.drawn), data, item, 0, active, index)

    def menu(self, name: str, text: str = "", icon: str = "NONE") -> None:
        assert hasattr(TYPES, name) and icon in ICONS, (name, icon)
        self.drawn.append(name)

    def context_pointer_set(self, name: str, data: Any) -> None:
        assert data is None or isinstance(data, TYPES.bpy_struct), name

    def template_ID(self, data: Any, name: str) -> None:  # noqa: N802 - Blender's own
        self.prop(data, name)

    def template_popup_confirm(self, operator: str, text: str = "", cancel_text: str | None = None, **given: Any) -> None:
        """Instead of the two buttons of a dialog; Blender draws them where something was drawn last."""
        assert Layout.last is self
        assert set(given) <= set(TYPES.UILayout.bl_rna.functions["template_popup_confirm"].parameters.keys())
        assert not operator or text
        self.drawn.extend(button for button in (text, "Cancel" if cancel_text is None else cancel_text) if button)

    def operator(self, name: str, text: str = "", icon: str = "NONE", **_: Any) -> Options:
        assert icon in ICONS, icon
        Layout.last = self
        category, _dot, short = name.partition(".")
        self.drawn.append(name)
        return Options(getattr(getattr(OPS, category), short))


def draw_part(kind: Any, layout: Layout) -> None:
    """A part of the side panel."""
    part = kind()
    part.layout = layout
    part.draw(bpy.context)
