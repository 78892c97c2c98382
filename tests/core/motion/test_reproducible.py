"""The same numbers give the same bits, wherever in memory they and what is beside them lie."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion, rotation_matrix
from retro_anim.core.motion.rotations.reproducible import product
from retro_anim.core.motion.rotations.rotation_matrix import Floats

POINT = np.array([0.3, 0.2, 0.9])
STEPS: dict[str, Callable[[Floats, Floats], Floats]] = {
    "multiply": quaternion.multiply,
    "relative": quaternion.relative,
    "by one": lambda one, other: quaternion.multiply(one, other[3]),
    "rotate": lambda one, other: quaternion.rotate(one, POINT),
    "power": lambda one, other: quaternion.power(one, 0.3),
    "to_euler": lambda one, other: rotation_matrix.to_euler(rotation_matrix.from_quaternion(one), "ZXY"),
}


@pytest.mark.parametrize("rows", [1, 3])
@pytest.mark.parametrize("step", STEPS)
def test_results_do_not_depend_on_what_lies_beside_them_in_memory(step: str, rows: int) -> None:
    """rows: of which each quaternion is one, so that views have gaps."""
    random = np.random.default_rng(1)
    first, second = random.normal(size=(84, rows, 4)), random.normal(size=(84, 4))
    results: set[bytes] = set()
    for _ in range(400):
        beside = [np.ones(size) for size in random.integers(1, 400, 6)]
        results.add(STEPS[step](first.copy()[:, -1], second.copy()).tobytes())
        del beside
    assert len(results) == 1


def test_a_product_lies_in_memory_as_what_has_its_shape() -> None:
    """So that the frames of each bone stay together, whatever is multiplied by a column or a row."""
    across = np.ones((3, 5), complex).T
    for one, other in ((across, across), (across, np.ones((1, 3), complex)), (np.ones((5, 1), complex), across)):
        result = product(one, other)
        assert result.shape == (5, 3) and result.strides == across.strides
