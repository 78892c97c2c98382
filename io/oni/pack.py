"""Oni out of Blender: the record that an action stands for, from its curves or from how it looks, with the fields of its properties."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import bpy
import numpy as np

from ...core.files.document import same
from ...core.motion.curves import Block
from ...core.motion.modes import modes_of
from ...core.motion.reduction.reduction import Bounds
from ...core.motion.root_motion import relative
from ...core.motion.rotations.rotation_matrix import Floats
from ...core.oni.field_values import edited_by_hand
from ...core.oni.files.library import Library
from ...core.oni.game import ExportOptions
from ...core.oni.game_ready import LAST_TRACK, missing_names, new_problems
from ...core.oni.motion.derived import Figure
from ...core.oni.motion.key_reduction import Thinned, thin, thin_to_fit
from ...core.oni.motion.motion import Settings
from ...core.oni.motion.rig import OniRig
from ...core.oni.motion.sampling import Sampled, carries, sample_curves, sample_poses
from ...core.oni.motion.update import Origin, Wanted, update
from ...core.oni.posing import animation_of
from ...core.oni.records.oban import Oban
from ...core.oni.records.rotations import Rotations
from ...core.oni.records.tram import Tram
from ...core.reporting import log
from ...core.reporting.errors import ExportError
from ..blender import compat, identity, scene, source_data
from ..blender.motion import actions, evaluated, fcurves
from ..pipeline.loops.closing import closing_of, without_closing
from ..pipeline.out_of_blender import fewer_keys
from . import build
from .base_record import edited, kept_by, updated
from .fields import properties
from .pack_object import packed_object


@dataclass(frozen=True, eq=False)
class Packed:
    """An action as the record it stands for. kept: the document that it came from, None where nothing is kept. source: the bytes of that
    where the record is its own. shown: what the import of that document shows, of an armature's. fewer: which keys the record leaves
    out, None where none were to be. begins: (3,) where the root is at its first frame, in the game."""

    action: bpy.types.Action
    record: Tram | Oban
    kept: object
    source: bytes | None = None
    shown: Sequence[Block] | None = None
    fewer: Thinned | None = None
    begins: Floats | None = None


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
    context: bpy.types.Context,
    obj: bpy.types.Object,
    action: bpy.types.Action,
    options: ExportOptions,
    bodies: Bodies | None = None,
) -> Packed:
    """The record that an action on an armature or an object stands for. bodies: shared by the actions of one export. Raises ExportError."""
    kept = kept_by(action)
    original = animation_of(kept) if kept is not None else None
    if obj.type == "ARMATURE":
        body = (bodies or Bodies()).of(obj)
        return replace(_tram(context, obj, action, original if isinstance(original, Tram) else None, options, body), kept=kept)
    return Packed(action, packed_object(context, obj, action, original if isinstance(original, Oban) else None, options), kept)


def _tram(
    context: bpy.types.Context,
    obj: bpy.types.Object,
    action: bpy.types.Action,
    original: Tram | None,
    options: ExportOptions,
    body: tuple[OniRig, float, Figure],
) -> Packed:
    """Without what it came from."""
    rig, scale, figure = body
    curves = fcurves.read_curves(action, obj, modes_of(rig), looks=options.looks).curves
    settings = settings_of(context, obj, action, scale)
    closing = closing_of(action, obj, curves)
    if closing is not None:  # the path alone goes on to the frame at which the loop begins again
        curves = without_closing(curves, closing, {channel for channel in curves if carries(channel, rig)})
    sampled = sample_curves(curves, rig, settings, closing)
    if options.looks:
        sampled = _visual(context, obj, action, sampled, rig, settings)
    wanted = (
        original
        or updated(action, options, len(rig.skeleton))
        or Tram.new(properties.instance_name(action.name, "TRAM"), 1, len(rig.skeleton))
    )
    wanted = edited(action, wanted)
    assert isinstance(wanted, Tram)
    by_hand = edited_by_hand(properties.read(action, properties.TRAM), original or Tram.new(wanted.name, 1, len(rig.skeleton)))
    fewer: list[Thinned] = []
    thin = _thinning(options.reduced(identity.RETARGETED in action), rig, figure, fewer)
    origin = None if original is None else Origin.of(original, rig, settings)
    record = update(sampled, rig, figure, settings, Wanted(wanted, by_hand, thin), origin)
    if original is None or not same(record.record(), original.record()):
        _warn(action, record, original, options)
    shown = None if origin is None else origin.shown
    return Packed(action, record, None, shown=shown, fewer=fewer[-1] if fewer else None, begins=sampled.root[0])


def _thinning(options: ExportOptions, rig: OniRig, figure: Figure, results: list[Thinned]) -> Callable[[Rotations], Rotations] | None:
    """What leaves out keys, as the options have it, and adds to the results which; None where all stay."""
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
        results.append(fewer)
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


def report_fewer(packed: Packed, options: ExportOptions) -> None:
    """Say which keys were left out: the first lines in the log, all of them in a text data-block."""
    if packed.fewer is None:
        return
    lines = packed.fewer.lines()
    name = f"Keys of {packed.action.name}"[: compat.NAME_LIMIT]
    text = bpy.data.texts.get(name) or bpy.data.texts.new(name)
    text.from_string("\n".join(lines) + "\n")
    where = "" if bpy.app.background else f"; all bones are in the text '{name}'"  # which nobody sees there, and no command keeps
    fewer_keys.tell("; ".join(lines[:3]) + where, float(packed.fewer.report.angles.max()), options)


def settings_of(context: bpy.types.Context, obj: bpy.types.Object, action: bpy.types.Action, scale: float) -> Settings:
    """What was remembered at import; for an action that never was imported, that of the scene."""
    before = actions.remembered(action)
    if before is None:
        root_motion, placement = actions.root_motion_of(obj, "BONE"), actions.start_of(obj, action)
        return Settings(scene.fps(context.scene), float(action.frame_range[0]), scale, root_motion, placement)
    if abs(before.scale - scale) > 1e-6 * scale:
        log.warning(f"the armature's scale is {scale:g}, the action was imported at {before.scale:g}")
    return Settings(before.fps, before.start, scale, before.root_motion, before.placement, bool(action.get(build.DENSE, False)))


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
        matrices = evaluated.object_matrices(context, obj, frames) if fcurves.moves_object(action, obj) else None
    moved = None
    if matrices is not None:
        placement = settings.placement
        linear = matrices[:, :3, :3] / np.where(placement.scale == 0, 1, placement.scale)
        moved = relative(linear, matrices[:, :3, 3], placement)
    return sample_poses(pose, moved, keyed, rig, settings)
