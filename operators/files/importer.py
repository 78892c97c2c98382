"""The importer of a game: from the chosen files, or what is chosen from one of them, to the job."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import BoolProperty, CollectionProperty, StringProperty
from bpy.types import Context, Event
from bpy_extras.io_utils import ImportHelper

from ...core import looking
from ...core.games import GAMES
from ...core.reporting.errors import RetroAnimError, of_system, with_remedy
from ...core.reporting.labels import counted, line
from ..clips import states
from ..shared import job, messages, modal, preferences
from ..shared.layout import draw_whole
from . import GameOperator, choose

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


class Importer(modal.Lasting, GameOperator, ImportHelper):
    """The importer of a game, of one file, or of several of a folder.

    ask: whether a person waits. started: whether its work goes on in the window, or did: a redo blocks."""

    doing = "Importing"
    # SKIP_SAVE, so that a dropped file is not taken again from the menu.
    filepath: StringProperty(name="File", subtype="FILE_PATH", options={"SKIP_SAVE", "HIDDEN"})
    directory: StringProperty(name="Folder", subtype="DIR_PATH", options={"SKIP_SAVE", "HIDDEN"})
    files: CollectionProperty(type=bpy.types.OperatorFileListElement, options={"SKIP_SAVE", "HIDDEN"})
    ask: BoolProperty(default=False, options={"HIDDEN", "SKIP_SAVE"})
    started: BoolProperty(default=False, options={"HIDDEN", "SKIP_SAVE"})

    def __init_subclass__(cls, **details: Any) -> None:
        super().__init_subclass__(**details)
        game = cls.row
        files = ";".join([*(f"*{extension}" for extension in game.opened), *game.named])
        own = {"filter_glob": StringProperty(default=files, options={"HIDDEN"})}
        cls._complete("import_anim", game.import_options, (*game.opened, *game.named), own)

    def paths(self) -> tuple[str, ...]:
        """The chosen files, in the order of the list."""
        named = [str(Path(self.directory) / item.name) for item in self.files if item.name]
        return tuple(bpy.path.abspath(path) for path in named or ([self.filepath] if self.filepath else []))

    def draw(self: Any, context: Context) -> None:
        """In the file browser with no file chosen, first what Import does then: nothing else says that a game's folder can be opened."""
        space: Any = context.space_data
        if self.row.pages and space is not None and space.type == "FILE_BROWSER" and not space.params.filename:
            says = "No file is chosen: Import lists the characters of this folder, if it is the game's"
            draw_whole(self.layout.box(), says, context.region)
        GameOperator.draw(self, context)

    def invoke(self: Any, context: Context, event: Event) -> Any:
        """A dropped archive opens its browser at once, other dropped files a dialog of the options unless they cannot be read, and the menu
        the file browser."""
        self.ask = True
        if self.started:
            return self.lasting(context, *self.importing(context, self.chosen()))
        if refused := self.not_opened() or self.damaged():
            self.report({"ERROR"}, line(refused))
            return {"CANCELLED"}
        if other := self.other_game():
            given = {"filepath": self.filepath, "directory": self.directory, "files": [{"name": item.name} for item in self.files]}
            messages.begun(self, getattr(bpy.ops.import_anim, other), **given)
            return {"CANCELLED"}
        preferences.begin(context, self)
        opened = self.browse()
        if opened is None and not self.filepath and not self.directory:
            self.directory = _last.get(self.row.id, "") or preferences.last_folder(context, self.row.id)
        return opened or self.invoke_popup(context)

    def execute(self: Any, context: Context) -> Any:
        paths = self.chosen()
        if not paths:
            return self.refused()
        if self.ask and not self.row.folders and len(paths) == 1 and looking.is_folder(paths[0]):
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

    def not_opened(self: Any) -> str:
        """Why a dropped file is not taken: of the extension of one that the game takes by its whole name Blender gives any."""
        names = [Path(path).name for path in self.paths() if not looking.is_folder(path)]
        named = {name.lower() for name in self.row.named}
        extensions = {Path(name).suffix for name in named} - set(self.row.opened)
        other = next((name for name in names if Path(name).suffix.lower() in extensions and name.lower() not in named), "")
        own = " and ".join(self.row.named)
        return f"{other}: is no file of {self.row.label}; of its kind are only {own}" if other else ""

    def damaged(self: Any) -> str:
        """What is wrong with a dropped file: whoever chose options first would learn it only then."""
        paths = [path for path in self.paths() if looking.is_file(path)]
        if len(paths) != 1:
            return ""  # of several those that are well come in
        from ...core import formats

        try:
            with of_system():
                if formats.recognise_file(paths[0]) is not None:
                    formats.open_file(paths[0])
        except RetroAnimError as error:
            return with_remedy(error)
        return ""

    def other_game(self: Any) -> str:
        """The id of the game that the first of the dropped files is of by its content, where that is another one that takes the
        extension too; else "". A drop has one handler for an extension."""
        path = next((path for path in self.paths() if looking.is_file(path)), "")
        others = [game.id for game in GAMES.values() if game is not self.row and Path(path).suffix.lower() in game.dropped]
        if not others:
            return ""
        from ...core import formats

        try:
            kind = formats.recognise_file(path)
        except RetroAnimError:
            return ""  # the import says what is wrong
        return kind.game if kind is not None and kind.game in others else ""

    def in_folder(self: Any, context: Context, folder: str) -> Any:
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

    def import_(self: Any, context: Context, paths: Sequence[str]) -> Any:
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

    def importing(self: Any, context: Context, paths: Sequence[str]) -> tuple[job.Job[Any], modal.Conclude]:
        """The import, and what reports it and brings into view what came in where a person waits for it."""
        from ..shared import first_sight, framing

        values, row, ask = self.values(), self.row, self.ask
        if ask:
            _last[row.id] = str(Path(paths[0]).parent)

        def work() -> Any:
            from ...io.pipeline import games

            result = yield from games.import_steps(context, row, paths, values, beside=ask)
            if ask and result.armatures:
                framing.hide_start_up_cube(context)
            return result

        def conclude(reporter: Any, now: Context, ended: job.Job[Any]) -> Any:
            result = job.conclude(reporter, now, ended, summary=partial(_summary, paths=paths), onward=f"go on in {messages.WHERE}")
            if result is None:
                return {"CANCELLED"}
            if ask:
                states.unchanged(action.name for action in result.actions)
                framing.show_keys(result.armatures)
                first_sight.show_tab(now)
                framing.frame(now, [*result.armatures, *(obj for name in ("objects", "meshes") for obj in getattr(result, name, ()))])
            return {"FINISHED"}

        return job.Job(work), conclude

    def shown(self: Any, name: str) -> bool:
        """Of a single file that has nothing to choose from, whose browser would be open else, there are no entries to name; neither are
        there of files that each hold one clip, skeleton or mesh."""
        if bool(getattr(self, name)) or name not in [page.option for page in self.row.pages]:
            return True
        paths = self.paths()
        single = self.row.holding("clip", "armature", "mesh")
        return len(paths) != 1 and not (paths and all(path.lower().endswith(single) for path in paths))

    def said(self, context: Context, name: str) -> str:
        """Of several files no list opens: all that is in them comes in, where no characters are named."""
        if len(self.paths()) < 2 or name not in [page.option for page in self.row.pages]:
            return ""
        return "all" if name in [page.option for page in self.row.pages if not page.whole] else "instead of entries"

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
