"""BMP, TGA and DDS pictures against pixels that are known."""

from __future__ import annotations

import struct
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from retro_anim.core.mindpower.client.textures import decode, keyed, unscramble
from retro_anim.core.reporting.errors import FormatError
from support.picture_files import PALETTE, PIXELS, bgr, bmp, bmp_8, bmp_24, dds, scrambled, tga

FOUR_BITS = b"\x34\x50\0\0" + b"\x01\x20\0\0"
ONE_BIT = bytes([0b01000000, 0, 0, 0, 0b10100000, 0, 0, 0])
RGB_ORDER = b"".join(bytes(pixel[:3]) + b"\0" for row in PIXELS[::-1] for pixel in row.tolist())


@pytest.mark.parametrize(
    "data",
    [
        bmp_24(),
        bmp_24()[:-3],  # the last row is not filled up
        bmp_8(),
        bmp_8(height=-2),
        bmp(4, FOUR_BITS, PALETTE, used=6),
        bmp(8, b"\1\3\1\4\1\5\0\0\0\3\0\1\2\0\0\1", PALETTE, method=1),
        bmp(4, b"\2\x34\1\x50\0\0\0\3\x01\x20\0\1", PALETTE, method=2),
        bmp(32, np.ascontiguousarray(PIXELS[::-1][..., [2, 1, 0, 3]]).tobytes()),
        bmp(32, b"".join(bytes([*p[2::-1], 0]) for row in PIXELS[::-1] for p in row.tolist())),
        bmp(32, RGB_ORDER, method=3, masks=struct.pack("<3I", 0xFF, 0xFF00, 0xFF0000)),
        tga(2, 24, bgr(PIXELS)),
        tga(2, 24, bgr(PIXELS[::-1]), descriptor=0),
        tga(2, 24, bgr(PIXELS[:, ::-1]), descriptor=0x30),
        tga(10, 24, b"\2" + bgr(PIXELS[0]) + b"\x80" + bgr(PIXELS[1, 0]) + b"\1" + bgr(PIXELS[1, 1:])),
        tga(1, 8, b"\5\6\7\x08\x09\x0a", colour_map=b"".join(bgr(PIXELS[y, x]) for y in range(2) for x in range(3)), first=5),
        dds(0x40, b"", 24, (0xFF0000, 0xFF00, 0xFF, 0), bgr(PIXELS)),
        dds(0x41, b"", 32, (0xFF, 0xFF00, 0xFF0000, 0xFF000000), PIXELS.tobytes()),
    ],
)  # fmt: skip
def test_the_same_picture_in_every_format(data: bytes) -> None:
    assert decode(data).tolist() == PIXELS.tolist()
    assert decode(scrambled(data.ljust(88, b"\0"))).tolist() == PIXELS.tolist()


def test_runs_and_jumps() -> None:
    """Three of green, the end of the row, one to the right, two of blue; what was jumped over has colour 0, red."""
    data = bmp(8, b"\3\1\0\0\0\2\1\0\2\2\0\1", PALETTE, method=1)
    assert decode(data)[..., :3].tolist() == [[[255, 0, 0], [0, 0, 255], [0, 0, 255]], [[0, 255, 0]] * 3]


def test_one_bit() -> None:
    assert decode(bmp(1, ONE_BIT, PALETTE[:8]))[..., 0].tolist() == [[0, 255, 0], [255, 0, 255]]


def test_a_colour_that_is_not_in_the_palette_is_black() -> None:
    assert decode(bmp(8, b"\7\7\7\0" * 2, PALETTE, used=6)).tolist() == [[[0, 0, 0, 255]] * 3] * 2


@pytest.mark.parametrize(
    "data",
    [
        bmp(16, struct.pack("<2H", 0x7FFF, 0x7C00), width=2, height=1),
        bmp(16, struct.pack("<2H", 0xFFFF, 0xF800), width=2, height=1, method=3, masks=struct.pack("<3I", 0xF800, 0x7E0, 0x1F)),
        tga(2, 16, struct.pack("<2H", 0xFFFF, 0xFC00), size=(2, 1)),
        tga(2, 15, struct.pack("<2H", 0x7FFF, 0x7C00), size=(2, 1)),
        dds(0x40, b"", 16, (0xF800, 0x7E0, 0x1F, 0), struct.pack("<2H", 0xFFFF, 0xF800), size=(2, 1)),
    ],
)
def test_five_bits_a_channel(data: bytes) -> None:
    assert decode(data).tolist() == [[[255, 255, 255, 255], [255, 0, 0, 255]]]


def test_grey() -> None:
    assert decode(tga(3, 8, b"\x40\x80", size=(2, 1))).tolist() == [[[64, 64, 64, 255], [128, 128, 128, 255]]]
    assert decode(dds(0x20000, b"", 8, (0xFF, 0, 0, 0), b"\x40\x80", size=(2, 1))).tolist() == [[[64, 64, 64, 255], [128, 128, 128, 255]]]


def dds_of_marks() -> bytes:
    return dds(0x40, b"", 24, (0xFF0000, 0xFF00, 0xFF, 0), bgr(PIXELS))


COLOUR_BLOCK = struct.pack("<2H", 0xF800, 0x001F) + bytes([0b11100100] * 4)
"""Red to blue: in each row red, blue, two thirds red, one third red."""
MIXED = [[255, 0, 0], [0, 0, 255], [170, 0, 85], [85, 0, 170]]


def test_dxt1() -> None:
    result = decode(dds(4, b"DXT1", 0, (0, 0, 0, 0), COLOUR_BLOCK, size=(4, 4)))
    assert result[1, :, :3].tolist() == MIXED
    assert result[..., 3].min() == 255
    swapped = struct.pack("<2H", 0x001F, 0xF800) + COLOUR_BLOCK[4:]
    result = decode(dds(4, b"DXT1", 0, (0, 0, 0, 0), swapped, size=(4, 4)))
    assert result[0].tolist() == [[0, 0, 255, 255], [255, 0, 0, 255], [127, 0, 127, 255], [0, 0, 0, 0]]


def test_dxt3_and_dxt5() -> None:
    result = decode(dds(4, b"DXT3", 0, (0, 0, 0, 0), bytes(range(0, 64, 8)) + COLOUR_BLOCK, size=(4, 4)))
    assert result[0, :, :3].tolist() == MIXED
    assert result[0, :, 3].tolist() == [0, 0, 8 * 17, 0]
    assert result[3, :, 3].tolist() == [0, 3 * 17, 8 * 17, 3 * 17]
    steps = sum(step << 3 * position for position, step in enumerate([0, 1, 2, 7] * 4)).to_bytes(6, "little")
    falling = decode(dds(4, b"DXT5", 0, (0, 0, 0, 0), bytes([210, 0]) + steps + COLOUR_BLOCK, size=(4, 4)))
    assert falling[2, :, 3].tolist() == [210, 0, 180, 30]
    rising = decode(dds(4, b"DXT5", 0, (0, 0, 0, 0), bytes([0, 200]) + steps + COLOUR_BLOCK, size=(4, 4)))
    assert rising[2, :, 3].tolist() == [0, 200, 40, 255]


def test_blocks_are_cut_to_the_picture() -> None:
    """5 x 3 pixels are two blocks beside each other."""
    green = struct.pack("<2H", 0x07E0, 0) + bytes(4)
    result = decode(dds(4, b"DXT1", 0, (0, 0, 0, 0), COLOUR_BLOCK + green, size=(5, 3)))
    assert result.shape == (3, 5, 4)
    assert result[2, 3:, :3].tolist() == [MIXED[3], [0, 255, 0]]


def test_colour_keys() -> None:
    pixels = np.array([[[252, 4, 252, 255], [255, 0, 255, 255], [200, 0, 255, 255]]], "u1")
    assert keyed(pixels, 1, bytes([255, 0, 255, 255])).tolist() == [[[0] * 4, [0] * 4, [200, 0, 255, 255]]]
    assert keyed(pixels, 2, bytes(4)).tolist() == [[[0] * 4, [0] * 4, [200, 0, 255, 255]]]
    assert keyed(pixels, 0, bytes(4)) is pixels


def test_scrambled() -> None:
    plain = bytes(range(100))
    mixed = scrambled(plain)
    assert mixed[:2] == bytes([56, 57])
    assert unscramble(mixed) == plain
    assert unscramble(plain) is plain
    with pytest.raises(FormatError, match="87 bytes is too small"):
        unscramble(bytes(87) + b"mp.x")


@pytest.mark.parametrize("plain", [bmp_24().ljust(120, b"\0"), tga(2, 32, bytes(range(256)), size=(8, 8)), dds_of_marks()])
@pytest.mark.parametrize("mark", [b"tenxz", b"cfakz"])
def test_scrambled_as_private_servers_do(plain: bytes, mark: bytes) -> None:
    """38 bytes change places, then 20 is added to all of them [lwFileEncode.cpp]."""
    mixed = bytes((byte + 20) % 256 for byte in plain[-38:] + plain[38:-38] + plain[:38]) + mark
    assert unscramble(mixed) == plain
    assert decode(mixed).tolist() == decode(plain).tolist()


def test_what_only_looks_marked_is_no_scrambled_picture() -> None:
    for data in (bytes(200) + b"tenxz", bmp_24().ljust(120, b"\0") + b"tenxz", b"short tenxz"):
        assert unscramble(data) is data


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"BM",
        b"neither of them, and long enough to have a header",
        bmp_24()[:-4],
        bmp_8()[:-9],
        bmp(8, b"", PALETTE, width=0x7FFFFFFF, height=0x7FFFFFFF),
        bmp(8, b"", PALETTE, width=-1),
        bmp(8, b"", PALETTE, height=-0x80000000),
        bmp(8, b"", PALETTE, width=30000, height=30000, method=1),
        bmp(24, bytes(24), method=1),
        bmp(7, bytes(24)),
        tga(2, 24, bgr(PIXELS)[:-1]),
        tga(10, 24, b"\xff", size=(30000, 30000)),
        tga(10, 24, b"\2" + bgr(PIXELS[0])),
        tga(1, 8, b"\7" * 6, colour_map=bytes(3)),
        dds(4, b"DX10", 0, (0, 0, 0, 0), bytes(64)),
        dds(4, b"DXT1", 0, (0, 0, 0, 0), bytes(7)),
        dds(0, b"", 32, (0, 0, 0, 0), bytes(64)),
        dds(4, b"DXT1", 0, (0, 0, 0, 0), b"", size=(0xFFFFFFFF, 0xFFFFFFFF)),
    ],
)
def test_refused(data: bytes) -> None:
    with pytest.raises(FormatError):
        decode(data)


SAMPLES = [bmp_24(), bmp_8(), tga(10, 24, b"\5" + bgr(PIXELS)), dds(4, b"DXT5", 0, (0, 0, 0, 0), bytes(8) + COLOUR_BLOCK)]


@pytest.mark.parametrize(("start", "said"), [(b"\xff\xd8\xff\xe0", "a JPEG"), (b"GIF89a", "a GIF")])
def test_pictures_of_the_web_are_named(start: bytes, said: str) -> None:
    with pytest.raises(FormatError, match=f"{said} picture: save it as BMP, TGA or DDS"):
        decode(start + bytes(60))


@given(data=st.data(), sample=st.sampled_from(SAMPLES))
def test_any_byte_changed_or_cut(data: st.DataObject, sample: bytes) -> None:
    broken = bytearray(sample)
    for _ in range(3):
        broken[data.draw(st.integers(0, len(broken) - 1))] = data.draw(st.integers(0, 255))
    with suppress(FormatError):
        assert decode(bytes(broken[: data.draw(st.integers(0, len(broken)))])).shape[2] == 4
