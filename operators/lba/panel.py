"""The side panel of Little Big Adventure."""

from __future__ import annotations

import bpy

from ...core.lba.game import GAME
from ..shared.panel import GamePanel


class VIEW3D_PT_retro_anim_lba(GamePanel, bpy.types.Panel):
    bl_label = "Little Big Adventure"
    game = GAME


CLASSES = (VIEW3D_PT_retro_anim_lba,)
