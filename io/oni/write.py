"""Oni out of Blender: which actions are meant, and where they are written. What they hold: see oni_pack."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import bpy

from ...core import formats
from ...core.files import disk
from ...core.oni.files.documents import ObanFile, TramFile
from ...core.oni.files.onifile import OniFile
from ...core.oni.game import GAME
from ...core.oni.records.oban import Oban
from ...core.oni.records.record import PREFIX
from ...core.oni.records.tram import Tram
from ...core.oni.xml.documents import ObanXml, TramXml
from ...core.reporting import log, progress
from ...core.reporting.errors import ExportError, FormatError
from ..blender import actions, compat, scene, source_data
from ..pipeline import writing
from . import build
from .pack import Bodies, ExportOptions, Packed, Source, document_at, pack_action


def export_oni(context: bpy.types.Context, options: ExportOptions) -> list[str]:
    """Write the chosen actions; returns the paths written. Raises RetroAnimError, with nothing written, when one of them holds what the
    game cannot, or two of them go to the same place."""
    reason = GAME.refused.get(Path(options.path).suffix.lower())
    if reason is not None:
        raise ExportError(reason)
    chosen = chosen_actions(context, options.source)
    if not chosen:
        raise ExportError("there is no action to export: select an armature or an object with an action")
    bodies, derived = Bodies(), len(chosen) > 1
    single = replace(options, path="") if derived else options  # what is there says something about one action alone
    packed = [pack_action(context, obj, action, single, bodies) for obj, action in progress.steps(chosen)]
    return writing.write_files([_output(item, options, derived) for item in packed], options.overwrite)


def _output(item: Packed, options: ExportOptions, derived: bool) -> writing.Output:
    """Where an action goes, and what the file there will hold."""
    target = options.path
    if derived:
        target = str(Path(target).with_name(disk.file_name(item.record.name or item.action.name) + Path(target).suffix))
    present = writing.present(target)
    with log.collect():  # what XML leaves out is said once, of what is written
        own = _own(item, item.kept)
    output = writing.Output(item.action.name, target, own, item.action, present=present, document=own, derived=derived)
    if Path(target).suffix.lower() == ".xml":
        return replace(output, data=_xml(target, item, present))
    if isinstance(item.kept, TramXml | ObanXml):
        output = replace(output, data=_own(item, None))
    return _within(output, item, options) if present else output


def _own(item: Packed, kept: object) -> bytes:
    """What an action stands for: `kept` with what changed; a new .oni where there is none."""
    record = item.record
    if isinstance(kept, TramFile | TramXml) and isinstance(record, Tram):
        return replace(kept, tram=record).pack()
    if isinstance(kept, ObanFile | ObanXml) and isinstance(record, Oban):
        return replace(kept, oban=record).pack()
    return (TramFile.new(record) if isinstance(record, Tram) else ObanFile.new(record)).pack()


def chosen_actions(context: bpy.types.Context, source: Source) -> list[tuple[bpy.types.Object, bpy.types.Action]]:
    """Armatures and objects with the actions that are meant, each action once."""
    active = context.view_layer.objects.active
    objects = scene.selected(context) if source == "SELECTED" else [active] if active is not None else []
    found: dict[tuple[bpy.types.Action, str], bpy.types.Object] = {}
    for obj in objects:
        own = obj.animation_data and obj.animation_data.action
        if obj.type != "ARMATURE" and not own:
            obj = obj.find_armature() or obj
        for action in _actions(obj, source):
            found.setdefault((action, compat.slot_name(action, obj)), obj)
    return [(obj, action) for (action, _), obj in found.items()]


def _actions(obj: bpy.types.Object, source: Source) -> Iterator[bpy.types.Action]:
    data = obj.animation_data
    if source != "NLA" and data and data.action:
        yield data.action
    if source == "NLA" and data:
        yield from (strip.action for track in data.nla_tracks for strip in track.strips if strip.action is not None)
    if source == "ALL":
        figure = obj.data.get(actions.RIG) if obj.type == "ARMATURE" else None
        for action in bpy.data.actions:
            if action.get(source_data.FORMAT) == build.TRAM_KIND and figure is not None and action.get(actions.RIG) == figure:
                yield action


def _xml(target: str, item: Packed, present: bytes | None) -> bytes:
    """The XML that is there, or that the action came from, with what changed; or a new one. Raises ExportError where anything else is."""
    record = item.record
    there = document_at(target) if present else None
    if present and not isinstance(there, TramXml if isinstance(record, Tram) else ObanXml):
        raise ExportError(f"{target}: what is there is not one {record.record().tag} alone, and would be lost: choose another file")
    for document in (there, item.kept):
        if isinstance(document, TramXml) and isinstance(record, Tram):
            return replace(document, tram=record).pack()
        if isinstance(document, ObanXml) and isinstance(record, Oban):
            return replace(document, oban=record).pack()
    return (TramXml.new(record) if isinstance(record, Tram) else ObanXml.new(record)).pack()


def _within(output: writing.Output, item: Packed, options: ExportOptions) -> writing.Output:
    """The output as the .oni that is there with the record in its place; a file of another single animation is replaced as a whole.

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
            found = "is in another file" if file.blank(index) else f"is a {file.tag(index)} and not a {tag}"
            raise ExportError(f"{target}: instance {options.entry} {found}: choose another one as entry")
        return index
    for index in range(len(file)):
        if file.tag(index) == tag and not file.blank(index) and file.name(index) == item.record.name:
            return index
    return None
