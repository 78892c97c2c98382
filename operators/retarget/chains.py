"""The lines of the bone map edited in the window: chains made of bones, joined, split, and bones picked in the view."""

from collections.abc import Callable
from typing import Any

from bpy.props import EnumProperty, IntProperty, StringProperty
from bpy.types import Context, Event, Operator

from ...core.reporting.errors import RetroAnimError
from ..shared import job
from . import changed
from .settings import armatures_of, settings_of

_FIELDS = tuple((name, name, "") for name in ("source", "target", "source_start", "source_end", "target_start", "target_end"))


class _OnLine:
    """What the operators on the active line share."""

    bl_options = {"UNDO", "INTERNAL"}  # as Blender wants it

    def edit(self: Any, context: Context, work: Callable[[Any, Any], None]) -> Any:
        """Do something with the settings and their active line."""

        def all_of_it() -> bool:
            settings = settings_of(context)
            if None in armatures_of(settings):
                raise RetroAnimError("choose source and target first")
            line = settings.pairs[settings.index] if 0 <= settings.index < len(settings.pairs) else None
            work(settings, line)
            settings.edited = True
            changed()
            return True

        return {"FINISHED"} if job.run(self, context, all_of_it) else {"CANCELLED"}


class RETRO_ANIM_OT_retarget_chain(_OnLine, Operator):
    """Make a chain of the bones selected in the target, which follows those selected in the source, or what they followed before"""

    bl_idname = "retro_anim.retarget_chain"
    bl_label = "Chain of Selected Bones"

    def execute(self, context: Context) -> Any:
        from . import chain_edits

        return self.edit(context, lambda settings, _line: chain_edits.make(context, settings))


class RETRO_ANIM_OT_retarget_chain_join(_OnLine, Operator):
    """Join the line with the one whose bones come next below it, to one chain"""

    bl_idname = "retro_anim.retarget_chain_join"
    bl_label = "Join with Next"

    def execute(self, context: Context) -> Any:
        from . import chain_edits

        return self.edit(context, chain_edits.join)


class RETRO_ANIM_OT_retarget_chain_split(_OnLine, Operator):
    """Split the chain before the active bone of the target, or in the middle, the source's at the same part"""

    bl_idname = "retro_anim.retarget_chain_split"
    bl_label = "Split"

    at: StringProperty(name="Bone", description="Of the target, with which the second part begins", options={"SKIP_SAVE"})

    def execute(self, context: Context) -> Any:
        from . import chain_edits

        active = getattr(context, "active_pose_bone", None)
        return self.edit(context, lambda settings, line: chain_edits.split(settings, line, self.at, active))


class _Picking(_OnLine):
    """Sets a bone of a line."""

    def set(self: Any, context: Context, name: str) -> Any:
        """An end that does not hang on the other stays as it was picked, for that may be picked next; it is a step of undo as any other."""

        def write(settings: Any, _line: Any) -> None:
            if not 0 <= self.line < len(settings.pairs):
                raise RetroAnimError("choose a line first")
            line = settings.pairs[self.line]
            setattr(line, self.field, name)
            if line.note and line.is_chain:
                self.report({"WARNING"}, line.note)
            else:  # instead of what a click beside all bones left in the status bar
                self.report({"INFO"}, f"{line.bl_rna.properties[self.field].name}: {name}")

        return self.edit(context, write)

    def armature(self: Any, context: Context) -> Any:
        return armatures_of(settings_of(context))[self.field.startswith("target")]


class RETRO_ANIM_OT_retarget_bone_take(_Picking, Operator):
    """Take the bone that is active in the armature"""

    bl_idname = "retro_anim.retarget_bone_take"
    bl_label = "Take Selected Bone"

    line: IntProperty(options={"SKIP_SAVE"})
    field: EnumProperty(items=_FIELDS, options={"SKIP_SAVE"})

    def execute(self, context: Context) -> Any:
        obj = self.armature(context)
        chosen = [bone for bone in (getattr(context, "selected_pose_bones", None) or ()) if bone.id_data == obj]
        active = obj.data.bones.active if obj is not None else None
        name = active.name if active is not None else chosen[0].name if chosen else ""
        if chosen and name not in [bone.name for bone in chosen]:
            name = chosen[0].name
        if not name:
            self.report({"WARNING"}, "no bone of it is selected")
            return {"CANCELLED"}
        return self.set(context, name)


class RETRO_ANIM_OT_retarget_bone_pick(_Picking, Operator):
    """Click on a bone in the view; Esc: leave it as it is"""

    bl_idname = "retro_anim.retarget_bone_pick"
    bl_label = "Pick Bone"

    line: IntProperty(options={"SKIP_SAVE"})
    field: EnumProperty(items=_FIELDS, options={"SKIP_SAVE"})

    def invoke(self, context: Context, event: Event) -> Any:
        if self.armature(context) is None:
            self.report({"WARNING"}, "choose the armature first")
            return {"CANCELLED"}
        context.window.cursor_modal_set("EYEDROPPER")
        context.workspace.status_text_set(f"Click on a bone of {self.armature(context).name}    Esc: none")
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: Context, event: Event) -> Any:
        if event.type in ("ESC", "RIGHTMOUSE"):
            return self._end(context, {"CANCELLED"})
        if event.type != "LEFTMOUSE" or event.value != "PRESS":
            return {"PASS_THROUGH"} if event.type in ("MIDDLEMOUSE", "WHEELUPMOUSE", "WHEELDOWNMOUSE") else {"RUNNING_MODAL"}
        name = self._under(context, event.mouse_x, event.mouse_y)
        if not name:
            self.report({"WARNING"}, f"no bone of {self.armature(context).name} is near the click")
            return {"RUNNING_MODAL"}
        self._end(context, set())
        return self.set(context, name)

    def _end(self, context: Context, result: Any) -> Any:
        context.window.cursor_modal_restore()
        context.workspace.status_text_set(None)
        return result

    def _under(self, context: Context, x: int, y: int) -> str:
        """The bone that is nearest to a point of the window."""
        for area in context.window.screen.areas:
            region = next((part for part in area.regions if part.type == "WINDOW"), None)
            if area.type == "VIEW_3D" and region is not None and 0 <= x - region.x < region.width and 0 <= y - region.y < region.height:
                from .chain_edits import nearest_bone

                return nearest_bone(self.armature(context), region, area.spaces.active.region_3d, (x - region.x, y - region.y))
        return ""


CLASSES = (
    RETRO_ANIM_OT_retarget_chain,
    RETRO_ANIM_OT_retarget_chain_join,
    RETRO_ANIM_OT_retarget_chain_split,
    RETRO_ANIM_OT_retarget_bone_take,
    RETRO_ANIM_OT_retarget_bone_pick,
)
