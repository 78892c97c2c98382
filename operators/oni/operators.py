"""Oni: the importer, the exporter, and files dropped on the window."""

from __future__ import annotations

import math
from typing import Any

import bpy
from bpy.props import EnumProperty, FloatProperty, IntProperty, StringProperty

from ...io import oni
from ...io.oni.build import TRAM_KIND
from ...io.pipeline import selection
from ..shared import choose, contents, declared
from ..shared.base import Exporter, Importer, file_handler
from ..shared.options import ExportActions, ImportClips, frame_rate


class IMPORT_ANIM_OT_oni(ImportClips, Importer, bpy.types.Operator):
    """Import animations, object animations and bodies of Oni: .oni files, entries of a level, OniSplit's XML"""

    bl_idname = "import_anim.oni"
    bl_label = "Import Oni"
    menu_label = "Oni (.oni, .dat, .xml)"
    bl_options = {"UNDO", "PRESET"}
    groups = {
        "What": ("entries", "skeleton", "detail", "pieces", "target"),
        "How": ("scale", "bone_direction", "root_motion", "keys", "fps_mode", "frame_start"),
    }

    filter_glob: StringProperty(default="*.oni;*.dat;*.xml", options={"HIDDEN"})
    entries: StringProperty(
        name="Entries",
        description="Instances of a level: TRAMKONOKOidle1, TRAMKONCOM* or numbers. Empty: a list to choose from; a script gets all",
        options={"SKIP_SAVE"},
    )
    skeleton: StringProperty(
        name="Body",
        description="ONCC, TRBS or TRCM: a .oni, or LEVEL.dat#NAME. Empty: the active armature if it fits, else one beside the file",
        options={"SKIP_SAVE"},
    )
    detail: IntProperty(name="Level of Detail", description="Of the body: 4 has the most triangles", default=4, min=0, max=4)
    pieces: EnumProperty(
        name="Meshes",
        items=(
            ("ONE", "One Mesh", "The whole body as one skinned mesh"),
            ("SEPARATE", "One a Bone", "Each bone's mesh as an object of its own"),
            ("NONE", "None", "Only the armature"),
        ),
        default="ONE",
    )
    target: EnumProperty(
        name="Objects",
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
            ("GAME", "The Game's", "Keys where the game has them; in between Blender interpolates the quaternions' components"),
            ("EVERY", "Every Frame", "A key every frame, by the game's interpolation; those put in between are left out by an export"),
        ),
        default="GAME",
    )
    scale: FloatProperty(name="Scale", description="Metres a game unit", default=0.1, min=1e-6, soft_max=1.0, precision=4)
    fps_mode: frame_rate("60 frames a second", "SET")
    root_motion: EnumProperty(
        name="Root Motion",
        description="What moves through the scene; an export finds it in either",
        items=(
            ("BONE", "Root Bone", "The pelvis moves, as in the game"),
            ("OBJECT", "Object", "The armature object moves, from where it stands; the height stays the pelvis's"),
            ("NONE", "In Place", "The character stays; the root motion is kept as properties of the pelvis"),
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

    def execute(self, context: bpy.types.Context) -> Any:
        paths = self.paths()
        if not paths:
            return self.nothing()
        if self.ask and len(paths) == 1 and not self.entries and contents.is_archive(paths[0], "oni"):
            return choose.ask(self, "oni", paths[0], self.values("entries"))
        options = oni.ImportOptions(paths=paths, **self.values())
        return self.fetch(context, lambda: oni.import_oni(context, options))


class EXPORT_ANIM_OT_oni(ExportActions, Exporter, bpy.types.Operator):
    """Export actions as Oni animations, and those of objects as object animations: .oni, new or updated in place, or OniSplit's XML"""

    bl_idname = "export_anim.oni"
    bl_label = "Export Oni"
    menu_label = "Oni (.oni, .xml)"
    bl_options = {"PRESET"}
    names = ("source", "sampling", "entry", "reduction", "max_angle", "max_distance", "shell")
    kinds = (".oni", ".xml", ".dat", ".raw", ".sep")  # the last three to be refused with a reason

    filename_ext = ".oni"
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
            ("DISTANCE", "Within a Distance", "As few keys as hold the position of every joint, and of what surrounds the bones"),
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
        chosen = selection.chosen_actions(context, "ACTIVE", TRAM_KIND, animated=True)
        self.suggest(chosen[0][1] if chosen else None, (".oni", ".xml"))
        return super().invoke(context, event)

    def shown(self, name: str) -> bool:
        wanted = {"max_angle": "ANGLE", "max_distance": "DISTANCE", "shell": "DISTANCE"}
        return wanted.get(name, self.reduction) == self.reduction

    def execute(self, context: bpy.types.Context) -> Any:
        options = oni.ExportOptions(path=self.path(), **declared.values(oni.ExportOptions, self))
        return self.write(context, lambda: oni.export_oni(context, options))


IMPORTERS = (IMPORT_ANIM_OT_oni,)
EXPORTERS = (EXPORT_ANIM_OT_oni,)
CLASSES = (IMPORT_ANIM_OT_oni, EXPORT_ANIM_OT_oni, file_handler(IMPORT_ANIM_OT_oni, "Oni", ".oni;.dat"))
