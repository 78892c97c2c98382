"""Instance files: the ones of the format's description to the byte, levels read by parts, updates in place, and broken files."""

from __future__ import annotations

import shutil
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from retro_anim.core import formats
from retro_anim.core.files.document import same
from retro_anim.core.oni.files.documents import BodyFile, ObanFile, TramFile
from retro_anim.core.oni.files.instances import DESCRIPTOR, HEADER, MAC, PLACEHOLDER, PS2, VR33
from retro_anim.core.oni.files.level import NAME, TEMPLATE, Level
from retro_anim.core.oni.files.library import Library
from retro_anim.core.oni.files.onifile import OniFile, Part
from retro_anim.core.oni.files.source import OnDisk
from retro_anim.core.oni.records import tram_layout
from retro_anim.core.oni.records.angles import to_steps
from retro_anim.core.oni.records.body_records import SHAPES, BodyRecord
from retro_anim.core.oni.records.oban import KEY, Oban
from retro_anim.core.oni.records.record import Record
from retro_anim.core.oni.records.rotations import Rotations
from retro_anim.core.oni.records.tram import Tram
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import ExportError, FormatError

from ..strategies import obans, trams

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


def test_the_level_has_the_same_records(game_file: Callable[[str], Path]) -> None:
    level = Level.open(str(game_file("oni/level/level1_Final.dat")))
    names = {level.name(index): index for index in range(len(level))}
    assert level.pack() == level.front
    for path in sorted(game_file("oni/instances").glob("TRAM*.oni")):
        assert level.read(names[path.stem]) == path.read_bytes()
    assert ObanFile.parse(level.read(names["OBANBlackvan_FB_wiki"])).oban.length == 501


def test_entries_by_name_number_and_wildcard(game_file: Callable[[str], Path]) -> None:
    path = game_file("oni/level/level1_Final.dat")
    for entry in ("TRAMTESTlong", "tramtestl*", "TRAM?ESTlong", str(_index_of(path, "TRAMTESTlong"))):
        assert formats.open_file(f"{path}#{entry}").document.tram.name == "TRAMTESTlong"
    with pytest.raises(FormatError, match="TRAMTEST\\* means 5 entries"):
        formats.open_file(f"{path}#TRAMTEST*")
    with pytest.raises(FormatError, match="no entry is called"):
        formats.open_file(f"{path}#TRAMnone")


def _index_of(path: Path, name: str) -> int:
    level = Level.open(str(path))
    return next(index for index in range(len(level)) if level.name(index) == name)


def test_a_large_level_is_read_by_parts(game_file: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """300 MB each; only tables and what is asked for is read."""
    source = game_file("oni/level/level1_Final.dat")
    for name in ("level1_Final.dat", "level1_Final.raw"):
        shutil.copy(source.with_name(name), tmp_path)
        (tmp_path / name).chmod(0o644)
        with (tmp_path / name).open("r+b") as file:
            file.truncate(300_000_000)
    read: list[int] = []
    whole = OnDisk.read

    def counted(self: OnDisk, offset: int, size: int, what: str) -> Any:
        read.append(size)
        return whole(self, offset, size, what)

    monkeypatch.setattr(OnDisk, "read", counted)
    tracemalloc.start()
    opened = formats.open_file(f"{tmp_path / 'level1_Final.dat'}#TRAMTESTlong")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert opened.document.tram.frame_count == 300
    assert sum(read) < 80_000
    assert peak < 2_000_000


def level_of(parts: dict[str, bytes]) -> bytes:
    """A level file of plain instances by name."""
    descriptors = np.zeros(len(parts), DESCRIPTOR)
    names, data = b"", b""
    for index, (name, body) in enumerate(parts.items()):
        descriptors[index] = (name[:4].encode()[::-1], len(data) + 8, len(names), len(body) + 8, 0)
        names += name.encode() + b"\0"
        data += (index << 8 | 1).to_bytes(4, "little") + bytes(4) + body
    order = np.zeros(len(parts), NAME)
    order["instance"] = np.argsort(list(parts))
    templates = np.zeros(1, TEMPLATE)
    head = np.zeros((), HEADER)
    head["checksum"], head["version"], head["sizes"] = MAC, 0x56523331, (64, 20, 16, 8)
    head["instance_count"], head["name_count"], head["template_count"] = len(parts), len(parts), 1
    start = HEADER.itemsize + descriptors.nbytes + order.nbytes + templates.nbytes
    head["data_offset"], head["data_size"], head["name_offset"], head["name_size"] = start, len(data), start + len(data), len(names)
    return b"".join(table.tobytes() for table in (head, descriptors, order, templates)) + data + names


def test_a_level_of_the_demo_without_raw_data() -> None:
    """An object animation needs none; what does is refused. Records of unknown kinds are only listed."""
    oban = ObanFile.parse(bytes.fromhex(BLACKVAN)).oban.record().body
    body = bytearray(Tram.new("TRAMmade", 3).record().body)
    body[4:8] = b"\x20\0\0\0"
    data = level_of({"OBANmade": oban, "TRAMmade": bytes(body), "TXMPmade": bytes(40)})
    level = Level.parse(data)
    assert level.pack() == level.front
    assert ObanFile.parse(level.read(0)).oban.length == 501
    with pytest.raises(FormatError, match="heights: raw data file missing"):
        level.read(1)
    assert (level.tag(2), formats.recognise_entry(level.read(2))) == ("TXMP", None)
    with pytest.raises(FormatError, match="TXMP records cannot be taken"):
        level.record(2)


def test_what_is_in_level_0_is_found_from_the_files_beside_it(tmp_path: Path) -> None:
    oban = ObanFile.parse(bytes.fromhex(BLACKVAN)).oban.record().body
    level = tmp_path / "level0_Final.dat"
    level.write_bytes(level_of({"TXMPmade": bytes(40), "OBANmade": oban}))
    instance = Library().find("OBANmade", str(tmp_path / "TRBSone.oni"))
    assert instance is not None
    assert (instance.path, instance.name, instance.tag, instance.body()[: len(oban)]) == (str(level), "OBANmade", "OBAN", oban)
    assert Library().find("OBANother", str(tmp_path / "TRBSone.oni")) is None


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


def _set(data: bytes, at: int, value: int, size: int = 4) -> bytes:
    return data[:at] + value.to_bytes(size, "little") + data[at + size :]


LEVEL_FILE = "oni/level/level1_Final.dat"

RECORD = 0x80
"""Where the record of a file of one instance stands, with its prefix."""

REFUSED = {
    "PlayStation 2": (lambda data: _set(data, 0, PS2, 8), "PlayStation 2 files are not supported"),
    "OniX": (lambda data: _set(data, 8, VR33), "OniX \\(VR33\\), which is not supported"),
    "version": (lambda data: _set(data, 8, 7), "not an Oni instance file"),
    "sizes": (lambda data: _set(data, 12, 65, 2), "not an Oni instance file"),
    "data table": (lambda data: _set(data, 0x24, 0x10000), "the data table ends at 0x10080, behind the file \\(offset 0x80\\)"),
    "instances": (lambda data: _set(data, 0x14, 0xFFFFFFF), "instance descriptors: 5368709100 bytes expected"),
    "instance": (lambda data: _set(data, 0x44, 0x1000), "instance 0: 392 bytes at 0xFF8 are not inside the data table \\(offset 0x44\\)"),
    "name": (lambda data: _set(data, 0x48, 0x1000), "the name of instance 0 is outside the name table"),
    "record size": (lambda data: _set(data, 0x4C, 0x187), "TRAM record of 391 bytes instead of 392"),
    "placeholder": (lambda data: _set(data, 0x50, PLACEHOLDER), "the file has no instance of its own"),
    "link": (lambda data: _set(data, RECORD + 0x40, 0x501), "a link to instance 5 \\(0x00000501\\); there are 1 \\(offset 0xC0\\)"),
    "link without its mark": (lambda data: _set(data, RECORD + 0x40, 2), "a link to instance 0 \\(0x00000002\\)"),
    "raw pointer": (lambda data: _set(data, RECORD + 0x0C, 0xFFFFFFF0), "heights: 4 bytes of raw data expected at 0xFFFFFFF0"),
    "rotation pointer": (lambda data: _set(data, RECORD + 0x34, 0xFFFFFFF0), "rotations: raw data expected at 0xFFFFFFF0"),
    "no raw table": (lambda data: _set(_set(data, 0x30, 0), 0x34, 0), "raw data file missing"),
    "attacks": (lambda data: _set(data, RECORD + 0x182, 3, 1), "3 attacks, but no pointer to them \\(offset 0x94\\)"),
    "compression": (lambda data: _set(data, RECORD + 0x160, 8, 2), "compression size 8; 6 and 16 are known \\(offset 0x1E0\\)"),
    "frames": (lambda data: _set(data, RECORD + 0x16C, 0, 2), "no frames \\(offset 0x1EC\\)"),
    "bones": (lambda data: _set(data, RECORD + 0x16A, 18, 2), "the first one starts at 38, not behind the 18 offsets"),
    "first track": (lambda data: _set(data, 0x2A0, 0x28, 2), "the first one starts at 40"),
    "last track": (lambda data: _set(data, 0x2C4, 0xFFFF, 2), "bone 18: its rotations are cut off"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(case: str) -> None:
    expected = bytearray(824)
    for position, row in ONE_FRAME.items():
        expected[position : position + len(bytes.fromhex(row))] = bytes.fromhex(row)
    change, problem = REFUSED[case]
    with pytest.raises(FormatError, match=problem):
        TramFile.parse(change(bytes(expected)))


def test_what_is_said() -> None:
    data = _set(bytes.fromhex(BLACKVAN), 0, 77, 8)
    with log.collect() as said:
        ObanFile.parse(data)
    assert "unknown template checksum" in said.digest("WARNING")[0]


OBAN_REFUSED = {
    "no keys": (lambda data: _set(data, 0xFE, 0, 2), "no keys \\(offset 0xFE\\)"),
    "more keys than bytes": (lambda data: _set(data, 0xFE, 3, 2), "3 keys of 32 bytes, 64 bytes left"),
    "keys not ascending": (lambda data: _set(data, 0x13C, 0), "key 1 at frame 0, not after frame 0 \\(offset 0x120\\)"),
    "no rotation": (lambda data: data[:0x120] + bytes(16) + data[0x130:], "key 1: its rotation is none \\(offset 0x120\\)"),
}


@pytest.mark.parametrize("case", OBAN_REFUSED)
def test_object_animations_that_are_refused(case: str) -> None:
    change, problem = OBAN_REFUSED[case]
    with pytest.raises(FormatError, match=problem):
        ObanFile.parse(change(bytes.fromhex(BLACKVAN)))


def test_truncated_anywhere(game_file: Callable[[str], Path]) -> None:
    """Only zeros at the end may miss, which OniSplit does not write either."""
    for name, kind in (("TRAMSHINZOMidle1_wiki", TramFile), ("OBANBlackvan_FB_wiki", ObanFile)):
        data = game_file(f"oni/instances/{name}.oni").read_bytes()
        for end in range(len(data)):
            with pytest.raises(FormatError):
                kind.parse(data[:end])


FILES = [TramFile.new(replace(Tram.new("TRAMa", 3, 1), heights=np.zeros(3, "<f4"))).pack(), bytes.fromhex(BLACKVAN), several().pack()]


@given(st.sampled_from(FILES), st.data())
@settings(max_examples=300)
def test_damage_is_an_error_or_a_result(original: bytes, data: st.DataObject) -> None:
    written = bytearray(original)
    for _ in range(data.draw(st.integers(1, 3))):
        written[data.draw(st.integers(0, len(written) - 1))] = data.draw(st.sampled_from([0, 1, 2, 0x7F, 0xFF]))
    for kind in (TramFile, ObanFile, BodyFile, OniFile):
        try:
            document = kind.parse(bytes(written))
        except FormatError as error:
            assert str(error)
            continue
        assert document.pack() == bytes(written)
    try:
        Level.parse(bytes(written))
    except FormatError as error:
        assert str(error)


def test_a_level_that_is_broken(game_file: Callable[[str], Path]) -> None:
    """Cut off anywhere, and with any byte of its tables changed: whatever can be read is read, the rest is an error."""
    path = game_file(LEVEL_FILE)
    data, raw = path.read_bytes(), path.with_suffix(".raw").read_bytes()
    front = len(Level.parse(data).front)
    rng = np.random.default_rng(7)
    cases = [data[:end] for end in range(0, len(data), 53)]
    cases += [data[:at] + bytes([int(rng.integers(0, 256))]) + data[at + 1 :] for at in rng.integers(0, front, 150).tolist()]
    cases += [data[:-1]]
    for case in cases:
        try:
            level = Level.parse(case, raw[: int(rng.integers(0, len(raw) + 1))])
        except FormatError as error:
            assert str(error)
            continue
        assert level.pack() == level.front
        for index in range(len(level)):
            try:
                formats.recognise_entry(level.read(index), "", level.name(index))
            except FormatError as error:
                assert str(error)


def test_links_in_circles(tmp_path: Path) -> None:
    """Animations that lead to one another, and a body that is its own part."""
    one = Tram.new("TRAMone", 1).record()
    file = OniFile.build([Part("TRAM", "TRAMone", 0, one.body, {}, {0x38: 0, 0x3C: 0})])
    assert TramFile.parse(file.pack()).tram.direct == ("TRAMone", "TRAMone")
    assert TramFile.parse(file.pack()).pack() == file.pack()
    body = OniFile.build([Part("TRBS", "TRBSone", 0, bytes(SHAPES["TRBS"].head.itemsize), {}, dict.fromkeys(range(0, 20, 4), 0))])
    path = tmp_path / "TRBSone.oni"
    path.write_bytes(body.pack())
    from retro_anim.core.oni.body.body_read import read_body

    with pytest.raises(FormatError, match="TRBSone is a TRBS; a TRCM is expected"):
        read_body(str(path))


def test_instances_over_one_another() -> None:
    """Many instances that all mean the same bytes must not take more than the file has."""
    parts = [Part("OBAN", f"OBAN{index}", flags=PLACEHOLDER) for index in range(5000)]
    file = OniFile.build([Part("OBAN", "OBANx", 0, bytes(4000)), *parts])
    descriptors = file.tables.descriptors.copy()
    descriptors["data"], descriptors["size"], descriptors["flags"] = 8, 4008, 0
    with pytest.raises(FormatError, match="the instances lie over one another"):
        OniFile.parse(replace(file, tables=replace(file.tables, descriptors=descriptors)).pack())


def test_tables_over_one_another() -> None:
    """Whatever a table claims, each byte belongs to one of them."""
    file = OniFile.build([Part("OBAN", "OBANx", 0, bytes(4000))])
    data = bytearray(file.pack())
    header = np.frombuffer(data, HEADER, 1)
    header["raw_offset"], header["raw_size"] = header["data_offset"] + 8, 8
    with pytest.raises(FormatError, match="the raw table starts inside another one"):
        OniFile.parse(bytes(data))


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
