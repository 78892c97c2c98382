"""Skeletons without names whose trees are the same: every bone by where it hangs and where it points, beasts and spiders, too."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations.rotation_matrix import Floats
from ..figures.figure import Figure

_TRIED = 5
"""Equal siblings that are tried in every order; of more, the most alike are taken first."""

_CLEAR = 0.1
"""The part by which the next best order of equal siblings must be worse for one to be sure."""

_ALIKE = 0.04
"""In sizes of the figure: the mean by which bones of two copies point and reach elsewhere."""

_LONGER, _LEAST = 0.01, 1e-3
"""The part that the difference of lengths counts: of copies these differ by up to 15 %, where they point does not. And by how much the next
best order must be worse at least, in sizes of the figure, as lengths alone show little."""

_MOST = 1 << 16
"""Pairs of subtrees that are compared bone by bone; behind these only by their first bones, and nothing is sure."""

SURE, DOUBTFUL = 0.9, 0.6


@dataclass(frozen=True)
class Match:
    """Bones of source and target that belong together, how sure that is, and the mean distance in sizes of the figures."""

    pairs: dict[int, int]
    confidence: dict[int, float]
    distance: float


def same_shape(source: Figure, target: Figure) -> Match | None:
    """All bones of two figures whose trees are the same, whatever their names and, within reason, their lengths; None for
    other trees, and for figures that stand or face differently."""
    if len(source) != len(target):
        return None
    kinds: dict[tuple[int, ...], int] = {}
    trees = _Tree.of(source, kinds), _Tree.of(target, kinds)
    if sorted(trees[0].kinds[bone] for bone in trees[0].roots) != sorted(trees[1].kinds[bone] for bone in trees[1].roots):
        return None
    match = _Matcher(*trees).run()
    return match if match.distance < _ALIKE else None


def is_in_order(source: Figure, target: Figure) -> bool:
    """Of two figures of one tree, whether bones of one number are so much alike that no other order is clearly better."""
    matcher = _Matcher(_Tree.of(source, {}), _Tree.of(target, {}))
    return sum(matcher.apart(bone, bone) for bone in range(len(source))) < _LEAST


@dataclass(frozen=True, eq=False)
class _Tree:
    """kinds: for each bone a number shared by all subtrees of one shape. directions, lengths: (B, 3) and (B,) of the steps from the
    parents, in sizes of the figure."""

    roots: tuple[int, ...]
    children: tuple[tuple[int, ...], ...]
    kinds: list[int]
    directions: Floats
    lengths: list[float]

    @classmethod
    def of(cls, figure: Figure, known: dict[tuple[int, ...], int]) -> _Tree:
        kinds = [0] * len(figure)
        for bone in reversed(range(len(figure))):
            shape = tuple(sorted(kinds[child] for child in figure.children[bone]))
            kinds[bone] = known.setdefault(shape, len(known))
        heads, parents = figure.heads, figure.parents
        size = float(np.linalg.norm(np.ptp(heads, axis=0))) or 1.0
        offsets = np.where((parents >= 0)[:, None], heads - heads[parents], 0.0) / size
        roots = tuple(int(bone) for bone in np.flatnonzero(parents < 0))
        lengths = np.linalg.norm(offsets, axis=1)
        return cls(roots, figure.children, kinds, offsets / np.maximum(lengths, 1e-12)[:, None], lengths.tolist())


@dataclass
class _Matcher:
    one: _Tree
    two: _Tree
    costs: dict[tuple[int, int], float] = field(default_factory=dict[tuple[int, int], float])

    def run(self) -> Match:
        pairs: dict[int, int] = {}
        confidence: dict[int, float] = {}
        waiting = [(self.one.roots, self.two.roots, SURE)]
        total = 0.0
        while waiting:
            ones, twos, sure = waiting.pop()
            for group in self._groups(ones, twos):
                order, clear = self._best(*group)
                for first, second, is_clear in zip(group[0], order, clear, strict=True):
                    pairs[first] = second
                    confidence[first] = sure if is_clear else min(sure, DOUBTFUL)
                    total += self.apart(first, second)
                    waiting.append((self.one.children[first], self.two.children[second], confidence[first]))
        if len(self.costs) >= _MOST:
            confidence = dict.fromkeys(confidence, DOUBTFUL)
        return Match(pairs, confidence, total / max(1, len(pairs)))

    def _groups(self, ones: Sequence[int], twos: Sequence[int]) -> Generator[tuple[list[int], list[int]]]:
        """Siblings of one shape in both."""
        for kind in {self.one.kinds[bone] for bone in ones}:
            yield [bone for bone in ones if self.one.kinds[bone] == kind], [bone for bone in twos if self.two.kinds[bone] == kind]

    def _best(self, ones: list[int], twos: list[int]) -> tuple[list[int], list[bool]]:
        """The second ones in the order of the first, and of each whether any other order is clearly worse."""
        if len(ones) == 1:
            return twos, [True]
        costs = np.array([[self._cost(first, second) for second in twos] for first in ones])
        if len(ones) > _TRIED:
            order = _greedy(costs)
            return [twos[column] for column in order], _clear(costs[:, order])
        rows = range(len(ones))
        rated = sorted((float(costs[rows, order].sum()), order) for order in permutations(rows))
        (least, best), (following, _) = rated[0], rated[1]
        clear = following - least > max(_CLEAR * following, _LEAST)
        return [twos[column] for column in best], [clear] * len(ones)

    def apart(self, first: int, second: int) -> float:
        """How far apart the ends of two steps would be if both were of their mean length; a part of what these differ by, besides."""
        one, two = self.one.lengths[first], self.two.lengths[second]
        aside = float(np.linalg.norm(self.one.directions[first] - self.two.directions[second]))
        return aside * (one + two) / 2 + _LONGER * abs(one - two)

    def _cost(self, first: int, second: int) -> float:
        """Of two subtrees of one shape."""
        known = self.costs.get((first, second))
        if known is not None:
            return known
        total = self.apart(first, second)
        if len(self.costs) >= _MOST:
            return total
        for ones, twos in self._groups(self.one.children[first], self.two.children[second]):
            order, _ = self._best(ones, twos)
            total += sum(self._cost(a, b) for a, b in zip(ones, order, strict=True))
        self.costs[first, second] = total
        return total


def _clear(costs: Floats) -> list[bool]:
    """Of each row, whether it would cost clearly more if it changed its column, which is of its own number, with any other's."""
    own = np.diag(costs)
    swapped, now = costs + costs.T, own[:, None] + own
    clear: NDArray[np.bool_] = swapped - now > np.maximum(_CLEAR * swapped, _LEAST)
    np.fill_diagonal(clear, True)
    return [bool(clear[row].all()) for row in range(len(costs))]


def _greedy(costs: Floats) -> list[int]:
    """For each row its column, the least cost of all first."""
    result = [-1] * len(costs)
    rest = costs.copy()
    for _ in range(len(costs)):
        row, column = divmod(int(np.argmin(rest)), len(costs))
        result[row] = column
        rest[row], rest[:, column] = np.inf, np.inf
    return result
