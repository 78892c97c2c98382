"""Oni out of Blender: which actions are meant, and where they are written. What they hold: see oni_pack."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import bpy

from ..core import files, formats, progress
from ..core.errors import ExportError, FormatError
from ..core.oni.documents import ObanFile, TramFile
from ..core.oni.level import NOT_WRITTEN
from ..core.oni.oban import Oban
from ..core.oni.onifile import OniFile
from ..core.oni.record import PREFIX
from ..core.oni.tram import Tram
from ..core.oni.xml_documents import ObanXml, TramXml
from . import actions, compat, holder, oni
from .oni_pack import Bodies, ExportOptions, Packed, Source, document_at, pack_action


def export_oni(context: bpy.types.Context, options: ExportOptions) -> list[str]:
    """Write the chosen actions; returns the paths written. Raises RetroAnimError, with nothing written, when one of them holds what the
    game cannot, or two of them go to the same place."""
    if Path(options.path).suffix.lower() in (".dat", ".raw", ".sep"):
        raise ExportError(NOT_WRITTEN)
    chosen = chosen_actions(context, options.source)
    if not chosen:
        raise ExportError("there is no action to export: select an armature or an object with an action")
    bodies = Bodies()
    packed = [pack_action(context, thing, action, options, bodies) for thing, action in progress.steps(chosen)]
    targets: dict[str, Packed] = {}
    for item in packed:
        target = options.path
        if len(packed) > 1:
            target = str(Path(target).with_name(files.file_name(item.record.name or item.action.name) + Path(target).suffix))
        if target in targets:
            raise ExportError(f"{targets[target].action.name} and {item.action.name} would both be written to {target}")
        targets[target] = item
    data = {target: _bytes(target, item, options) for target, item in targets.items()}
    for target, content in data.items():
        files.write_file(target, content)
    return list(data)


def chosen_actions(context: bpy.types.Context, source: Source) -> list[tuple[bpy.types.Object, bpy.types.Action]]:
    """Armatures and objects with the actions that are meant, each action once."""
    active = context.view_layer.objects.active
    things = list(context.selected_objects or ()) if source == "SELECTED" else [active] if active is not None else []
    found: dict[tuple[bpy.types.Action, str], bpy.types.Object] = {}
    for thing in things:
        own = thing.animation_data and thing.animation_data.action
        if thing.type != "ARMATURE" and not own:
            thing = thing.find_armature() or thing
        for action in _actions(thing, source):
            found.setdefault((action, compat.slot_name(action, thing)), thing)
    return [(thing, action) for (action, _), thing in found.items()]


def _actions(thing: bpy.types.Object, source: Source) -> Iterator[bpy.types.Action]:
    data = thing.animation_data
    if source != "NLA" and data and data.action:
        yield data.action
    if source == "NLA" and data:
        yield from (strip.action for track in data.nla_tracks for strip in track.strips if strip.action is not None)
    if source == "ALL":
        figure = thing.data.get(actions.RIG) if thing.type == "ARMATURE" else None
        for action in bpy.data.actions:
            if action.get(holder.FORMAT) == oni.TRAM_KIND and figure is not None and action.get(actions.RIG) == figure:
                yield action


def _bytes(target: str, item: Packed, options: ExportOptions) -> bytes:
    """What a file will hold: an existing one with the record in its place, the one it came from, or a new one."""
    if Path(target).suffix.lower() == ".xml":
        return _xml(target, item)
    file = _existing(target, item, options)
    if file is not None:
        return file
    kept = item.kept
    if isinstance(kept, TramFile) and isinstance(item.record, Tram):
        return replace(kept, tram=item.record).pack()
    if isinstance(kept, ObanFile) and isinstance(item.record, Oban):
        return replace(kept, oban=item.record).pack()
    return (TramFile.new(item.record) if isinstance(item.record, Tram) else ObanFile.new(item.record)).pack()


def _xml(target: str, item: Packed) -> bytes:
    """The XML that is there, or that the action came from, with what changed; or a new one."""
    record = item.record
    for document in (document_at(target), item.kept):
        if isinstance(document, TramXml) and isinstance(record, Tram):
            return replace(document, tram=record).pack()
        if isinstance(document, ObanXml) and isinstance(record, Oban):
            return replace(document, oban=record).pack()
    return (TramXml.new(record) if isinstance(record, Tram) else ObanXml.new(record)).pack()


def _existing(target: str, item: Packed, options: ExportOptions) -> bytes | None:
    """The bytes of a .oni that is there with the record in its place; None where there is none to keep."""
    if not Path(target).is_file():
        return None
    try:
        file = OniFile.parse(files.read_file(target))
    except FormatError:
        return None
    index = _instance(file, target, item, options)
    if index is None:
        return None
    level_id = int.from_bytes(file.bytes_of(index)[4:PREFIX], "little")
    return file.with_record(index, replace(item.record.record(), level_id=level_id)).pack()


def _instance(file: OniFile, target: str, item: Packed, options: ExportOptions) -> int | None:
    """The instance to put the record in: the one asked for, the one it came from, or one of the same name."""
    tag = "TRAM" if isinstance(item.record, Tram) else "OBAN"
    if options.entry:
        index = formats.find_entry(file, options.entry, target)
        if file.tag(index) != tag:
            raise ExportError(f"{target}: instance {options.entry} is a {file.tag(index)} and not a {tag}")
        return index
    for index in range(len(file)):
        if file.tag(index) == tag and not file.blank(index) and file.name(index) == item.record.name:
            return index
    return None
