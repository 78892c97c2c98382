"""The entries of an archive that is managed: listed, drawn, and what is done with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
from bpy.types import Context

from ...core import archives, formats, looking
from ...core.files.disk import disk
from ...core.games import GAMES
from ...core.reporting.errors import RetroAnimError
from ...io.pipeline.destination import targets
from ..clips.targets import backup_from
from ..shared import preferences
from ..shared.layout import lines_in, with_placeholder
from ..shared.panel import active_action, active_armature
from . import listing


def fill(archive: Any, path: str) -> None:
    """List the entries of an archive; where it is listed already, the active one stays so. Raises RetroAnimError for what is none."""
    facts = archives.listed(path, _name_list(path))
    archive.index = archive.index if archive.path == path and archive.index < len(facts) else 0
    archive.path = path
    archive.entries.clear()
    for fact in facts:
        item = archive.entries.add()
        item.number = fact["index"]
        blank = fact.get("blank", False)
        item.kind = "blank" if blank else fact.get("error", "") or fact.get("label", "") or "unknown"
        item.size = "" if blank or "size" not in fact else f"{fact['size']:,}"
        item.stored = f"{fact['method']} {fact['packed_size']:,}" if "method" in fact else ""
        item.called = fact["name"] or fact.get("called", "")
        item.name = f"{fact['index']} {item.called} {item.kind}"
    archive.has_names = any(item.called for item in archive.entries)


def _name_list(path: str) -> str:
    """A person's own list of the names of these entries, "" for none."""
    from ...io.pipeline import games

    folder, kind = preferences.names_folder(bpy.context), formats.recognise_file(path)
    return games.name_list(GAMES[kind.game], folder, path) if folder and kind is not None else ""


def columns(layout: Any, has_names: bool) -> list[Any]:
    """A layout for each column, side by side: number, name where there are any, kind and two more."""
    columns: list[Any] = []
    for factor in (0.12, 0.48, 0.46, 0.4) if has_names else (0.16, 0.5, 0.4):
        layout = layout.split(factor=factor)
        columns.append(layout.row())
    return [*columns, layout.row()]


def draw(layout: Any, archive: Any) -> None:
    """The dialog: the list, and what can be done with what is ticked in it."""
    with_placeholder(
        layout, archive, "search", "Search names, kinds and numbers" if archive.has_names else "Search kinds and numbers", icon="VIEWZOOM"
    )
    titles = layout.row()
    titles.active = False
    named = ("Name",) if archive.has_names else ()
    for column, title in zip(columns(titles, archive.has_names), ("Entry", *named, "Kind", "Bytes", "In the Archive"), strict=True):
        column.label(text=title, translate=False)
    rows = lines_in(bpy.context.window)
    layout.template_list("RETRO_ANIM_UL_entries", "", archive, "entries", archive, "index", rows=rows, maxrows=rows)
    chosen = sum(item.chosen for item in archive.entries)
    layout.label(text=f"{chosen} of {len(archive.entries)} chosen" if chosen else "The active entry is meant, unless some are ticked")
    row = layout.row(align=True)
    for how, text, icon in (("extract", "Extract", "EXPORT"), ("replace", "Replace", "FILE_REFRESH"), ("add", "Add", "ADD")):
        row.operator(f"retro_anim.archive_{how}", text=text, icon=icon)
    row.operator("retro_anim.archive_entry", text="Blank", translate=False, icon="X").how = "BLANK"
    if backup_from(archive.path):
        row.operator("retro_anim.archive_entry", text="Restore", translate=False, icon="FILE_BACKUP").how = "RESTORE"
    layout.separator()  # the button comes where the last item was drawn, which else is the row above
    layout.template_popup_confirm(
        "", text="", translate=False, cancel_text="Close", cancel_default=True
    )  # nothing is left to confirm, or to cancel


def archive_at_hand(context: Context) -> str:
    """The archive of the active clip, of the active body, or else the one chosen from last. A browser that is open names its own."""
    action, obj = active_action(context), active_armature(context)
    blocks = [block for block in (action, obj.data if obj is not None else None) if block is not None]
    paths = [*(targets.home(block) for block in blocks), listing.browser_of(context).path]
    return next((path for path in paths if Path(path).suffix.lower() == ".hqr" and looking.is_file(path)), "")


def applied(operator: Any, path: str, entries: str) -> str:
    """What an operator is about, done with these entries of the archive; what was done."""
    how = operator.how
    if not path:
        raise RetroAnimError("no archive was chosen")
    if how != "ADD" and not entries:
        raise RetroAnimError("no entry was chosen")
    if how == "BLANK":
        return f"blanked: {', '.join(archives.blanked(path, entries))}"
    if how == "RESTORE":
        return f"restored: {', '.join(archives.restored(path, entries))}"
    sources = [str(Path(operator.directory) / each.name) for each in operator.files if each.name] or [bpy.path.abspath(operator.filepath)]
    if how == "ADD":
        return f"added: {', '.join(archives.added(path, sources))}"
    if how == "REPLACE":
        if "," in entries or "-" in entries or len(sources) > 1:
            raise RetroAnimError("one entry is replaced by one file: choose one of each")
        return f"replaced: {archives.replaced(path, entries, sources[0])}"
    folder = Path(bpy.path.abspath(operator.directory) or Path(sources[0]).parent)
    taken = archives.extracted(path, entries)
    present = [each.name for each in taken if (folder / each.name).exists()]
    if present:
        raise RetroAnimError(f"{folder / present[0]}: is there already: choose another folder")
    disk.write_files({folder / each.name: (each.data, False) for each in taken})
    return f"extracted: {', '.join(str(folder / each.name) for each in taken)}"
