"""The trees of two bodies laid on each other, bone by bone, where one may have bones that the other has not.

A dynamic program finds, from the tips inwards, which bones belong together so that what hangs on them does, too. Bones in between may be
skipped, branches left out. What is paired is looked at on one side only: the other follows."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from ....motion.rotations.rotation_matrix import Floats
from .body import Body
from .leg_joints import one_joint
from .parts import LARGE, LEFT, MIDDLE, RIGHT

LEAST = 0.3
"""Likeness from which on bones gain by belonging together."""

_SKIPPED, _SKIPPED_IN_LIMB = 0.01, 0.12
"""What a bone costs that is skipped: spines and necks differ more in their number."""

_HUNG = 0.75
"""What bones in the middle gain by limbs that hang on both and belong together."""

_LEFT_OVER = 0.3
"""What belongs together at least of what hangs on other bones of the trunk."""

_MANY = 5
"""Siblings of which every assignment is tried; of more the best are taken one after the other."""


@dataclass
class _Step:
    """The best for one pair of bones: its score, and whether they belong together or one of them is skipped for a child."""

    score: float
    pairs: tuple[tuple[int, int], ...] = ()
    together: bool = False


_NOTHING = _Step(0.0)


@dataclass
class TreeMatch:
    """Two bodies laid on each other, bone by bone. alike: (B1, B2) the likeness of their bones."""

    one: Body
    two: Body
    alike: Floats
    steps: dict[tuple[int, int], _Step] = field(default_factory=dict[tuple[int, int], _Step])

    def __post_init__(self) -> None:
        self.likeness: list[list[float]] = self.alike.tolist()
        self.children = _children(self.one), _children(self.two)
        self.hung: dict[tuple[int, int], float] = {}
        """Bones in the middle on which limbs hang that belong together, and how much that says."""
        self.limbs: list[list[int]] = []
        """Of both figures the bones with which limbs begin, but for the right ones."""
        self.matched = self._pairs()
        self.backward = {second: first for first, second in self.matched.items()}
        self.gained = sum(max(0.0, self.likeness[first][second] - LEAST) for first, second in self.matched.items())
        """How much more alike all is that belongs together than it must be."""

    def likeness_in_all(self) -> float:
        """Mean likeness of what belongs together, of all that each figure has, by its length."""
        total: list[float] = []
        for number, body in enumerate((self.one, self.two)):
            weights = body.weights
            gained = sum(float(weights[pair[number]]) * self.likeness[pair[0]][pair[1]] for pair in self.matched.items())
            total.append(gained / max(float(weights.sum()), 1e-9))
        return min(total)

    def joint(self, first: int, second: int) -> float | None:
        """How likely two bones of legs begin at one joint, 0 to 1; None where it does not show which these are."""
        one, two = self.one.joints[first], self.two.joints[second]
        return one_joint(one, two) if one.any() and two.any() else None

    def score(self, first: int, second: int) -> float:
        """What a pair of bones gains, and what belongs together below it."""
        return self.steps.get((first, second), _NOTHING).score

    def _pairs(self) -> dict[int, int]:
        """Source bone -> target bone of all that belong together: first the limbs, wherever along the body they hang, then the body."""
        rows = [[bone for bone in range(len(body.figure)) if body.kinds[bone] != RIGHT] for body in (self.one, self.two)]
        limbs = [_limbs(body, row) for body, row in zip((self.one, self.two), rows, strict=True)]
        self.limbs = limbs
        self._fill(*([bone for bone in row if body.kinds[bone] != MIDDLE] for row, body in zip(rows, (self.one, self.two), strict=True)))
        waiting = list(self._assigned(*limbs)[1])
        for first, second in waiting:
            hung = self.one.hangs[first], self.two.hangs[second]
            self.hung[hung] = self.hung.get(hung, 0.0) + min(1.0, self.steps[first, second].score) * _HUNG
        self._fill(*([bone for bone in row if body.kinds[bone] == MIDDLE] for row, body in zip(rows, (self.one, self.two), strict=True)))
        roots = [
            [bone for bone in row if body.figure.parents[bone] < 0 and body.kinds[bone] == MIDDLE]
            for row, body in zip(rows, (self.one, self.two), strict=True)
        ]
        waiting = [pair for pair in waiting if max(self.one.mass[pair[0]], self.two.mass[pair[1]]) > LARGE]
        result: dict[int, int] = {}
        self._follow([*waiting, *self._assigned(*roots)[1]], result)
        self._follow(self._small(limbs, result), result)
        left = self._assigned(*self._left_over(rows, result))[1]
        self._follow([pair for pair in left if self.score(*pair) > _LEFT_OVER], result)
        return dict(sorted(result.items()))

    def _small(self, limbs: Sequence[Sequence[int]], result: dict[int, int]) -> list[tuple[int, int]]:
        """The limbs that belong together of those that nothing belongs to yet: what is small shows too little of where in the body it is
        to hang on anything but what belongs together. result: what does."""
        backward = {second: first for first, second in result.items()}
        groups: list[dict[int, list[int]]] = [{}, {}]
        for group, body, starts, known in zip(groups, (self.one, self.two), limbs, (result, backward), strict=True):
            busy = _leading_to(body, range(len(body.figure)), known)
            for start in starts:
                if start not in busy:
                    group.setdefault(_hub(body, start, known), []).append(start)
        return [pair for hub, ones in groups[0].items() for pair in self._assigned(ones, groups[1].get(result.get(hub, -1), ()))[1]]

    def _left_over(self, rows: Sequence[Sequence[int]], matched: dict[int, int]) -> list[list[int]]:
        """Of both figures the bones of the middle with which begins what nothing belongs to yet: a tail or a fin may hang on another bone
        of the trunk."""
        result: list[list[int]] = []
        for body, row, known in zip((self.one, self.two), rows, (matched.keys(), set(matched.values())), strict=True):
            parents, busy = body.figure.parents, _leading_to(body, row, known)
            result.append([bone for bone in row if body.kinds[bone] == MIDDLE and bone not in busy and int(parents[bone]) in busy])
        return result

    def _follow(self, waiting: list[tuple[int, int]], result: dict[int, int]) -> None:
        """Add the pairs that are the best for these, and below them."""
        while waiting:
            pair = waiting.pop()
            step = self.steps[pair]
            if step.together:
                result[pair[0]] = pair[1]
                if self.one.kinds[pair[0]] == LEFT:
                    result[self.one.twins[pair[0]]] = self.two.twins[pair[1]]
            waiting += step.pairs

    def _fill(self, ones: Sequence[int], twos: Sequence[int]) -> None:
        """The best for all pairs of these bones, from the tips inwards."""
        kinds = self.two.kinds
        for first in reversed(ones):
            kind = self.one.kinds[first]
            for second in reversed(twos):
                if kinds[second] == kind:
                    self.steps[first, second] = self._step(first, second)

    def _step(self, first: int, second: int) -> _Step:
        alike = self.likeness[first][second]
        ones, twos = self.children[0][first], self.children[1][second]
        best, skipped = _NOTHING, _SKIPPED if self.one.kinds[first] == MIDDLE else _SKIPPED_IN_LIMB
        if alike >= 0:
            score, pairs = self._assigned(ones, twos)
            best = _Step(score + alike - LEAST + self.hung.get((first, second), 0.0), pairs, True)
        steps = self.steps
        for child in ones:
            score = steps.get((child, second), _NOTHING).score - skipped
            if score > best.score:
                best = _Step(score, ((child, second),))
        for child in twos:
            score = steps.get((first, child), _NOTHING).score - skipped
            if score > best.score:
                best = _Step(score, ((first, child),))
        return best

    def _assigned(self, ones: Sequence[int], twos: Sequence[int]) -> tuple[float, tuple[tuple[int, int], ...]]:
        """The best of all ways to give each of the first one of the second, or none."""
        if not ones or not twos:
            return 0.0, ()
        steps = self.steps
        scores = [[steps.get((first, second), _NOTHING).score for second in twos] for first in ones]
        if len(ones) == len(twos) == 1:
            return (scores[0][0], ((ones[0], twos[0]),)) if scores[0][0] > 0 else (0.0, ())
        if max(len(ones), len(twos)) > _MANY:
            return self._greedy(ones, twos, scores)
        best: dict[int, tuple[float, tuple[tuple[int, int], ...]]] = {0: (0.0, ())}
        for row, first in enumerate(ones):
            after = dict(best)
            for taken, (total, pairs) in best.items():
                for column, second in enumerate(twos):
                    if scores[row][column] <= 0 or taken >> column & 1:
                        continue
                    gained, mask = total + scores[row][column], taken | 1 << column
                    if gained > after.get(mask, (-1.0, ()))[0]:
                        after[mask] = gained, (*pairs, (first, second))
            best = after
        return max(best.values(), key=lambda item: item[0])

    def _greedy(self, ones: Sequence[int], twos: Sequence[int], scores: list[list[float]]) -> tuple[float, tuple[tuple[int, int], ...]]:
        """The best first, then what two exchange as long as both together gain."""
        columns = [-1] * len(ones)
        for score, row, column in sorted(((scores[a][b], a, b) for a in range(len(ones)) for b in range(len(twos))), reverse=True):
            if score > 0 and columns[row] < 0 and column not in columns:
                columns[row] = column

        def gain(row: int, column: int) -> float:
            return scores[row][column] if column >= 0 else 0.0

        gained = True
        while gained:
            gained = False
            for row, other in combinations(range(len(ones)), 2):
                a, b = columns[row], columns[other]
                if gain(row, b) + gain(other, a) > gain(row, a) + gain(other, b) + 1e-9:
                    columns[row], columns[other] = b, a
                    gained = True
        pairs = tuple((ones[row], twos[column]) for row, column in enumerate(columns) if column >= 0 and scores[row][column] > 0)
        return sum(gain(row, column) for row, column in enumerate(columns)), pairs


def _children(body: Body) -> list[list[int]]:
    """(B,) what hangs on each bone and is of the same part of the body."""
    result: list[list[int]] = [[] for _ in body.kinds]
    for bone, hub in enumerate(body.hangs):
        if hub >= 0 and body.kinds[bone] == body.kinds[hub]:
            result[hub].append(bone)
    return result


def _leading_to(body: Body, bones: Sequence[int], known: Collection[int]) -> set[int]:
    """Those of the bones to which one of the other body belongs, and what they hang on, -1 included."""
    busy = {-1}
    for bone in reversed(bones):
        if bone in known or bone in busy:
            busy |= {bone, int(body.figure.parents[bone])}
    return busy


def _hub(body: Body, bone: int, known: dict[int, int]) -> int:
    """The nearest bone above to which one of the other body belongs, -1 without one."""
    bone = int(body.figure.parents[bone])
    while bone >= 0 and bone not in known:
        bone = int(body.figure.parents[bone])
    return bone


def _limbs(body: Body, bones: Sequence[int]) -> list[int]:
    """Those of the bones with which limbs begin."""
    parents = body.figure.parents
    return [bone for bone in bones if body.kinds[bone] != MIDDLE and (parents[bone] < 0 or body.kinds[parents[bone]] == MIDDLE)]
