"""What is no number is found in silence, and the nearest frame before stands in its place."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.motion import finite

pytestmark = pytest.mark.filterwarnings("error")


@pytest.mark.parametrize(
    ("row", "wanted"),
    [
        ([1, 2], True),
        ([3e38, 3e38], True),  # of which the sum is none in 32 bits
        ([np.inf, -np.inf], False),
        ([1, np.nan], False),
        ([], True),
    ],
)
def test_whether_all_are_numbers(row: list[float], wanted: bool) -> None:
    assert finite.are(np.array(row, np.float32)) is wanted


def test_of_each_array_by_itself() -> None:
    rows = np.array([[1, 2], [3e38, 3e38], [1, np.nan], [np.inf, -np.inf], [0, -1]], np.float32)
    assert finite.each(rows) == [True, True, False, False, True]
    assert finite.each([]) == []


def test_the_frame_before_else_the_next_else_nothing() -> None:
    values = np.array([[np.nan, 1, np.inf], [2, np.nan, -np.inf], [np.nan, 3, np.nan]], np.float32)
    kept = finite.kept(values)
    assert kept.dtype == np.float32
    assert kept.tolist() == [[2, 1, 0], [2, 1, 0], [2, 3, 0]]


def test_the_nearest_whole_number_or_the_largest() -> None:
    values = np.array([1.4, -2.5, 1e30, -3e38, np.inf, -np.inf])
    assert finite.whole(values).tolist() == [1, -2, 2**53, -(2**53), 2**53, -(2**53)]


def test_in_32_bits_or_the_largest() -> None:
    largest = (2 - 2.0**-23) * 2.0**127
    assert finite.single(np.array([0.1, 1e39, -1e300])).tolist() == [0.10000000149011612, largest, -largest]
