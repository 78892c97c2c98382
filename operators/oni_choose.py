"""The list of what a level holds, to choose from before it is imported."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, IntProperty, StringProperty

from ..core import formats
from ..core.errors import RetroAnimError
from ..io.oni_plan import BODY_TAGS
from .choose import RetroAnimEntry

_TABS = (
    ("characters", "Characters", "Animations of characters (TRAM)"),
    ("objects", "Objects", "Animations of objects and cameras (OBAN)"),
    ("bodies", "Bodies", "Characters without an animation (ONCC, TRBS)"),
)
_TAB_OF = {"TRAM": "characters", "OBAN": "objects", **dict.fromkeys(BODY_TAGS, "bodies")}


def is_archive(path: str) -> bool:
    try:
        kind = formats.recognise_file(path)
    except RetroAnimError:
        return False
    return kind is not None and kind.kind == "archive"


def ask(path: str, options: dict[str, Any]) -> set[str]:
    """Open the list for `path`; the choice is imported with `options`."""
    importers: Any = bpy.ops.import_anim
    importers.oni_choose("INVOKE_DEFAULT", filepath=path, options=json.dumps(options))
    # Nothing was changed yet: the list's own operator makes the undo step.
    return {"CANCELLED"}


class IMPORT_ANIM_OT_oni_choose(bpy.types.Operator):
    """Choose what to import from a level"""

    bl_idname = "import_anim.oni_choose"
    bl_label = "Import from Level"
    bl_options = {"UNDO", "INTERNAL"}

    filepath: StringProperty(options={"HIDDEN", "SKIP_SAVE"})
    options: StringProperty(options={"HIDDEN", "SKIP_SAVE"})
    tab: EnumProperty(items=_TABS, options={"SKIP_SAVE"})
    characters: CollectionProperty(type=RetroAnimEntry, options={"SKIP_SAVE"})
    objects: CollectionProperty(type=RetroAnimEntry, options={"SKIP_SAVE"})
    bodies: CollectionProperty(type=RetroAnimEntry, options={"SKIP_SAVE"})
    index: IntProperty(options={"HIDDEN", "SKIP_SAVE"})
    everything: BoolProperty(name="Everything", description="All lines of the list", options={"SKIP_SAVE"})

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        return context.window_manager.invoke_props_dialog(self, width=520) if self.fill() else {"CANCELLED"}

    def fill(self) -> bool:
        """Whether there is anything to choose from; if not, that is reported."""
        try:
            archive: Any = formats.open_file(self.filepath).document
        except RetroAnimError as error:
            self.report({"ERROR"}, str(error))
            return False
        for index in range(len(archive)):
            tab = _TAB_OF.get(archive.tag(index))
            if tab and not archive.blank(index) and archive.name(index):
                line = getattr(self, tab).add()
                line.key, line.name = str(index), archive.name(index)
        self.tab = next((tab for tab, _, _ in _TABS if getattr(self, tab)), "characters")
        if not len(self._lines()):
            self.report({"ERROR"}, f"{self.filepath}: no animation and no body in it")
            return False
        self._lines()[0].chosen = True
        return True

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        layout.label(text=Path(self.filepath).name)
        layout.row().prop(self, "tab", expand=True)
        layout.template_list("RETRO_ANIM_UL_entries", f"oni_{self.tab}", self, self.tab, self, "index", rows=12)
        layout.prop(self, "everything")

    def execute(self, context: bpy.types.Context) -> Any:
        chosen = [line.key for line in self._lines() if line.chosen or self.everything]
        if not chosen:
            self.report({"WARNING"}, "nothing was chosen")
            return {"CANCELLED"}
        try:
            importers: Any = bpy.ops.import_anim
            return importers.oni(filepath=self.filepath, entries=",".join(chosen), **json.loads(self.options))
        except RuntimeError as error:
            self.report({"ERROR"}, str(error).removeprefix("Error: ").strip())
            return {"CANCELLED"}

    def _lines(self) -> Any:
        return getattr(self, self.tab)


CLASSES = (IMPORT_ANIM_OT_oni_choose,)
