"""What a person does with the bone map: found, edited, saved, loaded; its lines joined and split, and bones picked for them."""

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import BoolProperty, EnumProperty, IntProperty, StringProperty
from bpy.types import Context, Event, Object, Operator
from bpy_extras.io_utils import ExportHelper, ImportHelper

from ....core.reporting.errors import RetroAnimError
from ....core.reporting.labels import counted
from ...shared import job
from .. import changed, wants_look
from ..settings import armatures_of, settings_of

if TYPE_CHECKING:
    from ....core.retarget.figures.bone_map import BoneMap

_FIELDS = tuple((name, name, "") for name in ("source", "target", "source_start", "source_end", "target_start", "target_end"))


class RETRO_ANIM_OT_retarget_map(Operator):
    """Find out which bone follows which, by names and structure, or as it was accepted before"""

    bl_idname = "retro_anim.retarget_map"
    bl_label = "Map Bones"
    bl_options = {"UNDO"}

    source: StringProperty(name="Source", options={"SKIP_SAVE"})
    target: StringProperty(name="Target", options={"SKIP_SAVE"})
    anew: BoolProperty(name="Anew", description="Do not take a map that was accepted before", options={"SKIP_SAVE"})

    def execute(self, context: Context) -> Any:
        result = job.run(self, context, lambda: self._find(context), aside=True)
        if result is None:
            return {"CANCELLED"}
        doubtful = sum(wants_look(line) for line in result.lines)
        self.report({"INFO"}, f"{counted(len(result.pairs), 'pair')}, {counted(len(result.chains), 'chain')}, {doubtful} to look at")
        return {"FINISHED"}

    def _find(self, context: Context) -> "BoneMap":
        from . import bone_map, map_table

        settings = settings_of(context)
        source, target = bone_map.pick(context, self.source, self.target)
        result = bone_map.find(source, target, self.anew)
        settings.source, settings.target = source, target
        map_table.fill(settings, result)
        return result


class RETRO_ANIM_OT_retarget_map_add(Operator):
    """Add a line to the table"""

    bl_idname = "retro_anim.retarget_map_add"
    bl_label = "Add Pair"
    bl_options = {"UNDO", "INTERNAL"}

    def execute(self, context: Context) -> Any:
        from . import bone_map

        settings = settings_of(context)
        with suppress(RetroAnimError):  # the line can be made before anybody is chosen
            bone_map.settle(context)
        line = settings.pairs.add()
        active = getattr(context, "active_pose_bone", None)
        if active is not None and active.id_data == settings.target:
            line.target = active.name
        line.name, line.by_hand = "new", True
        settings.index = len(settings.pairs) - 1
        settings.edited = True
        changed()
        return {"FINISHED"}


class RETRO_ANIM_OT_retarget_map_remove(Operator):
    """Remove the line from the table: its target bone follows nothing"""

    bl_idname = "retro_anim.retarget_map_remove"
    bl_label = "Remove Pair"
    bl_options = {"UNDO", "INTERNAL"}

    def execute(self, context: Context) -> Any:
        settings = settings_of(context)
        if not 0 <= settings.index < len(settings.pairs):
            return {"CANCELLED"}
        settings.pairs.remove(settings.index)
        settings.index = max(0, min(settings.index, len(settings.pairs) - 1))
        settings.edited = True
        changed()
        return {"FINISHED"}


class JsonFile:
    """A file dialog for JSON."""

    filename_ext = ".json"
    filepath: StringProperty(name="File", subtype="FILE_PATH", options={"SKIP_SAVE", "HIDDEN"})
    filter_glob: StringProperty(default="*.json", options={"HIDDEN"})


class RETRO_ANIM_OT_retarget_map_save(JsonFile, Operator, ExportHelper):
    """Save the bone map as JSON"""

    bl_idname = "retro_anim.retarget_map_save"
    bl_label = "Save Bone Map"

    def invoke(self, context: Context, event: Event) -> Any:
        from ....core.files.file_names import file_name

        settings = settings_of(context)
        if not self.filepath and settings.source is not None and settings.target is not None:
            self.filepath = file_name(f"{settings.source.name} to {settings.target.name}") + ".json"
        return super().invoke(context, event)

    def execute(self, context: Context) -> Any:
        from ....core.retarget.figures import map_library
        from . import map_table

        def save() -> bool:
            map_library.save(bpy.path.abspath(self.filepath), map_table.read(settings_of(context)))
            return True

        return {"FINISHED"} if job.run(self, context, save, aside=True) else {"CANCELLED"}


class RETRO_ANIM_OT_retarget_map_load(JsonFile, Operator, ImportHelper):
    """Load a bone map from JSON"""

    bl_idname = "retro_anim.retarget_map_load"
    bl_label = "Load Bone Map"
    bl_options = {"UNDO"}

    def execute(self, context: Context) -> Any:
        from ....core.retarget.figures import map_library
        from . import map_table

        loaded = job.run(self, context, lambda: map_library.load(bpy.path.abspath(self.filepath)), aside=True)
        if loaded is None:
            return {"CANCELLED"}
        settings = settings_of(context)
        map_table.fill(settings, loaded)
        settings.edited = True
        return {"FINISHED"}


class _OnLine:
    """What the operators on the active line share."""

    bl_options = {"UNDO", "INTERNAL"}  # as Blender wants it

    def edit(self: Any, context: Context, work: Callable[[Any, Any], None]) -> Any:
        """Do something with the settings and their active line."""
        from . import bone_map

        def all_of_it() -> bool:
            settings = settings_of(context)
            bone_map.settle(context)
            line = settings.pairs[settings.index] if 0 <= settings.index < len(settings.pairs) else None
            work(settings, line)
            settings.edited = True
            changed()
            return True

        return {"FINISHED"} if job.run(self, context, all_of_it, aside=True) else {"CANCELLED"}


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
        context.workspace.status_text_set(f"Click on a bone of {obj.name}    Esc: none")
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

    def _end(self, context: Context, result: Any) -> Any:
        context.window.cursor_modal_restore()
        context.workspace.status_text_set(None)
        return result

    def _under(self, context: Context, obj: Object, x: int, y: int) -> str:
        from . import chain_edits

        return chain_edits.bone_under(context, obj, (x, y))


CLASSES = (
    RETRO_ANIM_OT_retarget_map,
    RETRO_ANIM_OT_retarget_map_add,
    RETRO_ANIM_OT_retarget_map_remove,
    RETRO_ANIM_OT_retarget_map_save,
    RETRO_ANIM_OT_retarget_map_load,
    RETRO_ANIM_OT_retarget_chain,
    RETRO_ANIM_OT_retarget_chain_join,
    RETRO_ANIM_OT_retarget_chain_split,
    RETRO_ANIM_OT_retarget_bone_take,
    RETRO_ANIM_OT_retarget_bone_pick,
)
