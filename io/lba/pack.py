"""Little Big Adventure out of Blender: the animation that an action stands for."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cached_property

import bpy
import numpy as np

from ...core.lba.fields import ACTION_FIELDS
from ...core.lba.files.anm import Anm
from ...core.lba.files.variant import LBA1, VARIANTS, Variant
from ...core.lba.motion.half_circles import report_half_circles
from ...core.lba.motion.key_reduction import LARGEST, fewer_keyframes, keyframes_that_fit, room_for
from ...core.lba.motion.loop import closing_frame, is_closed, keyed_at
from ...core.lba.motion.motion import CONVENTION, EXTRA, MASTER, UNUSED
from ...core.lba.motion.sampled import Sampled, Settings, keyframes_of, replay, sample, with_moved
from ...core.lba.motion.update import update
from ...core.lba.options import ExportOptions
from ...core.motion.curves import Curves, Timing, of_clip
from ...core.motion.reduction import Bounds
from ...core.motion.rig import Rig
from ...core.motion.rotation_matrix import Floats
from ...core.motion.sampling import MERGE, BoneSamples, sample_curves, sample_poses
from ...core.reporting import log
from ...core.reporting.errors import ExportError
from ..blender import armature, fields, identity, scene, source_data
from ..blender.arrays import values_of
from ..blender.motion import actions, evaluated, fcurves, nla_keys
from ..pipeline.loops.closing import closing_of
from .build import FORMAT


@dataclass(frozen=True, eq=False)
class Packed:
    """An action as the bytes of an ANM. frames: (K,) of the scene that became keyframes."""

    action: bpy.types.Action
    data: bytes
    game: Variant
    frames: Floats


@dataclass(frozen=True, eq=False)
class Body:
    """What an armature stands for. scale: Blender units a game unit."""

    obj: bpy.types.Object
    rig: Rig
    scale: float

    @classmethod
    def of(cls, obj: bpy.types.Object) -> Body:
        """Raises ExportError for an armature that is none of the game's."""
        try:
            return cls(obj, *armature.read_rig(obj, CONVENTION))
        except ValueError as error:
            raise ExportError(f"{obj.name}: {error}; import a body of the game and animate that") from error

    @cached_property
    def root_is_visible(self) -> bool:
        """Whether a mesh on the armature has an edge at points of the root bone."""
        root = next((bone.name for bone in armature.bones_of(self.obj) if bone.get(armature.INDEX) == 0), "")
        return any(_weighs(child, root) for child in self.obj.children_recursive if child.type == "MESH")


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
    rig, scale = body.rig, body.scale
    original = _original(action, options)
    settings = settings_of(context, body, action, original, options)
    if with_events:
        settings = replace(settings, markers=())
    modes = {"": "ZYX", **dict(zip(rig.skeleton.names, rig.modes, strict=True))}
    read = fcurves.read_curves(action, obj, modes, looks=options.sampling == "VISUAL")
    read = replace(read, curves=with_moved(read.curves, read.resting))
    if options.sampling != "VISUAL":
        extra = (EXTRA.format(bone) for bone in range(len(rig.skeleton), settings.bone_count))
        read = replace(read, curves=of_clip(read.curves, rig.skeleton.names, MASTER, UNUSED, *extra))
    if closing_of(action, obj, read.curves) is not None:
        frames, closing = keyframes_of(read.curves, settings), None
        if options.sampling == "VISUAL":
            frames = _visual_frames(context, read.curves, frames, settings, options.step)
        settings = replace(settings, loop_frame=_behind(frames, action.frame_start))
    else:
        frames, closing = _keyframes(action, read, rig, settings, original)
        if options.sampling == "VISUAL":
            frames = _visual_frames(context, read.curves, frames, settings, options.step)

    if settings.begins is not None:
        settings = replace(settings, begins=float(frames[0]))

    def shown(when: Floats) -> BoneSamples:
        near = sample_curves(read.curves, when, rig, scale)
        return (
            near
            if options.sampling != "VISUAL"
            else sample_poses(evaluated.poses(context, obj, rig.skeleton.names, when), rig, scale, near)
        )

    with evaluated.alone(obj, action) if options.sampling == "VISUAL" else nullcontext():
        bones = shown(frames)
        back = None
        if closing is not None:
            end, keyed = np.array([closing]), keyed_at(closing, read.curves, read.generated, rig)
            back = replace(sample(read.curves, end, shown(end), rig, settings), keyed=keyed)
    sampled = sample(read.curves, frames, bones, rig, settings, back)
    fewer = options.reduced(identity.RETARGETED in action)
    if fewer.reduction != "NONE":
        room = room_for(max(len(rig.skeleton), original.bone_count if original is not None else 0), settings.game)
        if fewer.reduction != "FIT" or len(sampled.frames) > room:
            sampled, settings = _with_fewer(action, sampled, rig, settings, fewer, room)
    if options.sampling != "VISUAL":
        report_half_circles(sampled, rig, settings.game)
    return Packed(action, update(sampled, rig, settings, original).pack(), settings.game, sampled.frames)


def report_size(packed: Packed) -> None:
    """Where a clip is larger than the game's own, and than it came in."""
    anm, before = Anm.parse(packed.data), source_data.kept(packed.action)
    room = room_for(anm.bone_count, packed.game)
    if len(anm.frames) > room and len(packed.data) > len(before or b""):
        log.warning(
            f"{len(anm.frames)} keyframes, and the game's largest animations, of {LARGEST[packed.game.name] / 1000:.1f} KB, have {room} "
            "of so many bones: whether it has room for more is not known; Until It Fits as Fewer Keys leaves no more"
        )


def _with_fewer(
    action: bpy.types.Action, sampled: Sampled, rig: Rig, settings: Settings, options: ExportOptions, room: int
) -> tuple[Sampled, Settings]:
    """The keyframes that hold the chosen bound, or that the game's largest have `room` for. Where the loop goes back to, where it comes
    from and where markers are stays."""
    marks = [marker.frame for marker in action.pose_markers]
    near = np.abs(sampled.frames[:, None] - np.array([action.frame_range[0], *marks])).argmin(axis=0).tolist()
    loop = settings.loop_frame
    fresh = fcurves.IMPORTED not in action
    stay = [*near, *([] if fresh else [loop, loop - 1])]
    by_angle, most = options.reduction == "ANGLE", (options.max_distance, options.max_angle, options.shell)
    if options.reduction == "FIT":
        less, result = keyframes_that_fit(sampled, rig, settings, options.shell, room, stay)
    else:
        less, result = fewer_keyframes(sampled, rig, settings, Bounds.of(by_angle, *most, longest=len(sampled.frames)), stay)
    if result is None:
        log.warning(f"{action.name}: a bone both rotates and moves in it, so that all keyframes stay: choose Keep All as Fewer Keys")
        return sampled, settings
    log.info(result.line())
    settings = replace(settings, allowed=result.distance)
    if fresh and loop:
        settings = replace(settings, loop_frame=_behind(less.frames, action.frame_start))
    return less, settings


def _behind(frames: Floats, start: float) -> int:
    """The keyframe after `start`: a new loop comes in its last step to the pose that it has there, as the game's own walks do, so that no
    time is lost on the way back."""
    return int(np.searchsorted(frames, start + MERGE).clip(0, len(frames) - 1))


def _keyframes(
    action: bpy.types.Action, read: fcurves.ReadCurves, rig: Rig, settings: Settings, original: Anm | None
) -> tuple[Floats, float | None]:
    """(K,) the frames that become keyframes, and that of the closing key, which is none of them: where generated keys say so, or where a
    cyclic action ends in the pose to which it goes back, since baked and copied keys are of the common type."""
    frames = keyframes_of(read.curves, settings)
    if not read.curves:
        return frames, None
    closing = closing_frame(read.curves, nla_keys.closing_keys(action, read.generated), rig)
    if closing is None and action.use_cyclic and action.use_frame_range and abs(action.frame_end - frames[-1]) < MERGE:
        closing = float(frames[-1]) if _ends_as_it_loops(frames, read.curves, rig, settings, original) else None
    if closing is None:
        return frames, None
    kept = frames[frames < closing - MERGE]
    return (kept, closing) if len(kept) else (frames, None)


def _ends_as_it_loops(frames: Floats, curves: Curves, rig: Rig, settings: Settings, original: Anm | None) -> bool:
    """Whether the last key stands where the closing key stood, or shows what it would."""
    was = None if original is None else replay(original, rig, settings).closing
    if was is not None and abs(was.frames[0] - frames[-1]) < MERGE:
        return True
    if settings.loop_frame >= len(frames) - 1:
        return False
    last, loop = (
        sample(curves, when, sample_curves(curves, when, rig, settings.scale), rig, settings)
        for when in (frames[-1:], frames[settings.loop_frame : settings.loop_frame + 1])
    )
    return is_closed(last, loop, settings.game)


def _came_from(action: bpy.types.Action) -> Variant | None:
    return VARIANTS.get(str(action.get("lba_game", "")))


def _original(action: bpy.types.Action, options: ExportOptions) -> Anm | None:
    """The document that the action came from; none where it is written for the other game, which has other numbers for everything."""
    if options.game in VARIANTS and _came_from(action) not in (None, VARIANTS[options.game]):
        return None
    data = source_data.kept(action) if action.get(source_data.FORMAT) == FORMAT else None
    return Anm.parse(data) if data is not None else None


def settings_of(context: bpy.types.Context, body: Body, action: bpy.types.Action, original: Anm | None, options: ExportOptions) -> Settings:
    """What was remembered at import; for an action that never was imported, what the scene has."""
    obj, scale = body.obj, body.scale
    came = options.game if options.game in VARIANTS else str(action.get("lba_game", armature.data_of(obj).get("lba_game", LBA1.name)))
    game = VARIANTS.get(came, LBA1)
    before = actions.remembered(action)
    if before is None:
        timing = Timing(game.rate, scene.fps(context.scene), float(action.curve_frame_range[0]))
        first = round(game.rate / 5)
        root_motion = actions.root_motion_of(obj, "OBJECT")
        placement, visible = actions.start_of(obj, action), lambda: body.root_is_visible
        return Settings(game, timing, scale, root_motion, placement, first_duration=first, root_is_visible=visible, begins=timing.start)
    if abs(before.scale - scale) > 1e-9 * scale:
        log.warning(f"the armature's scale is {scale:g}, the action came in at {before.scale:g}")
    other = _came_from(action) or game  # the other game has its own units of time and angles
    values = fields.read(action, ACTION_FIELDS)
    first = values.get("first_duration", int(original.durations[0]) if original is not None else round(other.rate / 5))
    first_rotation = [round(angle * game.rotation / other.rotation) for angle in values.get("first_rotation", (0, 0, 0))]
    return Settings(
        game,
        Timing(game.rate, before.fps, before.start),
        scale,
        before.root_motion,
        before.placement,
        values.get("bone_count", 0),
        values.get("loop_frame", 0),
        values.get("word3") if other is game else None,
        round(first * game.rate / other.rate),
        values.get("first_step", (0, 0, 0)),
        (first_rotation[0], first_rotation[1], first_rotation[2]),
        lambda: body.root_is_visible,
        tuple((marker.frame, marker.name) for marker in action.pose_markers),
    )


def _weighs(mesh: bpy.types.Object, bone: str) -> bool:
    group = mesh.vertex_groups.get(bone)
    if group is None:
        return False
    assert isinstance(mesh.data, bpy.types.Mesh)
    weighted = [vertex.index for vertex in mesh.data.vertices if any(one.group == group.index for one in vertex.groups)]
    return bool(np.isin(values_of(mesh.data.edges, "vertices", np.int32, 2), weighted).any())


def _visual_frames(context: bpy.types.Context, curves: Curves, keyed: Floats, settings: Settings, step: float) -> Floats:
    """Where the pose is sampled: at the keys `keyed` (K,), or from the first to the last every `step` frames; without keys at the scene's
    frames.

    The keyframe to which the loop goes back stays, and so does the one before: the step back takes its time and its displacement."""
    if not curves:
        return np.arange(context.scene.frame_start, context.scene.frame_end + 1e-6, step if step > 0 else 1.0)
    if step <= 0 or len(keyed) < 2:
        return keyed
    frames = np.append(np.arange(keyed[0], keyed[-1] - step / 2, step), keyed[-1])
    loop = settings.loop_frame
    if 0 < loop < len(keyed):
        frames = frames[(frames < keyed[loop - 1] - step / 2) | (frames > keyed[loop] + step / 2)]
        frames = np.sort(np.append(frames, keyed[loop - 1 : loop + 1]))
    return frames
