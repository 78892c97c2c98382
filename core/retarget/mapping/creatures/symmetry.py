"""The two halves of a figure whose names say nothing: which bone is which other's mirror image, and where left, forward and up are."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ....motion.rotations.rotation_matrix import Floats
from ...figures.figure import Figure
from ..naming.names import Side

_TRIED = 10
"""Planes of symmetry that are tried: those between the siblings on which the longest limbs hang."""

_REFINED = 4
"""The best of them, which are tried again as the plane between all mirror images."""

_LEVEL = 0.6
"""The part of the way from one sibling to the other that is level if they are left and right."""

_ROUND, _OTHER, _MOST = 0.7, np.cos(np.radians(20)), 4
"""The part of the best plane's score from which on another one may be the body's, how far from it that is, and how many there are."""

_ALONG = np.cos(np.radians(20))
"""How near to a row of bones a direction is that is along it."""

_SAME = np.cos(np.radians(4))
"""Planes nearer to each other than this are one."""

_OFF, _NEAR = 0.05, 0.3
"""By how much mirror images may miss each other: in sizes of the figure, and of what hangs on them."""

_SIBLINGS = 24
"""Siblings that are looked at for a plane, at most; and those of a larger family that are compared with each: the next in size."""

_EVEN = 0.6
"""The least part of each other's length of siblings that suggest a plane."""

_ASIDE, _FAR = 0.004, 0.06
"""In sizes of the figure: what is nearer to the plane is in the middle, and what is further is aside even without a mirror image."""

_THIN = 0.12
"""The part of its length that a figure is wide and high at most that is one row of bones: its front is no mirror image of its back."""

_BESIDE = 2
"""Bones that hang at one place of a row of bones at most, as jaws, eyes and a root on the ground do. What has more is no snake: wings
that are stretched are as long and thin with the body of a bat between them."""

_LEAST = 0.04
"""The part of all bones' length that has a mirror image, without which a figure has no halves that show."""

ODD = -1
"""The mate of a bone that is aside and has none."""


@dataclass(frozen=True, eq=False)
class Halves:
    """mates: of each of the B bones its mirror image, its own number in the middle, ODD without one. aside: (B,) how far along `left`.
    left: (3,) a level unit vector; which of its ends is the left one is not known. shown: whether the
    figure has halves at all. steps: (B,) from the parent."""

    mates: tuple[int, ...]
    aside: Floats
    left: Floats
    shown: bool
    steps: Floats


def halves(figure: Figure, sides: Sequence[Side]) -> Halves:
    """The halves of a figure. sides: of the bones as far as their names say."""
    return all_halves(figure, sides)[0]


def all_halves(figure: Figure, sides: Sequence[Side]) -> list[Halves]:
    """The halves of a figure, the best first, and those across other planes if it is nearly as even about these, as what has arms all round
    is. sides: of the bones as far as their names say."""
    finder = _Finder(figure, sides)
    tried = sorted((finder.halves(axis) for axis in finder.planes()), key=lambda result: -result[0])
    tried += [finder.halves(finder.between(two)) for _, two in tried[:_REFINED]]
    tried.sort(key=lambda result: -result[0])
    if not tried or finder.mirrored(tried[0][1]) <= _LEAST * float(finder.steps.sum()):
        return [finder.nothing()]
    chosen: list[Halves] = []
    for score, two in tried:
        if not chosen or (score > _ROUND * tried[0][0] and all(abs(float(two.left @ other.left)) < _OTHER for other in chosen)):
            chosen.append(two)
    return chosen[:_MOST]


def row_of(figure: Figure) -> Floats | None:
    """(3,) of length 1, along a figure that is one row of bones, as long and thin as a snake that lies straight; None of others."""
    if not _is_row(figure):
        return None
    off = figure.heads - figure.heads.mean(axis=0)
    _, axes = np.linalg.eigh(off.T @ off)
    extents = np.ptp(off @ axes, axis=0)
    return axes[:, 2] if float(extents[:2].max()) < _THIN * float(extents[2]) else None


def _is_row(figure: Figure) -> bool:
    """Whether all bones are one chain, or two from one middle, but for the few that hang beside it."""
    families = [*figure.children, np.flatnonzero(figure.parents < 0).tolist()]
    depth, size = [1] * len(families), [1] * len(families)  # the last ones are of what all roots hang on
    for bone in reversed(range(len(figure))):
        parent = int(figure.parents[bone])
        depth[parent], size[parent] = max(depth[parent], depth[bone] + 1), size[parent] + size[bone]
    families = [sorted(family, key=lambda bone: -depth[bone]) for family in families]
    middle = max(range(len(families)), key=lambda bone: sum(depth[below] for below in families[bone][:2]))
    beside = [size[-1] - 1 - size[middle]]
    waiting = [(middle, 2)]
    while waiting:
        bone, count = waiting.pop()
        waiting += [(below, 1) for below in families[bone][:count]]
        beside += [size[below] for below in families[bone][count:]]
    return max(beside) <= _BESIDE


@dataclass(frozen=True, eq=False)
class _Miss:
    """By how much two bones miss each other's mirror image, of what is allowed.

    plain, mirrored: (B, 3, 3) points of each from its parent, and their mirror images. least: what is allowed at least, of all three.
    lengths: (B,) of what hangs on them."""

    plain: list[list[list[float]]]
    mirrored: list[list[list[float]]]
    least: float
    lengths: list[float]

    def cost(self, one: int, two: int) -> float:
        apart = sum(map(math.dist, self.mirrored[one], self.plain[two]))
        return apart / (self.least + 3 * _NEAR * min(self.lengths[one], self.lengths[two]))


class _Finder:
    def __init__(self, figure: Figure, sides: Sequence[Side]) -> None:
        self.figure, self.sides, self.heads = figure, sides, figure.heads
        parents = figure.parents
        self.size = float(np.linalg.norm(np.ptp(self.heads, axis=0))) or 1.0
        self.steps = np.where(parents >= 0, np.linalg.norm(self.heads - self.heads[parents], axis=1), 0.0)
        self.length, self.middle, self.tip = _below(figure, self.steps)
        self.roots = [int(bone) for bone in np.flatnonzero(parents < 0)]

    def planes(self) -> list[Floats]:
        """Level unit vectors across planes of symmetry that siblings suggest."""
        rated: list[tuple[float, Floats]] = []
        for family in (self.roots, *self.figure.children):
            for one, two in combinations(family[:_SIBLINGS], 2):
                low, high = sorted((self.length[one] + self.steps[one], self.length[two] + self.steps[two]))
                across = self.middle[one] - self.middle[two] + 2 * (self.heads[one] - self.heads[two])
                level = float(np.hypot(across[0], across[1]))
                if low >= _EVEN * high and level > _ASIDE * self.size and level > _LEVEL * float(np.linalg.norm(across)):
                    rated.append((low, np.array([across[0] / level, across[1] / level, 0.0])))
        rated.sort(key=lambda item: -item[0])
        row = row_of(self.figure)
        chosen: list[Floats] = []
        for _, axis in rated:
            if row is not None and abs(float(axis @ row)) > _ALONG:
                continue
            if not any(abs(float(axis @ other)) > _SAME for other in chosen):
                chosen.append(axis)
        return chosen[:_TRIED]

    def between(self, two: Halves) -> Floats:
        """The level unit vector across the plane that is between all mirror images, not of two siblings alone."""
        mates = np.array(two.mates)
        left = np.flatnonzero((mates >= 0) & (mates != np.arange(len(mates))) & (two.aside > two.aside[mates]))
        across = (self.steps[left, None] * (self.heads[left] - self.heads[mates[left]])).sum(axis=0)
        level = float(np.hypot(across[0], across[1]))
        return np.array([across[0] / level, across[1] / level, 0.0]) if level > 0 else two.left

    def mirrored(self, two: Halves) -> float:
        """The length of what has a mirror image."""
        return float(self.steps[[mate not in (bone, ODD) for bone, mate in enumerate(two.mates)]].sum())

    def halves(self, axis: Floats) -> tuple[float, Halves]:
        """The length of what has a mirror image across an axis, less what they miss each other by and what is aside and has none; and
        the halves."""
        above = np.where((self.figure.parents >= 0)[:, None], self.heads[self.figure.parents], self.heads[self.roots].mean(axis=0))
        offsets = [points - above for points in (self.heads, self.middle, self.tip)]
        plain: list[list[list[float]]] = np.stack(offsets, axis=1).tolist()
        mirrored: list[list[list[float]]] = np.stack([each - 2 * (each @ axis)[:, None] * axis for each in offsets], axis=1).tolist()
        miss = _Miss(plain, mirrored, (3 * _OFF * self.size), self.length.tolist())
        beside = np.array([offset @ axis for offset in offsets[:2]]) / self.size
        off: list[bool] = (np.abs(beside).max(axis=0) > _ASIDE).tolist()
        far: list[bool] = (np.abs(beside).max(axis=0) > _FAR).tolist()
        mates = list(range(len(self.figure)))
        waiting: list[tuple[Sequence[int], Sequence[int]]] = [(self.roots, ())]
        gained = 0.0
        while waiting:
            ones, twos = waiting.pop()
            pairs = self._pairs(ones, twos, miss, off)
            for one, two in pairs:
                mates[one], mates[two] = two, one
                gained += float(self.steps[one] + self.steps[two]) * (1 - miss.cost(one, two))
                waiting.append((self.figure.children[one], self.figure.children[two]))
            for bone in {*ones, *twos}.difference(*pairs):
                if twos or far[bone]:
                    self._all_odd(bone, mates)
                else:
                    waiting.append((self.figure.children[bone], ()))
        odd = float(self.steps[[mate == ODD for mate in mates]].sum())
        return gained - odd, Halves(tuple(mates), self.middle @ axis, axis, True, self.steps)

    def _all_odd(self, bone: int, mates: list[int]) -> None:
        for each in self.figure.below(bone):
            mates[each] = ODD

    def _pairs(self, ones: Sequence[int], twos: Sequence[int], miss: _Miss, off: list[bool]) -> list[tuple[int, int]]:
        """Siblings that mirror each other; where both families are given, of each one."""
        rated = sorted(
            (cost, a, b)
            for a, b in self._options(ones, twos)
            if (twos or (off[a] and off[b])) and self._may(a, b) and (cost := miss.cost(a, b)) < 1
        )
        taken: set[int] = set()
        result: list[tuple[int, int]] = []
        for _, a, b in rated:
            if a not in taken and b not in taken:
                taken |= {a, b}
                result.append((a, b))
        return result

    def _options(self, ones: Sequence[int], twos: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Siblings that may mirror each other; of large families those that are next to each other in size."""
        if max(len(ones), len(twos)) <= _SIBLINGS:
            yield from ((a, b) for a in ones for b in twos) if twos else combinations(ones, 2)
            return
        sizes = self.length + self.steps
        row = sorted(twos or ones, key=lambda bone: sizes[bone])
        keys = [float(sizes[bone]) for bone in row]
        for number, a in enumerate(ones if twos else row):
            start = max(0, bisect_left(keys, float(sizes[a])) - _SIBLINGS // 2) if twos else number + 1
            yield from ((a, b) for b in row[start : start + _SIBLINGS])

    def _may(self, one: int, two: int) -> bool:
        """Whether the names leave it open that two bones are left and right of each other."""
        return not self.sides[one] or self.sides[one] != self.sides[two]

    def nothing(self) -> Halves:
        """All in the middle: forward is where most of the figure goes."""
        level = self.heads[:, :2] - self.heads[:, :2].mean(axis=0)
        _, axes = np.linalg.eigh(level.T @ level)
        left = np.array([-axes[1, 1], axes[0, 1], 0.0])
        return Halves(tuple(range(len(self.figure))), np.zeros(len(self.figure)), left, False, self.steps)


def _below(figure: Figure, steps: Floats) -> tuple[Floats, Floats, Floats]:
    """Of each bone the length of all that hangs on it, its middle, and its tip that is furthest along the bones."""
    count = len(figure)
    heads = figure.heads
    length, weighted, path = np.zeros(count), np.zeros((count, 3)), np.zeros(count)
    tip = heads.copy()
    for bone in reversed(range(count)):
        parent = int(figure.parents[bone])
        if parent < 0:
            continue
        length[parent] += length[bone] + steps[bone]
        weighted[parent] += weighted[bone] + (heads[bone] + heads[parent]) / 2 * steps[bone]
        if path[bone] + steps[bone] > path[parent]:
            path[parent], tip[parent] = path[bone] + steps[bone], tip[bone]
    middle = np.where(length[:, None] > 1e-9 * max(float(steps.sum()), 1e-12), weighted / np.maximum(length, 1e-12)[:, None], heads)
    return length, middle, tip
