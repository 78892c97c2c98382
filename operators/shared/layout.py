"""How our dialogs and panels are laid out."""

from __future__ import annotations

from typing import Any

import bpy


def split_layout(obj: Any) -> bpy.types.UILayout:
    """The layout of an operator or a panel, with labels in a column of their own."""
    layout = obj.layout
    layout.use_property_split = True
    layout.use_property_decorate = False
    return layout
