"""Records in the files around a file: found by their names, in folders and levels, through links, and as files of their own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from retro_anim.core.oni.files.instances import PLACEHOLDER, UNNAMED
from retro_anim.core.oni.files.library import Library, file_name
from retro_anim.core.oni.files.onifile import OniFile, Part
from retro_anim.core.oni.records.tram import Tram
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import FormatError

from .test_levels import level_of

TWO = [Part("TRAM", name, 0, Tram.new(name, 2, 1).record().body) for name in ("TRAMone", "TRAMtwo")]


def test_whether_any_file_around_has_a_record_of_a_kind(tmp_path: Path) -> None:
    """By the name of a .oni, or in a level."""
    folder = tmp_path / "some"
    folder.mkdir()
    assert Library().has_any("TRAM", str(folder / "a.oni")) is False
    (folder / "tramAny.oni").write_bytes(b"")
    assert Library().has_any("TRAM", str(folder / "a.oni")) is True
    (folder / "level0_Final.dat").write_bytes(level_of({"ONCCone": bytes(8)}))
    assert [Library().has_any(tag, str(folder / "a.oni")) for tag in ("ONCC", "TRBS")] == [True, False]


def test_a_file_of_many_records_is_no_record_itself(tmp_path: Path) -> None:
    level, empty, own = tmp_path / "level0_Final.dat", tmp_path / "empty.oni", tmp_path / "TRAMone.oni"
    level.write_bytes(level_of({"ONCCone": bytes(8)}))
    empty.write_bytes(OniFile.build([]).pack())
    own.write_bytes(OniFile.build(TWO).pack())
    for path in (level, empty):
        with pytest.raises(FormatError, match="no instance of its own; name an entry behind a #"):
            Library().at(str(path))
    assert Library().at(str(own)).name == "TRAMone" and Library().at(f"{level}#0").name == "ONCCone"


def test_levels_are_those_of_its_folder_that_can_be_opened(tmp_path: Path) -> None:
    """Itself first; a .oni is none."""
    own, other, zero = tmp_path / "TRAMone.oni", tmp_path / "level3_Final.DAT", tmp_path / "Level0_Final.dat"
    own.write_bytes(OniFile.build(TWO).pack())
    assert Library().levels(str(own)) == []
    for path in (other, zero):
        path.write_bytes(level_of({"ONCCone": bytes(8)}))
    assert [Library().levels(str(path)) for path in (own, other, zero)] == [[zero], [other, zero], [zero]]
    other.write_bytes(b"broken")
    assert Library().levels(str(other)) == [zero]


def test_what_is_asked_for_twice_is_made_once() -> None:
    library, calls = Library(), list[int]()

    def make() -> int:
        calls.append(1)
        return len(calls)

    assert [library.once("a", make), library.once("a", make), library.once("b", make)] == [1, 1, 2]

    def refuse() -> int:
        calls.append(1)
        raise FormatError("no")

    for _ in range(2):
        with pytest.raises(FormatError, match="no"):
            library.once("c", refuse)
    assert len(calls) == 3


def test_an_instance_is_called_as_its_file_where_that_says_more_than_its_kind(tmp_path: Path) -> None:
    for name, called in (("TRAMother", "TRAMother"), ("TRAM", "TRAMone"), ("other", "TRAMone"), ("TRAMa%2Fb", "TRAMa/b")):
        path = tmp_path / f"{name}.oni"
        path.write_bytes(OniFile.build(TWO).pack())
        assert Library().at(str(path)).name == called
        assert Library().at(f"{path}#1").name == "TRAMtwo"


def test_the_file_of_an_instance_has_a_name_that_any_system_allows() -> None:
    assert file_name("TXMPa/b:c\x1f d\x20~") == "TXMPa%2Fb%3Ac%1F d ~.oni"


def test_what_is_found_around_a_file(tmp_path: Path) -> None:
    """In its own folder first, then in that of level 0 beside it, then in the level."""
    own, zero = tmp_path / "level1_Final", tmp_path / "level0_final"
    for folder in (own, zero):
        folder.mkdir()
    where = str(own / "any.oni")
    assert Library().find("TRAMone", where) is None and Library().find("", where) is None
    (own / "level0_Final.dat").write_bytes(level_of({"TRAMone": bytes(8)}))
    for path in (own / "level0_Final.dat", zero / "TRAMone.oni", own / "tramone.oni"):
        if path.suffix == ".oni":
            path.write_bytes(OniFile.build(TWO).pack())
        for start in (where, str(tmp_path / "level1_Final" / "other.xml")):
            result = Library().find("TRAMone", start)
            assert result is not None and Path(result.path) == path
    alone = Library().find("TRAMone", str(zero / "any.oni"))
    assert alone is not None and Path(alone.path) == zero / "TRAMone.oni"


def test_files_that_have_no_record_of_their_own_are_passed_over(tmp_path: Path) -> None:
    """One without records, one that only names it, and a broken one, which is warned of; then the next folder is looked into."""
    own, zero = tmp_path / "level1_Final", tmp_path / "level0_final"
    for folder in (own, zero):
        folder.mkdir()
    (zero / "TRAMone.oni").write_bytes(OniFile.build(TWO).pack())
    where = str(own / "any.oni")
    for data in (OniFile.build([]).pack(), OniFile.build([Part("TRAM", "TRAMone", flags=PLACEHOLDER), TWO[1]]).pack(), b"broken"):
        (own / "TRAMone.oni").write_bytes(data)
        with log.collect() as said:
            result, beside = Library().find("TRAMone", where), list(Library().beside(where, "TRAM"))
        assert result is not None and (result.path, result.index) == (str(zero / "TRAMone.oni"), 0)
        assert [(each.path, each.index) for each in beside] == [(str(zero / "TRAMone.oni"), 0)]
        assert [line.startswith("not used: ") for line in said.digest("WARNING")] == [True] * (data == b"broken")


def test_beside_a_file_are_those_of_a_kind_by_name_and_content(tmp_path: Path) -> None:
    """Its own folder first; neither another kind that is called so, nor a file that is no .oni."""
    own, zero = tmp_path / "level1_Final", tmp_path / "level0_final"
    for folder in (own, zero):
        folder.mkdir()
    for path in (own / "tramB.oni", own / "ABCDone.oni", own / "TRAMone.xml", zero / "TRAMa.ONI"):
        path.write_bytes(OniFile.build(TWO).pack())
    (own / "TRAMother.oni").write_bytes(OniFile.build([Part("ABCD", "ABCDx")]).pack())
    assert [Path(each.path).name for each in Library().beside(str(own / "any.oni"), "TRAM")] == ["tramB.oni", "TRAMa.ONI"]
    assert [Path(each.path).name for each in Library().beside(str(zero / "any.oni"), "TRAM")] == ["TRAMa.ONI"]


def test_links_lead_to_records_of_the_file_and_of_others_around_it(tmp_path: Path) -> None:
    """Head and descriptors take 164 bytes, the names 34 at 192, so that the data begins at 256; each record takes 392, of 416."""
    path, other = tmp_path / "TRAMone.oni", tmp_path / "TRAMelse.oni"
    names = [
        Part("TRAM", "TRAMelse", flags=PLACEHOLDER),
        Part("TRAM", "TRAMnone", flags=PLACEHOLDER),
        Part("TRAM", flags=PLACEHOLDER | UNNAMED),
    ]
    path.write_bytes(OniFile.build([*TWO, *names]).pack())
    other.write_bytes(OniFile.build(TWO).pack())
    library = Library()
    one, two = library.at(str(path)), library.at(f"{path}#TRAMtwo")
    assert (one.start, two.start, one.tag, two.index) == (256, 256 + 416, "TRAM", 1)
    links = [0, 0x101, 0x201, 0x301, 0x401]
    assert [library.name_of(one, link) for link in links] == ["", "TRAMtwo", "TRAMelse", "TRAMnone", ""]
    led = [library.follow(one, link) for link in links]
    assert [None if each is None else (Path(each.path).name, each.index) for each in led] == [
        None, ("TRAMone.oni", 1), ("TRAMelse.oni", 0), None, None,
    ]  # fmt: skip
    for ask in (library.follow, library.name_of):
        with pytest.raises(FormatError, match=r"a link to instance 5 \(0x00000501\); there are 5") as raised:
            ask(one, 0x501)
        assert (raised.value.path, raised.value.offset) == (str(path), 256)
    with pytest.raises(FormatError, match="0-1 means 2 entries, not one"):
        library.at(f"{path}#0-1")


def test_nothing_is_found_that_is_called_nothing(tmp_path: Path) -> None:
    (tmp_path / "level0_Final.dat").write_bytes(level_of({"": bytes(8), "TRAMone": bytes(8)}))
    assert [Library().find(name, str(tmp_path / "a.oni")) is None for name in ("", "TRAMone")] == [True, False]


def test_what_an_entry_is_as_a_file_of_its_own() -> None:
    """Of a kind that is known the record with its blocks; the file itself for the first of another; of further ones their names."""
    own = replace(Tram.new("TRAMone", 2, 1), heights=np.array([1, 2], "<f4")).record()
    file = OniFile.build([Part("ABCD", "ABCDx", body=b"123"), Part("TRAM", "TRAMone", 0, own.body, own.blocks), Part("ABCD", "ABCDy")])
    assert file.read(0) == file.pack() and file.read(1) == OniFile.of(own).pack()
    last = OniFile.parse(file.read(2))
    assert (len(last), last.tag(0), last.name(0), last.blank(0)) == (1, "ABCD", "ABCDy", True)


def test_bytes_that_change_later_change_no_file() -> None:
    data = bytearray(OniFile.build(TWO).pack())
    before, file = bytes(data), OniFile.parse(data)
    data[-8:] = b"changed!"
    assert file.pack() == before


def test_a_file_is_opened_once_also_where_that_is_not_possible(tmp_path: Path) -> None:
    path, broken = tmp_path / "TRAMone.oni", tmp_path / "TRAMtwo.oni"
    path.write_bytes(OniFile.build(TWO).pack())
    broken.write_bytes(b"broken")
    library = Library()
    assert library.open(path) is library.open(str(path))
    for _ in range(2):
        with pytest.raises(FormatError, match=r"TRAMtwo\.oni: not an Oni instance file"):
            library.open(broken)
        broken.write_bytes(path.read_bytes())
