"""Which way a figure looks: what its trunk, its toes, its tail and its face say."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ....motion.rotations.rotation_matrix import Floats
from ...figures.figure import Figure
from .parts import LARGE, LEFT, MIDDLE, RIGHT

_SMALL = 0.4
"""Of the same: what is longer is no part of a face, as palps and ears are."""

_LIMB = 0.1
"""In lengths of the longest limb: what is shorter than this, or has one bone, is no limb that shows where the trunk goes."""

_TAIL, _FACE = 0.8, 0.6
"""What speaks for a figure looking ahead if but one of its ends is bare, and if all that is small is at the other."""

_JAW, _SHORT, _STEPS = 0.8, 0.35, 3
"""What speaks for it if but one of its ends has a jaw: a bone on a head begins where that does, or nearly, nearer than this, in mean steps
of the row of so many bones or more that ends there; a tail ends in steps of about one length."""

_GROUND, _HIGH, _UPRIGHT = 0.15, 0.25, 0.7
"""Feet are nearer to the ground, of the figure's height, legs begin higher; and what is long from its
front to its back is longer than this."""


_TRUNK, _HOCKS, _JOINTS, _TOES, _HIGH_HEAD, _LONG_TAIL, _ENOUGH = 0.5, 1.0, 0.4, 0.5, 0.5, 0.3, 1.2
"""Of what stands on fours: what its trunk, hocks, a joint more of the front legs, toes, a head that is held high and a tail say, of what
its face does; and how much of this is enough."""

_HOCK, _ABOVE_TOES, _BELOW_KNEE, _STEEP, _FOURS, _AT_END, _HIGH_UP = 0.08, 0.08, 0.45, 0.75, 0.35, 0.15, 0.2
"""By how much of its leg's length a hock is behind the straight line; the part of the leg's height that it is above the ground, at least
and at most; how steep legs are, which an insect's are not; how far apart those of what stands on fours are, in their lengths; the part of
the middle that is its end; and by how much of the figure's height a head is high."""


def looks_ahead(figure: Figure, heads: Floats, kinds: Sequence[int], mass: Floats, path: Floats, below: Floats) -> float:
    """What speaks for a figure looking along its second axis, -1 to 1: its trunk, as far as that leaves it open its toes, then its tail
    behind it and a face with eyes and ears at the other end, as a bird's tail has feathers as a face has ears; and at last a jaw. Of what
    stands on fours all of these together, its hocks and a head that is held high: not each maker's rig begins at the hips."""
    ahead = 0.0
    tail, face = _ends(figure, heads, kinds, mass, below)
    trunk, toes = _trunk(figure, heads, kinds, mass), _toes(figure, heads, kinds, mass, path)
    legs = _legs(figure, heads, kinds, mass, path)
    if legs is not None:
        all_says = (
            _TRUNK * trunk
            + _HOCKS * legs[0]
            + _JOINTS * legs[1]
            + _TOES * toes
            + face
            + _HIGH_HEAD * _rise(heads, kinds)
            + _LONG_TAIL * tail
        )
        return max(-1.0, min(1.0, float(all_says) / _ENOUGH))
    for says in (
        trunk,
        toes,
        _TAIL * tail + _FACE * face,
        _JAW * _jaw(figure, heads, kinds),
    ):
        ahead += (1 - abs(ahead)) * max(-1.0, min(1.0, float(says)))
    return ahead


def front_shows(figure: Figure, heads: Floats, kinds: Sequence[int], mass: Floats, ahead: float, on_fours: bool = False) -> bool:
    """Whether a figure alone shows which way it looks: more speaks for it than a tail can, or more bones are in a row at its back than at
    its front, as tails are rows and heads are none. That one of two lone bones is longer shows nothing, nor do neck and tail of what stands
    on fours. ahead: as of `looks_ahead`. on_fours: as of `Body`."""
    if abs(ahead) > _TAIL or on_fours:
        return abs(ahead) > _TAIL
    bones = [0, 0]
    for row in _tails(figure, heads, kinds, mass):
        end = int(_along(figure, heads, row) > 0)
        bones[end] = max(bones[end], len(row))
    return ahead * (bones[0] - bones[1]) > 0


def _trunk(figure: Figure, heads: Floats, kinds: Sequence[int], mass: Floats) -> float:
    """How far forward the trunk goes to where limbs hang on it, from where others do or from where it forks, -1 to 1: rigs begin at the
    hips. What hangs on a tail, as feathers and flukes do, is but one bone, or smaller and at its end."""
    hung: dict[int, float] = {}
    for bone, kind in enumerate(kinds):
        above = int(figure.parents[bone])
        if kind == LEFT and figure.children[bone] and mass[bone] > _LIMB and above >= 0 and kinds[above] == MIDDLE:
            hung[above] = max(hung.get(above, 0.0), float(mass[bone]))
    largest = max((limb for hub, limb in hung.items() if any(kinds[child] == MIDDLE for child in figure.children[hub])), default=0.0)
    ahead, length = 0.0, 0.0
    for hub, limb in hung.items():
        if limb < largest and not any(kinds[child] == MIDDLE for child in figure.children[hub]):
            continue
        above = int(figure.parents[hub])
        while above >= 0 and above not in hung and not _forks(figure, kinds, above):
            above = int(figure.parents[above])
        if above >= 0:
            step = heads[hub] - heads[above]
            ahead += limb * float(step[1])
            length += limb * float(np.linalg.norm(step))
    return ahead / length if length > 0 else 0.0


def _forks(figure: Figure, kinds: Sequence[int], bone: int) -> bool:
    return sum(kinds[child] == MIDDLE for child in figure.children[bone]) > 1


def _toes(figure: Figure, heads: Floats, kinds: Sequence[int], mass: Floats, path: Floats) -> float:
    """How far forward the ends of the legs point, -1 to 1."""
    low, height = float(heads[:, 2].min()), float(np.ptp(heads[:, 2]))
    forward: list[float] = []
    for start, kind in enumerate(kinds):
        above = int(figure.parents[start])
        if kind not in (LEFT, RIGHT) or mass[start] < LARGE or (above >= 0 and kinds[above] != MIDDLE):
            continue
        row = _row_out(figure, path, start)
        end = heads[row[-1]]
        if end[2] - low > _GROUND * height or heads[start][2] - low < _HIGH * height or len(row) < 3:
            continue
        foot = end - heads[row[-2]]
        forward.append(float(foot[1] / max(float(np.linalg.norm(foot)), 1e-12)))
    return float(np.mean(forward)) if forward else 0.0


def _legs(figure: Figure, heads: Floats, kinds: Sequence[int], mass: Floats, path: Floats) -> tuple[float, float] | None:
    """How far behind the straight line from end to end, and that from joint to joint, the joints in the lower half of legs are, as hocks
    are and no wrist is in front of them by as much, -1 to 1; and 1 where the front legs have more joints than the hind ones, as with a
    shoulder blade, -1 where they have fewer. None of what does not stand on fours."""
    low, height = float(heads[:, 2].min()), float(np.ptp(heads[:, 2]))
    starts: list[tuple[float, int]] = []
    behind, longest = 0.0, 0.0
    for start, kind in enumerate(kinds):
        above = int(figure.parents[start])
        if kind != LEFT or mass[start] < LARGE or (above >= 0 and kinds[above] != MIDDLE):
            continue
        points = heads[_row_out(figure, path, start)]
        line = points[-1] - points[0]
        if len(points) < 3 or points[-1, 2] - low > _GROUND * height or points[0, 2] - low < _HIGH * height:
            continue
        length = float(np.linalg.norm(line))
        if -line[2] < _STEEP * length:
            continue
        longest = max(longest, length)
        starts.append((float(points[0, 1]), len(points)))
        whole, own = (_off(points[1:-1], *ends) for ends in ((points[:1], points[-1:]), (points[:-2], points[2:])))
        up = (points[1:-1, 2] - points[-1, 2]) / -line[2]
        off = np.where(whole * own > 0, np.sign(whole) * np.minimum(np.abs(whole), np.abs(own)), 0.0)
        lower = off[(up > _ABOVE_TOES) & (up < _BELOW_KNEE)]
        if len(lower):
            behind -= float(lower[np.argmax(np.abs(lower))]) / length
    if len(starts) < 2 or max(starts)[0] - min(starts)[0] < _FOURS * longest:
        return None
    return max(-1.0, min(1.0, behind / _HOCK)), float(np.sign(max(starts)[1] - min(starts)[1]))


def _off(points: Floats, above: Floats, below: Floats) -> Floats:
    """(N,) how far in front of the lines from points above to points below others are at their heights."""
    part = (points[:, 2] - below[:, 2]) / np.where(np.abs(above - below)[:, 2] > 1e-9, (above - below)[:, 2], 1e-9)
    return points[:, 1] - below[:, 1] - np.clip(part, 0, 1) * (above - below)[:, 1]


def _rise(heads: Floats, kinds: Sequence[int]) -> float:
    """Whether the front end of the body's middle is higher than its back, -1 to 1."""
    middle = heads[[bone for bone, kind in enumerate(kinds) if kind == MIDDLE]]
    if not len(middle):
        return 0.0
    back, front = float(middle[:, 1].min()), float(middle[:, 1].max())
    near = _AT_END * (front - back)
    ends = middle[middle[:, 1] >= front - near, 2], middle[middle[:, 1] <= back + near, 2]
    rise = float(ends[0].max() - ends[1].max()) / max(float(np.ptp(heads[:, 2])), 1e-12)
    return max(-1.0, min(1.0, rise / _HIGH_UP))


def _row_out(figure: Figure, path: Floats, bone: int) -> list[int]:
    """The bones of the longest way out from one."""
    row = [bone]
    while figure.children[row[-1]]:
        above = row[-1]
        row.append(
            max(figure.children[above], key=lambda child: float(path[child] + np.linalg.norm(figure.heads[child] - figure.heads[above])))
        )
    return row


def _ends(figure: Figure, heads: Floats, kinds: Sequence[int], mass: Floats, below: Floats) -> tuple[float, float]:
    """What the two ends of the body's middle say, -1 to 1: the longer one without branches is a tail, the other one with small pairs a
    head."""
    middle = [bone for bone, kind in enumerate(kinds) if kind == MIDDLE]
    if len(middle) < 2:
        return 0.0, 0.0
    tails = _tails(figure, heads, kinds, mass)
    bellies = {row[0] for row in _bare(figure, kinds)} - {row[0] for row in tails}
    points = heads[[bone for bone in middle if bone not in bellies], 1]
    back, front = float(points.min()), float(points.max())
    centre, extent = (back + front) / 2, max(front - back, _UPRIGHT * float(np.ptp(heads[:, 2])), 1e-12)
    small = [0.0, 0.0]
    ears = _ears(figure, heads, kinds, mass)
    for bone, kind in enumerate(kinds):
        above = int(figure.parents[bone])
        if kind == LEFT and above >= 0 and kinds[above] == MIDDLE and (mass[bone] < _SMALL or bone in ears):
            at = (heads[bone, 1] - centre) / extent
            small[int(at > 0)] += min(1.0, 2 * abs(at)) * (1 + below[bone])
    bare = [0.0, 0.0]
    for row in tails:
        along = _along(figure, heads, row)
        bare[int(along > 0)] = max(bare[int(along > 0)], abs(along) / extent)
    tail = (bare[0] - bare[1]) / max(sum(bare), 0.3)
    return tail, (small[1] - small[0]) / max(sum(small), 1.0)


def _ears(figure: Figure, heads: Floats, kinds: Sequence[int], mass: Floats) -> list[int]:
    """Large ones: limbs that hang on the middle in front of all legs, or behind them, and do not come down to the ground, of what stands on
    four legs. An elephant has such ears."""
    ground = float(heads[:, 2].min()) + _GROUND * float(np.ptp(heads[:, 2]))
    hung = [bone for bone, kind in enumerate(kinds) if kind == LEFT and figure.parents[bone] >= 0 and kinds[figure.parents[bone]] == MIDDLE]
    legs = {bone for bone in hung if mass[bone] >= LARGE and float(heads[figure.below(bone), 2].min()) < ground}
    if len(legs) < 2:
        return []
    at = heads[sorted(legs), 1]
    outside = [bone for bone in hung if bone not in legs and not at.min() <= heads[figure.parents[bone], 1] <= at.max()]
    return [bone for bone in outside if float(heads[figure.below(bone), 2].min()) > ground]


def _jaw(figure: Figure, heads: Floats, kinds: Sequence[int]) -> float:
    """1 where a jaw is at the front, -1 at the back, 0 at neither or both."""
    ahead = 0.0
    for row in _bare(figure, kinds):
        if len(row) > _STEPS:
            steps = np.linalg.norm(heads[row[:-1]] - heads[row[1:]], axis=1)
            if float(steps[0]) < _SHORT * float(steps[1:].mean()):
                ahead += 1.0 if _along(figure, heads, row) > 0 else -1.0
    return max(-1.0, min(1.0, ahead))


def _bare(figure: Figure, kinds: Sequence[int]) -> list[list[int]]:
    """The rows of bones without branches in which the middle ends, each from its tip."""
    rows = [[bone] for bone, kind in enumerate(kinds) if kind == MIDDLE and not figure.children[bone]]
    for row in rows:
        while (above := int(figure.parents[row[-1]])) >= 0 and len(figure.children[above]) == 1 and kinds[above] == MIDDLE:
            row.append(above)
    return rows


def _tails(figure: Figure, heads: Floats, kinds: Sequence[int], mass: Floats) -> list[list[int]]:
    """Those of the bare rows that may be tails or heads: not one bone beside which small limbs hang, all to the same end, as palps before a
    belly do."""
    rows: list[list[int]] = []
    for row in _bare(figure, kinds):
        hub = int(figure.parents[row[-1]])
        children = figure.children[hub] if hub >= 0 and kinds[hub] == MIDDLE and len(row) == 1 else ()
        beside = heads[[bone for bone in children if kinds[bone] == LEFT and mass[bone] < _SMALL], 1] - heads[hub, 1]
        if not len(beside) or bool((beside * _along(figure, heads, row) <= 0).any()):
            rows.append(row)
    return rows


def _along(figure: Figure, heads: Floats, row: Sequence[int]) -> float:
    """How far forward a row goes from where it begins."""
    above = int(figure.parents[row[-1]])
    return float(heads[row[0], 1] - heads[above if above >= 0 else row[-1], 1])
