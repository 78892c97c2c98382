"""Oni: the importer, the exporter, and files dropped on the window."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty
from bpy_extras.io_utils import ExportHelper, ImportHelper, poll_file_object_drop

from ..io import holder, oni, oni_export
from . import job, oni_choose
from .options import ExportClips, ImportClips, ImportFiles

_HOW = ("scale", "bone_direction", "root_motion", "keys", "fps_mode", "frame_start")
_WHAT = ("entries", "skeleton", "detail", "meshes", "target")
_WRITTEN = (".oni", ".xml")


class IMPORT_ANIM_OT_oni(ImportFiles, ImportClips, bpy.types.Operator, ImportHelper):
    """Import animations, object animations and bodies of Oni: .oni files, entries of a level, OniSplit's XML"""

    bl_idname = "import_anim.oni"
    bl_label = "Import Oni"
    menu_label = "Oni (.oni, .dat, .xml)"
    bl_options = {"UNDO", "PRESET"}

    filter_glob: StringProperty(default="*.oni;*.dat;*.xml", options={"HIDDEN"})
    entries: StringProperty(
        name="Entries",
        description="Instances of a level: TRAMKONOKOidle1, TRAMKONCOM* or numbers. Empty: a list to choose from; a script gets all",
        options={"SKIP_SAVE"},
    )
    skeleton: StringProperty(
        name="Body",
        description="ONCC, TRBS or TRCM: a .oni, or LEVEL.dat#NAME. Empty: the active armature if it fits, else one found beside",
        options={"SKIP_SAVE"},
    )
    detail: IntProperty(name="Level of Detail", description="Of the body: 4 has the most triangles", default=4, min=0, max=4)
    meshes: EnumProperty(
        name="Meshes",
        items=(
            ("ONE", "One Mesh", "The whole body as one skinned mesh"),
            ("SEPARATE", "One a Bone", "Each bone's mesh as an object of its own"),
            ("NONE", "None", "Only the armature"),
        ),
        default="ONE",
    )
    target: EnumProperty(
        name="Object Animations",
        description="What an object animation moves",
        items=(
            ("EMPTY", "A New Empty", "An empty named after the animation"),
            ("CAMERA", "A New Camera", "A camera that looks as the game's do"),
            ("ACTIVE", "The Active Object", "The object that is active now"),
        ),
        default="EMPTY",
    )
    keys: EnumProperty(
        name="Keys",
        items=(
            ("GAME", "The Game's", "Keys where the game has them; in between Blender goes the straight way of the quaternions"),
            ("EVERY", "Every Frame", "A key every frame, on the way that the game goes; those put in between are left out by an export"),
        ),
        default="GAME",
    )
    scale: FloatProperty(name="Scale", description="Metres a game unit", default=0.1, min=1e-6, soft_max=1.0, precision=4)
    fps_mode: EnumProperty(
        name="Frame Rate",
        items=(
            ("SET", "Set the Game's", "The scene takes 60 frames a second, so that the game's frames are whole ones"),
            ("KEEP", "Keep the Scene's", "Keys are placed for the scene's frame rate; the scene is not changed"),
        ),
        default="SET",
    )
    root_motion: EnumProperty(
        name="Root Motion",
        description="Where the character's way through the world goes; an export finds it in either place",
        items=(
            ("BONE", "Root Bone", "The pelvis moves, as in the game"),
            ("OBJECT", "Object", "The armature object moves, from where it stands; the height stays the pelvis's"),
            ("NONE", "In Place", "The character stays; the way is kept as properties of the pelvis"),
        ),
        default="BONE",
    )
    bone_direction: EnumProperty(
        name="Bone Direction",
        items=(
            ("GAME", "Along the Limb", "Each bone along the game's own axis, on which nearly all limbs lie"),
            ("CHILD", "Towards Child", "Each bone points exactly at its child; no less exact"),
        ),
        default="GAME",
    )

    ask: BoolProperty(default=False, options={"HIDDEN", "SKIP_SAVE"})

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        self.ask = True
        return self.invoke_popup(context)

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        for title, names in (("What", _WHAT), ("How", _HOW)):
            header, body = layout.panel(f"retro_anim_oni_import_{title.lower()}")
            header.label(text=title)
            if body:
                for name in names:
                    body.prop(self, name)

    def execute(self, context: bpy.types.Context) -> Any:
        paths = self.paths()
        if not paths:
            self.report({"ERROR"}, "no file was given")
            return {"CANCELLED"}
        passed = {name: getattr(self, name) for name in (*_WHAT, *_HOW)}
        if self.ask and len(paths) == 1 and not self.entries and oni_choose.is_archive(paths[0]):
            return oni_choose.ask(paths[0], {name: value for name, value in passed.items() if name != "entries"})
        options = oni.ImportOptions(paths=paths, **passed)
        done = job.run(self, context, lambda: oni.import_oni(context, options))
        if done is None:
            return {"CANCELLED"}
        self.report({"INFO"}, f"{len(done.armatures)} characters, {len(done.objects)} objects, {len(done.actions)} actions")
        return {"FINISHED"}


class EXPORT_ANIM_OT_oni(ExportClips, bpy.types.Operator, ExportHelper):
    """Export actions as Oni animations, and those of objects as object animations: .oni, new or updated in place, or OniSplit's XML"""

    bl_idname = "export_anim.oni"
    bl_label = "Export Oni"
    menu_label = "Oni (.oni, .xml)"
    bl_options = {"PRESET"}

    filename_ext = ".oni"
    check_extension = None
    filter_glob: StringProperty(default="*.oni;*.xml", options={"HIDDEN"})
    sampling: EnumProperty(
        name="Sampling",
        items=(
            ("KEYS", "As Keyed", "The curves' values at their keys; untouched keys keep the file's own numbers"),
            ("VISUAL", "As It Looks", "The pose as it is shown at every frame, with constraints, IK and the NLA"),
        ),
        default="KEYS",
    )
    entry: StringProperty(
        name="Entry",
        description="Instance of an existing .oni to update, by name or number. Empty: the one of the same name",
        options={"SKIP_SAVE"},
    )

    reduction: EnumProperty(
        name="Fewer Keys",
        items=(
            ("NONE", "Keep All", "Keys stay where they are"),
            ("ANGLE", "Within an Angle", "As few keys as hold each bone's own rotation"),
            ("DISTANCE", "Within a Distance", "As few keys as hold the place of every joint, and of what surrounds the bones"),
        ),
        default="NONE",
    )
    max_angle: FloatProperty(
        name="Angle",
        description="How far a bone's own rotation may be off at any frame",
        subtype="ANGLE",
        default=math.radians(0.5),
        min=1e-6,
        soft_max=math.radians(10),
    )
    max_distance: FloatProperty(
        name="Distance",
        description="Game units that any joint, and any point of a sphere around it, may be off at any frame",
        default=0.05,
        min=1e-6,
        soft_max=1.0,
    )
    shell: FloatProperty(name="Around Bones", description="Radius of that sphere, game units", default=1.0, min=0.0, soft_max=5.0)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        chosen = oni_export.chosen_actions(context, "ACTIVE")
        if chosen and not self.filepath:
            action = chosen[0][1]
            origin = holder.path_of(action)
            usable = Path(origin).suffix.lower() in _WRITTEN and Path(origin).parent.is_dir()
            self.filepath = origin if usable else f"{bpy.path.clean_name(action.name)}.oni"
        return super().invoke(context, event)

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        bounds = {"NONE": (), "ANGLE": ("max_angle",), "DISTANCE": ("max_distance", "shell")}
        for name in ("source", "sampling", "entry", "reduction", *bounds[self.reduction]):
            layout.prop(self, name)

    def execute(self, context: bpy.types.Context) -> Any:
        suffix = Path(self.filepath).suffix.lower()
        path = self.filepath if suffix in (*_WRITTEN, ".dat") else f"{self.filepath}.oni"
        options = oni_export.ExportOptions(
            path,
            self.source,
            self.sampling,
            self.entry,
            self.max_angle if self.reduction == "ANGLE" else 0.0,
            self.max_distance if self.reduction == "DISTANCE" else 0.0,
            self.shell,
        )
        written = job.run(self, context, lambda: oni_export.export_oni(context, options))
        if written is None:
            return {"CANCELLED"}
        self.report({"INFO"}, f"written: {', '.join(written[:3])}{f' and {len(written) - 3} more' if len(written) > 3 else ''}")
        return {"FINISHED"}


class IO_FH_oni(bpy.types.FileHandler):
    bl_idname = "IO_FH_oni"
    bl_label = "Oni"
    bl_import_operator = "import_anim.oni"
    bl_file_extensions = ".oni;.dat"

    @classmethod
    def poll_drop(cls, context: bpy.types.Context) -> bool:
        return poll_file_object_drop(context)


IMPORTERS = (IMPORT_ANIM_OT_oni,)
EXPORTERS = (EXPORT_ANIM_OT_oni,)
CLASSES = (IMPORT_ANIM_OT_oni, EXPORT_ANIM_OT_oni, IO_FH_oni, *oni_choose.CLASSES)
