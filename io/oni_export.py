"""Oni out of Blender: which actions are meant, what they hold, and where they are written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import bpy
import numpy as np

from ..core import files, formats, log, progress
from ..core.errors import ExportError, FormatError
from ..core.oni import oban
from ..core.oni.details import with_details
from ..core.oni.documents import ObanFile, TramFile
from ..core.oni.fewer import fewer_keys
from ..core.oni.level import NOT_WRITTEN
from ..core.oni.motion import Settings
from ..core.oni.oban import Oban
from ..core.oni.object_motion import ObjectSettings
from ..core.oni.object_seeing import ObjectSeen, see_matrices, see_object
from ..core.oni.object_update import update_object
from ..core.oni.onifile import OniFile
from ..core.oni.posing import animation_of
from ..core.oni.rig import OniRig
from ..core.oni.seeing import Seen, see, see_poses
from ..core.oni.tram import Tram
from ..core.oni.update import update
from ..core.oni.xml_documents import ObanXml, TramXml
from ..core.reduction import Bounds
from ..core.rotation import Floats
from . import actions, compat, evaluated, fcurves, holder, oni, oni_markers, oni_properties, scene

Source = Literal["ACTIVE", "SELECTED", "ALL", "NLA"]


@dataclass(frozen=True)
class ExportOptions:
    """path: an .oni or an .xml. source: which actions. sampling: KEYS, the curves, or VISUAL, the evaluated pose.

    entry: the instance of an existing .oni to update, by name or number; empty for the one of the same name. max_angle: radians that a
    bone's own rotation may be off where keys are left out, max_distance: game units that any point within `shell` of a bone may be off;
    with both 0 all keys stay.
    """

    path: str
    source: Source = "ACTIVE"
    sampling: Literal["KEYS", "VISUAL"] = "KEYS"
    entry: str = ""
    max_angle: float = 0.0
    max_distance: float = 0.0
    shell: float = 1.0


@dataclass(frozen=True, eq=False)
class Packed:
    """An action as the record it stands for. kept: the document that it came from, None where nothing is kept."""

    action: bpy.types.Action
    record: Tram | Oban
    kept: object


def export_oni(context: bpy.types.Context, options: ExportOptions) -> list[str]:
    """Write the chosen actions; returns the paths written. Raises RetroAnimError, with nothing written, when one of them holds what the
    game cannot, or two of them go to the same place."""
    if Path(options.path).suffix.lower() in (".dat", ".raw", ".sep"):
        raise ExportError(NOT_WRITTEN)
    chosen = chosen_actions(context, options.source)
    if not chosen:
        raise ExportError("there is no action to export: select an armature or an object with an action")
    packed = [pack_action(context, thing, action, options) for thing, action in progress.steps(chosen)]
    targets: dict[str, Packed] = {}
    for item in packed:
        target = options.path if len(packed) == 1 else str(Path(options.path).with_name(_file_name(item) + Path(options.path).suffix))
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
    found: dict[bpy.types.Action, bpy.types.Object] = {}
    for thing in things:
        own = thing.animation_data and thing.animation_data.action
        if thing.type != "ARMATURE" and not own:
            thing = thing.find_armature() or thing
        for action in _actions(thing, source):
            found.setdefault(action, thing)
    return [(thing, action) for action, thing in found.items()]


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


def pack_action(context: bpy.types.Context, thing: bpy.types.Object, action: bpy.types.Action, options: ExportOptions) -> Packed:
    """The record that an action on an armature or an object stands for."""
    with log.about(action.name):
        try:
            kept = _kept(action)
            original = animation_of(kept) if kept is not None else None
            if thing.type == "ARMATURE":
                record = _tram(context, thing, action, original if isinstance(original, Tram) else None, options)
            else:
                record = _oban(context, thing, action, original if isinstance(original, Oban) else None, options)
        except ExportError as error:
            raise ExportError([f"{action.name}: {problem}" for problem in error.problems]) from error
    return Packed(action, record, kept)


def _kept(action: bpy.types.Action) -> object:
    """The document that travels with an action; None where there is none."""
    data = holder.kept(action) if action.get(holder.FORMAT) in (oni.TRAM_KIND, oni.OBAN_KIND) else None
    path = holder.path_of(action)
    if data is None:
        return None
    is_xml, is_tram = Path(path).suffix.lower() == ".xml", action[holder.FORMAT] == oni.TRAM_KIND
    if is_xml:
        return (TramXml if is_tram else ObanXml).parse(data).named(path)
    return (TramFile if is_tram else ObanFile).parse(data)


def _tram(
    context: bpy.types.Context, thing: bpy.types.Object, action: bpy.types.Action, original: Tram | None, options: ExportOptions
) -> Tram:
    try:
        rig, scale = oni.read_rig(thing)
    except ValueError as error:
        raise ExportError(f"{thing.name}: {error}; import a body of the game and animate that") from error
    evaluated.warn_of_object(thing)
    curves = fcurves.read_curves(action, thing).curves
    settings = _settings(context, thing, action, scale)
    seen = see(curves, rig, settings, {bone.name: bone.rotation_mode for bone in thing.pose.bones})
    if options.sampling == "VISUAL":
        seen = _visual(context, thing, action, seen, rig, settings)
    wanted = (
        original
        or _updated(options, len(rig.skeleton))
        or Tram.new(oni_properties.instance_name(action.name, "TRAM"), 1, len(rig.skeleton))
    )
    wanted = _edited(action, wanted)
    assert isinstance(wanted, Tram)
    figure = oni.figure_of(thing, rig)
    made = update(seen, rig, settings, wanted, original, figure)
    if not options.max_angle and not options.max_distance:
        return made
    fewer = fewer_keys(made, rig.skeleton.names, figure, Bounds(options.max_distance, options.max_angle, options.shell))
    _report(action, fewer.lines())
    return fewer.tram


def _report(action: bpy.types.Action, lines: list[str]) -> None:
    """What became of the keys: the first line for the user now, all of them in a text data-block."""
    name = f"Keys of {action.name}"[: compat.NAME_LIMIT]
    text = bpy.data.texts.get(name) or bpy.data.texts.new(name)
    text.from_string("\n".join(lines) + "\n")
    log.info(f"{'; '.join(lines[:3])}; all bones are in the text '{name}'")


def _edited(action: bpy.types.Action, record: Tram | Oban) -> Tram | Oban:
    """The record with what the action's properties and markers say."""
    kind = oni_properties.TRAM if isinstance(record, Tram) else oni_properties.OBAN
    if oni_properties.read(action, kind) is None:
        return record
    oni_markers.take_over(action)
    details = oni_properties.read(action, kind)
    assert details is not None
    return with_details(record, details)


def _updated(options: ExportOptions, bones: int) -> Tram | None:
    """The record of the file that is to be written, for an action that never was one: what it says besides the motion stays."""
    record = _there(options.path)
    if not isinstance(record, Tram) or record.bone_count != bones:
        return None
    log.info(f"{record.name}: everything but the motion is kept")
    return record


def _there(path: str) -> Tram | Oban | None:
    """The animation that a file holds already."""
    document = _document(path)
    try:
        return None if document is None else animation_of(document)
    except FormatError:
        return None


def _settings(context: bpy.types.Context, thing: bpy.types.Object, action: bpy.types.Action, scale: float) -> Settings:
    """What was remembered at import; for an action that never was imported, what the scene says."""
    before = actions.remembered(action)
    if before is None:
        moves = any(curve.data_path == "location" for curve in compat.curves(action, thing))
        place = actions.placement_of(thing)
        return Settings(scene.fps(context.scene), float(action.frame_range[0]), scale, "OBJECT" if moves else "BONE", place)
    if abs(before.scale - scale) > 1e-6 * scale:
        log.warning(f"the armature's scale is {scale:g}, the action came in at {before.scale:g}")
    return Settings(before.fps, before.start, scale, before.root_motion, before.placement, bool(action.get(oni.DENSE, False)))


def _visual(
    context: bpy.types.Context, thing: bpy.types.Object, action: bpy.types.Action, keyed: Seen, rig: OniRig, settings: Settings
) -> Seen:
    count = keyed.frame_count
    if count < 2:
        last = settings.timing.times(np.array([float(context.scene.frame_end)]))[0]
        count = max(1, round(float(last)) + 1)
    frames = settings.timing.frames(np.arange(count + 1, dtype=np.float64))
    with evaluated.alone(thing, action):
        pose = evaluated.poses(context, thing, rig.skeleton.names, frames)
        places = _matrices(context, thing, frames)[:, :3, 3]
    return see_poses(pose, places, keyed, rig, settings)


def _matrices(context: bpy.types.Context, thing: bpy.types.Object, frames: Floats) -> Floats:
    """(K, 4, 4) evaluated world matrices of an object. The scene's frame is put back."""
    now = context.scene.frame_current, context.scene.frame_subframe
    out = np.empty((len(frames), 4, 4))
    try:
        for row, frame in enumerate(frames.tolist()):
            context.scene.frame_set(int(np.floor(frame)), subframe=float(frame - np.floor(frame)))
            out[row] = np.array(thing.evaluated_get(context.evaluated_depsgraph_get()).matrix_world, np.float64)
    finally:
        context.scene.frame_set(now[0], subframe=now[1])
    return out


def _oban(
    context: bpy.types.Context, thing: bpy.types.Object, action: bpy.types.Action, original: Oban | None, options: ExportOptions
) -> Oban:
    curves = fcurves.read_curves(action, thing).curves
    there = _there(options.path)
    wanted = original or (there if isinstance(there, Oban) else None) or Oban.new(oni_properties.instance_name(action.name, "OBAN"))
    wanted = _edited(action, wanted)
    assert isinstance(wanted, Oban)
    before = actions.remembered(action)
    local = bool(wanted.flags & oban.LOCAL)
    if before is None:
        settings = ObjectSettings(scene.fps(context.scene), float(action.frame_range[0]), oni.SCALE, False, local)
    else:
        settings = ObjectSettings(before.fps, before.start, before.scale, bool(action.get(oni.DENSE, False)), local)
    location, turn, size = thing.matrix_basis.decompose()
    rest = np.array([*location, *turn, *size], np.float64)
    seen = see_object(curves, settings, thing.rotation_mode, rest)
    if options.sampling == "VISUAL":
        seen = _visual_object(context, thing, action, seen, settings)
    return update_object(seen, settings, wanted, original)


def _visual_object(
    context: bpy.types.Context, thing: bpy.types.Object, action: bpy.types.Action, keyed: ObjectSeen, settings: ObjectSettings
) -> ObjectSeen:
    first, last = int(keyed.times[0]), int(keyed.times[-1])
    if first == last:
        end = settings.timing.times(np.array([float(context.scene.frame_end)]))[0]
        last = max(first, round(float(end)))
    frames = settings.timing.frames(np.arange(first, last + 1, dtype=np.float64))
    with evaluated.alone(thing, action):
        matrices = _matrices(context, thing, frames)
    return see_matrices(matrices, keyed, first)


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
    for document in (_document(target), item.kept):
        if isinstance(document, TramXml) and isinstance(record, Tram):
            return replace(document, tram=record).pack()
        if isinstance(document, ObanXml) and isinstance(record, Oban):
            return replace(document, oban=record).pack()
    return (TramXml.new(record) if isinstance(record, Tram) else ObanXml.new(record)).pack()


def _document(path: str) -> object:
    """What a file holds already, None for what cannot be read."""
    try:
        return formats.open_file(path).document if Path(path).is_file() else None
    except FormatError:
        return None


def _existing(target: str, item: Packed, options: ExportOptions) -> bytes | None:
    """The bytes of a .oni that is there with the record in its place; None where there is none to keep."""
    if not Path(target).is_file():
        return None
    data = files.read_file(target)
    try:
        file = OniFile.parse(data)
        index = _instance(file, target, item, options)
    except FormatError:
        return None
    if index is None:
        return None
    old = file.record(index)
    made = item.record.record()
    return file.with_record(index, replace(made, level_id=old.level_id)).pack()


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


def _file_name(item: Packed) -> str:
    return re.sub(r'[<>:"/\\|?*\x00-\x1f]', "_", item.record.name or item.action.name).strip(" .") or "clip"
