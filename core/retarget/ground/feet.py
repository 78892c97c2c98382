"""Feet that stand stay where they stand, and so do hands: each contact of the source is held at one position by bending the limb.

The toe is held at the mean of its positions during the contact, eased in and out; the ankle moves along, so that the foot keeps its angle.
Where both legs together cannot reach, the hips come down by the smallest amount, smoothed over time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from ...motion import quaternion as quat
from ...motion.rotation_matrix import Floats
from ..figures.motion import Motion
from ..figures.spans import Spans
from ..transfer import limb, mirror
from ..transfer.binding import Binding, Follower
from . import contacts
from .root import Legs

EASE = 0.12
"""Seconds."""

DEEPEST = 0.2
"""In leg lengths: further the hips never come down."""

DOWN = 0.04
"""In leg lengths: feet that come down to where they are at rest are no further from there at their lowest."""

VISIBLE = 0.02
"""In leg lengths: feet that float or sink by less stay as they are."""

UNREACHED = 0.01
"""In leg lengths: a goal that is missed by more is reported."""

GROUNDED, STILL = 0.2, 0.6
"""The part of a clip in which a foot stands, at least, to show where the ground is; and the same of a clip of one who lies."""

_ERECT, _UNDER = 0.5, 0.4
"""Of the trunk's length its height, and leg lengths by which feet are below the hips: who has less of both lies, swims or flies."""

_LEG, _ARM = ("UpperLeg", "LowerLeg", "Foot", "Toes"), ("UpperArm", "LowerArm", "Hand", "MiddleProximal")


@dataclass(frozen=True, eq=False)
class Limb:
    """Rows of the followers: first and second bone, end, and what touches the ground. touching: (F,) detected on the source."""

    name: str
    rows: tuple[int, int, int, int]
    touching: NDArray[np.bool_]

    @cached_property
    def runs(self) -> list[contacts.Run]:
        """The stretches in which it touches, of one clip."""
        return contacts.runs(self.touching)


@dataclass(frozen=True, eq=False)
class Footing:
    """How the limbs of one clip are on the ground. is_grounded: whether the clip is one over the ground. above: as `height` gives it of the
    source's feet, where these show the ground. comes_down: whether they do, or all of its feet come down to where they are
    at rest, and no further."""

    limbs: list[Limb]
    is_grounded: bool
    above: float | None
    comes_down: bool


@dataclass(frozen=True, eq=False)
class Locked:
    """rotations: (F, 4) new ones in the world by target bone. hips: (F,) metres by which they come down. missed: by limb (F,) metres
    between goal and end while it touches."""

    rotations: dict[int, Floats] = field(default_factory=dict[int, Floats])
    hips: Floats = field(default_factory=lambda: np.zeros(0))
    missed: dict[str, Floats] = field(default_factory=dict[str, Floats])


def footing(
    binding: Binding, source: Motion, fps: float, measured: Legs, hands: bool, given: Mapping[str, NDArray[np.bool_]] | None = None
) -> Footing:
    """Of one clip. given: as for `limbs`."""
    limbs_ = limbs(binding, source, fps, measured, hands, given)
    is_grounded = bool(given) or keeps_ground(limbs_, source, binding, measured.source)
    known = bool(given) or (is_grounded and shows_ground(limbs_))
    above = height(limbs_, binding, source, True, measured) if known else None
    if above is not None:
        return Footing(limbs_, is_grounded, above, True)
    each = [abs(lowest([item], binding, source, True, measured)) for item in limbs_ if item.name.endswith("Foot")]
    return Footing(limbs_, is_grounded, None, max(each, default=np.inf) < DOWN * measured.source)


def joined(every: Sequence[list[Limb]]) -> list[Limb]:
    """The limbs of clips one after another."""
    if len(every) == 1:
        return every[0]
    return [Limb(same[0].name, same[0].rows, np.concatenate([each.touching for each in same])) for same in zip(*every, strict=True)]


def limbs(
    binding: Binding, source: Motion, fps: float, measured: Legs, hands: bool, given: Mapping[str, NDArray[np.bool_]] | None = None
) -> list[Limb]:
    """The legs, and on request the arms, that both figures have. given: contacts by limb (leftFoot, rightHand …) instead of those
    detected."""
    limbs_: list[Limb] = []
    seconds = source.frames / fps
    parts_down = ("Toes", "Foot") if hands else ()  # what hands touch is the ground that feet are on
    feet = [row for side in ("left", "right") for part in parts_down if (row := binding.roles.get(side + part)) is not None]
    ground = min((contacts.quantile(source.positions[:, binding.followers[row].source, 2], contacts.LOWEST) for row in feet), default=0.0)
    for parts in (_LEG, _ARM) if hands else (_LEG,):
        for side in ("left", "right"):
            rows = [binding.roles.get(side + part) for part in parts]
            if rows[0] is None or rows[1] is None or rows[2] is None:
                continue
            toe = rows[3] if rows[3] is not None and parts is _LEG else rows[2]
            name = f"{side}{parts[2]}"
            positions = source.positions[:, binding.followers[toe].source]
            touching = contacts.standing(positions, seconds, measured.source, None if parts is _LEG else ground)
            limbs_.append(Limb(name, (rows[0], rows[1], rows[2], toe), given[name] if given and name in given else touching))
    return limbs_


def keeps_ground(limbs_: list[Limb], source: Motion, binding: Binding, leg: float) -> bool:
    """Whether a clip is one over the ground: feet stand in it, and the body does not lie while they are seldom still, as one who swims."""
    legs = [item.touching for item in limbs_ if item.name.endswith("Foot") and item.touching.any()]
    return bool(legs) and (np.any(legs, axis=0).mean() > STILL or not _lies(limbs_, source, binding, leg))


def shows_ground(limbs_: list[Limb]) -> bool:
    """Whether feet stand for a good part of a clip, so that this is the ground."""
    legs = [item.touching for item in limbs_ if item.name.endswith("Foot")]
    return bool(legs) and bool(np.any(legs, axis=0).mean() >= GROUNDED)


def _lies(limbs_: list[Limb], source: Motion, binding: Binding, leg: float) -> bool:
    """Whether the trunk is level and the feet are not below it, for most of the clip."""
    hips, head = binding.roles.get("hips"), binding.roles.get("head")
    if hips is None or head is None:
        return False
    low, top = (source.positions[:, binding.followers[row].source] for row in (hips, head))
    trunk = top - low
    erect = trunk[:, 2] > _ERECT * np.linalg.norm(trunk, axis=1)
    return bool((erect | (low[:, 2] - _feet(limbs_, source, binding) > _UNDER * leg)).mean() < 0.5)


def _feet(limbs_: list[Limb], source: Motion, binding: Binding) -> Floats:
    """(F,) the mean height of the feet."""
    feet = [binding.followers[item.rows[3]].source for item in limbs_ if item.name.endswith("Foot")]
    return np.asarray(source.positions[:, feet, 2].mean(axis=1), np.float64)


def height(limbs_: list[Limb], binding: Binding, motion: Motion, in_source: bool, measured: Legs) -> float | None:
    """Metres by which the lowest standing foot is above where the lowest is at rest, in the middle of all frames; None where none stands.
    For a target that does not stand at rest, above its floor."""
    legs = [item for item in limbs_ if item.name.endswith("Foot") and item.touching.any()]
    if not legs:
        return None
    followers = [binding.followers[item.rows[3]] for item in legs]
    bones = [one.source if in_source else one.target for one in followers]
    levels = np.full(len(motion.frames), np.inf)
    for item, bone in zip(legs, bones, strict=True):
        np.minimum(levels, motion.positions[:, bone, 2], out=levels, where=item.touching)
    return contacts.quantile(levels[levels < np.inf], 0.5) - _floor(followers, binding, in_source, measured)


def lowest(limbs_: list[Limb], binding: Binding, motion: Motion, in_source: bool, measured: Legs) -> float:
    """Metres by which the lowest of the legs' ends is in a clip above where the lowest is at rest."""
    followers = [binding.followers[item.rows[3]] for item in limbs_ if item.name.endswith("Foot")]
    if not followers:
        return 0.0
    bones = [one.source if in_source else one.target for one in followers]
    level = contacts.quantile(np.minimum.reduce([motion.positions[:, bone, 2] for bone in bones]), contacts.LOWEST)
    return level - _floor(followers, binding, in_source, measured)


def _floor(followers: list[Follower], binding: Binding, in_source: bool, measured: Legs) -> float:
    """The height of the lowest foot of a figure that stands; where the target does not at rest, that of its floor."""
    if not in_source and not measured.stands[1]:
        return measured.target_floor
    return min(float(one.anchor[2] if in_source else binding.target.heads[one.target, 2]) for one in followers)


def standing_off(run: contacts.Run, away: Floats) -> float:
    """Metres that a foot is off the ground while it stands, at most and for as long as a contact takes. away: (F,) as `level.off_ground`
    gives it, of one clip."""
    values = away[run.start : run.stop]
    width = min(contacts.SHORTEST, len(values))
    windows = [values[start : len(values) - width + 1 + start] for start in range(width)]
    return float(max(np.minimum.reduce(windows).max(), np.maximum.reduce(windows).min(), key=abs))


def mirrored(limbs_: list[Limb]) -> list[Limb]:
    """Each limb with the contacts of the other side's."""
    by_name = {item.name: item.touching for item in limbs_}
    return [Limb(item.name, item.rows, by_name.get(mirror.other_side(item.name), item.touching)) for item in limbs_]


def lock(
    binding: Binding,
    limbs_: list[Limb],
    target: Motion,
    references: Floats,
    fps: float,
    measured: Legs,
    lateral: Floats,
    drop: bool,
    spans: Spans,
    away: Mapping[str, Floats],
) -> Locked:
    """target: the motion without contacts. references: (target bones, 4). lateral: (3,) from the right to the left of the target. spans:
    the clips. away: by leg (F,) as `level.off_ground` gives it: whoever stands in the ground or above it by what can be seen is put onto
    it."""
    locked = Locked(hips=np.zeros(len(target.frames)))
    seconds = target.frames / fps
    goals: dict[str, Floats] = {}
    for item in limbs_:
        goals[item.name] = _goal(binding, item, target, seconds, spans, away.get(item.name), VISIBLE * measured.target)
    legs = [item for item in limbs_ if item.name.endswith("Foot")]
    down = np.zeros(len(seconds))
    if drop and legs and "hips" in binding.roles:
        down = _drop(binding, legs, target, goals, seconds, measured, spans)
        locked.hips[:] = down
    for item in limbs_:
        start, middle, end = (target.positions[:, binding.followers[row].target] for row in item.rows[:3])
        moved = np.stack([np.zeros(len(down)), np.zeros(len(down)), down], axis=1)
        first, second, _, _ = (binding.followers[row].target for row in item.rows)
        across = quat.rotate(quat.conjugate(references[first]), lateral if item.name.endswith("Foot") else -lateral)
        hinge = limb.hinge_axis(middle - start, end - start, target.rotations[:, first], across, spans)
        bent = limb.bend(start - moved, middle - moved, end - moved, goals[item.name], hinge)
        locked.rotations[first] = quat.multiply(bent.first, target.rotations[:, first])
        locked.rotations[second] = quat.multiply(bent.second, target.rotations[:, second])
        # Feet and hands keep their angle, whether or not the map would rotate them anyway.
        for row in item.rows[2:]:
            bone = binding.followers[row].target
            locked.rotations[bone] = target.rotations[:, bone]
        locked.missed[item.name] = np.where(item.touching, bent.missed, 0.0)
    return locked


def _goal(binding: Binding, item: Limb, target: Motion, seconds: Floats, spans: Spans, away: Floats | None, least: float) -> Floats:
    """(F, 3) where the limb's end shall be: still while it stands, on the ground where it is off it by more than `least` metres; what that
    takes at the edges fades out before and after, beside the limb's own motion."""
    toe, end = (target.positions[:, binding.followers[row].target] for row in (item.rows[3], item.rows[2]))
    offset, whole = np.zeros_like(toe), np.zeros(len(seconds))
    for rows in spans.rows:
        clock, there = seconds[rows], toe[rows]
        apart = np.zeros(len(there)) if away is None else away[rows]
        for run in contacts.runs(item.touching[rows]):
            inside = np.arange(len(there)).clip(run.start, run.stop - 1)
            beside = np.maximum(clock[run.start] - clock, clock - clock[run.stop - 1]).clip(0, EASE)
            weight = 0.5 + 0.5 * np.cos(np.pi * beside / EASE)
            moved = there[run.start : run.stop].mean(axis=0) - there[inside]
            if abs(standing_off(run, apart)) > least:
                moved[:, 2] = -apart[inside]
            offset[rows] += weight[:, None] * moved
            whole[rows] += weight
    return end + offset / np.maximum(whole, 1.0)[:, None]


def _drop(
    binding: Binding, legs: list[Limb], target: Motion, goals: dict[str, Floats], seconds: Floats, measured: Legs, spans: Spans
) -> Floats:
    """(F,) metres: enough for every leg to reach its goal while it touches, smoothed without falling below what is needed."""
    needed = np.zeros(len(seconds))
    for item in legs:
        start, middle, end = (target.positions[:, binding.followers[row].target] for row in item.rows[:3])
        length = np.linalg.norm(middle - start, axis=1) + np.linalg.norm(end - middle, axis=1)
        goal = goals[item.name]
        full = np.maximum(limb.SOFT * length, np.linalg.norm(end - start, axis=1))
        flat = np.linalg.norm((goal - start)[:, :2], axis=1)
        height = np.sqrt(np.maximum(full**2 - flat**2, 0.0))
        moved = np.abs(goal - end).max(axis=1) > 1e-9
        needed = np.maximum(needed, np.where(moved, start[:, 2] - goal[:, 2] - height, 0.0))
    needed = np.minimum(needed, DEEPEST * measured.target)
    return np.concatenate([_smoothed(needed[rows], seconds[rows]) for rows in spans.rows]) if needed.any() else needed


def _smoothed(needed: Floats, seconds: Floats) -> Floats:
    """(F,) what one clip needs, without jumps."""
    if not needed.any() or len(seconds) < 3:
        return needed
    width = max(1, round(EASE / max(contacts.quantile(np.diff(seconds), 0.5), 1e-6)))
    # The largest need nearby, then its moving average over the same width: never less than the need itself.
    padded = np.pad(needed, 2 * width, mode="edge")
    largest = sliding_window_view(padded, 2 * width + 1).max(axis=1)
    weights = np.hanning(2 * width + 3)[1:-1]
    return np.asarray(np.convolve(largest, weights / weights.sum(), mode="valid"), np.float64)
