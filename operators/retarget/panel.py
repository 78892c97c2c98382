"""The side panel of retargeting: who follows whom, bone by bone, how, and how well it went."""

from __future__ import annotations

from typing import Any, cast

import bpy

from ...core.reporting.errors import RetroAnimError
from ...io.blender import identity
from ..shared.layout import SidePanel, draw_whole, with_placeholder
from . import bone_map, posing, preview
from .limbs import LIMBS, draw_limb, limb_of
from .lines import bones_of, columns
from .operators import pass_on
from .options import GROUPS
from .settings import settings_of

_LONG = 14
"""Letters of a bone's name that have room in a panel of usual width beside a label and two buttons."""

_SURE = 0.8
"""Lines of less confidence are marked."""


class RETRO_ANIM_UL_pairs(bpy.types.UIList):
    """Target bones and what they follow; doubtful ones are marked. columns: of the table that is drawn, for all of its rows."""

    columns = cast("tuple[str, str, float]", ("", "", 0.5))

    def draw_item(self, context: Any, layout: Any, data: Any, item: Any, icon: Any, active_data: Any, active_property: Any) -> None:
        row = layout.row(align=True)
        icon_of_line = _icon(item)
        row.label(text="", icon="LINKED" if item.is_chain and icon_of_line == "CHECKMARK" else icon_of_line)
        source, target, factor = RETRO_ANIM_UL_pairs.columns
        split = row.split(factor=factor, align=True)  # text alone: fields have no room for them in a panel of usual width
        split.label(text=item.shown("source", source) or "none", translate=False)
        split.label(text=item.shown("target", target) or "none", translate=False)

    def filter_items(self, context: Any, data: Any, name: str) -> Any:
        lines = getattr(data, name)
        shown = (
            bpy.types.UI_UL_list.filter_items_by_name(self.filter_name, self.bitflag_filter_item, lines, "name") if self.filter_name else []
        )
        shown = shown or [self.bitflag_filter_item] * len(lines)
        if data.only_doubtful:
            shown = [flag if _icon(line) != "CHECKMARK" else 0 for flag, line in zip(shown, lines, strict=True)]
        return shown, []


class RETRO_ANIM_UL_reports(bpy.types.UIList):
    """The new actions."""

    def draw_item(self, context: Any, layout: Any, data: Any, item: Any, icon: Any, active_data: Any, active_property: Any) -> None:
        layout.label(text=item.title or item.name, icon="CHECKMARK" if item.is_good else "ERROR", translate=False)


class RETRO_ANIM_UL_choices(bpy.types.UIList):
    """Actions to tick."""

    def draw_item(self, context: Any, layout: Any, data: Any, item: Any, icon: Any, active_data: Any, active_property: Any) -> None:
        layout.use_property_split = False  # a list has what its panel has
        layout.prop(item, "chosen", text=item.name)


def _icon(line: Any) -> str:
    if not line.source or not line.target:
        return "QUESTION"
    return "ERROR" if line.note or line.confidence < _SURE else "CHECKMARK"


def _bone(layout: Any, line: Any, side: str, obj: Any) -> None:
    """A field to choose a bone in."""
    if obj is not None:
        layout.prop_search(line, side, obj.data, "bones", text="")
    else:
        layout.prop(line, side, text="")


def _meant(context: bpy.types.Context, settings: Any) -> tuple[str, str]:
    """The names of source and target that the selection gives where the fields are empty; "" where it does not say."""
    if settings.source is not None and settings.target is not None:
        return "", ""
    try:
        source, target = bone_map.pick(context)
    except RetroAnimError:
        return "", ""
    return source.name, target.name


class VIEW3D_PT_retro_anim_retarget(SidePanel, bpy.types.Panel):
    """Above all others: what a run changes in those, messages and fields of another clip, moves no button away from below the mouse."""

    bl_label = "Retarget"
    bl_options = {"DEFAULT_CLOSED"}
    bl_order = 0

    def draw(self, context: bpy.types.Context) -> None:
        layout, settings = self.layout, settings_of(context)
        layout.use_property_split = True
        layout.use_property_decorate = False
        row = layout.row(align=True)
        column = row.column(align=True)
        meant = _meant(context, settings)
        for side, name in zip(("source", "target"), meant, strict=True):
            with_placeholder(column, settings, side, name, labelled=True)
        row.operator("retro_anim.retarget_swap", text="", icon="UV_SYNC_SELECT")
        which = layout.column()
        which.active = not settings.nla
        which.prop(settings, "actions_from")
        if settings.actions_from == "CHOSEN":
            row = which.row()
            row.template_list("RETRO_ANIM_UL_choices", "", settings, "choices", settings, "choice", rows=4)
            row.operator("retro_anim.retarget_list", text="", icon="FILE_REFRESH")
        row = layout.row()
        row.scale_y = 1.4
        pass_on(row.operator("retro_anim.retarget", icon="ARMATURE_DATA"), settings)
        shown = preview.running()
        row.operator("retro_anim.retarget_preview", icon="HIDE_OFF", depress=shown is not None)
        if shown is not None:
            frames = "" if shown.span is None else ", in its frames {:g} to {:g}".format(*shown.span)
            _wrapped(layout, context, f"Shows {shown.action}, the source's active action{frames}", "ACTION")
            if shown.message:
                _wrapped(layout, context, shown.message, "INFO")


class VIEW3D_PT_retro_anim_retarget_map(SidePanel, bpy.types.Panel):
    bl_label = "Bone Map"
    bl_parent_id = "VIEW3D_PT_retro_anim_retarget"

    def draw(self, context: bpy.types.Context) -> None:
        layout, settings = self.layout, settings_of(context)
        row = layout.row(align=True)
        row.operator("retro_anim.retarget_map", icon="BONE_DATA")
        row.operator("retro_anim.retarget_map", text="", icon="FILE_REFRESH").anew = True
        row.operator("retro_anim.retarget_map_load", text="", icon="FILE_FOLDER")
        row.operator("retro_anim.retarget_map_save", text="", icon="FILE_TICK")
        row = layout.row()
        RETRO_ANIM_UL_pairs.columns = columns(settings.pairs)
        row.template_list("RETRO_ANIM_UL_pairs", "", settings, "pairs", settings, "index", rows=6)
        column = row.column(align=True)
        column.operator("retro_anim.retarget_map_add", text="", icon="ADD")
        column.operator("retro_anim.retarget_map_remove", text="", icon="REMOVE")
        column.separator()
        column.operator("retro_anim.retarget_chain", text="", icon="LINKED")
        column.operator("retro_anim.retarget_chain_join", text="", icon="AUTOMERGE_ON")
        column.operator("retro_anim.retarget_chain_split", text="", icon="UNLINKED")
        row = layout.row()
        row.prop(settings, "only_doubtful")
        row.prop(settings, "highlight")
        if 0 <= settings.index < len(settings.pairs):
            _draw_line(layout, settings, settings.pairs[settings.index], context.region)


def _draw_line(layout: Any, settings: Any, line: Any, region: Any) -> None:
    """The options of one line, and why it is doubtful."""
    column = layout.column(align=True)
    column.use_property_split = True
    column.use_property_decorate = False
    sides = [(side, f"{side}{end}") for side in ("source", "target") for end in (("_start", "_end") if line.is_chain else ("",))]
    long = max((len(bone) for pair in settings.pairs for side in ("source", "target") for bone in bones_of(pair, side)), default=0) > _LONG
    for side, name in sides:
        split = column.split(factor=0.8 if long else 0.22, align=True)
        split.label(text=line.bl_rna.properties[name].name)
        row = split.row(align=True)
        if long:  # the whole width for the name, which a prefix makes long
            row.alignment = "RIGHT"
            _bone(column, line, name, getattr(settings, side))
        else:
            _bone(row, line, name, getattr(settings, side))
        for operator, icon in (("pick", "EYEDROPPER"), ("take", "RESTRICT_SELECT_OFF")):
            button = row.operator(f"retro_anim.retarget_bone_{operator}", text="", icon=icon)
            button.line, button.field = settings.index, name
    certain = "Wants a look" if line.note else "Set by hand" if line.by_hand else "Sure"
    column.label(text=f"{line.confidence:.0%} sure" if line.confidence < 1 else certain, icon=_icon(line))
    if line.note:
        column = layout.column(align=True)
        for part in line.note.split("; "):
            draw_whole(column, part, region, icon="INFO")
    column = layout.column()
    column.use_property_split = True
    column.use_property_decorate = False
    if limb := limb_of(line.role):
        draw_limb(column, settings, limb)
    if line.is_chain:
        column.prop(line, "mode")
        column.prop(line, "weight")
        return
    for name in ("space", "turn", "weight", "offset"):
        column.prop(line, name)
    for first, second in (("location", "scale"), ("distribute", "tail")):
        row = column.row()
        row.use_property_split = False
        row.prop(line, first)
        row.prop(line, second)


class VIEW3D_PT_retro_anim_retarget_pose(SidePanel, bpy.types.Panel):
    bl_label = "Reference Pose"
    bl_parent_id = "VIEW3D_PT_retro_anim_retarget"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        if posing.is_posing(settings_of(context)):  # also while the panel is folded in: the way back
            self.layout.operator("retro_anim.retarget_pose", text="Leave", depress=True)

    def draw(self, context: bpy.types.Context) -> None:
        layout, settings = self.layout, settings_of(context)
        layout.use_property_split = True
        layout.use_property_decorate = False
        is_posing = posing.is_posing(settings)
        if not is_posing:
            layout.prop(settings, "align")
        if not is_posing and settings.align == "POSE":
            row = layout.row(align=True)
            row.prop_search(settings, "reference", settings, "poses", text="Kept")
            row.operator("retro_anim.retarget_pose_remove", text="", icon="REMOVE")
        layout.operator("retro_anim.retarget_pose", text="Leave" if is_posing else "Show Aligned", icon="POSE_HLT", depress=is_posing)
        if is_posing:
            layout.label(text="Pose the target as the source stands", icon="INFO")
            column = layout.column(align=True)  # side by side their labels would be cut off
            column.operator("retro_anim.retarget_pose_as_source", icon="ARMATURE_DATA")
            column.operator("retro_anim.retarget_pose_rest", icon="LOOP_BACK")
            row = layout.row(align=True)
            row.prop(settings, "pose_name")
            row.operator("retro_anim.retarget_pose_keep", text="Keep", icon="ADD")
            if settings.poses:  # below all buttons, which stay where they are when a pose is kept
                draw_whole(layout.column(align=True), f"Kept: {', '.join(pose.name for pose in settings.poses)}", context.region)


class VIEW3D_PT_retro_anim_retarget_limbs(SidePanel, bpy.types.Panel):
    bl_label = "Hands and Feet"
    bl_parent_id = "VIEW3D_PT_retro_anim_retarget"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        layout, settings = self.layout, settings_of(context)
        layout.use_property_split = True
        layout.use_property_decorate = False
        for name in LIMBS:
            draw_limb(layout.column(align=True), settings, name)


class VIEW3D_PT_retro_anim_retarget_options(SidePanel, bpy.types.Panel):
    bl_label = "Options"
    bl_parent_id = "VIEW3D_PT_retro_anim_retarget"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        layout, settings = self.layout, settings_of(context)
        layout.use_property_split = True
        layout.use_property_decorate = False
        target = settings.target or bpy.data.objects.get(_meant(context, settings)[1])
        used = {
            "pose_frame": settings.align == "FRAME",
            "reference": settings.align == "POSE",
            "source_pose": settings.align == "POSE" and not settings.reference,
            "target_pose": settings.align == "POSE" and not settings.reference,
            "hips_down": settings.feet,
            "step": settings.keys == "FRAMES",
            "rigify_ik": _has_ik(target),
        }
        for title, names in GROUPS.items():
            header, body = layout.panel(f"retro_anim_retarget_{title.lower().replace(' ', '_')}")
            header.label(text=title)
            if body is None:
                continue
            for name in names:
                if name == "reference" and used[name]:
                    body.prop_search(settings, name, settings, "poses")
                elif name.endswith("_pose") and used[name]:
                    body.prop_search(settings, name, bpy.data, "actions")
                elif used.get(name, True) or name in _GREYED:
                    row = body.row()  # what only does not count now stays, so that nothing moves away from below the mouse
                    row.active = used.get(name, True)
                    row.prop(settings, name)
                    if name == "root_motion" and settings.root_motion == "HIPS" and _goes_with_object(target):
                        _wrapped(body, context, "The object carries it here, as the target's game has no hips that rotate and move", "INFO")
                    elif name == "scale":
                        _wrapped(body, context, "0: by the length of the legs", "BLANK1")
            if title == "Contacts":
                body.operator("retro_anim.retarget_contacts", icon="MARKER")


def _goes_with_object(target: Any) -> bool:
    """Whether a bone of the target's game rotates or moves, never both, so that its object moves over the ground."""
    game = identity.game_of(target) if target is not None else None
    return game is not None and game.exclusive


def _has_ik(target: Any) -> bool:
    """Whether a rig has the IK controls that Rigify makes beside those for FK."""
    bones = target.data.bones if target is not None else {}
    ends = [f"{end}_{{}}.{side}" for end in ("hand", "foot") for side in ("L", "R")]
    return any(end.format("ik") in bones and end.format("fk") in bones for end in ends)


_GREYED = ("hips_down", "step")
"""Options that are shown, but grey, while others make them count for nothing."""


def _letters(context: bpy.types.Context) -> int:
    """How many letters of usual width a line of the panel takes."""
    width = context.region.width if context.region is not None else 280
    scale = context.preferences.system.ui_scale or 1.0  # 0 without a window
    return max(24, int((width / scale - 70) / 5.8))


def _wrapped(layout: Any, context: bpy.types.Context, text: str, icon: str = "NONE") -> None:
    """A text in as many lines as it takes."""
    import textwrap

    column = layout.column(align=True)
    column.scale_y = 0.8
    room, further = (4, "BLANK1") if icon != "NONE" else (0, "NONE")
    for number, part in enumerate(textwrap.wrap(text, _letters(context) - room, subsequent_indent="" if room else "    ")):
        column.label(text=part, icon=further if number else icon, translate=False)


class VIEW3D_PT_retro_anim_retarget_report(SidePanel, bpy.types.Panel):
    bl_label = "Report"
    bl_parent_id = "VIEW3D_PT_retro_anim_retarget"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return len(settings_of(context).reports) > 0

    def draw(self, context: bpy.types.Context) -> None:
        layout, settings = self.layout, settings_of(context)
        if len(settings.reports) > 1:
            layout.template_list("RETRO_ANIM_UL_reports", "", settings, "reports", settings, "report", rows=3)
        if 0 <= settings.report < len(settings.reports):
            report = settings.reports[settings.report]
            reasons = report.reasons.split("\n")
            for line in sorted(report.lines.split("\n"), key=lambda each: each not in reasons):  # what asks for a look is the first
                _wrapped(layout, context, line, "ERROR" if line in reasons else "NONE")
        layout.operator("retro_anim.retarget_report", icon="FILE_TICK")


CLASSES = (
    RETRO_ANIM_UL_pairs,
    RETRO_ANIM_UL_reports,
    RETRO_ANIM_UL_choices,
    VIEW3D_PT_retro_anim_retarget,
    VIEW3D_PT_retro_anim_retarget_pose,
    VIEW3D_PT_retro_anim_retarget_map,
    VIEW3D_PT_retro_anim_retarget_limbs,
    VIEW3D_PT_retro_anim_retarget_options,
    VIEW3D_PT_retro_anim_retarget_report,
)
