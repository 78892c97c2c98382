"""Making two rest poses agree without anyone posing: each bone is rotated until it points where its counterpart points.

The target's hierarchy is walked from the root with an accumulated rotation in the world, as an artist would pose it: one direction to agree
with is a swing (the least rotation), several are fitted together (Kabsch), none leaves the bone where its parent takes it. The correction
takes the rest offsets of the target onto the directions of the source, so joints agree whatever the bones' roll and axes are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....motion.rotations import rotation_matrix
from ....motion.rotations.directions import unit
from ....motion.rotations.rotation_matrix import Floats
from ...figures.figure import Figure

COLLINEAR = 0.05
"""The second singular value of unit directions, below which they are taken for one line (about 3 degrees)."""


@dataclass(frozen=True, eq=False)
class Goal:
    """own: (N, 3) directions at the target's rest. wanted: (N, 3) those they shall have. Both unit vectors in the target's world.

    normals: where N is 1, a second direction (own, wanted) that decides the rotation about the first, (2, 3).
    """

    own: Floats
    wanted: Floats
    normals: Floats | None = None


def corrections(figure: Figure, goals: dict[int, Goal]) -> Floats:
    """(B, 3, 3) rotations in the world, to be applied to the target's rest orientations, that bring every bone's directions to its goal."""
    result = np.empty((len(figure), 3, 3))
    for bone, parent in enumerate(figure.parents.tolist()):
        above = result[parent] if parent >= 0 else np.eye(3)
        goal = goals.get(bone)
        result[bone] = above if goal is None else rotation_to(goal.own @ above.T, goal, above) @ above
    return result


def carried(figure: Figure, heads: Floats, rotations: Floats) -> Floats:
    """(B, 3) where joints at `heads` (B, 3) come to when bones are rotated in the world by (B, 3, 3); the roots' stay."""
    result = np.array(heads)
    for bone, parent in enumerate(figure.parents.tolist()):
        if parent >= 0:
            result[bone] = result[parent] + rotations[parent] @ (heads[bone] - heads[parent])
    return result


def rotation_to(own: Floats, goal: Goal, above: Floats) -> Floats:
    """(3, 3) from directions `own` (N, 3), as the parent brings them, to the goal's."""
    if len(own) == 1:
        rotation = swing(own[0], goal.wanted[0])
        if goal.normals is not None:
            rotation = roll(rotation @ above @ goal.normals[0], goal.normals[1], goal.wanted[0]) @ rotation
        return rotation
    return fit(own, goal.wanted)


def swing(start: Floats, end: Floats) -> Floats:
    """(3, 3) the least rotation from one unit vector to another; 180 degrees about a fixed axis where they are opposite."""
    (a, b, c), (d, e, f) = start.tolist(), end.tolist()
    x, y, z, cosine = b * f - c * e, c * d - a * f, a * e - b * d, a * d + b * e + c * f
    if cosine < -1 + 1e-9:
        across = np.cross(start, np.eye(3)[int(np.argmin(np.abs(start)))])
        across /= np.linalg.norm(across)
        return rotation_matrix.from_axis_angle(np.array([np.pi, *across]))
    share = 1 / (1 + cosine)
    return np.array(
        [
            [1 - (y * y + z * z) * share, x * y * share - z, x * z * share + y],
            [x * y * share + z, 1 - (x * x + z * z) * share, y * z * share - x],
            [x * z * share - y, y * z * share + x, 1 - (x * x + y * y) * share],
        ]
    )


def fit(own: Floats, wanted: Floats) -> Floats:
    """(3, 3) the rotation that brings directions (N, 3) nearest to others, in the least squares (Kabsch 1976).

    Where either set lies on one line there is no unique rotation: then the swing between their sums.
    """
    if min(np.linalg.svd(own, compute_uv=False)[1], np.linalg.svd(wanted, compute_uv=False)[1]) < COLLINEAR:
        # Opposite directions would cancel out: all are taken to the side of the first.
        sides = np.where(own @ own[0] < 0, -1.0, 1.0)[:, None]
        return swing(unit((own * sides).sum(axis=0)), unit((wanted * sides).sum(axis=0)))
    u, _, vt = np.linalg.svd(wanted.T @ own)
    return u @ np.diag([1.0, 1.0, np.sign(np.linalg.det(u @ vt))]) @ vt


def roll(own: Floats, wanted: Floats, axis: Floats) -> Floats:
    """(3, 3) the rotation about `axis` that brings `own` nearest to `wanted`; none where either is along the axis."""
    first, two = own - axis * np.dot(own, axis), wanted - axis * np.dot(wanted, axis)
    if min(np.linalg.norm(first), np.linalg.norm(two)) < 1e-6:
        return np.eye(3)
    angle = np.arctan2(np.dot(np.cross(first, two), axis), np.dot(first, two))
    return rotation_matrix.from_axis_angle(np.array([angle, *axis]))
