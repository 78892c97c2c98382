"""Where the palette and the texture page of a body are."""

from __future__ import annotations

from pathlib import Path

import bpy

from ....core import looking
from ....core.files import address
from ....core.files.letter_case import find_beside
from ....core.lba.characters import companions
from ....core.lba.files.palette import Palette
from ....core.lba.files.texture import TexturePage
from ....core.reporting import log
from ...blender import source_data
from ...pipeline.destination import targets

KEPT = "lba_palette"
"""Of an armature: the file that was given for it."""


def keep(data: bpy.types.Armature, given: str) -> None:
    """That file is the one of the body from now on, unless it has no palette; "" for none."""
    with log.collect():
        readable = bool(given) and bool(companions.palette_of(given)[1])
    if readable:
        data[KEPT] = str(Path(given).absolute())


def path_for(data: bpy.types.Armature) -> str:
    """The file that was given for a body, else the RESS.HQR beside where it was written, or came from; "" for none."""
    given = data.get(KEPT)
    if isinstance(given, str) and looking.is_file(given):
        return given
    paths = [Path(address.split(path)[0]) for path in (targets.home(data), source_data.path_of(data)) if path]
    beside = [find_beside(path, "RESS.HQR") for path in paths if path.name]
    return str(next((source for source in beside if source is not None), ""))


def palette_of(data: bpy.types.Armature) -> Palette:
    """In silence; a plain one, which says why, where there is none."""
    source = path_for(data)
    if not source:
        return Palette.plain("no RESS.HQR lies beside the body")
    with log.collect() as said:
        palette, where = companions.palette_of(source)
    return palette if where else Palette.plain(" ".join(message.text for message in said.of("WARNING")).removeprefix("plain colours: "))


def report_plain(palette: Palette) -> None:
    """Colours have been chosen from it."""
    if palette.instead_of:
        log.warning(f"colours are those of a plain palette, not of the game's: {palette.instead_of}; name its RESS.HQR as Palette")


def page_of(data: bpy.types.Armature) -> TexturePage:
    """The same of LBA2's texture page."""
    with log.collect():
        return companions.page_for(path_for(data))
