"""What is doubtful of two bodies that are laid on each other: bones that are little alike, or that would suit others as well."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from .body import Body
from .parts import LARGE, MIDDLE, RIGHT
from .runs import Chained, apart, on_to_the_tip
from .tree_match import TreeMatch

SURE, DOUBTFUL = 0.88, 0.6
"""The confidence of pairs."""

_RIVAL, _RIVAL_IF_SMALL = 0.93, 0.87
"""The part of a match's score from which on another sibling would suit as well; and of what is small."""

_RIVAL_IF_MORE, _AS_LONG = 0.6, 0.5
"""The same where one figure has one more of them; what is shorter than this part of it is no rival then."""

_IN_FRONT = 0.7
"""How far the ranks of limbs are apart, of 1 between those that are clearly in front of each other, for them to be in a row."""

_APART = 0.3
"""Bones of a limb whose directions differ by more, of 1, may be different ones."""

_ALIKE, _ALIKE_IN_ALL = 0.72, 0.55
"""Likeness of all bones of a run from which on it is sure, if nothing else is known of it; and the mean of one with as many bones, or of a
chain, of figures that are little alike."""

_MUCH_ALIKE = 0.4
"""The likeness of two figures from which on less will do of their runs, as below."""

_ALONE, _SMALL = 0.7, 0.6
"""The same for one bone of the middle between two forks, which has no other bone to be taken for, and for what is small."""

_CHAINED, _CHAINED_LIMB = (0.0, 0.45), (0.4, 0.0)
"""The least and the mean likeness of a spine, neck or tail that follows as a chain, and of a limb that does: a joint more is no matter."""

_AS_MANY, _ONE_MORE = (0.45, 0.62), (0.6, 0.7)
"""The same of large limbs with as many joints, and of those of which one has a joint more."""


class Doubts:
    """What is doubtful of a match."""

    def __init__(self, match: TreeMatch) -> None:
        self.match = match
        self.starts = [_rows(body, limbs) for body, limbs in zip((match.one, match.two), match.limbs, strict=True)]
        """Of both figures: each large limb -> all in a row with it."""
        self.much_alike = match.likeness_in_all() > _MUCH_ALIKE

    def sure(self, ones: list[int], twos: list[int], chained: bool, left_out: int) -> float:
        """How sure a run is: bones that are alike, and no other branch of the same fork that would suit as well. chained: whether it
        follows as a chain. left_out: bones of the longer one that have no mate in the other."""
        ones, twos = self._on_the_left(ones, twos)
        pairs = [(bone, self.match.matched[bone]) for bone in ones if bone in self.match.matched]
        if self._rivalled(*pairs[0]):
            return DOUBTFUL
        middle = self.match.one.kinds[pairs[0][0]] == MIDDLE
        large = max(self.match.one.mass[pairs[0][0]], self.match.two.mass[pairs[0][1]]) >= LARGE
        least, mean = _ALIKE, 0.0
        if chained and (middle or large) and self.much_alike:
            least, mean = _CHAINED if middle else _CHAINED_LIMB
        elif chained and middle:
            least, mean = 0.0, _ALIKE_IN_ALL
        elif not middle and self._ends_elsewhere(ones, twos):
            return DOUBTFUL
        elif not middle and large and len(pairs) > 1 and abs(len(ones) - len(twos)) == left_out <= self.much_alike:
            least, mean = _ONE_MORE if left_out else _AS_MANY
        elif left_out:
            return DOUBTFUL
        elif not self.much_alike:
            least = _ALIKE
        elif middle and len(pairs) == 1:
            least = _ALONE
        elif not middle and not large:
            least = _SMALL
        alike = [self.match.likeness[first][second] for first, second in pairs]
        return SURE if min(alike) > least and float(np.mean(alike)) > mean else DOUBTFUL

    def of_pair(self, first: int, second: int) -> float:
        """How sure a pair is beside bones that follow as a chain: which of them it belongs to shows in nothing but its likeness."""
        return SURE if self.match.likeness[first][second] > _ALIKE else DOUBTFUL

    def of_chain(self, chain: Chained) -> float:
        """How sure a chain is by its number of bones: one bone may as well be another's part."""
        if min(map(len, chain)) > 1:
            return SURE
        return min((self.of_pair(first, self.match.matched[first]) for first in chain[0] if first in self.match.matched), default=DOUBTFUL)

    def beside_left_out(self, ones: list[int], twos: list[int]) -> list[int]:
        """Bones of the second figure whose pair is next to a bone that has no mate: that one may be meant."""
        rows = (ones, self.match.matched), (twos, self.match.backward)
        one, two = (
            [bone if bone in known else below for bone, below in pairwise(row) if (bone in known) != (below in known)]
            for row, known in rows
        )
        return [*(self.match.matched[bone] for bone in one), *two]

    def _on_the_left(self, ones: list[int], twos: list[int]) -> tuple[list[int], list[int]]:
        """The left one of two limbs: what is sure of one side is of the other."""
        sides = (self.match.one, ones), (self.match.two, twos)
        one, two = ([body.twins[bone] if body.kinds[bone] == RIGHT else bone for bone in bones] for body, bones in sides)
        return one, two

    def _ends_elsewhere(self, ones: list[int], twos: list[int]) -> bool:
        """Whether a limb goes on in only one of the figures, and its bones go apart before: then a joint of it may be the other's next."""
        one, two = self.match.one, self.match.two
        ends = len(on_to_the_tip(one.figure, ones)) - len(ones), len(on_to_the_tip(two.figure, twos)) - len(twos)
        return ends[0] != ends[1] and apart(self.match, ones) > _APART

    def _rivalled(self, first: int, second: int) -> bool:
        """Whether two bones that belong together would suit others nearly as well, what follows from that included."""
        if self._in_row(first, second):
            return False
        score = self.match.score(first, second)
        near = _RIVAL_IF_SMALL if max(self.match.one.mass[first], self.match.two.mass[second]) < LARGE else _RIVAL
        for rival in self._siblings(1, second):
            other = self.match.backward.get(rival, -1)
            now, then = score + self.match.score(other, rival), self.match.score(first, rival) + self.match.score(other, second)
            if then > near * now:
                return True
        left = [(other, second) for other in self._siblings(0, first) if other not in self.match.matched]
        left += [(first, other) for other in self._siblings(1, second) if other not in self.match.backward]
        return any(self.match.score(*pair) > (_RIVAL_IF_MORE if self._as_long(*pair) else near) * score for pair in left)

    def _as_long(self, first: int, second: int) -> bool:
        """Whether of two bones neither carries much less than the other."""
        low, high = sorted((float(self.match.one.mass[first]), float(self.match.two.mass[second])))
        return low > _AS_LONG * high

    def _in_row(self, first: int, second: int) -> bool:
        """Whether these are large limbs of as many in both figures that follow each other in the same order, all of them along one side."""
        rows = [self.starts[number].get(bone, ()) for number, bone in enumerate((first, second))]
        return bool(rows[0]) and [self.match.matched.get(bone) for bone in rows[0]] == list(rows[1])

    def _siblings(self, number: int, bone: int) -> list[int]:
        """Bones beside one that could have been chosen in its stead: limbs wherever they hang, else what hangs on the same bone."""
        body = (self.match.one, self.match.two)[number]
        parent, kind = int(body.figure.parents[bone]), body.kinds[bone]
        if kind != MIDDLE and (parent < 0 or body.kinds[parent] == MIDDLE):
            return [limb for limb in self.match.limbs[number] if limb != bone and body.kinds[limb] == kind]
        return [child for child in body.figure.children[parent] if child != bone and body.kinds[child] == kind] if parent >= 0 else []


def _rows(body: Body, limbs: Sequence[int]) -> dict[int, tuple[int, ...]]:
    """Of each large limb all of them on its side, from the back to the front; none where two of them begin at one spot."""
    large = [bone for bone in limbs if body.mass[bone] > LARGE]
    result: dict[int, tuple[int, ...]] = {}
    for kind in {body.kinds[bone] for bone in large}:
        row = sorted((bone for bone in large if body.kinds[bone] == kind), key=lambda bone: float(body.rank[bone]))
        if len(row) > 1 and float(np.diff(body.rank[row]).min()) * (len(row) - 1) > _IN_FRONT:
            result.update(dict.fromkeys(row, tuple(row)))
    return result
