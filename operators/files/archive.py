"""Archives managed: all entries of one, of any kind, in a list, taken out, replaced, added and blanked; of the file a backup is kept."""

import os
from pathlib import Path
from typing import Any

import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, IntProperty, PointerProperty, StringProperty
from bpy.types import Context, Event, Operator, PropertyGroup, UIList

from ...io.blender import register_property
from ..clips import states
from ..shared import job, preferences
from ..shared.layout import ask, confirm, dialog_width, draw_whole, split_layout

WIDTH = 720


class RetroAnimEntry(PropertyGroup):
    """One entry. `name` is what is searched, called its own name or what people call it."""

    number: IntProperty()
    called: StringProperty()
    kind: StringProperty()
    size: StringProperty()
    stored: StringProperty()
    chosen: BoolProperty(name="Chosen", description="Whether the buttons below are about it")


class RetroAnimArchive(PropertyGroup):
    """What the list shows; not saved with a file."""

    path: StringProperty()
    entries: CollectionProperty(type=RetroAnimEntry)
    has_names: BoolProperty()
    index: IntProperty(name="Entry", description="The buttons below are about it, or about those that are ticked")
    search: StringProperty(name="Search", description="Show the entries with this text", options={"TEXTEDIT_UPDATE"})


def archive_of(context: Context) -> Any:
    manager: Any = context.window_manager
    return manager.retro_anim_archive


class RETRO_ANIM_UL_entries(UIList):
    def draw_item(self, context: Any, layout: Any, data: Any, item: Any, icon: Any, active_data: Any, active_property: Any) -> None:
        from . import entries

        number, *called, kind, size, stored = entries.columns(layout, data.has_names)
        number.prop(item, "chosen", text=str(item.number))
        for name in called:
            name.label(text=item.called, translate=False)
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
        from . import entries

        self.filepath = self.filepath or entries.archive_at_hand(context)
        if not self.filepath:
            folder = preferences.last_folder(context, "lba")
            self.filepath = f"{folder}{os.sep}" if folder else ""
            context.window_manager.fileselect_add(self)
            return {"RUNNING_MODAL"}
        if job.run(self, context, lambda: entries.fill(archive_of(context), self.filepath) or True, aside=True) is None:
            return {"CANCELLED"}
        return ask(self, context, width=dialog_width(context, WIDTH), title=Path(self.filepath).name, confirm_text="Close")

    def draw(self: Any, context: Context) -> None:
        if context.space_data is not None and context.space_data.type == "FILE_BROWSER":
            draw_whole(self.layout, "Choose an archive: all of its entries are listed then", context.region, icon="INFO")
            return
        from . import entries

        entries.draw(self.layout, archive_of(context))

    def execute(self: Any, context: Context) -> Any:
        """From the file browser: show it; the dialog's own button ends it."""
        if archive_of(context).path != self.filepath and not bpy.app.background:
            return self.invoke(context, None)
        return {"FINISHED"}


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
        from . import choosing, entries

        listed = archive_of(context)
        path = bpy.path.abspath(self.archive) or listed.path
        named = "" if self.how == "ADD" else self._entries(context)
        result = job.run(self, context, lambda: entries.applied(self, path, named), summary=lambda result: result)
        if result is None:
            return {"CANCELLED"}
        if self.how != "EXTRACT":
            states.forget(path)
            choosing.look_again(context, path)
        if listed.path == path:
            entries.fill(listed, path)
            listed.index = len(listed.entries) - 1 if self.how == "ADD" else listed.index  # the new one is in view
        return {"FINISHED"}

    def _entries(self: Any, context: Context) -> str:
        if self.entries.strip() or self.archive:
            return self.entries.strip()
        listed = archive_of(context)
        chosen = [str(item.number) for item in listed.entries if item.chosen]
        return ",".join(chosen) or (str(listed.index) if len(listed.entries) else "")


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
    register_property(bpy.types.WindowManager, "retro_anim_archive", PointerProperty(type=RetroAnimArchive))


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
