"""Instance files that are broken: refused in one line with the offset, or read as far as they go."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from retro_anim.core.oni.files.documents import BodyFile, CollectionFile, ObanFile, TramFile
from retro_anim.core.oni.files.instances import HEADER, PLACEHOLDER, PS2, VR33
from retro_anim.core.oni.files.level import Level
from retro_anim.core.oni.files.onifile import OniFile, Part
from retro_anim.core.oni.records.body_records import SHAPES
from retro_anim.core.oni.records.oban import Oban
from retro_anim.core.oni.records.tram import Tram
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import FormatError
from support.oni.oni_trams import random_tram

from .test_instance_files import BLACKVAN, ONE_FRAME, several


def _set(data: bytes, at: int, value: int, size: int = 4) -> bytes:
    return data[:at] + value.to_bytes(size, "little") + data[at + size :]


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
    "name at the end": (lambda data: _set(data, 0x48, 12), "the name of instance 0 is outside the name table"),
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


def test_a_file_of_another_kind_is_refused() -> None:
    """By what its first instance is."""
    tram, oban = TramFile.new(random_tram(1)).pack(), ObanFile.new(Oban.new("OBANtest")).pack()
    for kind, data, problem in (
        (TramFile, oban, "a OBAN and not a TRAM"),
        (ObanFile, tram, "a TRAM and not a OBAN"),
        (CollectionFile, tram, "a TRAM and not a TRAC"),
    ):
        with pytest.raises(FormatError, match=f"{problem} \\(offset 0x40\\)"):
            kind.parse(data)


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


def test_broken_rotations_say_where_they_are() -> None:
    """The position in the raw part is that of the block."""
    tram = random_tram(3, 5)
    data = TramFile.new(tram).pack()
    assert tram.rotations is not None
    at = data.index(tram.rotations)
    with pytest.raises(FormatError, match=r"the first one starts at 65535, .*, at 0x[0-9A-F]+ of the raw data"):
        TramFile.parse(_set(data, at, 0xFFFF, 2))


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
