"""The channels of a motion as a Clip, as curves, and back: each action has its part of the time line, from its own start."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from ...motion import curves as motion_curves
from ...motion import quaternion, rotation_matrix
from ...motion.clip import Clip, Event, Track, TrackKind
from ...motion.curves import Block, Curves, Placement, Timing, sample_track
from ...motion.matrix_rig import MatrixRig
from ...motion.root_motion import object_motion
from ...motion.rotation_matrix import Floats
from .continuity import Channels
from .evaluate import RATE
from .helper import Helper
from .motion import Motion
from .rig import LabRig

_WIDE, _PARTS = np.radians(40.0), 4
"""A rotation from one frame to the next that gets keys of its own in between, so that there are this many parts: the arc is then met to a
tenth of a degree."""

_FAR = np.float32(1e4)
"""No channel of any known character is larger."""


@dataclass(frozen=True)
class BoneNames:
    """What the bones are called in Blender, in the file's order, and the two helper bones of those that have some."""

    bones: tuple[str, ...]
    helpers: dict[int, tuple[str, str]] = field(default_factory=dict[int, tuple[str, str]])

    @property
    def every(self) -> tuple[str, ...]:
        """Those of the helper bones behind the others."""
        return (*self.bones, *chain.from_iterable(self.helpers.values()))


def matrix_rig(rig: LabRig, names: BoneNames) -> MatrixRig:
    """The bones and their helper bones, which stand as they do, for tracks in the bones' own axes and Blender's units."""
    helped = np.repeat(np.array(list(names.helpers), np.int64), 2)
    bones = np.concatenate([np.arange(len(names.bones)), helped])
    above = len(names.bones) + np.arange(len(helped)) - 1  # the second hangs on the first
    above[::2] = helped[::2]
    return replace(rig, parents=np.concatenate([rig.parents, above.astype(np.int32)]), rest=rig.rest[bones], scale=1.0).as_built(
        names.every
    )


def clip_of(motion: Motion, name: str, start: int, stop: int, events: Sequence[Event] = ()) -> Clip:
    """Frames `start` to `stop`, which is left out, from time 0, with tracks for `matrix_rig`. What stays as it is for the whole clip has
    one key; scale is keyed where a bone has any in the whole file."""
    count, times = motion.rotations.shape[1], np.arange(stop - start, dtype=np.float64)
    scaled = np.flatnonzero(motion.scaled)
    helpers = count + np.arange(2 * len(motion.helpers))
    groups: list[tuple[TrackKind, NDArray[np.int64], Channels]] = [
        ("translation", np.arange(count), motion.locations[start:stop]),
        ("quaternion", np.arange(count), motion.rotations[start:stop]),
        ("scale", scaled, _of_bones(motion.scales[start:stop], scaled)),
    ]
    if motion.helpers:
        rotations = [values for helper in motion.helpers.values() for values in (helper.first, helper.second)]
        groups.append(("quaternion", helpers, np.stack([values[start:stop] for values in rotations], axis=1)))
        scales = [values for helper in motion.helpers.values() for values in (helper.scale, helper.second_scale)]
        groups.append(("scale", helpers, np.stack([values[start:stop] for values in scales], axis=1)))
    tracks = [track for kind, bones, values in groups for track in _tracks(kind, bones, values, times)]
    return Clip(name, RATE, tracks, None, float(len(times) - 1), events=list(events))


def _tracks(kind: TrackKind, bones: NDArray[np.int64], values: Channels, times: Floats) -> Iterator[Track]:
    """(F, B, C) values of bones (B,): a key a frame for those that change, one for the others; between frames only where a bone rotates
    so far from one to the next that the straight line between two quaternions would be off the game's arc."""
    still: NDArray[np.bool_] = (values == values[:1]).all(axis=(0, 2))
    wide = _wide(values) if kind == "quaternion" else np.zeros((len(values) - 1, len(bones)), np.bool_)
    plain = ~still & ~wide.any(axis=0)
    for chosen, count in ((np.flatnonzero(still), 1), (np.flatnonzero(plain), len(times))):
        if len(chosen):
            yield Track(kind, bones[chosen], times[:count], _of_bones(values[:count], chosen), np.zeros(count, np.bool_))
    for bone in np.flatnonzero(~still & ~plain).tolist():
        yield _along_the_arc(bones[bone : bone + 1], values[:, bone].astype(np.float64), times, wide[:, bone])


def _wide(rotations: Channels) -> NDArray[np.bool_]:
    """(F - 1, B) where quaternions (F, B, 4), of any length, rotate by more than `_WIDE` to the next frame."""
    dots = np.einsum("fbi,fbi->fb", rotations[1:], rotations[:-1])
    squares = np.einsum("fbi,fbi->fb", rotations, rotations)
    wide: NDArray[np.bool_] = dots < np.cos(_WIDE / 2) * np.sqrt(squares[1:] * squares[:-1])
    return wide


def _along_the_arc(bone: NDArray[np.int64], rotations: Floats, times: Floats, wide: NDArray[np.bool_]) -> Track:
    """A bone's quaternions (F, 4) with generated keys in the gaps after `wide` frames (F - 1,)."""
    steps = np.where(wide, _PARTS, 1)
    first = np.append(np.repeat(np.arange(len(steps)), steps), len(steps))
    part = np.append(np.arange(int(steps.sum())) - np.repeat(np.cumsum(steps) - steps, steps), 0)
    between = part > 0
    dense = rotations[first]
    ends = [quaternion.normalised(rotations[first[between] + one]) for one in (0, 1)]
    dense[between] = quaternion.slerp(ends[0], ends[1], part[between] / _PARTS)
    when = times[first]
    when[between] += np.diff(times)[first[between]] * part[between] / _PARTS
    return Track("quaternion", bone, when, dense[:, None].astype(np.float32), between)


def _of_bones(values: Channels, bones: NDArray[np.int64]) -> Channels:
    """(F, B, C) of some bones, the frames of a component still together."""
    return values.transpose(1, 2, 0)[bones].transpose(2, 0, 1)


def blocks_of(motion: Motion, names: BoneNames, start: int, stop: int, timing: Timing) -> list[Block]:
    """The curves of frames `start` to `stop`, which is left out."""
    clip = clip_of(motion, "", start, stop)
    return motion_curves.blocks_of(clip, matrix_rig(motion.rig, names), timing, 1.0, "BONE", Placement.origin())


def motion_of(curves: Curves, names: BoneNames, rig: LabRig, frames: Floats, placement: Placement | None = None) -> Motion:
    """The values of curves, whose rotations are quaternions, at `frames` (F,). placement: from where keys of the object move the character,
    which counts as motion of the roots; None where they do not."""
    stand = matrix_rig(rig, names)

    def sampled(kind: TrackKind) -> Channels:
        return sample_track(curves, kind, np.arange(len(names.every)), frames, stand, 1.0).astype(np.float32)

    count = len(names.bones)
    locations, rotations, scales = sampled("translation")[:, :count], sampled("quaternion"), sampled("scale")
    moved = object_motion(curves, frames, placement) if placement is not None else None
    if moved is not None:
        for root in np.flatnonzero(rig.parents < 0).tolist():
            locations[:, root], rotations[:, root] = _outside(locations[:, root], rotations[:, root], rig.rest[root], *moved)
    firsts = zip(names.helpers, range(count, len(names.every), 2), strict=True)
    helpers = {bone: Helper(rotations[:, first], scales[:, first], rotations[:, first + 1], scales[:, first + 1]) for bone, first in firsts}
    return Motion(rig, locations, rotations[:, :count], scales[:, :count], helpers=helpers)


def _outside(locations: Channels, rotations: Channels, rest: Floats, linear: Floats, offset: Floats) -> tuple[Channels, Channels]:
    """Location (F, 3) and quaternion (F, 4) of a root with what the object does: rotations (F, 3, 3) and translations (F, 3)."""
    position = rest[:3, 3] + locations.astype(np.float64) @ rest[:3, :3].T
    position = np.einsum("fij,fj->fi", linear, position) + offset
    basis = rest[:3, :3].T @ linear @ rest[:3, :3] @ rotation_matrix.from_quaternion(rotations.astype(np.float64))
    rotated = quaternion.continuous(quaternion.of_matrix(basis))
    return ((position - rest[:3, 3]) @ rest[:3, :3]).astype(np.float32), rotated.astype(np.float32)


def poses(motion: Motion) -> Floats:
    """(F, bones, 4, 4) pose matrices in armature space as Blender shows them; with what helper bones add."""
    basis = composed(motion.locations, motion.rotations, motion.scales)
    helped = {bone: np.tile(np.eye(4), (len(motion), 1, 1)) for bone in motion.helpers}
    for bone, helper in motion.helpers.items():
        helped[bone][:, :3, :3] = helper.linear
    return motion.rig.pose(basis, helped)


def composed(locations: Channels, rotations: Channels, scales: Channels) -> Floats:
    """(..., 4, 4) of channels (..., C)."""
    out = np.zeros((*locations.shape[:-1], 4, 4))
    out[..., :3, :3] = rotation_matrix.from_quaternion(rotations.astype(np.float64)) * scales.astype(np.float64)[..., None, :]
    out[..., :3, 3] = locations
    out[..., 3, 3] = 1
    return out


def same_channels(first: Channels, second: Channels, step: float = 4e-7) -> NDArray[np.bool_]:
    """(F, ...) whether all of a frame's values, of (F, ..., C), are the same; what the last bits of another machine's arithmetic may differ
    by counts as the same. step: how much that is, as a part of the values' size."""
    size = np.abs(second).max(axis=-1, keepdims=True, initial=1)
    size = np.maximum(size, size.max(axis=0, keepdims=True, initial=1).clip(max=_FAR))  # one absurd frame must not hide edits of others
    close: NDArray[np.bool_] = (np.abs(first - second) <= np.float32(step) * size).all(axis=-1)
    return close
