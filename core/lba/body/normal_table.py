"""The normals of a file as an edited body needs them: group by group, the file's own where they are still used, each new one once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Table:
    """directions: (N, 3). fourths: (N,) the last number of each. counts: (G,) of each group. index: where each number is now."""

    directions: Ints
    fourths: Ints
    counts: Ints
    index: Ints


class NormalTable:
    """References are numbers: of the file's normals (N,), and then of new ones."""

    def __init__(self, directions: NDArray[Any], fourths: NDArray[Any], group_of: Ints) -> None:
        self._rows: list[tuple[int, tuple[int, ...], int]] = [
            (group, tuple(direction), fourth)
            for group, direction, fourth in zip(group_of.tolist(), directions.tolist(), fourths.tolist(), strict=True)
        ]
        self._before = len(self._rows)
        self._known: dict[tuple[int, tuple[int, ...], int], int] = {}
        for number, row in enumerate(self._rows):
            self._known.setdefault(row, number)
        self._needed: set[int] = set()
        self._lost: set[int] = set()

    def keep(self, number: int) -> int:
        self._needed.add(number)
        return number

    def drop(self, number: int) -> None:
        """Something that used it is no more."""
        self._lost.add(number)

    def moved(self, number: int, group: int) -> int:
        """The same one in a group."""
        owner, direction, fourth = self._rows[number]
        if owner == group:
            return self.keep(number)
        self.drop(number)
        return self.get(group, direction, fourth)

    def get(self, group: int, direction: tuple[int, ...], fourth: int) -> int:
        row = (group, direction, fourth)
        if row not in self._known:
            self._known[row] = len(self._rows)
            self._rows.append(row)
        return self.keep(self._known[row])

    def table(self, groups: int) -> Table:
        """What is used, or was used by nothing before, in groups below this number."""
        group_of = np.array([row[0] for row in self._rows], np.int64)
        used = [number in self._needed or (number < self._before and number not in self._lost) for number in range(len(self._rows))]
        order = np.flatnonzero(np.array(used, bool) & (group_of < groups))
        order = order[np.argsort(group_of[order], kind="stable")]
        index = np.zeros(len(self._rows), np.int64)
        index[order] = np.arange(len(order))
        directions = np.array([row[1] for row in self._rows], np.int64).reshape(-1, 3)[order]
        fourths = np.array([row[2] for row in self._rows], np.int64)[order]
        return Table(directions, fourths, np.bincount(group_of[order], minlength=groups), index)


def owners(counts: NDArray[Any] | None, total: int) -> Ints:
    """(N,) the group of each of `total` normals. counts: (G,) of each group. What lies behind those is the last group's."""
    if counts is None or not len(counts):
        return np.zeros(total, np.int64)
    owner = np.repeat(np.arange(len(counts)), counts)[:total]
    return np.append(owner, np.full(total - len(owner), len(counts) - 1)).astype(np.int64)
