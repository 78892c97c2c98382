"""`pictures`: a small picture of each character of a game; also the process that draws those of the browser."""

from __future__ import annotations

import argparse
import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...core import formats
from ...core.declare.game import Game
from ...core.files.disk.disk import check_own, folder_for, write_file
from ...core.files.file_names import distinct, file_name
from ...core.games import GAMES
from ...core.images import png
from ...core.reporting.errors import RetroAnimError
from .. import blender, inputs, workers
from ..report import show
from . import Commands


def add_to(commands: Commands) -> None:
    command = commands.add_parser("pictures", help="a .png of each character of a game; needs Blender")
    command.add_argument("files", nargs="*", action=inputs.Files, metavar="GAME", help="a game's folder, archive or client")
    command.add_argument("-o", "--output", metavar="FOLDER", type=Path, help="for the pictures")
    command.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Raises RetroAnimError where there is nothing to be seen."""
    blender.module()
    if arguments.worker:
        return workers.serve(_answer)
    if not arguments.files or arguments.output is None:
        raise RetroAnimError("pictures needs a game's folder or archive, and -o FOLDER")
    from ...io.pipeline import pictures

    lines = [line for path in arguments.files for line in _lines(path)]
    names = distinct(f"{file_name(title)}.png" for _, _, _, _, title in lines)
    count = 0
    with folder_for(arguments.output) as folder:
        for (game, path, option, key, _), name in zip(lines, names, strict=True):
            pixels = pictures.drawn(game, path, option, key)
            if pixels is not None:
                check_own(folder / name, "a picture of a character", pictures.is_drawn, "choose another folder")
                write_file(folder / name, png.encode(pixels))
                show(str(folder / name))
                count += 1
    if not count:
        raise RetroAnimError(f"{arguments.files[0]}: no character with a body in it")
    return 0


def _lines(path: str) -> Iterator[tuple[Game, str, str, str, str]]:
    """What the browser's pages of whole characters list: game, file, option, key and title."""
    from ...io.pipeline import folders, games

    if Path(path).is_dir():
        chosen = folders.choices(path)
    else:
        kind = formats.recognise_file(path)
        if kind is None:
            raise formats.unknown(path)
        chosen = [(GAMES[kind.game], path)]
    for game, file in chosen:
        contents = games.contents(game, file, {})
        for page in game.pages:
            for line in contents.get(page.name, ()):
                if page.whole or not line.frames:
                    yield game, file, page.option, line.key, line.title or line.label


def _answer(task: dict[str, Any]) -> str:
    """One of the browser's pictures as a PNG in base 64, "" where nothing can be seen; kept in its folder where that can be written."""
    from ...io.pipeline import pictures

    pixels = pictures.picture(GAMES[task["game"]], task["path"], task["option"], task["key"], Path(task["folder"]))
    return "" if pixels is None else base64.b64encode(png.encode(pixels)).decode()
