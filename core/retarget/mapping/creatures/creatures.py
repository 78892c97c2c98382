"""Two beasts of a kind: which bones belong together by where they are in the body, by what hangs on them and, where both have names, by
these; as pairs and chains, each with its confidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ...figures.figure import Figure
from ..humanoid.evidence import Labels
from ..kinds import says_more
from ..naming.names import Name
from .body import Body, bodies
from .doubts import DOUBTFUL, SURE, Doubts
from .ends import Side, ends_that_show, may_have_ends, without_ends, without_targets
from .faces import faces, laid
from .hips import from_hips, has_no_front
from .likeness import SIGNS, likeness
from .rows import of_uneven_rows
from .runs import Chained, runs_of, together
from .symmetry import row_of
from .tree_match import TreeMatch

_PAIRED = 2
"""Bones with a twin on the other side that a beast has at least."""

_CHAIN = 0.6
"""The part of a snake's bones that are one row."""

_AHEAD, _ON_FOURS = 0.15, 0.5
"""What the score gains where both figures look ahead by what they are alone: less than what a row of legs says; and where both stand on
fours, as a neck is much like the other one's tail."""

_EITHER_END = 0.95
"""The part of the best score from which on nothing is sure of a figure that may look the other way; and of the likeness alone, where the
front of either does not show."""

_ROTATED = 0.85
"""The same of a round figure that may be rotated."""

_MOST, _MOST_PAIRS = 2000, 1 << 19
"""Bones of a figure, and of one times those of the other, that are compared: time and memory grow with these."""


@dataclass(frozen=True)
class Kin:
    """pairs: source bone -> target bone. chains: bones of both that follow as a chain. confidence: by target bone. score: 0 to 1.
    is_round: whether they would be nearly as much alike if one was rotated, as what has arms all round."""

    pairs: dict[int, int]
    chains: list[Chained]
    confidence: dict[int, float]
    score: float
    is_round: bool = False


def bodies_of(figure: Figure, labels: Labels) -> list[Body]:
    """The body of a figure, or, where nothing shows which half is its left one, either; none of one that is too small or too large."""
    return bodies(figure, [name.side for name in labels.names]) if _PAIRED <= len(figure) <= _MOST else []


def lies_in_a_limb(labels: Labels, each: Sequence[Body]) -> bool:
    """Whether what the structure takes for a trunk has a mirror image: a hand with its fingers, or a wing. each: as of `bodies_of`."""
    trunk = [
        labels.roles[role] for role in ("hips", "chest", "upperChest", "neck", "head") if role in labels.notes and role in labels.roles
    ]
    return any(body.twins[bone] >= 0 for body in each if not body.rotated for bone in trunk)


def kin(ones: Sequence[Body], twos: Sequence[Body], first: Sequence[Name], second: Sequence[Name]) -> Kin | None:
    """The bones of two figures that belong together, source and target; None where they are no kin, or too large. first, second: the bones'
    names. Of figures with two bodies, see `bodies_of`, both are tried."""
    if not ones or not twos:
        return None
    source, target = ones[0].figure, twos[0].figure
    if len(source) * len(target) > _MOST_PAIRS:
        return None
    if min(ones[0].paired, twos[0].paired) < _PAIRED and not (_is_one_row(source) and _is_one_row(target)):
        return None
    one, two = (without_targets(Side.whole(bodies, names)) for bodies, names in ((ones, first), (twos, second)))
    laid_each = [_best_of(each, other, len(source) == len(target)) for each in from_hips(one) for other in from_hips(two)]
    laid_each.sort(key=lambda each: -each.score)
    best = laid_each[0]
    rivals = [other.pairs() for other in laid_each[1:] if other.score > _EITHER_END * best.score]
    if has_no_front(one) or has_no_front(two):
        best = replace(best, either=True)
    rows = _is_one_chain(source), _is_one_chain(target)
    return _in_one_direction(_doubted(best.kin(any(rows) and len(source) != len(target)), rivals), source, target)


def _doubted(kin_of: Kin, rivals: Sequence[dict[int, int]]) -> Kin:
    """The same, doubtful where one of the rivals has it otherwise: of chains, where a bone of one follows what is not in it."""
    confidence = dict(kin_of.confidence)
    for rival in rivals:
        followed = {second: first for first, second in rival.items()}
        for first, second in kin_of.pairs.items():
            if rival.get(first, second) != second or followed.get(second, first) != first:
                confidence[second] = DOUBTFUL
        for ones, twos in kin_of.chains:
            if any(followed.get(second, ones[0]) not in ones for second in twos):
                confidence.update(dict.fromkeys(twos, DOUBTFUL))
    return replace(kin_of, confidence=confidence)


def _best_of(one: Side, two: Side, as_many: bool) -> _Laid:
    """Two figures laid on each other, with or without the ends of either. as_many: whether they have as many bones: of copies neither has
    what the other has not."""
    tried = [(one, two)]
    if not as_many:
        first_less = without_ends(one) if may_have_ends(one, two) else None
        second_less = without_ends(two) if may_have_ends(two, one) else None
        tried += [(first_less, two)] if first_less else []
        tried += [(one, second_less)] if second_less else []
    return max((_Laid.of(*each) for each in tried), key=lambda each: each.score)


def _in_one_direction(kin_of: Kin, source: Figure, target: Figure) -> Kin:
    """The same with chains that go outwards in both figures, as their makers built them; of what goes in and out again each bone of the
    shorter row follows, or is followed by, the one at its part of the way."""
    chains: list[Chained] = []
    pairs = dict(kin_of.pairs)
    for ones, twos in kin_of.chains:
        straight = [(ones, twos), (ones[::-1], twos[::-1])]
        outwards = [each for each in straight if _goes_out(source, each[0]) and _goes_out(target, each[1])]
        if outwards:
            chains.append(outwards[0])
            continue
        count = min(len(ones), len(twos))
        rows = [[row[round((len(row) - 1) * part / max(1, count - 1))] for part in range(count)] for row in (ones, twos)]
        pairs.update(zip(*rows, strict=True))
    return replace(kin_of, pairs=pairs, chains=chains)


def _goes_out(figure: Figure, bones: Sequence[int]) -> bool:
    return all(figure.is_below(below, above) for above, below in pairwise(bones))


@dataclass(frozen=True, eq=False)
class _Laid:
    """Two figures laid on each other the best way round. score: what speaks for it. either: whether they would be as much alike another way
    round. is_round: as of `Kin`."""

    one: Side
    two: Side
    match: TreeMatch
    score: float
    either: bool
    is_round: bool

    @classmethod
    def of(cls, one: Side, two: Side) -> _Laid:
        ones, twos = one.bodies, two.bodies
        if len(ones) > 1:  # both looking the other way is the same
            twos = [max((body for body in twos if not body.rotated), key=lambda body: body.ahead)]
        straight, rotated = ([(a, b) for a in ones for b in twos if (a.rotated or b.rotated) == other] for other in (False, True))
        tried = [_laid(*each, one.names, two.names) for each in straight]
        most, best = max(tried, key=lambda each: each[0])
        is_round = any(_laid(*each, one.names, two.names)[0] > _ROTATED * most for each in rotated)
        alone = best.one.front_shows and best.two.front_shows
        least = 1.0 if alone else _EITHER_END
        others = [(gained, match.gained) for gained, match in tried if match is not best]
        either = is_round or any(gained > least * most or alike > least * best.gained for gained, alike in others)
        return cls(one, two, best, most, either, is_round)

    def pairs(self) -> dict[int, int]:
        """Which bones of the whole figures belong together."""
        return {self.one.bones[first]: self.two.bones[second] for first, second in self.match.matched.items()}

    def kin(self, either: bool) -> Kin:
        """What belongs together, of the whole figures. either: whether they are as much alike another way round for other reasons."""
        part = _result(self.match, self.either or either, self.is_round, self.one, self.two)
        ones, twos = self.one.bones, self.two.bones
        return Kin(
            {ones[first]: twos[second] for first, second in part.pairs.items()},
            [(tuple(ones[bone] for bone in above), tuple(twos[bone] for bone in below)) for above, below in part.chains],
            {twos[bone]: sure for bone, sure in part.confidence.items()},
            part.score,
            part.is_round,
        )


def _laid(one: Body, two: Body, first: Sequence[Name], second: Sequence[Name]) -> tuple[float, TreeMatch]:
    """Two bodies laid on each other, and what speaks for it. first, second: the bones' names."""
    match = TreeMatch(one, two, likeness(one, two, first, second))
    return match.gained * (1 + (_ON_FOURS if one.on_fours and two.on_fours else _AHEAD) * one.ahead * two.ahead), match


def _result(match: TreeMatch, either: bool, is_round: bool, one: Side, two: Side) -> Kin:
    """Pairs and chains, once everything is decided. either: whether the figures would be as much alike the other way round. is_round: as
    of `Kin`."""
    others = [TreeMatch(match.one, match.two, likeness(match.one, match.two, one.names, two.names, less=less)).matched for less in SIGNS]
    doubts = Doubts(match, others, of_uneven_rows(match))
    named = all(any(map(says_more, side.names)) for side in (one, two))
    known = {} if named else laid(match, faces(match))
    ends = (set[int](), set[int]()) if one.lacks_ends or two.lacks_ends else ends_that_show(match)
    pairs: dict[int, int] = {}
    chains: list[Chained] = []
    confidence: dict[int, float] = {}
    for ones, twos in runs_of(match):
        if not known.keys() & {*ones} and doubts.unlike(ones, twos):
            continue
        paired, chain = together(match, ones, twos)
        pairs.update(paired)
        left_out = max(0, max(len(ones), len(twos)) - len(paired))
        sure = doubts.sure(ones, twos, chain is not None, left_out)
        of_each = {second: DOUBTFUL if doubts.differ(first, second, ends) else sure for first, second in paired}
        if chain is not None:
            chains.append(chain)
            of_each = {second: min(of_each[second], doubts.of_pair(first, second)) for first, second in paired}
            confidence.update(dict.fromkeys(chain[1], min(sure, doubts.of_chain(chain))))
        by_face = [pair for pair in paired if pair[0] in known]
        of_each |= {second: SURE if known[first] and not doubts.is_blurred(first, second) else DOUBTFUL for first, second in by_face}
        confidence.update(of_each)
    if either:
        confidence = dict.fromkeys(confidence, DOUBTFUL)
    return Kin(pairs, chains, confidence, match.likeness_in_all(), is_round)


def _is_one_row(figure: Figure) -> bool:
    """Whether a figure is a snake's: one chain of bones, or two, from the middle to either end."""
    return _is_one_chain(figure) or row_of(figure) is not None


def _is_one_chain(figure: Figure) -> bool:
    """Whether almost all of a figure is one row of bones, as a snake is."""
    depth = [0] * len(figure)
    for bone in reversed(range(len(figure))):
        parent = int(figure.parents[bone])
        if parent >= 0:
            depth[parent] = max(depth[parent], depth[bone] + 1)
    return max(depth) >= _CHAIN * len(figure)
