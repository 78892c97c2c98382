"""What is doubtful of two bodies that are laid on each other: bones that are little alike, or that would suit others as well."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .body import Body
from .parts import LARGE, MIDDLE, RIGHT
from .runs import on_to_the_tip
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
"""Likeness of all bones of a run from which on it is sure; and the mean of a large limb that has as many joints in
both figures, or of a part of a spine, neck or tail."""


class Doubts:
    """What is doubtful of a match."""

    def __init__(self, match: TreeMatch) -> None:
        self.match = match
        self.starts = [_rows(body, limbs) for body, limbs in zip((match.one, match.two), match.limbs, strict=True)]
        """Of both figures: each large limb -> all in a row with it."""

    def sure(self, ones: list[int], twos: list[int]) -> float:
        """How sure a run is: bones that are alike, and no other branch of the same fork that would suit as well."""
        first = next(bone for bone in ones if bone in self.match.matched)
        second = self.match.matched[first]
        if self.match.one.kinds[first] == RIGHT:
            first, second = self.match.one.twins[first], self.match.two.twins[second]
        close = self._rivalled(first, second)
        is_limb = self.match.one.kinds[first] != MIDDLE
        close |= is_limb and self._ends_elsewhere(ones, twos)
        alike = [self.match.likeness[bone][self.match.matched[bone]] for bone in ones if bone in self.match.matched]
        large = max(self.match.one.mass[first], self.match.two.mass[second]) >= LARGE
        in_all = len(alike) > 1 if not is_limb else large and len(ones) == len(twos)
        suits = min(alike) > _ALIKE or (in_all and float(np.mean(alike)) > _ALIKE_IN_ALL)
        return DOUBTFUL if close or not suits else SURE

    def _ends_elsewhere(self, ones: list[int], twos: list[int]) -> bool:
        """Whether a limb goes on in only one of the figures, and its bones go apart before: then a joint of it may be the other's next."""
        one, two = self.match.one, self.match.two
        ends = len(on_to_the_tip(one.figure, ones)) - len(ones), len(on_to_the_tip(two.figure, twos)) - len(twos)
        pairs = [(bone, self.match.matched[bone]) for bone in ones if bone in self.match.matched]
        apart = max(float(np.linalg.norm(one.along[first] - two.along[second])) for first, second in pairs[1:] or pairs)
        return ends[0] != ends[1] and apart > _APART

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
