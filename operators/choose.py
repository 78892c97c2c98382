"""The list of what an archive holds, to choose from before it is imported."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, IntProperty, StringProperty

from ..core import formats
from ..core.errors import RetroAnimError
from ..core.lba.contents import contents

_TABS = (
    ("entities", "Characters", "A body with all its animations"),
    ("entries", "Entries", "Single animations and bodies"),
)


def is_archive(path: str) -> bool:
    return Path(path).suffix.lower() == ".hqr"


def ask(operator: bpy.types.Operator, path: str, options: dict[str, Any]) -> set[str]:
    """Open the list for `path`; the choice is imported with `options`."""
    try:
        formats.open_file(path)
    except RetroAnimError as error:
        operator.report({"ERROR"}, str(error))
        return {"CANCELLED"}
    importers: Any = bpy.ops.import_anim
    importers.lba_choose("INVOKE_DEFAULT", filepath=path, options=json.dumps(options))
    # Nothing was changed yet: the list's own operator makes the undo step.
    return {"CANCELLED"}


class RetroAnimEntry(bpy.types.PropertyGroup):
    """One line of the list. `name` is what is searched."""

    key: StringProperty()
    chosen: BoolProperty(name="Import")


class RETRO_ANIM_UL_entries(bpy.types.UIList):
    def draw_item(self, context: Any, layout: Any, data: Any, item: Any, icon: Any, active_data: Any, active_property: Any) -> None:
        row = layout.row(align=True)
        row.prop(item, "chosen", text="")
        row.label(text=item.name)


class IMPORT_ANIM_OT_lba_choose(bpy.types.Operator):
    """Choose what to import from an archive"""

    bl_idname = "import_anim.lba_choose"
    bl_label = "Import from Archive"
    bl_options = {"UNDO", "INTERNAL"}

    filepath: StringProperty(options={"HIDDEN", "SKIP_SAVE"})
    options: StringProperty(options={"HIDDEN", "SKIP_SAVE"})
    tab: EnumProperty(items=_TABS, options={"SKIP_SAVE"})
    entities: CollectionProperty(type=RetroAnimEntry, options={"SKIP_SAVE"})
    entries: CollectionProperty(type=RetroAnimEntry, options={"SKIP_SAVE"})
    index: IntProperty(options={"HIDDEN", "SKIP_SAVE"})
    everything: BoolProperty(name="Everything", description="All lines of the list", options={"SKIP_SAVE"})

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        try:
            options = json.loads(self.options)
            found = contents(self.filepath, options.get("file3d", ""), options.get("names", ""))
        except RetroAnimError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        for kind, lines in found.items():
            for key, label in lines:
                line = getattr(self, kind).add()
                line.key, line.name = str(key), label
        self.tab = "entities" if self.entities else "entries"
        if len(self._lines()):
            self._lines()[0].chosen = True
        return context.window_manager.invoke_props_dialog(self, width=520)

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        layout.label(text=Path(self.filepath).name)
        if self.entities and self.entries:
            layout.row().prop(self, "tab", expand=True)
        layout.template_list("RETRO_ANIM_UL_entries", self.tab, self, self.tab, self, "index", rows=12)
        layout.prop(self, "everything")

    def execute(self, context: bpy.types.Context) -> Any:
        chosen = [line.key for line in self._lines() if line.chosen or self.everything]
        if not chosen:
            self.report({"WARNING"}, "nothing was chosen")
            return {"CANCELLED"}
        try:
            importers: Any = bpy.ops.import_anim
            return importers.lba(filepath=self.filepath, **{self.tab: ",".join(chosen)}, **json.loads(self.options))
        except RuntimeError as error:
            self.report({"ERROR"}, str(error).removeprefix("Error: ").strip())
            return {"CANCELLED"}

    def _lines(self) -> Any:
        return getattr(self, self.tab)


CLASSES = (RetroAnimEntry, RETRO_ANIM_UL_entries, IMPORT_ANIM_OT_lba_choose)
