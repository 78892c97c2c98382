"""Two beasts of a kind: which bones belong together by where they are in the body, by what hangs on them and, where both have names, by
these; as pairs and chains, each with its confidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...figures.figure import Figure
from ..humanoid.evidence import Labels
from ..naming.names import Name
from .body import Body, bodies
from .doubts import DOUBTFUL, Doubts
from .likeness import SIGNS, likeness
from .runs import Chained, runs_of, together
from .tree_match import TreeMatch

_PAIRED = 2
"""Bones with a twin on the other side that a beast has at least."""

_CHAIN = 0.6
"""The part of a snake's bones that are one row."""

_AHEAD = 0.35
"""What the score gains where both figures look ahead by what they are alone."""

_EITHER_END = 0.9
"""The part of the best score from which on nothing is sure of a figure that may look the other way."""

_MOST, _MOST_PAIRS = 2000, 1 << 19
"""Bones of a figure, and of one times those of the other, that are compared: time and memory grow with these."""


@dataclass(frozen=True)
class Kin:
    """pairs: source bone -> target bone. chains: bones of both that follow as a chain. confidence: by target bone. score: 0 to 1."""

    pairs: dict[int, int]
    chains: list[Chained]
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
    tried: list[tuple[float, TreeMatch]] = []
    if min(ones[0].paired, twos[0].paired) < _PAIRED and not (_is_one_chain(source) and _is_one_chain(target)):
        return None
    if len(ones) == 2:
        twos = twos[:1]
    for one in ones:
        for two in twos:
            match = TreeMatch(one, two, likeness(one, two, first, second))
            tried.append((match.gained * (1 + _AHEAD * one.ahead * two.ahead), match))
    tried.sort(key=lambda item: -item[0])
    (most, best), *others = tried
    either = any(gained > _EITHER_END * most for gained, _ in others)
    rows = _is_one_chain(source), _is_one_chain(target)
    either |= any(rows) and len(source) != len(target)
    return _result(best, either, first, second)


def _result(match: TreeMatch, either: bool, first: Sequence[Name], second: Sequence[Name]) -> Kin:
    """Pairs and chains, once everything is decided. either: whether the figures would be as much alike the other way round. first, second:
    the bones' names."""
    others = [TreeMatch(match.one, match.two, likeness(match.one, match.two, first, second, less=less)).matched for less in SIGNS]
    doubts = Doubts(match, others)
    pairs: dict[int, int] = {}
    chains: list[Chained] = []
    confidence: dict[int, float] = {}
    for ones, twos in runs_of(match):
        if doubts.unlike(ones, twos):
            continue
        paired, chain = together(match, ones, twos)
        pairs.update(paired)
        left_out = max(0, max(len(ones), len(twos)) - len(paired))
        sure = doubts.sure(ones, twos, chain is not None, left_out)
        of_each = dict.fromkeys((two for _, two in paired), sure)
        if chain is not None:
            chains.append(chain)
            of_each = {two: min(sure, doubts.of_pair(one, two)) for one, two in paired}
            confidence.update(dict.fromkeys(chain[1], min(sure, doubts.of_chain(chain))))
        confidence.update(of_each)
    if either:
        confidence = dict.fromkeys(confidence, DOUBTFUL)
    return Kin(pairs, chains, confidence, match.likeness_in_all())


def _is_one_chain(figure: Figure) -> bool:
    """Whether almost all of a figure is one row of bones, as a snake is."""
    depth = [0] * len(figure)
    for bone in reversed(range(len(figure))):
        parent = int(figure.parents[bone])
        if parent >= 0:
            depth[parent] = max(depth[parent], depth[bone] + 1)
    return max(depth) >= _CHAIN * len(figure)
