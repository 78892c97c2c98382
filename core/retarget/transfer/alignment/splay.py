"""What no joint shows of a source's soles at rest: bodies that are made for games stand on level ones, but rest poses of captures may have
the legs opened by an angle, and the feet with them, as nobody stands, have feet that are rolled, or be a step of the motion. The motion
shows it: soles that are down are level."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from ....motion.rotations import quaternion as quat
from ....motion.rotations.directions import UP, angle_between, unit
from ....motion.rotations.rotation_matrix import Floats
from ...figures.motion import Motion
from ...figures.roles import SIDES
from ..binding import Binding
from . import stance
from .facing import Facing

_LEANS, _CLEARER = np.radians([8, 5])
"""How far shins lean to the sides at least for their soles to be asked for, and how much more level these are if they lean as well."""

_ROLLED, _MIRRORED = np.radians([10, 5])
"""How far both feet are rolled from rest at least while they are down, and beside their shins, each as far to its side as the other but for
so much, for that to be the rest pose's: feet that go along with shins stand astride."""

_STEEP = 0.5
"""How far the direction in which a foot looks goes up or down, of 1, from where on the foot does not stand."""

_BENT, _STEADY = np.radians(20), 0.95
"""How far the last bone of a leg is from level at least, and how far the frames agree, from 0 to 1, for it not to be level at rest."""

_ALIKE = np.radians(3)
"""How far limbs that stand alike point apart at most."""

_ENOUGH = 5
"""So many frames in which a foot is down show something."""


@dataclass(frozen=True, eq=False)
class _Down:
    """Some frames of a source's motion, of which those count in which a foot is down and the trunk upright."""

    binding: Binding
    motion: Motion

    @cached_property
    def _upright(self) -> NDArray[np.bool_]:
        return stance.upright(self.binding, "source", self.motion.positions)

    def away(self, row: int, other: int | None = None) -> Floats:
        """(F, 4) rotations of a foot or toes away from rest, while they are down, or of another follower in these frames."""
        low = self.binding.followers[row].source
        rows = stance.lowest(self.motion.positions[:, low][:, 2]) & self._upright
        bone = low if other is None else self.binding.followers[other].source
        return quat.multiply(self.motion.rotations[:, bone][rows], quat.conjugate(self.binding.source.quaternions[bone]))


def soles(binding: Binding, motion: Motion | None, faced: Facing) -> dict[str, Floats]:
    """By role what is up for a sole of a source, (3,) in its world, where it is not level at rest; none where the motion does not show it,
    and where the target's legs stand as the source's do: then their soles do, too."""
    if motion is None or stand_alike(binding, faced.frame):
        return {}
    down = _Down(binding, motion.few())
    result = {side + part: up for side, up in _leaning(binding, down, faced.ahead).items() for part in ("Foot", "Toes")}
    if not stance.stands(binding, "target", stance.heads(binding, "target")):
        return result
    for role in stance.SOLES:
        row = binding.roles.get(role)
        if row is not None and not binding.steering[row]:
            ups = quat.rotate(quat.conjugate(down.away(row)), UP)
            if len(ups) < _ENOUGH:
                continue
            mean = ups.mean(axis=0)
            if np.linalg.norm(mean) > _STEADY and angle_between(mean, result.get(role, UP)) > _BENT:
                result[role] = unit(mean)
    return result


def stand_alike(binding: Binding, frame: Floats) -> bool:
    """Whether the legs of both figures point in the same directions."""
    for side, (start, end) in product(SIDES, (("UpperLeg", "LowerLeg"), ("LowerLeg", "Foot"), ("Foot", "Toes"))):
        theirs, ours = (stance.line(binding, each, stance.heads(binding, each), side + start, side + end) for each in get_args(stance.Side))
        if theirs is not None and ours is not None and angle_between(frame @ theirs, ours) > _ALIKE:
            return False
    return True


def _leaning(binding: Binding, down: _Down, ahead: Floats) -> dict[str, Floats]:
    """By side what is up for soles that lean as the shins do, or else for feet that are rolled."""
    ups = {side: up for side in SIDES if (up := _shin(binding, side, ahead)) is not None}
    rolls: dict[str, Floats] = {}
    stands: dict[str, NDArray[np.bool_]] = {}
    for side, up in ups.items():
        foot, shin = (binding.roles[side + part] for part in ("Foot", "LowerLeg"))
        away = down.away(foot)
        rolls[side] = np.concatenate([_rolls(away, np.stack([UP, up]), ahead), _rolls(down.away(foot, shin), UP[None], ahead)])
        stands[side] = np.abs(quat.rotate(away, ahead)[:, 2]) < _STEEP
    if not any(each.size for each in rolls.values()):
        return {}
    level, leans, _ = np.median(np.abs(np.concatenate(list(rolls.values()), axis=1)), axis=1)
    if max(float(np.arccos(up[2])) for up in ups.values()) >= _LEANS and leans + _CLEARER < level:
        return ups
    return _rolled({side: each[[0, 2]][:, stands[side]] for side, each in rolls.items()}, ahead)


def _rolled(rolls: Mapping[str, Floats], ahead: Floats) -> dict[str, Floats]:
    """By side what is up for feet that are rolled at rest, where the motion shows both so. rolls: by side (2, F) radians to the right of
    foot and shin."""
    shown = {side: np.median(each, axis=1) for side, each in rolls.items() if each.shape[1] >= _ENOUGH}
    if len(shown) < 2:
        return {}
    feet, shins = np.array(list(shown.values())).T
    least = np.minimum(np.abs(feet), (feet - shins) * np.sign(feet)).min()
    if least < _ROLLED or abs(feet.sum()) > _MIRRORED:
        return {}
    across = np.cross(ahead, UP)
    return {side: np.cos(roll) * UP - np.sin(roll) * across for side, roll in zip(shown, feet, strict=True)}


def _shin(binding: Binding, side: str, ahead: Floats) -> Floats | None:
    """(3,) up, rotated about the axis ahead as far as the shin leans about it; None without one that goes down."""
    shin = stance.line(binding, "source", stance.heads(binding, "source"), f"{side}Foot", f"{side}LowerLeg")
    if shin is None:
        return None
    shin = shin - ahead * (shin @ ahead)
    length = float(np.linalg.norm(shin))
    return shin / length if shin[2] > stance.UPRIGHT * length else None


def _rolls(away: Floats, ups: Floats, ahead: Floats) -> Floats:
    """(N, F) radians by which a sole is rolled to the right, for each of (N, 3) that may be up for it in the reference pose."""
    across = unit(np.cross(quat.rotate(away, ahead), UP))
    return np.arcsin(np.sum(quat.rotate(away, ups[:, None]) * across, axis=2).clip(-1, 1))
