"""The joints of the limbs that may have goals, in source and target.

The source's are as seen from the target: heading into its world, mirrored where the clip is, still in its own size."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...motion.rotations import quaternion as quat
from ...motion.rotations.rotation_matrix import Floats
from ..figures.motion import Motion
from ..figures.roles import FEET, sided
from ..setup import Setup
from ..transfer import mirror

_PARTS = {"Hand": ("UpperArm", "LowerArm", "Hand"), "Foot": ("UpperLeg", "LowerLeg", "Foot")}

_APART = 1e-6
"""In leg lengths: what is nearer together is in one position but for rounding."""


@dataclass(frozen=True, eq=False)
class LimbJoints:
    """source: the source's motion. Joints are numbered as followers, by which both figures have them."""

    setup: Setup
    source: Motion

    def known(self, limb: str) -> bool:
        """Whether the map has all joints of a limb."""
        return len(self.setup.binding.rows_of(*joint_roles(limb))) == 3

    def rows(self, limb: str) -> tuple[int, int, int]:
        """The joints of a limb that is known, from the body outwards."""
        first, second, end = self.setup.binding.rows_of(*joint_roles(limb))
        return first, second, end

    def joint(self, row: int) -> Floats:
        """(F, 3) the source's joint."""
        if self.setup.options.mirror:
            row = mirror.partners(self.setup.binding)[row]
        follower = self.setup.binding.followers[row]
        positions = self.source.positions[:, follower.source]
        beside = follower.anchor - self.setup.binding.heads[follower.source]
        if np.abs(beside).max() > _APART * self.setup.legs.source:  # in chains of unlike lengths joints are between the source's
            delta = quat.multiply(self.source.rotations[:, follower.source], quat.conjugate(self.setup.source_rotations[follower.source]))
            positions = positions + quat.rotate(delta, beside)
        positions = positions @ self.setup.frame.T
        return mirror.reflect_vectors(positions, self.setup.facing.lateral) if self.setup.options.mirror else positions

    def tip(self, limb: str) -> Floats:
        """(F, 3) where the source's limb ends."""
        return self.joint(self.rows(limb)[2])

    def end(self, target: Motion, limb: str) -> Floats:
        """(F, 3) where the target's limb ends."""
        return target.positions[:, self.setup.binding.followers[self.rows(limb)[2]].target]

    def hips(self, target: Motion) -> Floats:
        """(F, 3) the target's hips' joint, which is not the head of the bone in some control rigs."""
        figure = self.setup.binding.target
        row = self.setup.binding.hips
        bone = self.setup.binding.followers[row].target
        arm = figure.joint(bone, "hips") - figure.heads[bone]
        rest = figure.quaternions[bone]
        return target.positions[:, bone] + quat.rotate(quat.multiply(target.rotations[:, bone], quat.conjugate(rest)), arm)

    def lengths(self, limb: str) -> tuple[float, float]:
        """Metres from joint to joint in source and target."""
        followers = [self.setup.binding.followers[row] for row in self.rows(limb)]
        points = np.array([one.anchor for one in followers]), self.setup.binding.target.heads[[one.target for one in followers]]
        source, target = (float(np.linalg.norm(np.diff(each, axis=0), axis=1).sum()) for each in points)
        return source, target

    @cached_property
    def factor(self) -> float:
        """Target metres a source metre, by the legs."""
        return self.setup.legs.target / self.setup.legs.source

    @cached_property
    def floor(self) -> float:
        """The height of the target's ground: of its feet's joints where it stands at rest."""
        binding = self.setup.binding
        feet = [binding.followers[row].target for row in binding.rows_of(*FEET)]
        return float(binding.target.heads[feet, 2].min()) if feet and self.setup.legs.stands[1] else self.setup.legs.target_floor


def joint_roles(name: str) -> tuple[str, ...]:
    """The roles of a limb's joints."""
    side, part = sided(name)
    return tuple(side + each for each in _PARTS[part])
