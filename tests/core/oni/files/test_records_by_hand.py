"""Records put together from the tables of the format's description, and what is counted where in them."""

from __future__ import annotations

import struct
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.oni.files.documents import BodyFile, TramFile
from retro_anim.core.oni.files.onifile import OniFile, Part
from retro_anim.core.oni.records import tram_layout
from retro_anim.core.oni.records.angles import to_quaternion, to_triples
from retro_anim.core.oni.records.body_records import SHAPES, BodyLayout, BodyRecord
from retro_anim.core.oni.records.oban import KEY, Oban
from retro_anim.core.oni.records.record import Record
from retro_anim.core.oni.records.rotations import Rotations
from retro_anim.core.oni.records.tram import Tram
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import ExportError, FormatError

DEAD = b"\xad\xde"
"""Pads may hold anything."""


def counted(pad: int, count: str, items: bytes) -> bytes:
    return DEAD * (pad // 2) + struct.pack(count, 2) + items


BODIES: dict[str, tuple[bytes, list[Any] | None, tuple[int, ...]]] = {
    "TRBS": (struct.pack("<5I", 1, 2, 3, 4, 5), None, (0, 4, 8, 12, 16)),
    "TRCM": (DEAD * 2 + struct.pack("<H", 19) + DEAD * 39 + struct.pack("<3I", 1, 2, 3), None, (0x54, 0x58, 0x5C)),
    "TRTA": (counted(22, "<H", struct.pack("<6f", *range(6))), [[0, 1, 2], [3, 4, 5]], ()),
    "TRIA": (counted(22, "<H", bytes(range(8))), [(0, 1, 2, 3), (4, 5, 6, 7)], ()),
    "TRGA": (counted(22, "<H", struct.pack("<2I", 7, 8)), [7, 8], (24, 28)),
    "TRMA": (counted(22, "<H", struct.pack("<2I", 7, 8)), [7, 8], (24, 28)),
    "M3GM": (struct.pack("<9I", *range(9)), None, (4, 8, 12, 16, 20, 24, 28)),
    "PNTA": (counted(52, "<I", struct.pack("<6f", *range(6))), [[0, 1, 2], [3, 4, 5]], ()),
    "VCRA": (counted(20, "<I", struct.pack("<6f", *range(6))), [[0, 1, 2], [3, 4, 5]], ()),
    "TXCA": (counted(20, "<I", struct.pack("<4f", *range(4))), [[0, 1], [2, 3]], ()),
    "IDXA": (counted(20, "<I", struct.pack("<2i", 5, -6)), [5, -6], ()),
}
"""Of each kind the bytes behind the prefix, what it counts, and where its links are."""


@pytest.mark.parametrize("tag", BODIES)
def test_the_records_of_a_body(tag: str) -> None:
    data, items, links = BODIES[tag]
    record = BodyRecord.parse(tag, data + b"tail")
    assert (record.items if record.items is None else record.items.tolist()) == items
    assert (len(record), record.tail, record.pack()) == (len(items or ()), b"tail", data + b"tail")
    assert BodyLayout(tag).links(data) == links
    assert BodyLayout(tag).blocks(data, OniFile.build([]).raw_area) == {}


@pytest.mark.parametrize("tag", BODIES)
def test_a_record_of_a_body_that_is_cut_off_is_told_by_its_offset(tag: str) -> None:
    """Offsets count from the eight bytes before it."""
    data, items, _ = BODIES[tag]
    with pytest.raises(FormatError, match=f"{tag} (items|record)") as raised:
        BodyRecord.parse(tag, data[:-1])
    head = {"PNTA": 56}.get(tag, 24)
    assert raised.value.offset == 8 + (0 if items is None else head)


def test_a_body_s_file_without_records_is_refused() -> None:
    with pytest.raises(FormatError, match="no instance of its own") as raised:
        BodyFile.parse(OniFile.build([]).pack())
    assert raised.value.offset == 0x40


def test_new_texture_coordinates_have_room_for_sixty_more() -> None:
    """Of 8 bytes each, which OniSplit leaves behind them."""
    assert {tag: shape.room for tag, shape in SHAPES.items() if shape.room} == {"TXCA": 60 * 8}


def test_a_record_of_a_body_counts_what_it_is_given() -> None:
    record = BodyRecord.parse("IDXA", BODIES["IDXA"][0])
    longer = replace(record, items=np.array([1, 2, 3], "<i4"))
    assert longer.pack() == DEAD * 10 + struct.pack("<I3i", 3, 1, 2, 3)


def test_each_record_of_a_file_goes_back_to_where_it_was() -> None:
    file = OniFile.build([Part("TRIA", "TRIAone", 0, BODIES["TRIA"][0]), Part("IDXA", "IDXAtwo", 0, BODIES["IDXA"][0])])
    body = BodyFile.parse(file.pack())
    assert body.pack() == file.pack()
    items = body.records[1].items
    assert items is not None
    changed = replace(body, records={**body.records, 1: replace(body.records[1], items=np.array([9, items[1]], "<i4"))})
    assert changed.pack() == file.pack().replace(struct.pack("<2i", 5, -6), struct.pack("<2i", 9, -6))


def test_a_new_animation_is_empty_and_plays_sixty_frames_a_second() -> None:
    """Whatever is none is 0xFFFF, and without an attack the lowest point is above the highest."""
    body = Tram.new("TRAMtest", 7).record().body
    assert len(body) == 0x180
    set_at = {0x54: 0xFFFF0000, 0x5C: 0x4E6E6B28, 0x60: 0xCE6E6B28, 0xF4: 0xFFFF, 0x114: 0xFFFF, 0x15C: 60 << 16, 0x160: 6, 0x168: 19 << 16,
              0x16C: 7 | 7 << 16, 0x17C: 0xFFFF}  # fmt: skip
    numbers = {8 + 4 * index: number for index, number in enumerate(struct.unpack("<96I", body)) if number}
    assert numbers == set_at


COUNTED = {
    "attacks": (0x182, 1), "self_damage": (0x183, 1), "motion_blur": (0x184, 1), "shortcuts": (0x185, 1), "footsteps": (0x186, 1),
    "particles": (0x187, 1), "sounds": (0x154, 4), "extents": (0x138, 4),
}  # fmt: skip
"""Where the number of each block's elements is, from the prefix on, and in how many bytes."""


@pytest.mark.parametrize("name", COUNTED)
def test_a_block_is_counted_where_the_record_has_it(name: str) -> None:
    at, size = COUNTED[name]
    kind = tram_layout.BLOCKS[name][1]
    plain = Tram.new("TRAMtest", 1, 1)
    for count in (1, 255):
        body = replace(plain, **{name: np.zeros(count, kind)}).record().body
        assert int.from_bytes(body[at - 8 : at - 8 + size], "little") == count
        changed = bytearray(body)
        changed[at - 8 : at - 8 + size] = bytes(size)
        assert bytes(changed) == plain.record().body
    if size == 1:
        with pytest.raises(ExportError, match=f"TRAMtest: 256 {name.replace('_', ' ')}; at most 255 are possible"):
            replace(plain, **{name: np.zeros(256, kind)}).record()


@pytest.mark.parametrize("name", ["heights", "velocities", "positions"])
@pytest.mark.parametrize("count", [1, 3])
def test_what_every_frame_has_is_there_for_every_frame(name: str, count: int) -> None:
    kind = tram_layout.BLOCKS[name][1]
    plain = Tram.new("TRAMtest", 2, 1)
    assert len(next(iter(replace(plain, **{name: np.zeros(2, kind)}).record().blocks.values()))) == 2 * kind.itemsize
    with pytest.raises(ExportError, match=f"{count} {name} for 2 frames"):
        replace(plain, **{name: np.zeros(count, kind)}).record()


def test_what_is_odd_about_an_animation_is_said() -> None:
    with log.collect() as said:
        replace(Tram.new("TRAMtest", 1, 1), rotations=b"\2\0" + bytes(6)).check()
    assert said.digest() == []
    with log.collect() as said:
        replace(Tram.new("TRAMtest", 1, 1), fps=30).check()
    assert said.digest() == ["30 frames a second; 60 are used, as in all animations", "no rotations: nothing moves in it"]


def test_a_record_may_be_up_to_31_bytes_longer_than_its_fields() -> None:
    record = Tram.new("TRAMtest", 1, 1).record()
    for tail in (b"", bytes(31)):
        assert Tram.of(replace(record, body=record.body + tail)).tail == tail
    for body in (record.body + bytes(32), record.body[:-1]):
        with pytest.raises(FormatError, match=f"TRAM record of {len(body) + 8} bytes instead of 392"):
            Tram.of(replace(record, body=body))


def test_rotations_that_fill_their_block_to_the_end_come_back() -> None:
    """Four bones of 2000 keys of 6 bytes, and a byte between them: 8 + 4 * 13999 bytes, more than frames of that size leave of 64 KiB."""
    frames, keys = [np.arange(2000)] * 4, [np.full((2000, 3), bone, np.int16) for bone in range(4)]
    block = Rotations.of_tracks(frames, keys, 2000, 6).pack()
    assert len(block) == 8 + 4 * 13999
    tram = replace(Tram.new("TRAMtest", 2000, 4), rotations=block)
    assert TramFile.parse(TramFile.new(tram).pack()).tram.rotations == block


def track(*parts: int | tuple[int, int, int]) -> bytes:
    """Keys of three 16-bit numbers, and the intervals between them."""
    return b"".join(bytes([part]) if isinstance(part, int) else struct.pack("<3h", *part) for part in parts)


def test_a_block_by_hand() -> None:
    """Two bones over 301 frames: offsets 4 and 4 + 3 * 7 - 1."""
    first, second = track((1, 2, 3), 45, (4, 5, 6), 255, (7, 8, 9)), track((-1, 0, 0), 255, (0, -1, 0), 45, (0, 0, -1))
    data = struct.pack("<2H", 4, 24) + first + second
    block = Rotations.parse(data, 2, 301, 6)
    assert block.starts.tolist() == [0, 3, 6] and block.frames.tolist() == [0, 45, 300, 0, 255, 300]
    assert block.keys.tolist() == [[1, 2, 3], [4, 5, 6], [7, 8, 9], [-1, 0, 0], [0, -1, 0], [0, 0, -1]]
    assert (block.size, block.pack(), block.fill) == (44, data, b"")
    apart = struct.pack("<2H", 4, 26) + first + b"ab" + second
    assert Rotations.parse(apart, 2, 301, 6).fill == b"ab" and Rotations.parse(apart, 2, 301, 6).pack() == apart


@pytest.mark.parametrize(
    ("frames", "problem", "offset"),
    [
        (301, "bone 1: an interval of 0 at frame 255", 100 + 4 + 20 + 13),
        (300, "bone 0: a key at frame 300 of 300 frames", 100 + 4 + 14),
        (302, "bone 0: a key at frame 555 of 302 frames", 100 + 4 + 21),
    ],
)
def test_a_broken_track_is_told_by_bone_frame_and_offset(frames: int, problem: str, offset: int) -> None:
    first = track((1, 2, 3), 45, (4, 5, 6), 255, (7, 8, 9))
    data = struct.pack("<2H", 4, 24) + first + track((-1, 0, 0), 255, (0, -1, 0), 0, (0, 0, -1))
    with pytest.raises(FormatError) as raised:
        Rotations.parse(data, 2, frames, 6, at=100)
    assert (raised.value.problem, raised.value.offset) == (problem, offset)


@pytest.mark.parametrize(("bones", "frames"), [(0, 1), (1, 0), (2, 0), (0, 0)])
def test_rotations_of_no_bones_or_frames_are_none(bones: int, frames: int) -> None:
    with pytest.raises(FormatError, match=f"^rotations of {bones} bones over {frames} frames"):
        Rotations.parse(struct.pack("<2H", 2 * bones, 2 * bones) + bytes(12), bones, frames, 6)


def test_tracks_may_lie_over_one_another_only_as_often_as_a_small_file_allows() -> None:
    """8 times 65536 bytes in all: 74 bones on one track of 6999 bytes are fewer, 75 are more."""
    keys = track((0, 0, 0), *[part for _ in range(999) for part in (1, (0, 0, 0))])
    assert len(keys) == 6999 and 74 * 6999 < 8 * 65536 < 75 * 6999
    assert Rotations.parse(struct.pack("<H", 148) * 74 + keys, 74, 1000, 6).bone_count == 74
    with pytest.raises(FormatError, match="rotation tracks lie over one another"):
        Rotations.parse(struct.pack("<H", 150) * 75 + keys, 75, 1000, 6)


def test_keys_put_into_a_pause_are_the_same_key_to_the_bit() -> None:
    """With its middle angle beyond 90 degrees, which has another triple of the same rotation; the pause has another key before it."""
    away, still = [0, 0, 0], [1000, 21845, -2000]  # 120 degrees
    block = Rotations.of_tracks([np.array([0, 1, 400])], [np.array([away, still, still], np.int16)], 401, 6)
    assert block.frames.tolist() == [0, 1, 256, 400] and block.keys.tolist() == [away, still, still, still]


@pytest.mark.parametrize(("gap", "inserted"), [(255, []), (256, [255]), (510, [255]), (511, [255, 510])])
def test_a_key_is_put_in_where_an_interval_is_longer_than_a_byte(gap: int, inserted: list[int]) -> None:
    """What moves goes on at the same speed: about Z, by a step a frame."""
    keys = np.array([[0, 0, 100], [0, 0, 100 + gap], [0, 0, 99]], np.int16)
    block = Rotations.of_tracks([np.array([0, gap, gap + 1])], [keys], gap + 2, 6)
    assert block.frames.tolist() == [0, *inserted, gap, gap + 1]
    assert block.keys[:, 2].tolist() == [100, *(100 + at for at in inserted), 100 + gap, 99]


@pytest.mark.parametrize(("length", "warned"), [(1.0, False), (1.0009, False), (0.9991, False), (1.0011, True), (0.9989, True)])
def test_a_quaternion_whose_length_is_off_by_more_than_a_thousandth_is_named(length: float, warned: bool) -> None:
    block = Rotations.of_tracks([np.array([0])], [np.array([[0, 0, 0, -length]], np.float32)], 1, 16)
    with log.collect() as said:
        assert block.quaternions().tolist() == [[1, 0, 0, 0]]
    assert bool(said.of("WARNING")) == warned


@pytest.mark.parametrize("number", [0.0, 1e-7, np.inf, np.nan])
def test_a_quaternion_of_no_length_is_told_by_bone_and_frame(number: float) -> None:
    rest = [0, 0, 0, -1]
    keys = [np.array([rest, rest]), np.array([rest, [number, 0, 0, 0], rest])]
    block = Rotations.of_tracks([np.array([0, 9]), np.array([0, 5, 9])], [each.astype(np.float32) for each in keys], 10, 16)
    with pytest.raises(FormatError, match=r"^bone 1: the rotation at frame 5 is no quaternion"):
        block.quaternions()


def oban(count: int, keys: bytes) -> Record:
    return Record("OBAN", "OBANtest", 0, bytes(0x76) + struct.pack("<H", count) + keys)


def test_an_object_animation_has_as_many_keys_as_it_says() -> None:
    rest = np.zeros(2, KEY)
    rest["rotation"][:, 3], rest["frame"] = -1, [0, 9]
    assert Oban.of(oban(2, rest.tobytes() + b"pad")).tail == b"pad"
    for record, problem, offset in (
        (oban(0, b""), "no keys", 0x7E),
        (oban(1, b""), "1 keys of 32 bytes, 0 bytes left", 0x80),
        (oban(2, rest.tobytes()[:-1]), "2 keys of 32 bytes, 63 bytes left", 0x80),
        (replace(oban(1, b""), body=bytes(0x77)), "OBAN record of 127 bytes; 128 expected before the keys", 0),
        (oban(2, rest[::-1].tobytes()), "key 1 at frame 0, not after frame 9", 0x80 + 32),
        (oban(2, bytes(32) + rest[1:].tobytes()), "key 0: its rotation is none", 0x80),
    ):
        with pytest.raises(FormatError) as raised:
            Oban.of(record)
        assert (raised.value.problem, raised.value.offset) == (problem, offset)


def test_an_object_animation_has_no_more_keys_than_its_16_bits_count() -> None:
    keys = np.zeros(0x10000, KEY)
    assert replace(Oban.new("OBANtest"), keys=keys[1:]).record().body[0x76:0x78] == b"\xff\xff"
    with pytest.raises(ExportError, match="OBANtest: 65536 keys; at most 65535 are possible"):
        replace(Oban.new("OBANtest"), keys=keys).record()


@pytest.mark.parametrize(("length", "warned"), [(1.0, False), (1.0009, False), (1.0011, True), (0.9989, True), (0.9991, False)])
def test_a_rotation_of_an_object_that_is_off_by_more_than_a_thousandth_is_named(length: float, warned: bool) -> None:
    keys = np.zeros(3, KEY)
    keys["rotation"][:, 3], keys["rotation"][1, 3], keys["frame"] = -1, -length, [0, 1, 2]
    with log.collect() as said:
        Oban.of(oban(3, keys.tobytes()))
    assert bool(said.of("WARNING")) == warned


def test_of_two_keys_the_second_one_is_near_the_first() -> None:
    """60, 100 and -20 degrees, and not -120, 80 and 160, which is the same rotation: the key before has 60, 80 and -20."""
    angles = np.radians([[60.0, 80, -20], [60, 100, -20]])
    assert to_triples(to_quaternion(angles)).tolist() == [[10923, 14563, -3641], [10923, 18204, -3641]]
