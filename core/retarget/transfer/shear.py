"""Rest axes that are not quite at right angles, as Blender has them for bones that point almost along -Y: what such bones carry is bent by
up to 6e-5 radians where these rotate, and rotations that make up for it bring limbs back to where they shall point."""

from __future__ import annotations

import numpy as np

from ...motion.rotations import quaternion as quat
from ...motion.rotations import rotation_matrix
from ...motion.rotations.rotation_matrix import Floats
from ..figures.figure import Figure
from .binding import Binding
from .solve import Solved

_SQUARE = 1e-5
"""Between rest axes, beyond what rounding makes of them: limbs are off by half as many radians at least."""

_NONE = 0.1
"""Far more than Blender's: what is as far off is no set of axes."""


def is_sheared(figure: Figure) -> bool:
    """Whether what hangs on any of the bones is not quite where rotations put it. The axes of a bone without a length, as Blender has had
    them since 5.0, are none, and nothing makes up for them."""
    carrying = np.isin(np.arange(len(figure)), figure.parents)
    axes = figure.rest[carrying, :3, :3]
    away = np.abs(axes.transpose(0, 2, 1) @ axes - np.eye(3))
    return bool((away > _SQUARE).any() and (away < _NONE).all())


class Unbent:
    """The rotations of a figure's bones, one after the other from the roots on, with what makes up for its axes. ends: by bone of a limb
    the one that it points at."""

    def __init__(self, solved: Solved, ends: dict[int, int]) -> None:
        self._solved, self._figure, self._ends = solved, solved.figure, ends
        self._axes: dict[int, Floats] = {}
        self._left = [len(children) for children in self._figure.children]

    def rotations(self, bone: int, rotations: Floats | None) -> Floats | None:
        """(F, 4) of a bone's own channel, None at rest, so that it points where these would with straight axes. To be called for every
        bone, behind those above it."""
        figure, parent = self._figure, int(self._figure.parents[bone])
        before = figure.rest[bone, :3, :3]
        if parent >= 0:
            before = self._axes[parent] @ np.linalg.solve(figure.rest[parent, :3, :3], before)
            self._left[parent] -= 1
            if not self._left[parent]:
                del self._axes[parent]
        axes = before if rotations is None else before @ rotation_matrix.from_quaternion(rotations)
        if rotations is not None and bone in self._ends and not figure.locked[bone].any():
            rotations = self._corrected(bone, rotations, axes)
            axes = before @ rotation_matrix.from_quaternion(rotations)
        if self._left[bone]:
            self._axes[bone] = np.asarray(axes, np.float64)
        return rotations

    def _corrected(self, bone: int, rotations: Floats, axes: Floats) -> Floats:
        """axes: (F, 3, 3) those that Blender makes of the rotations."""
        rest, end = self._figure.rest, self._ends[bone]
        offset = rest[end, :3, 3] - rest[bone, :3, 3]
        posed = self._solved.pose(bone)[0]
        wanted = quat.rotate(posed, quat.rotate(quat.conjugate(self._figure.links.rests[bone]), offset))
        shown = axes @ np.linalg.solve(rest[bone, :3, :3], offset)
        off = np.cross(shown, wanted) / np.einsum("fi,fi->f", shown, wanted)[:, None]  # radians, which are few
        half = quat.rotate(quat.conjugate(posed), off) / 2
        return quat.normalised(quat.multiply(rotations, np.concatenate([np.ones((len(half), 1)), half], axis=1)))


def unbent(binding: Binding, solved: Solved) -> Unbent | None:
    """None where the target's axes are straight, or where its bones do not simply hang on each other."""
    figure = binding.target
    if not is_sheared(figure) or solved.sized or figure.hinged.any():
        return None
    followers = binding.followers
    limbs = {follower.target: below[0] for follower, below in zip(followers, binding.steering, strict=True) if len(below) == 1}
    return Unbent(solved, {bone: followers[row].target for bone, row in limbs.items() if figure.parents[followers[row].target] == bone})
