"""The importer of a game: from the chosen files, or what is chosen from one of them, to the job."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import bpy
from bpy.props import BoolProperty, CollectionProperty, StringProperty
from bpy.types import Context, Event
from bpy_extras.io_utils import ImportHelper

from ...core import looking
from ...core.reporting.labels import line
from ..shared import job, messages, modal, preferences
from ..shared.layout import draw_whole
from . import GameOperator


class Importer(modal.Lasting, GameOperator, ImportHelper):
    """The importer of a game, of one file, or of several of a folder.

    ask: whether a person waits. started: whether its work goes on in the window, or did: a redo blocks, and asks nothing."""

    bl_options = {"REGISTER", "UNDO", "PRESET"}
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
        from . import opening

        if refused := opening.not_opened(self.row, self.paths()) or opening.damaged(self.paths()):
            self.report({"ERROR"}, line(refused))
            return {"CANCELLED"}
        if other := opening.other_game(self.row, self.paths()):
            given = {"filepath": self.filepath, "directory": self.directory, "files": [{"name": item.name} for item in self.files]}
            messages.begun(self, getattr(bpy.ops.import_anim, other), **given)
            return {"CANCELLED"}
        preferences.begin(context, self)
        opened = self.browse()
        if opened is None and not self.filepath and not self.directory:
            self.directory = opening.LAST.get(self.row.id, "") or preferences.last_folder(context, self.row.id)
        return opened or self.invoke_popup(context)

    def execute(self: Any, context: Context) -> Any:
        paths = self.chosen()
        if not paths:
            return self.refused()
        may_ask = self.ask and not self.started
        if may_ask and not self.row.folders and len(paths) == 1 and looking.is_folder(paths[0]):
            from . import opening

            return opening.in_folder(self, context, paths[0])
        return (self.browse() if may_ask else None) or self.import_(context, paths)

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

    def browse(self: Any) -> Any:
        """Opens the browser on what was chosen, where that is one file or folder with something to choose from; else None."""
        from . import opening

        return opening.browse(self, self.chosen())

    def import_(self: Any, context: Context, paths: Sequence[str]) -> Any:
        """Bring the files in. Where a person waits, the operator calls itself, and goes on while the window stays alive: Blender undoes and
        adjusts the one that ends with the work."""
        if self.ask and not self.started and not bpy.app.background and context.window is not None:
            if not modal.busy(self):
                from . import opening

                opening.again(self)
            return {"CANCELLED"}
        running, conclude = self.importing(context, paths)
        running.drain(context)
        return conclude(self, context, running)

    def importing(self: Any, context: Context, paths: Sequence[str]) -> "tuple[job.Job[Any], modal.Conclude]":
        """The import, and what reports it."""
        from . import opening

        return opening.importing(self, context, paths)

    def shown(self: Any, name: str) -> bool:
        """Of a single file that has nothing to choose from, whose browser would be open else, there are no entries to name; neither are
        there of files that each hold one clip, skeleton or mesh."""
        if bool(getattr(self, name)) or name not in [page.option for page in self.row.pages]:
            return True
        paths = self.paths()
        single = (*self.row.holding("clip", "armature", "mesh"), *self.row.bodies)
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
