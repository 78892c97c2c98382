"""Joints of a skeleton as nodes: bones at one position together, with lengths and counts of what hangs on them."""

from __future__ import annotations

from functools import cached_property

from .tree import Positions, Tree

NO_LENGTH = 0.004
"""Of the figure's size: joints that are nearer than this are one joint."""

LONGEST = 16
"""Joints that are looked at along a limb."""


class Joints:
    """Joints: bones at one position, with their hierarchy."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        near = NO_LENGTH * tree.size
        self.of: list[int] = []
        self.bones: list[list[int]] = []
        self.parents: list[int] = []
        for bone, parent in enumerate(tree.parents):
            if parent >= 0 and tree.distance(bone, parent) <= near:
                self.of.append(self.of[parent])
                self.bones[self.of[parent]].append(bone)
            else:
                self.of.append(len(self.bones))
                self.bones.append([bone])
                self.parents.append(self.of[parent] if parent >= 0 else -1)
        count = len(self.bones)
        self.children: list[list[int]] = [[] for _ in range(count)]
        self.depth = [0] * count
        for node, parent in enumerate(self.parents):
            if parent >= 0:
                self.children[parent].append(node)
                self.depth[node] = self.depth[parent] + 1
        self.step = [self.distance(node, parent) if parent >= 0 else 0.0 for node, parent in enumerate(self.parents)]
        self.height: list[float] = [tree.points[bones[0]][2] for bones in self.bones]
        self.reach = [0.0] * count
        self.total = [0.0] * count
        self.leaves = [0] * count
        self.count = [1] * count
        for bone, children in enumerate(tree.children):
            self.leaves[self.of[bone]] += not children
        for node in reversed(range(count)):
            parent = self.parents[node]
            if parent >= 0:
                self.reach[parent] = max(self.reach[parent], self.step[node] + self.reach[node])
                self.total[parent] += self.step[node] + self.total[node]
                self.leaves[parent] += self.leaves[node]
                self.count[parent] += self.count[node]

    def position(self, node: int) -> Positions:
        return self.tree.heads[self.bones[node][0]]

    def distance(self, first: int, second: int) -> float:
        return self.tree.distance(self.bones[first][0], self.bones[second][0])

    def path_up(self, node: int) -> list[int]:
        path: list[int] = []
        while node >= 0:
            path.append(node)
            node = self.parents[node]
        return path

    @cached_property
    def chains(self) -> list[list[int]]:
        """From each node the longest path down; at most `LONGEST` joints."""
        chains = [[node] for node in range(len(self.bones))]
        for node in reversed(range(len(self.bones))):
            if self.children[node]:
                longest = max(self.children[node], key=lambda child: self.step[child] + self.reach[child])
                chains[node] += chains[longest][: LONGEST - 1]
        return chains

    def path(self, first: int, second: int) -> list[int]:
        """From a node through the hierarchy to another; empty where they hang together nowhere."""
        up, down = self.path_up(first), self.path_up(second)
        shared = next((node for node in up if node in set(down)), -1)
        if shared < 0:
            return []
        return [*up[: up.index(shared) + 1], *reversed(down[: down.index(shared)])]
