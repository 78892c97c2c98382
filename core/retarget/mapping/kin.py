"""Two beasts of a kind whose bones say nothing by their names: their trees are laid on each other, bone by bone, where one may have bones
that the other has not.

Each bone is described by where it is in the body and by what hangs on it; a dynamic program finds, from the tips inwards, which bones
belong together so that what hangs on them does, too. Bones in between may be skipped, branches left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ...motion.rotation_matrix import Floats
from ..figures.figure import Figure
from .body import Body

_LEAST, _SKIPPED = 0.3, 0.2
"""Likeness from which on bones gain by belonging together, and what a bone costs that is skipped."""

_REACH, _MASS, _POSITION, _ALONG = 0.22, 0.18, 0.2, 0.9
"""In sizes of the figure: how far apart bones of a kind may be in the way to their furthest tip, in the middle of what hangs on them,
and in their position in the body; and of 1 in the direction from their parents."""

_RIVAL = 0.93
"""The part of a match's score from which on another sibling would suit as well."""

_PAIRED = 4
"""Bones with a twin on the other side that a beast has at least."""

_CLEAR = 0.6
"""A score from which on figures face alike."""

_STRAIGHT, _EVEN = np.cos(np.radians(35)), 2.5
"""A spine, neck or tail bends less from bone to bone, and its bones differ less in length; else it is a limb."""

_MANY = 10
"""Siblings of which every assignment is tried; of more the best are taken one after the other."""

SURE, DOUBTFUL = 0.88, 0.6


@dataclass(frozen=True)
class Kin:
    """pairs: source bone -> target bone. chains: bones of both that follow as a chain. confidence: by target bone. score: 0 to 1."""

    pairs: dict[int, int]
    chains: list[tuple[tuple[int, ...], tuple[int, ...]]]
    confidence: dict[int, float]
    score: float


def kin(source: Figure, target: Figure) -> Kin | None:
    """The bones of two figures that belong together; None where they are no kin. Figures that face apart are tried by quarter turns."""
    if min(len(source), len(target)) < _PAIRED:
        return None
    two = Body.of(target, 0)
    if min(two.paired, Body.of(source, 0).paired) < _PAIRED:
        return None
    best: tuple[float, _Matcher] | None = None
    for quarter in range(4):
        matcher = _Matcher(Body.of(source, quarter), two)
        score = matcher.score() * (1.0 if quarter == 0 else 0.95)
        if score > _CLEAR:
            return matcher.result(score)
        if best is None or score > best[0]:
            best = score, matcher
    if best is None or best[0] < _LEAST:
        return None
    return best[1].result(best[0])


@dataclass
class _Step:
    """The best for one pair of bones: its score, and whether they belong together or one of them is skipped for a child."""

    score: float
    pairs: tuple[tuple[int, int], ...] = ()
    together: bool = False


@dataclass
class _Matcher:
    one: Body
    two: Body
    steps: dict[tuple[int, int], _Step] = field(default_factory=dict[tuple[int, int], _Step])

    def __post_init__(self) -> None:
        a, b = self.one, self.two
        apart = [
            ((first[:, None] - second[None]) ** 2).sum(axis=2) / size**2
            for first, second, size in (
                (a.reach, b.reach, _REACH),
                (a.mass, b.mass, _MASS),
                (a.position, b.position, _POSITION),
                (a.along, b.along, _ALONG),
            )
        ]
        likeness: Floats = np.exp(-np.sum(np.array(apart), axis=0) / 2).astype(np.float64)
        sides = a.side[:, None] * b.side[None]
        likeness = np.where(sides < 0, -1.0, np.where(np.abs(a.side[:, None]) != np.abs(b.side[None]), 0.3 * likeness, likeness))
        self.likeness: list[list[float]] = likeness.tolist()

    def score(self) -> float:
        """Mean likeness of what belongs together, of all bones of the smaller figure."""
        pairs = self._pairs()
        total = sum(max(0.0, self.likeness[first][second]) for first, second in pairs)
        return total / max(1, min(len(self.one.figure), len(self.two.figure)))

    def _pairs(self) -> list[tuple[int, int]]:
        for first in range(len(self.one.figure) - 1, -1, -1):
            for second in range(len(self.two.figure) - 1, -1, -1):
                self.steps[first, second] = self._step(first, second)
        roots = [np.flatnonzero(body.figure.parents < 0).tolist() for body in (self.one, self.two)]
        waiting = list(self._assigned(*roots)[1])
        result: list[tuple[int, int]] = []
        while waiting:
            pair = waiting.pop()
            step = self.steps[pair]
            if step.together:
                result.append(pair)
            waiting += step.pairs
        return sorted(result)

    def _step(self, first: int, second: int) -> _Step:
        likeness = self.likeness[first][second]
        ones, twos = self.one.figure.children[first], self.two.figure.children[second]
        best = _Step(0.0)
        if likeness >= 0:
            score, pairs = self._assigned(ones, twos)
            best = _Step(score + likeness - _LEAST, pairs, True)
        for pair in [*((child, second) for child in ones), *((first, child) for child in twos)]:
            score = self.steps[pair].score - _SKIPPED
            if score > best.score:
                best = _Step(score, (pair,))
        return best

    def _assigned(self, ones: Sequence[int], twos: Sequence[int]) -> tuple[float, tuple[tuple[int, int], ...]]:
        """The best of all ways to give each of the first one of the second, or none."""
        scores = [[self.steps[first, second].score for second in twos] for first in ones]
        if len(twos) > _MANY:
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
        total, pairs, gone = 0.0, list[tuple[int, int]](), (set[int](), set[int]())
        for score, row, column in sorted(((scores[a][b], a, b) for a in range(len(ones)) for b in range(len(twos))), reverse=True):
            if score > 0 and row not in gone[0] and column not in gone[1]:
                gone[0].add(row)
                gone[1].add(column)
                total += score
                pairs.append((ones[row], twos[column]))
        return total, tuple(pairs)

    def result(self, score: float) -> Kin:
        """Pairs and chains, once everything is decided."""
        matched = dict(self._pairs())
        pairs: dict[int, int] = {}
        chains: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
        confidence: dict[int, float] = {}
        for run in self._runs(matched):
            ones, twos = run
            sure = self._sure(ones, matched)
            together, chain = self._together(ones, twos, matched)
            pairs.update(together)
            if len(together) < max(len(ones), len(twos)) and chain is None:
                sure = DOUBTFUL  # a limb with a joint more
            if chain is not None:
                chains.append(chain)
                confidence.update(dict.fromkeys(chain[1], sure))
            confidence.update({second: sure for _, second in together})
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
        return [*((bone, matched[bone]) for bone in ones if bone in matched), *ends], None

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
            runs.append((ones, [bone for bone in twos if bone not in backward or backward[bone] in ones]))
        return runs

    def _sure(self, ones: list[int], matched: dict[int, int]) -> float:
        """How sure a run is: bones that are alike, and no other branch of the same fork that would suit as well."""
        first = next(bone for bone in ones if bone in matched)
        second = matched[first]
        score = self.steps[first, second].score
        rivals = [bone for bone in self._siblings(self.two.figure, second) if self.two.side[bone] == self.two.side[second]]
        close = any(self.steps[first, rival].score > _RIVAL * score for rival in rivals)
        alike = float(np.mean([self.likeness[bone][matched[bone]] for bone in ones if bone in matched]))
        return DOUBTFUL if close or alike < _LEAST + 0.1 else SURE

    @staticmethod
    def _siblings(figure: Figure, bone: int) -> list[int]:
        parent = int(figure.parents[bone])
        return [child for child in figure.children[parent] if child != bone] if parent >= 0 else []


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
