"""Tales of Pirates: the importer, the exporter, and files dropped on the window."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty
from bpy_extras.io_utils import ExportHelper, ImportHelper, poll_file_object_drop

from ..core.errors import RetroAnimError
from ..io import holder, mindpower, mindpower_export
from . import job, mindpower_choose
from .options import ExportActions, ImportCharacters, ImportFiles

_WHAT = ("entries", "parts", "skeleton", "table", "action_type")
_HOW = ("actions", "helper_bones", "scale", "bone_direction", "fps_mode", "frame_start")
_WRITTEN = (".lab", ".lgo")


class IMPORT_ANIM_OT_mindpower(ImportFiles, ImportCharacters, bpy.types.Operator, ImportHelper):
    """Import characters of Tales of Pirates: skeletons with their meshes, textures and actions, or single meshes"""

    bl_idname = "import_anim.mindpower"
    bl_label = "Import Tales of Pirates"
    menu_label = "Tales of Pirates (.lab, .lgo)"
    bl_options = {"UNDO", "PRESET"}

    filter_glob: StringProperty(default="*.lab;*.lgo;*.tx;CharacterInfo.txt", options={"HIDDEN"})
    entries: StringProperty(
        name="Characters",
        description="Of the client's folder: numbers of skeletons or names, such as 88, Attendant. Empty: the file itself",
        options={"SKIP_SAVE"},
    )
    parts: StringProperty(
        name="Parts",
        description="Which meshes: suits (3), parts of a suit (3/2), or 'all'. Empty: those that the game shows, of a player one suit",
        options={"SKIP_SAVE"},
    )
    skeleton: StringProperty(
        name="Skeleton",
        description="For a mesh: the .lab. Empty: the active armature if it fits, else the one found for the mesh",
        options={"SKIP_SAVE"},
    )
    table: StringProperty(
        name="Action Table", description="CharacterAction.tx. Empty: the client's, or the one beside the file", options={"SKIP_SAVE"}
    )
    action_type: IntProperty(
        name="Action Type",
        description="The character's number in the action table. 0: by the list of characters",
        default=0,
        min=0,
    )
    actions: EnumProperty(
        name="Actions",
        items=(
            ("RANGES", "One a Range", "An action for every range of frames that the action table names, from its own start"),
            ("TIMELINE", "One Time Line", "One long action with a marker where each range starts"),
        ),
        default="RANGES",
    )
    helper_bones: BoolProperty(
        name="Helper Bones",
        description="Two more bones below each sheared one, which Blender's bones cannot hold alone, so that the mesh is exact",
        default=False,
    )
    scale: FloatProperty(name="Scale", description="Metres a game unit", default=1.0, min=1e-6, soft_max=100.0, precision=4)

    ask: BoolProperty(default=False, options={"HIDDEN", "SKIP_SAVE"})

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        self.ask = True
        return self.invoke_popup(context)

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        for title, names in (("What", _WHAT), ("How", _HOW)):
            header, body = layout.panel(f"retro_anim_mindpower_import_{title.lower()}")
            header.label(text=title)
            if body:
                for name in names:
                    body.prop(self, name)

    def execute(self, context: bpy.types.Context) -> Any:
        paths = self.paths() or ((self.directory,) if self.directory else ())
        if not paths:
            self.report({"ERROR"}, "no file was given")
            return {"CANCELLED"}
        if self.ask and len(paths) == 1 and not self.entries and not self.parts and self._choices(paths[0]):
            passed = {name: getattr(self, name) for name in (*_WHAT, *_HOW)}
            importers: Any = bpy.ops.import_anim
            importers.mindpower_choose("INVOKE_DEFAULT", filepath=paths[0], options=json.dumps(passed))
            return {"CANCELLED"}  # nothing was changed yet: the list's own operator makes the undo step
        options = mindpower.ImportOptions(paths=paths, **{name: getattr(self, name) for name in (*_WHAT, *_HOW)})
        done = job.run(self, context, lambda: mindpower.import_mindpower(context, options))
        if done is None:
            return {"CANCELLED"}
        self.report({"INFO"}, f"{len(done.armatures)} characters, {len(done.meshes)} meshes, {len(done.actions)} actions")
        return {"FINISHED"}

    def _choices(self, path: str) -> bool:
        """Whether there is a list to choose from."""
        try:
            return bool(mindpower_choose.lines(path)[1])
        except RetroAnimError:
            return False  # the import says it better


class EXPORT_ANIM_OT_mindpower(ExportActions, bpy.types.Operator, ExportHelper):
    """Export a character of Tales of Pirates: its actions joined to one skeleton file, with the action table; or a mesh"""

    bl_idname = "export_anim.mindpower"
    bl_label = "Export Tales of Pirates"
    menu_label = "Tales of Pirates (.lab, .lgo)"
    bl_options = {"PRESET"}

    filename_ext = ".lab"
    check_extension = None
    filter_glob: StringProperty(default="*.lab;*.lgo", options={"HIDDEN"})
    source: EnumProperty(
        name="Source",
        description="What is joined; the file's other frames stay as they were",
        items=(
            ("ACTIVE", "Active Action", "The action of the active armature"),
            ("SELECTED", "Selected Armatures", "The actions of all selected armatures, a file for each"),
            ("ALL", "All Actions", "All actions of the active armature, and new ones that have a number"),
            ("NLA", "NLA Strips", "The actions of the active armature's NLA strips"),
        ),
        default="ALL",
    )
    key_type: EnumProperty(
        name="Keys",
        items=(
            ("AUTO", "As Needed", "As in the file; of a new one quaternions, or matrices where anything is scaled or mirrored"),
            ("QUAT", "Quaternions", "Refused where anything is scaled or mirrored"),
            ("MAT43", "Matrices", "Matrices of three columns"),
            ("MAT44", "Full Matrices", "Matrices of four columns, which no known file has"),
        ),
        default="AUTO",
    )
    table: StringProperty(
        name="Action Table",
        description="Where the ranges are written; what is there of other characters stays. Empty: CharacterAction.tx beside the file",
        options={"SKIP_SAVE"},
    )
    meshes: BoolProperty(name="Meshes", description="Also write the character's meshes, beside the skeleton", default=False)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        thing = context.object
        data = thing.data if thing is not None and thing.type in ("ARMATURE", "MESH") else None
        if data is not None and not self.filepath:
            origin = holder.path_of(data)
            suffix = ".lgo" if thing is not None and thing.type == "MESH" else ".lab"
            self.filepath = origin if origin and Path(origin).parent.is_dir() else f"{bpy.path.clean_name(data.name)}{suffix}"
        return super().invoke(context, event)

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        for name in ("source", "sampling", "key_type", "table", "meshes"):
            layout.prop(self, name)

    def execute(self, context: bpy.types.Context) -> Any:
        path = self.filepath if Path(self.filepath).suffix.lower() in _WRITTEN else f"{self.filepath}.lab"
        options = mindpower_export.ExportOptions(path, self.source, self.sampling, self.key_type, self.table, self.meshes)
        written = job.run(self, context, lambda: mindpower_export.export_mindpower(context, options))
        if written is None:
            return {"CANCELLED"}
        self.report({"INFO"}, f"written: {', '.join(written[:3])}{f' and {len(written) - 3} more' if len(written) > 3 else ''}")
        return {"FINISHED"}


class IO_FH_mindpower(bpy.types.FileHandler):
    bl_idname = "IO_FH_mindpower"
    bl_label = "Tales of Pirates"
    bl_import_operator = "import_anim.mindpower"
    bl_file_extensions = ".lab;.lgo"

    @classmethod
    def poll_drop(cls, context: bpy.types.Context) -> bool:
        return poll_file_object_drop(context)


IMPORTERS = (IMPORT_ANIM_OT_mindpower,)
EXPORTERS = (EXPORT_ANIM_OT_mindpower,)
CLASSES = (*mindpower_choose.CLASSES, IMPORT_ANIM_OT_mindpower, EXPORT_ANIM_OT_mindpower, IO_FH_mindpower)
