"""What an animation of Little Big Adventure is to its game, and the words that no curve shows."""

from __future__ import annotations

import bpy

from ...core.lba.files.variant import GAMES
from ..shared.base import split_layout
from ..shared.panel import GamePanel, active_action, draw_origin

_WORDS = (
    ("lba_loop_frame", "Loop from"),
    ("lba_first_duration", "Lead-in"),
    ("lba_first_step", "First Step"),
    ("lba_first_turn", "First Turn"),
)


class VIEW3D_PT_retro_anim_lba(GamePanel, bpy.types.Panel):
    bl_label = "Little Big Adventure"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        action = active_action(context)
        return action is not None and "lba_game" in action

    def draw(self, context: bpy.types.Context) -> None:
        layout, action = split_layout(self), active_action(context)
        assert action is not None
        column = layout.column(align=True)
        game = GAMES.get(str(action["lba_game"]))
        column.label(text=game.label if game else str(action["lba_game"]))
        draw_origin(column, action)
        if "lba_roles" in action:
            column.label(text=f"Used for: {action['lba_roles']}")
        column = layout.column()
        for name, label in _WORDS:
            if name in action:
                column.prop(action, f'["{name}"]', text=label)


CLASSES = (VIEW3D_PT_retro_anim_lba,)
