"""What the legs of a creature that stands on four of them say about which way it looks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ....motion.rotations.rotation_matrix import Floats
from ...figures.figure import Figure

_HOCKS, _UNBENT, _JOINTS, _LEANS = 1.0, 0.5, 0.4, 0.5
"""What hocks say, these where the joints above them are not bent the other way, as an elephant's knees are not, a joint more of the front
legs, and legs that lean."""

_HOCK, _LEAN = 0.08, 0.08
"""By how much of its leg's length a hock is behind the straight line, and a foot behind the joint with which its leg begins."""

_ABOVE_TOES, _BELOW_KNEE, _STEEP, _FOOT = 0.08, 0.45, 0.75, 0.15
"""The part of the leg's height that a hock is above the ground, at least and at most; how steep legs are, which an insect's are not; and
the part of its height up to which the first joint is a foot's."""

_DOWN, _STANDING, _BEHIND = 0.3, 0.35, 0.35
"""In lengths of a leg: how near to the ground it ends, how far above that it begins, and how far the hind legs are behind the others."""

_ASIDE = 0.3
"""Of how far aside the widest joint of a leg is, what its first one is that is no bone of the shoulder or the pelvis."""


def stand_on_fours(starts: Floats, ends: Floats, lengths: Floats, ground: float) -> NDArray[np.bool_]:
    """(N,) which limbs reach down to the ground; none where these do not begin far from each other, unlike those of coats and lying
    bodies. starts, ends: (N, 3). lengths: (N,)."""
    down = (ends[:, 2] - ground < _DOWN * lengths) & (starts[:, 2] - ends[:, 2] > _STANDING * lengths)
    apart = bool(down.any()) and float(np.ptp(starts[down, 1])) > _BEHIND * float(lengths[down].max())
    return down & apart


def legs_ahead(figure: Figure, heads: Floats, path: Floats, legs: Sequence[int]) -> float | None:
    """How much the legs say; None of what has no two pairs that are steep. legs: the left bones with which those begin that stand on the
    ground.

    Joints in the lower half of legs that are behind the straight line from end to end, and that from joint to joint, are hocks, and no
    wrist is in front of them by as much; front legs have a joint more, as a shoulder blade; and feet are behind shoulders and hips."""
    starts: list[tuple[float, int]] = []
    hocks, leans = 0.0, 0.0
    for start in legs:
        points = heads[row_out(figure, path, start)]
        line = points[-1] - points[0]
        length = float(np.linalg.norm(line))
        if len(points) < 3 or not is_steep(points):
            continue
        starts.append((float(points[0, 1]), len(points)))
        hocks += _hock(points) / length
        leans += _lean(points) / length
    if len(starts) < 2:
        return None
    hock, lean = (max(-1.0, min(1.0, each)) for each in (hocks / _HOCK, leans / len(starts) / _LEAN))
    return _HOCKS * hock + _JOINTS * float(np.sign(max(starts)[1] - min(starts)[1])) + _LEANS * lean


def _hock(points: Floats) -> float:
    """How far behind the joints (N, 3) of a leg that one is which is a hock, negative in front of them."""
    whole, own = _off(points[1:-1], points[:1], points[-1:]), bends(points)
    up = (points[1:-1, 2] - points[-1, 2]) / (points[0, 2] - points[-1, 2])
    off = np.where(whole * own > 0, np.sign(whole) * np.minimum(np.abs(whole), np.abs(own)), 0.0)
    lower = np.where((up > _ABOVE_TOES) & (up < _BELOW_KNEE), off, 0.0)
    at = int(np.argmax(np.abs(lower)))
    bent = bool((own[:at] * lower[at] < 0).any())
    return -float(lower[at]) * (1.0 if bent else _UNBENT)


def is_steep(points: Floats) -> bool:
    """Whether joints (N, 3) are those of a leg that goes down, not aside, as an insect's or a lizard's; one joint alone does not show."""
    line = points[-1] - points[0]
    return bool(-line[2] > _STEEP * np.linalg.norm(line))


def bends(points: Floats) -> Floats:
    """(N - 2,) how far in front of the lines from joint to joint those (N, 3) between are."""
    return _off(points[1:-1], points[:-2], points[2:])


def _lean(points: Floats) -> float:
    """How far behind the first joint (N, 3) of a leg that is well aside its foot is, the first one that is nearly down."""
    aside = np.abs(points[:, 0] - points[0, 0])
    first = int(np.argmax(aside >= _ASIDE * aside.max()))
    up = (points[:, 2] - points[-1, 2]) / (points[0, 2] - points[-1, 2])
    foot = int(np.argmax(up < _FOOT))
    return float(points[first, 1] - points[max(foot, first), 1])


def _off(points: Floats, above: Floats, below: Floats) -> Floats:
    """(N,) how far in front of the lines from points above to points below others are at their heights."""
    part = (points[:, 2] - below[:, 2]) / np.where(np.abs(above - below)[:, 2] > 1e-9, (above - below)[:, 2], 1e-9)
    return points[:, 1] - below[:, 1] - np.clip(part, 0, 1) * (above - below)[:, 1]


def row_out(figure: Figure, path: Floats, bone: int) -> list[int]:
    """The bones of the longest way out from one."""
    row = [bone]
    while figure.children[row[-1]]:
        above = row[-1]
        row.append(
            max(figure.children[above], key=lambda child: float(path[child] + np.linalg.norm(figure.heads[child] - figure.heads[above])))
        )
    return row
