"""Which part of the body each bone is in: the middle, or a limb of either side."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ....motion.rotations.rotation_matrix import Floats
from ...figures.figure import Figure
from .symmetry import ODD, Halves

LARGE = 0.25
"""Of the largest limb's length: what a limb has at least that shows how large a body is."""

_FAR, _FEW = 0.24, 2
"""Of the furthest that a limb reaches from where it begins: what a main limb does at least, one of so few joints twice that."""

_REACHING = 0.05
"""Of the figure's size: what the main limbs reach at least, unlike the eyes of a snake."""

_AT_ONE = 1e-4
"""Of the distance of what is furthest from the middle: limbs that begin nearer to each other begin at one joint, as halves of a pelvis."""

_BEHIND = 0.08
"""The part of the step to a bone of the middle by which a limb begins before that for it to hang on the one above."""

WELL_BEYOND = 0.3
"""The part of the step to a bone of the middle by which a limb begins beyond that at least for it to hang on that one."""

_FINGER = 0.5, 0.7
"""The part of the longest finger's length that another may have at least, and from which on it is one."""

_ON_THE_WAY, _ALONG = 0.9, 0.98
"""Of the length of a bone: what begins nearer and, by the cosine, in its direction is on the way to its end."""

_GROUND, _ABOVE = 0.15, 0.2
"""Of a figure's height: how near a root on the ground is to the lowest joint, and how far above it begins what hangs on it."""

EXACT = 1 - 1e-4
"""The cosine from which on a bone continues the one before exactly."""

MIDDLE, LEFT, RIGHT, ODD_LEFT, ODD_RIGHT = range(5)
"""The part of the body that a bone is in; odd ones have no twin on the other side."""


def kinds_of(two: Halves, aside: Floats, parents: Sequence[int]) -> tuple[int, ...]:
    """(B,) the part of each bone. aside: (B,) how far to the left."""
    kinds: list[int] = []
    outwards = _outwards(aside, parents)
    for bone, mate in enumerate(two.mates):
        above = kinds[parents[bone]] if parents[bone] >= 0 else MIDDLE
        if mate == bone:
            kinds.append(MIDDLE)
        elif mate == ODD:
            from_middle = aside[bone] - (aside[parents[bone]] if parents[bone] >= 0 else 0.0)
            kinds.append(
                ODD_LEFT
                if above in (LEFT, ODD_LEFT)
                else ODD_RIGHT
                if above in (RIGHT, ODD_RIGHT)
                else (ODD_LEFT if from_middle > 0 else ODD_RIGHT)
            )
        elif above in (LEFT, RIGHT):
            kinds.append(above)
        else:
            to_left = aside[bone] - aside[mate]
            kinds.append(LEFT if (to_left if abs(to_left) > _AT_ONE * np.abs(aside).max() else outwards[bone]) > 0 else RIGHT)
    # Two toes of one foot may mirror each other: no twins on the other side.
    odd = {LEFT: ODD_LEFT, RIGHT: ODD_RIGHT}
    return tuple(odd[kind] if kind in odd and kinds[mate] == kind else kind for kind, mate in zip(kinds, two.mates, strict=True))


def _outwards(aside: Floats, parents: Sequence[int]) -> list[float]:
    """(B,) of all that hangs on each how far aside what is furthest is."""
    result: list[float] = aside.tolist()
    for bone in reversed(range(len(parents))):
        above = parents[bone]
        if above >= 0 and abs(result[bone]) > abs(result[above]):
            result[above] = result[bone]
    return result


def main_limbs(figure: Figure, reach: Floats, steps: Floats, kinds: Sequence[int]) -> NDArray[np.bool_]:
    """(B,) which bones are of the large paired limbs, not of a face and no targets. reach: (B,) how far from each the tip of what hangs on
    it is: what goes round an eye is long and reaches nowhere. steps: (B,) from the parent."""
    parents: list[int] = figure.parents.tolist()
    joints = [1] * len(kinds)
    for bone in reversed(range(len(kinds))):
        if parents[bone] >= 0:
            joints[parents[bone]] = max(joints[parents[bone]], joints[bone] + 1)
    starts = {
        bone
        for bone, kind in enumerate(kinds)
        if kind in (LEFT, RIGHT) and (parents[bone] < 0 or kinds[parents[bone]] not in (LEFT, RIGHT))
    }
    furthest = max((float(reach[bone]) for bone in starts), default=0.0)
    least = _REACHING * float(np.linalg.norm(np.ptp(figure.heads, axis=0)))
    if furthest < least:  # of one bone each, as fins are
        furthest, reach = max((float(steps[bone]) for bone in starts), default=0.0), steps
        joints = [_FEW + 1] * len(kinds)
        if furthest < least:
            return np.zeros(len(kinds), np.bool_)
    large = [False] * len(kinds)
    for bone, above in enumerate(parents):
        if bone in starts:
            large[bone] = float(reach[bone]) >= (_FAR if joints[bone] > _FEW else 2 * _FAR) * furthest
        elif kinds[bone] in (LEFT, RIGHT):
            large[bone] = large[above]
    return np.array(large, np.bool_)


def limb_of(kinds: Sequence[int], parents: Sequence[int]) -> NDArray[np.int32]:
    """(B,) the bone with which the limb of each begins, its own number in the middle."""
    first = list(range(len(kinds)))
    for bone, above in enumerate(parents):
        if above >= 0 and kinds[bone] != MIDDLE and kinds[above] != MIDDLE:
            first[bone] = first[above]
    return np.array(first, np.int32)


def hangs_on(figure: Figure, kinds: Sequence[int], main: NDArray[np.bool_]) -> tuple[int, ...]:
    """(B,) of the bones with which main limbs begin the one of the middle on which they hang, of others their parents: the one in front of
    which a limb begins, whatever its parent, as makers let collarbones hang on the neck and thighs on the spine; a tail goes with the
    thighs. main: (B,) as of `main_limbs`."""
    parents = list[int](figure.parents.tolist())
    result = list(parents)
    starts = [bone for bone, above in enumerate(parents) if above >= 0 and kinds[above] == MIDDLE]
    limbs = [bone for bone in starts if main[bone]]
    onward = {hub: _onward(figure, kinds, hub) for hub in {parents[bone] for bone in limbs}}
    for bone in limbs:
        result[bone] = _in_front_of(figure, kinds, bone)
        if result[bone] == parents[bone]:
            result[bone] = _behind(figure, bone, onward[parents[bone]])
    moved = {parents[bone] for bone in limbs if result[bone] != parents[bone]}
    for bone in starts:
        if kinds[bone] == MIDDLE and parents[bone] in moved:
            result[bone] = _in_front_of(figure, kinds, bone)
    return tuple(result)


def _in_front_of(figure: Figure, kinds: Sequence[int], bone: int) -> int:
    """The nearest bone of the middle above one, but for a root on the ground, that it is not behind."""
    heads, hub = figure.heads, int(figure.parents[bone])
    grounded = roots_on_ground(figure)
    while (above := int(figure.parents[hub])) >= 0 and above not in grounded and kinds[above] == MIDDLE:
        step = heads[above] - heads[hub]
        if float((heads[bone] - heads[hub]) @ step) <= _BEHIND * float(step @ step):
            break
        hub = above
    return hub


def _onward(figure: Figure, kinds: Sequence[int], hub: int) -> list[int]:
    """A bone of the middle and those on which most hangs, one after the other, that go on from it."""
    row = [hub]
    while rest := [child for child in figure.children[row[-1]] if kinds[child] == MIDDLE]:
        row.append(max(rest, key=lambda child: len(figure.below(child))))
    return row


def _behind(figure: Figure, bone: int, onward: Sequence[int]) -> int:
    """The last of the bones that go on from the one on which another hangs that this is well in front of."""
    heads, hub = figure.heads, onward[0]
    for other in onward[1:]:
        step = heads[other] - heads[hub]
        if float((heads[bone] - heads[other]) @ step) <= WELL_BEYOND * float(step @ step):
            break
        hub = other
    return hub


def fingers_of(figure: Figure, kinds: Sequence[int], mass: Floats) -> Floats:
    """(B,) 1 for what hangs where a limb parts into several of about one length, as a hand into fingers, and what goes on from that; 0.5
    where these may also be too unlike; 0 for others, also where a limb merely goes on, whatever small hangs on it."""
    fingers, parents = [0.0] * len(kinds), list[int](figure.parents.tolist())
    for bone, above in enumerate(parents):
        if above >= 0 and kinds[bone] != MIDDLE and kinds[above] == kinds[bone]:
            parts = sorted(float(mass[child]) for child in figure.children[above] if kinds[child] == kinds[bone])
            several = [len(parts) > 1 and parts[-2] > least * parts[-1] for least in _FINGER]
            fingers[bone] = max(fingers[above], sum(several) / 2)
    return np.array(fingers)


def twists_of(figure: Figure, kinds: Sequence[int]) -> NDArray[np.bool_]:
    """(B,) bones of limbs on which nothing hangs, and which are on the way to another that hangs beside them: they twist the skin."""
    heads, twists = figure.heads, np.zeros(len(kinds), np.bool_)
    for above, children in enumerate(figure.children):
        ends = [child for child in children if kinds[above] != MIDDLE and kinds[child] == kinds[above] and not figure.children[child]]
        for bone in ends if len(children) > 1 else ():
            step = heads[bone] - heads[above]
            for other in children:
                whole = heads[other] - heads[above]
                length = float(np.linalg.norm(whole))
                if other != bone and length > 0 and float(np.linalg.norm(step)) < _ON_THE_WAY * length:
                    twists[bone] |= float(step @ whole) > _ALONG * length * float(np.linalg.norm(step))
    return twists


def roots_apart(one: Figure, two: Figure) -> NDArray[np.bool_]:
    """(B1, B2) where neither bone is a root on the ground below the body, but for another root on which all hangs by one bone, too."""
    (lone, grounded), (other, below) = _roots(one), _roots(two)
    return (lone[:, None] | ~below[None]) & (~grounded[:, None] | other[None])


def roots_on_ground(figure: Figure) -> set[int]:
    """Roots on the ground, well below what hangs on them by one bone."""
    return set(np.flatnonzero(_roots(figure)[1]).tolist())


def is_on_ground(figure: Figure, root: int, below: int) -> bool:
    """Whether a root is on the ground, well below a bone that hangs on it."""
    heights = figure.heads[:, 2]
    low, height = float(heights.min()), float(np.ptp(heights))
    return bool(heights[root] - low < _GROUND * height and heights[below] - heights[root] > _ABOVE * height)


def _roots(figure: Figure) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """(B,) roots on which all hangs by one bone, and those of them that are on the ground, well below that."""
    lone = (figure.parents < 0) & np.array([len(children) == 1 for children in figure.children], np.bool_)
    grounded = [alone and is_on_ground(figure, bone, figure.children[bone][0]) for bone, alone in enumerate(lone.tolist())]
    return lone, np.array(grounded, np.bool_)
