"""Clips back to where they belong: each to the file or entry that it came from, was written to last, or is to go to."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

import bpy

from ....core import formats
from ....core.declare.game import Game
from ....core.files.file_names import file_name
from ....core.games import GAMES
from ....core.reporting import log, progress
from ....core.reporting.errors import ExportError, RetroAnimError
from ....core.reporting.labels import counted
from ...blender import identity, source_data
from ...blender.motion import actions
from .. import modules
from ..changes import Change, Exported
from ..destination import questions, targets, writing
from . import clips_by_file, exporting, rates
from .selection import clips
from .writer import Writer


def save(context: bpy.types.Context, names: Collection[str]) -> Exported:
    """Write the actions of these names. A file that holds all clips of a character takes them all. Raises RetroAnimError, with nothing
    written, when one of them cannot be."""
    return progress.finish(steps(context, names))


def steps(context: bpy.types.Context, names: Collection[str]) -> progress.Steps[Exported]:
    """`save`, clip by clip. Where somebody can be asked, they learn beforehand which other edited clips a file takes along, and which clips
    play at another rate than they came in with. Raises StoppedError, with nothing written, where it is stopped."""
    with clips.for_export(context), actions.played_at(rates.decided(context)), log.heard() as said:
        there = [identity.game_of(obj) for obj in context.scene.objects]
        writers = [writer for game in GAMES.values() if game in there for writer in _writers(context, game, names)]
        if not writers:
            what = "select an imported character, or tick clips of it; a clip on another rig stays in the .blend: retarget it onto one"
            raise ExportError(f"there is no clip of a game to save: {what}")
        plans: list[exporting.Plan] = []
        for writer in writers:
            plan = yield from exporting.planned(writer)
            plans.append(plan)
        writing.joined([plan.settled for plan in plans]).check()
        _check_others([change for plan in plans for change in plan.changes], names)
        parts = exporting.write_all(list(zip(writers, plans, strict=True)))
    return Exported.together(parts, said.digest("WARNING"))


def _check_others(changes: Iterable[Change], names: Collection[str]) -> None:
    """Name the edited clips that go along, since their file holds all of a character's. Raises UndecidedError until that is answered."""
    files: dict[str, list[Change]] = {}
    for change in changes:
        if change.state in ("changed", "new"):
            files.setdefault(change.target, []).append(change)
    asked: list[questions.Question] = []
    for target, edited in files.items():
        others = [change.action for change in edited if change.action not in names]
        if not others:
            continue
        said = f"{Path(target).name} holds all clips of {edited[0].armature}, and {counted(len(others), 'other')} of them"
        problem = f"{said} {'was edited and goes' if len(others) == 1 else 'were edited and go'} along: {', '.join(others)}"
        title = f"{counted(len(edited), 'edited clip')} of {edited[0].armature}"
        if not questions.can_ask():
            log.info(problem)
        elif questions.answer_to(title, target) != "ALL":
            asked.append(questions.Question(title, target, problem, ("ALL",)))
    if asked:
        raise questions.UndecidedError(asked)


def _writers(context: bpy.types.Context, game: Game, names: Collection[str]) -> list[Writer[Any, Any]]:
    """One for each file."""
    kind: type[Writer[Any, Any]] = modules.module(game, "write").Writer
    options = game.export_options(path=f"clip{game.holding('clip', 'character')[0]}", source="SCENE")
    with rates.only(names):
        whole = kind(context, options)
    meant = [(obj, action) for obj, action in whole.subjects if _meant(obj, action, names) and identity.game_of(obj) is game]
    homes = (_home(game, clips_by_file.goer(*subject)) for subject in meant)
    return [whole.for_file(path, subjects) for path, subjects in clips_by_file.by_file(homes, meant)]


def _meant(obj: bpy.types.Object, action: bpy.types.Action | None, names: Collection[str]) -> bool:
    """Of a character whose clips go together: whether one of them is meant."""
    if action is not None:
        return action.name in names
    rig = obj.data.get(identity.RIG) if obj.data is not None else None
    return any(each.get(identity.RIG) == rig for name in names if (each := bpy.data.actions.get(name)) is not None)


def _home(game: Game, block: Any) -> str:
    path = targets.home(block)
    if not path:
        raise ExportError(f"{block.name} has no file yet: choose one under Goes To, or export it")
    if not clips_by_file.has_home(game, block):
        verb, name = "goes to" if targets.wanted_file(block) else "came from", Path(path).name or path
        raise ExportError(f"{block.name} {verb} {name}, which is not written: choose {_loose(path, block)} under Goes To")
    if not clips_by_file.has_folder(path):
        raise ExportError(f"{path}: its folder is not there: choose the file where it is now under Goes To, or make the folder")
    return path


def _loose(path: str, block: Any) -> str:
    """The file beside an archive that stands for an entry with a path of its own, such as RB.DAT's."""
    try:
        name = formats.open_file(path).document.name(source_data.entry_of(block))
    except (RetroAnimError, AttributeError, IndexError):
        name = ""
    if "/" not in name:
        game = identity.game_of(block)
        endings = game.holding("clip", "character") if game is not None else ()
        return f"another file, such as {file_name(block.name)}{endings[0]}," if endings else "another file"
    return str(Path(path).parent / name)
