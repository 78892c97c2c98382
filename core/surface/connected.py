"""Which vertices hang together."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def connected(edges: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """(V,) the first vertex of the part that each of so many is of. edges: (E, 2).

    Parts that an edge joins become one of the lower number, and each vertex jumps to the first of its part, so that a long strip takes as
    many rounds as its length has digits (Shiloach and Vishkin 1982)."""
    first = np.arange(count)
    while True:
        ends = first[edges]
        ends = ends[ends[:, 0] != ends[:, 1]]
        if not len(ends):
            return first
        np.minimum.at(first, ends.max(axis=1), ends.min(axis=1))
        while not np.array_equal(further := first[first], first):
            first = further
