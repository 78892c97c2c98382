"""The import and the export of any game, by its row of the table or by what its files are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import bpy

from ...core import formats, games
from ...core.declare.game import Game
from ...core.declare.options import Options, chosen, declared
from ...core.files import address, unpacking
from ...core.reporting import partial, progress
from ...core.reporting.errors import FormatError, RetroAnimError
from ...core.reporting.progress import Steps
from .changes import Exported
from .contents import Contents
from .modules import module
from .out_of_blender import exporting


class Imported(Protocol):
    """What every game's importer returns."""

    @property
    def armatures(self) -> list[bpy.types.Object]: ...

    @property
    def actions(self) -> list[bpy.types.Action]: ...


def import_(context: bpy.types.Context, game: Game, paths: Sequence[str], values: Mapping[str, Any]) -> Imported:
    """Open files of a game. values: of its import options, by name; what is none of them is left out. Raises RetroAnimError."""
    return progress.finish(import_steps(context, game, paths, values))


def import_steps(
    context: bpy.types.Context, game: Game, paths: Sequence[str], values: Mapping[str, Any], beside: bool = False
) -> Steps[Imported]:
    """`import_`, character by character. beside: new ones to the right of those that are there, and not at the origin."""
    options = game.import_options(paths=tuple(paths), **chosen(game.import_options, values))
    return module(game, "build").steps(context, options, beside)


def export(context: bpy.types.Context, game: Game, path: str, values: Mapping[str, Any]) -> Exported:
    """Write a file of a game; returns what became of its clips. values: of its export options, by name; what is none of them is left out.

    Raises RetroAnimError."""
    return progress.finish(export_steps(context, game, path, values))


def export_steps(context: bpy.types.Context, game: Game, path: str, values: Mapping[str, Any]) -> Steps[Exported]:
    """`export`, clip by clip."""
    options = game.export_options(path=path, **chosen(game.export_options, values))
    return exporting.export_steps(module(game, "write").Writer, context, options)


def contents(game: Game, path: str, values: Mapping[str, Any]) -> Contents:
    """What a file or folder has to choose from, by the pages of the game's row; nothing for a game without pages. values: of its import
    options. Raises RetroAnimError for what cannot be opened, or holds nothing but itself."""
    with unpacking.operation():
        return module(game, "contents").contents(path, values) if game.pages else {}


def name_list(game: Game, folder: str, path: str) -> str:
    """A list with the names of an archive's entries, from a folder of such lists; "" where it has none, or the game no such lists."""
    find = getattr(module(game, "contents"), "name_list", None)
    return find(folder, path) if find is not None else ""


def import_files(context: bpy.types.Context, paths: Sequence[str], values: Mapping[str, Any]) -> list[Imported]:
    """Open files of any games, each FILE or FILE#ENTRY, or FOLDER or FOLDER#ENTRY of a game that opens folders.

    Returns what came in, game by game. values: of the import options of any of them. Where the scene is to get the game's rate, it is
    that of the first game with clips: those that have come in would play faster or slower at another. What cannot be opened is reported
    as an error. Raises RetroAnimError when nothing can be."""
    groups: dict[tuple[str, str], list[str]] = {}
    for game, file, entry in partial.each(paths, _game_of):
        groups.setdefault((game.id, entry), []).append(file)
    moving: list[Imported] = []

    def import_group(group: tuple[tuple[str, str], list[str]]) -> Imported:
        (game_id, entry), members = group
        game = games.GAMES[game_id]
        given = {**values, "entries": entry} if entry else dict(values)
        if "meshes" not in declared(game.import_options) and given.get("meshes"):
            # A body of such a game is skeleton and mesh in one file.
            given["skeleton"] = given.get("skeleton") or given["meshes"][0]
        if moving and given.get("fps_mode") == "SET":
            given["fps_mode"] = "KEEP"
        imported = import_(context, game, members, given)
        if imported.actions:
            moving.append(imported)
        return imported

    return partial.each(groups.items(), import_group)


def export_file(context: bpy.types.Context, path: str, values: Mapping[str, Any]) -> Exported:
    """Write a file of the game that has such; returns what became of its clips. Raises RetroAnimError when it holds what the game
    cannot."""
    game = games.writing(Path(path).suffix)
    if game is None:
        raise RetroAnimError(f"{path}: files of this kind are not written")
    return export(context, game, path, values)


def make_character(context: bpy.types.Context, game: Game, obj: bpy.types.Object, path: str, options: Options) -> Any:
    """An armature as a new character of a game that has such. Raises RetroAnimError."""
    return module(game, "new_character").make_character(context, obj, path, options)


def _game_of(path: str) -> tuple[Game, str, str]:
    """The game that opens a path, the path, and apart from it the entry of a game that opens folders: a character."""
    file, entry = address.split(path)
    if (listing := games.opening(file)) is not None:
        return listing, file, entry
    kind = formats.recognise_file(file)
    if kind is None:
        raise formats.unknown(path)
    game = games.GAMES[kind.game]
    if entry and game.folders:
        raise FormatError(f"no list of characters, so it has no entry {entry}", path=file)
    return game, path, ""
