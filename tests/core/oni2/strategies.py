"""Random skeletons and animations of every kind that keep the rules of their formats."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from retro_anim.core.oni2.anim import Anim, Kind, has_deltas, stride_length

finite = st.floats(width=32, allow_nan=False, allow_infinity=False)
words = st.integers(0, 2**32 - 1)


@st.composite
def anims(draw: st.DrawFn, channels: int | None = None, kinds: tuple[Kind, ...] = ("ANI1", "ani", "null")) -> Anim:
    """Any flag bits, any loop byte, any finite floats, and sometimes bytes behind the end."""
    kind = draw(st.sampled_from(kinds))
    flags = draw(words) if kind in ("ANI1", "ani") else None
    count, width = draw(st.integers(1, 6)), channels or draw(st.integers(1, 9))
    width = width // 3 * 3 + 3 if kind == "beta" else width
    table = draw(arrays("<f4", (count, width + 3 * has_deltas(kind, flags)), elements=finite))
    stride = draw(arrays("<f4", stride_length(kind, flags), elements=finite))
    return Anim(kind, flags, stride, None if kind == "ANI1" else draw(st.integers(0, 255)), table, draw(st.binary(max_size=3)))
