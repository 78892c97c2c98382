"""Where a container's raw data ends."""

from __future__ import annotations

import pytest
from retro_anim.core.files.source import Memory
from retro_anim.core.oni.files.raw_area import RawArea
from retro_anim.core.reporting.errors import FormatError


def test_a_raw_area_ends_where_it_ends() -> None:
    """Ten bytes from the fourth on, of twenty: what is behind them is of somebody else."""
    area = RawArea(Memory(bytes(range(20))), 4, 10)
    assert bytes(area.exactly(6, 4, "block")) == bytes([10, 11, 12, 13])
    for pointer, size in ((7, 4), (10, 1), (11, 0)):
        with pytest.raises(FormatError, match="bytes of raw data expected"):
            area.exactly(pointer, size, "block")
    assert bytes(area.up_to(7, 100, "block")) == bytes([11, 12, 13])
