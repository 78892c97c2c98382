"""What describes the bones of a figure beside their names: where they are in the body, and what hangs on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ....motion.rotations import directions
from ....motion.rotations.rotation_matrix import Floats
from ...figures.figure import Figure
from ..naming.names import Side
from .front import front_shows, looks_ahead
from .leg_joints import JOINTS, leg_joints
from .legs import is_steep, row_out, stand_on_fours
from .parts import LARGE, LEFT, MIDDLE, RIGHT, fingers_of, hangs_on, kinds_of, limb_of, main_limbs, twists_of
from .stations import StationFinder, Stations
from .symmetry import ODD, Halves, all_halves

_SHOWN = 0.6
"""The part of the bones with a side in their names of which the names must agree for them to show which half is the left one."""

_THIN = 0.25
"""The least extent of a body along an axis, of its mean extent."""

_TWIG = 0.15
"""Of the largest limb's length: what is shorter says nothing of what it hangs on, as the toes of a paw do not."""

_BESIDE = 0.08
"""In mean extents of the body: by how much limbs are clearly in front of others."""

_FORE_AND_HIND = 2
"""Legs of one side of which it may show which joint is which."""

_POINT = 0.1
"""A bone that is shorter, of the mean length, is a mere point."""


@dataclass(frozen=True, eq=False)
class Body:
    """What describes the B bones, in axes left, forward, up.

    kinds: (B,) the part of the body. twins: (B,) the mirror image, -1 without one. reach: (B, 3) to the furthest tip of what hangs on
    each, of length 1. along: (B, 3) from the parent, of length 1. position: (B, 3) in the body, in mean extents of its paired limbs.
    mass: (B,) the longest way out from the parent of each, in lengths of the longest limb. tips: (B,) how many ends there are, but for
    twigs. below: (B,) bones on the longest way out. out: (B,) the part of the way from the middle of the body to the tip. steps: (B,)
    from the parent, in lengths of the longest limb. base, end: (B, 3) in the body, where the limb of each begins, and where it ends.
    rank: (B,) the part of the body's limbs that begin behind its own. faces: (B,) small pairs on what hangs on each, at most 2. onward:
    (B, 3) to the next bone on the way out, or to its tail, of length 1. within: (B, 3) from where its limb begins, in lengths of the
    limb. hangs, fingers, twists: (B,) as of `hangs_on`, `fingers_of` and `twists_of`. stations: where the middle is along the way from
    tail to head. ahead: what speaks for these axes being those of a figure that looks forward, -1 to 1. front_shows: whether that is
    sure. on_fours: whether it stands on legs in front of others. legs: the left bones with which these begin. joints: (B, JOINTS) of
    those of an animal on four legs how likely each is which, as of `leg_joints`, else 0. rotated: whether its halves are not the best ones
    of a round figure.
    """

    figure: Figure
    kinds: tuple[int, ...]
    twins: tuple[int, ...]
    reach: Floats
    along: Floats
    position: Floats
    mass: Floats
    tips: Floats
    below: Floats
    out: Floats
    steps: Floats
    base: Floats
    end: Floats
    rank: Floats
    faces: Floats
    onward: Floats
    within: Floats
    hangs: tuple[int, ...]
    fingers: Floats
    twists: NDArray[np.bool_]
    stations: Stations
    ahead: float
    front_shows: bool
    on_fours: bool
    legs: tuple[int, ...] = ()
    joints: Floats = field(default_factory=lambda: np.zeros((0, JOINTS)))
    rotated: bool = False

    @classmethod
    def of(cls, figure: Figure, two: Halves, left: Floats) -> Body:
        """left: (3,) the one of the ends of `two.left` that is the left one."""
        axes = np.array([left, [left[1], -left[0], 0.0], directions.UP])
        heads = figure.heads @ axes.T
        parents = figure.parents
        count = len(figure)
        kinds = kinds_of(two, two.aside * float(left @ two.left), parents.tolist())
        steps = two.steps
        tip = heads + _beyond(figure) @ axes.T
        after, below = tip.copy(), np.zeros(count)
        path = np.linalg.norm(tip - heads, axis=1)
        for bone in reversed(range(count)):
            parent = int(parents[bone])
            if parent < 0:
                continue
            below[parent] = max(below[parent], below[bone] + 1)
            if path[bone] + steps[bone] > path[parent]:
                path[parent], tip[parent] = path[bone] + steps[bone], tip[bone]
                after[parent] = heads[bone]
        longest = path + steps
        above = np.zeros(count)
        for bone in range(count):
            parent = int(parents[bone])
            if parent >= 0 and kinds[parent] != MIDDLE:
                above[bone] = above[parent] + steps[bone]
        out = above / np.maximum(above + path, 1e-12)
        along = np.where((parents >= 0)[:, None], heads - heads[parents], 0.0)
        far = np.linalg.norm(tip - heads, axis=1)
        main = main_limbs(figure, far, steps, kinds)
        size = float(longest[main].max(initial=0.0)) or float(longest.max(initial=0.0)) or 1.0
        mass = longest / size
        tips = _tips(figure, mass)
        twins = tuple(mate if mate not in (bone, ODD) else -1 for bone, mate in enumerate(two.mates))
        position, ends = _positions(heads, tip, np.where(main & (mass > _TWIG), steps, 0.0) if main.any() else steps)
        limb = limb_of(kinds, parents.tolist())
        hangs = np.array(hangs_on(figure, kinds, main), np.int32)
        hubs = np.where(parents[limb] >= 0, hangs[limb], limb)
        ranks = _ranks(figure, position[hubs] / 2 + (position[limb] + ends[limb]) / 4, kinds, limb, mass)
        faces = _faces(figure, kinds, mass)
        legs = [bone for bone, kind in enumerate(kinds) if kind == LEFT and limb[bone] == bone and mass[bone] > LARGE]
        down = stand_on_fours(heads[legs], tip[legs], longest[legs], float(heads[:, 2].min()))
        legs, on_fours = [bone for bone, stands in zip(legs, down, strict=True) if stands], bool(down.any())
        ahead = looks_ahead(figure, heads, kinds, mass, path, below, legs)
        return cls(
            figure=figure,
            kinds=kinds,
            twins=twins,
            reach=_pointing(tip - heads),
            along=_pointing(along),
            position=position,
            mass=mass,
            tips=tips,
            below=below,
            out=np.asarray(out),
            steps=steps / size,
            base=position[hubs],
            end=ends[limb],
            rank=ranks,
            faces=faces,
            onward=_pointing(after - heads),
            within=(heads - heads[hubs]) / np.maximum(longest[limb], 1e-9)[:, None],
            hangs=tuple(hangs.tolist()),
            fingers=fingers_of(figure, kinds, mass),
            twists=twists_of(figure, kinds),
            stations=StationFinder(figure, heads, kinds, main, steps, mass, hangs.tolist(), legs).run(),
            ahead=ahead,
            front_shows=front_shows(figure, heads, kinds, mass, ahead, on_fours),
            on_fours=on_fours,
            legs=tuple(legs),
            joints=_joints(figure, heads, path, twins, hangs.tolist(), legs),
        )

    @property
    def paired(self) -> int:
        """Bones with a twin."""
        return sum(twin >= 0 for twin in self.twins)

    def joints_of_legs(self) -> list[int]:
        """How many joints each leg of one side has that it stands on, from the hindmost to the foremost."""
        return [int(self.below[leg]) + 1 for leg in sorted(self.legs, key=lambda leg: float(self.position[leg, 1]))]

    @property
    def weights(self) -> Floats:
        """(B,) the length of each bone where it is a part of something large, else 0."""
        return np.where((self.mass > _TWIG) & (self.figure.parents >= 0), self.steps, 0.0)


def _joints(figure: Figure, heads: Floats, path: Floats, twins: Sequence[int], hangs: Sequence[int], legs: Sequence[int]) -> Floats:
    """(B, JOINTS) as of `Body`."""
    joints = np.zeros((len(figure), JOINTS))
    rows = [row_out(figure, path, leg) for leg in sorted(legs, key=lambda leg: -heads[leg, 1])]
    if len(rows) != _FORE_AND_HIND or not all(is_steep(heads[row]) for row in rows):
        return joints
    tops = [float(heads[hangs[row[0]] if hangs[row[0]] >= 0 else row[0], 2]) for row in rows]
    for row, each in zip(rows, leg_joints([heads[row] for row in rows], tops), strict=True):
        joints[row] = each
        joints[[twins[bone] for bone in row if twins[bone] >= 0]] = each[[twins[bone] >= 0 for bone in row]]
    return joints


def _beyond(figure: Figure) -> Floats:
    """(B, 3) from the heads of bones on which nothing hangs to their tails; zero where tails show nothing, and of mere points."""
    above = [bone for bone, children in enumerate(figure.children) if children]
    if not figure.ends_at_joints:
        return np.zeros((len(figure), 3))
    lengths = np.linalg.norm(figure.tails - figure.heads, axis=1)
    reaching = [not children for children in figure.children] & (lengths > _POINT * lengths[above].mean())
    return np.where(reaching[:, None], figure.tails - figure.heads, 0.0)


def bodies(figure: Figure, sides: Sequence[Side]) -> list[Body]:
    """The body of a figure; where nothing shows which half is the left one, with each of them as that, as its axes are first; and what it
    is across other planes where it is round."""
    return [body for number, two in enumerate(all_halves(figure, sides)) for body in _ends(figure, two, sides, number > 0)]


def _ends(figure: Figure, two: Halves, sides: Sequence[Side], rotated: bool) -> list[Body]:
    """The bodies of two halves."""
    left = two.left if two.left[int(np.argmax(np.abs(two.left)))] > 0 else -two.left
    shown = _shown(two, sides) * (1 if float(left @ two.left) > 0 else -1)
    if figure.left is not None:
        declared = float(figure.rotation @ figure.left @ left)
        shown = 1 if declared > 0.5 else -1 if declared < -0.5 else shown
    ends = {0: (left, -left), 1: (left,), -1: (-left,)}
    return [replace(Body.of(figure, two, end), rotated=rotated) for end in ends[shown]]


def _shown(two: Halves, sides: Sequence[Side]) -> int:
    """1 where the names show that `left` points to the left, -1 to the right, 0 where they do not show it."""
    votes = [
        (1 if side == "left" else -1) * (1 if two.aside[bone] > two.aside[mate] else -1)
        for bone, (side, mate) in enumerate(zip(sides, two.mates, strict=True))
        if side and mate not in (bone, ODD)
    ]
    total = sum(votes)
    return (1 if total > 0 else -1) if votes and abs(total) > _SHOWN * len(votes) else 0


def _pointing(vectors: Floats) -> Floats:
    """Of length 1; 0 where nothing but rounding is left."""
    return np.where(directions.lengths(vectors)[:, None] > 1e-9, directions.unit(vectors), 0.0)


def _positions(heads: Floats, tips: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Positions of heads and tips from the middle of the bones with weights, in the mean extents of these."""
    total = max(float(weights.sum()), 1e-12)
    centre = (heads * weights[:, None]).sum(axis=0) / total
    spread = np.sqrt((((heads - centre) ** 2) * weights[:, None]).sum(axis=0) / total)
    mean = float(np.sqrt((spread**2).mean())) or 1.0
    unit = np.maximum(spread, _THIN * mean)
    return (heads - centre) / unit, (tips - centre) / unit


def _ranks(figure: Figure, where: Floats, kinds: Sequence[int], limb: NDArray[np.int32], mass: Floats) -> Floats:
    """(B,) the part of the large limbs of its side that begin further back than that of each bone; in part those that begin beside it."""
    ranks = np.full(len(figure), 0.5)
    for side in (LEFT, RIGHT):
        starts = [bone for bone, kind in enumerate(kinds) if kind == side and limb[bone] == bone and mass[bone] > LARGE]
        for start in starts:
            behind = 1 / (1 + np.exp(np.minimum((where[starts, 1] - where[start, 1]) / _BESIDE, 700)))
            ranks[limb == start] = (float(behind.sum()) - 0.5) / max(1, len(starts) - 1)
    return ranks


def _faces(figure: Figure, kinds: Sequence[int], mass: Floats) -> Floats:
    """(B,) small pairs that hang on each bone of the middle and what is below it, at most 2."""
    faces = np.zeros(len(figure))
    for bone in reversed(range(len(figure))):
        above = int(figure.parents[bone])
        if above >= 0 and kinds[above] == MIDDLE:
            faces[above] += faces[bone] if kinds[bone] == MIDDLE else float(kinds[bone] == LEFT and mass[bone] < LARGE)
    return np.minimum(faces, 2.0)


def _tips(figure: Figure, mass: Floats) -> Floats:
    """(B,) the ends of what hangs on each bone, but for twigs; 1 at least."""
    tips = np.zeros(len(figure))
    for bone in reversed(range(len(figure))):
        tips[bone] = max(tips[bone], 1.0)
        parent = int(figure.parents[bone])
        if parent >= 0 and mass[bone] > _TWIG:
            tips[parent] += tips[bone]
    return tips
