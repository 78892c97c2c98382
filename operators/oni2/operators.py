"""Oni 2: the importer, the exporter, and files dropped on the window."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, StringProperty

from ...io import oni2
from ...io.oni2 import build, figure
from ...io.pipeline import selection
from ..shared import choose, contents
from ..shared.base import Exporter, Importer, file_handler
from ..shared.options import ExportActions, ImportClips, frame_rate

_FACING = (
    ("-Z", "-Z", "As the sources say: such a character looks along Blender's +Y"),
    ("+Z", "+Z", "Turned by half a turn"),
)


class IMPORT_ANIM_OT_oni2(ImportClips, Importer, bpy.types.Operator):
    """Import animations, skeletons, meshes and whole characters of Oni 2 (Angel Studios): loose files, or entries of RB.DAT"""

    bl_idname = "import_anim.oni2"
    bl_label = "Import Oni 2"
    menu_label = "Oni 2 (.anim, .skel, .mod, .type, RB.DAT)"
    bl_options = {"UNDO", "PRESET"}
    groups = {
        "What": ("entries", "skeleton", "mesh"),
        "How": ("scale", "bone_direction", "root_motion", "fps_mode", "frame_start", "limits"),
        "Reading": ("order", "offset", "scale_channels", "facing", "beta"),  # what the sources about the game do not agree on
    }
    closed = ("Reading",)

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
    fps_mode: frame_rate("30 frames a second", "SET")
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

    def execute(self, context: bpy.types.Context) -> Any:
        paths = self.paths()
        if not paths:
            return self.nothing()
        if self.ask and len(paths) == 1 and not self.entries and contents.is_archive(paths[0], "oni2"):
            return choose.ask(self, "oni2", paths[0], self.values("entries"))
        options = oni2.ImportOptions(paths=paths, meshes=(self.mesh,) if self.mesh else (), **self.values("mesh"))
        return self.fetch(context, lambda: oni2.import_oni2(context, options))


class EXPORT_ANIM_OT_oni2(ExportActions, Exporter, bpy.types.Operator):
    """Export actions as Oni 2 animations, or with the extension .skel armatures as its skeletons"""

    bl_idname = "export_anim.oni2"
    bl_label = "Export Oni 2"
    menu_label = "Oni 2 (.anim, .skel)"
    bl_options = {"PRESET"}
    names = ("source", "sampling", "kind", "deltas", "facing")
    kinds = (".anim", ".skel")

    filename_ext = ".anim"
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
        found = selection.chosen_actions(context, "ACTIVE", build.FORMAT)
        self.suggest(found[0][1] if found else None, (".anim",))
        return super().invoke(context, event)

    def usable(self, context: bpy.types.Context, name: str) -> bool:
        if name == "facing":
            return not all(map(figure.is_figure, selection.armatures(context, "ACTIVE")))
        return name == "source" or not self.filepath.lower().endswith(".skel")

    def execute(self, context: bpy.types.Context) -> Any:
        options = oni2.ExportOptions(
            self.path(),
            source=self.source,
            sampling=self.sampling,
            kind=self.kind,
            deltas=self.deltas,
            facing=self.facing,
            overwrite=self.overwrite,
        )
        return self.write(context, lambda: oni2.export_oni2(context, options))


IMPORTERS = (IMPORT_ANIM_OT_oni2,)
EXPORTERS = (EXPORT_ANIM_OT_oni2,)
CLASSES = (
    IMPORT_ANIM_OT_oni2,
    EXPORT_ANIM_OT_oni2,
    file_handler(IMPORT_ANIM_OT_oni2, "Oni 2", ".anim;.skel;.mod;.type;.anims;.dat"),
)
