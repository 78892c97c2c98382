"""What is opened: which game it is of, what is wrong with it, what there is to choose from, and the import of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy
from bpy.types import Context

from ...core import looking
from ...core.declare.game import Game
from ...core.games import GAMES
from ...core.reporting.errors import RetroAnimError, of_system, with_remedy
from ...core.reporting.labels import counted, line
from ..clips import states
from ..shared import job, messages, modal

if TYPE_CHECKING:
    from ...io.pipeline.contents import Contents

LAST: dict[str, str] = {}
"""By the id of a game the folder from which a person imported last: the file browser opens there again."""

_COUNTED = {
    "armatures": ("character", ""),
    "objects": ("object", ""),
    "meshes": ("mesh", "meshes"),
    "actions": ("action", ""),
}
"""What an importer's result may hold, and what one and several of that are called."""


def not_opened(row: Game, paths: Sequence[str]) -> str:
    """Why a dropped file is not taken: of the extension of one that the game takes by its whole name Blender gives any."""
    names = [Path(path).name for path in paths if not looking.is_folder(path)]
    named = {name.lower() for name in row.named}
    extensions = {Path(name).suffix for name in named} - set(row.opened)
    other = next((name for name in names if Path(name).suffix.lower() in extensions and name.lower() not in named), "")
    own = " and ".join(row.named)
    return f"{other}: is no file of {row.label}; of its kind are only {own}" if other else ""


def damaged(paths: Sequence[str]) -> str:
    """What is wrong with a dropped file: whoever chose options first would learn it only then."""
    there = [path for path in paths if looking.is_file(path)]
    if len(there) != 1:
        return ""  # of several those that are well come in
    from ...core import formats

    try:
        with of_system():
            if formats.recognise_file(there[0]) is not None:
                formats.open_file(there[0])
    except RetroAnimError as error:
        return with_remedy(error)
    return ""


def other_game(row: Game, paths: Sequence[str]) -> str:
    """The id of the game that the first of the dropped files is of by its content, where that is another one that takes the
    extension too; else "". A drop has one handler for an extension."""
    path = next((path for path in paths if looking.is_file(path)), "")
    others = [game.id for game in GAMES.values() if game is not row and Path(path).suffix.lower() in game.dropped]
    if not others:
        return ""
    from ...core import formats

    try:
        kind = formats.recognise_file(path)
    except RetroAnimError:
        return ""  # the import says what is wrong
    return kind.game if kind is not None and kind.game in others else ""


def in_folder(operator: Any, context: Context, folder: str) -> Any:
    """A person chose no file: the browser opens on the game that lies in the folder, else the report says what to choose."""
    from ...io.pipeline import folders

    try:
        with of_system():
            operator.filepath = folders.choice(operator.row, folder)
    except RetroAnimError as error:
        operator.report({"ERROR"}, line(str(error)))
        return {"CANCELLED"}
    return operator.browse() or operator.import_(context, operator.chosen())


def browse(operator: Any, paths: Sequence[str]) -> Any:
    """Opens the browser on what was chosen, where that is one file or folder with something to choose from, or archives of one folder of
    which each lists the same characters, since those need all of them; else None."""
    if len({Path(path).absolute().parent for path in paths}) > 1:
        return None
    values = operator.values()
    listed: dict[str, Contents] = {}
    for path in paths:
        listed[path] = _listed(operator.row, path, values)
        if not listed[path]:
            return None  # no archive: all come in together
    opened = next((path for path in listed if any(listed[path].values())), None)
    if opened is None or not all(_alike(operator.row, listed[opened], listed[path]) for path in listed if path != opened):
        return None
    from . import choosing

    return choosing.ask(operator.row, opened, {name: getattr(operator, name) for name in operator.kept()}, listed[opened])


def _listed(row: Game, path: str, values: Mapping[str, Any]) -> Contents:
    """What there is to choose from; nothing where something was chosen already."""
    if any(values[page.option] for page in row.pages):
        return {}
    from ...io.pipeline import games

    try:
        return games.contents(row, path, values)
    except RetroAnimError:
        return {}  # no archive; or the import reports what is wrong


def _alike(row: Game, first: Contents, second: Contents) -> bool:
    """Whether an archive has the same characters to choose from as the first, or nothing at all, as that of a palette."""
    if not any(second.values()):
        return True
    whole = [page.name for page in row.pages if page.whole]
    return any(first.get(name) for name in whole) and all(first.get(name) == second.get(name) for name in whole)


def importing(operator: Any, context: Context, paths: Sequence[str]) -> tuple[job.Job[Any], modal.Conclude]:
    """The import, and what reports it and brings into view what came in where a person waits for it."""
    from ..shared import first_sight, framing

    values, row, ask = operator.values(), operator.row, operator.ask
    if ask:
        LAST[row.id] = str(Path(paths[0]).parent)

    def work() -> Any:
        from ...io.pipeline import games

        result = yield from games.import_steps(context, row, paths, values, beside=ask)
        if ask and result.armatures:
            framing.hide_start_up_cube(context)
            framing.report_hidden(context, result.armatures)
        return result

    def conclude(reporter: Any, now: Context, ended: job.Job[Any]) -> Any:
        result = job.conclude(reporter, now, ended, summary=_summary, onward=f"go on in {messages.WHERE}")
        if result is None:
            return {"CANCELLED"}
        if ask:
            states.unchanged(action.name for action in result.actions)
            framing.show_keys(result.armatures)
            first_sight.show_tab(now)
            framing.frame(now, framing.of_import(result))
        return {"FINISHED"}

    return job.Job(work), conclude


def again(operator: Any) -> None:
    """The same operator with the same properties, begun in the window."""
    given = operator.as_keywords(ignore=("files",))
    category, _, name = operator.bl_idname.replace("_OT_", ".").lower().rpartition(".")
    call = getattr(getattr(bpy.ops, category), name)
    files = [{"name": item.name} for item in operator.files]
    call("INVOKE_DEFAULT", **{**given, "files": files, "ask": True, "started": True})


def _summary(result: Any) -> str:
    """What came in, and from where: of several files their number."""
    numbers = ((len(getattr(result, name, ())), *names) for name, names in _COUNTED.items())
    parts = ", ".join(counted(number, *names) for number, *names in numbers if number)
    path = Path(result.paths[0])
    return f"{parts} from {counted(len(result.paths), 'file') if len(result.paths) > 1 else path.name or path.parent.name}"
