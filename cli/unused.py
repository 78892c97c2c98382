"""Options that were given, and that nothing which a command opens or writes takes: they are said, for someone expects something of them."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ..core import formats
from ..core.files import address
from ..core.games import GAMES, opening, writing
from ..core.reporting.errors import RetroAnimError
from . import clips, declared, interpretations
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
    given = {flag: item for flag, item in known.items() if getattr(arguments, item.name, None) is not None}
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
    for flag, item in given.items():
        if not item.importing & (sources if flag == _OF_SOURCES else every) and not item.exporting & written:
            games, how = (item.importing, "opened") if item.importing else (item.exporting, "written")
            note(f"{flag} is not used: it is for files {_labelled(games)} that are {how}")
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


@dataclass
class _Flag:
    """Under which name an option's value is kept, and which games take it, by their ids: of files that are opened, and that are written."""

    name: str
    importing: set[str] = field(default_factory=set[str])
    exporting: set[str] = field(default_factory=set[str])


def _flags() -> dict[str, _Flag]:
    """The options of all games, by flag."""
    result: dict[str, _Flag] = {}
    for game in GAMES.values():
        for name, item in declared.flagged(game.import_options).items():
            result.setdefault(item.flag, _Flag(name)).importing.add(game.id)
        for name, item in declared.flagged(game.export_options).items():
            result.setdefault(item.flag, _Flag(name)).exporting.add(game.id)
    return result


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
