"""The bone map of the side panel: filled, edited, saved, loaded, and remembered for the next time."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import BoolProperty, StringProperty
from bpy.types import Context, Event, Object, Operator
from bpy_extras.io_utils import ExportHelper, ImportHelper

from ...core.reporting.errors import RetroAnimError
from ...core.reporting.labels import counted
from ..shared import job
from ..shared.panel import active_armature, selected_armatures
from . import changed, wants_look
from .settings import armatures_of, settings_of

if TYPE_CHECKING:
    from ...core.retarget.figures.bone_map import BoneMap

PACKAGE = __package__.rpartition(".")[0]


def folder() -> Path:
    """Where accepted maps are kept: the extension's own folder of the user, or for a checkout Blender's."""
    try:
        return Path(bpy.utils.extension_path_user(PACKAGE, path="bone_maps"))
    except ValueError:
        return Path(bpy.utils.user_resource("DATAFILES", path="retro_anim")) / "bone_maps"


def pick(context: Context, source: str = "", target: str = "") -> tuple[Object, Object]:
    """Source and target: by name, else the panel's, else the selection, of which the active armature is the target. A mesh stands for the
    armature that deforms it.

    Raises RetroAnimError where there are not two."""
    shown = armatures_of(settings_of(context))
    chosen = [_named(context, name) if name else obj for name, obj in zip((source, target), shown, strict=True)]
    selected = [obj for obj in selected_armatures(context) if obj not in chosen]
    active = active_armature(context)
    if chosen[1] is None and active in selected and (chosen[0] is not None or len(selected) > 1):
        chosen[1] = active
        selected.remove(active)
    for position, obj in enumerate(chosen):
        if obj is None and selected:
            chosen[position] = selected.pop(0)
    first, second = chosen
    if first is None or second is None:
        raise RetroAnimError("choose Source and Target, or select the armature that moves, then with Shift the one that follows")
    return first, second


def _named(context: Context, name: str) -> Object:
    obj = context.scene.objects.get(name)
    if obj is None or obj.type != "ARMATURE":
        raise RetroAnimError(f"there is no armature {name}")
    return obj


def find(source: Object, target: Object, anew: bool = False) -> "BoneMap":
    """The map that was accepted for these skeletons before, unless `anew`; else the one that names and structure give."""
    from ...core.retarget.figures import map_library
    from ...core.retarget.mapping.mapping import map_bones
    from ...io.retarget.reading.read import figure_of

    first, second = figure_of(source), figure_of(target)
    known = None if anew else map_library.recall(folder(), first, second)
    result = known or map_bones(first, second)
    result = map_library.with_poses(folder(), result, first, second)
    if not result.pairs and not result.chains:
        raise RetroAnimError(f"no bone of {target.name} is like one of {source.name}; pair them by hand")
    return result


def present(context: Context, source: Object, target: Object) -> "BoneMap":
    """The table's map where it is about these armatures; else the one that is found, which the table then shows."""
    from . import map_table

    settings = settings_of(context)
    if fits(settings, source, target):
        return map_table.read(settings)
    bone_map = find(source, target)
    settings.source, settings.target = source, target
    map_table.fill(settings, bone_map)
    return bone_map


def fits(settings: Any, source: Object, target: Object) -> bool:
    """Whether the table is about these armatures. A map from a file may not name them: then some of its bones must be there."""
    from ...io.blender import armature
    from ...io.retarget.reading.read import figure_of

    prints = settings.source_fingerprint, settings.target_fingerprint
    if not len(settings.pairs):
        return False
    if all(prints):
        return prints == (figure_of(source).fingerprint, figure_of(target).fingerprint)
    return any(line.target in armature.pose_bones(target) and line.source in armature.pose_bones(source) for line in settings.pairs)


def printed(bone_map: "BoneMap", source: Object, target: Object) -> "BoneMap":
    """The map with the fingerprints of both armatures."""
    from ...io.retarget.reading.read import figure_of

    return replace(bone_map, source_fingerprint=figure_of(source).fingerprint, target_fingerprint=figure_of(target).fingerprint)


def remember(bone_map: "BoneMap") -> None:
    """Keep an accepted map. That this fails is only worth a warning."""
    from ...core.reporting import log
    from ...core.retarget.figures import map_library

    try:
        map_library.remember(folder(), bone_map)
    except RetroAnimError as error:
        log.warning(f"the bone map is not remembered: {error}")


class RETRO_ANIM_OT_retarget_map(Operator):
    """Find out which bone follows which, by names and structure, or as it was accepted before"""

    bl_idname = "retro_anim.retarget_map"
    bl_label = "Map Bones"
    bl_options = {"UNDO"}

    source: StringProperty(name="Source", options={"SKIP_SAVE"})
    target: StringProperty(name="Target", options={"SKIP_SAVE"})
    anew: BoolProperty(name="Anew", description="Do not take a map that was accepted before", options={"SKIP_SAVE"})

    def execute(self, context: Context) -> Any:
        result = job.run(self, context, lambda: self._find(context))
        if result is None:
            return {"CANCELLED"}
        doubtful = sum(wants_look(line) for line in (*result.pairs, *result.chains))
        self.report({"INFO"}, f"{counted(len(result.pairs), 'pair')}, {counted(len(result.chains), 'chain')}, {doubtful} to look at")
        return {"FINISHED"}

    def _find(self, context: Context) -> "BoneMap":
        from . import map_table

        settings = settings_of(context)
        source, target = pick(context, self.source, self.target)
        result = find(source, target, self.anew)
        settings.source, settings.target = source, target
        map_table.fill(settings, result)
        return result


class RETRO_ANIM_OT_retarget_map_add(Operator):
    """Add a line to the table"""

    bl_idname = "retro_anim.retarget_map_add"
    bl_label = "Add Pair"
    bl_options = {"UNDO", "INTERNAL"}

    def execute(self, context: Context) -> Any:
        settings = settings_of(context)
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
        from ...core.files.file_names import file_name

        settings = settings_of(context)
        if not self.filepath and settings.source is not None and settings.target is not None:
            self.filepath = file_name(f"{settings.source.name} to {settings.target.name}") + ".json"
        return super().invoke(context, event)

    def execute(self, context: Context) -> Any:
        from ...core.retarget.figures import map_library
        from . import map_table

        def save() -> bool:
            map_library.save(bpy.path.abspath(self.filepath), map_table.read(settings_of(context)))
            return True

        return {"FINISHED"} if job.run(self, context, save) else {"CANCELLED"}


class RETRO_ANIM_OT_retarget_map_load(JsonFile, Operator, ImportHelper):
    """Load a bone map from JSON"""

    bl_idname = "retro_anim.retarget_map_load"
    bl_label = "Load Bone Map"
    bl_options = {"UNDO"}

    def execute(self, context: Context) -> Any:
        from ...core.retarget.figures import map_library
        from . import map_table

        loaded = job.run(self, context, lambda: map_library.load(bpy.path.abspath(self.filepath)))
        if loaded is None:
            return {"CANCELLED"}
        settings = settings_of(context)
        map_table.fill(settings, loaded)
        settings.edited = True
        return {"FINISHED"}


class RETRO_ANIM_OT_retarget_swap(Operator):
    """Exchange source and target, with the bone map: the reverse direction"""

    bl_idname = "retro_anim.retarget_swap"
    bl_label = "Exchange Source and Target"
    bl_options = {"UNDO"}

    def execute(self, context: Context) -> Any:
        from . import map_table

        settings = settings_of(context)
        settings.source, settings.target = settings.target, settings.source
        result = job.run(self, context, lambda: map_table.read(settings).reversed())
        if result is None:
            return {"CANCELLED"}
        map_table.fill(settings, result)
        return {"FINISHED"}


CLASSES = (
    RETRO_ANIM_OT_retarget_map,
    RETRO_ANIM_OT_retarget_map_add,
    RETRO_ANIM_OT_retarget_map_remove,
    RETRO_ANIM_OT_retarget_map_save,
    RETRO_ANIM_OT_retarget_map_load,
    RETRO_ANIM_OT_retarget_swap,
)
