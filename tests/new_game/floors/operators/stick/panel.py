"""Stick's part of the side panel."""

from __future__ import annotations

import bpy

from ...core.stick.game import GAME
from ..shared.panel import GamePanel


class VIEW3D_PT_retro_anim_stick(GamePanel, bpy.types.Panel):
    bl_label = GAME.label
    game = GAME


CLASSES = (VIEW3D_PT_retro_anim_stick,)
