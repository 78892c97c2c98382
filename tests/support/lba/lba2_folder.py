"""A made-up folder of Little Big Adventure 2."""

from __future__ import annotations

import numpy as np

from support.lba import lba2_chain as chain2

CHAIN, KINDS, TREE = range(3)
"""Entries of BODY.HQR."""

FIRST_RANDOM, COUNT = 1, 6
"""Entries of ANIM.HQR: the chain's, then random ones."""


def tree(seed: int = 1, groups: int = 14) -> chain2.Body:
    """A body of groups that hang on random points of those before."""
    random = np.random.default_rng(seed)
    points: list[tuple[tuple[int, int, int], int]] = []
    result: list[tuple[int, int, int, int]] = []
    first: list[int] = []
    for group in range(groups):
        parent = int(random.integers(group)) if group else 0xFFFF
        pivot = first[parent] + int(random.integers(3)) if group else 0
        first.append(len(points))
        points.extend(((x, y, z), group) for x, y, z in random.integers(-300, 300, (3, 3)).tolist())
        result.append((parent, pivot, 3, 0))
    return points, result


def random_anm(seed: int, bones: int) -> bytes:
    """Numbers beyond a turn, bones that change their type, all master flags, and no keyframe of no duration."""
    random = np.random.default_rng(seed)
    frames: list[chain2.Frame] = []
    for key in range(5):
        values = random.integers(-300, 4400, (bones, 3))
        types = random.integers(0, 4, bones) if key % 2 == 0 else np.zeros(bones, int)
        values[types % 2 == 1] //= 20
        values[random.random((bones, 3)) < 0.2] = 0
        rows = [(int(kind), *row) for kind, row in zip(types, values.tolist(), strict=True)]
        rows[0] = (int(random.integers(4)), *random.integers(-300, 4200, 3).tolist())
        step = random.integers(-900, 900, 3).tolist()
        frames.append((int(random.integers(1, 700)), (step[0], step[1], step[2]), rows))
    return chain2.anm(frames, loop_frame=seed % 6, word3=seed % 3)
