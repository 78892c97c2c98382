"""Where a block goes: the file and the entry that it came from, was written to last, or is to go to, as its custom properties have it."""

from __future__ import annotations

import re
from pathlib import Path

import bpy

from ....core.files.file_names import same_file
from ....core.record import Record
from ....core.reporting.errors import ExportError
from ...blender import identity, source_data
from ...blender.source_data import LOOSE, Block

WRITTEN = "retro_anim_written"
"""Custom property: digests of what was written last and of what the block stood for then, the entry, and the file."""

_MET = "="
"""Before the first digest, where an export had nothing to write."""

TO_FILE, TO_ENTRY = "retro_anim_to_file", "retro_anim_to_entry"
"""Custom properties of an action: the file, and the entry or instance ("new" for one behind the last), that the user wants it to go to.
They are gone when it is there."""


class Written(Record):
    """Where a block was written last. content: digest of what was there then. document: of what the block stood for. met: that was there
    already, from somebody else, and nothing was written."""

    content: str
    document: str
    entry: int
    path: str
    met: bool = False

    def __str__(self) -> str:
        """As the property holds it."""
        return f"{_MET if self.met else ''}{self.content} {self.document} {self.entry} {self.path}"


def written(block: Block) -> Written | None:
    """None for a block that was not written yet, or whose property somebody else has spoilt."""
    values = str(block.get(WRITTEN, "")).split(" ", 3)
    if len(values) != 4 or not re.fullmatch(r"-?[0-9]{1,9}", values[2]) or "\0" in values[3]:
        return None
    return Written(values[0].removeprefix(_MET), values[1], int(values[2]), values[3], values[0].startswith(_MET))


def entry_for(block: Block, path: str | Path) -> int:
    """The entry of an archive that a block belongs to: the one it was written to last, else the one it came from; LOOSE for none."""
    last = written(block)
    if last is not None and last.entry != LOOSE and same_file(last.path) == same_file(path):
        return last.entry
    return source_data.entry_of(block)


def wanted_entry(block: Block, asked: str) -> str:
    """The entry that an export is asked for, else the one that the user wants the block to go to; "" for none."""
    own = block.get(TO_ENTRY, "")
    return asked.strip() or (own.strip() if isinstance(own, str) else "")


def shown_entry(block: Block) -> str:
    """The entry that a block is to go to; "" for none, as in a file that it is not from and that holds one clip."""
    wanted, path = wanted_entry(block, ""), home(block)
    if wanted:
        return wanted
    entry = entry_for(block, path)
    game = identity.game_of(block)
    alone = game is not None and game.written.get(Path(path).suffix.lower()) == "clip"
    elsewhere = same_file(path) != same_file(source_data.path_of(block)) if path else True
    return "" if entry == LOOSE or (alone and elsewhere) else str(entry)


def wanted_file(block: Block | None) -> str:
    """The file that the user wants a block to go to, "" for none."""
    wanted = _wanted(block)
    if wanted.startswith("//"):  # Windows has its own separator there, too
        wanted = wanted.replace("\\", "/")
    return bpy.path.abspath(wanted) if wanted else ""


def check_folder(block: Block | None, path: str) -> None:
    """Raises ExportError where a block is to go to `path`, which would be in the folder that Blender was started in: it is to be beside a
    .blend that has no folder yet, or names none."""
    wanted = _wanted(block)
    if not wanted or Path(path).is_absolute() or wanted_file(block) != path:
        return
    if wanted.startswith("//"):
        raise ExportError(f"{wanted}: beside the .blend, which is not saved yet: save it first, or choose a folder in Goes To")
    raise ExportError(f"{wanted}: names no folder: choose one in Goes To")


def _wanted(block: Block | None) -> str:
    """As the user has written it; "" for what is no path."""
    wanted = block.get(TO_FILE, "") if block is not None else ""
    return wanted.strip() if isinstance(wanted, str) and "\0" not in wanted else ""


def home(block: Block) -> str:
    """The file that a block is to go to, else the one that it was written to last, else the one it came from, "" for none."""
    last, wanted = written(block), wanted_file(block)
    if wanted:
        return wanted
    return last.path if last is not None else source_data.path_of(block)


def original_of(block: Block | None) -> bpy.types.Action | None:
    """The action that an action is a copy of, None where it is none: both came from one place under one name, which it no longer has."""
    name = block.get(source_data.NAME) if isinstance(block, bpy.types.Action) else None
    if block is None or name is None or name == block.name:
        return None
    twins = [
        each for each in bpy.data.actions if each != block and each.get(source_data.NAME) == name and _origins(each) == _origins(block)
    ]
    return next((twin for twin in twins if twin.name == name), twins[0] if twins else None)


def _origins(block: Block) -> tuple[object, int]:
    return block.get(source_data.SOURCE), source_data.entry_of(block)
