"""Little Big Adventure out of Blender: which actions are exported, and to which files or entries of an archive."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import bpy

from ...core.lba import formats
from ...core.lba.files.archive.hqr import Hqr
from ...core.lba.files.variant import LBA2, Variant
from ...core.lba.game import ARCHIVES, ExportOptions
from ...core.motion.clip import Clip
from ...core.reporting import log
from ...core.reporting.errors import FormatError
from ..blender import source_data
from ..pipeline.changes import Exported, Replayed, Subject
from ..pipeline.destination import questions, targets
from ..pipeline.destination.writing import Output
from ..pipeline.fidelity.unedited import Came
from ..pipeline.out_of_blender import exporting, writer
from . import entries as archived
from . import replay
from .build import FORMAT
from .pack import Packed, pack_action, report_size
from .settings import Body


def export_lba(context: bpy.types.Context, options: ExportOptions) -> Exported:
    """Write the chosen actions; returns what became of each of them. Raises RetroAnimError, with nothing written,
    when one of them holds what the game cannot, or two of them go to the same file or entry."""
    return exporting.export(Writer, context, options)


class Writer(writer.Writer[ExportOptions, Packed]):
    """bodies: what the armatures stand for, each read once."""

    kinds = (FORMAT,)

    def select(self) -> Sequence[Subject]:
        self.bodies: dict[bpy.types.Object, Body] = {}
        return super().select()

    def _body(self, obj: bpy.types.Object) -> Body:
        if obj not in self.bodies:
            self.bodies[obj] = Body.of(obj)
        return self.bodies[obj]

    def pack(self, obj: bpy.types.Object, action: bpy.types.Action | None) -> Packed:
        assert action is not None
        packed = pack_action(self.context, obj, action, self.options, self._body(obj))
        report_size(packed)
        return packed

    def came(self, obj: bpy.types.Object, action: bpy.types.Action) -> Came | None:
        return replay.came(self.context, action, self._body(obj), self.options)

    def motions(self, obj: bpy.types.Object, clips: Sequence[Came]) -> Sequence[Clip]:
        return replay.motions(obj, clips)

    def replayed(self, obj: bpy.types.Object, packed: Packed) -> list[Replayed]:
        return [replay.replayed(self.context, obj, packed, self._body(obj), self.options)]

    def outputs(self, packed: Sequence[Packed]) -> list[Output]:
        self.games: dict[object, Variant] = {item.action: item.game for item in packed}
        if Path(self.options.path).suffix.lower() in ARCHIVES:
            return self._entries(packed)
        names = [item.action.name for item in packed]
        return [
            self.file(name, self.target(name, ".anm", item.action), item.data, item.action, formats.ANM)
            for name, item in zip(names, packed, strict=True)
        ]

    def _entries(self, packed: Sequence[Packed]) -> list[Output]:
        """Every action at its entry."""
        target = Path(self.options.path)
        archive = archived.base(target, [item.action for item in packed])
        self.archives = {str(target): archive}
        outputs, free = list[Output](), len(archive)
        for item in packed:
            apart = questions.kept_apart(item.action.name)
            wanted = "new" if apart else targets.wanted_entry(item.action, self.options.entry)
            if self._all_as_new and not apart and (own := _as_it_is(archive, item, self.options.path)) is not None:
                present = archive.read(own)
                outputs.append(Output(item.action.name, str(target), item.data, item.action, own, present))
                continue
            index = archived.wanted(wanted, self.options.path, item.action, free)
            free = max(free, index + 1)
            present = archived.present(archive, index, target, formats.ANM)
            outputs.append(Output(item.action.name, str(target), item.data, item.action, index, present, chosen=bool(wanted)))
        if as_they_are := len(packed) - sum(output.chosen for output in outputs) if self._all_as_new else 0:
            log.info(
                f"{as_they_are} of {len(packed)} clips are in {target.name} as they are, and get no new entries; tick those that shall"
            )
        return outputs

    @property
    def _all_as_new(self) -> bool:
        """Whether new entries are asked for all clips that there are, and not for some that were chosen one by one."""
        return self.options.source in ("ALL", "SELECTED", "SCENE") and self.options.entry.strip().lower() == "new" and self.several

    def merged(self, path: str, entries: Sequence[Output]) -> bytes:
        """The other entries keep their bytes."""
        return archived.merged(self.archives[path], entries, lambda output: self.games.get(output.block) is LBA2)


def _as_it_is(archive: Hqr, item: Packed, path: str) -> int | None:
    """The entry of its own in which a clip is already, as it is; None where it is in none."""
    own = targets.entry_for(item.action, path)
    try:
        return own if own != source_data.LOOSE and own < len(archive) and archive.read(own) == item.data else None
    except FormatError:
        return None
