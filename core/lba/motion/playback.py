"""How the engines play an animation: the state of every bone at any time, and the root motion.

Sources: P_ANIM.ASM PatchInterAngle and PatchInterStep, OBJECT.C DoAnim (LBA1); INTFRAME.CPP, INTERDEP.CPP (LBA2).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import rotation_matrix
from ..files.anm import ROTATE, Anm
from ..files.variant import Variant

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class State:
    """Bones at T times. kinds: (T, B) ROTATE, TRANSLATE or ZOOM. values: (T, B, 3) angle steps or units; bone 0 stays zero:
    it is no pose."""

    kinds: NDArray[np.int64]
    values: Floats


def state_at(anm: Anm, game: Variant, times: Floats) -> State:
    """The bones at `times` (T,) in the file's time units from keyframe 0; beyond the last keyframe it holds.

    Between keyframes the destination's type rules and the numbers of the keyframe before are taken as of that type; in floating point,
    where the engines have whole steps and units."""
    key_times = anm.times
    target = np.searchsorted(key_times, times, side="left").clip(0, len(key_times) - 1)
    before = np.maximum(target - 1, 0)
    span = key_times[target] - key_times[before]
    elapsed = times - key_times[before]
    arrived = (span <= 0) | (elapsed >= span)
    share = np.where(arrived, 1.0, elapsed / np.maximum(span, 1))
    kinds, raw = anm.kinds(game), anm.values.astype(np.int64)
    new, last = raw[target], raw[before]
    rotates = (kinds[target] == ROTATE)[..., None]
    new_angle, last_angle = new % game.rotation, last % game.rotation
    difference = np.where(rotates, game.wrap(new_angle - last_angle), new - last)
    values = np.where(rotates, last_angle, last) + difference * share[:, None, None]
    values = np.where(arrived[:, None, None], np.where(rotates, new_angle, new), values)
    values = np.where(rotates, values % game.rotation, values)
    values[:, 0] = 0
    return State(kinds[target], values.astype(np.float64))


def rotations_of(anm: Anm, game: Variant) -> NDArray[np.int64]:
    """(F, 3) what each keyframe adds to the character's heading: alpha, beta, gamma in angle steps.

    LBA1 adds beta alone, whatever the master flag is; LBA2 all three, with flag bit 0 only, and of each word the lower 12 bits with their
    sign (INTERDEP.ASM animmaster), so that 3840 is -256 steps.
    """
    return rotations_of_values(anm.types[:, 0], anm.values[:, 0].astype(np.int64), game)


def rotations_of_values(flags: NDArray[np.uint16], values: NDArray[np.int64], game: Variant) -> NDArray[np.int64]:
    """As `rotations_of`, from bone 0's types (K,) and values (K, 3). LBA2 takes 12 bits with a sign (INTERDEP.ASM animmaster)."""
    if game.whole_master:
        return np.where((flags & 1)[:, None] != 0, game.wrap(values), 0)
    return values * np.array([0, 1, 0])


def unused_of_values(flags: NDArray[np.uint16], values: NDArray[np.int64], game: Variant) -> NDArray[np.int64]:
    """(K, 3) those of bone 0's values that the engine does not apply, zero where it does."""
    if game.whole_master:
        return np.where((flags & 1)[:, None] != 0, 0, values)
    return values * np.array([1, 0, 1])


def rotation_matrix_of(angles: Floats) -> Floats:
    """(..., 3, 3) R = Rx(alpha) * Rz(gamma) * Ry(beta) of angles (..., 3) in radians, column vectors."""
    return rotation_matrix.about(0, angles[..., 0]) @ rotation_matrix.about(2, angles[..., 2]) @ rotation_matrix.about(1, angles[..., 1])


@dataclass(frozen=True, eq=False)
class RootMotion:
    """positions: (T, 3) and angles: (T, 3) alpha, beta, gamma in angle steps, both since keyframe 0."""

    positions: Floats
    angles: Floats


def root_at_keys(
    steps: NDArray[np.int64] | Floats, rotations: NDArray[np.int64], game: Variant, first: NDArray[np.int64] | None = None
) -> RootMotion:
    """The accumulated root motion after every keyframe; the first one's own step and rotation are not counted.

    Per completed keyframe: heading += rotation, then position += R(heading) * step. first: where further animations start in the rows.
    """
    starts = np.zeros(1, np.int64) if first is None else first
    counted = rotations.astype(np.float64)
    counted[starts] = 0
    angles = _sum_from(counted, starts)
    moved = np.einsum("fij,fj->fi", rotation_matrix_of(angles * (2 * np.pi / game.rotation)), steps.astype(np.float64))
    moved[starts] = 0
    return RootMotion(_sum_from(moved, starts), angles)


def _sum_from(values: Floats, first: NDArray[np.int64]) -> Floats:
    """(K, 3) running sums, anew from each row in `first`."""
    out = np.empty_like(values)
    for start, end in pairwise([*first.tolist(), len(values)]):
        np.add.accumulate(values[start:end], axis=0, out=out[start:end])
    return out


def root_at(anm: Anm, game: Variant, times: Floats) -> RootMotion:
    """The root motion at `times` (T,): inside a keyframe heading and step grow in proportion, the step rotated by the heading then."""
    rotations, steps = rotations_of(anm, game), anm.steps.astype(np.int64)
    keys = root_at_keys(steps, rotations, game)
    key_times = anm.times
    target = np.searchsorted(key_times, times, side="left").clip(0, len(key_times) - 1)
    before = np.maximum(target - 1, 0)
    span = key_times[target] - key_times[before]
    share = np.where(span > 0, (times - key_times[before]) / np.maximum(span, 1), 1.0).clip(0, 1)
    share = np.where(target == 0, 0.0, share)[:, None]
    angles = keys.angles[before] + rotations[target] * share
    rotated = rotation_matrix_of(angles * (2 * np.pi / game.rotation))
    positions = keys.positions[before] + np.einsum("tij,tj->ti", rotated, steps[target] * share)
    return RootMotion(positions, angles)
