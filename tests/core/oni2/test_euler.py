"""Triples that follow each other, of the same rotations."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from retro_anim.core.motion.rotations import rotation_matrix
from retro_anim.core.oni2.motion.euler import continuous
from retro_anim.core.oni2.motion.evaluate import MODE

steps = st.floats(-0.4, 0.4)


@given(arrays("f8", (12, 2, 3), elements=steps), st.integers(0, 2**31))
def test_a_smooth_motion_is_found_again_from_any_of_its_triples(changes: np.ndarray, seed: int) -> None:
    smooth = np.cumsum(changes, axis=0)
    draw = np.random.default_rng(seed)
    mixed = smooth.copy()
    other = draw.random((12, 2)) < 0.5
    mixed[other] = np.stack([smooth[other, 0] + np.pi, smooth[other, 1] - np.pi, np.pi - smooth[other, 2]], axis=-1)
    mixed += 2 * np.pi * draw.integers(-2, 3, mixed.shape)
    result = continuous(mixed, smooth[0])
    assert np.abs(rotation_matrix.from_euler(result, MODE) - rotation_matrix.from_euler(smooth, MODE)).max() < 1e-9
    # Where the middle angle stays away from the pole there is just one triple near the one before.
    calm = np.abs(np.cos(smooth[..., 2])).min(axis=0) > 0.8
    assert np.abs(result - smooth)[:, calm].max(initial=0) < 1e-9


def test_at_the_pole_x_stays_what_it_was() -> None:
    for sign in (1, -1):
        rotations = rotation_matrix.from_euler(np.array([[[0.3, 0.2, 0.1]], [[0.3, 0.4, sign * np.pi / 2]], [[0.35, 0.4, 0.2]]]), MODE)
        result = continuous(rotation_matrix.to_euler(rotations, MODE), np.zeros((1, 3)))
        assert np.abs(rotation_matrix.from_euler(result, MODE) - rotations).max() < 1e-9
        assert np.allclose(result[:2, 0], [[0.3, 0.2, 0.1], [0.3, 0.4, sign * np.pi / 2]])
