"""What is asked of hands, feet and hips."""

from __future__ import annotations

import bpy

from ...shared.layout import split_layout
from ...shared.parts import Part
from ..mapping.map_table import LIMBS
from ..settings import settings_of
from . import main
from .limbs import draw_limb


class HandsAndFeet(Part):
    title = "Hands and Feet"
    closed = True

    def draw(self, context: bpy.types.Context) -> None:
        layout, settings = split_layout(self), settings_of(context)
        target = main.target_of(context, settings)
        for name in LIMBS:
            draw_limb(layout.column(align=True), settings, name, context.region, target)
