"""What is doubtful of two bodies that are laid on each other: bones that are little alike, or that would suit others as well."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from ....motion.rotations.rotation_matrix import Floats
from .body import Body
from .likeness import AT_HEAD
from .parts import LARGE, MIDDLE, RIGHT
from .runs import Chained, are_rows, both_flexible
from .tree_match import LEAST, TreeMatch

SURE, DOUBTFUL = 0.88, 0.6
"""The confidence of pairs."""

_RIVAL, _RIVAL_IF_MORE = 0.93, 0.6
"""The part of a match's score from which on another sibling would suit as well; and where one figure has one more of them."""

_ALIKE, _SMALL = 0.72, 0.6
"""Likeness of all bones of a run from which on it is sure, if nothing else is known of it; and of what is small."""

_MUCH_ALIKE = 0.4
"""The likeness of two figures from which on less will do of their runs, as below."""

_CHAINED = 0.45
"""The mean likeness of limbs that follow as a chain, where a joint more is no matter."""

_SHIFTED = 0.9
"""The part of the mean likeness of a limb's joints that are not much alike from which on each may as well be the next one's: where one
limb begins with a blade and the other ends with a tip, their numbers agree by chance."""

_JOINTS = 3
"""Joints of a limb that show this."""

_LIMB, _MARGIN = 0.5, 0.1
"""The mean likeness of large limbs that are sure; and by how much the best assignment of their joints is better than the best without a
pair for that to be."""

_UNLIKE = 0.5
"""The mean likeness up to which what hangs on the trunk is no match after all, though it suits nothing better."""

_LONE, _FACE = 0.88, 3
"""Likeness of a small bone, and of what hangs on a head, from which on it is sure, unless so many hang there in both: an ear alone may be
an eye."""

_PROPORTION = 0.35
"""The logarithm by which the last step of a limb, in parts of the one before, is another one's at least for one of both to be a mere end,
and the other a joint: the same two steps of two makers seldom differ by as much."""

_ALONG = 0.6
"""As `_ALIKE`, of bones of spine, neck and tail."""


_ONE_JOINT = 0.72
"""How likely two bones of legs begin at one joint, at least, for that to be sure."""

_STRAIGHT_ON, _BENT = 0.95, 0.8
"""The cosines from the last step but one of a leg to the last: a mere end goes straight on where a toe goes forward."""


class Doubts:
    """What is doubtful of a match."""

    def __init__(
        self, match: TreeMatch, others: Sequence[dict[int, int]] = (), uneven: tuple[Collection[int], Collection[int]] = ((), ())
    ) -> None:
        """others: what belongs together where one part of what shows it counts less. uneven: bones of both, as of `of_uneven_rows`."""
        self.match, self.others, self.uneven = match, others, uneven
        self.much_alike = match.likeness_in_all() > _MUCH_ALIKE
        self._margins: dict[tuple[int, int, int, int], Floats] = {}

    def sure(self, ones: list[int], twos: list[int], chained: bool, left_out: int) -> float:
        """How sure a run is: bones that are alike, and no other branch of the same fork that would suit as well. chained: whether it
        follows as a chain. left_out: bones of the longer one that have no mate in the other."""
        ones, twos = self._on_the_left(ones, twos)
        pairs = [(bone, self.match.matched[bone]) for bone in ones if bone in self.match.matched]
        if self._rivalled(*pairs[0]) or any(first in self.uneven[0] or second in self.uneven[1] for first, second in pairs):
            return DOUBTFUL
        middle = self.match.one.kinds[pairs[0][0]] == MIDDLE
        if middle and (chained or self._are_along(pairs)):
            return SURE  # but for single pairs, see `differ`
        large = max(self.match.one.mass[pairs[0][0]], self.match.two.mass[pairs[0][1]]) >= LARGE
        alike = [self.match.likeness[first][second] for first, second in pairs]
        mean = float(np.mean(alike))
        if large and not middle and not chained:
            if self.match.joint(*pairs[0]) is not None:
                return SURE  # but for single pairs, see `differ`
            return SURE if self.much_alike and mean > _LIMB and not self._may_be_shifted(ones, twos, mean) else DOUBTFUL
        if not (self._is_steady_chain(ones, twos) if chained else self._are_steady(pairs)):
            return DOUBTFUL
        if chained and large and self.much_alike:
            return SURE if mean > _CHAINED else DOUBTFUL
        if not (large or chained) and all(self.match.matched.get(first) == second for first, second in zip(ones, twos, strict=False)):
            left_out = 0  # what goes on further in but one, as a tongue behind a jaw
        small = self.much_alike and not middle and not large
        least = _ALIKE if not small else _LONE if self._is_lone(pairs) else _SMALL
        return SURE if not left_out and min(alike) > least else DOUBTFUL

    def _are_steady(self, pairs: list[tuple[int, int]]) -> bool:
        """Whether each pair belongs together whatever of all that shows it counts less."""
        return all(other.get(first) == second for other in self.others for first, second in pairs)

    def _may_be_shifted(self, ones: list[int], twos: list[int], mean: float) -> bool:
        """Whether the joints of two limbs of as many would be as much alike by one further in or out, or nearly. mean: their likeness."""
        if len(ones) != len(twos) or len(ones) < _JOINTS or both_flexible(self.match, ones, twos):
            return False
        likeness, least = self.match.likeness, (_SHIFTED if mean < _ALIKE else 1.0) * mean
        shifted = zip(ones[1:], twos, strict=False), zip(ones, twos[1:], strict=False)
        return any(float(np.mean([likeness[first][second] for first, second in each])) > least for each in shifted)

    def _is_steady_chain(self, ones: list[int], twos: list[int]) -> bool:
        """The same of bones that follow as a chain, whichever of them belong to each other."""
        ends = [{(first in ones, second in twos) for first, second in other.items()} - {(False, False)} for other in self.others]
        return all(each == {(True, True)} for each in ends)

    def unlike(self, ones: list[int], twos: list[int]) -> bool:
        """Whether a run is no match after all: something else, that only one of both has, on the same bone."""
        match = self.match
        ones, _ = self._on_the_left(ones, twos)
        pairs = [(bone, match.matched[bone]) for bone in ones if bone in match.matched]
        if match.one.kinds[pairs[0][0]] != MIDDLE or self._are_along(pairs):
            return False
        return float(np.mean([match.likeness[a][b] for a, b in pairs])) < _UNLIKE

    def _is_lone(self, pairs: list[tuple[int, int]]) -> bool:
        """Whether a small bone, or what hangs on a head, has little beside it that shows what it is."""
        sides = [(self.match.one, pairs[0][0]), (self.match.two, pairs[0][1])]
        if len(pairs) > 1 and not any(body.stations.along[bone] > AT_HEAD for body, bone in sides):
            return False
        return min(_small_beside(body, bone) for body, bone in sides) < _FACE

    def differ(self, first: int, second: int, ends: tuple[Collection[int], Collection[int]]) -> bool:
        """Whether of two bones but one may be a joint, or the head. ends: bones of both that are mere ends."""
        joint = self.match.joint(first, second)
        return (
            self.is_elsewhere(first, second)
            or (self.is_shifted(first, second) if joint is None else joint < _ONE_JOINT)
            or self.is_blurred(first, second)
            or self.may_be_end(first, second)
            or (first in ends[0]) != (second in ends[1])
        )

    def is_elsewhere(self, first: int, second: int) -> bool:
        """Whether two bones on the way from tail to head are little alike, or belong together only as long as all that shows it counts."""
        along = self.match.one.kinds[first] == MIDDLE and self._are_along([(first, second)])
        if not along or self._are_of_tails(first, second):
            return False
        return bool(self.match.likeness[first][second] < _ALONG or not self._are_steady([(first, second)]))

    def is_shifted(self, first: int, second: int) -> bool:
        """Whether of two bones of limbs either would suit another joint nearly as well, or but one goes on."""
        one, two = self.match.one, self.match.two
        return one.kinds[first] != MIDDLE and (
            self.match.matched.get(first) != second
            or bool(one.figure.children[first]) != bool(two.figure.children[second])
            or not self._are_steady([(first, second)])
            or self._margin(first, second) < _MARGIN
        )

    def _margin(self, first: int, second: int) -> float:
        """By how much the best assignment of the joints of two limbs in which these two belong together is better than the best in which
        they do not."""
        ones, twos = _row(self.match.one, first), _row(self.match.two, second)
        limbs = ones[0], ones[-1], twos[0], twos[-1]
        if limbs not in self._margins:
            self._margins[limbs] = _margins(np.array([[self.match.likeness[one][two] - LEAST for two in twos] for one in ones]))
        return float(self._margins[limbs][ones.index(first), twos.index(second)])

    def is_blurred(self, first: int, second: int) -> bool:
        """Whether it does not show of one of two bones that it is the neck's last, the head, or a jaw."""
        return bool(self.match.one.stations.blurred[first] or self.match.two.stations.blurred[second])

    def may_be_end(self, first: int, second: int) -> bool:
        """Whether one of two bones of limbs, the last of its own, may be a mere end, and the other a joint; of legs whose joints
        show, where but one goes straight on."""
        steps, bends = list[float](), list[float]()
        for body, bone in ((self.match.one, first), (self.match.two, second)):
            above = int(body.figure.parents[bone])
            if above < 0 or body.kinds[bone] == MIDDLE or body.kinds[above] == MIDDLE or body.figure.children[above] != (bone,):
                return False
            steps.append(float(body.steps[bone] / max(body.steps[above], 1e-9)))
            bends.append(float(body.along[bone] @ body.along[above]))
        if self.match.joint(first, second) is not None and not (min(bends) < _BENT and max(bends) > _STRAIGHT_ON):
            return False
        last = not self.match.one.figure.children[first] or not self.match.two.figure.children[second]
        return last and abs(np.log(max(steps[0], 1e-9) / max(steps[1], 1e-9))) > _PROPORTION

    def of_pair(self, first: int, second: int) -> float:
        """How sure a pair is beside bones that follow as a chain: which of them it belongs to shows in nothing but its likeness."""
        return SURE if self._are_of_tails(first, second) or self.match.likeness[first][second] > _ALIKE else DOUBTFUL

    def of_chain(self, chain: Chained) -> float:
        """How sure a chain is by its number of bones: one bone may as well be another's part, and of a limb that has several joints more
        it does not show which these are."""
        ones, twos = chain
        if self.match.one.stations.blurred[list(ones)].any() or self.match.two.stations.blurred[list(twos)].any():
            return DOUBTFUL
        if self.match.one.kinds[ones[0]] != MIDDLE and abs(len(ones) - len(twos)) > 1 and not are_rows(self.match, ones, twos):
            return DOUBTFUL
        if min(map(len, chain)) > 1:
            return SURE
        return min((self.of_pair(first, self.match.matched[first]) for first in chain[0] if first in self.match.matched), default=DOUBTFUL)

    def _are_along(self, pairs: list[tuple[int, int]]) -> bool:
        """Whether all are on the way from tail to head, in both bodies."""
        one, two = self.match.one.stations.off, self.match.two.stations.off
        return not any(one[first] or two[second] for first, second in pairs)

    def _are_of_tails(self, first: int, second: int) -> bool:
        """Whether both are behind all limbs on the way to the end of the tail: there is nothing else there, however it hangs."""
        one, two = self.match.one.stations, self.match.two.stations
        return bool(max(one.along[first], two.along[second]) < 0 and one.off[first] == two.off[second] == 0)

    def _on_the_left(self, ones: list[int], twos: list[int]) -> tuple[list[int], list[int]]:
        """The left one of two limbs: what is sure of one side is of the other."""
        sides = (self.match.one, ones), (self.match.two, twos)
        one, two = ([body.twins[bone] if body.kinds[bone] == RIGHT else bone for bone in bones] for body, bones in sides)
        return one, two

    def _rivalled(self, first: int, second: int) -> bool:
        """Whether two bones that belong together would suit others nearly as well, what follows from that included."""
        score = self.match.score(first, second)
        for rival in self._siblings(1, second):
            other = self.match.backward.get(rival, -1)
            now, then = score + self.match.score(other, rival), self.match.score(first, rival) + self.match.score(other, second)
            if then > _RIVAL * now:
                return True
        left = [(other, second) for other in self._siblings(0, first) if other not in self.match.matched]
        left += [(first, other) for other in self._siblings(1, second) if other not in self.match.backward]
        return any(self.match.score(*pair) > _RIVAL_IF_MORE * score for pair in left)

    def _siblings(self, number: int, bone: int) -> list[int]:
        """Bones beside one that could have been chosen in its stead: limbs wherever they hang, else what hangs on the same bone."""
        body = (self.match.one, self.match.two)[number]
        parent, kind = int(body.figure.parents[bone]), body.kinds[bone]
        if kind != MIDDLE and (parent < 0 or body.kinds[parent] == MIDDLE):
            return [limb for limb in self.match.limbs[number] if limb != bone and body.kinds[limb] == kind]
        return [child for child in body.figure.children[parent] if child != bone and body.kinds[child] == kind] if parent >= 0 else []


def _small_beside(body: Body, bone: int) -> int:
    """How many small parts, the bone's own included, hang on the same bone on its side."""
    above = int(body.figure.parents[bone])
    beside = body.figure.children[above] if above >= 0 else (bone,)
    return sum(body.kinds[child] == body.kinds[bone] and body.mass[child] < LARGE for child in beside)


def _row(body: Body, bone: int) -> list[int]:
    """The joints of a limb from where it begins by way of a bone to its tip, or to its fingers."""
    row = [bone]
    while (above := int(body.figure.parents[row[-1]])) >= 0 and body.kinds[above] == body.kinds[bone]:
        row.append(above)
    row.reverse()
    while body.figure.children[row[-1]]:
        row.append(max(body.figure.children[row[-1]], key=lambda child: float(body.mass[child])))
    return row


def _margins(scores: Floats) -> Floats:
    """(R, C) by how much more can be gained by assigning R rows to C columns in order, some of them to none, than without each pair.

    Without a pair its row goes to none, or to another column. scores: (R, C) what each pair gains."""
    before, behind = _gained(scores), _gained(scores[::-1, ::-1])[::-1, ::-1]
    without = np.tile((before[:-1] + behind[1:]).max(axis=1)[:, None], scores.shape[1])
    through = before[:-1, :-1] + scores + behind[1:, 1:]
    without[:, 1:] = np.maximum(without[:, 1:], np.maximum.accumulate(through, axis=1)[:, :-1])
    without[:, :-1] = np.maximum(without[:, :-1], np.maximum.accumulate(through[:, ::-1], axis=1)[:, -2::-1])
    return before[-1, -1] - without


def _gained(scores: Floats) -> Floats:
    """(R + 1, C + 1) the most that the first rows and columns can gain together, of each number of both."""
    result = np.zeros((scores.shape[0] + 1, scores.shape[1] + 1))
    for row, own in enumerate(scores):
        result[row + 1, 1:] = np.maximum.accumulate(np.maximum(result[row, 1:], result[row, :-1] + own))
    return result
