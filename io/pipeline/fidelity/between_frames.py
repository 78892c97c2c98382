"""Clips that are sampled frame by frame, as they look: where they bend or leap between two frames, which the game passes straight.

At the game's own rate nobody sees that; in slow motion, with motion blur and on faster screens it is seen. A smooth curve is hardly bent
within one frame. What the clip's own curves do is known from these. Constraints, drivers, strips and other objects may do anything: these
clips are looked at half-way between any two frames as well, where a leap shows half of itself, and closer where something is seen there.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import fields, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ....core.motion.comparison import REST, SLACK, Bones, Difference, Steps, Stretches
from ....core.motion.curves import Channel
from ....core.motion.rotations.rotation_matrix import Floats
from .pair import Pair

_ANGLE = math.radians(1)
"""What a bone may be off between two frames: seen by nobody, and more than fast motion of smooth curves is."""

_SIZE = 0.02
"""The same of a scale."""

_SHARE = 0.01
"""The same of what moves bones by a constraint or a driver, such as an influence, as a share of how far it goes."""

_QUARTERS = np.array([0.25, 0.5, 0.75])


class Look(Protocol):
    """Which bones are off at frames (F,) by more than these steps: of each the worst frame, in each stretch."""

    def __call__(self, frames: Floats, steps: Steps, stretches: Stretches | None = None, /) -> list[Difference]: ...


def differences(pair: Pair, bones: Bones, look: Look, named: Collection[str]) -> list[Difference]:
    """Where a clip is off between the frames of the scene at which it is sampled. named: bones that are off at these, too."""
    sampled, least = pair.frames(bones.names), steps(pair, bones)
    if len(sampled) < 2:
        return []
    frames = _bent(pair, sampled, least)
    if pair.evaluated:
        half = replace(least, **{item.name: getattr(least, item.name) / 2 for item in fields(least)})
        suspects = [each.frame for each in _off(sampled, sampled[:-1] + np.diff(sampled) / 2, half, look, named)]
        near = np.searchsorted(sampled, [frame for frame in suspects if frame > sampled[0]]) - 1
        frames = np.union1d(frames, _quarters(sampled)[near])
    return _off(sampled, frames, least, look, named) if len(frames) else []


def _off(sampled: Floats, frames: Floats, least: Steps, look: Look, named: Collection[str]) -> list[Difference]:
    """Which bones are off at frames (F,) between those that are sampled; of those that are off there, too, where they are by more."""
    first = sampled[:1]  # where the object is counts from there
    apart = look(np.append(first, frames), least)
    both = frozenset(each.bone for each in apart if each.bone in named)
    return [each for each in apart if each.bone not in both] + (_besides(sampled, frames, least, look, both) if both else [])


def _besides(sampled: Floats, frames: Floats, least: Steps, look: Look, bones: frozenset[str]) -> list[Difference]:
    """Of each bone where it is off between two sampled frames by most more than at either, if that counts."""
    after = np.unique(np.searchsorted(sampled, frames))
    # Each sampled frame is a stretch, and what lies between two is one.
    edges = np.union1d(sampled, np.nextafter(sampled, -np.inf))
    at = np.unique(np.concatenate([sampled[:1], sampled[after - 1], sampled[after], frames]))
    apart = look(at, least, Stretches(edges, bones))
    known = set(sampled.tolist())
    ends = {(each.bone, each.frame): each.steps for each in apart if each.frame in known}
    most: dict[str, tuple[float, Difference]] = {}
    for each in apart:
        if each.frame in known:
            continue
        index = int(np.searchsorted(sampled, each.frame))
        besides = each.steps - max(ends.get((each.bone, float(end)), 0.0) for end in sampled[index - 1 : index + 1])
        if besides > max(1.0, most[each.bone][0] if each.bone in most else 0.0):
            most[each.bone] = besides, each
    return [each for _, each in most.values()]


def steps(pair: Pair, bones: Bones) -> Steps:
    """What may be off, as the least that counts, besides what fewer keys may: at the far end of a character as far as that angle
    brings it."""
    reach = float(np.linalg.norm(bones.rest[:, :3, 3], axis=-1).max(initial=0)) or 1.0
    far = _ANGLE * reach / pair.clip.scale / SLACK
    return Steps(_ANGLE / SLACK + pair.clip.steps.rotation, far, far, _SIZE)


def _quarters(sampled: Floats) -> Floats:
    """(F - 1, 3) between frames (F,)."""
    return np.asarray(sampled[:-1, None] + np.diff(sampled)[:, None] * _QUARTERS)


def _bent(pair: Pair, sampled: Floats, least: Steps) -> Floats:
    """(F,) quarters between those of the sampled frames (K,) where a curve is off its straight line by half of what counts."""
    between = _quarters(sampled)
    bent: NDArray[np.bool_] = np.zeros(len(between), np.bool_)
    for channel, curve in pair.curves.items():
        moves = channel.property in REST or bool(pair.evaluated)
        if not moves or (curve.plain and np.isin(curve.keys[:, 0], sampled.astype(np.float32)).all()):
            continue
        values, there = curve.at(sampled), curve.at(between.ravel()).reshape(between.shape)
        straight = values[:-1, None] + np.diff(values)[:, None] * _QUARTERS
        bent |= (np.abs(there - straight) > _enough(channel, np.append(values, there), least, pair.clip.scale)).any(axis=1)
    for bone in {channel.bone for channel in pair.curves if channel.property == "rotation_quaternion"}:
        bent |= _uneven(pair, bone, sampled) > least.rotation / 4
    for bone in pair.suspects & pair.clip.modes.keys() if not pair.evaluated else ():
        bent |= _crooked(pair, bone, sampled) > least.rotation / 4
    return np.asarray(between[bent].ravel())


def _uneven(pair: Pair, bone: str, sampled: Floats) -> Floats:
    """(K - 1,) how far, at quarters between two frames, the quaternion on the straight line of the curves is from that between the
    rotations: on a long chord the ones in its middle are short, and pass fast. Between opposite signs it goes the long course."""
    rows = np.stack([pair.shown_value(Channel(bone, "rotation_quaternion", index), sampled) for index in range(4)], axis=1)
    lengths = np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    opposite = np.where((rows[1:] * rows[:-1]).sum(axis=1) < 0, np.pi, 0.0)
    if np.ptp(lengths) < 1e-3 * lengths.min():
        return opposite
    shares = _QUARTERS[:, None, None]
    lines = [each[:-1] * (1 - shares) + each[1:] * shares for each in (rows, rows / lengths)]
    shown, straight = (each / np.maximum(np.linalg.norm(each, axis=-1, keepdims=True), 1e-9) for each in lines)
    return np.maximum(opposite, np.linalg.norm(shown - straight, axis=-1).max(axis=0))


def _crooked(pair: Pair, bone: str, sampled: Floats) -> Floats:
    """(K - 1,) about how far, in radians, straight lines of Euler angles between two frames are from the arc, on either side: what two
    angles do at once goes a different course in each order."""
    out: Floats = np.zeros(len(sampled) - 1)
    channels = [Channel(bone, "rotation_euler", index) for index in range(3)]
    for known, value in ((pair.written, pair.written_value), (pair.curves, pair.shown_value)):
        if not known.keys().isdisjoint(channels):
            steps = np.sort(np.abs(np.diff([value(channel, sampled) for channel in channels])), axis=0)
            out = np.maximum(out, steps[2] * steps[1] / 8)
    return out


def _enough(channel: Channel, values: Floats, least: Steps, scale: float) -> float:
    """Half of what counts of a channel that has these values."""
    match channel.property:
        case "location":
            return least.translation * scale / 2
        case "scale":
            return least.scale / 2
        case "rotation_quaternion":
            return least.rotation / 4  # its components are of half the angle
        case "rotation_euler" | "rotation_axis_angle":
            return least.rotation / 2
        case _:
            return max(_SHARE / 2 * float(np.ptp(values)), 1e-6)
