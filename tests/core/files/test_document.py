"""When two documents are the same: values for values, arrays bit for bit."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from retro_anim.core.files.document import same


@dataclass
class Leaf:
    number: int
    values: np.ndarray


@dataclass
class Branch:
    leaves: list[Leaf]
    names: dict[str, tuple[int, bytes]]


_LEAVES = st.builds(Leaf, st.integers(), arrays.arrays(np.float32, arrays.array_shapes(max_dims=2, max_side=3)))
_BRANCHES = st.builds(
    Branch, st.lists(_LEAVES, max_size=3), st.dictionaries(st.text(max_size=3), st.tuples(st.integers(), st.binary(max_size=3)))
)


@given(_BRANCHES)
def test_a_copy_is_the_same(document: Branch) -> None:
    assert same(document, copy.deepcopy(document))


@given(_BRANCHES, st.data())
def test_any_changed_bit_of_an_array_is_seen(document: Branch, data: st.DataObject) -> None:
    filled = [number for number, leaf in enumerate(document.leaves) if leaf.values.size]
    if not filled:
        return
    changed = copy.deepcopy(document)
    leaf = changed.leaves[data.draw(st.sampled_from(filled))]
    raw = bytearray(leaf.values.tobytes())
    raw[data.draw(st.integers(0, len(raw) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    leaf.values = np.frombuffer(bytes(raw), np.float32).reshape(leaf.values.shape)
    assert not same(document, changed) and not same(changed, document)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (np.array([0.0]), np.array([-0.0])),
        (np.zeros(2, np.int16), np.zeros(2, np.uint16)),
        (np.zeros((2, 1)), np.zeros(2)),
        (1, True),
        (1, 1.0),
        ([1], (1,)),
        ([1], [1, 2]),
        ({"a": 1}, {"a": 2}),
        ({"a": 1}, {"b": 1}),
        (Leaf(1, np.zeros(1)), Leaf(2, np.zeros(1))),
        (None, 0),
    ],
)
def test_what_differs_differs(one: Any, other: Any) -> None:
    assert not same(one, other) and not same(other, one)


def test_what_is_equal_is_equal() -> None:
    assert same(np.array([np.nan, 1.0]), np.array([np.nan, 1.0])), "bit for bit the same"
    assert same({"a": 1, "b": [2]}, {"b": [2], "a": 1}), "in any order"
    assert same(Leaf, Leaf)
