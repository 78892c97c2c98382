"""The best assignment of consecutive parts to consecutive bones: one limb, or the trunk, as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...anatomy.tree import Tree

_LEAST = 0.2
"""A bone with less than this for a part does not get it."""

_NEARER = 1e-3
"""What a bone loses for each bone above it: of two that suit alike the upper one is taken."""

Row = Sequence[float]


@dataclass(frozen=True, slots=True)
class _Best:
    """The best score from a part on, below and with a bone: which part is given to which bone first, -1 for none, and how it goes on."""

    score: float
    part: int = -1
    bone: int = -1
    then: _Best | None = None


def best_limb(tree: Tree, scores: Sequence[Row], missing: Row) -> tuple[float, list[int]]:
    """Parts in order along one path down the tree. scores: (N, K) of each bone for each part. missing: (K,) what a part costs that no bone
    gets. Returns the score and the bone of each part, -1 where it has none. Dynamic programming from the leaves up: O(N K^2).
    """
    count = len(missing)
    without = [-sum(missing[part:]) for part in range(count + 1)]
    empty = [_Best(score) for score in without]
    table: list[list[_Best]] = [empty] * len(scores)
    best = empty[0]
    for bone in reversed(range(len(scores))):
        below = [
            max((table[child][part] for child in tree.children[bone]), key=lambda best: best.score, default=none)
            for part, none in enumerate(empty)
        ]
        row = below
        for taken, score in enumerate(scores[bone]):
            own = score - _NEARER * tree.depths[bone]
            if own < _LEAST:
                continue
            row = list(row)
            for part in range(taken + 1):
                total = without[part] - without[taken] + own + below[taken + 1].score
                if total >= row[part].score:
                    row[part] = _Best(total, taken, bone, below[taken + 1])
        table[bone] = row
        if row[0].score >= best.score:
            best = row[0]
    chosen = [-1] * count
    step: _Best | None = best
    while step is not None:
        if step.part >= 0:
            chosen[step.part] = step.bone
        step = step.then
    return best.score, chosen


def best_states(scores: Sequence[Row], once: Sequence[bool], missing: Row) -> list[int]:
    """States in order along a row of bones (Viterbi). scores: (N, K). once: states of one bone at most. missing: (K,) what it costs to
    leave a state out. Returns each bone's state; every bone has one.
    """
    if not scores:
        return []
    count = len(missing)
    previous = [score - sum(missing[:state]) for state, score in enumerate(scores[0])]
    back: list[list[int]] = []
    for row in scores[1:]:
        now: list[float] = []
        sources: list[int] = []
        for state in range(count):
            options = [
                (previous[before] - sum(missing[before + 1 : state]), before)
                for before in range(state + 1)
                if before < state or not once[state]
            ]
            score, source = max(options, default=(float("-inf"), 0))
            now.append(score + row[state])
            sources.append(source)
        previous = now
        back.append(sources)
    ends = [previous[state] - sum(missing[state + 1 :]) for state in range(count)]
    state = max(range(count), key=lambda one: ends[one])
    states = [state]
    for sources in reversed(back):
        state = sources[state]
        states.append(state)
    return states[::-1]
