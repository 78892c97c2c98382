"""Knees and elbows that bend further than the source's, as legs and arms do which are held."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from ...motion.rotations.directions import angle_between
from ...motion.rotations.rotation_matrix import Floats
from ..figures.motion import Motion
from ..limb_goals.limb_joints import joint_roles
from ..transfer import mirror
from .gauge import Gauge
from .report import BEND

_LIMBS = "leftFoot", "rightFoot", "leftHand", "rightHand"


@dataclass(frozen=True)
class Bend:
    """degrees: by which the knee or elbow of `limb` bends further than the source's, at most, 0 where less than `BEND`. row: where."""

    degrees: float = 0.0
    limb: str = ""
    row: int = 0


def furthest(gauge: Gauge, wanted: Collection[str]) -> list[Bend]:
    """Of each clip. wanted: the limbs that somebody has sent elsewhere, which bend as that needs it."""
    result = [Bend()] * len(gauge.spans)
    for limb in _LIMBS:
        if limb in wanted or not _may_bend(gauge, limb):
            continue
        beyond = _beyond(gauge, limb)
        rounded = beyond.round(6)  # of those that differ by rounding alone the first
        for clip, rows in enumerate(gauge.spans.rows):
            at = rows.start + int(rounded[rows].argmax())
            if beyond[at] >= max(BEND, result[clip].degrees + 1e-6):
                result[clip] = Bend(float(beyond[at]), limb, at)
    return result


def by_hips(bend: Bend, down: Floats, leg: float) -> float:
    """Metres by which held feet bring the hips down where a limb bends; 0 where that is too little to be why. A drop bends no leg more than
    a straight one: with thigh and shin alike, by twice the angle whose cosine is the part of its length that is left. down: (F,) metres.
    leg: the target's, in metres."""
    if not bend.limb or not len(down):
        return 0.0
    drop = float(down[bend.row])
    most = np.degrees(2 * np.arccos(np.clip(1 - drop / leg, -1, 1)))
    return drop if 2 * most >= bend.degrees else 0.0


def _may_bend(gauge: Gauge, limb: str) -> bool:
    """Whether its joint may bend further: by no more than its two bones point elsewhere than the source's."""
    binding = gauge.setup.binding
    if any(role not in binding.roles for role in joint_roles(limb)):
        return False
    rows = [binding.roles[role] for role in joint_roles(limb)]
    if any(binding.followers[row].is_uneven for row in rows) or binding.followers[rows[1]].target not in gauge.motions.bent:
        return False
    off = [gauge.shown[name] for name in map(binding.named, rows[:2]) if name in gauge.shown]
    return len(off) < 2 or bool((off[0] + off[1] >= BEND).any())


def _beyond(gauge: Gauge, limb: str) -> Floats:
    """(F,) degrees by which its joint bends further than the source's."""
    binding, motions = gauge.setup.binding, gauge.motions
    rows = [binding.roles[role] for role in joint_roles(limb)]
    partners = mirror.partners(binding) if gauge.setup.options.mirror else range(len(binding))
    leads = [binding.followers[partners[row]].source for row in rows]
    own = [binding.followers[row].target for row in rows]
    return np.degrees(_bend(motions.final, own) - _bend(motions.source, leads))


def _bend(motion: Motion, bones: list[int]) -> Floats:
    """(F,) radians by which a joint is not straight. bones: that begin there, from the body outwards."""
    first, middle, last = (motion.positions[:, bone] for bone in bones)
    return angle_between(middle - first, last - middle)
