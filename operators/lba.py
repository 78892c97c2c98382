"""Little Big Adventure: the importer, the exporter, and files dropped on the window."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty
from bpy_extras.io_utils import ExportHelper, ImportHelper, poll_file_object_drop

from ..io import holder, lba, lba_export
from . import choose, job
from .options import ExportClips, ImportClips, ImportFiles

_GAMES = (
    ("auto", "Recognise", "By what lies beside the file, and by its numbers"),
    ("lba1", "Little Big Adventure", "Time in 1/50 s, 1024 angle steps a turn"),
    ("lba2", "Little Big Adventure 2", "Time in milliseconds, 4096 angle steps a turn"),
)
_PASSED_ON = ("body", "skeleton", "palette", "file3d", "names", "game", "scale", "frame_start", "fps_mode", "root_motion", "bone_direction")


class IMPORT_ANIM_OT_lba(ImportFiles, ImportClips, bpy.types.Operator, ImportHelper):
    """Import animations and bodies of Little Big Adventure 1 and 2: loose files, or entries of an HQR archive"""

    bl_idname = "import_anim.lba"
    bl_label = "Import LBA"
    menu_label = "Little Big Adventure 1 and 2 (.anm, .lm1, .lm2, .hqr)"
    bl_options = {"UNDO", "PRESET"}

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
    ask: BoolProperty(default=False, options={"HIDDEN", "SKIP_SAVE"})

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        self.ask = True
        return self.invoke_popup(context)

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        for title, names in (
            ("What", ("entries", "entities", "body", "skeleton", "palette", "file3d", "names", "game")),
            ("How", ("scale", "bone_direction", "root_motion", "fps_mode", "frame_start")),
        ):
            header, body = layout.panel(f"retro_anim_lba_import_{title.lower()}")
            header.label(text=title)
            if body:
                for name in names:
                    body.prop(self, name)

    def execute(self, context: bpy.types.Context) -> Any:
        paths = self.paths()
        if not paths:
            self.report({"ERROR"}, "no file was given")
            return {"CANCELLED"}
        if self.ask and len(paths) == 1 and not self.entries and not self.entities and choose.is_archive(paths[0]):
            passed = {name: getattr(self, name) for name in _PASSED_ON}
            return choose.ask(self, paths[0], passed)
        options = lba.ImportOptions(
            paths=paths, entries=self.entries, entities=self.entities, **{name: getattr(self, name) for name in _PASSED_ON}
        )
        done = job.run(self, context, lambda: lba.import_lba(context, options))
        if done is None:
            return {"CANCELLED"}
        self.report({"INFO"}, f"{len(done.armatures)} characters, {len(done.actions)} actions")
        return {"FINISHED"}


class EXPORT_ANIM_OT_lba(ExportClips, bpy.types.Operator, ExportHelper):
    """Export actions as Little Big Adventure animations: loose files, or into an HQR archive, which is backed up once"""

    bl_idname = "export_anim.lba"
    bl_label = "Export LBA"
    menu_label = "Little Big Adventure 1 and 2 (.anm, .hqr)"
    bl_options = {"PRESET"}

    filename_ext = ".anm"
    check_extension = None
    filter_glob: StringProperty(default="*.anm;*.hqr", options={"HIDDEN"})
    game: EnumProperty(name="Game", items=(("auto", "As Imported", "The game the action came from"), *_GAMES[1:]), default="auto")

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        chosen = lba_export.chosen_actions(context, "ACTIVE")
        if chosen and not self.filepath:
            action = chosen[0][1]
            origin = holder.path_of(action)
            self.filepath = origin if origin and Path(origin).parent.is_dir() else f"{bpy.path.clean_name(action.name)}.anm"
        return super().invoke(context, event)

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        for name in ("source", "sampling", "step", "entry", "game"):
            row = layout.row()
            row.enabled = name != "step" or self.sampling == "VISUAL"
            row.prop(self, name)

    def execute(self, context: bpy.types.Context) -> Any:
        path = self.filepath if Path(self.filepath).suffix.lower() in (".anm", ".hqr") else f"{self.filepath}.anm"
        options = lba_export.ExportOptions(path, self.source, self.sampling, self.entry, self.step, self.game)
        written = job.run(self, context, lambda: lba_export.export_lba(context, options))
        if written is None:
            return {"CANCELLED"}
        self.report({"INFO"}, f"written: {', '.join(written[:3])}{f' and {len(written) - 3} more' if len(written) > 3 else ''}")
        return {"FINISHED"}


class IO_FH_lba(bpy.types.FileHandler):
    bl_idname = "IO_FH_lba"
    bl_label = "Little Big Adventure"
    bl_import_operator = "import_anim.lba"
    bl_file_extensions = ".anm;.lm1;.lm2;.hqr"

    @classmethod
    def poll_drop(cls, context: bpy.types.Context) -> bool:
        return poll_file_object_drop(context)


IMPORTERS = (IMPORT_ANIM_OT_lba,)
EXPORTERS = (EXPORT_ANIM_OT_lba,)
CLASSES = (IMPORT_ANIM_OT_lba, EXPORT_ANIM_OT_lba, IO_FH_lba)
