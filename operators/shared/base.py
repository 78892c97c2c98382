"""What the importers and exporters of all games do alike: dialogs, running and reporting, and files dropped on the window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import bpy
from bpy.props import BoolProperty
from bpy_extras.io_utils import ExportHelper, ImportHelper, poll_file_object_drop

from ...core.files.disk import file_name
from ...io.pipeline import writing
from . import job
from .layout import split_layout
from .options import ImportFiles

_COUNTED = {"armatures": "characters", "objects": "objects", "meshes": "meshes", "actions": "actions"}
"""What an importer's result may hold, and what that is called."""


class Importer(ImportFiles, ImportHelper):
    """groups: titles of the dialog's parts with their properties; those in `closed` are folded in at first."""

    groups: ClassVar[dict[str, tuple[str, ...]]]
    closed: ClassVar[tuple[str, ...]] = ()

    ask: BoolProperty(default=False, options={"HIDDEN", "SKIP_SAVE"})

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        self.ask = True
        return self.invoke_popup(context)

    def draw(self: Any, context: bpy.types.Context) -> None:
        layout = split_layout(self)
        for title, names in self.groups.items():
            header, body = layout.panel(f"{self.bl_idname.replace('.', '_')}_{title.lower()}", default_closed=title in self.closed)
            header.label(text=title)
            if body:
                for name in names:
                    body.prop(self, name)

    def values(self, *left_out: str) -> dict[str, Any]:
        """What the dialog shows, by name."""
        return {name: getattr(self, name) for names in self.groups.values() for name in names if name not in left_out}

    def nothing(self: Any) -> Any:
        self.report({"ERROR"}, "no file was given")
        return {"CANCELLED"}

    def fetch(self: Any, context: bpy.types.Context, work: Callable[[], Any]) -> Any:
        """Run the import, and count what came in."""
        done = job.run(self, context, work)
        if done is None:
            return {"CANCELLED"}
        self.report({"INFO"}, ", ".join(f"{len(getattr(done, name))} {word}" for name, word in _COUNTED.items() if hasattr(done, name)))
        return {"FINISHED"}


class Exporter(ExportHelper):
    """names: the properties of the dialog. kinds: the extensions that can be written; the first is added where there is none."""

    names: ClassVar[tuple[str, ...]]
    kinds: ClassVar[tuple[str, ...]]

    check_extension = None
    overwrite: BoolProperty(
        name="Overwrite",
        description="Replace also what another program has changed, another skeleton, and files nobody chose; a .bak is kept",
        default=False,
        options={"SKIP_SAVE"},
    )

    def suggest(self: Any, block: Any, kinds: tuple[str, ...]) -> None:
        """The file that a block was written to last, or came from, if it is of these kinds and its folder is there; else its own name."""
        if block is None or self.filepath:
            return
        origin = Path(writing.home(block))
        usable = origin.suffix.lower() in kinds and origin.parent.is_dir()
        self.filepath = str(origin) if usable else f"{file_name(block.name)}{kinds[0]}"

    def draw(self: Any, context: bpy.types.Context) -> None:
        layout = split_layout(self)
        for name in (*self.names, "overwrite"):
            if self.shown(name):
                row = layout.row()
                row.enabled = self.usable(context, name)
                row.prop(self, name)

    def shown(self, name: str) -> bool:
        return True

    def usable(self, context: bpy.types.Context, name: str) -> bool:
        return True

    def path(self: Any) -> str:
        path = bpy.path.abspath(self.filepath)
        return path if Path(path).suffix.lower() in self.kinds else f"{path}{self.kinds[0]}"

    def write(self: Any, context: bpy.types.Context, work: Callable[[], list[str]]) -> Any:
        """Run the export, and tell the first of the paths written."""
        if not self.filepath:
            self.report({"ERROR"}, "no file was given")
            return {"CANCELLED"}
        written = job.run(self, context, work)
        if written is None:
            return {"CANCELLED"}
        more = f" and {len(written) - 3} more" if len(written) > 3 else ""
        self.report({"INFO"}, f"written: {', '.join(written[:3])}{more}" if written else "nothing was written")
        return {"FINISHED"}


def file_handler(importer: Any, label: str, extensions: str) -> type[bpy.types.FileHandler]:
    """Gives files with these extensions (".a;.b") to the importer when they are dropped on the 3D view."""
    name = f"IO_FH_{importer.bl_idname.partition('.')[2]}"
    body = {
        "bl_idname": name,
        "bl_label": label,
        "bl_import_operator": importer.bl_idname,
        "bl_file_extensions": extensions,
        "poll_drop": classmethod(lambda cls, context: poll_file_object_drop(context)),
        "__module__": importer.__module__,
    }
    return type(name, (bpy.types.FileHandler,), body)
