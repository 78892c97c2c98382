"""The list of what RB.DAT holds, to choose from before it is imported."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import bpy
from bpy.props import CollectionProperty, EnumProperty, IntProperty, StringProperty

from ..core.errors import RetroAnimError
from ..core.oni2.companions import contents
from ..core.oni2.dave import MAGIC
from .choose import RetroAnimEntry

_TABS = (
    ("characters", "Characters", "A skeleton with its mesh and all its animations"),
    ("files", "Files", "Single skeletons, meshes and animations"),
)


def is_archive(path: str) -> bool:
    try:
        with Path(path).open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def ask(path: str, options: dict[str, Any]) -> set[str]:
    """Open the list for `path`; the choice is imported with `options`."""
    importers: Any = bpy.ops.import_anim
    importers.oni2_choose("INVOKE_DEFAULT", filepath=path, options=json.dumps(options))
    # Nothing was changed yet: the list's own operator makes the undo step.
    return {"CANCELLED"}


class IMPORT_ANIM_OT_oni2_choose(bpy.types.Operator):
    """Choose what to import from the archive"""

    bl_idname = "import_anim.oni2_choose"
    bl_label = "Import from RB.DAT"
    bl_options = {"UNDO", "INTERNAL"}

    filepath: StringProperty(options={"HIDDEN", "SKIP_SAVE"})
    options: StringProperty(options={"HIDDEN", "SKIP_SAVE"})
    tab: EnumProperty(items=_TABS, options={"SKIP_SAVE"})
    characters: CollectionProperty(type=RetroAnimEntry, options={"SKIP_SAVE"})
    files: CollectionProperty(type=RetroAnimEntry, options={"SKIP_SAVE"})
    index: IntProperty(options={"HIDDEN", "SKIP_SAVE"})

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        if not self._fill():
            return {"CANCELLED"}
        self._lines()[0].chosen = True
        return context.window_manager.invoke_props_dialog(self, width=520)

    def _fill(self) -> bool:
        try:
            found = contents(self.filepath)
        except RetroAnimError as error:
            self.report({"ERROR"}, str(error))
            return False
        for kind, lines in found.items():
            for key, label in lines:
                line = getattr(self, kind).add()
                line.key, line.name = str(key), label
        if not self.characters and not self.files:
            self.report({"ERROR"}, f"{self.filepath}: no character, skeleton, mesh or animation in it")
            return False
        self.tab = "characters" if self.characters else "files"
        return True

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        layout.label(text=Path(self.filepath).name)
        if self.characters and self.files:
            layout.row().prop(self, "tab", expand=True)
        layout.template_list("RETRO_ANIM_UL_entries", f"oni2_{self.tab}", self, self.tab, self, "index", rows=12)

    def execute(self, context: bpy.types.Context) -> Any:
        chosen = [line.key for line in self._lines() if line.chosen]
        if not chosen:
            self.report({"WARNING"}, "nothing was chosen")
            return {"CANCELLED"}
        try:
            importers: Any = bpy.ops.import_anim
            return importers.oni2(filepath=self.filepath, entries=",".join(chosen), **json.loads(self.options))
        except RuntimeError as error:
            self.report({"ERROR"}, str(error).removeprefix("Error: ").strip())
            return {"CANCELLED"}

    def _lines(self) -> Any:
        return getattr(self, self.tab)


CLASSES = (IMPORT_ANIM_OT_oni2_choose,)
