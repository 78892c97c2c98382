"""What is wanted of the target's bones while the steps of retargeting change it, and the motion that this gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..motion.rotations import quaternion as quat
from ..motion.rotations.directions import UP
from ..motion.rotations.rotation_matrix import Floats
from .figures.motion import Motion, Standing
from .setup import Setup
from .transfer.solve import Solved, Wanted


class Draft:
    """motion: the source's. wanted: what the steps change. changed: the bones that rotate otherwise than the source has them. still: the
    target's object as it stands."""

    def __init__(self, setup: Setup, motion: Motion, wanted: Wanted) -> None:
        self._setup, self._binding, self._motion = setup, setup.binding, motion
        self.wanted, self.changed = wanted, set[int]()
        self.still = Standing.still(setup.binding.target)

    @property
    def carriers(self) -> set[int]:
        """The bone that moves for the hips, if there is one."""
        return {self._binding.carrier} - {-1}

    @property
    def moved(self) -> set[int]:
        """The bones whose locations are keyed."""
        fixed = self._binding.target.fixed
        return {bone for bone in (*self.wanted.positions, *self.wanted.shifts, *self.carriers) if not fixed[bone]}

    def change(self, rotations: Mapping[int, Floats]) -> None:
        """Other rotations than those of the source."""
        self.wanted.rotations.put(rotations)
        self.changed.update(rotations)

    def rise(self, metres: Floats) -> None:
        """Let the whole body rise, by (F,)."""
        ground = self._binding.roles.get("root")
        lying = None if ground is None else self._binding.followers[ground].target
        up = metres[:, None] * UP
        self.wanted.positions.update({bone: values + up for bone, values in self.wanted.positions.items() if bone != lying})

    def lower_hips(self, lower: Floats, loops: Sequence[int | None]) -> None:
        """Let the hips come down, by metres (F,); at the end of a loop as far as where it begins. loops: of each clip the row that its last
        repeats. `lower` is changed to that."""
        if lower.any():
            hips = self._binding.followers[self._binding.roles["hips"]].target
            for rows, loop in zip(self._motion.spans.rows, loops, strict=True):
                lower[rows.stop - 1] = lower[rows.stop - 1 if loop is None else rows.start + loop]
            self.wanted.positions[hips] = self.wanted.positions[hips] - lower[:, None] * UP

    def motion(self) -> Motion:
        """The target's, as it is wanted now."""
        return self.solved().motion(None, self._motion.counts)

    def solved(self, standing: Standing | None = None) -> Solved:
        """Where another bone moves for the hips, that goes to where it brings them to their position. standing: of the object, which else
        stands still."""
        setup, wanted, frames = self._setup, self.wanted, self._motion.frames
        target, carrier = setup.binding.target, setup.binding.carrier
        standing = standing or self.still
        solved = Solved(target, frames, wanted, setup.references, standing)
        if carrier < 0:
            return solved
        motion = solved.motion(None)
        hips = setup.binding.followers[setup.binding.roles["hips"]].target
        arm = target.joint(hips, "hips") - target.heads[hips]
        rotation = quat.multiply(motion.rotations[:, hips], quat.conjugate(target.quaternions[hips]))
        missed = wanted.positions[hips] - motion.positions[:, hips] - quat.rotate(rotation, arm)
        positions = wanted.positions | {carrier: motion.positions[:, carrier] + missed}
        return Solved(target, frames, replace(wanted, positions=positions), setup.references, standing)
