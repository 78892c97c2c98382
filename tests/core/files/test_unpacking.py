"""A few bytes that claim to be many are refused before they are any."""

from __future__ import annotations

import struct
import tracemalloc
import zlib
from pathlib import Path

import numpy as np
import pytest
from retro_anim.core.files import unpacking
from retro_anim.core.files.disk.disk import read_file
from retro_anim.core.images import pictures, pixels
from retro_anim.core.lba.files.archive import hqr, lz
from retro_anim.core.oni2.files.dave import Dave
from retro_anim.core.reporting.errors import FormatError
from support.oni2.oni2_files import dave

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


def test_what_a_blend_keeps_counts_as_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """25600 bytes, packed to more than a twentieth of them where nothing is compressed, and to less where they are: with no other budget
    than twenty bytes for each that was read. A stream of a file, whose size is known, was counted when the file was read."""
    stored, packed = zlib.compress(PLAIN, 0), zlib.compress(PLAIN, 9)
    assert len(packed) * unpacking.RATIO < len(PLAIN) < len(stored)
    monkeypatch.setattr(unpacking, "MOST_AT_ONCE", 0)
    with unpacking.operation():
        assert unpacking.inflate(stored) == PLAIN
    for data, size in ((packed, None), (stored, len(PLAIN))):
        with unpacking.operation(), pytest.raises(FormatError, match="is left out"):
            unpacking.inflate(data, size)


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


def test_what_one_operation_unpacks_is_counted_together() -> None:
    """Sixteen pictures of 64 megabytes are a gigabyte; each of them alone is no more than the games have."""
    bomb = tga(4096, 4096)
    counted: list[int] = []
    with unpacking.operation():
        with pytest.raises(FormatError, match="is left out"):
            for number in range(40):
                unpacking.earn(len(bomb))
                pixels.check_size(4096, 4096)
                counted.append(number)
        with unpacking.operation(), pytest.raises(FormatError):
            pixels.check_size(4096, 4096)
    assert 16 <= len(counted) < 20
    for _ in range(40):
        pixels.check_size(4096, 4096)
    with unpacking.operation():
        pixels.check_size(4096, 4096)


def test_more_is_unpacked_of_larger_files() -> None:
    """Ten times as much as was read is what an honest archive may hold, however large it is; twenty times is the end, but for what any
    operation may unpack."""
    with unpacking.operation():
        for _ in range(1000):
            unpacking.earn(1 << 22)
            unpacking.spend(10 << 22, "an entry")
        with pytest.raises(FormatError):
            unpacking.spend(1000 * (10 << 22) + (1 << 30) + 1, "an entry")


def test_archives_and_streams_count(tmp_path: Path) -> None:
    """Entries of LZ, entries that are deflated, and what a .blend keeps: each is refused where nothing is left of the operation's."""
    plain = bytes(1 << 20)
    packed = lz.compress(plain, 2)
    assert packed is not None
    archive = hqr.Hqr.empty().with_entry(0, plain, 2)
    dave_path = tmp_path / "RB.DAT"
    dave_path.write_bytes(dave({"a": plain}, ["a"]))
    other = Dave.parse(read_file(dave_path))
    for unpack in (lambda: archive.read(0), lambda: other.read(0), lambda: unpacking.inflate(zlib.compress(plain))):
        with unpacking.operation():
            unpacking.spend(unpacking.MOST_AT_ONCE - (3 << 20), "what was before")
            for _ in range(3):
                unpack()
            with pytest.raises(FormatError, match="unpacked before"):
                unpack()
        assert unpack() == plain
