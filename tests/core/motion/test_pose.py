"""What is asked of a pose."""

from __future__ import annotations

import pytest
from retro_anim.core.motion.pose import Wanted
from retro_anim.core.reporting import log


@pytest.mark.parametrize("interpolation", ["", "slerp", "nlerp"])
def test_of_angles_no_interpolation_is_chosen(interpolation: str) -> None:
    said = f"its bones have angles, each of which is interpolated by itself: {interpolation} is not used"
    with log.collect() as heard:
        Wanted(interpolation=interpolation).report_angles()
    assert [message.text for message in heard.of("WARNING")] == [said] * bool(interpolation)
