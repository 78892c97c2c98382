"""The channels of a motion as a Clip, as curves, and back: each action has its part of the time line, from its own start."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from ...motion import blocks
from ...motion.blocks import sample_track
from ...motion.clip import Clip, Event, Track, TrackKind
from ...motion.curves import Block, Curves, Placement, Timing
from ...motion.rigs.matrix_rig import MatrixRig
from ...motion.root_motion import object_motion
from ...motion.rotations import quaternion, rotation_matrix
from ...motion.rotations.rotation_matrix import Floats
from ..files.skeleton.lab_layout import RATE
from .continuity import Channels
from .helper_bones import Helper
from .motion import Motion
from .rig import LabRig

_BENT = 5e-4
"""How far a straight line may be off between two frames without keys between them: a twentieth of a degree."""

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
    scaled = np.flatnonzero(motion.scaled)
    whole = _Part(np.arange(stop - start, dtype=np.float64), _groups(motion, slice(start, stop), scaled))
    dense = whole
    if motion.dense is not None:
        some = slice(*np.searchsorted(motion.dense.times, [start, stop - 1], "left") + np.array([0, 1]))
        dense = _Part(motion.dense.times[some] - start, _groups(motion.dense.motion, some, scaled))
    tracks = list(_tracks(whole, dense, motion.rig.scale))
    return Clip(name, RATE, tracks, None, float(stop - start - 1), events=list(events))


@dataclass(frozen=True, eq=False)
class _Part:
    """times: (T,). groups: by kind the bones (B,) and their values (T, B, C)."""

    times: Floats
    groups: list[tuple[TrackKind, NDArray[np.int64], Channels]]


def _groups(motion: Motion, frames: slice, scaled: NDArray[np.int64]) -> list[tuple[TrackKind, NDArray[np.int64], Channels]]:
    count = motion.rotations.shape[1]
    helpers = count + np.arange(2 * len(motion.helpers))
    groups: list[tuple[TrackKind, NDArray[np.int64], Channels]] = [
        ("translation", np.arange(count), motion.locations[frames]),
        ("quaternion", np.arange(count), motion.rotations[frames]),
        ("scale", scaled, _of_bones(motion.scales[frames], scaled)),
    ]
    if motion.helpers:
        rotations = [values for helper in motion.helpers.values() for values in (helper.first, helper.second)]
        groups.append(("quaternion", helpers, np.stack([values[frames] for values in rotations], axis=1)))
        scales = [values for helper in motion.helpers.values() for values in (helper.scale, helper.second_scale)]
        groups.append(("scale", helpers, np.stack([values[frames] for values in scales], axis=1)))
    return groups


def _tracks(whole: _Part, dense: _Part, unit: float) -> Iterator[Track]:
    """A key a frame for bones that change, one for the others; between frames only where a straight line would be off. unit: Blender units
    a game unit."""
    between = dense.times % 1 != 0
    for (kind, bones, values), (_, _, more) in zip(whole.groups, dense.groups, strict=True):
        bent = _bent(kind, values, more, dense.times, unit)
        curved = bent.any(axis=0)
        rows = values.transpose(1, 2, 0)  # as they lie in memory, which is several times as fast
        still: NDArray[np.bool_] = (rows == rows[:, :, :1]).all(axis=(1, 2)) & ~curved
        for chosen, count in ((np.flatnonzero(still), 1), (np.flatnonzero(~still & ~curved), len(whole.times))):
            if len(chosen):
                yield Track(kind, bones[chosen], whole.times[:count], _of_bones(values[:count], chosen), np.zeros(count, np.bool_))
        for bone in np.flatnonzero(curved).tolist():
            kept = ~between
            kept[between] = bent[dense.times[between].astype(np.int64), bone]
            yield Track(kind, bones[bone : bone + 1], dense.times[kept], more[kept, bone : bone + 1], between[kept])


def _bent(kind: TrackKind, values: Channels, dense: Channels, times: Floats, unit: float) -> NDArray[np.bool_]:
    """(F - 1, B) after which frames a straight line between values (F, B, C) is off those at `times` (T,), (T, B, C)."""
    out = np.zeros((values.shape[1], len(values) - 1), np.bool_)
    inner = np.flatnonzero(times % 1)
    if not len(inner):
        return out.T
    first = times[inner].astype(np.int64)
    part = times[inner] - first
    rows = values.transpose(1, 2, 0)  # as they lie in memory, which is several times as fast
    before, after, wanted = rows.take(first, axis=2), rows.take(first + 1, axis=2), dense.transpose(1, 2, 0).take(inner, axis=2)
    straight = before + part * (after.astype(np.float64) - before)
    if kind == "quaternion":
        straight /= np.maximum(np.linalg.norm(straight, axis=1, keepdims=True), 1e-9)
    off = np.abs(straight - wanted).max(axis=1)
    size = np.abs(wanted).max(axis=1).astype(np.float64)
    off = off > (_BENT * unit + 1e-6 * size if kind == "translation" else _BENT * np.maximum(size, 1))
    starts = np.flatnonzero(np.diff(first, prepend=-1))
    out[:, first[starts]] = np.logical_or.reduceat(off, starts, axis=1)
    return out.T


def _of_bones(values: Channels, bones: NDArray[np.int64]) -> Channels:
    """(F, B, C) of some bones, the frames of a component still together."""
    return values.transpose(1, 2, 0)[bones].transpose(2, 0, 1)


def blocks_of(motion: Motion, names: BoneNames, start: int, stop: int, timing: Timing) -> list[Block]:
    """The curves of frames `start` to `stop`, which is left out."""
    clip = clip_of(motion, "", start, stop)
    return blocks.blocks_of(clip, matrix_rig(motion.rig, names), timing, 1.0, "BONE", Placement.origin())


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
    size = np.abs(second).max(axis=-1, initial=1)
    size = np.maximum(size, size.max(axis=0, keepdims=True, initial=1).clip(max=_FAR))  # one absurd frame must not hide edits of others
    close: NDArray[np.bool_] = np.abs(first - second).max(axis=-1, initial=0) <= np.float32(step) * size
    return close
