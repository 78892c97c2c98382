"""The skeleton file, field by field, in every version and key type."""

from __future__ import annotations

import dataclasses
import struct
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from retro_anim.core.files.document import same
from retro_anim.core.mindpower.files.skeleton.lab import Lab, differing_frames, new_lab
from retro_anim.core.mindpower.files.skeleton.lab_layout import recognise
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import ExportError, FormatError

from ..strategies import labs

IDENTITY = [1.0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]


def bone(name: bytes, number: int, parent: int) -> bytes:
    return struct.pack("<64s2I", name, number, parent)


def file(version: int, key_type: int, frames: int, *keys: float, bones: int = 2, dummies: bytes = b"", names: bytes = b"") -> bytes:
    """A root and its children, 1 apart along x."""
    head = struct.pack("<5I", version, bones, frames, len(dummies) // 72, key_type)
    if version == 0:
        head = struct.pack("<I", 0) + struct.pack("<I", 77) + head[4:]
    body = b"".join(bone(names or b"b%d\0leftover" % index, index, index - 1 if index else 0xFFFFFFFF) for index in range(bones))
    binds = b"".join(struct.pack("<16f", *IDENTITY[:12], -index, 0, 0, 1) for index in range(bones))
    return head + body + binds + dummies + struct.pack(f"<{len(keys)}f", *keys)


DUMMY = struct.pack("<2I16f", 9, 1, *range(16))
POSITIONS = [1.0, 2, 3, 4, 5, 6]
"""Of two frames."""
ROTATIONS = [0.0, 0, 0, 1, 0, 0, 1, 0]


def test_the_fields_of_a_file_written_by_hand() -> None:
    data = file(0x1005, 3, 2, *POSITIONS, *ROTATIONS, *(10 * value for value in POSITIONS), *ROTATIONS, dummies=DUMMY)
    lab = Lab.parse(data)
    assert (lab.version, lab.key_type, lab.frame_count, lab.bone_count, lab.rest) == (0x1005, 3, 2, 2, b"")
    assert lab.names == ("b0", "b1")
    assert bytes(lab.bones["name"][1])[:12] == b"b1\0leftover\0"
    assert lab.parents.tolist() == [-1, 0]
    assert lab.order.tolist() == [0, 1]
    assert lab.inverse_binds[1].tolist() == [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [-1, 0, 0, 1]]
    assert lab.dummies[["id", "parent"]].tolist() == [(9, 1)]
    assert lab.dummies["matrix"][0].tolist() == np.arange(16).reshape(4, 4).tolist()
    assert lab.positions.tolist() == [[[1, 2, 3], [4, 5, 6]], [[10, 20, 30], [40, 50, 60]]]
    assert lab.quaternions.tolist() == [[[0, 0, 0, 1], [0, 0, 1, 0]]] * 2
    assert np.shares_memory(lab.positions, lab.keys)
    assert np.shares_memory(lab.quaternions, lab.keys)
    assert lab.pack() == data


@pytest.mark.parametrize("version", [0, 1, 0x1000, 0x1001, 0x1002])
def test_one_position_for_all_frames_in_older_versions(version: int) -> None:
    data = file(version, 3, 2, *POSITIONS, *ROTATIONS, 7, 8, 9, *ROTATIONS, *POSITIONS[:3], *ROTATIONS, bones=3)
    data += struct.pack("<3I", 1, 4, 5) + bytes(20) if version == 1 else b""
    lab = Lab.parse(data)
    assert lab.old_version == (77 if version == 0 else 0)
    assert lab.constant_positions.tolist() == [False, True, True]
    assert lab.positions.tolist() == [[[1, 2, 3], [4, 5, 6]], [[7, 8, 9]] * 2, [[1, 2, 3]] * 2]
    assert lab.quaternions.tolist() == [[[0, 0, 0, 1], [0, 0, 1, 0]]] * 3
    assert np.shares_memory(lab.quaternions, lab.keys)
    assert lab.saved_range == ((4, 5) if version == 1 else None)
    assert lab.pack() == data
    assert same(lab.with_quaternions(lab.positions, lab.quaternions).keys, lab.keys)


@pytest.mark.parametrize("version", [0x1003, 0x1004, 0x1005])
def test_positions_for_every_frame_since_0x1003(version: int) -> None:
    lab = Lab.parse(file(version, 3, 2, *POSITIONS, *ROTATIONS, *POSITIONS, *ROTATIONS))
    assert not lab.constant_positions.any()
    assert lab.positions[1].tolist() == [[1, 2, 3], [4, 5, 6]]


@pytest.mark.parametrize(("key_type", "columns"), [(1, 3), (2, 4)])
@pytest.mark.parametrize("version", [0, 0x1000, 0x1005])
def test_matrices(version: int, key_type: int, columns: int) -> None:
    keys = np.arange(2 * 3 * 4 * columns, dtype=np.float64)
    lab = Lab.parse(file(version, key_type, 3, *keys))
    assert lab.matrices.tolist() == keys.reshape(2, 3, 4, columns).tolist()
    assert lab.positions.tolist() == keys.reshape(2, 3, 4, columns)[:, :, 3, :3].tolist()
    assert np.shares_memory(lab.positions, lab.keys)
    assert same(lab.with_matrices(lab.matrices), lab)
    with pytest.raises(ValueError, match="matrices"):
        _ = lab.quaternions


@given(lab=labs())
def test_what_is_written_is_read_again(lab: Lab) -> None:
    data = lab.pack()
    read = Lab.parse(data)
    assert same(read, lab)
    assert read.pack() == data
    assert lab.rest or recognise(data[:24], len(data))


@given(lab=labs())
def test_keys_taken_out_and_put_back(lab: Lab) -> None:
    again = lab.with_quaternions(lab.positions, lab.quaternions) if lab.key_type == 3 else lab.with_matrices(lab.matrices)
    assert again.pack() == lab.pack()


@given(lab=labs(), data=st.data())
def test_any_byte_changed_or_cut(lab: Lab, data: st.DataObject) -> None:
    whole = bytearray(lab.pack())
    for _ in range(3):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    cut = bytes(whole[: data.draw(st.integers(0, len(whole)))])
    for broken in (bytes(whole), cut):
        with suppress(FormatError):
            assert Lab.parse(broken).pack() == broken


def test_cut_off_anywhere() -> None:
    data = file(0x1005, 3, 2, *POSITIONS, *ROTATIONS, *POSITIONS, *ROTATIONS, dummies=DUMMY)
    for length in range(len(data)):
        with pytest.raises(FormatError):
            Lab.parse(data[:length])


GOOD = file(0x1005, 3, 2, *POSITIONS, *ROTATIONS, *POSITIONS, *ROTATIONS, dummies=DUMMY)
NAN, INFINITE = struct.pack("<f", float("nan")), struct.pack("<f", float("inf"))
BINDS = 20 + 2 * 72
KEYS = BINDS + 2 * 64 + 72


@pytest.mark.parametrize(
    ("at", "value", "problem", "offset"),
    [
        (0, b"\x06\x10", "version 0x1006", 0),
        (0, b"\x02\0", "version 0x2", 0),
        (4, b"\0\0\0\0", "0 bones and 2 frames", 4),
        (8, b"\0\0\0\0", "2 bones and 0 frames", 4),
        (4, b"\xff\xff\xff\xff", "4294967295 bones", 20),
        (8, b"\xff\xff\xff\xff", f"{len(GOOD)} bytes instead of the", KEYS),
        (12, b"\xff\xff\xff\xff", "dummies", 20),
        (16, b"\4", "key type 4", 16),
        (16, b"\0", "key type 0", 16),
        (20 + 72 + 68, b"\2\0\0\0", "bone 1 'b1': parent 2 of 2", 20 + 72 + 68),
        (20 + 72 + 68, b"\1\0\0\0", "bone 1 'b1': its parents form a circle", 20 + 72 + 68),
        (20 + 68, b"\1\0\0\0", "bone 0 'b0': its parents form a circle", 20 + 68),
        (BINDS + 64, bytes(12), "bone 1 'b1': its inverse bind matrix cannot be inverted", BINDS + 64),
        (BINDS + 64 + 8, NAN, "bone 1 'b1': its inverse bind matrix has values that are not finite", BINDS + 64),
        (BINDS + 128 + 16, INFINITE, "dummy 0: values that are not finite", BINDS + 128),
        (KEYS + 4 * 4, NAN, "bone 0 'b0', frame 1: a value that is not finite", KEYS + 16),
        (KEYS + 4 * 3, NAN, "bone 0 'b0', frame 1: a value that is not finite", KEYS + 12),
        (KEYS + 4 * 6, NAN, "bone 0 'b0', frame 0: a value that is not finite", KEYS + 24),
        (KEYS + 4 * (14 + 6 + 5), INFINITE, "bone 1 'b1', frame 1: a value that is not finite", KEYS + 4 * 25),
    ],
)
def test_refused(at: int, value: bytes, problem: str, offset: int) -> None:
    data = GOOD[:at] + value + GOOD[at + len(value) :]
    with pytest.raises(FormatError) as caught:
        Lab.parse(data)
    assert problem in caught.value.problem
    assert caught.value.offset == offset


def test_both_sizes_are_said_when_the_file_is_short() -> None:
    with pytest.raises(FormatError, match=f"{len(GOOD) - 1} bytes instead of the {len(GOOD)}"):
        Lab.parse(GOOD[:-1])


@pytest.mark.parametrize("size", [0, 31, 33])
def test_the_trailer_of_version_1(size: int) -> None:
    data = file(1, 3, 2, *POSITIONS, *ROTATIONS, 7, 8, 9, *ROTATIONS) + bytes(size)
    with log.collect() as said:
        if size < 32:
            with pytest.raises(FormatError, match=f"{len(data)} bytes instead of the {len(data) - size + 32}"):
                Lab.parse(data)
            return
        assert Lab.parse(data).pack() == data
    assert said.digest("WARNING") == ["33 bytes after the keys; kept"]


def put(data: bytes, at: int, value: bytes) -> bytes:
    return data[:at] + value + data[at + len(value) :]


@pytest.mark.parametrize(
    ("data", "warning"),
    [
        (GOOD + b"!", "1 byte after the keys; kept"),
        (put(GOOD, 20 + 64, b"\5"), "bone ids that are not"),
        (put(put(GOOD, 20 + 68, b"\1\0\0\0"), 20 + 72 + 68, b"\xff" * 4), "children before their parents"),
        (put(GOOD, 20 + 72 + 68, b"\xff" * 4), "2 root bones"),
        (put(GOOD, BINDS + 128 + 4, b"\2"), "1 dummy on bones that do not exist"),
        (put(GOOD, KEYS + 24, bytes(16)), "1 quaternions are zero"),
        (file(0x1005, 3, 2, *POSITIONS, *ROTATIONS, *POSITIONS, *ROTATIONS, names=b"same"), "several bones have the same name"),
        (file(0x1005, 3, 2, *POSITIONS, *ROTATIONS, *POSITIONS, *ROTATIONS, dummies=2 * DUMMY), "several dummies have the same id"),
    ],
)
def test_odd_but_read(data: bytes, warning: str) -> None:
    with log.collect() as said:
        assert Lab.parse(data).pack() == data
    (message,) = said.digest("WARNING")
    assert warning in message


def test_a_tiny_scale_at_rest_is_no_damage() -> None:
    """Only rows that do not span a space cannot be inverted, however short they are."""
    tiny = file(0x1005, 3, 2, *POSITIONS, *ROTATIONS, *POSITIONS, *ROTATIONS)
    matrix = struct.pack("<16f", *[1e-4 * part for part in IDENTITY[:12]], 0, 0, 0, 1)
    assert Lab.parse(put(tiny, BINDS, matrix)).pack() == put(tiny, BINDS, matrix)
    flat = struct.pack("<16f", 1e3, 0, 0, 0, 0, 1e3, 0, 0, 1e3, 1e3, 0, 0, 0, 0, 0, 1)
    with pytest.raises(FormatError, match="cannot be inverted"):
        Lab.parse(put(tiny, BINDS, flat))


def test_children_first() -> None:
    lab = Lab.parse(put(put(GOOD, 20 + 68, b"\1\0\0\0"), 20 + 72 + 68, b"\xff" * 4))
    assert lab.parents.tolist() == [1, -1]
    assert lab.order.tolist() == [1, 0]


def test_a_long_chain_backwards_is_quick() -> None:
    """Neither recursion nor a search for every bone."""
    count = 20000
    head = struct.pack("<5I", 0x1005, count, 1, 0, 1)
    bones = b"".join(bone(b"x", index, index + 1 if index + 1 < count else 0xFFFFFFFF) for index in range(count))
    binds = struct.pack("<16f", *IDENTITY) * count
    lab = Lab.parse(head + bones + binds + bytes(48 * count))
    assert lab.order.tolist() == list(range(count - 1, -1, -1))


@pytest.mark.parametrize(
    ("change", "at"),
    [({"version": 0x1004}, 0), ({"frame_count": 3}, 8), ({"key_type": 1}, 16), ({"rest": b"x"}, len(GOOD))],
)
def test_a_changed_field_changes_its_own_bytes(change: dict[str, object], at: int) -> None:
    packed = dataclasses.replace(Lab.parse(GOOD), **change).pack()
    assert packed[:at] == GOOD[:at]
    assert packed[at : at + 4] != GOOD[at : at + 4]
    assert packed[at + 4 : len(GOOD)] == GOOD[at + 4 :]


def test_made_from_arrays() -> None:
    binds = np.repeat(np.eye(4)[None], 2, axis=0)
    lab = new_lab(["root", "kid"], [-1, 0], binds).with_quaternions(np.zeros((2, 5, 3)), np.tile([0.0, 0, 0, 1], (2, 5, 1)))
    read = Lab.parse(lab.pack())
    assert same(read, lab)
    assert (read.version, read.names, read.parents.tolist(), read.frame_count) == (0x1005, ("root", "kid"), [-1, 0], 5)
    assert len(lab.pack()) == 20 + 2 * 136 + 2 * 28 * 5
    with pytest.raises(ExportError, match="64 bytes; the file has room for 63"):
        new_lab(["x" * 64], [-1], binds[:1])
    with pytest.raises(ExportError, match="cannot be written"):
        new_lab(["\ud800"], [-1], binds[:1])


# Sizes as the specification of the format gives them for these files.
REAL = {"0010": (0x1004, 1, 37, 173, 8, 312876), "0016": (0x1004, 1, 9, 218, 8, 95996), "0014": (0x0001, 3, 24, 78, 0, 34480)}


@pytest.mark.parametrize("name", REAL)
def test_known_files(game_file: Callable[[str], Path], name: str) -> None:
    data = game_file(f"mindpower/animation/{name}.lab").read_bytes()
    with log.collect() as said:
        lab = Lab.parse(data)
    version, key_type, bones, frames, dummies, size = REAL[name]
    assert (lab.version, lab.key_type, lab.bone_count, lab.frame_count, len(lab.dummies)) == (version, key_type, bones, frames, dummies)
    assert len(data) == size
    assert lab.pack() == data
    assert said.messages == []
    assert lab.saved_range == ((0, 77) if name == "0014" else None)


def test_the_keys_of_a_large_file_are_views(game_file: Callable[[str], Path]) -> None:
    data = game_file("mindpower/animation/0001.lab").read_bytes()
    lab = Lab.parse(data)
    assert np.shares_memory(lab.quaternions, lab.keys)


def test_old_files_are_recognised_by_sizes_that_their_keys_can_have() -> None:
    """Before version 0x1003 each bone has one position, or one a frame: which, only the parents say."""
    least = len(file(0x1000, 3, 5)) + 2 * (12 + 16 * 5)
    head = file(0x1000, 3, 5)[:24]
    sizes = {size: recognise(head, size) for size in (least - 1, least, least + 2 * 12 * 5 + 32, least + 2 * 12 * 5 + 33)}
    assert list(sizes.values()) == [False, True, True, False]
    whole = len(file(0x1003, 3, 5)) + 2 * 28 * 5
    assert [recognise(file(0x1003, 3, 5)[:24], size) for size in (whole - 1, whole, whole + 1)] == [False, True, False]


@pytest.mark.parametrize("kind", ["quaternions", "matrices"])
def test_frames_that_another_file_has_otherwise(kind: str) -> None:
    """Those of which a number of a bone is another one, and those that it does not have."""
    base = new_lab(["a", "b"], [-1, 0], np.tile(np.eye(4), (2, 1, 1)))
    numbers = np.arange(2 * 6 * 16, dtype="<f4").reshape(2, 6, 4, 4)

    def of(numbers: NDArray[np.float32]) -> Lab:
        return base.with_matrices(numbers) if kind == "matrices" else base.with_quaternions(numbers[:, :, 0, :3], numbers[:, :, 1])

    edited = numbers.copy()
    edited[1, 2, 1, 3] += 1
    edited[0, 4, 0, 0] += 1
    assert np.flatnonzero(differing_frames(of(numbers), of(edited))).tolist() == [2, 4]
    assert np.flatnonzero(differing_frames(of(numbers), of(edited[:, :5]))).tolist() == [2, 4, 5]
    assert not differing_frames(of(numbers[:, :5]), of(numbers)).any()
    base, here = new_lab(["a", "b"], [-1, -1], np.tile(np.eye(4), (2, 1, 1))), of(numbers)
    assert differing_frames(here, of(numbers)).all()
