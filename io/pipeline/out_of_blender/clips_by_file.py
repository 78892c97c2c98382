"""The clips that an export means, by the files that they belong to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import bpy

from ....core import looking
from ....core.declare.game import Game
from ....core.declare.options import chosen
from ....core.declare.shared import Source
from ....core.files.file_names import is_of_windows, on_disk
from ....core.games import GAMES
from ...blender import identity
from ...blender.motion import actions
from .. import modules
from ..changes import Subject
from ..destination import targets
from . import rates
from .writer import Writer


class Part(NamedTuple):
    """What goes to one file. writer: with that file and its subjects. nowhere: whether there is none, and its path means nothing."""

    writer: Writer[Any, Any]
    nowhere: bool


def parts(context: bpy.types.Context, source: Source, values: dict[str, Any], nowhere: str) -> Iterator[Part]:
    """Of all games that are in the scene, to be used in turn: inside, actions play at the rate that counts. values: further export options,
    by name; what is none of a game's is left out. nowhere: a folder for clips without a file that can be written."""
    there = [identity.game_of(obj) for obj in context.scene.objects]
    for game in GAMES.values():
        if game in there:
            yield from _of_game(context, game, source, values, nowhere)


def _of_game(context: bpy.types.Context, game: Game, source: Source, values: dict[str, Any], nowhere: str) -> Iterator[Part]:
    kind: type[Writer[Any, Any]] = modules.module(game, "write").Writer
    extension = game.holding("clip", "character")[0]
    own: dict[str, Any] = {**chosen(game.export_options, values), "source": source}
    options = game.export_options(path=str(Path(nowhere) / f"clip{extension}"), **own)
    rate = rates.decided(context) if options.fps_from == "SCENE" else None
    with actions.played_at(rate):
        writer = kind(context, options)
        own_subjects = [subject for subject in writer.subjects if _is_of(game, *subject)]
        homes = [_home(game, goer(*subject)) or str(Path(nowhere) / f"{index}{extension}") for index, subject in enumerate(own_subjects)]
    for path, subjects in by_file(homes, own_subjects):
        with actions.played_at(rate):
            yield Part(writer.for_file(path, subjects), Path(path).parent == Path(nowhere))


def by_file(paths: Iterable[str], subjects: Iterable[Subject]) -> list[tuple[str, list[Subject]]]:
    """Subjects that go to one file together, however its path is written, in their order. paths: where each of them goes."""
    files: dict[tuple[int, int, str], tuple[str, list[Subject]]] = {}
    for path, subject in zip(paths, subjects, strict=True):
        files.setdefault(on_disk(path), (path, []))[1].append(subject)
    return list(files.values())


def goer(obj: bpy.types.Object, action: bpy.types.Action | None) -> Any:
    """The block of a subject that knows where it goes: the armature's where all of its clips go together."""
    return action if action is not None else obj.data


def _is_of(game: Game, obj: bpy.types.Object, action: bpy.types.Action | None) -> bool:
    return ((identity.game_of(action) if action is not None else None) or identity.game_of(obj)) is game


def _home(game: Game, block: Any) -> str:
    """The file that a block goes to, "" where that is none the game writes."""
    path = targets.home(block)
    return path if has_home(game, block) and has_folder(path) else ""


def has_folder(path: str) -> bool:
    """Whether the folder of a file is there, unlike in a .blend of another computer."""
    return not is_of_windows(path) and looking.is_folder(Path(path).parent)


def has_home(game: Game, block: Any) -> bool:
    """Whether a block has a file that can take it."""
    return game.written.get(Path(targets.home(block)).suffix.lower()) in ("clip", "archive", "character")


def why_nowhere(writer: Writer[Any, Any]) -> str:
    """Why clips have no file: its folder is not there, as in a .blend of another computer, or it is of a kind that is only read."""
    path = targets.home(goer(*writer.subjects[0]))
    if path and not has_folder(path):
        return f"the folder of {path} is not there"
    return f"came from {Path(path).name}, which is not written" if path else "belongs to no file yet"
