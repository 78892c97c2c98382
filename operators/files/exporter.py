"""The exporter of a game: the file that is suggested, and what is asked before it is written."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import bpy
from bpy.props import StringProperty
from bpy.types import Context, Event
from bpy_extras.io_utils import ExportHelper

from ...core import looking
from ...core.reporting.labels import line
from ..shared import decide, declared, preferences
from ..shared.panel import active_action, active_armature
from . import GameOperator

NEW_ENTRY = "new"
"""Where an action that came from no archive goes in one, and what the empty field says of it, for whoever chose the file in the window."""


class Exporter(GameOperator, ExportHelper):
    """The exporter of a game. extensions: of the files that it takes; the first is added where a path has none of them.

    category, written, takes: of an exporter of something else than animations its operators' group, extensions and options class."""

    if TYPE_CHECKING:
        extensions: ClassVar[tuple[str, ...]]
        category: ClassVar[str]
        written: ClassVar[tuple[str, ...]]
        takes: ClassVar[type | None]
    bl_options = {"PRESET"}
    category = "export_anim"
    written = ()
    takes = None
    check_extension = None
    in_window = False
    """Whether somebody chose the file in the window, and can be asked. No property: neither a script nor a redo sets it."""

    def __init_subclass__(cls, **details: Any) -> None:
        super().__init_subclass__(**details)
        if not hasattr(cls, "row"):  # what several games' exporters share
            return
        game = cls.row
        written = cls.written or tuple(game.written)
        cls.extensions = (*written, *game.refused)  # the latter to be refused with their reason
        cls.filename_ext = written[0]
        own = {
            "filter_glob": StringProperty(default=";".join(f"*{extension}" for extension in written), options={"HIDDEN"}),
            # Neither the last export nor a preset says where the next clip goes: it may be another character's.
            "filepath": StringProperty(name="File Path", maxlen=1024, subtype="FILE_PATH", options={"SKIP_SAVE", "SKIP_PRESET"}),
        }
        if cls.category == "export_anim":  # Blender sets it where the operator is an exporter of a collection
            own["collection"] = StringProperty(options={"HIDDEN", "SKIP_SAVE"})
        cls._complete(cls.category, cls.takes or game.export_options, written, own)

    def invoke(self: Any, context: Context, event: Event) -> Any:
        self.in_window = True
        block, extensions = self.suggestion(context)
        declared.restore(self, self.dialog(), block)
        if block is not None and not self.filepath:
            self.filepath = _suggested(block, extensions, self._folder(context), self.new_name(block))
        return super().invoke(context, event)

    @classmethod
    def dialog(cls) -> str:
        """Its operator."""
        return f"{cls.category}.{cls.row.id}"

    def _folder(self, context: Context) -> str:
        """Where a new clip goes at first: where its character came from, else where one of its game did."""
        from ...io.pipeline.destination import targets

        obj = active_armature(context)
        origin = targets.home(obj.data) if obj is not None else ""
        return str(Path(origin).parent) if origin else preferences.last_folder(context, self.row.id)

    def new_name(self, block: Any) -> str:
        """What the file of a block is called that has none yet, without its extension."""
        return str(block.name)

    def suggestion(self, context: Context) -> tuple[Any, tuple[str, ...]]:
        """The block whose file is suggested, and the extensions that it can have."""
        return active_action(context), self.row.holding("clip", "archive")

    def said(self: Any, context: Context, name: str) -> str:
        """What came from no archive has no entry yet, where the game's clips are entries of archives."""
        from ...io.pipeline.destination import targets

        asked = name == "entry" and self.row.holding("archive") and (self.category != "export_anim" or self.source == "ACTIVE")
        block = self.suggestion(context)[0] if asked else None
        return "" if block is None or targets.shown_entry(block) else NEW_ENTRY

    def asked(self: Any, context: Context, path: str) -> dict[str, Any]:
        """The options; for a person who leaves the field of an entry empty that which it says."""
        values = self.values()
        if self.in_window and not values.get("entry", "no such option") and Path(path).suffix.lower() in self.row.holding("archive"):
            values["entry"] = self.said(context, "entry")
        return values

    def execute(self: Any, context: Context) -> Any:
        if not self.filepath:
            return self.refused()
        if self.in_window:
            names = ("filepath", *(name for group in self.groups().values() for name in group))
            declared.keep(self, self.dialog(), self.suggestion(context)[0], names)
        path = bpy.path.abspath(self.filepath)
        if path.endswith(("/", os.sep)):  # else a hidden file that is an extension alone
            self.report({"ERROR"}, line(f"{path}: is a folder: name a file in it"))
            return {"CANCELLED"}
        if Path(path).suffix.lower() not in self.extensions:
            if looking.is_file(path):  # the new one beside it would not be what is meant
                endings = " or ".join(each for each in self.extensions if each not in self.row.refused)
                self.report({"ERROR"}, line(f"{path}: is there, and its name does not end in {endings}: rename it, or name another file"))
                return {"CANCELLED"}
            path += self.extensions[0]
        return self.export(context, path)

    def export(self: Any, context: Context, path: str) -> Any:
        """Write the file, and say what was written."""
        if not self.collection:
            return decide.export(self, context, self.row, path, self.asked(context, path), [] if self.in_window else None)
        from ...io.pipeline.out_of_blender.selection import selection

        collection = bpy.data.collections.get(self.collection)
        if collection is None:
            self.report({"ERROR"}, f"there is no collection {self.collection}")
            return {"CANCELLED"}
        if not Path(path).is_absolute():  # Blender gives it so in a file that was never saved; it would go wherever Blender was started
            where = f"set File Path in the exporter of the collection {collection.name}, or save the .blend"
            self.report({"ERROR"}, f"{path}: is in no folder: {where}, beside which it goes then")
            return {"CANCELLED"}
        with selection.inside(collection):
            return decide.export(self, context, self.row, path, self.values(), None)


def _suggested(block: Any, extensions: Sequence[str], folder: str = "", called: str = "") -> str:
    """The file that a block was written to last, or came from, if it has one of the extensions and its folder is there; else its name, or
    what it is called, in that folder, or in the given one."""
    from ...core.files.file_names import file_name
    from ...io.pipeline.destination import targets

    origin = Path(targets.home(block))
    name = f"{file_name(called or block.name)}{extensions[0]}"
    if origin.name and looking.is_folder(origin):
        origin /= name
    if not origin.name or not looking.is_folder(origin.parent):
        return str(Path(folder) / name) if folder and looking.is_folder(folder) else name
    return str(origin if origin.suffix.lower() in extensions else origin.with_name(name))
