"""What Blender shows of a character of Oni, at the game's whole frames: from curves, or from evaluated poses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ...motion.curves import Channel, Curves, path_channels, rotation_channels, sample
from ...motion.pieces import pieces
from ...motion.rigs.matrix_rig import decompose
from ...motion.rigs.rig import Y_UP
from ...motion.root_motion import object_motion
from ...motion.rotations import quaternion
from ...motion.rotations.rotation_matrix import Floats
from ...motion.sampling import MERGE, key_frames
from ...reporting import log
from ...reporting.errors import ExportError, Problem
from ...reporting.labels import CLEAR
from ..records.angles import STEP
from ..records.rotations import LONGEST
from .motion import Settings
from .rig import OniRig
from .whole_frames import keys_on_frames, last_whole, whole_frames

MOST_FRAMES = 0xFFFF

_AS_KEYED = 1e-4
"""A rotation (its components) or a position (game units) that looks as keyed."""

_CLOSE = 32
"""Frames from key to key where a rotation is split: so close that they go as the whole of it would."""

_NO_STEP = (STEP / 2) ** 2 / 8
"""1 - |cos(a / 2)| of an angle of half a step."""

_STILL = 0.005
"""Game units that a bone may stray from its rest position, and shares of its scale, before it is refused."""


@dataclass(frozen=True, eq=False)
class Sampled:
    """times: of each bone the frames of its keys, 0 and frame_count - 1 among them. basis: (K, 4) its rotation there, as Blender has it.
    root: (frame_count + 1, 3) the pelvis in the game. goes_on: whether the last of them is keyed. away: (frame_count + 1, 3) what of `root`
    the root's properties hold, which no pose shows."""

    frame_count: int
    times: list[NDArray[np.int64]]
    basis: list[Floats]
    root: Floats
    goes_on: bool
    away: Floats


def sample_curves(curves: Curves, rig: OniRig, settings: Settings, closing: float | None = None) -> Sampled:
    """From the curves, whose rotations are quaternions. closing: the frame of Blender at which a loop begins again, up to which it goes
    whatever has keys on the way. Raises ExportError for what the game cannot show."""
    names = rig.skeleton.names
    keyed = [key_frames(curves, rotation_channels(name, "QUATERNION")) for name in names]
    location = [Channel(names[0], "location", axis) for axis in range(3)]
    away = path_channels(rig, "NONE")[0] if settings.root_motion == "NONE" else []
    outside = [Channel("", prop, axis) for prop in ("location", "rotation_euler") for axis in range(3)]
    heights = location[1:2] if rig.along_axes else []
    motion_channels = [*away, *outside, *(channel for channel in location if channel not in heights)]
    last = max(last_whole(frames, settings.timing) for frames in [*keyed, key_frames(curves, heights)])
    last_path = last_whole(key_frames(curves, motion_channels), settings.timing)
    again = -1 if closing is None else last_whole(np.array([closing]), settings.timing)
    count = max(last, last_path - 1, again - 1, 0) + 1
    if count > MOST_FRAMES:
        end = float(settings.timing.frame(MOST_FRAMES - 1.0))
        text = f"{count} frames, at most {MOST_FRAMES} are possible: move its last keys before frame {end:g}, or split the animation"
        raise ExportError(Problem(text, frame=end))
    _check_other_channels(curves, rig, settings)
    times = [_whole(frames, count, settings, name) for frames, name in zip(keyed, names, strict=True)]
    times = [_filled(curves, name, at, own, settings) for name, at, own in zip(names, times, keyed, strict=True)]
    basis = _rotations(curves, names, times, settings)
    frames = settings.timing.frames(np.arange(count + 1, dtype=np.float64))
    root = rig.root_of(sample(curves, location, frames, np.zeros(3)) / settings.scale)
    in_place = np.zeros_like(root)
    if settings.root_motion == "NONE":
        in_place = sample(curves, away, frames, np.zeros(3)) / settings.scale @ Y_UP * [1.0, 0, 1]
    root = root + in_place
    moved = object_motion(curves, frames, settings.placement)
    if moved is None:
        return Sampled(count, times, basis, root, last_path >= count, in_place)
    linear, offset = moved
    if _rotates(linear):
        times[0] = np.arange(count)
        basis[0] = _with_object_rotation(quaternion.normalised(_sample_rotation(curves, names[0], frames[:-1])), linear[:-1], rig)
    return Sampled(count, times, basis, _moved(root, linear, offset, settings), last_path >= count, in_place)


def carries(channel: Channel, rig: OniRig) -> bool:
    """Whether a curve moves the character over the ground: it goes on to the frame behind the last one, for the last velocity."""
    if not channel.bone:
        return True
    return channel.bone == rig.skeleton.names[0] and channel.property == "location" and (channel.component != 1 or not rig.along_axes)


def _rotates(linear: Floats) -> bool:
    """Whether rotations (K, 3, 3) of the object are any."""
    return bool(np.abs(linear - np.eye(3)).max() > _AS_KEYED)


def _with_object_rotation(basis: Floats, linear: Floats, rig: OniRig) -> Floats:
    """(K, 4) the pelvis's rotation with that of the object (K, 3, 3)."""
    rest = quaternion.of_matrix(rig.rest[0])
    outside = quaternion.multiply(quaternion.conjugate(rest), quaternion.multiply(quaternion.of_matrix(linear), rest))
    return quaternion.continuous(quaternion.multiply(outside, basis))


def _moved(root: Floats, linear: Floats, offset: Floats, settings: Settings) -> Floats:
    """(K, 3) the pelvis in the game with what the object does: rotations (K, 3, 3) and translations (K, 3) in Blender's axes and units."""
    if not _rotates(linear):
        return root + offset / settings.scale @ Y_UP
    return (np.einsum("kij,kj->ki", linear, root @ Y_UP.T) + offset / settings.scale) @ Y_UP


def sample_poses(pose: Floats, moved: tuple[Floats, Floats] | None, keyed: Sampled, rig: OniRig, settings: Settings) -> Sampled:
    """From evaluated poses at every frame of the game, one more than the animation has.

    pose: (F + 1, bones, 4, 4) in armature space, Blender's units. moved: (F + 1, 3, 3) and (F + 1, 3), rotations and translations
    of the object from its placement, None where no key moves it. Bones and the path that look as
    keyed keep the keys of `keyed`; the others have a key every frame. Raises ExportError for a scaled bone.
    """
    location, rotation, size = _decomposed(pose, rig, settings)
    _refuse_scale(np.abs(size - 1).max(axis=(0, 2)), rig)
    _refuse_moves(np.abs(location[:, 1:]).max(axis=(0, 2), initial=0.0), rig)
    count = len(pose) - 1
    every = np.arange(count)
    times: list[NDArray[np.int64]] = []
    basis: list[Floats] = []
    if moved is not None and _rotates(moved[0]):
        rotation[:, 0] = _with_object_rotation(rotation[:, 0], moved[0], rig)
    for bone in range(len(rig.skeleton)):
        shown = rotation[:count, bone]
        as_keyed = count == keyed.frame_count and _alike(shown, _between(keyed.times[bone], keyed.basis[bone], every))
        times.append(keyed.times[bone] if as_keyed else every)
        basis.append(keyed.basis[bone] if as_keyed else quaternion.continuous(shown))
    root = rig.root_of(location[:, 0]) + _resized(keyed.away, len(location))
    if moved is not None:
        root = _moved(root, *moved, settings)
    if root.shape == keyed.root.shape and np.abs(root - keyed.root).max() < _AS_KEYED:
        root = keyed.root
    return Sampled(count, times, basis, root, keyed.goes_on, keyed.away)


def _decomposed(pose: Floats, rig: OniRig, settings: Settings) -> tuple[Floats, Floats, Floats]:
    """Location in game units, quaternion and scale of what the bones' own channels hold in poses (F, bones, 4, 4)."""
    count = pose.shape[:2]
    location, rotation, size = np.empty((*count, 3)), np.empty((*count, 4)), np.empty((*count, 3))
    for part in pieces(*count):
        scaled = pose[part].copy()
        scaled[..., :3, 3] /= settings.scale
        location[part], rotation[part], size[part] = decompose(rig.basis_of_pose(scaled))
    return location, rotation, size


def _rotations(curves: Curves, names: Sequence[str], times: list[NDArray[np.int64]], settings: Settings) -> list[Floats]:
    """(K, 4) of every bone its rotations at the game's frames `times` (K,)."""
    basis = [_sample_rotation(curves, name, settings.timing.frames(at.astype(np.float64))) for name, at in zip(names, times, strict=True)]
    whole = quaternion.normalised(np.concatenate(basis))
    return np.split(whole, np.cumsum([len(each) for each in basis])[:-1])


def _sample_rotation(curves: Curves, name: str, frames: Floats) -> Floats:
    """(K, 4) the rotation of a bone, of any length; none where it has no curves."""
    channels = rotation_channels(name, "QUATERNION")
    values = _at_keys(curves, channels, frames)
    return sample(curves, channels, frames, quaternion.IDENTITY) if values is None else values


def _at_keys(curves: Curves, channels: list[Channel], frames: Floats) -> Floats | None:
    """(K, C) where all channels have their keys at just these frames, None elsewhere: much faster than to sample them."""
    present = [curve for channel in channels if (curve := curves.get(channel)) is not None and len(curve.frames) == len(frames)]
    if len(present) < len(channels) or len({curve.frames.tobytes() for curve in present}) > 1:
        return None
    if np.abs(present[0].frames - frames).max() >= MERGE:
        return None
    return np.stack([curve.values for curve in present], axis=1).astype(np.float64)


def _whole(frames: Floats, count: int, settings: Settings, name: str) -> NDArray[np.int64]:
    """The game's frames of a bone's keys, the first and the last frame always among them."""
    times = whole_frames(frames, settings.timing)
    if len(times) and times[0] == 0 and times[-1] == count - 1:
        return times
    inside = times[(times >= 0) & (times < count)]
    if (times < 0).any():
        text = f"keys before frame {settings.timing.start:g}, where the animation starts, are left out: move them behind it"
        log.warning(text, bone=name, frame=float(frames[0]))
    return np.unique(np.concatenate([[0], inside, [count - 1]]))


def _filled(curves: Curves, name: str, times: NDArray[np.int64], keyed: Floats, settings: Settings) -> NDArray[np.int64]:
    """A bone's key frames with more of them where the game would not go from one to the next as Blender does.

    keyed: the frames of the scene that have keys. Looked at are gaps that are longer than the format has intervals, those beside a key
    between two frames of the game, and all where there was a key a frame, since between those the game goes by slerp."""
    gaps = np.diff(times)
    longest = 1 if settings.dense else LONGEST
    on_frames = keys_on_frames(keyed, settings.timing)
    whole = np.ones(len(times), np.bool_) if np.array_equal(on_frames, times) else np.isin(times, on_frames)
    if not ((gaps > longest) | (gaps > 1) & ~(whole[1:] & whole[:-1])).any():
        return times
    mix = quaternion.slerp if settings.dense else quaternion.nlerp
    every = np.arange(float(times[-1]) + 1)
    shown = quaternion.normalised(_sample_rotation(curves, name, settings.timing.frames(every)))
    parts: list[NDArray[np.int64]] = []
    for (first, last), between in zip(pairwise(times.tolist()), (~(whole[1:] & whole[:-1])).tolist(), strict=True):
        inside, share = shown[first : last + 1], np.linspace(0, 1, last - first + 1)
        start, end = (np.broadcast_to(one, inside.shape) for one in (inside[0], inside[-1]))
        step = LONGEST
        if (between or settings.dense) and _rotates_by(inside, mix(start, end, share)):
            step = 1
        elif last - first > LONGEST and _rotates_by(inside, start):
            step = _CLOSE
        parts.append(np.arange(first, last, step, dtype=np.int64))
    return np.concatenate([*parts, times[-1:]])


def _rotates_by(one: Floats, other: Floats) -> bool:
    """Whether rotations (K, 4) are apart by more than half a step of the file."""
    return bool((1 - np.abs(np.einsum("ij,ij->i", one, other))).max() > _NO_STEP)


def _check_other_channels(curves: Curves, rig: OniRig, settings: Settings) -> None:
    """Keys that Blender inserts along with rotations are ignored; bones that really move or grow are refused."""
    moved, scaled = np.zeros(len(rig.skeleton)), np.zeros(len(rig.skeleton))
    for bone, name in enumerate(rig.skeleton.names):
        for axis in range(3):
            location, size = curves.get(Channel(name, "location", axis)), curves.get(Channel(name, "scale", axis))
            if bone and location is not None:
                moved[bone] = max(moved[bone], float(np.abs(location.values).max(initial=0.0)) / settings.scale)
            if size is not None:
                scaled[bone] = max(scaled[bone], float(np.abs(size.values - 1).max(initial=0.0)))
    _refuse_scale(scaled, rig)
    _refuse_moves(moved[1:], rig)


def _refuse_scale(sizes: Floats, rig: OniRig) -> None:
    if (sizes > _STILL).any():
        bone = rig.skeleton.names[int(np.argmax(sizes))]
        raise ExportError(Problem(f"{bone} is scaled: the game has no scale: {CLEAR}", bone))


def _refuse_moves(moves: Floats, rig: OniRig) -> None:
    """moves: of all bones but the first."""
    if (moves > _STILL).any():
        bone = rig.skeleton.names[1 + int(np.argmax(moves))]
        raise ExportError(Problem(f"{bone} moves from its rest position: the game only rotates bones: {CLEAR}", bone))


def _between(times: NDArray[np.int64], basis: Floats, frames: NDArray[np.int64]) -> Floats:
    """(F, 4) what Blender's linear curves show."""
    return quaternion.normalised(np.stack([np.interp(frames, times, basis[:, part]) for part in range(4)], axis=1))


def _alike(one: Floats, other: Floats) -> bool:
    return bool(np.minimum(np.abs(one - other).max(axis=1), np.abs(one + other).max(axis=1)).max() < _AS_KEYED)


def _resized(values: Floats, count: int) -> Floats:
    """The first `count` rows, the last one again where there are fewer."""
    return values[np.minimum(np.arange(count), len(values) - 1)]
