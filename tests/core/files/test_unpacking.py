"""A few bytes that claim to be many are refused before they are any."""

from __future__ import annotations

import struct
import tracemalloc
import zlib

import numpy as np
import pytest
from retro_anim.core.files import unpacking
from retro_anim.core.images import pictures
from retro_anim.core.reporting.errors import FormatError

PLAIN = bytes(range(256)) * 100


def test_what_was_deflated_comes_back() -> None:
    assert unpacking.inflate(zlib.compress(PLAIN)) == PLAIN
    assert unpacking.inflate(zlib.compress(PLAIN), len(PLAIN)) == PLAIN
    assert unpacking.inflate(zlib.compress(b"")) == b""


@pytest.mark.parametrize("size", [len(PLAIN) - 1, len(PLAIN) + 1])
def test_another_size_is_refused(size: int) -> None:
    with pytest.raises(FormatError, match=str(size)):
        unpacking.inflate(zlib.compress(PLAIN), size)


@pytest.mark.parametrize("data", [b"", b"x", zlib.compress(PLAIN)[:-9], b"\0" * 50])
def test_damage_is_refused(data: bytes) -> None:
    with pytest.raises(FormatError):
        unpacking.inflate(data)


def test_no_more_than_the_budget_is_unpacked() -> None:
    packer = zlib.compressobj(9)
    bomb = b"".join(packer.compress(bytes(1 << 24)) for _ in range(20)) + packer.flush()
    tracemalloc.start()
    try:
        with pytest.raises(FormatError, match=f"more than {1 << 26}"):
            unpacking.inflate(bomb)
        assert tracemalloc.get_traced_memory()[1] < 3 << 26
    finally:
        tracemalloc.stop()


def tga(width: int, height: int) -> bytes:
    """In run lengths of 128 equal pixels."""
    head = struct.pack("<BBBHHBHHHHBB", 0, 0, 10, 0, 0, 0, 0, 0, width, height, 32, 8)
    return head + b"\xff\x01\x02\x03\x04" * -(-width * height // 128)


def test_a_picture_in_run_lengths() -> None:
    assert np.array_equal(pictures.decode(tga(128, 128)), np.full((128, 128, 4), [3, 2, 1, 4], np.uint8))
    large = tga(6928, 6928)
    assert len(large) < 2_000_000
    tracemalloc.start()
    try:
        with pytest.raises(FormatError, match="6928 x 6928"):
            pictures.decode(large)
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
        assert pictures.decode(tga(4096, 4096)).shape == (4096, 4096, 4)
        assert tracemalloc.get_traced_memory()[1] < 500 << 20
    finally:
        tracemalloc.stop()
