"""Elbows and knees are hinges: where a limb bends, that shows how its bones are rotated about themselves, as no direction of theirs does.
A rest pose whose limbs are straight says it by where the body's front is; a motion says it better than any rest pose."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ....motion.rotations import quaternion as quat
from ....motion.rotations.directions import angle_between, unit
from ....motion.rotations.rotation_matrix import Floats
from ...figures.motion import Motion
from ..binding import Binding, Side
from .align import Goal, swing

BENT, PLAIN = np.radians(8), np.radians(20)
"""Two bones that stand at least so far from a straight line show the axis of their hinge, and so far beyond doubt."""

_ASIDE = np.cos(np.radians(60))
"""Of the angle between where a slightly bent limb's hinge is and where a body's is: what is further away is how it was modelled."""

_OPPOSITE = -0.9
"""The cosine from where on a limb is raised so far that its front is anywhere."""

_BENDS, _RANGE, _STEADY = np.radians(25), np.radians(30), 0.9
"""A motion shows a hinge by frames that are bent so far, in a limb that bends more and less by so much, about one axis, of 1."""

_FREE = {"Leg": np.radians(35), "Arm": np.radians(60)}
"""So far off may the hinge be: shoulders rotate the elbow about the arm, and rest poses of captures have that as it comes."""

_TRUNK = ("neck", "head", "upperChest", "chest", "spine")


def at_rest(binding: Binding, row: int, frame: Floats) -> Floats | None:
    """(2, 3) the axes about which a limb bends in the target's and in the source's reference pose, for its upper bone: where both are bent;
    where one is straight and the other is bent beyond doubt, the straight one's by its body."""
    first, second = ([_directions(binding, side, row)[at] for side in ("target", "source")] for at in (0, 1))
    bent = [float(angle_between(*pair)) for pair in zip(first, second, strict=True)]
    if max(bent) < PLAIN and min(bent) < BENT:
        return None
    axes: list[Floats] = []
    for side, one, other, angle in zip(("target", "source"), first, second, bent, strict=True):
        axis = unit(np.cross(one, other)) if angle >= BENT else _of_body(binding, side, row, one)
        if axis is None:
            return None
        axes.append(axis)
    return np.stack([axes[0], frame @ axes[1]])


@dataclass(frozen=True)
class Hinge:
    """What a motion shows of a limb's bone. own, along: (3,) its hinge and where it points at the target's rest. wanted: (3,) the source's
    hinge in its reference pose, in the target's world. free: radians that it may be off."""

    bone: int
    own: Floats
    along: Floats
    wanted: Floats
    free: float

    def off(self, corrections: Floats) -> float:
        """Radians about itself by which (target bones, 3, 3) rotate the bone beside that."""
        axis, about = corrections[self.bone] @ self.own, corrections[self.bone] @ self.along
        # Both products leave out what of the wanted hinge lies along the bone, as no hinge does.
        return abs(float(np.arctan2(np.cross(axis, self.wanted) @ about, axis @ self.wanted)))


def mended(hinges: list[list[Hinge]], goals: dict[int, Goal], corrections: Floats) -> dict[int, Goal]:
    """Other goals for limbs that, as `goals` align them, would bend beside their hinges. corrections: (target bones, 3, 3) by the goals."""
    result: dict[int, Goal] = {}
    for limb in hinges:
        if any(hinge.off(corrections) >= hinge.free for hinge in limb):
            some = [hinge for hinge in limb if hinge.bone in goals and len(goals[hinge.bone].own) == 1]
            result |= {each.bone: replace(goals[each.bone], normals=np.stack([each.own, each.wanted])) for each in some}
    return result


def twisted(hinges: list[list[Hinge]], names: Sequence[str], corrections: Floats) -> dict[str, float]:
    """Bone -> degrees about itself by which a limb's bone is off its hinge, where that can be seen. names: of the target's bones."""
    off = [(hinge, hinge.off(corrections)) for limb in hinges for hinge in limb]
    return {names[hinge.bone]: float(np.degrees(angle)) for hinge, angle in off if angle >= hinge.free}


def shown(binding: Binding, motion: Motion, reference: Floats, frame: Floats) -> list[list[Hinge]]:
    """Of each limb whose hinge the source's motion shows its bones. reference: (S, 4) the source's reference pose. frame: (3, 3) from the
    source's world to the target's."""
    every = (_hinges(binding, limb, motion, reference, frame) for limb in _limbs(binding))
    return [hinges for hinges in every if hinges]


class _Limb(NamedTuple):
    """Rows of a limb's two bones, and of what follows behind them. free: as that of its hinge."""

    upper: int
    lower: int
    end: int
    free: float


def _limbs(binding: Binding) -> Iterator[_Limb]:
    for side in ("left", "right"):
        for part, free in _FREE.items():
            upper, lower = (binding.roles.get(f"{side}{which}{part}") for which in ("Upper", "Lower"))
            if upper is not None and lower is not None and binding.steering[upper] == (lower,) and len(binding.steering[lower]) == 1:
                yield _Limb(upper, lower, binding.steering[lower][0], free)


def _hinges(binding: Binding, limb: _Limb, motion: Motion, reference: Floats, frame: Floats) -> list[Hinge]:
    """Of a limb's bones, where they bend enough in the source's motion, and about one axis; as `shown`."""
    first, second = _directions(binding, "target", limb.upper)
    axis, size = np.cross(first, second), float(angle_between(first, second))
    by_body = _of_body(binding, "target", limb.upper, first)
    if by_body is None:
        return []
    is_bent = size >= PLAIN or (size >= BENT and unit(axis) @ by_body > _ASIDE)
    own = unit(axis) if is_bent else by_body
    rows = limb.upper, limb.lower, limb.end
    upper, lower, end = (motion.positions[:, binding.followers[row].source] for row in rows)
    along = unit(lower - upper), unit(end - lower)
    normals = np.cross(*along)
    bends = np.arctan2(np.linalg.norm(normals, axis=1), np.einsum("fi,fi->f", *along))
    some = bends > _BENDS
    if np.subtract(*np.quantile(bends, [0.95, 0.05])) < _RANGE or not some.any():
        return []
    result: list[Hinge] = []
    for row, direction in ((limb.upper, first), (limb.lower, second)):
        source = binding.followers[row].source
        away = quat.multiply(motion.rotations[:, source][some], quat.conjugate(reference[source]))
        axes = quat.rotate(quat.conjugate(away), normals[some])
        mean = axes.sum(axis=0)
        if np.linalg.norm(mean) > _STEADY * np.linalg.norm(axes, axis=1).sum():
            mine = swing(first, direction) @ own  # the same where it is what both bend about
            result.append(Hinge(binding.followers[row].target, mine, direction, frame @ unit(mean), limb.free))
    return result


def _of_body(binding: Binding, side: Side, row: int, direction: Floats) -> Floats | None:
    """(3,) the axis about which a limb bends that points somewhere: of a leg that hangs the line from right to left, of an arm that is
    stretched out to the side the vertical, so that the forearm goes to the front; None where nothing shows the front."""
    role = binding.followers[row].role
    part = "UpperLeg" if role.endswith("UpperLeg") else "UpperArm"
    trunk = next((each for each in _TRUNK if each in binding.roles), "")
    right, other, low, high = (binding.roles.get(each) for each in (f"right{part}", f"left{part}", "hips", trunk))
    if right is None or other is None or low is None or high is None:
        return None
    left, up = unit(binding.offsets(side, right, [other])[0]), binding.offsets(side, low, [high])[0]
    up = unit(up - left * (up @ left))
    sign = 1.0 if role.startswith("left") else -1.0
    start, axis = (-up, left) if part == "UpperLeg" else (sign * left, -sign * up)
    return None if start @ direction < _OPPOSITE else swing(start, direction) @ axis


def _directions(binding: Binding, side: Side, row: int) -> tuple[Floats, Floats]:
    """(3,) of a limb's two bones in a figure's reference pose."""
    below = binding.steering[row]
    return unit(binding.offsets(side, row, below)[0]), unit(binding.offsets(side, below[0], binding.steering[below[0]])[0])
