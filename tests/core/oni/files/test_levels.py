"""Levels of Oni: all their records, by name, number and wildcard, read by parts; without raw data, and broken ones."""

from __future__ import annotations

import shutil
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from retro_anim.core import formats
from retro_anim.core.files.source import OnDisk
from retro_anim.core.oni.files.documents import ObanFile
from retro_anim.core.oni.files.instances import DESCRIPTOR, HEADER, MAC
from retro_anim.core.oni.files.level import NAME, TEMPLATE, Level
from retro_anim.core.oni.files.library import Library
from retro_anim.core.oni.records.tram import Tram
from retro_anim.core.reporting.errors import FormatError

from .test_instance_files import BLACKVAN


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
    peaks: list[int] = []
    for _ in range(2):  # in one of them Python may enlarge a table of its own, such as that of its texts
        read.clear()
        tracemalloc.start()
        opened = formats.open_file(f"{tmp_path / 'level1_Final.dat'}#TRAMTESTlong")
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert opened.document.tram.frame_count == 300
        assert sum(read) < 80_000
    assert min(peaks) < 2_000_000


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


def test_level_0_beside_a_level_is_opened_once(tmp_path: Path) -> None:
    oban = ObanFile.parse(bytes.fromhex(BLACKVAN)).oban.record().body
    zero, one = tmp_path / "level0_Final.dat", tmp_path / "level1_Final.dat"
    for path in (zero, one):
        path.write_bytes(level_of({"OBANmade": oban}))
    assert Library().levels(str(zero)) == [zero]
    assert Library().levels(str(one)) == [one, zero]
    assert Library().levels(str(tmp_path / "TRBSone.oni")) == [zero]


LEVEL_FILE = "oni/level/level1_Final.dat"


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
