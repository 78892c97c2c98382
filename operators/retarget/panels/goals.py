"""What is asked of hands, feet and hips."""

from __future__ import annotations

import bpy

from ...shared.layout import split_layout
from ...shared.parts import Part
from ..mapping import bone_map
from ..mapping.map_table import LIMBS
from ..settings import settings_of
from .changes import changes, draw_changes
from .limbs import draw_limb

_ASKED = ("reach", "stride", "stance", "height")
"""What makes a limb go elsewhere; the other properties say how."""


class HandsAndFeet(Part):
    title = "Hands and Feet"
    closed = True

    def draw_folded(self, context: bpy.types.Context) -> None:
        """That something is asked of them, as a remembered bone map may."""
        settings = settings_of(context)
        draw_changes(self.layout, sum(changes(getattr(settings, f"limb_{name}"), _ASKED) for name in LIMBS))

    def draw(self, context: bpy.types.Context) -> None:
        layout, settings = split_layout(self), settings_of(context)
        target = bone_map.both_of(context)[1]
        for name in LIMBS:
            draw_limb(layout.column(align=True), settings, name, context.region, target)
