"""Tales of Pirates: the importer, the exporter, and files dropped on the window."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty

from ...core.reporting.errors import RetroAnimError
from ...io.blender import scene
from ...io.mindpower import build
from ...io.mindpower import write as mindpower_export
from ..shared import choose, contents
from ..shared.base import Exporter, Importer, file_handler
from ..shared.options import ExportActions, ImportCharacters


class IMPORT_ANIM_OT_mindpower(ImportCharacters, Importer, bpy.types.Operator):
    """Import characters of Tales of Pirates: skeletons with their meshes, textures and actions, or single meshes"""

    bl_idname = "import_anim.mindpower"
    bl_label = "Import Tales of Pirates"
    menu_label = "Tales of Pirates (.lab, .lgo)"
    bl_options = {"UNDO", "PRESET"}
    groups = {
        "What": ("entries", "parts", "skeleton", "table", "action_type"),
        "How": ("actions", "helper_bones", "scale", "bone_direction", "fps_mode", "frame_start"),
    }

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

    def execute(self, context: bpy.types.Context) -> Any:
        paths = self.paths() or ((self.directory,) if self.directory else ())
        if not paths:
            return self.nothing()
        if self.ask and len(paths) == 1 and not self.entries and not self.parts and self._choices(paths[0]):
            return choose.ask(self, "mindpower", paths[0], self.values("entries", "parts"))
        options = build.ImportOptions(paths=paths, **self.values())
        return self.fetch(context, lambda: build.import_mindpower(context, options))

    def _choices(self, path: str) -> bool:
        """Whether there is a list to choose from."""
        try:
            return any(contents.of_mindpower(path, {}).values())
        except RetroAnimError:
            return False  # the import says it better


class EXPORT_ANIM_OT_mindpower(ExportActions, Exporter, bpy.types.Operator):
    """Export a character of Tales of Pirates: its actions joined to one skeleton file, with the action table; or a mesh"""

    bl_idname = "export_anim.mindpower"
    bl_label = "Export Tales of Pirates"
    menu_label = "Tales of Pirates (.lab, .lgo)"
    bl_options = {"PRESET"}
    names = ("source", "sampling", "key_type", "table", "with_meshes")
    kinds = (".lab", ".lgo")

    filename_ext = ".lab"
    filter_glob: StringProperty(default="*.lab;*.lgo", options={"HIDDEN"})
    source: EnumProperty(
        name="Source",
        description="What is joined; the file's other frames stay as they were",
        items=(
            ("ACTIVE", "Active Action", "The action of the active armature"),
            ("SELECTED", "Selected Armatures", "The actions of all selected armatures, a file for each"),
            ("ALL", "All Actions", "All actions of the active armature, new ones too"),
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
        description="Where ranges are written; other characters' stay. Empty: the client's own, or CharacterAction.tx beside the file",
        options={"SKIP_SAVE"},
    )
    with_meshes: BoolProperty(
        name="Meshes",
        description="Also write the character's meshes and changed pictures, into the client's own folders or beside the skeleton",
        default=False,
    )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        obj = scene.active(context)
        data = obj.data if obj is not None and obj.type in ("ARMATURE", "MESH") else None
        self.suggest(data, self.kinds if isinstance(data, bpy.types.Armature) else self.kinds[::-1])
        return super().invoke(context, event)

    def execute(self, context: bpy.types.Context) -> Any:
        options = mindpower_export.ExportOptions(
            path=self.path(),
            source=self.source,
            sampling=self.sampling,
            key_type=self.key_type,
            table=self.table,
            with_meshes=self.with_meshes,
            overwrite=self.overwrite,
        )
        return self.write(context, lambda: mindpower_export.export_mindpower(context, options))


IMPORTERS = (IMPORT_ANIM_OT_mindpower,)
EXPORTERS = (EXPORT_ANIM_OT_mindpower,)
CLASSES = (
    IMPORT_ANIM_OT_mindpower,
    EXPORT_ANIM_OT_mindpower,
    file_handler(IMPORT_ANIM_OT_mindpower, "Tales of Pirates", ".lab;.lgo"),
)
