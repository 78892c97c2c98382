"""The browser: what an archive, a level or a client's folder holds, to choose from, with the options of the import beside it."""

from pathlib import Path
from typing import Any

import bpy
from bpy.props import (
    BoolProperty,
    BoolVectorProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)
from bpy.types import Context, Event, Operator, PropertyGroup, UIList

from ...core.declare.game import Game
from ...io.blender import register_property
from ..shared import preferences
from ..shared.layout import ask, dialog_width

WIDTH = 960
_MOST_GROUPS = 12


def _ticked(line: Any, context: Any) -> None:
    from . import listing

    listing.ticked(line, context)


def _clicked(browser: Any, _context: Any) -> None:
    from . import listing

    listing.clicked(browser)


def _page_chosen(browser: Any, _context: Any) -> None:
    from . import listing

    listing.page_chosen(browser)


def _typed(browser: Any, _context: Any) -> None:
    from . import listing

    listing.typed(browser)


def _tab_items(_browser: Any, _context: Any) -> Any:
    from . import listing

    return listing.tab_items()


class RetroAnimLine(PropertyGroup):
    """One line. `name` is what is searched."""

    page: StringProperty()
    key: StringProperty()
    title: StringProperty()
    kind: StringProperty()
    clips: IntProperty()
    frames: IntProperty()
    seconds: FloatProperty()
    chosen: BoolProperty(name="Import", description="Whether Import brings it in", update=_ticked)
    pictured: BoolProperty()


class RetroAnimBrowser(PropertyGroup):
    """What the dialog shows; not saved with a file. game: its id. path: of the file. open: the parts of the options that are unfolded, in
    their order."""

    game: StringProperty()
    path: StringProperty()

    lines: CollectionProperty(type=RetroAnimLine)
    index: IntProperty(name="Line", description="Its picture is shown; Import brings in what is ticked", update=_clicked)
    tab: EnumProperty(name="Page", items=_tab_items, update=_page_chosen)
    search: StringProperty(
        name="Search",
        description="Show the lines that have all of these words, in names or numbers",
        options={"TEXTEDIT_UPDATE"},
        update=_typed,
    )
    open: BoolVectorProperty(name="Show Options", size=_MOST_GROUPS)


class RETRO_ANIM_UL_lines(UIList):
    def draw_item(self, context: Any, layout: Any, data: Any, item: Any, icon: Any, active_data: Any, active_property: Any) -> None:
        from . import choosing

        choosing.draw_line(context, layout, data, item)

    def draw_filter(self, context: Any, layout: Any) -> None:
        """The browser has a search field of its own."""

    def filter_items(self, context: Any, data: Any, property: str) -> tuple[list[int], list[int]]:  # noqa: A002 - Blender's own name
        from . import listing

        visible: int = self.bitflag_filter_item
        return [visible if left else 0 for left in listing.shown(data)], []


class RETRO_ANIM_OT_tick(Operator):
    """Tick or untick the lines that are shown; a search leaves the others as they are"""

    bl_idname = "retro_anim.tick"
    bl_label = "Tick"
    bl_options = {"INTERNAL"}

    change: EnumProperty(items=[("ALL", "All", ""), ("NONE", "None", ""), ("INVERT", "Invert", "")])

    def execute(self: Any, context: Context) -> Any:
        from . import listing

        browser = listing.browser_of(context)
        listing.forget_alone(browser)
        pairs = zip(listing.shown(browser), listing.ticks(browser), strict=True)
        changed = {"ALL": lambda _: True, "NONE": lambda _: False, "INVERT": lambda ticked: not ticked}[self.change]
        listing.tick(browser, [changed(ticked) if left else ticked for left, ticked in pairs])
        return {"FINISHED"}


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
        return ask(self, context, width=dialog_width(context, WIDTH), title=self.title(), confirm_text="Import")

    def title(self: Any) -> str:
        path = Path(self.filepath)
        return f"{self.row.label}: {path.parent.name}/{path.name}" if path.parent.name else f"{self.row.label}: {path.name}"

    def fill(self: Any, context: Context) -> bool:
        from . import choosing

        return choosing.fill(self, context)

    def check(self: Any, context: Context) -> bool:
        from . import choosing

        return choosing.follow(self, context)

    def draw(self: Any, context: Context) -> None:
        if not self.from_list:
            super().draw(context)  # type: ignore[misc]
            return
        from . import choosing

        choosing.draw(self, context)

    def cancel(self: Any, context: Context) -> None:
        """Of the dialog, or of the import that goes on."""
        from . import pictures

        pictures.closed()
        super().cancel(context)  # type: ignore[misc]

    def execute(self: Any, context: Context) -> Any:
        if self.from_list:
            from . import choosing, listing, pictures

            pictures.closed()
            browser = listing.browser_of(context)
            if not choosing.is_of(self, browser):
                self.report({"ERROR"}, choosing.TAKEN)
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
        row, path, waits = self.row, self.filepath, self.ask

        def and_remember(reporter: Any, now: Context, ended: Any) -> Any:
            result = conclude(reporter, now, ended)
            if waits and result == {"FINISHED"}:
                preferences.remember(now, row.id, path)
            return result

        return running, and_remember


def chooser(importer: Any) -> type[Operator]:
    """The operator import_anim.GAME_choose, with a tab for each page of the game's row, and all options of the game's importer."""
    game: Game = importer.row
    body = {
        "__doc__": "Choose what to import",
        "__module__": __name__,
        "bl_idname": f"import_anim.{game.id}_choose",
        "bl_label": importer.bl_label,
        "bl_options": {"REGISTER", "UNDO", "INTERNAL"},
        "row": game,
    }
    bases = (base for base in importer.__bases__ if base is not Operator)  # Blender takes no class that stands below another
    return type(f"IMPORT_ANIM_OT_{game.id}_choose", (Chooser, *bases, Operator), body)


def register() -> None:
    register_property(bpy.types.WindowManager, "retro_anim_browser", PointerProperty(type=RetroAnimBrowser, options={"SKIP_SAVE"}))


def unregister() -> None:
    manager: Any = bpy.types.WindowManager
    del manager.retro_anim_browser


CLASSES = (RetroAnimLine, RetroAnimBrowser, RETRO_ANIM_UL_lines, RETRO_ANIM_OT_tick)
