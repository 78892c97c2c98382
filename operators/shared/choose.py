"""The list of what a file holds, to choose from before it is imported: one dialog, filled by the game's `contents`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, IntProperty, StringProperty

from ...core.declare.game import Game
from ...core.reporting.errors import RetroAnimError
from ...io.pipeline.contents import Contents

_listed: dict[tuple[str, str], Contents] = {}
"""What a game's file has to choose from, while its list is about to open: whoever asks for the list has looked already."""


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
    """row: of the table of games, whose pages are the tabs."""

    row: ClassVar[Game]

    filepath: StringProperty(options={"HIDDEN", "SKIP_SAVE"})
    options: StringProperty(options={"HIDDEN", "SKIP_SAVE"})
    index: IntProperty(options={"HIDDEN", "SKIP_SAVE"})
    everything: BoolProperty(name="Everything", description="All lines of the list", options={"SKIP_SAVE"})

    def invoke(self: Any, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        return context.window_manager.invoke_props_dialog(self, width=520, confirm_text="Import") if self.fill() else {"CANCELLED"}

    def fill(self: Any) -> bool:
        """Whether there is anything to choose from; if not, that is reported."""
        from ...io.pipeline import games

        try:
            known = _listed.pop((self.row.id, self.filepath), None)
            contents = known if known is not None else games.contents(self.row, self.filepath, json.loads(self.options))
        except RetroAnimError as error:
            self.report({"ERROR"}, str(error))
            return False
        for tab, lines in contents.items():
            for key, label, chosen, _ in lines:
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
        layout.template_list("RETRO_ANIM_UL_entries", f"{self.row.id}_{self.tab}", self, self.tab, self, "index", rows=12)
        layout.prop(self, "everything")

    def execute(self: Any, context: bpy.types.Context) -> Any:
        chosen = [line.key for line in getattr(self, self.tab) if line.chosen or self.everything]
        if not chosen:
            self.report({"WARNING"}, "nothing was chosen")
            return {"CANCELLED"}
        (option,) = (page.option for page in self.row.pages if page.name == self.tab)
        given = {**json.loads(self.options), option: ",".join(chosen)}
        return _call(self, lambda: getattr(bpy.ops.import_anim, self.row.id)(filepath=self.filepath, **given))

    def _filled(self) -> list[str]:
        return [page.name for page in self.row.pages if len(getattr(self, page.name))]


def chooser(game: Game) -> type[bpy.types.Operator]:
    """The operator import_anim.GAME_choose, with a tab for each page of the game's row."""
    lines = {page.name: CollectionProperty(type=RetroAnimEntry, options={"SKIP_SAVE"}) for page in game.pages}
    body = {
        "__doc__": "Choose what to import",
        "__module__": __name__,
        "__annotations__": {
            "tab": EnumProperty(items=[(page.name, page.title, page.help) for page in game.pages], options={"SKIP_SAVE"}),
            **lines,
        },
        "bl_idname": f"import_anim.{game.id}_choose",
        "bl_label": f"Import {game.label}",
        "bl_options": {"UNDO", "INTERNAL"},
        "row": game,
    }
    return type(f"IMPORT_ANIM_OT_{game.id}_choose", (_Chooser, bpy.types.Operator), body)


def ask(operator: bpy.types.Operator, game: Game, path: str, options: dict[str, Any], contents: Contents) -> Any:
    """Open the list of `contents`, those of `path`; the choice is imported with `options`."""
    chooser_operator = getattr(bpy.ops.import_anim, f"{game.id}_choose")
    _listed[game.id, path] = contents
    _call(operator, lambda: chooser_operator("INVOKE_DEFAULT", filepath=path, options=json.dumps(options)))
    _listed.clear()
    # Nothing was changed yet: the list's own operator makes the undo step.
    return {"CANCELLED"}


def _call(operator: bpy.types.Operator, called: Callable[[], Any]) -> Any:
    """An operator's errors, reported by the one that called it."""
    try:
        return called()
    except RuntimeError as error:
        operator.report({"ERROR"}, str(error).removeprefix("Error: ").strip())
        return {"CANCELLED"}


CLASSES = (RetroAnimEntry, RETRO_ANIM_UL_entries)
