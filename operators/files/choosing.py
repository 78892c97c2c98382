"""What the browser shows: its list, drawn and kept as the file and the options are, and the options of the import beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
from bpy.types import Context

from ...core.declare.game import Game
from ...core.games import GAMES
from ...core.reporting.errors import RetroAnimError
from ...core.reporting.labels import line
from ...io.pipeline import games
from ..shared import declared
from ..shared.layout import lines_in, with_placeholder
from . import listing, pictures

if TYPE_CHECKING:
    from ...io.pipeline.contents import Contents

_COLUMNS = (("Name", 0.42), ("Bodies or Type", 0.4), ("Clips", 0.27), ("Frames", 0.46), ("Seconds", 1.0))
"""Title of each column, and how much of what the columns before it leave it takes."""

_listed: dict[tuple[str, str], Contents] = {}
"""What a game's file has to choose from, while its browser is about to open: whoever opens it has looked already."""


_shown_with: dict[str, dict[str, Any]] = {}
"""By the id of a game the options with which the list that its browser shows was made."""


TAKEN = "the browser was opened on another file in another window: close this one, and open it again"
"""There is one list for all windows, of the file that was opened last."""


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


def draw_line(context: Any, layout: Any, data: Any, item: Any) -> None:
    """A line of the list."""
    name, kind, clips, frames, seconds = _columns(layout)
    name.prop(item, "chosen", text="")
    if item.pictured:
        name.label(text="", icon_value=pictures.icon(context, *listing.pictured(data, item)))
    name.label(text=item.title, translate=False)
    kind.label(text=item.kind, translate=False)
    clips.label(text=str(item.clips) if item.clips else "")
    frames.label(text=str(item.frames) if item.frames else "")
    seconds.label(text=f"{item.seconds:.2f}" if item.seconds else "")


def is_of(operator: Any, browser: Any) -> bool:
    """Whether the list is still of its file."""
    return (browser.game, browser.path) == (operator.row.id, operator.filepath)


def fill(operator: Any, context: Context) -> bool:
    """Whether there is anything to choose from; if not, that is reported."""
    try:
        known = _listed.pop((operator.row.id, operator.filepath), None)
        contents = known if known is not None else games.contents(operator.row, operator.filepath, operator.values())
    except RetroAnimError as error:
        operator.report({"ERROR"}, line(str(error)))
        return False
    _shown_with[operator.row.id] = operator.values()
    if not listing.fill(listing.browser_of(context), operator.row, contents, operator.filepath):
        operator.report({"ERROR"}, line(f"{operator.filepath}: nothing in it that can be imported"))
        return False
    return True


def follow(operator: Any, context: Context) -> bool:
    """An option was changed: where it changes what there is to choose from, or its names, the list follows, and what was ticked stays
    so. What is wrong is said by Import."""
    values = operator.values()
    if _shown_with.get(operator.row.id) == values or not is_of(operator, listing.browser_of(context)):
        return False
    _shown_with[operator.row.id] = values
    try:
        contents = games.contents(operator.row, operator.filepath, values)
    except RetroAnimError:
        return False
    return listing.follow(listing.browser_of(context), operator.row, contents, operator.filepath)


def draw(operator: Any, context: Context) -> None:
    """The dialog: the list, and beside it the picture of its line and the options of the import."""
    browser = listing.browser_of(context)
    if not is_of(operator, browser):
        operator.layout.label(text=TAKEN, icon="INFO")
        return
    pictures.shown_in(context)
    split = operator.layout.split(factor=0.68)
    draw_list(split.column(), browser)
    column = split.column()
    _draw_picture(context, column, browser)
    _draw_folded(operator, context, column, browser)


def _draw_folded(operator: Any, context: Context, layout: Any, browser: Any) -> None:
    """The options, each part of them folded in at first. (Blender's own panels need the whole width.)"""
    for number, (title, names) in enumerate(operator.groups().items()):
        chosen_here = [page.option for page in operator.row.pages]
        offered = [name for name in names if name not in chosen_here and operator.shown(name)]
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
                row.enabled = operator.usable(context, name)
                declared.draw(row, operator, operator.options_class, name)


def _draw_picture(context: Context, layout: Any, browser: Any) -> None:
    """Of the active line, large."""
    lines = browser.lines
    item = lines[browser.index] if 0 <= browser.index < len(lines) else None
    if item is not None and item.pictured and (picture := pictures.icon(context, *listing.pictured(browser, item))):
        layout.template_icon(icon_value=picture, scale=8.0)


def draw_list(layout: Any, browser: Any) -> None:
    if listing.several_pages():
        layout.row().prop(browser, "tab", expand=True)
    with_placeholder(layout, browser, "search", "Search names and numbers", icon="VIEWZOOM")
    header = layout.row()
    for column, (title, _) in zip(_columns(header), _COLUMNS, strict=True):
        column.label(text=title, translate=False)
    rows = lines_in(bpy.context.window)
    layout.template_list("RETRO_ANIM_UL_lines", "", browser, "lines", browser, "index", rows=rows, maxrows=rows)
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
        row.operator("retro_anim.archive", text="Manage", translate=False, icon="PACKAGE").filepath = browser.path


def ask(game: Game, path: str, options: dict[str, Any], contents: Contents) -> Any:
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
    try:
        listing.follow(browser, game, games.contents(game, path, _shown_with.get(game.id, {})), path)
    except RetroAnimError:
        return  # Import says what is wrong
