"""What a person does with the bone map: found, edited, saved, loaded; its lines joined and split."""

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import BoolProperty, StringProperty
from bpy.types import Context, Event, Operator
from bpy_extras.io_utils import ExportHelper, ImportHelper

from ....core.reporting.errors import RetroAnimError
from ....core.reporting.labels import counted
from ...shared import job
from .. import changed, wants_look
from ..settings import settings_of

if TYPE_CHECKING:
    from ....core.retarget.figures.maps.bone_map import BoneMap


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
        from ....core.retarget.figures.maps import map_library
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
        from ....core.retarget.figures.maps import map_library
        from . import map_table

        loaded = job.run(self, context, lambda: map_library.load(bpy.path.abspath(self.filepath)), aside=True)
        if loaded is None:
            return {"CANCELLED"}
        settings = settings_of(context)
        map_table.fill(settings, loaded)
        settings.edited = True
        return {"FINISHED"}


class OnLine:
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


class RETRO_ANIM_OT_retarget_chain(OnLine, Operator):
    """Make a chain of the bones selected in the target, which follows those selected in the source, or what they followed before"""

    bl_idname = "retro_anim.retarget_chain"
    bl_label = "Chain of Selected Bones"

    def execute(self, context: Context) -> Any:
        from . import chain_edits

        return self.edit(context, lambda settings, _line: chain_edits.make(context, settings))


class RETRO_ANIM_OT_retarget_chain_join(OnLine, Operator):
    """Join the line with the one whose bones come next below it, to one chain"""

    bl_idname = "retro_anim.retarget_chain_join"
    bl_label = "Join with Next"

    def execute(self, context: Context) -> Any:
        from . import chain_edits

        return self.edit(context, chain_edits.join)


class RETRO_ANIM_OT_retarget_chain_split(OnLine, Operator):
    """Split the chain before the active bone of the target, or in the middle, the source's at the same part"""

    bl_idname = "retro_anim.retarget_chain_split"
    bl_label = "Split"

    at: StringProperty(name="Bone", description="Of the target, with which the second part begins", options={"SKIP_SAVE"})

    def execute(self, context: Context) -> Any:
        from . import chain_edits

        active = getattr(context, "active_pose_bone", None)
        return self.edit(context, lambda settings, line: chain_edits.split(settings, line, self.at, active))


CLASSES = (
    RETRO_ANIM_OT_retarget_map,
    RETRO_ANIM_OT_retarget_map_add,
    RETRO_ANIM_OT_retarget_map_remove,
    RETRO_ANIM_OT_retarget_map_save,
    RETRO_ANIM_OT_retarget_map_load,
    RETRO_ANIM_OT_retarget_chain,
    RETRO_ANIM_OT_retarget_chain_join,
    RETRO_ANIM_OT_retarget_chain_split,
)
