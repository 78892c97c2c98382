"""Little Big Adventure out of Blender: which actions are exported, and to which files or entries of an archive."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import bpy

from ...core.files import disk
from ...core.formats import recognise_entry
from ...core.lba import formats
from ...core.lba.files.hqr import Hqr
from ...core.lba.files.variant import LBA2, Variant
from ...core.lba.options import ExportOptions
from ...core.reporting import log
from ...core.reporting.errors import ExportError, RetroAnimError, reading
from ..blender import source_data
from ..pipeline import exporting, questions, targets, writing
from ..pipeline.changes import Exported, Replayed
from ..pipeline.writing import Output
from . import replay
from .build import FORMAT
from .pack import Packed, pack_action


def export_lba(context: bpy.types.Context, options: ExportOptions) -> Exported:
    """Write the chosen actions; returns what became of each of them. Raises RetroAnimError, with nothing written,
    when one of them holds what the game cannot, or two of them go to the same file or entry."""
    return exporting.export(Writer, context, options)


class Writer(exporting.Writer[ExportOptions, Packed]):
    kinds = (FORMAT,)

    def pack(self, obj: bpy.types.Object, action: bpy.types.Action | None) -> Packed:
        assert action is not None
        return pack_action(self.context, obj, action, self.options)

    def replayed(self, obj: bpy.types.Object, packed: Packed) -> list[Replayed]:
        return [replay.replayed(self.context, obj, packed, self.options)]

    def outputs(self, packed: Sequence[Packed]) -> list[Output]:
        self.games: dict[object, Variant] = {item.action: item.game for item in packed}
        if Path(self.options.path).suffix.lower() == ".hqr":
            return self._entries(packed)
        names = [item.action.name for item in packed]
        return [
            self.file(name, self.target(name, ".anm", item.action), item.data, item.action, formats.ANM)
            for name, item in zip(names, packed, strict=True)
        ]

    def _entries(self, packed: Sequence[Packed]) -> list[Output]:
        """Every action at its entry."""
        target = Path(self.options.path)
        archive = _base(target, packed)
        self.archives = {str(target): archive}
        outputs: list[Output] = []
        for item in packed:
            apart = questions.kept_apart(item.action.name)
            wanted = "new" if apart else targets.wanted_entry(item.action, self.options.entry)
            index = _entry(wanted, self.options.path, item, max([len(archive), *(output.entry + 1 for output in outputs)]))
            present = _present(archive, index, target)
            outputs.append(Output(item.action.name, str(target), item.data, item.action, index, present, chosen=bool(wanted)))
        return outputs

    def merged(self, path: str, entries: Sequence[Output]) -> bytes:
        """The other entries keep their bytes."""
        archive = self.archives[path]
        for output in entries:
            index = output.entry
            shared = archive.shared(index) if index < len(archive) else []
            if shared:
                log.warning(f"entry {index} was the same as {', '.join(map(str, shared))}; those keep what they had")
            newer = self.games.get(output.block) is LBA2 and _method(archive, index) != 1
            archive = archive.with_entry(index, output.data, 2 if newer else 1)
        return archive.pack()


def _base(target: Path, packed: Sequence[Packed]) -> Hqr:
    """The archive that is there; else a copy of the one the actions came from; else an empty one."""
    data = writing.present(target)
    if data is not None:
        with reading(str(target)):
            return Hqr.parse(data) if data else Hqr.empty()
    origins = {source_data.path_of(item.action) for item in packed}
    source = Path(origins.pop()) if len(origins) == 1 else Path()
    if source.suffix.lower() == ".hqr" and source.is_file():
        log.info(f"{target.name} starts as a copy of {source}")
        return Hqr.parse(disk.read_file(source))
    return Hqr.empty()


def _entry(wanted: str, path: str, item: Packed, free: int) -> int:
    """The entry wanted, else the one that the action was written to last, or came from."""
    if wanted.lower() == "new":
        return free
    if wanted:
        if not wanted.isdigit():
            raise RetroAnimError(f"an entry is a number or 'new', not {wanted}")
        return int(wanted)
    origin = targets.entry_for(item.action, path)
    if origin == source_data.LOOSE:
        raise ExportError(f"{item.action.name} did not come from an archive: name the entry it goes to, or 'new'")
    return origin


def _present(archive: Hqr, index: int, target: Path) -> bytes | None:
    """What an entry holds, None for a blank or a new one. Raises ExportError for what is no animation, or cannot be read."""
    if index >= len(archive) or archive.blank(index):
        return None
    where, remedy = f"{target}#{index}", "choose another number as entry, or 'new'"
    try:
        data = archive.read(index)
    except RetroAnimError as error:
        raise ExportError(f"{where} cannot be read, so it is not replaced: {error}; {remedy}") from error
    kind = recognise_entry(data, target.name)
    if kind is not formats.ANM:
        held = (
            f"an entry of another kind ({kind.label})" if kind is not None else "an entry of another kind (a sound, a picture or the like)"
        )
        raise ExportError(f"{where} is {held}, and no animation: {remedy}")
    return data


def _method(archive: Hqr, index: int) -> int:
    try:
        return archive.entry(index).method if index < len(archive) else 2
    except RetroAnimError:
        return 2
