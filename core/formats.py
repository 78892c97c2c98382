"""The registry of all games' formats: which file is of which format, and how to open it, loose or as an entry of an archive."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from .declare.game import Game
from .files.format import Format
from .files.registry import HEAD as HEAD
from .files.registry import Opened as Opened
from .files.registry import Registry
from .files.registry import archive_of as archive_of
from .files.registry import as_archive as as_archive
from .files.registry import entry_address as entry_address
from .files.registry import once as once
from .files.registry import packed as packed
from .games import GAMES


def _of_all_games() -> tuple[Format, ...]:
    return _of_games(GAMES.values())


@cache
def _of_extension(extension: str) -> tuple[Format, ...]:
    """The formats of the games that have such files."""
    return _of_games(game for game in GAMES.values() if extension in (*game.opened, *game.known))


def _of_games(games: Iterable[Game]) -> tuple[Format, ...]:
    ordered = sorted(games, key=lambda game: not game.signatures)
    return tuple(kind for game in ordered for kind in game.core("formats").FORMATS)


_OTHERS = {
    **dict.fromkeys(
        (".bvh", ".fbx", ".glb", ".gltf", ".blend"), "of no game: Blender opens it itself, as do the commands retarget and convert"
    ),
    **dict.fromkeys(
        (".zip", ".7z", ".rar", ".gz", ".tgz", ".tar", ".bz2", ".xz", ".sit"), "a packed file: unpack it, and open what it holds"
    ),
    **dict.fromkeys((".dmg", ".iso", ".img", ".gog", ".cue", ".nrg"), "an image of a disk: open what is on it"),
}
"""By extension, of any game: what motion comes in besides, and how people get games, and pass on files of them."""


def _instead(extension: str) -> str:
    return next((game.instead[extension] for game in GAMES.values() if extension in game.instead), _OTHERS.get(extension, ""))


REGISTRY = Registry(_of_all_games, _of_extension, _instead)

known = REGISTRY.known
recognise = REGISTRY.recognise
recognise_file = REGISTRY.recognise_file
recognise_entry = REGISTRY.recognise_entry
expected = REGISTRY.expected
unknown = REGISTRY.unknown
open_file = REGISTRY.open_file
chosen = REGISTRY.chosen
find_entry = REGISTRY.find_entry
open_entry = REGISTRY.open_entry
