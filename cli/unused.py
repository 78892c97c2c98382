"""Options that were given, and that nothing which a command opens or writes takes: they are said, for someone expects something of them."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path

from ..core import formats
from ..core.declare.options import Option, declared
from ..core.files import address
from ..core.games import GAMES, opening, writing
from ..core.reporting.errors import RetroAnimError
from . import clips, interpretations
from .report import note

_ANYHOW = "--overwrite"
"""Allows something, whether or not a run needs it."""
_INTO = {"assets": (".blend",), "godot": clips.EXTENSIONS}
"""Extensions of outputs that an option is for, where these are not a game's."""
_INTO_FOLDER = ("to", "jobs")
_OF_SOURCES = "--skeleton"
"""Says nothing of a rig, which is a skeleton itself."""


def report(arguments: argparse.Namespace, opened: Iterable[str], out: str = "", rig: str = "", *, folder: bool = False) -> None:
    """Say which options have no effect. opened: FILE, FILE#ENTRY or FOLDER#CHARACTER. out: how the names of what is written end, "" where
    nothing is. rig: a file that is opened besides. folder: whether the output is one. Of games nothing is said where a file cannot be
    looked at: who opens it says why."""
    lost = list(_not_into(arguments, out, folder=folder))
    for name, where in lost:
        note(f"--{name} is not used: it is for {where}")
    known = {flag: item for flag, item in _flags().items() if flag not in (_ANYHOW, *(f"--{name}" for name, _ in lost))}
    given = [flag for flag, item in known.items() if getattr(arguments, item.name, None) is not None]
    interpreted = interpretations.given(arguments)
    if not given and not interpreted:
        return
    try:
        sources = _games_of(opened)
        every = sources | _games_of([rig] if rig else [])
    except (RetroAnimError, OSError):
        return
    writer = writing(out)
    written = {writer.id} if writer else set[str]()
    for flag in given:
        importing, exporting = _takers(flag)
        if not importing & (sources if flag == _OF_SOURCES else every) and not exporting & written:
            note(f"{flag} is not used: it is for files {_labelled(importing or exporting)} that are {'opened' if importing else 'written'}")
    for game in interpreted:
        if game not in every | written:
            note(f"--{game} is not used: it is for files {_labelled({game})}")


def _not_into(arguments: argparse.Namespace, out: str, *, folder: bool) -> Iterator[tuple[str, str]]:
    """What was given and is for other outputs, with these."""
    for name, kinds in _INTO.items():
        if getattr(arguments, name, None) and out not in kinds:
            yield name, f"{', '.join(kinds)} as output"
    for name in _INTO_FOLDER if not folder else ():
        if getattr(arguments, name, None) is not None:
            yield name, "a folder as output"


def _flags() -> dict[str, Option]:
    """The options of all games that have a flag, by it."""
    kinds = (kind for game in GAMES.values() for kind in (game.import_options, game.export_options))
    return {item.flag: item for kind in kinds for item in declared(kind).values() if item.flag}


def _takers(flag: str) -> tuple[set[str], set[str]]:
    """The games of which files that are opened, and files that are written, take an option, by their ids."""

    def have(options: str) -> set[str]:
        known = {game.id: declared(getattr(game, options)).values() for game in GAMES.values()}
        return {game for game, items in known.items() if any(item.flag == flag for item in items)}

    return have("import_options"), have("export_options")


def _labelled(games: set[str]) -> str:
    if games == GAMES.keys():
        return "of a game"
    return f"of {' or '.join(game.label for game in GAMES.values() if game.id in games)}"


def _games_of(paths: Iterable[str]) -> set[str]:
    """The ids of the games that files are of. Raises RetroAnimError or OSError for what cannot be looked at."""
    from . import blender

    result: set[str] = set()
    for path in paths:
        if blender.is_blenders(path):
            continue
        file = address.split(path)[0]
        if Path(file).is_dir():
            result |= {game.id for game in [opening(file)] if game}
        elif (kind := formats.recognise_file(file)) is not None:
            result.add(kind.game)
    return result
