"""What an animation of Oni 2 is to its game, and what no curve shows."""

from __future__ import annotations

from typing import Any

import bpy

from ...core.oni2.fields import BONE_FIELDS, DELTA
from ...core.oni2.game import GAME
from ...io.blender import identity
from ..shared import fields
from ..shared.panel import active_action, active_armature
from ..shared.parts import GamePart


class Oni2(GamePart):
    title = GAME.label
    game = GAME

    def draw(self, context: bpy.types.Context) -> None:
        super().draw(context)
        layout, action, obj = self.layout, active_action(context), active_armature(context)
        if action is not None and identity.game_of(action) is GAME:
            layout.prop(action, "use_cyclic", text="Loops")
        if obj is None or identity.game_of(obj) is not GAME:
            return
        pose: Any = obj.pose
        root = next((bone for bone in pose.bones if bone.parent is None), None)
        if root is not None and DELTA in root:
            fields.draw_components(layout, root, f'["{DELTA}"]', "Root Delta", "XYZ")
        bone = getattr(context, "active_pose_bone", None)
        if bone is not None:
            fields.draw(layout, bone.bone, BONE_FIELDS)


PARTS = (Oni2,)
