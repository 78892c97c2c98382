"""Instance files: the ones of the format's description to the byte, and updates in place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from retro_anim.core import formats
from retro_anim.core.files.document import same
from retro_anim.core.oni.files.documents import ObanFile, TramFile
from retro_anim.core.oni.files.instances import PLACEHOLDER
from retro_anim.core.oni.files.onifile import OniFile, Part
from retro_anim.core.oni.records import tram_layout
from retro_anim.core.oni.records.angles import to_steps
from retro_anim.core.oni.records.body_records import SHAPES, BodyRecord
from retro_anim.core.oni.records.oban import KEY, Oban
from retro_anim.core.oni.records.record import Record
from retro_anim.core.oni.records.rotations import Rotations
from retro_anim.core.oni.records.tram import Tram
from retro_anim.core.reporting.errors import ExportError, FormatError

from ..strategies import obans, trams

MAC = 0x0003BCDF23C13061
"""The checksum of the Mac's files."""

BLACKVAN = """
1f27dc33 dfbc0300 32335256 40001400 10000800 01000000 00000000 00000000
80000000 c0000000 60000000 15000000 00000000 00000000 00000000 00000000
4e41424f 08000000 00000000 c0000000 00000000 00000000 00000000 00000000
4f42414e 426c6163 6b76616e 5f46425f 77696b69 00000000 00000000 00000000
01000000 00000000 00000000 00000000 00000000 00000000 c2f5e83f abd7aab3
ec891335 ec891335 ed8913b4 c2f5e8bf b1d7aa33 c2f5e83f eb8913b4 6b9a9444
97fd5bc2 5d06dac2 c2f5e83f 00000000 00000000 00000000 c2f5e83f 00000000
00000000 00000000 c2f5e83f 00000000 00000000 00000000 5000f501 00000200
f40435bf 6a19c4b3 ce3c03b4 f30435bf 6b9a9444 97fd5bc2 5d06dac2 00000000
00000000 00000000 00000000 000080bf 00002041 0000a041 0000f041 f4010000
"""
"""The object animation of the format's description: head and first key from the game, the second key made up."""

ONE_FRAME = {
    0x00: "1f27dc33 dfbc0300 32335256 40001400 10000800 01000000 00000000 00000000",
    0x20: "80000000 a0010000 60000000 0c000000 20020000 18010000 00000000 00000000",
    0x40: "4d415254 08000000 00000000 88010000 00000000 00000000 00000000 00000000",
    0x60: "5452414d 54455354 6f6e6500 00000000 00000000 00000000 00000000 00000000",
    0x80: "01000000 00000000 00000000 20000000 40000000 00000000 00000000 00000000",
    0xA0: "00000000 00000000 00000000 00000000 60000000 80000000 00000000 00000000",
    0xC0: "00000000 00000000 00000000 00000000 00000000 0100ffff 00000000 286b6e4e",
    0xE0: "286b6ece",
    0x160: "00000000 00000000 00000000 00000000 00000000 ffff0000 00000000 00000000",
    0x180: "00000000 00000000 00000000 00000000 00000000 ffff0000 00000000 00000000",
    0x1C0: "00000000 00000000 00000000 00000000 00000000 00000000 00000000 00003c00",
    0x1E0: "06005d00 00000700 07001300 01000100 00000000 00000000 00000800 ffff0000",
    0x240: "00001041",
    0x280: "00000000 40060000",
    0x2A0: "26002c00 32003800 3e004400 4a005000 56005c00 62006800 6e007400 7a008000",
    0x2C0: "86008c00 92000000 00000000 1c070000 0000390e 00000000 55150000 0000721c",
    0x2E0: "00000000 8e230000 0000aa2a 00000000 c7310000 0000e338 00000000 00400000",
    0x300: "00001c47 00000000 394e0000 00005555 00000000 715c0000 00008e63 00000000",
    0x320: "aa6a0000 0000c771 00000000 e3780000 00000080 00000000",
}
"""The smallest TRAM of the format's description."""


def test_the_object_animation_to_the_byte() -> None:
    data = bytes.fromhex(BLACKVAN)
    document = ObanFile.parse(data).oban
    assert (document.name, document.ticks, document.length, document.keys["frame"].tolist()) == ("OBANBlackvan_FB_wiki", 80, 501, [0, 500])
    assert document.initial[3].tolist() == [1188.82556152343750, -54.99764633178711, -109.0124282836914]
    assert ObanFile.new(document).pack() == data


def test_the_games_own_head_and_first_key(game_file: Callable[[str], Path]) -> None:
    """101 keys in the game, of which one is at hand."""
    data = game_file("oni/Blackvan_FB_OBAN_head_plus_key0.bin").read_bytes()
    body = data[8:0x7E] + b"\1\0" + data[0x80:]
    document = Oban.of(Record("OBAN", "OBANBlackvan_FB", int.from_bytes(data[4:8], "little"), body))
    assert document.record().body == body
    assert (document.level_id >> 25, document.ticks, document.length, document.half_stop) == (3, 80, 501, 0)
    assert np.allclose(document.keys["rotation"][0], (-0.7071068, -9.131584e-8, -1.222244e-7, -0.7071067), rtol=1e-6, atol=0)
    assert np.allclose(document.keys["translation"][0], (1188.825561, -54.997646, -109.012428))
    assert np.array_equal(document.initial[3], document.keys["translation"][0])
    assert np.allclose(document.base[:3], np.eye(3) * 1.819999)


def test_the_smallest_animation_to_the_byte() -> None:
    expected = bytearray(824)
    for position, row in ONE_FRAME.items():
        expected[position : position + len(bytes.fromhex(row))] = bytes.fromhex(row)
    keys = [to_steps(np.radians([[10.0 * bone, 0, 0]])) for bone in range(19)]
    positions = np.zeros(1, tram_layout.POSITION)
    positions["height"] = 1600
    document = replace(
        Tram.new("TRAMTESTone", 1),
        heights=np.array([9], "<f4"),
        velocities=np.zeros(1, tram_layout.VELOCITY),
        positions=positions,
        rotations=Rotations.of_tracks([np.array([0])] * 19, keys, 1, 6).pack(),
        type=93,
        from_state=7,
        to_state=7,
        direction=1,
        interpolation_max=8,
    )
    assert TramFile.new(document).pack() == bytes(expected)
    assert same(TramFile.parse(bytes(expected)).tram, document)


def test_where_the_blocks_of_the_full_one_are(game_file: Callable[[str], Path]) -> None:
    """The raw layout of the format's description, and its attack's numbers."""
    data = game_file("oni/instances/TRAMTESTrandom.oni").read_bytes()
    start = int.from_bytes(data[0x20:0x24], "little")
    pointers = np.frombuffer(data, "<u4", 12, start + 0x0C).tolist()
    assert pointers == [0x20, 0x120, 0x300, 0x320, 0x340, 0x360, 0x380, 0x3A0, 0x3C0, 0x3E0, 0x5C0, 0xC60]
    assert int.from_bytes(data[start + 0x13C : start + 0x140], "little") == 0xCA0
    document = TramFile.parse(data).tram
    assert document.extents is not None
    assert document.throw is not None
    assert document.extents.tolist() == [(10, 1820, 500, 0, 200, 1400), (11, 63715, 725, 0, 200, 1400), (12, 0, 300, 0, 200, 1400)]
    assert document.throw["position"].tolist() == [1, 2, 3]
    assert document.throw[["angle", "distance", "type"]].tolist() == (0.5, 8.5, 96)
    first, largest = document.first_extent.tolist(), document.max_extent.tolist()
    assert np.allclose(first, (10, 0, 0, 0.45, -4.0, 9.434, 5, 2, 14, 0.174533), atol=5e-4)
    assert np.allclose(largest, (11, 0, 1, 0.55, -4.4, 9.458, 7.25, 2, 14, 6.108653), atol=5e-4)
    assert abs(document.final_rotation - 1.5707965) < 1e-7
    assert document.direct == ("TRAMSHINZOMidle1_wiki", "")


def test_given_files_come_back(game_file: Callable[[str], Path]) -> None:
    for path in game_file("oni/instances").iterdir():
        opened = formats.open_file(path)
        assert opened.document.pack() == path.read_bytes()
        assert opened.document.file.pack() == path.read_bytes()
        if opened.format.name in ("TRAM", "OBAN"):
            record = getattr(opened.document, opened.format.name.lower())
            assert type(opened.document).new(record).pack() == path.read_bytes(), "laid out as OniSplit does"


@given(trams())
@settings(max_examples=60, phases=[Phase.generate])
def test_any_animation(document: Tram) -> None:
    """Document to bytes to document, and again the same bytes."""
    data = TramFile.new(document).pack()
    parsed = TramFile.parse(data)
    assert same(parsed.tram, replace(document, level_id=0))
    assert parsed.pack() == data
    assert parsed.file.pack() == data


@given(obans())
def test_any_object_animation(document: Oban) -> None:
    data = ObanFile.new(document).pack()
    parsed = ObanFile.parse(data)
    assert same(parsed.oban, replace(document, level_id=0))
    assert parsed.pack() == data


def several() -> OniFile:
    """A file with an animation among others, and gaps of its own between the tables."""
    one = replace(Tram.new("TRAMone", 2, 1), heights=np.array([1, 2], "<f4"), sounds=np.zeros(2, tram_layout.SOUND)).record()
    two = replace(Tram.new("TRAMtwo", 2, 1), heights=np.array([3, 4], "<f4")).record()
    parts = [
        Part("TRAM", "TRAMone", 0, one.body, one.blocks, {0x38: 2}),
        Part("TRAM", "TRAMtwo", 5, two.body, two.blocks, {0x38: 0, 0x3C: 2}),
        Part("TRAM", "TRAMelse", flags=PLACEHOLDER),
        Part("ABCD", "ABCDother", 7, b"something that nobody knows"),
    ]
    return OniFile.build(parts, MAC)


def test_an_update_in_place_keeps_the_rest() -> None:
    file = several()
    assert OniFile.parse(file.pack()).pack() == file.pack()
    old = Tram.of(file.record(1))
    assert (old.level_id, old.direct) == (5, ("TRAMone", "TRAMelse"))
    assert file.with_record(1, old.record()).pack() == file.pack()
    pause = file.with_record(1, replace(old, hard_pause=0x1234).record()).pack()
    assert [(one, two) for one, two in zip(file.pack(), pause, strict=True) if one != two] == [(0, 0x34), (0, 0x12)]
    new = replace(
        old, heights=np.arange(9, dtype="<f4"), frame_count=9, direct=("TRAMnew", ""), footsteps=np.zeros(1, tram_layout.FOOTSTEP)
    )
    changed = OniFile.parse(file.with_record(1, new.record()).pack())
    assert same(Tram.of(changed.record(1)), new)
    assert same(Tram.of(changed.record(0)), Tram.of(file.record(0)))
    assert changed.bytes_of(3) == file.bytes_of(3)
    assert [changed.name(index) for index in range(len(changed))] == ["TRAMone", "TRAMtwo", "TRAMelse", "ABCDother", "TRAMnew"]
    assert changed.tables.header["checksum"] == MAC
    behind = OniFile.parse(file.pack() + b"of somebody else")
    assert behind.with_record(1, new.record()).pack() == changed.pack() + b"of somebody else"
    longer = OniFile.parse(changed.with_record(0, replace(Tram.of(changed.record(0)), tail=b"!" * 8).record()).pack())
    assert Tram.of(longer.record(0)).tail == b"!" * 8
    assert same(Tram.of(longer.record(1)), new)


def test_what_is_not_written() -> None:
    with pytest.raises(ExportError, match="64 characters; at most 63"):
        TramFile.new(Tram.new("TRAM" + "x" * 60, 1))
    with pytest.raises(ExportError, match="characters that the game does not have"):
        TramFile.new(Tram.new("TRAM\u4e00", 1))
    with pytest.raises(ExportError, match="256 attacks; at most 255"):
        TramFile.new(replace(Tram.new("TRAMx", 1), attacks=np.zeros(256, tram_layout.ATTACK)))
    with pytest.raises(ExportError, match="2 heights for 3 frames"):
        TramFile.new(replace(Tram.new("TRAMx", 3), heights=np.zeros(2, "<f4")))
    with pytest.raises(ExportError, match="65536 keys; at most 65535"):
        ObanFile.new(replace(ObanFile.parse(bytes.fromhex(BLACKVAN)).oban, keys=np.zeros(65536, KEY)))


def test_a_record_without_a_list_has_no_items() -> None:
    tag, shape = next((tag, shape) for tag, shape in SHAPES.items() if shape.item is None)
    assert len(BodyRecord.parse(tag, bytes(shape.head.itemsize))) == 0


@pytest.mark.parametrize("size", [0, 1, 23, 24, 25, 40])
def test_every_instance_begins_on_32_bytes(size: int) -> None:
    """Each is 8 bytes of prefix and a body; the next one begins on the next whole 32 behind it."""
    file = OniFile.build([Part("ABCD", f"ABCD{number}", body=bytes(size)) for number in range(3)])
    step = -(-(size + 8) // 32) * 32
    assert file.tables.descriptors["data"].tolist() == [8, 8 + step, 8 + 2 * step]
    assert OniFile.parse(file.pack()).pack() == file.pack()


def test_an_instance_is_restored_by_its_type_and_name() -> None:
    """It is not the first in the backup; what is out of use there is none."""
    whole = several()
    one, two = (replace(Tram.new(name, 2, 1), heights=np.array([9, 9], "<f4")).record() for name in ("TRAMone", "TRAMtwo"))
    changed = whole.with_record(0, one)
    assert changed.record(0).blocks != whole.record(0).blocks
    parts = [Part("TRAM", "TRAMtwo", 5, two.body, two.blocks), Part("TRAM", "TRAMone", 0, whole.record(0).body, whole.record(0).blocks)]
    assert changed.restored(0, OniFile.build(parts, MAC)).record(0).blocks == whole.record(0).blocks
    with pytest.raises(FormatError, match=r"no instance TRAMtwo \(TRAM\)"):
        changed.restored(1, OniFile.build(parts[1:], MAC))
    with pytest.raises(FormatError, match="no instance TRAMelse"):
        changed.restored(2, whole)
