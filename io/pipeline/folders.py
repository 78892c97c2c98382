"""What of a game's folder characters can be chosen from, whatever else lies in it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from ...core import looking
from ...core.declare.game import Game
from ...core.games import GAMES
from ...core.reporting import log
from ...core.reporting.errors import RetroAnimError
from . import games

_DEEP = 2
"""Folders below the given one that are looked into."""


def choices(folder: str) -> list[tuple[Game, str]]:
    """Files, or the folder itself, whose first page of the browser has something in it: of each folder and game the one with the most.

    Raises RetroAnimError where there are none, and what the system says of a folder that it does not show."""
    if not folder:
        raise RetroAnimError("no folder is given: choose the one in which the game's archives lie")
    os.scandir(folder).close()
    listed = [(game, path) for game in GAMES.values() for path in _choices(game, folder)]
    if not listed:
        raise RetroAnimError(f"{folder}: no game whose characters could be listed: choose the folder in which its archives lie")
    return listed


def choice(game: Game, folder: str) -> str:
    """The first of what characters of one game can be chosen from. Raises RetroAnimError where there is none."""
    path = next(_choices(game, folder), None)
    if path is None:
        raise RetroAnimError(
            f"{folder}: a folder with nothing of {game.label} to choose from: choose a file in it ({', '.join(game.opened)})"
        )
    return path


def _choices(game: Game, folder: str) -> Iterator[str]:
    if game.folders:
        yield from _clients(game, Path(folder)) if game.pages else ()
        return
    for files in _folders(Path(folder), game) if game.pages else ():
        counts = {path: _count(game, str(path)) for path in files}
        best = max(counts, key=lambda path: counts[path])
        if counts[best]:
            yield str(best)


def _clients(game: Game, folder: Path) -> Iterator[str]:
    """Of the folder and those below it the ones that are a game's; nothing is looked for inside of those."""
    listed: set[Path] = set()
    for level in range(_DEEP + 1):
        for each in _at(folder, level):
            if listed.isdisjoint(each.parents) and _count(game, str(each)):
                listed.add(each)
                yield str(each)


def _at(folder: Path, level: int) -> list[Path]:
    """The folders that are so many levels below one."""
    return sorted(folder.glob("*/" * level)) if level else [folder]


def _count(game: Game, path: str) -> int:
    """Lines of the first page of a game's browser."""
    try:
        with log.collect():
            return len(games.contents(game, path, {}).get(game.pages[0].name, ()))
    except RetroAnimError:
        return 0


def _folders(folder: Path, game: Game) -> Iterator[list[Path]]:
    """Of the folder and those below it the files that the game's importer takes."""
    for level in range(_DEEP + 1):
        for each in _at(folder, level):
            try:
                files = sorted(path for path in each.iterdir() if looking.is_file(path) and path.suffix.lower() in game.opened)
            except OSError:
                continue
            if files:
                yield files
