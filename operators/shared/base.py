"""The importer and the exporter of a game, complete by its row: ids, labels, properties, dialog, and the job."""

import inspect
import os
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import bpy
from bpy.props import BoolProperty, StringProperty
from bpy_extras.io_utils import ExportHelper, ImportHelper, poll_file_object_drop

from ...core.declare.game import Game
from ...core.reporting.errors import RetroAnimError, of_system
from ...core.reporting.labels import counted, line
from . import choose, clip_states, decide, declared, job, messages, modal, preferences
from .files import ImportFiles
from .layout import draw_whole, split_layout
from .panel import active_action

if TYPE_CHECKING:
    from ...io.pipeline.contents import Contents

_COUNTED = {
    "armatures": ("character", ""),
    "objects": ("object", ""),
    "meshes": ("mesh", "meshes"),
    "actions": ("action", ""),
}
"""What an importer's result may hold, and what one and several of that are called."""

_last: dict[str, str] = {}
"""By the id of a game the folder from which a person imported last: the file browser opens there again."""

_FOLDED = ("Interpretation",)
"""Parts of a dialog that are folded in at first."""


class _GameOperator:
    """row: of the table of games. A class below gets from it, when it is made, what it has not of its own: ids, labels and properties."""

    if TYPE_CHECKING:  # at run time Blender would read them for every class that it registers
        row: ClassVar[Game]
        options_class: ClassVar[type]
        bl_idname: ClassVar[str]

    @classmethod
    def _complete(cls, category: str, kind: type, extensions: Sequence[str], own: Mapping[str, Any]) -> None:
        """kind: its options class. extensions: of its files. own: further properties."""
        game = cls.row
        defaults = {
            "bl_idname": f"{category}.{game.id}",
            "bl_label": f"{category.partition('_')[0].title()} {game.label}",
            "menu_label": f"{game.label} ({', '.join(extensions)})",
        }
        for name, value in defaults.items():
            if name not in vars(cls):
                setattr(cls, name, value)
        cls.options_class = kind
        cls.__annotations__ = {**own, **declared.properties(kind), **inspect.get_annotations(cls)}

    @classmethod
    def groups(cls) -> Mapping[str, tuple[str, ...]]:
        """By the title of each part of the dialog its properties."""
        return declared.groups(cls.options_class)

    def draw(self: Any, context: bpy.types.Context) -> None:
        layout = split_layout(self)
        for title, names in self.groups().items():
            header, body = layout.panel(f"{self.bl_idname.replace('.', '_')}_{title.lower()}", default_closed=title in _FOLDED)
            header.label(text=title)
            if body is None:
                continue
            for name in names:
                if self.shown(name):
                    row = body.row()
                    row.enabled = self.usable(context, name)
                    declared.draw(row, self, self.options_class, name)

    def shown(self, name: str) -> bool:
        """Whether the dialog has the property now."""
        return True

    def usable(self, context: bpy.types.Context, name: str) -> bool:
        """Whether the property can be changed now."""
        return True

    def values(self) -> dict[str, Any]:
        """The game's options, by name."""
        return declared.values(self.options_class, self)

    def refused(self: Any) -> Any:
        self.report({"ERROR"}, "no file was given")
        return {"CANCELLED"}


class Importer(modal.Lasting, _GameOperator, ImportFiles, ImportHelper):
    """The importer of a game. ask: whether a person waits. started: whether its work goes on in the window, or did: a redo blocks."""

    doing = "Importing"
    ask: BoolProperty(default=False, options={"HIDDEN", "SKIP_SAVE"})
    started: BoolProperty(default=False, options={"HIDDEN", "SKIP_SAVE"})

    def __init_subclass__(cls, **details: Any) -> None:
        super().__init_subclass__(**details)
        game = cls.row
        files = ";".join([*(f"*{extension}" for extension in game.opened), *game.named])
        own = {"filter_glob": StringProperty(default=files, options={"HIDDEN"})}
        cls._complete("import_anim", game.import_options, (*game.opened, *game.named), own)

    def draw(self: Any, context: bpy.types.Context) -> None:
        """In the file browser with no file chosen, first what Import does then: nothing else says that a game's folder can be opened."""
        space: Any = context.space_data
        if self.row.pages and space is not None and space.type == "FILE_BROWSER" and not space.params.filename:
            says = "No file is chosen: Import lists the characters of this folder, if it is the game's"
            draw_whole(self.layout.box().column(align=True), says, context.region)
        _GameOperator.draw(self, context)

    def invoke(self: Any, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        """A dropped archive opens its browser at once; other dropped files a dialog of the options, and the menu the file browser."""
        self.ask = True
        if self.started:
            return self.lasting(context, *self.importing(context, self.chosen()))
        preferences.begin(context, self)
        opened = self.browse()
        if opened is None and not self.filepath and not self.directory:
            self.directory = _last.get(self.row.id, "") or preferences.last_folder(context, self.row.id)
        return opened or self.invoke_popup(context)

    def execute(self: Any, context: bpy.types.Context) -> Any:
        paths = self.chosen()
        if not paths:
            return self.refused()
        if self.ask and not self.row.folders and len(paths) == 1 and Path(paths[0]).is_dir():
            return self.in_folder(context, paths[0])
        return (self.browse() if self.ask else None) or self.import_(context, paths)

    def values(self: Any) -> dict[str, Any]:
        """The game's options; a person's list of names among them, where none is given."""
        values = super().values()
        folder = preferences.names_folder(bpy.context)
        if self.ask and folder and values.get("names") == "" and (paths := self.chosen()):
            from ...io.pipeline import games

            values["names"] = games.name_list(self.row, folder, paths[0])
        return values

    def chosen(self: Any) -> tuple[str, ...]:
        """The files, or the folder of a game that opens such."""
        return self.paths() or ((self.directory,) if self.row.folders and self.directory else ())

    def in_folder(self: Any, context: bpy.types.Context, folder: str) -> Any:
        """A person chose no file: the browser opens on the game that lies in the folder, else the report says what to choose."""
        from ...io.pipeline import folders

        try:
            with of_system():
                self.filepath = folders.choice(self.row, folder)
        except RetroAnimError as error:
            self.report({"ERROR"}, line(str(error)))
            return {"CANCELLED"}
        return self.browse() or self.import_(context, self.chosen())

    def browse(self: Any) -> Any:
        """Opens the browser on what was chosen, where that is one file or folder with something to choose from; else None."""
        paths = self.chosen()
        listed = self._listed(paths[0], self.values()) if len(paths) == 1 else {}
        if not any(listed.values()):
            return None
        return choose.ask(self.row, paths[0], {name: getattr(self, name) for name in self.kept()}, listed)

    def import_(self: Any, context: bpy.types.Context, paths: Sequence[str]) -> Any:
        """Bring the files in. Where a person waits, the operator calls itself, and goes on while the window stays alive: Blender undoes and
        adjusts the one that ends with the work."""
        if self.ask and not self.started and not bpy.app.background and context.window is not None:
            if not modal.busy(self):
                _again(self)
            return {"CANCELLED"}
        running, conclude = self.importing(context, paths)
        while running.advance(context):
            pass
        return conclude(self, context, running)

    def importing(self: Any, context: bpy.types.Context, paths: Sequence[str]) -> tuple[job.Job[Any], modal.Conclude]:
        """The import, and what reports it and brings into view what came in where a person waits for it."""
        from . import framing

        values, row, ask = self.values(), self.row, self.ask
        if ask:
            _last[row.id] = str(Path(paths[0]).parent)

        def work() -> Any:
            from ...io.pipeline import games

            result = yield from games.import_steps(context, row, paths, values, beside=ask)
            if ask and result.armatures:
                framing.hide_start_up_cube(context)
            return result

        def conclude(reporter: Any, now: bpy.types.Context, ended: job.Job[Any]) -> Any:
            result = job.conclude(reporter, now, ended, summary=partial(_summary, paths=paths), onward=f"go on in {messages.WHERE}")
            if result is None:
                return {"CANCELLED"}
            if ask:
                clip_states.unchanged(result.actions)
                framing.show_keys(result.armatures)
                framing.frame(now, [*result.armatures, *(obj for name in ("objects", "meshes") for obj in getattr(result, name, ()))])
            return {"FINISHED"}

        return job.Job(work), conclude

    def shown(self: Any, name: str) -> bool:
        """Of a single file that has nothing to choose from, whose browser would be open else, there are no entries to name."""
        alone = bool(self.filepath or len(self.files) == 1) and len(self.paths()) == 1
        return not alone or bool(getattr(self, name)) or name not in [page.option for page in self.row.pages]

    def kept(self) -> list[str]:
        """The properties that the list passes on: all besides those that it sets."""
        chosen = {page.option for page in self.row.pages}
        return [name for names in self.groups().values() for name in names if name not in chosen]

    def _listed(self, path: str, values: Mapping[str, Any]) -> "Contents":
        """What there is to choose from; nothing where something was chosen already."""
        if any(values[page.option] for page in self.row.pages):
            return {}
        from ...io.pipeline import games

        try:
            return games.contents(self.row, path, values)
        except RetroAnimError:
            return {}  # no archive; or the import reports what is wrong


class Exporter(_GameOperator, ExportHelper):
    """The exporter of a game. extensions: of the files that it takes; the first is added where a path has none of them.

    category, written, takes: of an exporter of something else than animations its operators' group, extensions and options class."""

    if TYPE_CHECKING:
        extensions: ClassVar[tuple[str, ...]]
        category: ClassVar[str]
        written: ClassVar[tuple[str, ...]]
        takes: ClassVar[type | None]
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

    def invoke(self: Any, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        self.in_window = True
        block, extensions = self.suggestion(context)
        if block is not None and not self.filepath:
            self.filepath = _suggested(block, extensions)
        return super().invoke(context, event)

    def suggestion(self, context: bpy.types.Context) -> tuple[Any, tuple[str, ...]]:
        """The block whose file is suggested, and the extensions that it can have."""
        return active_action(context), self.row.holding("clip", "archive")

    def execute(self: Any, context: bpy.types.Context) -> Any:
        if not self.filepath:
            return self.refused()
        path = bpy.path.abspath(self.filepath)
        if path.endswith(("/", os.sep)):  # else a hidden file that is an extension alone
            self.report({"ERROR"}, line(f"{path}: is a folder: name a file in it"))
            return {"CANCELLED"}
        if Path(path).suffix.lower() not in self.extensions:
            path += self.extensions[0]
        return self.export(context, path)

    def export(self: Any, context: bpy.types.Context, path: str) -> Any:
        """Write the file, and say what was written."""
        if not self.collection:
            return decide.export(self, context, self.row, path, self.values(), [] if self.in_window else None)
        from ...io.pipeline import selection

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


def _again(operator: Any) -> None:
    """The same operator with the same properties, begun in the window."""
    given = operator.as_keywords(ignore=("files",))
    category, _, name = operator.bl_idname.replace("_OT_", ".").lower().rpartition(".")
    call = getattr(getattr(bpy.ops, category), name)
    files = [{"name": item.name} for item in operator.files]
    call("INVOKE_DEFAULT", **{**given, "files": files, "ask": True, "started": True})


def _summary(result: Any, paths: Sequence[str]) -> str:
    """What came in, and from where."""
    numbers = ((len(getattr(result, name, ())), *names) for name, names in _COUNTED.items())
    parts = ", ".join(counted(number, *names) for number, *names in numbers if number)
    name = Path(paths[0]).name or Path(paths[0]).parent.name
    others = f" and {counted(len(paths) - 1, 'other file')}" if len(paths) > 1 else ""
    return f"{parts} from {name}{others}"


def _suggested(block: Any, extensions: Sequence[str]) -> str:
    """The file that a block was written to last, or came from, if it has one of the extensions and its folder is there; else its name, in
    that folder."""
    from ...core.files.disk import file_name
    from ...io.pipeline import targets

    origin = Path(targets.home(block))
    name = f"{file_name(block.name)}{extensions[0]}"
    if not origin.name or not origin.parent.is_dir():
        return name
    return str(origin if origin.suffix.lower() in extensions else origin.with_name(name))


def file_handler(importer: Any, exporter: Any) -> type[bpy.types.FileHandler]:
    """Gives files that are dropped on the 3D view to the importer, by its game's row, and collections the exporter."""
    name = f"IO_FH_{importer.row.id}"
    body = {
        "bl_idname": name,
        "bl_label": importer.row.label,
        "bl_import_operator": importer.bl_idname,
        "bl_export_operator": exporter.bl_idname,
        "bl_file_extensions": ";".join(importer.row.dropped),
        "poll_drop": classmethod(lambda _class, context: poll_file_object_drop(context)),
        "__module__": importer.__module__,
    }
    return type(name, (bpy.types.FileHandler,), body)
