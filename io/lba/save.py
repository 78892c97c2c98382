"""A whole character of Little Big Adventure in one go: its body, its clips, and the entity that says who uses them; all or none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import bpy

from ...core.files.disk import disk
from ...core.files.file_names import same_file
from ...core.files.letter_case import find_beside
from ...core.lba import formats
from ...core.lba.files.actions import Action
from ...core.lba.files.archive.hqr import Hqr
from ...core.lba.files.lm2 import Lm2
from ...core.lba.files.variant import LBA2
from ...core.lba.game import BodyOptions, ExportOptions, SaveOptions
from ...core.reporting import log, progress
from ...core.reporting.errors import ExportError, reading
from ...core.reporting.labels import counted
from ..blender import armature, identity, source_data
from ..blender.source_data import LOOSE, Block
from ..pipeline.destination import questions, settling, targets, writing
from ..pipeline.destination.writing import Output
from ..pipeline.out_of_blender import character, packing
from ..pipeline.out_of_blender.selection import selection
from . import entries
from .bodies import pack_body
from .body import resources
from .build import ENTITY, FORMAT
from .characters import roles, users
from .characters.saved_list import Clips, listed
from .pack import Packed, pack_action, report_size
from .write import Writer


class Saved(NamedTuple):
    """entity: the number of the character, the lowest of several on one armature. paths: the files that were written. body: its
    entry, clips: those of its clips. entities: the numbers of all."""

    entity: int
    paths: list[str]
    body: int
    clips: dict[str, int]
    entities: tuple[int, ...] = ()

    @property
    def summary(self) -> str:
        several = f"characters {', '.join(map(str, self.entities))}" if len(self.entities) > 1 else f"character {self.entity}"
        about = f"{several}: body {self.body}, {counted(len(self.clips), 'clip')}"
        if not self.paths:
            return f"{about}: nothing to save, all of it is where it belongs"
        return f"{about}; written: {', '.join(Path(path).name for path in self.paths)}"


@dataclass(eq=False)
class _Archive:
    """An archive as it is, and what goes into it."""

    path: Path
    hqr: Hqr
    outputs: list[Output] = field(default_factory=list[Output])

    @classmethod
    def at(cls, path: Path) -> _Archive:
        with reading(str(path)):
            return cls(path, Hqr.parse(disk.read_file(path)))

    def add(self, block: Block, title: str, data: bytes, kind: formats.Format, new: bool = False, kept_normals: bool = False) -> int:
        """Into the entry that was asked for, else its own, else a new one, whose number is returned. new: into a new one in any case."""
        own = targets.entry_for(block, self.path) if same_file(targets.home(block) or ".") == same_file(self.path) else LOOSE
        free = max([len(self.hqr), *(output.entry + 1 for output in self.outputs)])
        asked = "new" if new else targets.wanted_entry(block, "")
        index = entries.wanted(asked, str(self.path), block, free) if asked else own if own != LOOSE else free
        present = entries.present(self.hqr, index, self.path, kind)
        self.outputs.append(Output(title, str(self.path), data, block, index, present, chosen=bool(asked), kept_normals=kept_normals))
        return index


class _Writer(Writer):
    """All clips of a character, those that were made in Blender, too; their events are written with them."""

    kinds = (FORMAT, selection.NEW)

    def pack(self, obj: bpy.types.Object, action: bpy.types.Action | None) -> Packed:
        assert action is not None
        packed = pack_action(self.context, obj, action, self.options, self._body(obj), with_events=True)
        report_size(packed)
        return packed


def save_character(context: bpy.types.Context, obj: bpy.types.Object, options: SaveOptions | None = None) -> Saved:
    """Write the body, all clips and the entity of an armature into the game's archives in a folder.

    What came from them goes where it was, what is new behind the last entry; what is unchanged stays as it is. What a clip is used for
    `roles.assigned` says.
    Raises RetroAnimError, with no file changed, for what the game cannot hold, and archives that are not there.
    """
    options = options or SaveOptions()
    with character.saving(context):
        return _save(context, obj, options)


def _save(context: bpy.types.Context, obj: bpy.types.Object, options: SaveOptions) -> Saved:
    data = armature.data_of(obj)
    folder = Path(options.folder or Path(targets.home(data) or ".").parent)
    bodies, animations = (_Archive.at(_archive(folder, name)) for name in ("BODY.HQR", "ANIM.HQR"))
    palette = options.palette or ("" if resources.path_for(data) else str(find_beside(bodies.path, "RESS.HQR") or ""))
    document = pack_body(context, obj, BodyOptions(normals=options.normals, palette=palette))
    wide = isinstance(document, Lm2)
    body = bodies.add(data, obj.name, document.pack(), formats.LM2 if wide else formats.LM1, kept_normals=options.normals == "KEEP")
    numbers: dict[str, int] = {}
    events: dict[str, list[Action] | None] = {}
    counts: dict[str, int] = {}
    taken = ExportOptions(str(animations.path), "ALL", options.sampling, game="lba2" if wide else "lba1", reduction=options.reduction)
    items = progress.finish(packing.packed(_Writer(context, taken, [obj])))[0]
    chosen = [item.action for item in items if item.action is not None]
    for action, packed in zip(chosen, (item.packed for item in items), strict=True):
        with packing.about(action):
            events[action.name], counts[action.name] = _events(action, packed), len(packed.frames)
        new = questions.kept_apart(action.name) or _is_another(action, chosen, animations.path)
        numbers[action.name] = animations.add(action, action.name, packed.data, formats.ANM, new)
    entities = listed(obj, folder, options, body, Clips(chosen, numbers, events))
    entity = Output("the list of characters", str(entities.path), entities.data, present=disk.read_file(entities.path), backup=True)
    archives = {str(archive.path): archive for archive in (bodies, animations)}
    outputs = [*bodies.outputs, *animations.outputs, entity]
    settled = settling.settle(outputs, options.overwrite)
    settled.check()
    writing.write_files(outputs, settled, lambda path, changed: entries.merged(archives[path].hqr, changed, lambda _: wide))
    for index, assigned in entities.roles.items():
        for action in (action for action in chosen if action.name in assigned):
            users.keep_events(action, events[action.name], counts[action.name])
            roles.keep(action, assigned[action.name])
            if len(entities.roles) > 1:
                action[ENTITY] = index
    paths = list(dict.fromkeys(output.path for output in settled.changed))
    left = character.left_out(settled)
    clips_there = {name: number for name, number in numbers.items() if name not in left}
    return Saved(min(entities.roles), paths, body, clips_there, tuple(sorted(entities.roles)))


def _archive(folder: Path, name: str) -> Path:
    path = find_beside(folder, name)
    if path is None:
        raise ExportError(f"{folder}: there is no {name} in it: choose the folder of the game's archives")
    return path


def _events(action: bpy.types.Action, packed: Packed) -> list[Action] | None:
    """What the markers of a clip let the game do; None where nothing was said of that since it came in, and of a further slot, since they
    are at the keyframes of the first."""
    if identity.FURTHER in action:
        return None
    try:
        wide = packed.game is LBA2
        before = [event.text for event, _ in users.events_before(action, wide)]
        events = users.events_of(action, packed.frames, wide)
    except ExportError as error:
        log.warning(f"its events stay as they were: {error}")
        return None
    if source_data.origin(action) is None and targets.written(action) is None:
        return events if events or before else None
    return events if sorted(event.text for event in events) != sorted(before) else None


def _is_another(action: bpy.types.Action, chosen: Sequence[bpy.types.Action], path: Path) -> bool:
    """Whether a clip is a copy of another one of the character, still without an entry of its own, that is used for something else."""
    original = targets.original_of(action)
    if original is None or original not in chosen or roles.asked(action) in ([], roles.asked(original)):
        return False
    return targets.entry_for(action, path) == targets.entry_for(original, path)
