"""Oni out of Blender: the record that an action stands for, from its curves or from how it looks, with the fields of its properties."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import bpy
import numpy as np

from ...core import formats
from ...core.files.document import same
from ...core.motion.curves import Block
from ...core.motion.reduction import Bounds
from ...core.motion.root_motion import relative
from ...core.motion.rotation_matrix import Floats
from ...core.oni.details import edited_by_hand, with_details
from ...core.oni.files.documents import ObanFile, TramFile
from ...core.oni.files.library import Library
from ...core.oni.game_ready import LAST_TRACK, missing_names, new_problems
from ...core.oni.motion.derived import Figure
from ...core.oni.motion.fewer import thin, thin_to_fit
from ...core.oni.motion.motion import Settings
from ...core.oni.motion.object_motion import ObjectSettings
from ...core.oni.motion.object_sampling import SampledObject, moved_by, sample_matrices, sample_object
from ...core.oni.motion.object_update import update_object
from ...core.oni.motion.rig import OniRig
from ...core.oni.motion.sampling import Sampled, carries, sample_curves, sample_poses
from ...core.oni.motion.update import shown_of, update
from ...core.oni.options import ExportOptions
from ...core.oni.posing import animation_of
from ...core.oni.records import oban
from ...core.oni.records.oban import Oban
from ...core.oni.records.rotations import Rotations
from ...core.oni.records.tram import Tram
from ...core.oni.xml.documents import ObanXml, TramXml
from ...core.reporting import log
from ...core.reporting.errors import ExportError, FormatError
from ..blender import actions, compat, evaluated, fcurves, scene, source_data
from ..pipeline.closing import closing_of, without_closing
from . import build, markers, properties
from .parents import moved_by_parents

_STILL = 1e-5
"""Blender units, and parts of axes, that a parent may move an object and still be at rest."""


@dataclass(frozen=True, eq=False)
class Packed:
    """An action as the record it stands for. kept: the document that it came from, None where nothing is kept. source: the bytes of that
    where the record is its own. shown: what the import of that document shows, of an armature's."""

    action: bpy.types.Action
    record: Tram | Oban
    kept: object
    source: bytes | None = None
    shown: Sequence[Block] | None = None


class Bodies:
    """What armatures stand for, each read once: its rig, its scale and the sizes of its body."""

    def __init__(self) -> None:
        self._known: dict[bpy.types.Object, tuple[OniRig, float, Figure]] = {}

    def of(self, obj: bpy.types.Object) -> tuple[OniRig, float, Figure]:
        """Raises ExportError for an armature that is none of the game's."""
        if obj not in self._known:
            try:
                rig, scale = build.read_rig(obj)
            except ValueError as error:
                raise ExportError(f"{obj.name}: {error}; import a body of the game and animate that") from error
            self._known[obj] = rig, scale, build.figure_of(obj, rig)
        return self._known[obj]


def pack_action(
    context: bpy.types.Context, obj: bpy.types.Object, action: bpy.types.Action, options: ExportOptions, bodies: Bodies | None = None
) -> Packed:
    """The record that an action on an armature or an object stands for. bodies: shared by the actions of one export. Raises ExportError."""
    kept = kept_by(action)
    original = animation_of(kept) if kept is not None else None
    if obj.type == "ARMATURE":
        body = (bodies or Bodies()).of(obj)
        record, shown = _tram(context, obj, action, original if isinstance(original, Tram) else None, options, body)
        return Packed(action, record, kept, shown=shown)
    return Packed(action, _oban(context, obj, action, original if isinstance(original, Oban) else None, options), kept)


def kept_by(action: bpy.types.Action) -> object:
    """The document that travels with an action; None where there is none."""
    data = source_data.kept(action) if action.get(source_data.FORMAT) in (build.TRAM_KIND, build.OBAN_KIND) else None
    path = source_data.path_of(action)
    if data is None:
        return None
    is_xml, is_tram = Path(path).suffix.lower() == ".xml", action[source_data.FORMAT] == build.TRAM_KIND
    if is_xml:
        return TramXml.parse(data, path).named(path) if is_tram else ObanXml.parse(data).named(path)
    return (TramFile if is_tram else ObanFile).parse(data)


def _tram(
    context: bpy.types.Context,
    obj: bpy.types.Object,
    action: bpy.types.Action,
    original: Tram | None,
    options: ExportOptions,
    body: tuple[OniRig, float, Figure],
) -> tuple[Tram, Sequence[Block] | None]:
    """With what the import of the original shows."""
    rig, scale, figure = body
    evaluated.warn_of_object(obj)
    modes = {"": "ZYX", **dict.fromkeys(rig.skeleton.names, "QUATERNION")}
    curves = fcurves.read_curves(action, obj, modes, looks=options.sampling == "VISUAL").curves
    settings = settings_of(context, obj, action, scale)
    closing = closing_of(action, obj, curves)
    if closing is not None:  # the path alone goes on to the frame at which the loop begins again
        curves = without_closing(curves, closing, {channel for channel in curves if carries(channel, rig)})
    sampled = sample_curves(curves, rig, settings)
    if options.sampling == "VISUAL":
        sampled = _visual(context, obj, action, sampled, rig, settings)
    wanted = (
        original
        or _updated(action, options, len(rig.skeleton))
        or Tram.new(properties.instance_name(action.name, "TRAM"), 1, len(rig.skeleton))
    )
    wanted = _edited(action, wanted)
    assert isinstance(wanted, Tram)
    by_hand = edited_by_hand(properties.read(action, properties.TRAM), original or Tram.new(wanted.name, 1, len(rig.skeleton)))
    thin = _thinning(action, options.reduced(actions.RETARGETED in action), rig, figure)
    shown = shown_of(original, rig, settings)
    record = update(sampled, rig, settings, wanted, original, figure, thin, by_hand, shown)
    if original is None or not same(record.record(), original.record()):
        _warn(action, record, original, options)
    return record, shown


def _thinning(action: bpy.types.Action, options: ExportOptions, rig: OniRig, figure: Figure) -> Callable[[Rotations], Rotations] | None:
    """What leaves out keys, as the options have it; None where all stay."""
    if options.reduction == "NONE":
        return None

    def thinned(rotations: Rotations) -> Rotations:
        names = rig.skeleton.names
        if options.reduction == "FIT":
            fewer = thin_to_fit(rotations, names, figure, LAST_TRACK, options.shell)
        else:
            by_angle = options.reduction == "ANGLE"
            bounds = Bounds.of(by_angle, options.max_distance, options.max_angle, options.shell)
            fewer = thin(rotations, names, figure, bounds)
        _report(action, fewer.lines())
        return fewer.rotations

    return thinned


def _warn(action: bpy.types.Action, record: Tram, original: Tram | None, options: ExportOptions) -> None:
    """Of what an edited or new clip holds and the game or OniSplit cannot use. Names are looked up where a level is at hand."""
    for problem in new_problems(record, original):
        log.warning(problem)
    if original is not None and record.direct == original.direct and same(record.sounds, original.sounds):
        return
    library = Library()
    for path in dict.fromkeys(filter(None, (source_data.path_of(action), options.path))):
        if library.levels(path) or library.has_any("ONCC", path):
            for problem in missing_names(record, path, library):
                log.warning(problem)
            return


def _report(action: bpy.types.Action, lines: list[str]) -> None:
    """The reduction of the keys: the first lines in the log, all of them in a text data-block."""
    name = f"Keys of {action.name}"[: compat.NAME_LIMIT]
    text = bpy.data.texts.get(name) or bpy.data.texts.new(name)
    text.from_string("\n".join(lines) + "\n")
    log.info(f"{'; '.join(lines[:3])}; all bones are in the text '{name}'")


def _edited(action: bpy.types.Action, record: Tram | Oban) -> Tram | Oban:
    """The record with the values of the action's properties and markers."""
    kind = properties.TRAM if isinstance(record, Tram) else properties.OBAN
    if properties.read(action, kind) is None:
        return record
    markers.take_over(action)
    details = properties.read(action, kind)
    assert details is not None
    return with_details(record, details)


def _updated(action: bpy.types.Action, options: ExportOptions, bones: int) -> Tram | None:
    """The record of the file that is to be written, for an action that never was one: its fields stay."""
    record = _there(options)
    if not isinstance(record, Tram) or record.bone_count != bones:
        return None
    if properties.read(action, properties.TRAM) is None:
        log.info(f"{record.name}: everything but the motion is kept")
    return record


def _there(options: ExportOptions) -> Tram | Oban | None:
    """The animation that a file, or the entry that is to be updated, holds already."""
    entry = options.entry if Path(options.path).suffix.lower() == ".oni" else ""
    document = document_at(options.path, entry)
    try:
        return None if document is None else animation_of(document)
    except FormatError:
        return None


def settings_of(context: bpy.types.Context, obj: bpy.types.Object, action: bpy.types.Action, scale: float) -> Settings:
    """What was remembered at import; for an action that never was imported, that of the scene."""
    before = actions.remembered(action)
    if before is None:
        root_motion, placement = actions.root_motion_of(obj, "BONE"), actions.start_of(obj, action)
        return Settings(scene.fps(context.scene), float(action.frame_range[0]), scale, root_motion, placement)
    if abs(before.scale - scale) > 1e-6 * scale:
        log.warning(f"the armature's scale is {scale:g}, the action was imported at {before.scale:g}")
    return Settings(before.fps, before.start, scale, before.root_motion, before.placement, bool(action.get(build.DENSE, False)))


def object_settings(context: bpy.types.Context, action: bpy.types.Action, record: Oban) -> ObjectSettings:
    """As `settings_of`, of an object; what is local is in the record."""
    before, local = actions.remembered(action), bool(record.flags & oban.LOCAL)
    if before is None:
        return ObjectSettings(scene.fps(context.scene), float(action.frame_range[0]), build.SCALE, False, local)
    return ObjectSettings(before.fps, before.start, before.scale, bool(action.get(build.DENSE, False)), local)


def _visual(
    context: bpy.types.Context, obj: bpy.types.Object, action: bpy.types.Action, keyed: Sampled, rig: OniRig, settings: Settings
) -> Sampled:
    count = keyed.frame_count
    if count < 2 and fcurves.IMPORTED not in action:  # a pose, which the scene may move
        last = settings.timing.times(np.array([float(context.scene.frame_end)]))[0]
        count = max(1, round(float(last)) + 1)
    frames = settings.timing.frames(np.arange(count + 1, dtype=np.float64))
    with evaluated.alone(obj, action):
        pose = evaluated.poses(context, obj, rig.skeleton.names, frames)
        matrices = _matrices(context, obj, frames) if fcurves.moves_object(action, obj) else None
    moved = None
    if matrices is not None:
        placement = settings.placement
        linear = matrices[:, :3, :3] / np.where(placement.scale == 0, 1, placement.scale)
        moved = relative(linear, matrices[:, :3, 3], placement)
    return sample_poses(pose, moved, keyed, rig, settings)


def _matrices(context: bpy.types.Context, obj: bpy.types.Object, frames: Floats) -> Floats:
    """(K, 4, 4) evaluated world matrices of an object."""
    out = np.empty((len(frames), 4, 4))
    with evaluated.evaluation(context, obj) as at:
        for row, frame in enumerate(frames.tolist()):
            out[row] = np.array(at(frame).matrix_world, np.float64)
    return out


def _oban(
    context: bpy.types.Context, obj: bpy.types.Object, action: bpy.types.Action, original: Oban | None, options: ExportOptions
) -> Oban:
    curves = fcurves.read_curves(action, obj, {"": "QUATERNION"}, looks=options.sampling == "VISUAL").curves
    there = _there(options)
    wanted = original or (there if isinstance(there, Oban) else None) or Oban.new(properties.instance_name(action.name, "OBAN"))
    wanted = _edited(action, wanted)
    assert isinstance(wanted, Oban)
    settings = object_settings(context, action, wanted)
    location, rotation, size = obj.matrix_basis.decompose()
    rest = np.array([*location, *rotation, *size], np.float64)
    sampled = sample_object(curves, settings, rest)
    if options.sampling == "VISUAL":
        sampled = _visual_object(context, obj, action, sampled, settings)
    else:
        sampled = _in_world(context, obj, action, sampled, settings)
    return update_object(sampled, settings, wanted, original)


def _in_world(
    context: bpy.types.Context, obj: bpy.types.Object, action: bpy.types.Action, keyed: SampledObject, settings: ObjectSettings
) -> SampledObject:
    """The object's keys with what its parent does; those of a local OBAN are in the space of whatever the game puts it on."""
    with evaluated.alone(obj, action):
        moved = moved_by_parents(context, obj, settings.timing.frames(keyed.times.astype(np.float64)))
    if moved is None:
        return keyed
    if not settings.local:
        return moved_by(moved, keyed)
    if np.abs(moved - np.eye(4)).max() > _STILL:
        log.warning(
            f"{obj.name} has the flag ZAxisUp: its parent stands for what the game puts it on, and its motion relative to that is written"
        )
    return keyed


def _visual_object(
    context: bpy.types.Context, obj: bpy.types.Object, action: bpy.types.Action, keyed: SampledObject, settings: ObjectSettings
) -> SampledObject:
    first, last = int(keyed.times[0]), int(keyed.times[-1])
    if first == last and fcurves.IMPORTED not in action:
        end = settings.timing.times(np.array([float(context.scene.frame_end)]))[0]
        last = max(first, round(float(end)))
    frames = settings.timing.frames(np.arange(first, last + 1, dtype=np.float64))
    keyed = _in_world(context, obj, action, keyed, settings)
    with evaluated.alone(obj, action):
        matrices = _matrices(context, obj, frames)
        moved = moved_by_parents(context, obj, frames) if settings.local else None
    return sample_matrices(matrices if moved is None else np.linalg.pinv(moved) @ matrices, keyed, first)


def document_at(path: str, entry: str = "") -> object:
    """What a file, or an entry of it, holds already; None for what cannot be read."""
    try:
        return formats.open_file(f"{path}#{entry}" if entry else path).document if Path(path).is_file() else None
    except FormatError:
        return None
