"""sRGB by the numbers of its standard, and by those that tables of its 256 values have."""

from __future__ import annotations

import pytest
from retro_anim.core.surface.srgb import displayed, linear

TABLE = [(0, 0.0), (1, 0.000303527), (10, 0.00303527), (11, 0.003346536), (128, 0.2158605), (188, 0.5028865), (254, 0.9911021), (255, 1.0)]


@pytest.mark.parametrize(("value", "light"), TABLE)
def test_values_of_eight_bits(value: int, light: float) -> None:
    assert linear([value / 255] * 3) == pytest.approx((light,) * 3, rel=2e-7)
    assert displayed([light] * 3) == pytest.approx((value / 255,) * 3, rel=2e-7)


def test_the_standard_s_bounds_belong_to_the_straight_part() -> None:
    assert linear([0.04045] * 3) == (0.04045 / 12.92,) * 3
    assert displayed([0.0031308] * 3) == (12.92 * 0.0031308,) * 3


def test_three_parts_in_their_order_without_what_is_behind() -> None:
    assert linear((1.0, 0.0, 128 / 255, 0.5)) == pytest.approx((1, 0, 0.2158605), rel=1e-6)
    assert displayed((0.0, 0.2158605, 1.0, 0.5)) == pytest.approx((0, 128 / 255, 1), rel=1e-6)
