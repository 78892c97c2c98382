"""Little Big Adventure out of Blender: the animation that an action stands for."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace

import bpy
import numpy as np

from ...core.lba.files.anm import Anm
from ...core.lba.files.variant import Variant
from ...core.lba.game import ExportOptions
from ...core.lba.motion.half_circles import report_half_circles
from ...core.lba.motion.key_reduction import LARGEST, room_for
from ...core.lba.motion.loop import keyed_at
from ...core.lba.motion.motion import EXTRA, MASTER, UNUSED
from ...core.lba.motion.sampled import Before, Sampled, Settings, keyframes_of, sample, with_moved, with_root
from ...core.lba.motion.times import loop_now
from ...core.lba.motion.update import update
from ...core.motion.curves import Curves, of_clip
from ...core.motion.modes import modes_of
from ...core.motion.rigs.rig import Rig
from ...core.motion.rotations.rotation_matrix import Floats
from ...core.motion.sampling import BoneSamples, sample_curves, sample_poses
from ...core.reporting import log
from ..blender import source_data
from ..blender.motion import evaluated, fcurves
from ..pipeline.loops.closing import closing_of
from . import keyframes
from .settings import Body, original_of, settings_of


@dataclass(frozen=True, eq=False)
class Packed:
    """An action as the bytes of an ANM. frames: (K,) of the scene that became keyframes."""

    action: bpy.types.Action
    data: bytes
    game: Variant
    frames: Floats


def pack_action(
    context: bpy.types.Context,
    obj: bpy.types.Object,
    action: bpy.types.Action,
    options: ExportOptions,
    body: Body | None = None,
    with_events: bool = False,
) -> Packed:
    """The ANM that an action on an armature stands for. body: of the armature, where it has been read already. with_events: its events are
    written besides, so that none is at the wrong keyframe. Raises ExportError."""
    body = body or Body.of(obj)
    original = original_of(action, options)
    settings = settings_of(context, body, action, original, options)
    if with_events:
        settings = replace(settings, markers=())
    looks = options.looks
    read = _read(action, body, settings, looks)
    new_loop = closing_of(action, obj, read.curves) is not None
    frames, closing = keyframes_of(read.curves, settings), None
    if not new_loop:
        frames, closing = keyframes.without_closing(frames, action, read, body.rig, settings, original)
    if looks:
        before = Before.of(original, body.rig, settings) if original is not None and options.step > 0 else None
        loop = loop_now(frames, closing, before, settings)
        frames = keyframes.as_it_looks(context, read.curves, frames, loop, options.step)
    frames, settings = keyframes.one_a_unit(frames, closing, body.rig, settings, original)
    if new_loop:
        settings = replace(settings, loop_frame=keyframes.behind(frames, action.frame_start))
    if settings.begins is not None:
        settings = replace(settings, begins=float(frames[0]))
    sampler = _sampler(context, body, read.curves, looks)
    parts = [frames] if closing is None else [frames, np.array([closing])]
    with evaluated.alone(obj, action) if looks else nullcontext():
        bones, *at_end = (sampler(part) for part in parts)
    if looks:
        shown = list(zip(parts, (bones, *at_end), strict=True))
        read = replace(read, curves=with_root(read.curves, shown, body.rig, settings.scale))
    back = _closing(parts[1], at_end[0], read, body.rig, settings) if at_end else None
    sampled = sample(read.curves, frames, bones, body.rig, settings, back)
    sampled, settings = keyframes.fewer(action, sampled, body.rig, settings, original, options)
    if not looks:
        report_half_circles(sampled, body.rig, settings.game)
    return Packed(action, update(sampled, body.rig, settings, original).pack(), settings.game, sampled.frames)


def _read(action: bpy.types.Action, body: Body, settings: Settings, looks: bool) -> fcurves.ReadCurves:
    """The curves of an action. looks: whether it is taken as it looks; else what is no channel of the game's is left out."""
    read = fcurves.read_curves(action, body.obj, modes_of(body.rig), looks=looks)
    curves = with_moved(read.curves, read.resting)
    if not looks:
        names = body.rig.skeleton.names
        extra = (EXTRA.format(bone) for bone in range(len(names), settings.bone_count))
        curves = of_clip(curves, names, MASTER, UNUSED, *extra)
    return replace(read, curves=curves)


def _sampler(context: bpy.types.Context, body: Body, curves: Curves, looks: bool) -> Callable[[Floats], BoneSamples]:
    """What samples the bones at frames: from the curves, or from how the character looks then."""

    def keyed(frames: Floats) -> BoneSamples:
        return sample_curves(curves, frames, body.rig, body.scale)

    def shown(frames: Floats) -> BoneSamples:
        poses = evaluated.poses(context, body.obj, body.rig.skeleton.names, frames)
        return sample_poses(poses, body.rig, body.scale, keyed(frames))

    return shown if looks else keyed


def _closing(end: Floats, bones: BoneSamples, read: fcurves.ReadCurves, rig: Rig, settings: Settings) -> Sampled:
    """What the closing key holds, which is at the one frame of `end`. bones: as they are there."""
    keyed = keyed_at(float(end[0]), read.curves, read.generated, rig)
    return replace(sample(read.curves, end, bones, rig, settings), keyed=keyed)


def report_size(packed: Packed) -> None:
    """Where a clip is larger than the game's own, and than it came in."""
    anm, before = Anm.parse(packed.data), source_data.kept(packed.action)
    room = room_for(anm.bone_count, packed.game)
    if len(anm.frames) > room and len(packed.data) > len(before or b""):
        log.warning(
            f"{len(anm.frames)} keyframes, and the game's largest animations, of {LARGEST[packed.game.name] / 1000:.1f} KB, have {room} "
            "of so many bones: whether it has room for more is not known; Until It Fits as Fewer Keys leaves no more"
        )
