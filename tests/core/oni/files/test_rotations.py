"""The rotation block: the one of the specification to the byte, laid out any way, broken anywhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray
from retro_anim.core.files.document import same
from retro_anim.core.motion.rotations import quaternion
from retro_anim.core.oni.records.angles import from_disk, from_steps, to_disk, to_quaternion, to_steps, to_triples
from retro_anim.core.oni.records.rotations import Rotations, TooManyKeysError, decode, fits
from retro_anim.core.reporting.errors import FormatError

LARGEST = 65535
"""What an offset of two bytes reaches."""

Floats = NDArray[np.float64]


def degrees_between(one: Floats, other: Floats) -> Floats:
    """The angle between rotations, good for small ones, where the arc cosine is not."""
    settings = quaternion.multiply(quaternion.conjugate(one), other)
    return np.degrees(2 * np.arctan2(np.linalg.norm(settings[..., 1:], axis=-1), np.abs(settings[..., 0])))


@st.composite
def tracks(draw: st.DrawFn) -> tuple[list[NDArray[np.int64]], list[NDArray[Any]], int, int]:
    """Key frames and raw keys of some bones, the frame count and the key size."""
    size = draw(st.sampled_from([6, 16]))
    count = draw(st.integers(1, 600))
    frames: list[NDArray[np.int64]] = []
    keys: list[NDArray[Any]] = []
    for _ in range(draw(st.integers(1, 5))):
        inner = draw(st.lists(st.integers(1, count - 2), max_size=6)) if count > 2 else []
        times = np.unique(np.array([0, *inner, count - 1], np.int64))
        frames.append(times)
        shape = (len(times), 3 if size == 6 else 4)
        values: Any = arrays.arrays("<i2", shape) if size == 6 else arrays.arrays("<f4", shape, elements=st.floats(-1, 1, width=32))
        keys.append(draw(values))
    return frames, keys, count, size


def test_shinzo(game_file: Callable[[str], Path]) -> None:
    data = game_file("oni/SHINZOMidle1_raw0x34.bin").read_bytes()
    block = Rotations.parse(data, 19, 10, 6)
    assert block.pack() == data
    assert block.size == 285
    assert len(block.frames) == 38
    assert block.offsets[[0, 1, 18]].tolist() == [0x26, 0x33, 0x110]
    assert block.keys[::2][[0, 9, 18]].tolist() == [[17759, 15865, -1354], [0, -2, 28489], [16675, 1108, -4525]]
    assert np.degrees(from_steps(block.keys[0])).round(4).tolist() == [97.5546, 87.1504, -7.4379]
    rotated = block.quaternions()
    assert rotated[0].round(6).tolist() == [0.510040, 0.514303, 0.488632, 0.486406]
    assert rotated[2].round(6).tolist() == [-0.319039, 0.507362, -0.467240, 0.649989]


def test_angle_vectors() -> None:
    degrees = np.array([10.0, 20, 30, 40, 90, 180, -180, 370, 350, 359.9999])
    assert to_steps(np.radians(degrees)).tolist() == [1820, 3641, 5461, 7282, 16384, -32768, -32768, 1820, -1820, 0]
    assert np.degrees(from_steps(np.array([1820, -32768], np.int16))).round(6).tolist() == [9.997711, -180.002747]


def test_quaternion_on_disk_has_the_other_w() -> None:
    """Blackvan's first key is a quarter turn about X, backwards."""
    rotated = from_disk(np.array([[-0.70711, 0, 0, -0.70711]], np.float32))
    assert np.allclose(quaternion.multiply(rotated, rotated), [[0, -1, 0, 0]], atol=1e-6)
    assert np.allclose(to_disk(rotated), [[-0.70711, 0, 0, -0.70711]], atol=1e-5)


@pytest.mark.parametrize(("x", "z"), [(0, 0), (60, 90), (97, -7), (97.5, 352), (-180, 180), (10, 33)])
def test_pelvis_through_the_pole(x: float, z: float) -> None:
    pitch = np.arange(80, 100.0001, 0.01)
    angles = np.stack([np.full_like(pitch, x), pitch, np.full_like(pitch, z)], axis=1)
    wanted = to_quaternion(np.radians(angles))
    for sampled in (wanted, wanted.astype(np.float32).astype(np.float64)):
        assert degrees_between(wanted, decode(to_triples(sampled), 6)).max() < 0.005


def test_at_the_pole_z_is_that_of_the_key_before() -> None:
    """0 where there is none: 10 and 20 degrees about the axis that x and z share there are 30 about x."""
    at_pole, before = [10.0, 90, 20], [10.0, 0, 20]
    assert to_triples(to_quaternion(np.radians([at_pole]))).tolist() == [[5461, 16384, 0]]
    assert to_triples(to_quaternion(np.radians([before, at_pole]))).tolist() == [[1820, 0, 3641], [1820, 16384, 3641]]


def test_angles_stay_near_the_key_before() -> None:
    """A pitch that goes on beyond the pole does not throw x and z to the other side."""
    pitch = np.arange(0, 360, 0.5)
    angles = np.stack([np.full_like(pitch, 60.0), pitch, np.full_like(pitch, -20.0)], axis=1)
    steps = to_triples(to_quaternion(np.radians(angles))).astype(np.int64)
    assert np.abs((np.diff(steps, axis=0) + 32768) % 65536 - 32768).max() < 200


def test_any_rotation_is_exact_to_the_rounding() -> None:
    rotated = quaternion.normalised(np.random.default_rng(4).normal(size=(5000, 4)))
    assert degrees_between(rotated, decode(to_triples(rotated), 6)).max() < 0.0055


@given(tracks())
def test_document_to_bytes_and_back(built: tuple[list[NDArray[np.int64]], list[NDArray[Any]], int, int]) -> None:
    frames, keys, count, size = built
    block = Rotations.of_tracks(frames, keys, count, size)
    data = block.pack()
    assert len(data) == block.size
    again = Rotations.parse(data + b"\x07" * 40, len(frames), count, size)
    assert same(again, block)
    if all((np.diff(times) <= 255).all() for times in frames):
        for bone, (times, values) in enumerate(zip(frames, keys, strict=True)):
            result = again.track(bone)
            assert result[0].tolist() == times.tolist()
            assert result[1].tobytes() == values.tobytes()


@given(tracks(), st.randoms())
def test_any_layout_comes_back(built: tuple[list[NDArray[np.int64]], list[NDArray[Any]], int, int], random: Any) -> None:
    """Tracks in another order, with bytes between them."""
    frames, keys, count, size = built
    block = Rotations.of_tracks(frames, keys, count, size)
    data = block.pack()
    starts, lengths = block.offsets.tolist(), (np.diff(block.starts) * (size + 1) - 1).tolist()
    order = [0, *random.sample(range(1, len(starts)), len(starts) - 1)]
    table, body = np.zeros(len(starts), "<u2"), b""
    for bone in order:
        if bone:
            body += bytes(random.randrange(256) for _ in range(random.randrange(4)))
        table[bone] = 2 * len(starts) + len(body)
        body += data[starts[bone] : starts[bone] + lengths[bone]]
    moved = table.tobytes() + body
    again = Rotations.parse(moved, len(starts), count, size)
    assert again.pack() == moved
    assert same(again.keys, block.keys)


@given(tracks(), st.data())
def test_damage_is_an_error_or_a_result(built: tuple[list[NDArray[np.int64]], list[NDArray[Any]], int, int], data: st.DataObject) -> None:
    frames, keys, count, size = built
    packed = bytearray(Rotations.of_tracks(frames, keys, count, size).pack())
    for _ in range(data.draw(st.integers(0, 3))):
        packed[data.draw(st.integers(0, len(packed) - 1))] = data.draw(st.integers(0, 255))
    part = bytes(packed[: data.draw(st.integers(0, len(packed)))])
    try:
        block = Rotations.parse(part, len(frames), count, size)
    except FormatError as error:
        assert str(error)
        return
    assert part.startswith(block.pack())


def test_what_is_refused() -> None:
    data = bytearray(Rotations.of_tracks([np.array([0, 9])] * 2, [np.zeros((2, 3), np.int16)] * 2, 10, 6).pack())
    cases = [
        (data[:-1], 10, "bone 1: its rotations are cut off"),
        (bytes([6]) + bytes(data[1:]), 10, "the first one starts at 6"),
        (data[:10] + b"\0" + data[11:], 10, "bone 0: an interval of 0 at frame 0"),
        (data, 6, "bone 0: a key at frame 9 of 6 frames"),
        (data[:3], 10, "4 bytes of offsets expected"),
        (data, 0, "0 frames"),
    ]
    for bad, count, problem in cases:
        with pytest.raises(FormatError, match=problem):
            Rotations.parse(bytes(bad), 2, count, 6)
    with pytest.raises(FormatError, match="compression size of 8"):
        Rotations.parse(bytes(data), 2, 10, 8)
    nothing = Rotations.of_tracks([np.array([0])], [np.zeros((1, 4), np.float32)], 1, 16)
    with pytest.raises(FormatError, match="bone 0: the rotation at frame 0 is no quaternion"):
        nothing.quaternions()


@pytest.mark.parametrize(("left", "said"), [(37, "38 bytes of offsets expected, 37 left"), (38, "bone 0")])
def test_a_block_that_ends_with_its_offsets_has_no_first_track(left: int, said: str) -> None:
    """19 offsets of two bytes, of which the first says where they end."""
    with pytest.raises(FormatError, match=said):
        Rotations.parse(np.arange(38, 57).astype("<u2").tobytes()[:left], 19, 10, 6)


def test_two_keys_of_one_frame_are_refused_although_the_track_ends_where_it_should() -> None:
    """The first of two bones, behind 4 bytes of offsets: keys of 6 bytes at 0, 0 and 9; its interval is behind the first."""
    data = bytearray(Rotations.of_tracks([np.array([0, 4, 9])] * 2, [np.zeros((3, 3), np.int16)] * 2, 10, 6).pack())
    data[4 + 6], data[4 + 13] = 0, 9
    with pytest.raises(FormatError, match="bone 0: an interval of 0 at frame 0") as raised:
        Rotations.parse(bytes(data), 2, 10, 6)
    assert raised.value.offset == 10


def test_long_intervals_are_split_on_the_way() -> None:
    rotated = np.radians([[0.0, 0, 0], [0, 0, 90], [0, 0, 90]])
    keys = np.stack([to_steps(row) for row in rotated])
    block = Rotations.of_tracks([np.array([0, 600, 1200])], [keys], 1201, 6)
    assert block.frames.tolist() == [0, 255, 510, 600, 855, 1110, 1200]
    assert np.degrees(from_steps(block.keys[:, 2])).round(1).tolist() == [0, 38.2, 76.5, 90, 90, 90, 90]
    assert block.keys[4:].tolist() == [keys[2].tolist()] * 3
    assert Rotations.parse(block.pack(), 1, 1201, 6).frames.tolist() == block.frames.tolist()


def test_too_large_a_block_is_refused() -> None:
    frames, keys = [np.arange(500)] * 19, [np.zeros((500, 3), np.int16)] * 19
    with pytest.raises(TooManyKeysError, match=f"at most {LARGEST}.*reduce the keys"):
        Rotations.of_tracks(frames, keys, 500, 6).pack()


@pytest.mark.parametrize(("size", "bones", "most"), [(6, 1, 9362), (16, 17, 3854)])
def test_what_fits_is_what_can_be_packed(size: int, bones: int, most: int) -> None:
    """Offsets of two bytes, and a byte between keys: 1 + 7 * 9362 and 17 + 17 * 3854 are all that 16 bits count."""
    assert bones + most * (size + 1) == LARGEST
    for count in (most, most + 1):
        counts = [1] * (bones - 1) + [count - bones + 1]
        frames = [np.arange(each) for each in counts]
        keys = [np.zeros((each, 3 if size == 6 else 4), np.float32) for each in counts]
        assert Rotations.of_tracks(frames, keys, counts[-1], size).size == bones + count * (size + 1)
        assert fits(counts, size) == (count == most)


def test_bones_may_share_a_track() -> None:
    """All 19 the one key that there is: fewer bytes than three for each."""
    block = (38).to_bytes(2, "little") * 19 + bytes(range(6))
    rotations = Rotations.parse(block, 19, 1, 6)
    assert rotations.pack() == block
    assert rotations.keys.tolist() == [np.frombuffer(bytes(range(6)), "<i2").tolist()] * 19


def test_bytes_right_behind_the_first_of_many_tracks_stay() -> None:
    """19 bones, of which all but the first share the other track: one key of 6 bytes each, and 3 bytes between."""
    block = (38).to_bytes(2, "little") + (47).to_bytes(2, "little") * 18 + bytes(range(6)) + b"\7\x08\x09" + bytes(range(6))
    assert Rotations.parse(block, 19, 1, 6).pack() == block
