"""Two beasts of a kind: their trees are laid on each other, bone by bone, where one may have bones that the other has not.

Each bone is described by where it is in the body, by what hangs on it and, where both have names, by these; a dynamic program finds, from
the tips inwards, which bones belong together so that what hangs on them does, too. Bones in between may be skipped, branches left out.
What is paired is looked at on one side only: the other follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from ...motion.rotation_matrix import Floats
from ..figures.figure import Figure
from .body import LARGE, LEFT, MIDDLE, RIGHT, Body, bodies
from .evidence import Labels
from .likeness import likeness
from .names import Name

_LEAST = 0.3
"""Likeness from which on bones gain by belonging together."""

_SKIPPED, _SKIPPED_IN_LIMB = 0.01, 0.12
"""What a bone costs that is skipped: spines and necks differ more in their number."""

_RIVAL, _RIVAL_IF_SMALL = 0.93, 0.87
"""The part of a match's score from which on another sibling would suit as well; and of what is small."""

_RIVAL_IF_MORE, _AS_LONG = 0.6, 0.5
"""The same where one figure has one more of them; what is shorter than this part of it is no rival then."""

_IN_FRONT = 0.7
"""How far the ranks of limbs are apart, of 1 between those that are clearly in front of each other, for them to be in a row."""

_PAIRED = 4
"""Bones with a twin on the other side that a beast has at least."""

_APART = 0.3
"""Bones of a limb whose directions differ by more, of 1, may be different ones."""

_CHAIN = 0.6
"""The part of a snake's bones that are one row."""

_OTHER_END = 0.95
"""What the score counts of figures that look the other way."""

_AHEAD = 0.35
"""What the score gains where both figures look ahead by what they are alone."""

_EITHER_END = 0.9
"""The part of the best score from which on nothing is sure of a figure that may look the other way."""

_STRAIGHT, _EVEN = np.cos(np.radians(35)), 2.5
"""A spine, neck or tail bends less from bone to bone, and its bones differ less in length; else it is a limb."""

_HUNG = 0.75
"""What bones in the middle gain by limbs that hang on both and belong together."""

_ALIKE, _ALIKE_IN_ALL = 0.72, 0.55
"""Likeness of all bones of a run from which on it is sure; and the mean of a large limb that has as many joints in
both figures, or of a part of a spine, neck or tail."""

_MANY = 5
"""Siblings of which every assignment is tried; of more the best are taken one after the other."""

_MOST, _MOST_PAIRS = 2000, 1 << 19
"""Bones of a figure, and of one times those of the other, that are compared: time and memory grow with these."""

SURE, DOUBTFUL = 0.88, 0.6


@dataclass(frozen=True)
class Kin:
    """pairs: source bone -> target bone. chains: bones of both that follow as a chain. confidence: by target bone. score: 0 to 1."""

    pairs: dict[int, int]
    chains: list[tuple[tuple[int, ...], tuple[int, ...]]]
    confidence: dict[int, float]
    score: float


def bodies_of(figure: Figure, labels: Labels) -> list[Body]:
    """The body of a figure, or, where nothing shows which half is its left one, either; none of one that is too small or too large."""
    return bodies(figure, [name.side for name in labels.names]) if _PAIRED <= len(figure) <= _MOST else []


def kin(ones: Sequence[Body], twos: Sequence[Body], first: Sequence[Name], second: Sequence[Name]) -> Kin | None:
    """The bones of two figures that belong together, source and target; None where they are no kin, or too large. first, second: the bones'
    names. Of figures with two bodies, see `bodies_of`, both are tried."""
    if not ones or not twos:
        return None
    source, target = ones[0].figure, twos[0].figure
    if len(source) * len(target) > _MOST_PAIRS:
        return None
    tried: list[tuple[float, _Matcher]] = []
    if min(ones[0].paired, twos[0].paired) < _PAIRED and not (_is_one_chain(source) and _is_one_chain(target)):
        return None
    if len(ones) == 2:
        twos = twos[:1]
    for one in ones:
        for two in twos:
            matcher = _Matcher(one, two, likeness(one, two, first, second))
            gained = matcher.gained * (1.0 if one is ones[0] and two is twos[0] else _OTHER_END)
            gained *= 1 + _AHEAD * one.ahead * two.ahead
            tried.append((gained, matcher))
    tried.sort(key=lambda item: -item[0])
    (most, best), *others = tried
    either = any(gained > _EITHER_END * most for gained, _ in others)
    rows = _is_one_chain(source), _is_one_chain(target)
    either |= any(rows) and len(source) != len(target)
    return best.result(best.score(), either)


@dataclass
class _Step:
    """The best for one pair of bones: its score, and whether they belong together or one of them is skipped for a child."""

    score: float
    pairs: tuple[tuple[int, int], ...] = ()
    together: bool = False


_NOTHING = _Step(0.0)


@dataclass
class _Matcher:
    one: Body
    two: Body
    alike: Floats
    steps: dict[tuple[int, int], _Step] = field(default_factory=dict[tuple[int, int], _Step])

    def __post_init__(self) -> None:
        self.likeness: list[list[float]] = self.alike.tolist()
        self.children = tuple(
            tuple(
                tuple(child for child in children if body.kinds[child] == body.kinds[bone])
                for bone, children in enumerate(body.figure.children)
            )
            for body in (self.one, self.two)
        )
        self.hung: dict[tuple[int, int], float] = {}
        """Bones in the middle on which limbs hang that belong together, and how much that says."""
        self.limbs: list[list[int]] = []
        self.starts: list[dict[int, tuple[int, ...]]] = []
        """Of both figures the bones with which limbs begin, but for the right ones; and of each large one all in a row."""
        self.matched = self._pairs()
        self.backward = {second: first for first, second in self.matched.items()}
        self.hubs = [
            {int(body.figure.parents[bone]) for bone in limbs if body.mass[bone] > LARGE}
            for body, limbs in zip((self.one, self.two), self.limbs, strict=True)
        ]
        """Of both figures the bones on which large limbs hang."""
        self.gained = sum(max(0.0, self.likeness[first][second] - _LEAST) for first, second in self.matched.items())
        """How much more alike all is that belongs together than it must be."""

    def score(self) -> float:
        """Mean likeness of what belongs together, of all that each figure has, by its length."""
        total: list[float] = []
        for number, body in enumerate((self.one, self.two)):
            weights = body.weights
            gained = sum(float(weights[pair[number]]) * self.likeness[pair[0]][pair[1]] for pair in self.matched.items())
            total.append(gained / max(float(weights.sum()), 1e-9))
        return min(total)

    def _pairs(self) -> dict[int, int]:
        """Source bone -> target bone of all that belong together: first the limbs, wherever along the body they hang, then the body."""
        rows = [[bone for bone in range(len(body.figure)) if body.kinds[bone] != RIGHT] for body in (self.one, self.two)]
        limbs = [_limbs(body, row) for body, row in zip((self.one, self.two), rows, strict=True)]
        self.limbs = limbs
        self.starts = [_rows(body, row) for body, row in zip((self.one, self.two), limbs, strict=True)]
        self._fill(*([bone for bone in row if body.kinds[bone] != MIDDLE] for row, body in zip(rows, (self.one, self.two), strict=True)))
        waiting = list(self._assigned(*limbs)[1])
        for first, second in waiting:
            hung = int(self.one.figure.parents[first]), int(self.two.figure.parents[second])
            self.hung[hung] = self.hung.get(hung, 0.0) + min(1.0, self.steps[first, second].score) * _HUNG
        self._fill(*([bone for bone in row if body.kinds[bone] == MIDDLE] for row, body in zip(rows, (self.one, self.two), strict=True)))
        roots = [
            [bone for bone in row if body.figure.parents[bone] < 0 and body.kinds[bone] == MIDDLE]
            for row, body in zip(rows, (self.one, self.two), strict=True)
        ]
        waiting += self._assigned(*roots)[1]
        result: dict[int, int] = {}
        while waiting:
            pair = waiting.pop()
            step = self.steps[pair]
            if step.together:
                result[pair[0]] = pair[1]
                if self.one.kinds[pair[0]] == LEFT:
                    result[self.one.twins[pair[0]]] = self.two.twins[pair[1]]
            waiting += step.pairs
        return dict(sorted(result.items()))

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
            best = _Step(score + alike - _LEAST + self.hung.get((first, second), 0.0), pairs, True)
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

    def result(self, score: float, either: bool) -> Kin:
        """Pairs and chains, once everything is decided. either: whether the figures would be as much alike the other way round."""
        matched = self.matched
        pairs: dict[int, int] = {}
        chains: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
        confidence: dict[int, float] = {}
        for run in self._runs(matched):
            ones, twos = run
            sure = self._sure(ones, twos, matched)
            together, chain = self._together(ones, twos, matched)
            pairs.update(together)
            if len(together) < max(len(ones), len(twos)) and chain is None:
                sure = DOUBTFUL  # a limb with a joint more
            if chain is not None:
                chains.append(chain)
                confidence.update(dict.fromkeys(chain[1], sure))
            confidence.update({second: sure for _, second in together})
        if either:
            confidence = dict.fromkeys(confidence, DOUBTFUL)
        return Kin(pairs, chains, confidence, score)

    def _together(
        self, ones: list[int], twos: list[int], matched: dict[int, int]
    ) -> tuple[list[tuple[int, int]], tuple[tuple[int, ...], tuple[int, ...]] | None]:
        """The pairs of a run, and the chain where it is a spine, neck or tail of another number of bones."""
        ends: list[tuple[int, int]] = []
        if len(self.one.figure.children[ones[-1]]) > 1 and len(self.two.figure.children[twos[-1]]) > 1:
            ends, ones, twos = [(ones[-1], twos[-1])], ones[:-1], twos[:-1]  # where a neck ends begins a head
        elif min(len(ones), len(twos)) > 1:
            longer = _on_to_the_tip(self.one.figure, ones), _on_to_the_tip(self.two.figure, twos)
            if all(_flexible(body.figure, bones) for body, bones in zip((self.one, self.two), longer, strict=True)):
                ones, twos = longer
        if len(ones) == len(twos):
            return [*zip(ones, twos, strict=True), *ends], None
        least = 1 if ends else 2
        if min(len(ones), len(twos)) >= least and _flexible(self.one.figure, ones) and _flexible(self.two.figure, twos):
            return ends, (tuple(ones), tuple(twos))
        if not ends and max(self.one.mass[ones[0]], self.two.mass[twos[0]]) < LARGE and not self._goes_on(ones, twos):
            return list(zip(ones, twos, strict=False)), None  # a jaw is a jaw, whether or not it has a tongue
        return [*((bone, matched[bone]) for bone in ones if bone in matched), *ends], None

    def _goes_on(self, ones: list[int], twos: list[int]) -> bool:
        """Whether more hangs on the ends of both."""
        return bool(self.one.figure.children[ones[-1]] and self.two.figure.children[twos[-1]])

    def _runs(self, matched: dict[int, int]) -> list[tuple[list[int], list[int]]]:
        """The bones from one fork of what is matched to the next, the upper fork left out, of both figures."""
        backward = {second: first for first, second in matched.items()}
        above = {first: _nearest(self.one.figure, first, matched) for first in matched}
        below: dict[int, list[int]] = {}
        for first, parent in above.items():
            below.setdefault(parent, []).append(first)
        runs: list[tuple[list[int], list[int]]] = []
        for first in matched:
            if len(below.get(first, ())) == 1:
                continue  # inside a run
            start = first
            while above[start] >= 0 and len(below[above[start]]) == 1:
                start = above[start]
            top = above[start]
            ones = _path(self.one.figure, first, top)
            twos = _path(self.two.figure, matched[first], matched.get(top, -1))
            ones = ones if top >= 0 else ones[ones.index(start) :]
            twos = twos if top >= 0 else twos[twos.index(matched[start]) :]
            ones, twos = self._of_the_limb(0, ones), self._of_the_limb(1, twos)
            runs.append((ones, [bone for bone in twos if bone not in backward or backward[bone] in ones]))
        return runs

    def _of_the_limb(self, number: int, bones: list[int]) -> list[int]:
        """Without what is a part of the body's middle, where the last one is of a limb, and without bones between on which other limbs
        hang: a limb or tail may hang on another bone of the trunk."""
        body, known = ((self.one, self.matched), (self.two, self.backward))[number]
        middle = body.kinds[bones[-1]] == MIDDLE
        return [bone for bone in bones if (bone in known or bone not in self.hubs[number]) if middle or body.kinds[bone] != MIDDLE]

    def _sure(self, ones: list[int], twos: list[int], matched: dict[int, int]) -> float:
        """How sure a run is: bones that are alike, and no other branch of the same fork that would suit as well."""
        first = next(bone for bone in ones if bone in matched)
        second = matched[first]
        if self.one.kinds[first] == RIGHT:
            first, second = self.one.twins[first], self.two.twins[second]
        close = self._rivalled(first, second)
        is_limb = self.one.kinds[first] != MIDDLE
        close |= is_limb and self._ends_elsewhere(ones, twos, matched)
        alike = [self.likeness[bone][matched[bone]] for bone in ones if bone in matched]
        large = max(self.one.mass[first], self.two.mass[second]) >= LARGE
        in_all = len(alike) > 1 if not is_limb else large and len(ones) == len(twos)
        suits = min(alike) > _ALIKE or (in_all and float(np.mean(alike)) > _ALIKE_IN_ALL)
        return DOUBTFUL if close or not suits else SURE

    def _ends_elsewhere(self, ones: list[int], twos: list[int], matched: dict[int, int]) -> bool:
        """Whether a limb goes on in only one of the figures, and its bones go apart before: then a joint of it may be the other's next."""
        ends = len(_on_to_the_tip(self.one.figure, ones)) - len(ones), len(_on_to_the_tip(self.two.figure, twos)) - len(twos)
        pairs = [(bone, matched[bone]) for bone in ones if bone in matched]
        apart = max(float(np.linalg.norm(self.one.along[first] - self.two.along[second])) for first, second in pairs[1:] or pairs)
        return ends[0] != ends[1] and apart > _APART

    def _rivalled(self, first: int, second: int) -> bool:
        """Whether two bones that belong together would suit others nearly as well, what follows from that included."""
        if self._in_row(first, second):
            return False
        score = self._score(first, second)
        near = _RIVAL_IF_SMALL if max(self.one.mass[first], self.two.mass[second]) < LARGE else _RIVAL
        for rival in self._siblings(1, second):
            other = self.backward.get(rival, -1)
            now, then = score + self._score(other, rival), self._score(first, rival) + self._score(other, second)
            if then > near * now:
                return True
        left = [(other, second) for other in self._siblings(0, first) if other not in self.matched]
        left += [(first, other) for other in self._siblings(1, second) if other not in self.backward]
        return any(self._score(*pair) > (_RIVAL_IF_MORE if self._as_long(*pair) else near) * score for pair in left)

    def _as_long(self, first: int, second: int) -> bool:
        """Whether of two bones neither carries much less than the other."""
        low, high = sorted((float(self.one.mass[first]), float(self.two.mass[second])))
        return low > _AS_LONG * high

    def _score(self, first: int, second: int) -> float:
        return self.steps.get((first, second), _NOTHING).score

    def _in_row(self, first: int, second: int) -> bool:
        """Whether these are large limbs of as many in both figures that follow each other in the same order, all of them along one side."""
        rows = [self.starts[number].get(bone, ()) for number, bone in enumerate((first, second))]
        return bool(rows[0]) and [self.matched.get(bone) for bone in rows[0]] == list(rows[1])

    def _siblings(self, number: int, bone: int) -> list[int]:
        """Bones beside one that could have been chosen in its stead: limbs wherever they hang, else what hangs on the same bone."""
        body = (self.one, self.two)[number]
        parent, kind = int(body.figure.parents[bone]), body.kinds[bone]
        if kind != MIDDLE and (parent < 0 or body.kinds[parent] == MIDDLE):
            return [limb for limb in self.limbs[number] if limb != bone and body.kinds[limb] == kind]
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


def _is_one_chain(figure: Figure) -> bool:
    """Whether almost all of a figure is one row of bones, as a snake is."""
    depth = [0] * len(figure)
    for bone in range(len(figure) - 1, -1, -1):
        parent = int(figure.parents[bone])
        if parent >= 0:
            depth[parent] = max(depth[parent], depth[bone] + 1)
    return max(depth) >= _CHAIN * len(figure)


def _limbs(body: Body, bones: Sequence[int]) -> list[int]:
    """Those of the bones with which limbs begin."""
    parents = body.figure.parents
    return [bone for bone in bones if body.kinds[bone] != MIDDLE and (parents[bone] < 0 or body.kinds[parents[bone]] == MIDDLE)]


def _nearest(figure: Figure, bone: int, matched: dict[int, int]) -> int:
    """The next bone above that is matched, -1 without one."""
    bone = int(figure.parents[bone])
    while bone >= 0 and bone not in matched:
        bone = int(figure.parents[bone])
    return bone


def _path(figure: Figure, bone: int, top: int) -> list[int]:
    """From below `top` down to a bone."""
    path: list[int] = []
    while bone >= 0 and bone != top:
        path.insert(0, bone)
        bone = int(figure.parents[bone])
    return path


def _on_to_the_tip(figure: Figure, bones: Sequence[int]) -> list[int]:
    """With the bones behind the last one, as long as there is no fork."""
    result = list(bones)
    while len(figure.children[result[-1]]) == 1:
        result.append(figure.children[result[-1]][0])
    return result


def _flexible(figure: Figure, bones: Sequence[int]) -> bool:
    """Whether bones are a spine, neck or tail, not a limb: they go on without sharp bends, in steps of about one length."""
    points = figure.heads[list(bones)]
    steps = np.diff(points, axis=0)
    lengths = np.linalg.norm(steps, axis=1)
    if len(steps) and lengths.min() < 1e-9:
        return False
    units = steps / lengths[:, None]
    even = not len(lengths) or lengths.max() / lengths.min() < _EVEN
    return even and bool((np.einsum("ij,ij->i", units[1:], units[:-1]) > _STRAIGHT).all())
