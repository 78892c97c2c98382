"""The list of what a file holds, to choose from before it is imported: one dialog, filled by each game's `contents`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, IntProperty, StringProperty

from ...core.reporting.errors import RetroAnimError
from . import contents


class Tab(NamedTuple):
    """A page of the list. option: the importer's property that says which of its lines were chosen."""

    name: str
    title: str
    description: str
    option: str = "entries"


class RetroAnimEntry(bpy.types.PropertyGroup):
    """One line of the list. `name` is what is searched."""

    key: StringProperty()
    chosen: BoolProperty(name="Import")


class RETRO_ANIM_UL_entries(bpy.types.UIList):
    def draw_item(self, context: Any, layout: Any, data: Any, item: Any, icon: Any, active_data: Any, active_property: Any) -> None:
        row = layout.row(align=True)
        row.prop(item, "chosen", text="")
        row.label(text=item.name)


class _Chooser:
    """game: the importer's name below bpy.ops.import_anim. find: what a file has, from its path and the importer's other options."""

    game: ClassVar[str]
    tabs: ClassVar[tuple[Tab, ...]]
    find: ClassVar[Callable[[str, dict[str, Any]], contents.Lines]]

    filepath: StringProperty(options={"HIDDEN", "SKIP_SAVE"})
    options: StringProperty(options={"HIDDEN", "SKIP_SAVE"})
    index: IntProperty(options={"HIDDEN", "SKIP_SAVE"})
    everything: BoolProperty(name="Everything", description="All lines of the list", options={"SKIP_SAVE"})

    def invoke(self: Any, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        return context.window_manager.invoke_props_dialog(self, width=520) if self.fill() else {"CANCELLED"}

    def fill(self: Any) -> bool:
        """Whether there is anything to choose from; if not, that is reported."""
        try:
            found = self.find(self.filepath, json.loads(self.options))
        except RetroAnimError as error:
            self.report({"ERROR"}, str(error))
            return False
        for tab, lines in found.items():
            for key, label, chosen in lines:
                line = getattr(self, tab).add()
                line.key, line.name, line.chosen = key, label, chosen
        filled = self._filled()
        if not filled:
            self.report({"ERROR"}, f"{self.filepath}: nothing in it that can be imported")
            return False
        self.tab = filled[0]
        lines = getattr(self, self.tab)
        lines[0].chosen = lines[0].chosen or not any(line.chosen for line in lines)
        return True

    def draw(self: Any, context: bpy.types.Context) -> None:
        layout = self.layout
        layout.label(text=Path(self.filepath).name)
        filled = self._filled()
        if len(filled) > 1:
            row = layout.row()
            for name in filled:
                row.prop_enum(self, "tab", name)
        layout.template_list("RETRO_ANIM_UL_entries", f"{self.game}_{self.tab}", self, self.tab, self, "index", rows=12)
        layout.prop(self, "everything")

    def execute(self: Any, context: bpy.types.Context) -> Any:
        chosen = [line.key for line in getattr(self, self.tab) if line.chosen or self.everything]
        if not chosen:
            self.report({"WARNING"}, "nothing was chosen")
            return {"CANCELLED"}
        (option,) = (tab.option for tab in self.tabs if tab.name == self.tab)
        given = {**json.loads(self.options), option: ",".join(chosen)}
        return _call(self, lambda: getattr(bpy.ops.import_anim, self.game)(filepath=self.filepath, **given))

    def _filled(self) -> list[str]:
        return [tab.name for tab in self.tabs if len(getattr(self, tab.name))]


def chooser(game: str, label: str, find: Callable[[str, dict[str, Any]], contents.Lines], *tabs: Tab) -> type[bpy.types.Operator]:
    """The operator import_anim.GAME_choose."""
    lines = {tab.name: CollectionProperty(type=RetroAnimEntry, options={"SKIP_SAVE"}) for tab in tabs}
    body = {
        "__doc__": "Choose what to import",
        "__module__": __name__,
        "__annotations__": {"tab": EnumProperty(items=[tab[:3] for tab in tabs], options={"SKIP_SAVE"}), **lines},
        "bl_idname": f"import_anim.{game}_choose",
        "bl_label": label,
        "bl_options": {"UNDO", "INTERNAL"},
        "game": game,
        "tabs": tabs,
        "find": staticmethod(find),
    }
    return type(f"IMPORT_ANIM_OT_{game}_choose", (_Chooser, bpy.types.Operator), body)


def ask(operator: bpy.types.Operator, game: str, path: str, options: dict[str, Any]) -> Any:
    """Open the list for `path`; the choice is imported with `options`."""
    _call(operator, lambda: getattr(bpy.ops.import_anim, f"{game}_choose")("INVOKE_DEFAULT", filepath=path, options=json.dumps(options)))
    # Nothing was changed yet: the list's own operator makes the undo step.
    return {"CANCELLED"}


def _call(operator: bpy.types.Operator, other: Callable[[], Any]) -> Any:
    """An operator's errors, told by the one that called it."""
    try:
        return other()
    except RuntimeError as error:
        operator.report({"ERROR"}, str(error).removeprefix("Error: ").strip())
        return {"CANCELLED"}


CLASSES = (
    RetroAnimEntry,
    RETRO_ANIM_UL_entries,
    chooser(
        "lba",
        "Import from Archive",
        contents.of_lba,
        Tab("entities", "Characters", "A body with all its animations", "entities"),
        Tab("entries", "Entries", "Single animations and bodies"),
    ),
    chooser(
        "oni",
        "Import from Level",
        contents.of_oni,
        Tab("characters", "Characters", "Animations of characters (TRAM)"),
        Tab("objects", "Objects", "Animations of objects and cameras (OBAN)"),
        Tab("bodies", "Bodies", "Characters without an animation (ONCC, TRBS)"),
    ),
    chooser(
        "oni2",
        "Import from RB.DAT",
        contents.of_oni2,
        Tab("characters", "Characters", "A skeleton with its mesh and all its animations"),
        Tab("files", "Files", "Single skeletons, meshes and animations"),
    ),
    chooser(
        "mindpower",
        "Import Tales of Pirates",
        contents.of_mindpower,
        Tab("characters", "Characters", "The characters of a client's folder"),
        Tab("suits", "Suits", "The meshes of a character", "parts"),
    ),
)
