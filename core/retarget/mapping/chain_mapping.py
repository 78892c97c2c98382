"""Chains of bones beside or instead of a humanoid's: tails, wings, tentacles, legs of beasts. Found in each figure, then matched."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..anatomy.tree import Positions
from ..figures.figure import Figure
from .humanoid.evidence import Labels
from .naming.names import Side
from .naming.vocabulary import NEUTRAL, TOKENS

_LEAST = 0.35
"""Chains that are less alike are no match."""

_MOST = 64
"""Chains that are looked at, the longest."""


@dataclass(frozen=True, eq=False)
class Branch:
    """Bones without a fork between them. bones: numbers, outwards. parent: the bone they hang on, -1 for a root. side: "" in the middle.

    start, end: (3,) their positions in the figure's box, from -1 to 1. part: of the figure's size. tokens: of their names. depth: of forks.
    """

    bones: tuple[int, ...]
    parent: int
    side: Side
    start: Positions
    end: Positions
    part: float
    tokens: frozenset[str]
    depth: int

    @property
    def name(self) -> str:
        """What it may be called: a token that all its names share."""
        return min(self.tokens, default="chain")


def branches(figure: Figure, labels: Labels, taken: Collection[int]) -> list[Branch]:
    """The chains of the bones that are not taken, the uppermost first."""
    free = [bone not in taken and labels.names[bone].doubt > 0.04 for bone in range(len(figure))]
    inside = [tuple(child for child in children if free[child]) for children in figure.children]
    frame = _frame(figure)
    result: list[Branch] = []
    depths = [0] * len(figure)
    for bone in range(len(figure)):
        parent = int(figure.parents[bone])
        if not free[bone]:
            continue
        if parent >= 0 and free[parent] and len(inside[parent]) == 1 and not (labels.sides[bone] and not labels.sides[parent]):
            continue
        chain = [bone]
        while len(inside[chain[-1]]) == 1 and not (labels.sides[inside[chain[-1]][0]] and not labels.sides[chain[-1]]):
            chain.append(inside[chain[-1]][0])
        depth = depths[parent] + 1 if parent >= 0 else 0
        for part in chain:
            depths[part] = depth
        result.append(_branch(figure, labels, chain, parent, frame, depth))
    result.sort(key=lambda branch: (branch.depth, -branch.part))
    return result[:_MOST]


def _frame(figure: Figure) -> tuple[Positions, float]:
    """Middle of the box around all joints, and half its longest side."""
    low, high = figure.heads.min(axis=0), figure.heads.max(axis=0)
    return (low + high) / 2, float(np.max(high - low)) / 2 or 1.0


def _branch(figure: Figure, labels: Labels, chain: Sequence[int], parent: int, frame: tuple[Positions, float], depth: int) -> Branch:
    start, end = (figure.heads[chain[0]] - frame[0]) / frame[1], (figure.tails[chain[-1]] - frame[0]) / frame[1]
    middle = (start + end) / 2
    side = labels.sides[chain[0]]
    if not side and labels.directions is None and abs(float(middle[0])) > 0.08:
        side = "left" if middle[0] > 0 else "right"
    elif not side and labels.directions is not None:
        off = float(middle @ labels.directions[0])
        side = ("left" if off > 0 else "right") if abs(off) > 0.08 else ""
    tokens = set(labels.names[chain[0]].tokens).intersection(*(labels.names[bone].tokens for bone in chain)) - NEUTRAL
    shared = frozenset(token for token in tokens if len(token) > 1 or token in TOKENS)
    joints = [*figure.heads[list(chain)], figure.tails[chain[-1]]]
    part = sum(float(np.linalg.norm(after - joint)) for joint, after in pairwise(joints)) / frame[1]
    return Branch(tuple(chain), parent, side, start, end, part, shared, depth)


def match(ones: Sequence[Branch], twos: Sequence[Branch], pairs: dict[int, int], everything: bool) -> list[tuple[Branch, Branch, float]]:
    """Chains of both figures that belong together, with their confidence: the most alike first, each once, left never to right.

    pairs: source bone -> target bone of the pairs there are. everything: also chains that only stand alike; else their names must agree.
    """
    above = dict(pairs)
    result: list[tuple[Branch, Branch, float]] = []
    for depth in sorted({branch.depth for branch in ones}):
        left = [branch for branch in ones if branch.depth == depth]
        right = [branch for branch in twos if branch.depth == depth]
        rated = sorted(
            ((_likeness(one, two, above, everything), a, b) for a, one in enumerate(left) for b, two in enumerate(right)), reverse=True
        )
        gone: tuple[set[int], set[int]] = (set(), set())
        for rate, a, b in rated:
            if rate < _LEAST or a in gone[0] or b in gone[1]:
                continue
            gone[0].add(a)
            gone[1].add(b)
            one, two = left[a], right[b]
            result.append((one, two, round(min(0.9, rate), 3)))
            above.update(dict.fromkeys(one.bones, two.bones[-1]))
            above.update(zip(one.bones, two.bones, strict=False))
    return result


def _likeness(one: Branch, two: Branch, above: dict[int, int], everything: bool) -> float:
    """0 for chains that are no match, up to 1."""
    if one.side != two.side:
        return 0.0
    shared = one.tokens & two.tokens
    if not everything and not shared:
        return 0.0
    named = len(shared) / max(1, min(len(one.tokens), len(two.tokens)))
    position = 1.0 - min(1.0, float(np.linalg.norm(one.start - two.start)) / 1.5)
    course, other = one.end - one.start, two.end - two.start
    lengths = float(np.linalg.norm(course) * np.linalg.norm(other))
    along = float(course @ other) / lengths if lengths > 1e-12 else 0.0
    size = min(one.part, two.part) / max(one.part, two.part, 1e-9)
    count = min(len(one.bones), len(two.bones)) / max(len(one.bones), len(two.bones))
    hangs = (one.parent < 0 and two.parent < 0) or (one.parent in above and above[one.parent] == two.parent)
    rate = 0.3 * named + 0.2 * position + 0.15 * max(0.0, along) + 0.1 * size + 0.05 * count + (0.2 if hangs else 0.0)
    return rate if hangs or named > 0 else 0.6 * rate
