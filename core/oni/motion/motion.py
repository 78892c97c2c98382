"""A TRAM as a Clip and as curves: rotations with keys where the game has keys or one a frame, and the root motion."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ...motion import blocks
from ...motion.clip import Clip, Path, Track
from ...motion.curves import CLOSEST, Block, Placement, RootMotion, Timing
from ...motion.rotations import quaternion
from ...motion.rotations.rotation_matrix import Floats
from ...reporting.errors import FormatError
from ..records.rotations import Rotations, decode
from ..records.tram import Tram
from ..records.tram_layout import EULER
from .evaluate import RATE, along, local_rotations, root_path, rotations_of
from .rig import ROOT, OniRig

_ARC = np.radians(6.0)
"""The largest rotation from key to key in Blender where there is a key a frame: straight lines then leave the arc by less than a thousandth
of a degree."""


@dataclass(frozen=True, eq=False)
class Settings:
    """How a TRAM is in Blender. fps, start: of the scene, and the frame of time 0. scale: Blender units per game unit.

    dense: one key a frame, by slerp; else keys where the game has them, between which Blender interpolates by nlerp. begins: (3,) where the
    root is shown as it begins, in the game, which has every animation begin where the character is; None for there.
    """

    fps: float = RATE
    start: float = 1.0
    scale: float = 0.1
    root_motion: RootMotion = "BONE"
    placement: Placement = field(default_factory=Placement.origin)
    dense: bool = False
    begins: Floats | None = None

    @property
    def timing(self) -> Timing:
        return Timing(RATE, self.fps, self.start)


def blocks_of(tram: Tram, rig: OniRig, settings: Settings) -> list[Block]:
    """What the animation looks like in Blender. Raises FormatError as `clip_of`."""
    clip = clip_of(tram, rig, settings)
    return blocks.blocks_of(clip, rig, settings.timing, settings.scale, settings.root_motion, settings.placement)


Signed = tuple[Rotations, Floats]
"""The rotations of an animation, and its keys (K, 4) as curves have them."""


def clips_of(trams: Sequence[Tram], rig: OniRig, settings: Settings) -> Iterator[Clip]:
    """As `clip_of`, one after another, with whom an error is raised; the keys of several are converted in one go, which takes a fraction
    of the time."""
    for first in range(0, len(trams), _TOGETHER):
        several = trams[first : first + _TOGETHER]
        signed = {} if settings.dense else _signed([tram for tram in several if _is_plain(tram, rig)], rig)
        for tram in several:
            yield clip_of(tram, rig, settings, signed.get(id(tram)))


_TOGETHER = 64
"""Animations that are converted in one go, so that the memory that it takes does not grow with their number."""


def _is_plain(tram: Tram, rig: OniRig) -> bool:
    """Whether an animation's keys are angles, of which none can be wrong, on the bones of the rig."""
    return tram.rotations is not None and tram.compression == EULER and tram.bone_count == len(rig.skeleton)


def _signed(trams: Sequence[Tram], rig: OniRig) -> dict[int, Signed]:
    """The rotations of animations whose keys are angles, by the animation's id."""
    if not trams:
        return {}
    every = [rotations_of(tram) for tram in trams]
    ends = np.cumsum([len(rotations.keys) for rotations in every])
    starts = [rotations.starts[:-1] + end - len(rotations.keys) for rotations, end in zip(every, ends, strict=True)]
    keys = decode(np.concatenate([rotations.keys for rotations in every]), EULER)
    parts = np.split(nearest_signs(keys, np.concatenate([*starts, ends[-1:]]), rig), ends[:-1])
    return {id(tram): (rotations, part) for tram, rotations, part in zip(trams, every, parts, strict=True)}


def clip_of(tram: Tram, rig: OniRig, settings: Settings, signed: Signed | None = None) -> Clip:
    """The animation on a rig; what the root motion is depends on what carries it. Times are frames. signed: its rotations, where they
    have been converted already.

    Raises FormatError when the record has no rotations, another number of bones than the rig, or numbers that are none.
    """
    if tram.bone_count != len(rig.skeleton):
        raise FormatError(f"{tram.bone_count} bones, the skeleton has {len(rig.skeleton)}")
    tracks = (
        _rotations(tram, rig, settings) if signed is None else _tracks(signed[0].starts, signed[0].frames.astype(np.float64), signed[1])
    )
    positions = positions_of(tram, rig)
    if settings.begins is not None:
        positions += settings.begins
    own, away = split(positions, settings.root_motion)
    times = np.arange(tram.frame_count + 1, dtype=np.float64)
    path = None
    if away is not None and tram.velocities is not None:
        path = Path(times, away, None, np.zeros(len(times), bool))
    tracks += _root(tram, rig, times, own, settings.root_motion == "BONE")
    return Clip(tram.name, RATE, tracks, path, float(tram.frame_count - 1))


def _rotations(tram: Tram, rig: OniRig, settings: Settings) -> list[Track]:
    """In the file each bone has keys at frames of its own."""
    rotations = rotations_of(tram)
    starts, times, values = rotations.starts, rotations.frames.astype(np.float64), rotations.quaternions()
    if settings.dense:
        # No more keys between two frames of the game than Blender keeps apart.
        starts, times, values = _dense(rotations, max(int(settings.timing.fps / RATE / CLOSEST), 1))
    return _tracks(starts, times, nearest_signs(values, starts, rig))


def _tracks(starts: NDArray[np.int64], times: Floats, values: Floats) -> list[Track]:
    """One track for all bones where they have keys at the same times, else one for each. starts: (bones + 1,) where each bone's keys begin,
    and the end. times: (K,) frames; those between two of the game are generated. values: (K, 4)."""
    ends, generated = starts.tolist(), times % 1 != 0
    bones, count = len(ends) - 1, ends[1]
    if ends == [*range(0, bones * count + 1, count)] and bool((times.reshape(bones, count) == times[:count]).all()):
        together = values.reshape(bones, count, 4).swapaxes(0, 1)
        return [Track("quaternion", np.arange(bones), times[:count], together, generated[:count])]
    whole = values[:, None]
    return [
        Track("quaternion", bone, times[first:last], whole[first:last], generated[first:last])
        for bone, (first, last) in zip(np.arange(bones)[:, None], pairwise(ends), strict=True)
    ]


def _dense(rotations: Rotations, most: int) -> tuple[NDArray[np.int64], Floats, Floats]:
    """A key a frame by slerp, and generated ones between two frames where a bone rotates so far that a straight line would be off the arc:
    where each bone's begin, and the end; times (K,) and values (K, 4) of all. most: parts that a frame may have."""
    every = np.arange(rotations.frame_count, dtype=np.float64)
    whole = local_rotations(rotations, every)
    cosines = np.abs(np.einsum("fbi,fbi->fb", whole[1:], whole[:-1])).clip(max=1)
    parts = np.ceil(2 * np.arccos(cosines) / _ARC).clip(1, most).astype(np.int64)
    times: list[Floats] = []
    values: list[Floats] = []
    keys = rotations.quaternions()
    for bone, (first, last) in enumerate(pairwise(rotations.starts.tolist())):
        knots = np.append(0, np.cumsum(parts[:, bone]))
        own: Floats = np.interp(np.arange(int(knots[-1]) + 1), knots, every)
        times.append(own)
        values.append(
            whole[:, bone] if len(own) == len(every) else along(rotations.frames[first:last], keys[first:last], own, quaternion.slerp)
        )
    return np.concatenate([[0], np.cumsum([len(own) for own in times])]), np.concatenate(times), np.concatenate(values)


def nearest_signs(values: Floats, starts: NDArray[np.int64], rig: OniRig) -> Floats:
    """(K, 4) with the first one of every track, as its bone shows it, as near to no rotation as can be, and each on the side of the one
    before. starts: (bones + 1,) where each track begins, and the end; of several animations, those of one behind those of another."""
    first = starts[:-1]
    shown = rig.to_basis("quaternion", np.arange(len(first)) % len(rig.skeleton), values[first])
    flips = np.zeros(len(values), np.int64)
    flips[1:] = np.sum(values[1:] * values[:-1], axis=1) < 0
    total = np.cumsum(flips)
    odd = (total - np.repeat(total[first] - (shown[:, 0] < 0), np.diff(starts))) & 1
    return values * np.where(odd, -1.0, 1.0)[:, None]


def _root(tram: Tram, rig: OniRig, times: Floats, positions: Floats, carries: bool) -> list[Track]:
    """The pelvis's own translation. carries: whether its path is the root motion. What the record does not have is a key that no file
    has, so that nothing of the action before stays."""
    displaced = (positions - rig.skeleton.heads[0])[:, None]
    moves, rises = carries and tram.velocities is not None, tram.heights is not None

    def track(components: tuple[int, ...], values: Floats, known: bool) -> Track:
        count = len(times) if known else 1
        values = values[:count]
        return Track("translation", ROOT, times[: len(values)], values, np.zeros(len(values), np.bool_) if known else _NO_KEY, components)

    if rig.along_axes:
        # Heights have no key beyond the last frame; the path has, for the last velocity.
        return [track((0, 2), displaced[..., ::2], moves), track((1,), displaced[:-1, :, 1:2], rises)]
    return [track((), displaced, moves or rises)]


_NO_KEY = np.ones(1, np.bool_)
"""One key, that no file has."""


def positions_of(tram: Tram, rig: OniRig) -> Floats:
    """(frames + 1, 3) the root's positions, at the armature's own height where the record has no heights. Raises FormatError for no
    numbers."""
    path = root_path(tram)
    if tram.heights is None:
        path[:, 1] = rig.rest_height
    if not np.isfinite(path).all():
        raise FormatError("heights or velocities that are no numbers")
    return path


def split(positions: Floats, root_motion: RootMotion) -> tuple[Floats, Floats | None]:
    """The part of the root's positions that the pelvis has, and the part of whatever else moves."""
    if root_motion == "BONE":
        return positions, None
    return positions * [0.0, 1, 0], positions * [1.0, 0, 1]
