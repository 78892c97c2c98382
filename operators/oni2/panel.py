"""What an animation of Oni 2 is to its game, and what no curve shows."""

from __future__ import annotations

import bpy

from ...core.oni2.files.interpretation import unusual
from ...core.oni2.motion.motion import DELTA
from ...io.oni2 import build, figure
from ..shared.base import split_layout
from ..shared.panel import GamePanel, active_action, active_armature, draw_origin

_WORDS = ((build.FLAGS, "Flags"), (build.LOOP, "Loop Byte"), (build.STRIDE, "Stride"))


class VIEW3D_PT_retro_anim_oni2(GamePanel, bpy.types.Panel):
    bl_label = "Oni 2"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        action = active_action(context)
        return (action is not None and build.KIND in action) or figure.is_figure(active_armature(context))

    def draw(self, context: bpy.types.Context) -> None:
        layout, action, obj = split_layout(self), active_action(context), active_armature(context)
        if action is not None and build.KIND in action:
            column = layout.column(align=True)
            column.label(text=f"Kind {action[build.KIND]}")
            draw_origin(column, action)
            if build.ALIASES in action:
                column.label(text=f"Used for: {action[build.ALIASES]}")
            taken = unusual(str(action.get(build.READING, "")))
            if taken:
                column.label(text=f"Taken as: {taken}")
            column = layout.column()
            for name, label in _WORDS:
                if name in action:
                    column.prop(action, f'["{name}"]', text=label)
            column.prop(action, "use_cyclic", text="Loops")
        if obj is None or not figure.is_figure(obj):
            return
        root = next((bone for bone in obj.pose.bones if bone.parent is None), None)
        if root is not None and DELTA[2:-2] in root:
            layout.prop(root, DELTA, text="Root Delta")
        bone = getattr(context, "active_pose_bone", None)
        if bone is not None and figure.CHANNELS in bone.bone:
            layout.prop(bone.bone, f'["{figure.CHANNELS}"]', text="Channels")


CLASSES = (VIEW3D_PT_retro_anim_oni2,)
