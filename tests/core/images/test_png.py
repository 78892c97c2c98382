"""PNG pictures against pixels that are known, written here by the rules of the format."""

from __future__ import annotations

import struct
import zlib
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from retro_anim.core.images import pictures, png
from retro_anim.core.mindpower.client.textures import decode
from retro_anim.core.reporting.errors import FormatError

RANDOM = np.random.default_rng(7)
PIXELS = RANDOM.integers(0, 256, (11, 13, 4), np.uint8)
STARTS = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]


def part(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def filtered(rows: list[bytes], step: int, kinds: list[int]) -> bytes:
    """Rows behind their filters, one number at a time."""
    out = bytearray()
    for index, row in enumerate(rows):
        kind = kinds[index % len(kinds)]
        out.append(kind)
        for at, byte in enumerate(row):
            left = row[at - step] if at >= step else 0
            up = rows[index - 1][at] if index else 0
            corner = rows[index - 1][at - step] if index and at >= step else 0
            nearest = min((left, up, corner), key=lambda each: abs(left + up - corner - each))
            out.append((byte - (0, left, up, (left + up) // 2, nearest)[kind]) % 256)
    return bytes(out)


def packed(values: np.ndarray, depth: int) -> list[bytes]:
    """Rows of numbers (H, W * channels), the first in the highest bits."""
    rows: list[bytes] = []
    for row in values:
        bits = "".join(f"{int(value):0{depth}b}" for value in row)
        bits += "0" * (-len(bits) % 8)
        rows.append(int(bits, 2).to_bytes(len(bits) // 8, "big"))
    return rows


def written(values: np.ndarray, colour: int, depth: int, *more: bytes, kinds: list[int], interlaced: bool = False) -> bytes:
    """A file of numbers (H, W, channels); its data is in two parts."""
    height, width, channels = values.shape
    step = max(channels * depth // 8, 1)
    pieces = [values[y::down, x::across] for x, y, across, down in STARTS] if interlaced else [values]
    raw = b"".join(filtered(packed(piece.reshape(len(piece), -1), depth), step, kinds) for piece in pieces if piece.size)
    data = zlib.compress(raw)
    head = part(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlaced))
    return png.MARK + head + b"".join(more) + part(b"IDAT", data[:20]) + part(b"IDAT", data[20:]) + part(b"IEND", b"")


FILTERS = [[0], [1], [2], [3], [4], [4, 1, 3, 2, 0]]


@pytest.mark.parametrize("interlaced", [False, True])
@pytest.mark.parametrize("kinds", FILTERS)
def test_every_filter(kinds: list[int], interlaced: bool) -> None:
    assert decode(written(PIXELS, 6, 8, kinds=kinds, interlaced=interlaced)).tolist() == PIXELS.tolist()


@pytest.mark.parametrize("interlaced", [False, True])
@pytest.mark.parametrize("depth", [1, 2, 4, 8])
def test_colour_maps(depth: int, interlaced: bool) -> None:
    indices = RANDOM.integers(0, 1 << depth, (9, 10, 1))
    colours = RANDOM.integers(0, 256, (1 << depth, 3), np.uint8)
    data = written(
        indices, 3, depth, part(b"PLTE", colours.tobytes()), part(b"tRNS", b"\x07"), kinds=[0, 1, 2, 3, 4], interlaced=interlaced
    )
    result = decode(data)
    assert result[..., :3].tolist() == colours[indices[..., 0]].tolist()
    assert result[..., 3].tolist() == np.where(indices[..., 0] == 0, 7, 255).tolist()


def test_a_colour_that_is_not_in_the_map_is_black() -> None:
    data = written(np.array([[[5], [0]]]), 3, 8, part(b"PLTE", b"\1\2\3"), kinds=[0])
    assert decode(data).tolist() == [[[0, 0, 0, 255], [1, 2, 3, 255]]]


@pytest.mark.parametrize("depth", [1, 2, 4, 8, 16])
def test_grey(depth: int) -> None:
    most = (1 << depth) - 1
    values = np.array([[[0], [most], [most // 2]]])
    shade = (most // 2 * 255 + most // 2) // most
    clear = part(b"tRNS", struct.pack(">H", most))
    expected = [[[0, 0, 0, 255], [255, 255, 255, 0], [shade, shade, shade, 255]]]
    assert decode(written(values, 0, depth, clear, kinds=[1])).tolist() == expected


def test_sixteen_bits_and_alpha() -> None:
    wide = PIXELS.astype(np.int64) * 257
    assert decode(written(wide, 6, 16, kinds=[4])).tolist() == PIXELS.tolist()
    grey = decode(written(PIXELS[..., :2], 4, 8, kinds=[3]))
    assert grey[..., 0].tolist() == grey[..., 2].tolist() == PIXELS[..., 0].tolist()
    assert grey[..., 3].tolist() == PIXELS[..., 1].tolist()
    clear = part(b"tRNS", struct.pack(">3H", *PIXELS[0, 0, :3].tolist()))
    plain = decode(written(PIXELS[..., :3], 2, 8, clear, kinds=[2]))
    assert plain[..., :3].tolist() == PIXELS[..., :3].tolist()
    assert plain[0, 0, 3] == 0
    assert plain[1:, :, 3].min() == 255


def test_what_is_written_is_read() -> None:
    assert pictures.kind_of(png.encode(PIXELS)) is png.decode
    assert png.decode(png.encode(PIXELS)).tolist() == PIXELS.tolist()


GOOD = written(PIXELS, 6, 8, kinds=[4, 3])


@pytest.mark.parametrize(
    "data",
    [
        png.MARK,
        png.MARK + part(b"IEND", b""),
        GOOD[:60],
        written(PIXELS, 6, 8, kinds=[0]).replace(b"IDAT", b"JUNK"),
        png.MARK + part(b"IHDR", struct.pack(">IIBBBBB", 30000, 30000, 8, 6, 0, 0, 0)) + part(b"IDAT", zlib.compress(b"")),
        png.MARK + part(b"IHDR", struct.pack(">IIBBBBB", 2, 2, 3, 6, 0, 0, 0)) + part(b"IDAT", zlib.compress(bytes(99))),
        png.MARK + part(b"IHDR", struct.pack(">IIBBBBB", 2, 1, 8, 0, 0, 0, 0)) + part(b"IDAT", zlib.compress(b"\5\0\0")),
        png.MARK + part(b"IHDR", struct.pack(">IIBBBBB", 0, 1, 8, 0, 0, 0, 0)) + part(b"IDAT", zlib.compress(b"\0")),
        png.MARK + part(b"IHDR", struct.pack(">IIBBBBB", 2, 1, 8, 0, 0, 0, 0)) + part(b"IDAT", b"not deflated"),
    ],
)  # fmt: skip
def test_refused(data: bytes) -> None:
    with pytest.raises(FormatError):
        decode(data)


def test_more_than_can_be_read_in_some_seconds() -> None:
    """Rows that are computed byte by byte; plain ones of that size are read."""
    for kind in (0, 4):
        rows = np.zeros((5000, 4001), np.uint8)
        rows[:, 0] = kind
        head = part(b"IHDR", struct.pack(">IIBBBBB", 1000, 5000, 8, 6, 0, 0, 0))
        data = png.MARK + head + part(b"IDAT", zlib.compress(rows.tobytes(), 1)) + part(b"IEND", b"")
        if kind:
            with pytest.raises(FormatError, match="20000000 bytes in filtered rows"):
                decode(data)
        else:
            assert decode(data).shape == (5000, 1000, 4)


@given(data=st.data())
def test_any_byte_changed_or_cut(data: st.DataObject) -> None:
    broken = bytearray(GOOD)
    for _ in range(3):
        broken[data.draw(st.integers(8, len(broken) - 1))] = data.draw(st.integers(0, 255))
    with suppress(FormatError):
        assert decode(bytes(broken[: data.draw(st.integers(8, len(broken)))])).shape[2] == 4
