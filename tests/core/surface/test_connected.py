"""Parts of a mesh, against a search from vertex to vertex."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from retro_anim.core.surface.connected import connected


def searched(edges: list[tuple[int, int]], count: int) -> list[int]:
    """The lowest vertex that can be reached from each."""
    beside: list[set[int]] = [set() for _ in range(count)]
    for one, other in edges:
        beside[one].add(other)
        beside[other].add(one)
    result = [-1] * count
    for start in range(count):
        waiting = [start] if result[start] < 0 else []
        while waiting:
            vertex = waiting.pop()
            if result[vertex] < 0:
                result[vertex] = start
                waiting += beside[vertex]
    return result


@given(st.integers(1, 30).flatmap(lambda count: st.tuples(st.just(count), st.lists(st.tuples(*2 * [st.integers(0, count - 1)])))))
def test_it_is_what_a_search_reaches(drawn: tuple[int, list[tuple[int, int]]]) -> None:
    count, edges = drawn
    assert connected(np.array(edges, np.int64).reshape(-1, 2), count).tolist() == searched(edges, count)


@pytest.mark.parametrize("shuffled", [False, True])
def test_long_strips(shuffled: bool) -> None:
    """Two, each of a hundred thousand vertices in any order: as quick as one of a few."""
    order = np.random.default_rng(5).permutation(200_000) if shuffled else np.arange(200_000)
    strips = order.reshape(2, -1)
    edges = np.concatenate([np.stack([strip[:-1], strip[1:]], axis=1) for strip in strips])
    expected = np.empty(200_000, np.int64)
    for strip in strips:
        expected[strip] = strip.min()
    assert np.array_equal(connected(edges, len(expected)), expected)
