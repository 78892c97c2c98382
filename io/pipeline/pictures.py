"""A picture of each character that a file has to choose from: drawn once, and kept in a folder.

Nothing here touches Blender's data, so that it can be done in a thread while the window is used.
"""

from __future__ import annotations

import hashlib
import re
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from ...core import looking
from ...core.declare.game import Game, axis_vector
from ...core.files.disk.disk import read_file, write_file
from ...core.images import png
from ...core.images.pixels import Pixels
from ...core.reporting import log, progress
from ...core.reporting.errors import FormatError, RetroAnimError
from ...core.surface import raster
from . import modules

SIZE = 128
"""Pixels of a side."""

_DRAWN_BY = 1
"""Changes with what pictures look like, so that kept ones are drawn again."""

_NOBODY: Any = SimpleNamespace(view_layer=SimpleNamespace(objects=SimpleNamespace(active=None)))
"""Instead of Blender's context: no armature of the scene takes what is read."""


def picture(game: Game, path: str, option: str, key: str, folder: Path) -> Pixels | None:
    """(SIZE, SIZE, 4), top row first, of what an import of `path` with `option` as `key` brings in; None where nothing of it can be
    seen. folder: where pictures are kept."""
    with suppress(FormatError):
        return kept(game, path, option, key, folder)
    pixels = drawn(game, path, option, key)
    with suppress(OSError, RetroAnimError):
        folder.mkdir(parents=True, exist_ok=True)
        write_file(_file(game, path, option, key, folder), png.encode(pixels) if pixels is not None else b"")
    return pixels


def kept(game: Game, path: str, option: str, key: str, folder: Path) -> Pixels | None:
    """As `picture` where it has been drawn before. Raises FormatError where it is still to be drawn."""
    data = read_file(_file(game, path, option, key, folder))
    return png.decode(data) if data else None


def is_drawn(data: bytes) -> bool:
    """Whether a file is such a picture. FormatError says no, too."""
    return png.decode(data).shape == (SIZE, SIZE, 4)


def clear(folder: Path) -> int:
    """Delete the pictures that are kept in a folder; returns how many there were. Other files stay."""
    count = 0
    for path in folder.glob("*.png") if looking.is_folder(folder) else ():
        if re.fullmatch("[0-9a-f]{32}", path.stem):
            with suppress(OSError):
                path.unlink()
                count += 1
    return count


def drawn(game: Game, path: str, option: str, key: str) -> Pixels | None:
    """As `picture`, and not kept."""
    plan = modules.module(game, "plan")
    of_character = modules.module(game, "pictures").shapes
    given: dict[str, Any] = {option: key}
    try:
        with log.collect():
            characters = progress.finish(plan.Plan(_NOBODY, game.import_options(paths=(path,), **given)).steps())
            shapes = [shape for character in characters for shape in of_character(character)]
            return raster.draw(raster.joined(shapes), SIZE, axis_vector(game.forward)) if shapes else None
    except RetroAnimError:
        return None  # the import says what is wrong with it


def _file(game: Game, path: str, option: str, key: str, folder: Path) -> Path:
    """Where a picture is kept: another one where the file, or another in its folder, was written since."""
    changed = [_changed(path), _changed(str(Path(path).parent))]
    text = "\n".join(map(str, (_DRAWN_BY, SIZE, game.id, Path(path).absolute(), option, key, *changed)))
    return folder / f"{hashlib.sha256(text.encode('utf-8', 'surrogateescape')).hexdigest()[:32]}.png"


def _changed(path: str) -> int:
    try:
        return Path(path).stat().st_mtime_ns
    except OSError:
        return 0
