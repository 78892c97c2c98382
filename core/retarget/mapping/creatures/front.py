"""Which way a figure looks: what its trunk, its toes, its tail and its face say."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ....motion.rotations.rotation_matrix import Floats
from ...figures.figure import Figure
from .legs import legs_ahead, row_out
from .parts import LARGE, LEFT, MIDDLE, RIGHT

_SMALL = 0.4
"""Of the largest limb's length: what is longer is no part of a face, as palps and ears are."""

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


_TRUNK, _TOES, _FACES, _HIGH_HEAD = 0.15, 1.0, 1.2, 0.4
"""Of what stands on fours: what its trunk, toes, face and a head that is held high say, beside its legs. Its tail says nothing: a neck is
as often the longer one."""

_SURE = 0.5
"""What all of these say at least for it to be sure which way such a figure looks: of 23 animals, with lengths 15 % longer or shorter, none
says half as much against it."""

_AT_END, _HIGH_UP, _APART = 0.15, 0.2, 0.02
"""The part of the middle that is its end; by how much of the figure's height a head is high; and what is nearer than this, of how far fore
legs are before hind legs, is at one place."""


def looks_ahead(
    figure: Figure, heads: Floats, kinds: Sequence[int], mass: Floats, path: Floats, below: Floats, legs: Sequence[int] = ()
) -> float:
    """What speaks for a figure looking along its second axis, -1 to 1: its trunk, as far as that leaves it open its toes, then its tail
    behind it and a face with eyes and ears at the other end, as a bird's tail has feathers as a face has ears; and at last a jaw. Of what
    stands on fours all of these together but for the tail, its legs and a head that is held high: not each maker's rig begins at the hips.
    legs: the left bones with which the legs of what stands on fours begin."""
    ahead = 0.0
    tail, face = _ends(figure, heads, kinds, mass, below, legs)
    trunk, toes = _trunk(figure, heads, kinds, mass), _toes(figure, heads, kinds, mass, path)
    stance = legs_ahead(figure, heads, path, legs)
    if stance is not None:
        all_says = stance + _TRUNK * trunk + _TOES * toes + _FACES * face + _HIGH_HEAD * _rise(heads, kinds)
        return max(-1.0, min(1.0, float(all_says)))
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
    if on_fours or abs(ahead) > _TAIL:
        return abs(ahead) > (_SURE if on_fours else _TAIL)
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
        row = row_out(figure, path, start)
        end = heads[row[-1]]
        if end[2] - low > _GROUND * height or heads[start][2] - low < _HIGH * height or len(row) < 3:
            continue
        foot = end - heads[row[-2]]
        forward.append(float(foot[1] / max(float(np.linalg.norm(foot)), 1e-12)))
    return float(np.mean(forward)) if forward else 0.0


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


def _ends(figure: Figure, heads: Floats, kinds: Sequence[int], mass: Floats, below: Floats, legs: Sequence[int]) -> tuple[float, float]:
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
    hind, fore = (heads[legs, 1].min(), heads[legs, 1].max()) if len(legs) > 1 else (-np.inf, np.inf)
    small = [0.0, 0.0]
    ears = _ears(figure, heads, kinds, legs)
    for bone, kind in enumerate(kinds):
        above = int(figure.parents[bone])
        if kind == LEFT and above >= 0 and kinds[above] == MIDDLE and (mass[bone] < _SMALL or bone in ears):
            at, hung = (heads[bone, 1] - centre) / extent, heads[above, 1]
            if hind <= hung <= fore:
                small[int(at > 0)] += min(1.0, 2 * abs(at)) * (1 + below[bone])
            else:  # a head, wherever the end of its trunk is
                small[int(hung > fore)] += 1 + below[bone]
    for hub in _jaws(figure, heads, kinds, legs):
        small[int(heads[hub, 1] > (hind + fore) / 2)] += 1.0
    bare = [0.0, 0.0]
    for row in tails:
        along = _along(figure, heads, row)
        bare[int(along > 0)] = max(bare[int(along > 0)], abs(along) / extent)
    tail = (bare[0] - bare[1]) / max(sum(bare), 0.3)
    return tail, (small[1] - small[0]) / max(sum(small), 1.0)


def _ears(figure: Figure, heads: Floats, kinds: Sequence[int], legs: Sequence[int]) -> list[int]:
    """Large ones: limbs that hang on the middle in front of all legs, or behind them, and do not come down to the ground, of what stands on
    four legs. An elephant has such ears."""
    if len(legs) < 2:
        return []
    at = heads[legs, 1]
    hung = [bone for bone, kind in enumerate(kinds) if kind == LEFT and figure.parents[bone] >= 0 and kinds[figure.parents[bone]] == MIDDLE]
    outside = [bone for bone in hung if bone not in legs and not at.min() <= heads[figure.parents[bone], 1] <= at.max()]
    ground = float(heads[:, 2].min()) + _GROUND * float(np.ptp(heads[:, 2]))
    return [bone for bone in outside if float(heads[figure.below(bone), 2].min()) > ground]


def _jaws(figure: Figure, heads: Floats, kinds: Sequence[int], legs: Sequence[int]) -> list[int]:
    """Bones of the middle in front of all legs, or behind them, of what stands on four legs, from which nothing but bare rows goes on, once
    for each beyond the first that ends elsewhere: a head parts into its jaws, a tail does not."""
    if len(legs) < 2:
        return []
    at = heads[legs, 1]
    near = _APART * float(np.ptp(at))
    tips: dict[int, list[int]] = {}
    for row in _bare(figure, kinds):
        tips.setdefault(int(figure.parents[row[-1]]), []).append(row[0])
    result: list[int] = []
    for hub, rows in tips.items():
        if hub < 0 or at.min() - near <= heads[hub, 1] <= at.max() + near:
            continue
        if len(rows) == sum(kinds[child] == MIDDLE for child in figure.children[hub]):
            apart = np.linalg.norm(heads[rows, None] - heads[None, rows], axis=2) > near
            result += [hub] * sum(bool(apart[number, :number].all()) for number in range(1, len(rows)))
    return result


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
