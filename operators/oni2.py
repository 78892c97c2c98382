"""Oni 2: the importer, the exporter, and files dropped on the window."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, StringProperty
from bpy_extras.io_utils import ExportHelper, ImportHelper, poll_file_object_drop

from ..io import chosen, holder, oni2, oni2_export, oni2_figure
from . import job, oni2_choose
from .options import ExportActions, ImportClips, ImportFiles

_WHAT = ("entries", "skeleton", "mesh")
_HOW = ("scale", "bone_direction", "root_motion", "fps_mode", "frame_start", "limits")
_READING = ("order", "offset", "scale_channels", "facing", "beta")
"""What the sources about the game do not agree on."""

_FACING = (
    ("-Z", "-Z", "As the sources say: such a character looks along Blender's +Y"),
    ("+Z", "+Z", "Turned by half a turn"),
)
_WRITTEN = (".anim", ".skel")


class IMPORT_ANIM_OT_oni2(ImportFiles, ImportClips, bpy.types.Operator, ImportHelper):
    """Import animations, skeletons, meshes and whole characters of Oni 2 (Angel Studios): loose files, or entries of RB.DAT"""

    bl_idname = "import_anim.oni2"
    bl_label = "Import Oni 2"
    menu_label = "Oni 2 (.anim, .skel, .mod, .type, RB.DAT)"
    bl_options = {"UNDO", "PRESET"}

    filter_glob: StringProperty(default="*.anim;*.skel;*.mod;*.type;*.anims;*.dat", options={"HIDDEN"})
    entries: StringProperty(
        name="Entries",
        description="Which of an archive, by path: Entity/kno/* or numbers. An Entity.type brings the whole character. "
        "Empty: a list to choose from; a script gets all",
        options={"SKIP_SAVE"},
    )
    skeleton: StringProperty(
        name="Skeleton",
        description="A .skel, or RB.DAT#PATH. Empty: the active armature if it fits, else one found beside, else a made-up chain",
        options={"SKIP_SAVE"},
    )
    mesh: StringProperty(name="Mesh", description="A .mod besides, or RB.DAT#PATH", options={"SKIP_SAVE"})
    scale: FloatProperty(name="Scale", description="Metres a metre of the game", default=1.0, min=1e-6, soft_max=100.0, precision=4)
    fps_mode: EnumProperty(
        name="Frame Rate",
        items=(
            ("SET", "Set the Game's", "The scene takes 30 frames a second, so that the game's frames are whole ones"),
            ("KEEP", "Keep the Scene's", "Keys are placed for the scene's frame rate; the scene is not changed"),
        ),
        default="SET",
    )
    root_motion: EnumProperty(
        name="Root Motion",
        description="Where the character's way through the world goes; an export finds it in either place",
        items=(
            ("BONE", "Root Bone", "The root bone moves, as in the game"),
            ("OBJECT", "Object", "The armature object moves, from where it stands"),
            ("NONE", "In Place", "The character stays; the way is kept as a property of the root bone"),
        ),
        default="BONE",
    )
    limits: BoolProperty(name="Limits as Constraints", description="Limit Rotation constraints for the skeleton's rotation limits")
    order: EnumProperty(
        name="Channel Order",
        description="In which order a frame has the channels. It matters only where other bones than the root move or are scaled",
        items=(
            ("FILE", "As in the File", "Bone by bone, as the skeleton's lines stand"),
            ("BONE", "Bone by Bone", "Bone by bone, in each translation, rotation, scale, and x, y, z"),
            ("GROUPED", "Grouped", "All translations, then all rotations, then all scales"),
        ),
    )
    offset: EnumProperty(
        name="Translations",
        items=(
            ("REPLACE", "Replace the Offset", "An animated translation stands for the bone's offset"),
            ("ADD", "Add to the Offset", "An animated translation is added to the bone's offset"),
        ),
    )
    scale_channels: EnumProperty(
        name="Scale Channels",
        items=(("APPLY", "Apply", "Scale the bones"), ("IGNORE", "Ignore", "Keep the numbers as properties of the bones")),
    )
    facing: EnumProperty(name="Facing", description="Where characters look to in the game's axes", items=_FACING)
    beta: BoolProperty(
        name="Midtown Madness 2 Beta", description="Open animations of that dialect too, which only their size tells from other files"
    )
    ask: BoolProperty(default=False, options={"HIDDEN", "SKIP_SAVE"})

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        self.ask = True
        return self.invoke_popup(context)

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        for title, names in (("What", _WHAT), ("How", _HOW), ("Reading", _READING)):
            header, body = layout.panel(f"retro_anim_oni2_import_{title.lower()}", default_closed=names is _READING)
            header.label(text=title)
            if body:
                for name in names:
                    body.prop(self, name)

    def execute(self, context: bpy.types.Context) -> Any:
        paths = self.paths()
        if not paths:
            self.report({"ERROR"}, "no file was given")
            return {"CANCELLED"}
        passed = {name: getattr(self, name) for name in (*_HOW, *_READING, "skeleton")}
        if self.ask and len(paths) == 1 and not self.entries and oni2_choose.is_archive(paths[0]):
            return oni2_choose.ask(paths[0], {**passed, "mesh": self.mesh})
        options = oni2.ImportOptions(paths=paths, entries=self.entries, meshes=(self.mesh,) if self.mesh else (), **passed)
        done = job.run(self, context, lambda: oni2.import_oni2(context, options))
        if done is None:
            return {"CANCELLED"}
        self.report({"INFO"}, f"{len(done.armatures)} characters, {len(done.actions)} actions")
        return {"FINISHED"}


class EXPORT_ANIM_OT_oni2(ExportActions, bpy.types.Operator, ExportHelper):
    """Export actions as Oni 2 animations, or with the extension .skel armatures as its skeletons"""

    bl_idname = "export_anim.oni2"
    bl_label = "Export Oni 2"
    menu_label = "Oni 2 (.anim, .skel)"
    bl_options = {"PRESET"}

    filename_ext = ".anim"
    check_extension = None
    filter_glob: StringProperty(default="*.anim;*.skel", options={"HIDDEN"})
    kind: EnumProperty(
        name="Kind",
        items=(
            ("AUTO", "As Imported", "The kind the action came from; ANI1 for a new one"),
            ("ANI1", "ANI1", "Stride along three axes; may have the root's deltas"),
            ("ani", "ani", "Stride along three axes, and a loop byte"),
            ("null", "null", "Stride along Z, and a loop byte; as in Midtown Madness 2"),
        ),
    )
    deltas: EnumProperty(
        name="Root Deltas",
        description="How far the root goes with each frame, besides its channels",
        items=(
            ("AUTO", "As Imported", "Where the action came in with them"),
            ("WRITE", "Write", "Always, by the root's way where there are none"),
            ("LEAVE", "Leave Out", "Never"),
        ),
    )
    facing: EnumProperty(name="Facing", description="Where an armature that did not come from the game is to look to there", items=_FACING)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        found = chosen.chosen_actions(context, "ACTIVE", oni2.FORMAT)
        if found and not self.filepath:
            action = found[0][1]
            origin = holder.path_of(action)
            usable = Path(origin).suffix.lower() == ".anim" and Path(origin).parent.is_dir()
            self.filepath = origin if usable else f"{bpy.path.clean_name(action.name)}.anim"
        return super().invoke(context, event)

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        skeleton = self.filepath.lower().endswith(".skel")
        things = chosen.armatures(context, "ACTIVE")
        for name in ("source", "sampling", "kind", "deltas", "facing"):
            row = layout.row()
            row.enabled = not skeleton or name in ("source", "facing")
            if name == "facing":
                row.enabled = not all(map(oni2_figure.is_figure, things))
            row.prop(self, name)

    def execute(self, context: bpy.types.Context) -> Any:
        path = self.filepath if Path(self.filepath).suffix.lower() in _WRITTEN else f"{self.filepath}.anim"
        options = oni2_export.ExportOptions(path, self.source, self.sampling, self.kind, self.deltas, self.facing)
        written = job.run(self, context, lambda: oni2_export.export_oni2(context, options))
        if written is None:
            return {"CANCELLED"}
        self.report({"INFO"}, f"written: {', '.join(written[:3])}{f' and {len(written) - 3} more' if len(written) > 3 else ''}")
        return {"FINISHED"}


class IO_FH_oni2(bpy.types.FileHandler):
    bl_idname = "IO_FH_oni2"
    bl_label = "Oni 2"
    bl_import_operator = "import_anim.oni2"
    bl_file_extensions = ".anim;.skel;.mod;.type;.anims;.dat"

    @classmethod
    def poll_drop(cls, context: bpy.types.Context) -> bool:
        return poll_file_object_drop(context)


IMPORTERS = (IMPORT_ANIM_OT_oni2,)
EXPORTERS = (EXPORT_ANIM_OT_oni2,)
CLASSES = (IMPORT_ANIM_OT_oni2, EXPORT_ANIM_OT_oni2, IO_FH_oni2, *oni2_choose.CLASSES)
