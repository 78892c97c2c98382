"""Oni out of Blender: which actions are exported, and to which files or instances of a file. What they hold: see pack.py."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import bpy

from ...core import formats
from ...core.files.file_names import same_file
from ...core.oni.files.documents import ObanFile, TramFile
from ...core.oni.files.onifile import OniFile
from ...core.oni.game import GAME, ExportOptions
from ...core.oni.posing import animation_of
from ...core.oni.records.oban import Oban
from ...core.oni.records.record import PREFIX
from ...core.oni.records.tram import Tram
from ...core.oni.xml.documents import ObanXml, TramXml, name_of
from ...core.reporting import log
from ...core.reporting.errors import ExportError, FormatError
from ..blender import compat, identity, source_data
from ..pipeline.changes import Exported, Replayed, Subject
from ..pipeline.destination import questions, targets, writing
from ..pipeline.destination.writing import Output
from ..pipeline.fidelity.unedited import Came
from ..pipeline.out_of_blender import exporting, writer
from ..pipeline.out_of_blender.selection import selection
from . import replay
from .base_record import document_at
from .build import TRAM_KIND
from .fields import properties
from .pack import Bodies, Packed, pack_action, report_fewer


def export_oni(context: bpy.types.Context, options: ExportOptions) -> Exported:
    """Write the chosen actions; returns what became of each of them. Raises RetroAnimError, with nothing written, when one of them
    holds what the game cannot, or two of them go to the same file."""
    return exporting.export(Writer, context, options)


class Writer(writer.Writer[ExportOptions, Packed]):
    """bodies: what the armatures stand for, each read once."""

    needs = writer.Needs("action", "an armature or an object with an action")

    def select(self) -> Sequence[Subject]:
        self.bodies = Bodies()
        reason = GAME.refused.get(Path(self.options.path).suffix.lower())
        if reason is not None:
            raise ExportError(reason)
        return selection.chosen_actions(self.context, self.options.source, TRAM_KIND, animated=True, game=GAME)

    def pack(self, obj: bpy.types.Object, action: bpy.types.Action | None) -> Packed:
        assert action is not None
        # The file that is there belongs to a single action alone: of several none is updated with its fields.
        options = replace(self.options, path="") if self.several else self.options
        packed = pack_action(self.context, obj, action, options, self.bodies)
        report_fewer(packed, options)
        return self._named(packed)

    def _named(self, item: Packed) -> Packed:
        """With the record's name: that of its property; of an action that was renamed since the import its own, but in a file that has the
        record by its old name."""
        original = animation_of(item.kept) if item.kept is not None else None
        if identity.FURTHER in item.action or questions.kept_apart(item.action.name):
            record = item.record
            return replace(item, record=replace(record, name=properties.instance_name(item.action.name, record.record().tag)), source=None)
        plain = re.sub(r"\.\d{3}$", "", item.action.name)
        called = original and (original.name or name_of(source_data.path_of(item.action), original.record().tag))
        renamed = original is not None and called and item.record.name == original.name and plain != called[: compat.NAME_LIMIT]
        if original is None or not renamed or self.options.entry or self._updates(item.action, original):
            return item
        return replace(item, record=replace(item.record, name=properties.instance_name(plain, original.record().tag)), source=None)

    def _updates(self, action: bpy.types.Action, original: Tram | Oban) -> bool:
        """Whether the target is a file that has the record that an action came from."""
        if self.several:
            home, first = targets.home(action), bpy.data.actions.get(str(action.get(source_data.NAME, "")))
            is_copy = first is not None and first != action
            return not is_copy and bool(home) and same_file(home) == same_file(self.target(original.name))
        return holds(self.options.path, original)

    def came(self, obj: bpy.types.Object, action: bpy.types.Action) -> Came | None:
        came = replay.came(self.context, obj, action, self.bodies)
        return came and replace(came, packed=self._named(came.packed))

    def replayed(self, obj: bpy.types.Object, packed: Packed) -> list[Replayed]:
        return [replay.replayed(self.context, obj, packed, self.options, self.bodies)]

    def outputs(self, packed: Sequence[Packed]) -> list[Output]:
        return [self._output(item) for item in packed]

    def _output(self, item: Packed) -> Output:
        """The file of an action, and what it will hold."""
        target = self.target(item.record.name or item.action.name, block=item.action)
        wanted = targets.wanted_entry(item.action, self.options.entry)
        present = writing.present(target)
        if item.source is not None and item.source == present and not wanted:
            return Output(item.action.name, target, item.source, item.action, present=present, document=item.source)
        with log.collect():  # what XML leaves out is reported once, of what is written
            own = item.source if item.source is not None else _own(item, item.kept)
        output = Output(
            item.action.name,
            target,
            own,
            item.action,
            present=present,
            document=own,
            derived=self.several and target != targets.wanted_file(item.action),
        )
        output = replace(output, chosen=bool(wanted))
        if Path(target).suffix.lower() == ".xml":
            return replace(output, data=_xml(target, item, present))
        if isinstance(item.kept, TramXml | ObanXml):
            output = replace(output, data=_own(item, None))
        return _within(output, item, replace(self.options, entry=wanted)) if present else output


def holds(path: str, original: Tram | Oban) -> bool:
    """Whether a file is a .oni that has a record by its name."""
    try:
        file = OniFile.parse(writing.present(path) or b"")
    except FormatError:
        return False
    return any(file.name(index) == original.name and not file.blank(index) for index in range(len(file)))


def _own(item: Packed, kept: object) -> bytes:
    """What an action stands for: `kept` with what changed; a new .oni where there is none."""
    record = item.record
    if isinstance(kept, TramFile | TramXml) and isinstance(record, Tram):
        return replace(kept, tram=record).pack()
    if isinstance(kept, ObanFile | ObanXml) and isinstance(record, Oban):
        return replace(kept, oban=record).pack()
    return (TramFile.new(record) if isinstance(record, Tram) else ObanFile.new(record)).pack()


def _xml(target: str, item: Packed, present: bytes | None) -> bytes:
    """The XML that is there, or that the action came from, with what changed; or a new one. Raises ExportError where anything else is."""
    record = item.record
    existing = document_at(target) if present else None
    if present and not isinstance(existing, TramXml if isinstance(record, Tram) else ObanXml):
        raise ExportError(f"{target}: what is there is not one {record.record().tag} alone, and would be lost: choose another file")
    for document in (existing, item.kept):
        if isinstance(document, TramXml) and isinstance(record, Tram):
            return replace(document, tram=record).beside(target).pack()
        if isinstance(document, ObanXml) and isinstance(record, Oban):
            return replace(document, oban=record).pack()
    return (TramXml.new(record) if isinstance(record, Tram) else ObanXml.new(record)).pack()


def _within(output: Output, item: Packed, options: ExportOptions) -> Output:
    """The output as the .oni that is there with the record as one of its instances; a file of another animation is replaced as a whole.

    Raises ExportError where the file holds anything else, or more.
    """
    target, data = output.path, output.present or b""
    try:
        file = OniFile.parse(data)
    except FormatError as error:
        raise ExportError(f"{target}: what is there is no .oni, and would be lost ({error}): choose another file") from error
    held = [index for index in range(len(file)) if not file.blank(index)]
    index = _instance(file, target, item, options)
    if index is not None:
        level_id = int.from_bytes(file.bytes_of(index)[4:PREFIX], "little")
        record = replace(item.record.record(), level_id=level_id)
        return replace(output, data=file.with_record(index, record).pack(), backup=len(held) > 1)
    tag = item.record.record().tag
    if [file.tag(index) for index in held] not in ([], [tag]):
        name = file.name(held[0]) or f"a {file.tag(held[0])}"
        more = f" and {len(held) - 1} more instances" if len(held) > 1 else ""
        remedy = f"choose another file, or as entry the {tag} to replace" if tag in map(file.tag, held) else "choose another file"
        raise ExportError(f"{target} holds {name}{more}, which would be lost: {remedy}")
    return replace(output, backup=True)


def _instance(file: OniFile, target: str, item: Packed, options: ExportOptions) -> int | None:
    """The instance to put the record in: the one asked for, the one it came from, or one of the same name."""
    tag = item.record.record().tag
    if options.entry:
        index = formats.find_entry(file, options.entry, target)
        if file.tag(index) != tag or file.blank(index):
            problem = "is in another file" if file.blank(index) else f"is a {file.tag(index)} and not a {tag}"
            raise ExportError(f"{target}: instance {options.entry} {problem}: choose another one as entry")
        return index
    for index in range(len(file)):
        if file.tag(index) == tag and not file.blank(index) and file.name(index) == item.record.name:
            return index
    return None
