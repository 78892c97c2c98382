"""From what Blender holds back to a TRAM: untouched keys keep their bits, everything else is encoded anew.

The import is replayed: what it would show is sampled just as what is there now, and where both are the same the file's own bits stay.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...files.document import same
from ...motion import finite
from ...motion.curves import Block, curves_of
from ...motion.rotations.rotation_matrix import Floats
from ..records.rotations import Rotations, encode
from ..records.tram import Tram
from ..records.tram_layout import VELOCITY
from .derived import Figure, derive, summary
from .evaluate import rotations_of
from .motion import Settings, blocks_of
from .rig import OniRig
from .sampling import Sampled, sample_curves

SAME = 2e-6
"""Components of quaternions, and lengths relative to their size, that differ less are the same: a twentieth of the file's own step."""


NO_STEP = 1e-9
"""Game units a frame that are nothing but the rest of a calculation."""


@dataclass(frozen=True, eq=False)
class Origin:
    """The record that an action was imported from. shown: the curves of that import, None where it has no motion, or that of other
    bones."""

    tram: Tram
    shown: list[Block] | None

    @classmethod
    def of(cls, tram: Tram, rig: OniRig, settings: Settings) -> Origin:
        """Raises FormatError as `blocks_of`."""
        has_motion = tram.rotations is not None and tram.bone_count == len(rig.skeleton)
        return cls(tram, blocks_of(tram, rig, settings) if has_motion else None)


@dataclass(frozen=True, eq=False)
class Wanted:
    """What a new record is to be. tram: with its fields. by_hand: those of them that stay although they follow from the motion. thin:
    leaves out keys, and gets them all, also more than the format can hold."""

    tram: Tram
    by_hand: Collection[str] = ()
    thin: Callable[[Rotations], Rotations] | None = None


@dataclass(frozen=True, eq=False)
class _Before:
    """The record that an action came from, and what its import shows."""

    tram: Tram
    rotations: Rotations
    sampled: Sampled


def update(sampled: Sampled, rig: OniRig, figure: Figure, settings: Settings, wanted: Wanted, origin: Origin | None) -> Tram:
    """The record of an action. figure: of the rig. origin: None for a new one.

    Positions and reaches are those of the original as long as motion and attacks are. Raises ExportError for what the format cannot hold.
    """
    original, before = None if origin is None else origin.tram, _before(origin, rig, settings)
    rotations = _rotations(sampled, rig, settings, wanted, before)
    heights, velocities = _root(sampled, before)
    result = replace(
        wanted.tram,
        rotations=rotations,
        heights=heights,
        velocities=velocities,
        frame_count=sampled.frame_count,
        duration=wanted.tram.duration if original is not None and sampled.frame_count == original.frame_count else sampled.frame_count,
        bone_count=len(rig.skeleton),
    )
    if original is None:
        return _with_hand(derive(result, figure), wanted)
    moved = any(not same(getattr(result, name), getattr(original, name)) for name in ("rotations", "heights", "velocities"))
    struck = result.direction != original.direction or not _strike_alike(result.attacks, original.attacks)
    attacks = result.attacks is not None or original.attacks is not None
    return _with_hand(derive(result, figure, moved, attacks and (moved or struck)), wanted)


def _with_hand(tram: Tram, wanted: Wanted) -> Tram:
    if "extents" in wanted.by_hand:
        tram = summary(replace(tram, extents=wanted.tram.extents))
    return replace(tram, **{name: getattr(wanted.tram, name) for name in wanted.by_hand})


def _strike_alike(one: NDArray[Any] | None, other: NDArray[Any] | None) -> bool:
    """Whether attacks reach as far: their bones and frames are the same, whatever they do to whom they hit."""
    if one is None or other is None or len(one) != len(other):
        return one is other or ((one is None or not len(one)) and (other is None or not len(other)))
    return all(np.array_equal(one[name], other[name]) for name in ("bones", "start", "end"))


def _before(origin: Origin | None, rig: OniRig, settings: Settings) -> _Before | None:
    if origin is None or origin.shown is None:
        return None
    return _Before(origin.tram, rotations_of(origin.tram), sample_curves(curves_of(origin.shown), rig, settings))


def _rotations(sampled: Sampled, rig: OniRig, settings: Settings, wanted: Wanted, before: _Before | None) -> bytes:
    compression, thin = wanted.tram.compression, wanted.thin
    frames: list[NDArray[np.int64]] = []
    keys: list[NDArray[Any]] = []
    same_size = before is not None and before.tram.compression == compression
    kept = same_size and before is not None and before.sampled.frame_count == sampled.frame_count
    for bone in range(len(rig.skeleton)):
        times, basis = sampled.times[bone], sampled.basis[bone]
        if same_size and before is not None and _unchanged(times, basis, bone, before):
            own_times, own = before.rotations.track(bone)
            frames.append(own_times)
            keys.append(own)
            continue
        local = rig.from_basis("quaternion", np.array([bone]), basis[:, None])[:, 0]
        raw = encode(local, compression)
        if same_size and before is not None:
            times, raw = _restored(times, basis, raw, bone, settings, before)
            own_times, own = before.rotations.track(bone)
            kept = kept and np.array_equal(times, own_times) and raw.tobytes() == own.tobytes()
        frames.append(times)
        keys.append(raw)
    unedited = before.tram.rotations if kept and before is not None else None
    if unedited is not None and thin is None:
        return unedited  # with whatever else stands in the block
    block = Rotations.of_tracks(frames, keys, sampled.frame_count, compression)
    thinned = block if thin is None else thin(block)
    return unedited if unedited is not None and thinned is block else thinned.pack()


def _unchanged(times: NDArray[np.int64], basis: Floats, bone: int, before: _Before) -> bool:
    """Whether a whole track is just as its import shows it."""
    return np.array_equal(times, before.sampled.times[bone]) and bool((_apart(before.sampled.basis[bone], basis) <= SAME).all())


def _apart(one: Floats, other: Floats) -> Floats:
    """(K,) the largest difference between components of quaternions that are the same with either sign."""
    return np.minimum(np.abs(one - other).max(axis=1), np.abs(one + other).max(axis=1))


def _restored(
    times: NDArray[np.int64], basis: Floats, raw: NDArray[Any], bone: int, settings: Settings, before: _Before
) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """A track with the file's own keys where they are untouched; without the keys that only the import put in between those."""
    shown, shown_at = before.sampled.basis[bone], before.sampled.times[bone]
    row = np.searchsorted(shown_at, times).clip(0, len(shown_at) - 1)
    untouched = (shown_at[row] == times) & (_apart(shown[row], basis) <= SAME)
    own_times, own = before.rotations.track(bone)
    position = np.searchsorted(own_times, times).clip(0, len(own_times) - 1)
    from_file = untouched & (own_times[position] == times)
    raw = raw.copy()
    raw[from_file] = own[position[from_file]]
    if not settings.dense:
        return times, raw
    good = np.zeros(before.tram.frame_count, np.int64)
    good[times[untouched]] = 1
    through = np.concatenate([[0], np.cumsum(good)])
    whole = through[own_times[1:] + 1] - through[own_times[:-1]] == own_times[1:] - own_times[:-1] + 1
    inside = np.searchsorted(own_times, times, side="right") - 1
    put_in = (times < own_times[-1]) & ~from_file
    put_in &= np.append(whole, False)[inside]
    return times[~put_in], raw[~put_in]


def _root(sampled: Sampled, before: _Before | None) -> tuple[NDArray[np.float32] | None, NDArray[Any] | None]:
    """Heights and velocities: the file's own where both frames of a step are where they were."""
    count = sampled.frame_count
    steps = np.diff(sampled.root[:, [0, 2]], axis=0)
    last_known = sampled.goes_on
    if not last_known and count > 1:
        steps[-1] = steps[-2]  # there is no key behind the last frame: the velocity stays
    heights = finite.single(sampled.root[:count, 1])
    if before is None:
        return heights, _velocities(steps)
    old, shown = before.tram, before.sampled.root
    common = min(len(shown), len(sampled.root))
    size = np.maximum(np.abs(sampled.root[:common]).max(axis=0), 1.0)
    stays = np.abs(sampled.root[:common] - shown[:common]) <= 2 * SAME * size
    frames = min(count, old.frame_count)
    if old.heights is not None:
        kept = np.flatnonzero(stays[:frames, 1])
        heights[kept] = old.heights[kept]
    elif np.abs(sampled.root[:count, 1] - shown[0, 1]).max() <= 2 * SAME * size[1]:
        heights = None
    if old.velocities is None:
        return heights, None if np.abs(steps).max() <= 2 * SAME * size.max() else _velocities(steps)
    velocities = _velocities(steps)
    flat = stays[:, 0] & stays[:, 2]
    follows = flat[1:].copy()
    if count == frames and not last_known:
        follows[-1] = True
    kept = np.flatnonzero(flat[:-1] & follows)
    velocities[kept] = old.velocities[kept]
    return heights, velocities


def _velocities(steps: Floats) -> NDArray[Any]:
    out = np.zeros(len(steps), VELOCITY)
    steps = np.where(np.abs(steps) < NO_STEP, 0.0, steps)
    out["x"], out["z"] = steps[:, 0], steps[:, 1]
    return out
