"""The one table of games. A new game is a folder on each floor, and a line here."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from .declare.game import Game

_FOLDERS = (
    "lba",
    "oni",
    "oni2",
    "mindpower",
)
"""In the order of the menus. `game.py` in each has the game's row."""

GAMES: dict[str, Game] = {folder: import_module(f".{folder}.game", __package__).GAME for folder in _FOLDERS}
"""By id."""


_FOR_FOLDERS = tuple(game for game in GAMES.values() if game.folders)


def writing(extension: str) -> Game | None:
    """The game that writes files of this extension (".anm")."""
    return next((game for game in GAMES.values() if extension.lower() in game.written), None)


def taking_characters(path: str) -> Game | None:
    """The game whose client or folder at `path` takes new characters."""
    games = (game for game in GAMES.values() if game.character_options is not None)
    return next((game for game in games if game.core("new_character").takes(path)), None)


def listing_characters(path: str) -> Game | None:
    """The game whose client is at `path`, or the client's own list of characters: either has its characters as entries."""
    return next((game for game in _FOR_FOLDERS if game.core("formats").takes(path)), None)


def opening(path: str) -> Game | None:
    """The same; of another folder the first game that opens any, which looks above it, or says what is missing there."""
    return listing_characters(path) or next((game for game in _FOR_FOLDERS if Path(path).is_dir()), None)
