"""How far bones are between two frames from the middle of their rotations there, if what they are keyed in goes straight from one to the
other: those do that rotate by Euler angles, or upon others that rotate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...motion.modes import quaternions
from ...motion.rotations import quaternion as quat
from ...motion.rotations.rotation_matrix import Floats

BEND = float(np.radians(0.25))
"""Radians by which a bone and all that it hangs on bend between two frames: less is not looked at, since nobody sees it."""

OBJECT = -1
"""Instead of a bone's number: the object, which carries all bones, and is behind them where each has something of its own."""

_TOGETHER = 1 << 14
"""Frames of all bones whose rotations are taken at once."""

Keyed = Mapping[int, Sequence[NDArray[Any]]]
"""By bone what it rotates by: its components, each (F,)."""


def steep(values: NDArray[np.floating]) -> Floats:
    """(F - 1, ...) about how far a curve is from the line between two frames, in the middle, if it goes smoothly through its values
    (F, ...). Where it may jump instead it is somewhat more than beside that."""
    padded = np.concatenate([values[:1], values, values[-1:]]).astype(np.float64)
    steps = padded[1:] - padded[:-1]
    second = np.abs(steps[1:] - steps[:-1])
    bend = np.maximum(second[:-1], second[1:])
    return np.asarray(bend / 8 + np.minimum(np.abs(steps[1:-1]), bend) / 32, np.float64)


def beside(frames: Floats, values: NDArray[np.floating], at: NDArray[np.floating], keyed: NDArray[np.floating]) -> Floats:
    """(F - 1,) how far keys between two frames at most are from the line between those, whose values (F,) say nothing of them. at, keyed:
    (K,) where the keys stand, and what they have."""
    result = np.zeros(len(frames) - 1)
    behind = np.searchsorted(frames, at).clip(1, len(frames) - 1)
    before = behind - 1
    inside = (at > frames[before]) & (at < frames[behind])
    if not inside.any():
        return result
    rows, when = before[inside], at[inside]
    share = (when - frames[rows]) / (frames[rows + 1] - frames[rows])
    line = values[rows] + (values[rows + 1] - values[rows]) * share
    np.fmax.at(result, rows, np.abs(keyed[inside] - line))  # and not by one that is no number
    return result


def twisting(angles: Floats) -> Floats:
    """(B, F - 1) radians by which bones at most are from the rotation in the middle between two frames, if their Euler angles (B, 3, F) go
    straight from one to the other. Those about two axes are, by an eighth of the product of their steps; any that go the longer way round
    are on the other side."""
    x, y, z = np.moveaxis(np.abs(angles[:, :, 1:] - angles[:, :, :-1]), 1, 0)
    around = np.where(np.maximum(np.maximum(x, y), z) > np.pi, np.pi, 0.0)
    return np.asarray((x * y + y * z + z * x) / 8 + around, np.float64)


def turning_over(components: Sequence[NDArray[np.floating]]) -> Floats | None:
    """(F - 1,) radians, the same of a bone whose quaternion, of components (F,), changes its side from one frame to the next, as if its
    rotation went the longer way round; None for one that does not."""
    w, x, y, z = (values[1:] * values[:-1] for values in components)
    is_over = w + x + y + z < 0
    return np.where(is_over, np.pi, 0.0) if is_over.any() else None


def may_bend(parents: Sequence[int], bones: Mapping[int, Floats]) -> bool:
    """Whether a bone bends between two frames, with all that it hangs on, so that it is worth a line. parents: OBJECT or less than the
    bone's own number. bones: (F - 1,) radians of those that bend, or leg lengths by which they are moved."""
    return any(bend.max(initial=0.0) >= BEND for bend in with_above(parents, bones).values())


def upon(parents: Sequence[int], steps: Mapping[int, Floats]) -> dict[int, Floats]:
    """By bone (F - 1,) radians by which it is at most from the rotation in the middle between two frames, because it goes straight there
    upon others that go straight: by an eighth of the product of both steps. steps: (F - 1,) radians of those that rotate."""
    result, above = dict[int, Floats](), dict[int, Floats]()
    for bone, parent in enumerate((OBJECT, *parents), OBJECT):
        under = above.get(parent) if bone != OBJECT else None
        own = steps.get(bone)
        if own is not None and under is not None:
            result[bone] = own * under / 8
        every = [each for each in (own, under) if each is not None]
        if every:
            above[bone] = np.sum(every, axis=0)
    return result


def with_above(parents: Sequence[int], bones: Mapping[int, Floats]) -> dict[int, Floats]:
    """By how much bones bend with all that they hang on, the object too."""
    result = {OBJECT: bones[OBJECT]} if OBJECT in bones else dict[int, Floats]()
    for bone, parent in enumerate(parents):
        every = [each for each in (bones.get(bone), result.get(parent)) if each is not None]
        if every:
            result[bone] = every[0] if len(every) == 1 else every[0] + every[1]
    return result


def bones_at_once(frames: int) -> int:
    """How many bones are taken at once: many, since a step of numpy takes longer than a bone of a short clip; not all of a long one, which
    would be twice its keys."""
    return max(1, _TOGETHER // max(1, frames))


def steps_of(rotating: Mapping[int, NDArray[np.floating]]) -> dict[int, Floats]:
    """By bone (F - 1,) radians from one to the next of quaternions (4, F), or at most of Euler angles (3, F)."""
    result = {bone: np.abs(np.diff(values.astype(np.float64))).sum(axis=0) for bone, values in rotating.items() if len(values) == 3}
    others = [bone for bone, values in rotating.items() if len(values) == 4]
    many = bones_at_once(rotating[others[0]].shape[1]) if others else 1
    for start in range(0, len(others), many):
        some = others[start : start + many]
        every = np.array([rotating[bone] for bone in some], np.float64)
        cosines = np.abs(np.einsum("bcf,bcf->bf", every[:, :, 1:], every[:, :, :-1])).clip(0, 1)
        result |= dict(zip(some, 2 * np.arccos(cosines), strict=True))
    return result


def astray(values: Floats, mode: str) -> Floats:
    """(F - 1, B) radians by which bones are from the rotation in the middle between two frames, if what they are keyed in (F, B, C) goes
    straight from one to the other."""
    rotations, middles = quaternions(values, mode), quaternions((values[1:] + values[:-1]) / 2, mode)
    return quat.apart(middles, quat.slerp(rotations[:-1], rotations[1:], np.array(0.5)))


def at_most(modes: Sequence[str], keyed: Keyed) -> dict[int, Floats]:
    """By bone (F - 1,) about how far at most it is from the rotation in the middle between two frames, if its components go straight from
    one to the other; those without are not. modes: of all bones, and if it is among them the object's at the end."""
    euler = [bone for bone in keyed if modes[bone] not in ("QUATERNION", "AXIS_ANGLE")]
    result = dict[int, Floats](zip(euler, twisting(np.array([keyed[bone] for bone in euler], np.float64)), strict=True)) if euler else {}
    for bone, components in keyed.items():
        if modes[bone] == "AXIS_ANGLE":
            result[bone] = astray(np.array([components], np.float64).transpose(2, 0, 1), "AXIS_ANGLE")[:, 0]
        elif modes[bone] == "QUATERNION" and (over := turning_over(components)) is not None:
            result[bone] = over
    return result
