"""The bones of a figure that carry its shape, as a tree: helpers and other layers of a rig left out, parents beyond them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import dist

import numpy as np
from numpy.typing import NDArray

Positions = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Tree:
    """bones: numbers in the figure, parents first. parents: number in the tree, -1 for a root. heads, tails: (N, 3), in the world."""

    bones: tuple[int, ...]
    parents: tuple[int, ...]
    heads: Positions
    tails: Positions

    def __len__(self) -> int:
        return len(self.bones)

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """For each bone those that hang on it."""
        result = [list[int]() for _ in self.bones]
        for bone, parent in enumerate(self.parents):
            if parent >= 0:
                result[parent].append(bone)
        return tuple(tuple(bones) for bones in result)

    @cached_property
    def depths(self) -> tuple[int, ...]:
        """How many bones are above each."""
        depths: list[int] = []
        for parent in self.parents:
            depths.append(depths[parent] + 1 if parent >= 0 else 0)
        return tuple(depths)

    @cached_property
    def points(self) -> list[list[float]]:
        """The joints as plain numbers."""
        return self.heads.tolist()

    @cached_property
    def size(self) -> float:
        """The diagonal of the box around all joints."""
        if not len(self.heads):
            return 0.0
        return float(np.linalg.norm(self.heads.max(axis=0) - self.heads.min(axis=0)))

    def distance(self, first: int, second: int) -> float:
        """Between two joints."""
        return dist(self.points[first], self.points[second])

    def path_up(self, bone: int) -> list[int]:
        """The bone and all above it, upwards."""
        path: list[int] = []
        while bone >= 0:
            path.append(bone)
            bone = self.parents[bone]
        return path

    def common(self, bones: Sequence[int]) -> int:
        """The lowest bone that all hang on, or are; -1 if there is none."""
        if not bones:
            return -1
        shared = self.path_up(bones[0])
        for bone in bones[1:]:
            above = set(self.path_up(bone))
            shared = [candidate for candidate in shared if candidate in above]
        return shared[0] if shared else -1

    def between(self, top: int, bottom: int) -> list[int]:
        """Bones from `top` down to `bottom`, both included; empty if bottom does not hang on top."""
        path = self.path_up(bottom)
        return path[path.index(top) :: -1] if top in path else []

    def below(self, bone: int) -> list[int]:
        """The bone and everything that hangs on it, parents first."""
        inside = {bone}
        result = [bone]
        for candidate in range(bone + 1, len(self)):
            if self.parents[candidate] in inside:
                inside.add(candidate)
                result.append(candidate)
        return result


def tree_of(chosen: Sequence[int], parents: Sequence[int], heads: Positions, tails: Positions, twins: dict[int, int] | None = None) -> Tree:
    """A tree of the chosen bones of a figure. twins: a bone that is not chosen -> the chosen one that stands for it."""
    inside = set(chosen)
    twins = twins or {}
    above: dict[int, int] = {}
    for bone in chosen:
        parent = parents[bone]
        while parent >= 0:
            stand_in = parent if parent in inside else twins.get(parent, -1)
            if stand_in >= 0 and stand_in != bone:
                parent = stand_in
                break
            parent = parents[parent]
        above[bone] = parent
    ordered = _parents_first(chosen, above)
    position = {bone: number for number, bone in enumerate(ordered)}
    rows = np.array(ordered, np.int64)
    return Tree(tuple(ordered), tuple(position.get(above[bone], -1) for bone in ordered), heads[rows], tails[rows])


def _parents_first(chosen: Sequence[int], above: dict[int, int]) -> list[int]:
    """In the given order, but parents before children; where stand-ins make a circle, the one that closes it becomes a root."""
    ordered: dict[int, None] = {}
    for bone in chosen:
        waiting: list[int] = []
        while bone >= 0 and bone not in ordered:
            if bone in waiting:
                above[waiting[-1]] = -1
                break
            waiting.append(bone)
            bone = above[bone]
        ordered.update(dict.fromkeys(reversed(waiting)))
    return list(ordered)
