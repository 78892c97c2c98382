"""Every game's way into Blender and out of it, for whoever does not care which game it is.

A game's modules are imported when they are needed, so that a table costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

import bpy

from ...core import formats
from ...core.files import address
from ...core.reporting.errors import FormatError, RetroAnimError


@dataclass(frozen=True)
class Request:
    """What is said on a command line. skeleton, meshes: files to use instead of those found beside. game: of formats that several
    games share. entry: the archive entry to write, as the export operators take it. parts, action_type, keys: of Tales of Pirates, which
    meshes of a player, its number in the action table, and the key type to write. overwrite: as the
    export operators take it."""

    skeleton: str = ""
    meshes: tuple[str, ...] = ()
    game: str = "auto"
    entry: str = ""
    parts: str = ""
    action_type: int = 0
    keys: Literal["AUTO", "QUAT", "MAT43", "MAT44"] = "AUTO"
    overwrite: bool = False


class Imported(Protocol):
    """What every game's importer gives back."""

    @property
    def armatures(self) -> list[bpy.types.Object]: ...

    @property
    def actions(self) -> list[bpy.types.Action]: ...


Import = Callable[[bpy.types.Context, tuple[str, ...], Request], list[Imported]]
Export = Callable[[bpy.types.Context, str, Request], list[str]]


def _import_lba(context: bpy.types.Context, paths: tuple[str, ...], request: Request) -> list[Imported]:
    from .. import lba

    body = request.skeleton or next(iter(request.meshes), "")  # the same file there
    return [lba.import_lba(context, lba.ImportOptions(paths=paths, skeleton=body, game=request.game, fps_mode="SET"))]


def _export_lba(context: bpy.types.Context, path: str, request: Request) -> list[str]:
    from .. import lba

    return lba.export_lba(context, lba.ExportOptions(path=path, entry=request.entry, game=request.game, overwrite=request.overwrite))


def _import_oni(context: bpy.types.Context, paths: tuple[str, ...], request: Request) -> list[Imported]:
    from ..oni import build as oni

    body = request.skeleton or next(iter(request.meshes), "")  # the same file there
    return [oni.import_oni(context, oni.ImportOptions(paths=paths, skeleton=body))]


def _export_oni(context: bpy.types.Context, path: str, request: Request) -> list[str]:
    from ..oni import write as oni_export

    entry = request.entry if request.entry != "new" else ""
    return oni_export.export_oni(context, oni_export.ExportOptions(path=path, entry=entry, overwrite=request.overwrite))


def _import_mindpower(context: bpy.types.Context, paths: tuple[str, ...], request: Request) -> list[Imported]:
    from ..mindpower import build as mindpower

    picked: dict[str, list[str]] = {}
    made: list[Imported] = []
    for path in paths:
        place, entry = address.split(path)
        picked.setdefault(entry, []).append(place)
    for entry, places in picked.items():
        options = mindpower.ImportOptions(
            paths=tuple(places),
            entries=entry,
            skeleton=request.skeleton,
            meshes=request.meshes,
            parts=request.parts,
            action_type=request.action_type,
            fps_mode="SET",
        )
        made.append(mindpower.import_mindpower(context, options))
    return made


def _export_mindpower(context: bpy.types.Context, path: str, request: Request) -> list[str]:
    from ..mindpower import write as mindpower_export

    options = mindpower_export.ExportOptions(path, key_type=request.keys, with_meshes=True, overwrite=request.overwrite)
    return mindpower_export.export_mindpower(context, options)


def _import_oni2(context: bpy.types.Context, paths: tuple[str, ...], request: Request) -> list[Imported]:
    from ...core.oni2.files import interpretation as reading
    from ..oni2 import build as oni2

    how = reading.current()
    options = oni2.ImportOptions(
        paths=paths,
        skeleton=request.skeleton,
        meshes=request.meshes,
        order=how.order,
        offset=how.offset,
        scale_channels=how.scale,
        facing=how.facing,
        beta=how.beta,
        fps_mode="SET",
    )
    return [oni2.import_oni2(context, options)]


def _export_oni2(context: bpy.types.Context, path: str, request: Request) -> list[str]:
    from ...core.oni2.files import interpretation as reading
    from ..oni2 import pack as oni2_export

    return oni2_export.export_oni2(context, oni2_export.ExportOptions(path, facing=reading.current().facing, overwrite=request.overwrite))


IMPORTS: dict[str, Import] = {"lba": _import_lba, "oni": _import_oni, "oni2": _import_oni2, "mindpower": _import_mindpower}
"""By the `game` of a format. One frame of the scene becomes one time unit of the game."""

EXPORTS: dict[str, Export] = {
    ".anm": _export_lba,
    ".hqr": _export_lba,
    ".oni": _export_oni,
    ".xml": _export_oni,
    ".anim": _export_oni2,
    ".skel": _export_oni2,
    ".lab": _export_mindpower,
    ".lgo": _export_mindpower,
}
"""By the extension of what is written: the active armature's action, or all its actions where one file holds them all. They return the
paths written."""


CLIENTS = "mindpower"
"""The game whose characters are picked from a client's folder: FOLDER#NAME."""


def import_files(context: bpy.types.Context, paths: list[str], request: Request) -> list[Imported]:
    """Open files of any games; returns what came in, game by game. Raises RetroAnimError when one of them cannot be opened."""
    groups: dict[str, list[str]] = {}
    for path in paths:
        place = address.split(path)[0]
        kind = None if Path(place).is_dir() else formats.recognise_file(place)
        game = CLIENTS if Path(place).is_dir() else kind.game if kind is not None else ""
        if game not in IMPORTS:
            raise FormatError("not a file of any known format", path=path)
        groups.setdefault(game, []).append(path)
    return [part for game, members in groups.items() for part in IMPORTS[game](context, tuple(members), request)]


def export(context: bpy.types.Context, path: str, request: Request) -> list[str]:
    """Write a game's file. Raises RetroAnimError when it holds what the game cannot."""
    suffix = Path(path).suffix.lower()
    if suffix not in EXPORTS:
        raise RetroAnimError(f"{path}: files of this kind are not written")
    return EXPORTS[suffix](context, path, request)
