"""Bytes compared, whatever holds them."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.files.binary import same_bytes


@pytest.mark.parametrize("size", [0, 1, 7, 8, 9, 64, 1003])
def test_bytes_are_the_same_whatever_holds_them(size: int) -> None:
    data = np.random.default_rng(size).integers(0, 256, size, np.uint8)
    kinds = (data, data.tobytes(), bytearray(data), memoryview(b"x" + data.tobytes())[1:])
    assert all(same_bytes(one, other) for one in kinds for other in kinds[1:])
    assert not same_bytes(data, data.tobytes() + b"\0")
    for at in range(size):
        other = data.copy()
        other[at] ^= 0x80
        assert not same_bytes(other, data.tobytes())


def test_a_view_is_the_same_as_itself_alone() -> None:
    data = bytes(range(64))
    view = memoryview(data)
    assert same_bytes(view, view)
    assert same_bytes(np.frombuffer(data, "<f4"), data)
    assert not same_bytes(view[:32], view)
    assert not same_bytes(view[:32], view[32:])
