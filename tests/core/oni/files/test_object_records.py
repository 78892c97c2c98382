"""Records of object animations put together by hand: the head as the table of the format's description has it, and keys that cannot be."""

from __future__ import annotations

import struct
from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.oni.files.raw_area import NoRaw
from retro_anim.core.oni.records.oban import KEY, LAYOUT, Oban
from retro_anim.core.oni.records.record import Record
from retro_anim.core.oni.xml.documents import ObanXml
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import FormatError

REST = struct.pack("<12f", 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)
"""Images of the axes, and no translation."""


def keyed(*frames: int, lengths: dict[int, float] | None = None) -> bytes:
    """A record of keys at rest. lengths: of the rotations of some keys; all lie one unit along X then."""
    along = 0 if lengths is None else 1
    keys = [struct.pack("<7fI", 0, 0, 0, -(lengths or {}).get(index, 1), along, 0, 0, frame) for index, frame in enumerate(frames)]
    return bytes(16) + REST + REST + struct.pack("<hHHH", 1, frames[-1] + 1, 0, len(frames)) + b"".join(keys)


def read(body: bytes) -> Oban:
    return Oban.of(Record("OBAN", "OBANtest", 0, body))


def test_a_new_one_rests_for_a_frame() -> None:
    """One tick a frame, one frame, one key, whose rotation stands in the file with a w of -1."""
    assert Oban.new("OBANtest").record().body == keyed(0)
    assert (LAYOUT.links(keyed(0)), LAYOUT.blocks(keyed(0), NoRaw())) == ((), {})


def test_the_fields_of_the_head() -> None:
    initial, base = struct.pack("<12f", *range(12)), struct.pack("<12f", *range(20, 32))
    body = b"twelve bytes" + struct.pack("<I", 0x1F) + initial + base + struct.pack("<hHHH", -80, 65535, 7, 1) + keyed(3)[0x78:]
    result = read(body)
    assert (result.zero, result.flags, result.ticks, result.length, result.half_stop) == (b"twelve bytes", 0x1F, -80, 65535, 7)
    assert (result.initial[3].tolist(), result.base[0].tolist(), result.keys["frame"].tolist()) == ([9, 10, 11], [20, 21, 22], [3])
    assert result.record().body == body


@pytest.mark.parametrize(
    ("frames", "key", "problem"),
    [
        ((0, 9, 9), 2, "key 2 at frame 9, not after frame 9"),
        ((0, 9, 5), 2, "key 2 at frame 5, not after frame 9"),
        ((4, 3, 5, 2), 1, "key 1 at frame 3, not after frame 4"),
    ],
)
def test_keys_come_one_after_the_other(frames: tuple[int, ...], key: int, problem: str) -> None:
    assert read(keyed(4, 5, 9, 0xFFFE)).keys["frame"].tolist() == [4, 5, 9, 0xFFFE]
    with pytest.raises(FormatError) as raised:
        read(keyed(*frames))
    assert (raised.value.problem, raised.value.offset) == (problem, 0x80 + 32 * key)


@pytest.mark.parametrize("at", [0, 1, 2])
@pytest.mark.parametrize(("length", "warned"), [(0.5, True), (1.3, True), (40000.0, True), (1e-30, True), (1.0, False), (-1.0, False)])
def test_a_length_that_is_off_is_said_wherever_it_is(at: int, length: float, warned: bool) -> None:
    with log.collect() as said:
        read(keyed(0, 1, 2, lengths={at: length}))
    assert said.digest() == (["rotations whose length is not 1; normalised"] if warned else [])


@pytest.mark.parametrize("rotation", [[1.2, 0, 0.6633, 0], [1.2, 0.6633, 0, 0], [0, 1.2, 0.6633, 0], [0.6633, 0, 0, 1.2]])
def test_a_length_is_that_of_all_four_numbers(rotation: list[float]) -> None:
    """1.2 squared less 0.6633 squared is 1, their sum is not."""
    with log.collect() as said:
        read(keyed(0)[:0x78] + struct.pack("<7fI", *rotation, 0, 0, 0, 0))
    assert said.digest() == ["rotations whose length is not 1; normalised"]


@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("number", [np.nan, np.inf, 0.0])
def test_a_rotation_that_is_none_is_told_by_its_key(part: int, number: float) -> None:
    """Whichever of its four numbers it is; of zeros all are."""
    keys = np.zeros(3, KEY)
    keys["rotation"][:, 3], keys["frame"] = -1, [0, 1, 2]
    keys["rotation"][1] = 0
    keys["rotation"][1, part] = number
    with pytest.raises(FormatError) as raised:
        read(keyed(0, 1, 2)[:0x78] + keys.tobytes())
    assert (raised.value.problem, raised.value.offset) == ("key 1: its rotation is none", 0x80 + 32)


def test_any_quaternion_of_length_one_is_a_rotation() -> None:
    """More of them than are looked at together."""
    keys = np.zeros(40000, KEY)
    rotations = np.random.default_rng(1).normal(size=(40000, 4))
    keys["rotation"], keys["frame"] = rotations / np.linalg.norm(rotations, axis=1, keepdims=True), range(40000)
    for off in (None, 0, 39999):
        if off is not None:
            keys["rotation"][off] *= np.float32(1.1)
        with log.collect() as said:
            read(keyed(0)[:0x76] + struct.pack("<H", 40000) + keys.tobytes())
        assert bool(said.of("WARNING")) == (off is not None)


def test_in_xml_ticks_and_length_have_misleading_names() -> None:
    """FrameLength is the ticks, signed, and FrameCount the length."""
    document = replace(Oban.new("OBANtest"), ticks=-32768, length=65535, half_stop=65535)
    data = ObanXml.new(document).data
    for text in (b"<FrameLength>-32768</FrameLength>", b"<FrameCount>65535</FrameCount>", b"<HalfStopFrame>65535</HalfStopFrame>"):
        assert text in data
    assert ObanXml.parse(data.replace(b"-32768", b"32767")).oban.ticks == 32767
    for old, new, problem in (
        (b"-32768", b"-32769", "-32769 is not between -32768 and 32767"),
        (b"-32768", b"32768", "32768 is not between -32768 and 32767"),
        (b"<FrameCount>65535", b"<FrameCount>65536", "65536 is not between 0 and 65535"),
        (b"<Time>0", b"<Time>4294967296", "4294967296 is not between 0 and 4294967295"),
    ):
        with pytest.raises(FormatError, match=problem):
            ObanXml.parse(data.replace(old, new))
    assert ObanXml.parse(data.replace(b"<Time>0", b"<Time>4294967295")).oban.keys["frame"].tolist() == [4294967295]


def test_keys_in_xml_come_one_after_the_other() -> None:
    """The line is that of the key that does not."""
    keys = np.zeros(2, KEY)
    keys["rotation"][:, 3], keys["frame"] = -1, [3, 4]
    data = ObanXml.new(replace(Oban.new("OBANtest"), keys=keys)).data
    line = data[: data.rindex(b"<OBANKeyFrame>")].count(b"\n") + 1
    with pytest.raises(FormatError, match=f"line {line}: key 1 at frame 2, not after frame 3"):
        ObanXml.parse(data.replace(b"<Time>4", b"<Time>2"))
