"""The registry of all games' formats: which file is of which format, and how to open it, loose or as an entry of an archive."""

from __future__ import annotations

from .files.format import Format
from .files.registry import HEAD as HEAD
from .files.registry import Opened as Opened
from .files.registry import Registry
from .files.registry import archive_of as archive_of
from .files.registry import entry_address as entry_address
from .files.registry import find_entry as find_entry
from .games import GAMES


def _of_all_games() -> tuple[Format, ...]:
    ordered = sorted(GAMES.values(), key=lambda game: not game.signatures)
    return tuple(kind for game in ordered for kind in game.core("formats").FORMATS)


REGISTRY = Registry(_of_all_games)

known = REGISTRY.known
recognise = REGISTRY.recognise
recognise_file = REGISTRY.recognise_file
recognise_entry = REGISTRY.recognise_entry
open_file = REGISTRY.open_file
open_entry = REGISTRY.open_entry
