"""The browser: what an archive, a level or a client's folder holds, to choose from, with the options of the import beside it."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import BoolProperty, EnumProperty
from bpy.types import Context, Event, Operator, UIList

from ...core.declare.game import Game
from ...core.games import GAMES
from ...core.reporting.errors import RetroAnimError
from ...core.reporting.labels import line
from ..shared import declared, preferences
from ..shared.layout import with_placeholder
from . import listing

if TYPE_CHECKING:
    from ...io.pipeline.contents import Contents

WIDTH = 960
ROWS = 16

_COLUMNS = (("Name", 0.42), ("Bodies or Type", 0.46), ("Clips", 0.27), ("Frames", 0.46), ("Seconds", 1.0))
"""Title of each column, and how much of what the columns before it leave it takes."""

_listed: "dict[tuple[str, str], Contents]" = {}
"""What a game's file has to choose from, while its browser is about to open: whoever opens it has looked already."""


_shown_with: dict[str, dict[str, Any]] = {}
"""By the id of a game the options with which the list that its browser shows was made."""


def _columns(layout: Any) -> list[Any]:
    """A layout for each column, side by side."""
    columns: list[Any] = []
    for _, factor in _COLUMNS[:-1]:
        split = layout.split(factor=factor, align=True)
        columns.append(split.row(align=True))
        layout = split.row(align=True)
    for column in columns[2:]:
        column.alignment = "RIGHT"
    layout.alignment = "RIGHT"
    return [*columns, layout]


class RETRO_ANIM_UL_lines(UIList):
    def draw_item(self, context: Any, layout: Any, data: Any, item: Any, icon: Any, active_data: Any, active_property: Any) -> None:
        from . import pictures

        name, kind, clips, frames, seconds = _columns(layout)
        name.prop(item, "chosen", text="")
        if item.pictured:
            name.label(text="", icon_value=pictures.icon(context, *listing.pictured(data, item)))
        name.label(text=item.title, translate=False)
        kind.label(text=item.kind, translate=False)
        clips.label(text=str(item.clips) if item.clips else "")
        frames.label(text=str(item.frames) if item.frames else "")
        seconds.label(text=f"{item.seconds:.2f}" if item.seconds else "")

    def draw_filter(self, context: Any, layout: Any) -> None:
        """The browser has a search field of its own."""

    def filter_items(self, context: Any, data: Any, property: str) -> tuple[list[int], list[int]]:  # noqa: A002 - Blender's own name
        visible: int = self.bitflag_filter_item
        return [visible if left else 0 for left in listing.shown(data)], []


class RETRO_ANIM_OT_tick(Operator):
    """Tick or untick the lines that are shown; a search leaves the others as they are"""

    bl_idname = "retro_anim.tick"
    bl_label = "Tick"
    bl_options = {"INTERNAL"}

    change: EnumProperty(items=[("ALL", "All", ""), ("NONE", "None", ""), ("INVERT", "Invert", "")])

    def execute(self: Any, context: Context) -> Any:
        browser = listing.browser_of(context)
        listing.forget_alone(browser)
        pairs = zip(listing.shown(browser), listing.ticks(browser), strict=True)
        changed = {"ALL": lambda _: True, "NONE": lambda _: False, "INVERT": lambda ticked: not ticked}[self.change]
        listing.tick(browser, [changed(ticked) if left else ticked for left, ticked in pairs])
        return {"FINISHED"}


_TAKEN = "the browser was opened on another file in another window: close this one, and open it again"
"""There is one list for all windows, of the file that was opened last."""


class Chooser:
    """What makes the importer of a game its browser: the choice is made in a dialog, and imported by the same operator."""

    from_list: BoolProperty(default=False, options={"HIDDEN", "SKIP_SAVE"})

    def invoke(self: Any, context: Context, event: Event) -> Any:
        if self.started:
            return super().invoke(context, event)  # type: ignore[misc]
        preferences.begin(context, self)
        if not self.fill(context):
            return {"CANCELLED"}
        self.ask = self.from_list = True
        return context.window_manager.invoke_props_dialog(self, width=WIDTH, title=self.title(), confirm_text="Import")

    def _has(self: Any, browser: Any) -> bool:
        """Whether the list is still of its file."""
        return (browser.game, browser.path) == (self.row.id, self.filepath)

    def title(self: Any) -> str:
        path = Path(self.filepath)
        return f"{self.row.label}: {path.parent.name}/{path.name}" if path.parent.name else f"{self.row.label}: {path.name}"

    def fill(self: Any, context: Context) -> bool:
        """Whether there is anything to choose from; if not, that is reported."""
        from ...io.pipeline import games

        try:
            known = _listed.pop((self.row.id, self.filepath), None)
            contents = known if known is not None else games.contents(self.row, self.filepath, self.values())
        except RetroAnimError as error:
            self.report({"ERROR"}, line(str(error)))
            return False
        _shown_with[self.row.id] = self.values()
        if not listing.fill(listing.browser_of(context), self.row, contents, self.filepath):
            self.report({"ERROR"}, line(f"{self.filepath}: nothing in it that can be imported"))
            return False
        return True

    def check(self: Any, context: Context) -> bool:
        """An option was changed: where it changes what there is to choose from, or its names, the list follows, and what was ticked stays
        so. What is wrong is said by Import."""
        values = self.values()
        if _shown_with.get(self.row.id) == values or not self._has(listing.browser_of(context)):
            return False
        _shown_with[self.row.id] = values
        from ...io.pipeline import games

        try:
            contents = games.contents(self.row, self.filepath, values)
        except RetroAnimError:
            return False
        return listing.follow(listing.browser_of(context), self.row, contents, self.filepath)

    def draw(self: Any, context: Context) -> None:
        from . import pictures

        if not self.from_list:
            super().draw(context)  # type: ignore[misc]
            return
        browser = listing.browser_of(context)
        if not self._has(browser):
            self.layout.label(text=_TAKEN, icon="INFO")
            return
        pictures.shown_in(context)
        split = self.layout.split(factor=0.68)
        _draw_list(split.column(), browser)
        column = split.column()
        _draw_picture(context, column, browser)
        self.draw_folded(context, column, browser)

    def cancel(self: Any, context: Context) -> None:
        """Of the dialog, or of the import that goes on."""
        from . import pictures

        pictures.closed()
        super().cancel(context)  # type: ignore[misc]

    def draw_folded(self: Any, context: Context, layout: Any, browser: Any) -> None:
        """The options, each part of them folded in at first. (Blender's own panels need the whole width.)"""
        for number, (title, names) in enumerate(self.groups().items()):
            chosen_here = [page.option for page in self.row.pages]
            offered = [name for name in names if name not in chosen_here and self.shown(name)]
            if not offered:
                continue
            header, unfolded = layout.row(), browser.open[number]
            header.alignment = "LEFT"
            icon = "DOWNARROW_HLT" if unfolded else "RIGHTARROW"
            header.prop(browser, "open", index=number, text=title, icon=icon, emboss=False)
            if unfolded:
                column = layout.column()
                column.use_property_split, column.use_property_decorate = True, False
                for name in offered:
                    row = column.row()
                    row.enabled = self.usable(context, name)
                    declared.draw(row, self, self.options_class, name)

    def execute(self: Any, context: Context) -> Any:
        from . import pictures

        if self.from_list:
            pictures.closed()
            browser = listing.browser_of(context)
            if not self._has(browser):
                self.report({"ERROR"}, _TAKEN)
                return {"CANCELLED"}
            chosen = listing.keys(browser)
            if not chosen:
                self.report({"WARNING"}, "nothing was chosen: tick a line of the list, or click one")
                return {"CANCELLED"}
            (option,) = (page.option for page in self.row.pages if page.name == browser.tab)
            setattr(self, option, ",".join(chosen))
            self.from_list = False  # whoever adjusts the import afterwards adjusts its options
        return self.import_(context, (self.filepath,))

    def importing(self: Any, context: Context, paths: Any) -> Any:
        """What came in from it once is remembered, where a person waits."""
        running, conclude = super().importing(context, paths)  # type: ignore[misc]
        row, path, ask = self.row, self.filepath, self.ask

        def and_remember(reporter: Any, now: Context, ended: Any) -> Any:
            result = conclude(reporter, now, ended)
            if ask and result == {"FINISHED"}:
                preferences.remember(now, row.id, path)
            return result

        return running, and_remember


def _draw_picture(context: Context, layout: Any, browser: Any) -> None:
    """Of the active line, large."""
    from . import pictures

    lines = browser.lines
    item = lines[browser.index] if 0 <= browser.index < len(lines) else None
    if item is not None and item.pictured and (picture := pictures.icon(context, *listing.pictured(browser, item))):
        layout.template_icon(icon_value=picture, scale=8.0)


def _draw_list(layout: Any, browser: Any) -> None:
    if listing.several_pages():
        layout.row().prop(browser, "tab", expand=True)
    with_placeholder(layout, browser, "search", "Search names and numbers", icon="VIEWZOOM")
    header = layout.row()
    for column, (title, _) in zip(_columns(header), _COLUMNS, strict=True):
        column.label(text=title)
    layout.template_list("RETRO_ANIM_UL_lines", "", browser, "lines", browser, "index", rows=ROWS, maxrows=ROWS)
    chosen, all_lines, left = listing.counts(browser)
    split = layout.split(factor=0.5)
    row = split.row(align=True)
    for change, text in (("ALL", "Tick All"), ("NONE", "Tick None"), ("INVERT", "Invert")):
        row.operator("retro_anim.tick", text=text).change = change
    row = split.row()
    row.label(text=f"{chosen} of {all_lines} chosen" + (f", {left} shown" if left < all_lines else ""))
    if listing.several_pages():
        others = ", ".join(listing.elsewhere(browser))
        says = f"Also ticked: {others}; Import takes only the page that is shown" if others else ""
        layout.label(text=says, icon="INFO" if others else "BLANK1")  # always, else Import would move away from below the mouse
    if browser.path.lower().endswith(".hqr"):
        row.operator("retro_anim.archive", text="Manage", icon="PACKAGE").filepath = browser.path


def chooser(importer: Any) -> type[Operator]:
    """The operator import_anim.GAME_choose, with a tab for each page of the game's row, and all options of the game's importer."""
    game: Game = importer.row
    body = {
        "__doc__": "Choose what to import",
        "__module__": __name__,
        "bl_idname": f"import_anim.{game.id}_choose",
        "bl_label": f"Import {game.label}",
        "bl_options": {"UNDO", "INTERNAL"},
        "row": game,
    }
    bases = (base for base in importer.__bases__ if base is not Operator)  # Blender takes no class that stands below another
    return type(f"IMPORT_ANIM_OT_{game.id}_choose", (Chooser, *bases, Operator), body)


def ask(game: Game, path: str, options: dict[str, Any], contents: "Contents") -> Any:
    """Open the browser on `contents`, those of `path`; the choice is imported with `options`."""
    chooser_operator = getattr(bpy.ops.import_anim, f"{game.id}_choose")
    _listed[game.id, path] = contents
    try:
        chooser_operator("INVOKE_DEFAULT", filepath=path, **options)
    finally:
        _listed.clear()
    # Nothing was changed yet: the browser's own operator makes the undo step.
    return {"CANCELLED"}


def look_again(context: Context, path: str) -> None:
    """Where a browser shows the file, it shows what that holds now."""
    browser = listing.browser_of(context)
    game = GAMES.get(browser.game)
    if game is None or browser.path != path:
        return
    from ...io.pipeline import games

    try:
        listing.follow(browser, game, games.contents(game, path, _shown_with.get(game.id, {})), path)
    except RetroAnimError:
        return  # Import says what is wrong


CLASSES = (*listing.CLASSES, RETRO_ANIM_UL_lines, RETRO_ANIM_OT_tick)
