"""Archives managed: all entries of one, of any kind, in a list, taken out, replaced, added and blanked; of the file a backup is kept."""

import os
from pathlib import Path
from typing import Any

import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, IntProperty, PointerProperty, StringProperty
from bpy.types import Context, Event, Operator, PropertyGroup, UIList

from ...core import looking
from ...core.reporting.errors import RetroAnimError
from ..clips import states
from ..clips.targets import backup_from
from ..shared import job, preferences
from ..shared.layout import confirm, split_layout, with_placeholder
from ..shared.panel import active_action, active_armature
from . import choose, listing

WIDTH, ROWS = 640, 16


class RetroAnimEntry(PropertyGroup):
    """One entry. `name` is what is searched."""

    number: IntProperty()
    kind: StringProperty()
    size: StringProperty()
    stored: StringProperty()
    chosen: BoolProperty(name="Chosen", description="Whether the buttons below are about it")


class RetroAnimArchive(PropertyGroup):
    """What the list shows; not saved with a file."""

    path: StringProperty()
    entries: CollectionProperty(type=RetroAnimEntry)
    index: IntProperty(name="Entry", description="The buttons below are about it, or about those that are ticked")
    search: StringProperty(name="Search", description="Show the entries with this text", options={"TEXTEDIT_UPDATE"})


def archive_of(context: Context) -> Any:
    manager: Any = context.window_manager
    return manager.retro_anim_archive


def fill(archive: Any, path: str) -> None:
    """List the entries of an archive; where it is listed already, the active one stays so. Raises RetroAnimError for what is none."""
    from ...core import archives

    facts = archives.listed(path)
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
        item.name = f"{fact['index']} {fact['name']} {item.kind}"


def _columns(layout: Any) -> list[Any]:
    """A layout for each column, side by side."""
    columns: list[Any] = []
    for factor in (0.16, 0.5, 0.4):
        layout = layout.split(factor=factor)
        columns.append(layout.row())
    return [*columns, layout.row()]


class RETRO_ANIM_UL_entries(UIList):
    def draw_item(self, context: Any, layout: Any, data: Any, item: Any, icon: Any, active_data: Any, active_property: Any) -> None:
        number, kind, size, stored = _columns(layout)
        number.prop(item, "chosen", text=str(item.number))
        kind.label(text=item.kind, translate=False)
        size.label(text=item.size)
        stored.label(text=item.stored, translate=False)

    def filter_items(self, context: Any, data: Any, property: str) -> tuple[list[int], list[int]]:  # noqa: A002 - Blender's own name
        visible: int = self.bitflag_filter_item
        text = data.search.lower()
        return [visible if text in item.name.lower() else 0 for item in data.entries], []


class RETRO_ANIM_OT_archive(Operator):
    """List all entries of an archive, of any kind, to take them out, replace them, add some and blank them"""

    bl_idname = "retro_anim.archive"
    bl_label = "Manage Archive"
    bl_options = {"INTERNAL"}

    filepath: StringProperty(subtype="FILE_PATH", options={"SKIP_SAVE"})
    filter_glob: StringProperty(default="*.hqr;*.dat", options={"HIDDEN"})

    def invoke(self: Any, context: Context, event: Event) -> Any:
        self.filepath = self.filepath or _archive_at_hand(context)
        if not self.filepath:
            folder = preferences.last_folder(context, "lba")
            self.filepath = f"{folder}{os.sep}" if folder else ""
            context.window_manager.fileselect_add(self)
            return {"RUNNING_MODAL"}
        if job.run(self, context, lambda: fill(archive_of(context), self.filepath) or True) is None:
            return {"CANCELLED"}
        return context.window_manager.invoke_props_dialog(self, width=WIDTH, title=Path(self.filepath).name)

    def draw(self: Any, context: Context) -> None:
        layout, archive = self.layout, archive_of(context)
        with_placeholder(layout, archive, "search", "Search kinds and numbers", icon="VIEWZOOM")
        titles = layout.row()
        titles.active = False
        for column, title in zip(_columns(titles), ("Entry", "Kind", "Bytes", "In the Archive"), strict=True):
            column.label(text=title)
        layout.template_list("RETRO_ANIM_UL_entries", "", archive, "entries", archive, "index", rows=ROWS, maxrows=ROWS)
        chosen = sum(item.chosen for item in archive.entries)
        layout.label(text=f"{chosen} of {len(archive.entries)} chosen" if chosen else "The active entry is meant, unless some are ticked")
        row = layout.row(align=True)
        for how, text, icon in (("extract", "Extract", "EXPORT"), ("replace", "Replace", "FILE_REFRESH"), ("add", "Add", "ADD")):
            row.operator(f"retro_anim.archive_{how}", text=text, icon=icon)
        row.operator("retro_anim.archive_entry", text="Blank", icon="X").how = "BLANK"
        if backup_from(archive.path):
            row.operator("retro_anim.archive_entry", text="Restore", icon="FILE_BACKUP").how = "RESTORE"
        layout.separator()  # the button comes where the last item was drawn, which else is the row above
        layout.template_popup_confirm("", text="", cancel_text="Close", cancel_default=True)  # nothing is left to confirm, or to cancel

    def execute(self: Any, context: Context) -> Any:
        """From the file browser: show it; the dialog's own button ends it."""
        if archive_of(context).path != self.filepath and not bpy.app.background:
            return self.invoke(context, None)
        return {"FINISHED"}


def _archive_at_hand(context: Context) -> str:
    """The archive of the active clip, of the active body, or else the one chosen from last. A browser that is open names its own."""
    from ...io.pipeline.destination import targets

    action, obj = active_action(context), active_armature(context)
    blocks = [block for block in (action, obj.data if obj is not None else None) if block is not None]
    paths = [*(targets.home(block) for block in blocks), listing.browser_of(context).path]
    return next((path for path in paths if Path(path).suffix.lower() == ".hqr" and looking.is_file(path)), "")


_HOWS = (
    ("EXTRACT", "Extract", "Take entries out of the archive, as files, unpacked"),
    ("REPLACE", "Replace", "Replace an entry by a file of any kind; all others stay as they are"),
    ("ADD", "Add", "Put files into the archive as new entries behind the last one"),
    ("BLANK", "Blank", "Make the entries blank; no other changes its number"),
    ("RESTORE", "Restore", "Bring the entries back as they were in the first state of the archive, its .bak"),
)


class _OfEntries:
    """What is done with entries. how: one of those above."""

    archive: StringProperty(name="Archive", description="Empty: the one that is listed", options={"SKIP_SAVE"})
    entries: StringProperty(name="Entries", description="1, 0-5,9. Empty: the ticked ones, or the active one", options={"SKIP_SAVE"})
    filepath: StringProperty(subtype="FILE_PATH", options={"SKIP_SAVE"})
    directory: StringProperty(subtype="DIR_PATH", options={"SKIP_SAVE"})
    files: CollectionProperty(type=bpy.types.OperatorFileListElement, options={"SKIP_SAVE", "HIDDEN"})

    def invoke(self: Any, context: Context, event: Event) -> Any:
        if self.how in ("BLANK", "RESTORE"):
            kept = (
                "the first state of the archive is kept as a .bak"
                if self.how == "BLANK"
                else "as in the .bak; what was put in since is lost"
            )
            entries = self._entries(context)
            return confirm(self, context, event, self.how.title(), f"{'Entries' if ',' in entries else 'Entry'} {entries}: {kept}")
        if not self.directory:
            self.directory = str(Path(bpy.path.abspath(self.archive) or archive_of(context).path).parent)
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def draw(self: Any, context: Context) -> None:
        entries = "a new entry" if self.how == "ADD" else self._entries(context)
        split_layout(self).label(text=f"{self.how.title()}: {entries}")

    def execute(self: Any, context: Context) -> Any:
        listed = archive_of(context)
        path = bpy.path.abspath(self.archive) or listed.path
        result = job.run(self, context, lambda: self._applied(context, path), summary=lambda result: result)
        if result is None:
            return {"CANCELLED"}
        if self.how != "EXTRACT":
            states.forget(path)
            choose.look_again(context, path)
        if listed.path == path:
            fill(listed, path)
            listed.index = len(listed.entries) - 1 if self.how == "ADD" else listed.index  # the new one is in view
        return {"FINISHED"}

    def _entries(self: Any, context: Context) -> str:
        if self.entries.strip() or self.archive:
            return self.entries.strip()
        listed = archive_of(context)
        chosen = [str(item.number) for item in listed.entries if item.chosen]
        return ",".join(chosen) or (str(listed.index) if len(listed.entries) else "")

    def _applied(self: Any, context: Context, path: str) -> str:
        from ...core import archives
        from ...core.files import disk

        if not path:
            raise RetroAnimError("no archive was chosen")
        entries = "" if self.how == "ADD" else self._entries(context)
        if self.how != "ADD" and not entries:
            raise RetroAnimError("no entry was chosen")
        if self.how == "BLANK":
            return f"blanked: {', '.join(archives.blanked(path, entries))}"
        if self.how == "RESTORE":
            return f"restored: {', '.join(archives.restored(path, entries))}"
        sources = [str(Path(self.directory) / each.name) for each in self.files if each.name] or [bpy.path.abspath(self.filepath)]
        if self.how == "ADD":
            return f"added: {', '.join(archives.added(path, sources))}"
        if self.how == "REPLACE":
            if "," in entries or "-" in entries or len(sources) > 1:
                raise RetroAnimError("one entry is replaced by one file: choose one of each")
            return f"replaced: {archives.replaced(path, entries, sources[0])}"
        folder = Path(bpy.path.abspath(self.directory) or Path(sources[0]).parent)
        taken = archives.extracted(path, entries)
        present = [each.name for each in taken if (folder / each.name).exists()]
        if present:
            raise RetroAnimError(f"{folder / present[0]}: is there already: choose another folder")
        disk.write_files({folder / each.name: (each.data, False) for each in taken})
        return f"extracted: {', '.join(str(folder / each.name) for each in taken)}"


class RETRO_ANIM_OT_archive_entry(_OfEntries, Operator):
    """Take entries out of an archive, or put files into it; the first state of the archive is kept as a .bak"""

    bl_idname = "retro_anim.archive_entry"
    bl_label = "Archive Entry"
    bl_options = {"INTERNAL"}

    how: EnumProperty(name="Action", items=_HOWS)

    @classmethod
    def description(cls, _context: Context, properties: Any) -> str:
        return next(text for how, _, text in _HOWS if how == properties.how)


# The button of a file browser has its operator's label, so that each of those that ask for files is an operator of its own.


class RETRO_ANIM_OT_archive_extract(_OfEntries, Operator):
    """Take entries out of the archive, as files, unpacked"""

    bl_idname = "retro_anim.archive_extract"
    bl_label = "Extract Here"
    bl_options = {"INTERNAL"}

    how: EnumProperty(items=_HOWS, default="EXTRACT", options={"HIDDEN"})


class RETRO_ANIM_OT_archive_replace(_OfEntries, Operator):
    """Replace an entry by a file of any kind; all others stay as they are, and the first state of the archive is kept as a .bak"""

    bl_idname = "retro_anim.archive_replace"
    bl_label = "Replace Entry"
    bl_options = {"INTERNAL"}

    how: EnumProperty(items=_HOWS, default="REPLACE", options={"HIDDEN"})


class RETRO_ANIM_OT_archive_add(_OfEntries, Operator):
    """Put files into the archive as new entries behind the last one; its first state is kept as a .bak"""

    bl_idname = "retro_anim.archive_add"
    bl_label = "Add to Archive"
    bl_options = {"INTERNAL"}

    how: EnumProperty(items=_HOWS, default="ADD", options={"HIDDEN"})


def register() -> None:
    manager: Any = bpy.types.WindowManager
    manager.retro_anim_archive = PointerProperty(type=RetroAnimArchive)


def unregister() -> None:
    del bpy.types.WindowManager.retro_anim_archive  # type: ignore[attr-defined]


CLASSES = (
    RetroAnimEntry,
    RetroAnimArchive,
    RETRO_ANIM_UL_entries,
    RETRO_ANIM_OT_archive,
    RETRO_ANIM_OT_archive_entry,
    RETRO_ANIM_OT_archive_extract,
    RETRO_ANIM_OT_archive_replace,
    RETRO_ANIM_OT_archive_add,
)
