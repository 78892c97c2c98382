"""The best way to give parts that follow each other to bones that follow each other: one limb, or the trunk, as one assignment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .tree import Tree

_LEAST = 0.2
"""A bone with less than this for a part does not get it."""

_NEARER = 1e-3
"""What a bone loses for each bone above it: of two that suit alike the upper one is taken."""

Row = Sequence[float]


@dataclass
class _Best:
    """The best score from a part on, below and with a bone. taken: the part the bone gets, -1 for none. child, then: how it goes on."""

    score: float
    taken: int
    child: int
    then: int


def best_limb(tree: Tree, scores: Sequence[Row], missing: Row) -> tuple[float, list[int]]:
    """Parts in order along one way down the tree. scores: (N, K) of each bone for each part. missing: (K,) what a part costs that no bone
    gets. Returns the score and the bone of each part, -1 where it has none. Dynamic programming from the leaves up: O(N K^2).
    """
    count = len(missing)
    without = [0.0] * (count + 1)
    for part in range(count - 1, -1, -1):
        without[part] = without[part + 1] - missing[part]
    table: list[list[_Best]] = [[] for _ in scores]
    best, root = without[0], -1
    for bone in range(len(scores) - 1, -1, -1):
        below = [_Best(without[part], -1, -1, part) for part in range(count + 1)]
        for child in tree.children[bone]:
            for part, found in enumerate(table[child]):
                if found.score > below[part].score:
                    below[part] = _Best(found.score, -1, child, part)
        row = list(below)
        for part in range(count):
            for taken in range(part, count):
                own = scores[bone][taken] - _NEARER * tree.depths[bone]
                if own < _LEAST:
                    continue
                score = without[part] - without[taken] + own + below[taken + 1].score
                if score >= row[part].score:
                    row[part] = _Best(score, taken, below[taken + 1].child, taken + 1)
        table[bone] = row
        if row[0].score >= best:
            best, root = row[0].score, bone
    chosen = [-1] * count
    bone, part = root, 0
    while bone >= 0 and part <= count:
        step = table[bone][part]
        if step.taken >= 0:
            chosen[step.taken] = bone
        bone, part = step.child, step.then
    return best, chosen


def best_states(scores: Sequence[Row], once: Sequence[bool], missing: Row) -> list[int]:
    """States in order along a row of bones (Viterbi). scores: (N, K). once: states of one bone at most. missing: (K,) what it costs to
    leave a state out. Returns each bone's state; every bone has one.
    """
    count = len(missing)
    start = [-sum(missing[:state]) for state in range(count)]
    previous: list[float] = []
    back: list[list[int]] = []
    for place, row in enumerate(scores):
        now: list[float] = []
        sources: list[int] = []
        for state in range(count):
            if place == 0:
                now.append(start[state] + row[state])
                sources.append(-1)
                continue
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
    if not previous:
        return []
    ends = [previous[state] - sum(missing[state + 1 :]) for state in range(count)]
    state = max(range(count), key=lambda one: ends[one])
    states = [state]
    for sources in reversed(back[1:]):
        state = sources[state]
        states.append(state)
    return states[::-1]
