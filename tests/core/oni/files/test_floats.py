"""Floats as .NET writes them ("R") and reads them; the texts are what it prints for these numbers."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.oni.xml.floats import single, singles, to_float


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.1, "0.1"), (1 / 3, "0.333333343"), (1e10, "1E+10"), (16777216, "16777216"), (-2.5, "-2.5"), (1e-5, "1E-05"), (0, "0"),
        (np.nan, "NaN"), (np.inf, "INF"), (-np.inf, "-INF"),
    ],
)  # fmt: skip
def test_floats(value: float, text: str) -> None:
    assert single(value) == text
    assert np.array_equal(np.float32(to_float(text)), np.float32(value), equal_nan=True)
    assert singles(value, 1) == f"{text} 1"


def test_what_net_reads() -> None:
    assert [to_float(text) for text in ("Infinity", "-Infinity", "+1.5", ".5", "2.", "1e3")] == [np.inf, -np.inf, 1.5, 0.5, 2, 1000]


@pytest.mark.parametrize("text", ["", "inf", "nan", "-NaN", "infinity", "1_0", "0x10", "1,5", "1e", "--1"])
def test_what_net_does_not_read(text: str) -> None:
    with pytest.raises(ValueError, match=f"^{text}$"):
        to_float(text)
