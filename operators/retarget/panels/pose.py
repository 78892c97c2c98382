"""The pose in which source and target stand alike."""

from __future__ import annotations

from typing import Any

import bpy

from ...shared.layout import beside, draw_field, draw_whole, is_narrow, split_layout
from ...shared.parts import Part
from .. import posing
from ..settings import settings_of


class ReferencePose(Part):
    title = "Reference Pose"
    closed = True

    def draw_folded(self, context: bpy.types.Context) -> None:
        """The way back."""
        if posing.is_offered(settings_of(context)):
            self.layout.operator("retro_anim.retarget_pose", text="Leave", translate=False, depress=True)

    def draw(self, context: bpy.types.Context) -> None:
        layout, settings = split_layout(self), settings_of(context)
        has_begun = posing.is_offered(settings)
        if not has_begun:
            _draw_alignment(layout, settings, context.region)
        layout.operator(
            "retro_anim.retarget_pose", text="Leave" if has_begun else "Show Aligned", translate=False, icon="POSE_HLT", depress=has_begun
        )
        if has_begun and not posing.is_posing(settings):
            draw_whole(layout, "Source or target is another one now than those that are shown aligned", context.region, icon="ERROR")
        elif has_begun:
            does = "Pose the target as the source stands"
            if is_narrow(context.region):
                draw_whole(layout, does, context.region, icon="INFO")
            else:  # it has room in one line
                layout.label(text=does, icon="INFO")
            column = layout.column(align=True)  # side by side their labels would be cut off
            column.operator("retro_anim.retarget_pose_as_source", icon="ARMATURE_DATA")
            column.operator("retro_anim.retarget_pose_rest", icon="LOOP_BACK")
            row = beside(layout, context.region)
            row.use_property_split = False  # the width for the name
            row.prop(settings, "pose_name", text="")
            row.operator("retro_anim.retarget_pose_keep", text="Keep", translate=False, icon="ADD")
            if settings.poses:  # below all buttons, which stay where they are when a pose is kept
                draw_whole(layout, f"Kept: {', '.join(pose.name for pose in settings.poses)}", context.region)


def _draw_alignment(layout: Any, settings: Any, region: Any) -> None:
    draw_field(layout, settings, "align", region)
    if settings.align == "FRAME":
        draw_field(layout, settings, "pose_frame", region)
    if settings.align != "POSE":
        return
    row = layout.row(align=True)
    narrow = is_narrow(region)
    row.use_property_split = not narrow  # the width for the name
    row.prop_search(settings, "reference", settings, "poses", text="" if narrow else "Kept")
    row.operator("retro_anim.retarget_pose_remove", text="", icon="REMOVE")
    if not settings.reference:  # what is chosen of the kept ones counts before them
        for name in ("source_pose", "target_pose"):
            draw_field(layout, settings, name, region, among=(bpy.data, "actions"))
