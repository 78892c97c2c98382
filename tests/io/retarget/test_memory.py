"""What retargeting holds in memory at once, beside the keys that it reads and writes."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(("bones", "frames"), [(10, 500), (20, 300), (22, 1007)])
def test_small_rigs_take_less_than_three_times_their_keys(bones: int, frames: int) -> None:
    """Frames and values of the keys as Blender takes them, in 32 bits each."""
    from retro_anim.benchmarks import small_rigs  # which the zip does not have

    most, pairs = small_rigs.peak(bones, frames)
    assert most < 3 * pairs
