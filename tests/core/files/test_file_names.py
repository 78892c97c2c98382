"""Names of files: valid on any system, never one file by letter case, and found whatever it is."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from retro_anim.core.files.disk.disk import read_file, write_file
from retro_anim.core.files.disk.first_state import backup_of
from retro_anim.core.files.file_names import distinct, file_name, on_disk, same_file, whole_name
from retro_anim.core.files.letter_case import Folders, find_beside
from retro_anim.core.files.once import kept, looking_once
from retro_anim.core.formats import open_file
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import FormatError, RetroAnimError
from support import counted


def test_files_beside_are_found_whatever_their_letter_case(tmp_path: Path) -> None:
    here = tmp_path / "ANIM.HQR"
    here.write_bytes(b"")
    (tmp_path / "Body.Hqr").write_bytes(b"")
    (tmp_path / "folder.hqr").mkdir()
    assert find_beside(here, "BODY.HQR") == tmp_path / "Body.Hqr"
    assert find_beside(tmp_path, "anim.hqr") == here
    assert find_beside(here, "folder.hqr") is None
    assert find_beside(tmp_path / "no" / "a", "b") is None


def test_what_lies_beside_is_looked_for_once_where_many_ask(tmp_path: Path) -> None:
    """And anew afterwards, and by the next who ask."""
    here, body = tmp_path / "ANIM.HQR", tmp_path / "body.hqr"
    with looking_once():
        assert find_beside(here, "BODY.HQR") is None
        body.write_bytes(b"")
        assert find_beside(here, "BODY.HQR") is None
        assert find_beside(here, "body.hqr") == body
    assert find_beside(here, "BODY.HQR") == body
    with looking_once():
        assert find_beside(here, "BODY.HQR") == body


def test_answers_of_different_kinds_about_the_same_are_two() -> None:
    with looking_once():
        assert [kept(kind, ("a",), lambda kind=kind: f"its {kind}") for kind in ("file", "folder", "file")] == [
            "its file",
            "its folder",
            "its file",
        ]


@pytest.mark.parametrize("name", ["CON", "nul", "Aux.walk", "com1", "LPT\u00b9", "conin$"])
def test_names_of_devices_are_no_names_of_files(name: str) -> None:
    assert file_name(name) == f"_{name}"


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("walk... ", "walk"),
        (" .walk", "walk"),
        ("a/b\\c:d", "a_b_c_d"),
        ("a\x1b[31m\x7f\x85\u202eb", "a_[31m___b"),
        ("..", "clip"),
        ("e\u0301", "\u00e9"),
        ("\ud800", "_"),
        ("console", "console"),
        ("common", "common"),
    ],
)
def test_names_of_files_are_valid_on_any_system(name: str, wanted: str) -> None:
    assert file_name(name) == wanted


@given(st.text(min_size=1, max_size=400))
def test_any_name_becomes_a_file_with_its_backup(tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    path = tmp_path_factory.mktemp("names") / f"{file_name(name)}.anim"
    for data in (b"1", b"2"):
        write_file(path, data, backup=True)
    assert read_file(backup_of(path)) == b"1" and len(os.listdir(path.parent)) == 2


def test_a_name_of_255_bytes_is_written_with_a_backup(tmp_path: Path) -> None:
    path = tmp_path / ("\u00e9" * 125 + "x.oni")
    assert len(os.fsencode(path.name)) == 255
    for data in (b"1", b"2"):
        write_file(path, data, backup=True)
    assert read_file(path) == b"2" and read_file(backup_of(path)) == b"1"
    assert len(os.listdir(tmp_path)) == 2


@pytest.mark.parametrize(("length", "whole"), [(251, True), (252, False)])
def test_a_name_is_cut_only_where_it_and_its_ending_are_more_than_255_bytes(tmp_path: Path, length: int, whole: bool) -> None:
    path = tmp_path / ("n" * length)
    assert (backup_of(path).name == f"{path.name}.bak") == whole and len(backup_of(path).name) == 255


def test_long_names_that_differ_at_their_end_have_a_backup_each(tmp_path: Path) -> None:
    paths = [tmp_path / ("n" * 250 + end) for end in ("1.anm", "1.lm1")]
    for path in paths:
        for data in (path.name.encode(), b"new"):
            write_file(path, data, backup=True)
    assert [read_file(backup_of(path)) for path in paths] == [path.name.encode() for path in paths]


def test_several_files_of_one_folder_are_never_one(tmp_path: Path) -> None:
    assert distinct(["Walk.anim", "walk.anim", "WALK.anim", "walk.skel", "run.anim"]) == (
        "Walk.anim",
        "walk.001.anim",
        "WALK.002.anim",
        "walk.skel",
        "run.anim",
    )
    assert distinct(["a.x", "a.001.x", "A.x"]) == ("a.x", "a.001.x", "A.002.x")
    assert len(set(map(str.casefold, distinct(["\u00c9", "e\u0301", "stra\u00dfe", "STRASSE"])))) == 4


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("walk.anim", "walk.anim"),
        ("walk", "walk"),
        ("con.anim", "_con.anim"),
        ("a.x\x1by", "a.x_y"),
        ("walk.", "walk"),
        ("Mr. Smith and sons", "Mr. Smith and sons"),
        ("../up.anim", "_up.anim"),
        ("x" * 300 + ".anim", "x" * 240 + ".anim"),
        ("x" * 300 + ".h", "x" * 240 + ".h"),
        ("x" * 300 + ".", "x" * 240),
    ],
)
def test_names_with_their_extension(name: str, wanted: str) -> None:
    assert whole_name(name) == wanted


def test_letter_case_and_unicode_forms_are_one_file(tmp_path: Path) -> None:
    assert same_file(tmp_path / "Walk.anm") == same_file(tmp_path / "walk.ANM")
    assert same_file(tmp_path / "\u00c9") == same_file(tmp_path / "e\u0301")
    assert same_file(tmp_path / "walk") != same_file(tmp_path / "walk2")


def test_a_nul_is_in_no_name(tmp_path: Path) -> None:
    """As a damaged file may name another one."""
    assert same_file(tmp_path / "a\0b") not in map(same_file, (tmp_path / "a", tmp_path / "ab", tmp_path / "a\0c"))
    assert on_disk(tmp_path / "a\0b") == (0, 0, same_file(tmp_path / "a\0b"))
    with pytest.raises(RetroAnimError, match=r"is no name of a file: it has a NUL in it$"):
        write_file(tmp_path / "a\0b", b"")


@pytest.mark.skipif(os.name == "nt", reason="NTFS has such names")
def test_half_a_character_is_in_no_name(tmp_path: Path) -> None:
    """Which Python's text may hold; halves that stand for bytes are in names that the system has."""
    path = tmp_path / "a\ud800b.anm"
    for use in (lambda: write_file(path, b""), lambda: read_file(path), lambda: open_file(str(path))):
        with pytest.raises(RetroAnimError, match=r"is no name of a file: it has half of a character in it$"):
            use()
    assert same_file(path) != same_file(tmp_path / "ab.anm")
    assert Folders().names(path) == {}
    write_file(tmp_path / "a\udcffb", b"1")
    assert read_file(tmp_path / "a\udcffb") == b"1"


@pytest.mark.parametrize("reading", [read_file, open_file])
def test_a_nul_is_in_no_name_that_is_read(tmp_path: Path, reading: Callable[[str], object]) -> None:
    with pytest.raises(FormatError, match=r"is no name of a file: it has a NUL in it$"):
        reading(f"{tmp_path}/a\0b.anm")


@pytest.mark.parametrize("failure", [PermissionError(13, "Permission denied"), OSError(5, "Input/output error")])
def test_a_file_in_a_folder_that_nobody_may_look_into_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: OSError
) -> None:
    """Its name can be listed still."""
    (tmp_path / "List.bin").write_bytes(b"")

    def refused(*_: object, **__: object) -> None:
        raise failure

    monkeypatch.setattr(Path, "stat", refused)
    monkeypatch.setattr(Path, "is_file", refused)
    with log.collect() as said:
        assert Folders().file(tmp_path, "list.BIN") is None
    monkeypatch.undo()
    assert [str(message) for message in said.of("WARNING")] == [f"{tmp_path / 'List.bin'}: {failure.strerror}, and it is not used"]


@pytest.mark.parametrize("expected", [False, True])
def test_a_folder_that_cannot_be_listed_has_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected: bool) -> None:
    """Which is warned of where it was looked for."""
    (tmp_path / "list.bin").write_bytes(b"")

    def refused(_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "listdir", refused)
    with log.collect() as said:
        entries = Folders().listed(tmp_path, expected) if expected else Folders().listed(tmp_path)
    monkeypatch.undo()
    warning = f"{tmp_path}: Permission denied, so nothing in it is used"
    assert entries == {} and [str(message) for message in said.of("WARNING")] == [warning] * expected
    monkeypatch.setattr(os, "listdir", refused)
    with log.collect() as said:
        assert Folders().names(tmp_path) == {}
    assert not said.messages


def test_a_folder_is_listed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of a game may have tens of thousands of files."""
    (tmp_path / "List.bin").write_bytes(b"")
    folders, listed = Folders(), list[object]()
    listdir = os.listdir
    monkeypatch.setattr(os, "listdir", lambda path: listed.append(path) or listdir(path))
    assert [folders.file(tmp_path, name) is not None for name in ("list.bin", "other.bin", "LIST.BIN")] == [True, False, True]
    assert listed == [tmp_path]


def test_a_folder_is_found_and_a_file_of_its_name_is_none(tmp_path: Path) -> None:
    (tmp_path / "Anim" / "Walk").mkdir(parents=True)
    (tmp_path / "anim.hqr").write_bytes(b"")
    assert Folders().folder(tmp_path, "ANIM", "walk") == tmp_path / "Anim" / "Walk"
    assert Folders().folder(tmp_path, "anim.HQR") is None and Folders().folder(tmp_path, "body") is None


def test_what_is_too_long_for_a_path_is_not_followed() -> None:
    """A damaged .blend may hold one of megabytes; to follow it takes minutes."""
    with counted.calls() as calls:
        same_file("../" * 20_000)
    assert calls() < 100


@pytest.mark.skipif(os.name == "nt", reason="file names there have no letter case")
def test_of_names_that_differ_by_their_letter_case_the_first_is_taken(tmp_path: Path) -> None:
    for name in ("list.bin", "List.bin", "LIST.BIN"):
        (tmp_path / name).write_bytes(name.encode())
    if len(list(tmp_path.iterdir())) == 3:
        assert Folders().file(tmp_path, "list.bin") == tmp_path / "LIST.BIN"
        assert list(Folders().listed(tmp_path).values()) == [tmp_path / "LIST.BIN"]


@pytest.mark.skipif(os.name == "nt", reason="there are no pipes among files there")
def test_what_has_the_name_of_a_file_and_is_none_is_told(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / "gone")
    (tmp_path / "folder").mkdir()
    whats = {"pipe": "is no regular file", "link": "is a link that leads nowhere", "folder": "is a folder"}
    for name, what in whats.items():
        with log.collect() as said:
            assert Folders().file(tmp_path, name) is None
        assert [f"{name}: {what}, and is not used" in line for line in said.digest("WARNING")] == [True]


@pytest.mark.parametrize("closed", ["", "Data", "Data/Texture"])
def test_a_folder_below_in_which_nobody_may_look_is_told(closed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not the one that is looked in first, which may be any that a person has."""
    (tmp_path / "Data" / "Texture").mkdir(parents=True)
    listdir = os.listdir

    def listed(folder: Path) -> list[str]:
        if folder == tmp_path / closed:
            raise PermissionError(13, "Permission denied")
        return listdir(folder)

    monkeypatch.setattr(os, "listdir", listed)
    with log.collect() as said:
        assert Folders().inside(tmp_path, "data", "texture", "a.bmp") is None
    assert said.digest() == ([f"{tmp_path / closed}: Permission denied, so nothing in it is used"] if closed else [])
