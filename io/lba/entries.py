"""Entries of an archive that something out of Blender goes to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import bpy

from ...core.files.disk import disk
from ...core.files.format import Format
from ...core.formats import recognise_entry
from ...core.lba.files.archive.hqr import Hqr
from ...core.lba.game import ARCHIVES
from ...core.reporting import log
from ...core.reporting.errors import ExportError, RetroAnimError, reading
from ..blender import source_data
from ..blender.source_data import Block
from ..pipeline.destination import targets, writing
from ..pipeline.destination.writing import Output


def base(target: Path, blocks: Sequence[Block]) -> Hqr:
    """The archive that is there; else a copy of the one the blocks came from; else an empty one."""
    data = writing.present(target)
    if data is not None:
        with reading(str(target)):
            return Hqr.parse(data) if data else Hqr.empty()
    origins = {source_data.path_of(block) for block in blocks}
    source = Path(origins.pop()) if len(origins) == 1 else Path()
    if source.suffix.lower() in ARCHIVES and source.is_file():
        log.info(f"{target.name} starts as a copy of {source}")
        return Hqr.parse(disk.read_file(source))
    return Hqr.empty()


def wanted(asked: str, path: str, block: Block, free: int) -> int:
    """The entry that is asked for, else the one that the block was written to last, or came from. free: the first new one."""
    if asked.lower() == "new":
        return free
    if asked:
        if not asked.isdigit():
            raise RetroAnimError(f"an entry is a number or 'new', not {asked}")
        return _reached(int(asked), path, free)
    origin = targets.entry_for(block, path)
    if origin == source_data.LOOSE:
        where = "Entry or its Goes To" if isinstance(block, bpy.types.Action) else "Entry"
        raise ExportError(f"{block.name} did not come from an archive: name its entry, or 'new' for one behind the last, in {where}")
    return _reached(origin, path, free)


def _reached(index: int, path: str, free: int) -> int:
    """An entry that can be written. Raises ExportError for one far behind the end of an archive that is not there any more."""
    if index > free and not Path(path).exists():
        raise ExportError(
            f"{path} is not there, so its entry {index} cannot be replaced: put the archive back, export to where it is now, "
            "or let 'new' be the entry"
        )
    return index


def present(archive: Hqr, index: int, target: Path, kind: Format) -> bytes | None:
    """What an entry holds, None for a blank or a new one. Raises ExportError for what is not of this kind, or cannot be read."""
    if index >= len(archive) or archive.blank(index):
        return None
    where, remedy = f"{target}#{index}", "choose another number as entry, or 'new'"
    try:
        data = archive.read(index)
    except RetroAnimError as error:
        raise ExportError(f"{where} cannot be read, so it is not replaced: {error}; {remedy}") from error
    known = recognise_entry(data, target.name)
    if known is not kind:
        held = (
            f"an entry of another kind ({known.label})"
            if known is not None
            else "an entry of another kind (a sound, a picture or the like)"
        )
        raise ExportError(f"{where} is {held}, and no {kind.kind}: {remedy}")
    return data


def merged(archive: Hqr, outputs: Sequence[Output], is_lba2: Callable[[Output], bool]) -> bytes:
    """The archive with these entries; the others keep their bytes."""
    for output in outputs:
        index = output.entry
        shared = archive.shared(index) if index < len(archive) else []
        if shared:
            log.warning(f"entry {index} was the same as {', '.join(map(str, shared))}; those keep what they had")
        newer = is_lba2(output) and _method(archive, index) != 1
        archive = archive.with_entry(index, output.data, 2 if newer else 1)
    return archive.pack()


def _method(archive: Hqr, index: int) -> int:
    try:
        return archive.entry(index).method if index < len(archive) else 2
    except RetroAnimError:
        return 2
