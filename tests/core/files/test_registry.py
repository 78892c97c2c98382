"""Opening by a registry of two formats that are made up: notes of text, and boxes of notes, an entry for each line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from retro_anim.core.files import registry
from retro_anim.core.files.binary import Bytes
from retro_anim.core.files.disk.disk import read_file
from retro_anim.core.files.format import Archive, Format
from retro_anim.core.files.registry import Registry, archive_of, as_archive, once, packed
from retro_anim.core.files.source import Memory
from retro_anim.core.reporting.errors import FormatError


class Box:
    def __init__(self, data: Bytes) -> None:
        self.lines = bytes(data).split(b"\n")[1:]

    def __len__(self) -> int:
        return len(self.lines)

    def blank(self, index: int) -> bool:
        return not self.lines[index]

    def name(self, index: int) -> str:
        return "second" if index == 1 else ""

    def read(self, index: int) -> bytes:
        return self.lines[index]

    def pack(self) -> bytes:
        return b"\n".join([b"box", *self.lines])


def note(data: Bytes) -> str:
    if b"!" in bytes(data):
        raise FormatError("shouts", bytes(data).index(b"!"))
    return bytes(data).decode()


def described(_: Any) -> dict[str, Any]:
    return {}


NOTE = Format("note", "note", "", "animation", (".note",), lambda head, _: head.startswith(b"note"), note, described)
BOX = Format("box", "box", "", "archive", (".box",), lambda head, _: head.startswith(b"box"), Box, described)
FORMATS = Registry(lambda: (NOTE, BOX))


@pytest.fixture
def box(tmp_path: Path) -> Path:
    path = tmp_path / "all.box"
    path.write_bytes(b"box\nnote a\nnote b\nelse\nnote c!")
    return path


def test_a_file_is_opened_as_what_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a.note"
    path.write_bytes(b"note" * 20_000)
    opened = FORMATS.open_file(path)
    assert (opened.format, opened.document, opened.data) == (NOTE, "note" * 20_000, b"note" * 20_000)
    assert (opened.address, opened.registry, archive_of(opened)) == (str(path), FORMATS, None)
    with pytest.raises(FormatError, match=r"a\.note: no archive, so it has no entry 0"):
        FORMATS.open_file(f"{path}#0")


def test_a_file_whose_format_was_asked_for_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, reads = tmp_path / "a.note", list[object]()
    path.write_bytes(b"note")
    monkeypatch.setattr(registry, "read_file", lambda path, *most, **largest: reads.append(path) or read_file(path, *most, **largest))
    formats = Registry(lambda: (NOTE, BOX))
    assert formats.recognise_file(path) is NOTE and formats.open_file(path).document == "note"
    assert reads == [str(path)]


def test_what_is_no_known_format_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "a.other"
    path.write_bytes(b"else")
    with pytest.raises(FormatError, match=r"a\.other: not a file of any known format"):
        FORMATS.open_file(path)
    path.write_bytes(b"")
    with pytest.raises(FormatError, match=r"a\.other: the file is empty: put a whole copy in its place"):
        FORMATS.open_file(path)


@pytest.mark.parametrize(("entry", "text", "address"), [("0", "note a", "0"), ("1", "note b", "second"), ("second", "note b", "second")])
def test_an_entry_is_opened_by_its_number_or_name(box: Path, entry: str, text: str, address: str) -> None:
    opened = FORMATS.open_file(f"{box}#{entry}")
    assert (opened.format, opened.document, opened.data) == (NOTE, text, text.encode())
    assert opened.address == f"{box}#{address}"


@pytest.mark.parametrize(
    ("entry", "said"),
    [("2", r"all\.box#2: an entry of no known kind"), ("3", r"all\.box#3.*shouts"), ("0,1", "0,1 means 2 entries, not one")],
)
def test_an_entry_that_cannot_be_opened_is_named(box: Path, entry: str, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        FORMATS.open_file(f"{box}#{entry}")


def test_an_entry_of_no_known_kind_is_none(box: Path) -> None:
    assert FORMATS.open_entry(b"else", f"{box}#2") is None
    opened = FORMATS.open_entry(b"note d", f"{box}#2")
    assert opened is not None and opened.document == "note d"


@pytest.mark.parametrize(
    ("data", "name", "kind"),
    [
        (b"note a", "", NOTE),
        (b"note a", "a", NOTE),
        (b"note a", "a.other", NOTE),
        (b"else", "a.note", NOTE),  # a damaged one, by its own name
        (b"else", "a.other", None),
        (b"else", "note", None),
        (b"box", "a.box", None),  # archives have no archives
    ],
)
def test_what_an_entry_is_by_its_name_or_its_content(data: bytes, name: str, kind: Format | None) -> None:
    assert FORMATS.recognise_entry(data, "", name) is kind


def test_the_archive_itself(box: Path) -> None:
    opened = FORMATS.open_file(box)
    assert archive_of(opened) is opened.document
    assert opened.document.pack() == box.read_bytes()


class Changed(Box):
    """Packs other bytes than those it has."""

    def __init__(self, data: Bytes, packs: bytes) -> None:
        super().__init__(data)
        self.packs = packs

    def pack(self) -> bytes:
        return self.packs


def test_a_changed_archive_is_read_before_it_is_written() -> None:
    assert packed(BOX, Changed(b"box\na\n\nb", b"box\nc\n\nd")) == b"box\nc\n\nd"
    for others in (b"box\n\nc\nd", b"box\nc\n\nd\n", b"box\nc\n", b"box"):
        with pytest.raises(FormatError, match="its entries would be others"):
            packed(BOX, Changed(b"box\na\n\nb", others))
    with pytest.raises(FormatError, match="shouts"):
        packed(Format("box", "box", "", "archive", (), BOX.recognise, note, described), Changed(b"box\na", b"box!"))
    with pytest.raises(FormatError, match="its entries would be others"):
        packed(NOTE, Changed(b"box\na", b"note"))


def test_entries_that_are_the_same_bytes_are_asked_once() -> None:
    """Entries 0 and 1 are stored at byte 0, 2 and 3 at byte 5, where something is wrong; 4 and 5 nowhere."""
    asked: list[int] = []

    def ask(index: int) -> str:
        asked.append(index)
        if index in (2, 3):
            raise FormatError("is damaged", 7, path="file")
        return f"answer {index}"

    def stored(_: Archive, index: int) -> int:
        return (0, 0, 5, 5, -1, -1)[index]

    kind = Format("box", "box", "", "archive", (), BOX.recognise, Box, described, stored=stored)
    archive = Box(b"box")
    answer = once(kind, archive, ask)
    assert [answer(index) for index in (0, 1, 4, 5, 4)] == ["answer 0", "answer 0", "answer 4", "answer 5", "answer 4"]
    for index in (2, 3):
        with pytest.raises(FormatError) as refused:
            answer(index)
        assert (refused.value.problem, refused.value.offset, refused.value.path) == ("is damaged", 7, "file")
    assert asked == [0, 4, 5, 4, 2]
    of_no_kind = once(BOX, archive, ask)
    assert [of_no_kind(index) for index in (0, 1)] == ["answer 0", "answer 1"], "which of them are the same is not known"


def test_memory_gives_what_it_has_and_no_more() -> None:
    memory = Memory(b"abcd")
    assert memory.size == 4 and bytes(memory.read(1, 3, "the end")) == b"bcd" and bytes(memory.read(4, 0, "nothing")) == b""
    with pytest.raises(FormatError, match="the end"):
        memory.read(2, 3, "the end")


def test_an_entry_that_an_archive_lists_otherwise_is_opened_so(box: Path) -> None:
    """Of a kind that knows entries by other means; what it does not know is looked for as in any other."""
    kind = replace(BOX, listed=lambda _path, archive, entry: (NOTE, f"{entry} of {len(archive)}", b"note z") if entry == "third" else None)
    formats = Registry(lambda: (NOTE, kind))
    opened = formats.open_file(f"{box}#third")
    assert (opened.format, opened.document, opened.data, opened.address) == (NOTE, "third of 4", b"note z", f"{box}#third")
    assert formats.open_file(f"{box}#second").document == "note b"


def test_a_kind_may_read_its_file_itself(box: Path) -> None:
    kind = replace(BOX, open=lambda path: (f"from {Path(path).name}", b"tables"))
    opened = Registry(lambda: (NOTE, kind)).open_file(box)
    assert (opened.document, opened.data) == ("from all.box", b"tables")


def test_a_file_that_a_game_has_once_is_known_by_its_name(tmp_path: Path) -> None:
    """In any letter case, whatever it begins with; what has another name is of no kind for that."""
    lists, notes = replace(BOX, extensions=(), file_name="names.lst"), replace(NOTE, extensions=())
    formats = Registry(lambda: (lists, notes))
    for name, kind in (("NAMES.LST", lists), ("others.lst", None), ("names", None)):
        (tmp_path / name).write_bytes(b"anything")
        assert formats.recognise_file(tmp_path / name) is kind
    (tmp_path / "names.lst").write_bytes(b"note a")
    assert formats.recognise_file(tmp_path / "names.lst") is notes, "its content says it"


def test_entries_are_found_by_what_people_call_them(box: Path) -> None:
    """By those that can be read, and are of a known kind, from a list that is given along. Their own names go before."""

    def called(path: str, archive: Archive, kinds: Mapping[int, str], names: str) -> dict[int, str]:
        assert (Path(path), len(archive), names) == (box, 4, "list")
        return {index: f"{kind}{index}" for index, kind in kinds.items()}

    box.write_bytes(b"box\nnote a\nnote b\n\nelse")
    archive, kind = Box(box.read_bytes()), replace(BOX, called=called)
    assert FORMATS.chosen(archive, "animation0", str(box), kind, "list") == [0]
    for unknown in ("animation1", "animation2", "animation3"):
        with pytest.raises(FormatError, match=f"no entry is called {unknown}"):
            FORMATS.chosen(archive, unknown, str(box), kind, "list")


def test_what_is_an_archive_besides() -> None:
    assert as_archive(NOTE, "note\na\nb") is None
    archive = as_archive(replace(NOTE, archive=lambda text: Box(text.encode())), "note\na\nb")
    assert archive is not None and [archive.read(index) for index in range(len(archive))] == [b"a", b"b"]


def test_an_archive_without_names_of_its_own_has_no_others(box: Path) -> None:
    """Nor one whose kind is not known."""
    archive = Box(box.read_bytes())
    for kind in (None, BOX):
        assert FORMATS.chosen(archive, "second", str(box), kind) == [1]
        with pytest.raises(FormatError, match="no entry is called third"):
            FORMATS.chosen(archive, "third", str(box), kind)
