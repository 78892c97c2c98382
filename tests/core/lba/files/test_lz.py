"""The two compressions of HQR archives."""

from __future__ import annotations

import random
import tracemalloc

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from retro_anim.core.lba.files.archive.lz import compress, expand
from retro_anim.core.reporting.errors import FormatError
from support.lba import lba1_chain as chain

METHODS = pytest.mark.parametrize("method", [1, 2])

repetitive = st.lists(st.tuples(st.binary(min_size=1, max_size=9), st.integers(1, 60)), max_size=30).map(
    lambda parts: b"".join(part * times for part, times in parts)
)


def test_a_stream_written_by_another_packer() -> None:
    packed = chain.HQR[0x188 + 10 : 0x1F5]
    assert expand(packed, 200, 1) == (chain.ANM, 99)
    packed = chain.HQR[0x1F5 + 10 : 0x2A7]
    assert expand(packed, 362, 2) == (chain.LM1, 168)


@pytest.mark.parametrize(
    ("stream", "size", "method", "plain"),
    [
        ("03 61 62 12 00", 6, 1, b"ababab"),  # length 2 + 2 from 1 + 1 back: source and target overlap
        ("03 61 62 12 00", 7, 2, b"ababab" + b"a"),  # the same word is one byte longer in method 2
        ("01 61 0f 00", 18, 1, b"a" * 18),  # the longest match, 17
        ("01 61 0f 00", 19, 2, b"a" * 19),  # 18
        ("01 61 0f 00", 5, 1, b"a" * 5),  # stops in the middle of a match
        ("ff 61 62 63 64 65 66 67 68", 3, 1, b"abc"),  # and in the middle of literals
        ("", 0, 1, b""),
    ],
)
def test_streams_by_hand(stream: str, size: int, method: int, plain: bytes) -> None:
    assert expand(bytes.fromhex(stream), size, method)[0] == plain


@METHODS
@example(data=b"a" * 20)
@example(data=b"abcdefgh" * 2)
@given(data=st.one_of(st.binary(max_size=400), repetitive))
def test_what_was_packed_unpacks(method: int, data: bytes) -> None:
    packed = compress(data, method)
    if packed is not None:
        assert len(packed) < len(data)
        assert expand(packed, len(data), method) == (data, len(packed))


@METHODS
@pytest.mark.parametrize("data", [b"", b"a", bytes(range(256))])
def test_what_does_not_get_smaller_is_left_plain(method: int, data: bytes) -> None:
    assert compress(data, method) is None


@METHODS
def test_matches_reach_back_one_window_and_no_further(method: int) -> None:
    noise, sizes = random.Random(1).randbytes(5000), {}
    for distance in (4095, 4096, 4097):
        data = noise[:distance] + noise[:16] + b"a" * 9000
        packed = compress(data, method)
        assert packed is not None
        assert expand(packed, len(data), method) == (data, len(packed))
        sizes[distance] = len(packed) - distance * 9 // 8
    assert sizes[4095] <= sizes[4096] + 1 < sizes[4097] - 5


@METHODS
def test_packs_as_well_as_the_games_own_packer(method: int) -> None:
    packed = compress(chain.LM1, method)
    assert packed is not None
    assert len(packed) <= 175  # a plain greedy packer takes 168 with method 2


@METHODS
@given(data=repetitive.filter(lambda data: len(data) > 40))
def test_every_cut_stream_is_damaged(method: int, data: bytes) -> None:
    packed = compress(data, method)
    if packed is None:
        return
    for size in range(len(packed)):
        with pytest.raises(FormatError, match="damaged compressed data"):
            expand(packed[:size], len(data), method)


@pytest.mark.parametrize(("stream", "at"), [("00 00 00", 1), ("01 61 10 00", 2), ("03 61 62 f0 ff", 3)])
def test_a_match_before_the_start_is_damage_at_its_place(stream: str, at: int) -> None:
    with pytest.raises(FormatError, match=r"damaged compressed data.*before the start") as caught:
        expand(bytes.fromhex(stream) + bytes(100), 100, 1)
    assert caught.value.offset == at


@METHODS
def test_a_long_entry_and_damage_far_inside(method: int) -> None:
    """More flag bytes than are unpacked at once; the longest matches, from the furthest, and a match before the start behind them."""
    noise = random.Random(2).randbytes(4096)
    literals = b"".join(b"\xff" + noise[start : start + 8] for start in range(0, 4096, 8))
    matches = (b"\x00" + b"\xff\xff" * 8) * 9000
    size = 4096 + 9000 * 8 * (method + 16)
    expected = (noise * (size // 4096 + 1))[:size]
    assert expand(literals + matches, size, method) == (expected, len(literals + matches))
    few = (b"\xff" + noise[:8]) * 8
    short = (b"\x00" + b"\x00\x00" * 8) * 5000
    with pytest.raises(FormatError, match="before the start") as caught:
        expand(few + short[:17] + b"\x00\xff\xff" + short, 80_000, method)
    assert caught.value.offset == len(few) + 18


@METHODS
@given(stream=st.binary(max_size=200), size=st.integers(0, 2000))
def test_random_streams_give_the_size_or_an_error(method: int, stream: bytes, size: int) -> None:
    try:
        plain, used = expand(stream, size, method)
    except FormatError:
        return
    assert len(plain) == size
    assert used <= len(stream)


def test_an_impossible_size_costs_nothing() -> None:
    tracemalloc.start()
    try:
        with pytest.raises(FormatError, match="damaged compressed data"):
            expand(b"\x01a" + b"\x0f\x00" * 500, 0xFFFFFFFF, 1)
        assert tracemalloc.get_traced_memory()[1] < 100_000
    finally:
        tracemalloc.stop()


def test_the_last_bytes_are_a_match_of_those_right_before_them() -> None:
    """A literal and ten of it in all, two literals, and of the last three more: items of a byte, and of two with distance and length."""
    assert compress(b"z" * 10 + b"xyyyy", 2) == bytes.fromhex("0d 7a 0600 78 79 0000")


@pytest.mark.parametrize(("literals", "kept"), [(3000, True), (6000, False)])
def test_what_the_loader_cannot_expand_in_place_is_not_compressed(literals: int, kept: bool) -> None:
    """It has the packed data at the end of its buffer and 500 bytes more: each 8 literals take 9 bytes there, which must be read before
    they are written over."""
    plain = bytes(9000) + random.Random(1).randbytes(literals)
    packed = compress(plain, 1)
    assert (packed is not None) is kept
    if packed is not None:
        assert expand(packed, len(plain), 1)[0] == plain


@pytest.mark.parametrize("method", [1, 2])
def test_the_most_that_a_stream_can_become(method: int) -> None:
    """One byte of flags governs eight matches of two bytes, each of which stands for method + 16 bytes at most."""
    longest, groups = method + 16, 100
    full = b"\x01a" + b"\x0f\x00" * 7 + (b"\x00" + b"\x0f\x00" * 8) * (groups - 1)
    most = 1 + 7 * longest + (groups - 1) * 8 * longest
    assert expand(full, most, method) == (b"a" * most, len(full))
    with pytest.raises(FormatError, match=f"{len(full)} bytes cannot unpack to"):
        expand(full, most + longest, method)
