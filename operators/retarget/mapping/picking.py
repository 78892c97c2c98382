"""Bones that a person picks for a line of the bone map: the selected one, or one clicked on in the view."""

from typing import Any

from bpy.props import EnumProperty, IntProperty
from bpy.types import Context, Event, Object, Operator

from ....core.reporting.errors import RetroAnimError
from ...shared import job
from ..settings import armatures_of, settings_of
from .lines import OnLine

_FIELDS = tuple((name, name, "") for name in ("source", "target", "source_start", "source_end", "target_start", "target_end"))


class _Picking(OnLine):
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
        """The one that has the bone; None where nobody is chosen."""
        return armatures_of(settings_of(context))[self.field.startswith("target")]

    def settled(self: Any, context: Context) -> Any:
        """The same, also where the selection means it; that nobody is chosen is reported."""
        from . import bone_map

        return job.run(self, context, lambda: bone_map.settle(context)[self.field.startswith("target")], aside=True)


class RETRO_ANIM_OT_retarget_bone_take(_Picking, Operator):
    """Take the bone that is active in the armature"""

    bl_idname = "retro_anim.retarget_bone_take"
    bl_label = "Take Selected Bone"

    line: IntProperty(options={"SKIP_SAVE"})
    field: EnumProperty(items=_FIELDS, options={"SKIP_SAVE"})

    def execute(self, context: Context) -> Any:
        from . import chain_edits

        obj = self.settled(context)
        if obj is None:
            return {"CANCELLED"}
        name = chain_edits.selected_bone(context, obj)
        if not name:
            self.report({"WARNING"}, f"select a bone of {obj.name} in pose mode")
            return {"CANCELLED"}
        return self.set(context, name)


class RETRO_ANIM_OT_retarget_bone_pick(_Picking, Operator):
    """Click on a bone in the view; Esc: leave it as it is"""

    bl_idname = "retro_anim.retarget_bone_pick"
    bl_label = "Pick Bone"

    line: IntProperty(options={"SKIP_SAVE"})
    field: EnumProperty(items=_FIELDS, options={"SKIP_SAVE"})

    def invoke(self, context: Context, event: Event) -> Any:
        obj = self.settled(context)
        if obj is None:
            return {"CANCELLED"}
        context.window.cursor_modal_set("EYEDROPPER")
        context.workspace.status_text_set(f"Click on a bone of {obj.name}    Esc: Cancel")
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: Context, event: Event) -> Any:
        if event.type in ("ESC", "RIGHTMOUSE"):
            return self._end(context, {"CANCELLED"})
        if event.type != "LEFTMOUSE" or event.value != "PRESS":
            return {"PASS_THROUGH"} if event.type in ("MIDDLEMOUSE", "WHEELUPMOUSE", "WHEELDOWNMOUSE") else {"RUNNING_MODAL"}
        obj = self.armature(context)
        if obj is None:  # deleted from another window
            return self._end(context, {"CANCELLED"})
        name = self._under(context, obj, event.mouse_x, event.mouse_y)
        if not name:
            self.report({"WARNING"}, f"no bone of {obj.name} is near the click")
            return {"RUNNING_MODAL"}
        self._end(context, set())
        return self.set(context, name)

    def cancel(self, context: Context) -> None:
        """Blender ends it: its window is closed, and others have the same status bar; or another file is opened."""
        self._end(context, set())

    def _end(self, context: Context, result: Any) -> Any:
        if context.window is not None:
            context.window.cursor_modal_restore()
        if context.workspace is not None:
            context.workspace.status_text_set(None)
        return result

    def _under(self, context: Context, obj: Object, x: int, y: int) -> str:
        from . import chain_edits

        return chain_edits.bone_under(context, obj, (x, y))


CLASSES = (RETRO_ANIM_OT_retarget_bone_take, RETRO_ANIM_OT_retarget_bone_pick)
