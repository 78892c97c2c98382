"""Little Big Adventure: the importer, the exporter, and files dropped on the window."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import EnumProperty, FloatProperty, IntProperty, StringProperty

from ...io import lba
from ...io.lba.build import FORMAT
from ...io.pipeline import selection
from ..shared import choose, contents
from ..shared.base import Exporter, Importer, file_handler
from ..shared.options import ExportActions, ImportClips

_GAMES = (
    ("auto", "Recognise", "By what lies beside the file, and by its numbers"),
    ("lba1", "Little Big Adventure", "Time in 1/50 s, 1024 angle steps a turn"),
    ("lba2", "Little Big Adventure 2", "Time in milliseconds, 4096 angle steps a turn"),
)


class IMPORT_ANIM_OT_lba(ImportClips, Importer, bpy.types.Operator):
    """Import animations and bodies of Little Big Adventure 1 and 2: loose files, or entries of an HQR archive"""

    bl_idname = "import_anim.lba"
    bl_label = "Import LBA"
    menu_label = "Little Big Adventure 1 and 2 (.anm, .lm1, .lm2, .hqr)"
    bl_options = {"UNDO", "PRESET"}
    groups = {
        "What": ("entries", "entities", "body", "skeleton", "palette", "file3d", "names", "game"),
        "How": ("scale", "bone_direction", "root_motion", "fps_mode", "frame_start"),
    }

    filter_glob: StringProperty(default="*.anm;*.lm1;*.lm2;*.hqr", options={"HIDDEN"})
    entities: StringProperty(
        name="Entities",
        description="Whole characters by FILE3D.HQR, or LBA2's RESS.HQR: 0 or 0-5,9. A body and all its animations, named by their use",
        options={"SKIP_SAVE"},
    )
    palette: StringProperty(
        name="Palette",
        description="RESS.HQR, with LBA2's textures too, or a loose palette of 768 bytes. Empty: RESS.HQR beside the body",
        options={"SKIP_SAVE"},
    )
    file3d: StringProperty(name="FILE3D", description="FILE3D.HQR, or LBA2's RESS.HQR. Empty: beside the archive", options={"SKIP_SAVE"})
    names: StringProperty(
        name="Names",
        description="What the entries are called: a list of LBA Package Editor (.hqd). Empty: one beside the archive, or else by their use",
        options={"SKIP_SAVE"},
    )
    body: IntProperty(
        name="Body",
        description="Which of a character's bodies, counted from 0; the first where it has not so many",
        min=0,
        options={"SKIP_SAVE"},
    )
    game: EnumProperty(name="Game", items=_GAMES, default="auto")
    scale: FloatProperty(name="Scale", description="Metres a game unit", default=0.001, min=1e-6, soft_max=1.0, precision=4)

    def execute(self, context: bpy.types.Context) -> Any:
        paths = self.paths()
        if not paths:
            return self.nothing()
        if self.ask and len(paths) == 1 and not self.entries and not self.entities and contents.is_archive(paths[0], "lba"):
            return choose.ask(self, "lba", paths[0], self.values("entries", "entities"))
        options = lba.ImportOptions(paths=paths, **self.values())
        return self.fetch(context, lambda: lba.import_lba(context, options))


class EXPORT_ANIM_OT_lba(ExportActions, Exporter, bpy.types.Operator):
    """Export actions as Little Big Adventure animations: loose files, or into an HQR archive, which is backed up once"""

    bl_idname = "export_anim.lba"
    bl_label = "Export LBA"
    menu_label = "Little Big Adventure 1 and 2 (.anm, .hqr)"
    bl_options = {"PRESET"}
    names = ("source", "sampling", "step", "entry", "game")
    kinds = (".anm", ".hqr")

    filename_ext = ".anm"
    filter_glob: StringProperty(default="*.anm;*.hqr", options={"HIDDEN"})
    step: FloatProperty(
        name="Sample Step",
        description="As it looks: frames from one keyframe to the next. 0: at the frames that have keys, or each frame if none has",
        default=0.0,
        min=0.0,
        soft_max=10.0,
    )
    entry: StringProperty(
        name="Entry",
        description="Archive entry to write: a number, or 'new' for one behind the last. Empty: the one it came from",
        options={"SKIP_SAVE"},
    )
    game: EnumProperty(name="Game", items=(("auto", "As Imported", "The game the action came from"), *_GAMES[1:]), default="auto")

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        found = selection.chosen_actions(context, "ACTIVE", FORMAT)
        self.suggest(found[0][1] if found else None, self.kinds)
        return super().invoke(context, event)

    def usable(self, context: bpy.types.Context, name: str) -> bool:
        return name != "step" or self.sampling == "VISUAL"

    def execute(self, context: bpy.types.Context) -> Any:
        options = lba.ExportOptions(self.path(), overwrite=self.overwrite, **{name: getattr(self, name) for name in self.names})
        return self.write(context, lambda: lba.export_lba(context, options))


IMPORTERS = (IMPORT_ANIM_OT_lba,)
EXPORTERS = (EXPORT_ANIM_OT_lba,)
CLASSES = (
    IMPORT_ANIM_OT_lba,
    EXPORT_ANIM_OT_lba,
    file_handler(IMPORT_ANIM_OT_lba, "Little Big Adventure", ".anm;.lm1;.lm2;.hqr"),
)
