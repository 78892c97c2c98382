"""The archive: plain and packed entries by path, and damaged ones."""

from __future__ import annotations

import os
import struct
import tracemalloc
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from retro_anim.core import formats
from retro_anim.core.oni2.characters import game_files
from retro_anim.core.oni2.files.dave import TABLE, Dave
from retro_anim.core.reporting.errors import FormatError
from support.oni2.oni2_files import dave, deflated

FILES = {
    "Entity/": b"",
    "Entity/kno/": b"",
    "Entity/kno/kno.skel": b"bone a { }" * 40,
    "Entity/kno/Entity.type": b"SKEL kno",
    "empty.txt": b"",
}
PACKED = ("Entity/kno/kno.skel",)


@pytest.fixture
def data() -> bytes:
    return dave(FILES, PACKED)


def test_entries_by_path(data: bytes) -> None:
    archive = Dave.parse(data)
    assert archive.pack() == data
    assert [archive.name(index) for index in range(len(archive))] == list(FILES)
    assert [archive.blank(index) for index in range(len(archive))] == [True, True, False, False, False]
    for name, content in FILES.items():
        for path in (name, name.upper(), name.replace("/", "\\")):
            index = archive.find(path)
            assert index is not None
            assert archive.read(index) == content
    assert archive.find("nothing") is None


@given(st.dictionaries(st.text("abcXY/.", min_size=1, max_size=9), st.binary(max_size=60), max_size=6), st.integers(0, 63))
def test_any_archive_comes_back(files: dict[str, bytes], mask: int) -> None:
    files = {name: b"" if name.endswith("/") else content * 3 for name, content in files.items()}
    packed = [name for bit, name in enumerate(files) if mask >> bit & 1 and len(deflated(files[name])) < len(files[name])]
    whole = dave(files, packed)
    archive = Dave.parse(whole)
    assert archive.pack() == whole
    assert [archive.read(index) for index in range(len(archive))] == list(files.values())


def test_of_a_file_only_what_is_asked_for_is_read(data: bytes, tmp_path: Path) -> None:
    """Also by whoever opens it for a character."""
    path, size = tmp_path / "RB.DAT", 64 << 20
    path.write_bytes(data)
    os.truncate(path, size)
    for opened in (lambda: formats.open_file(path).document, lambda: game_files.opened(str(path))):
        tracemalloc.start()
        archive = opened()
        assert [archive.name(index) for index in range(len(archive))] == list(FILES)
        assert [archive.read(index) for index in range(len(archive))] == list(FILES.values())
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < size // 16
    whole = formats.open_file(path)
    assert whole.document.pack() == whole.data == data[: 0x800 + 16 * len(FILES)]


@pytest.mark.parametrize(("field", "value"), [(0, 0xFFFFFFF0), (0, 1 << 20), (1, 0), (2, 0xFFFFFFFF), (3, 5)])
def test_a_file_is_read_as_its_bytes_are(data: bytes, tmp_path: Path, field: int, value: int) -> None:
    broken, path = changed(data, 2, field, value), tmp_path / "RB.DAT"
    path.write_bytes(broken)
    shown: list[list[str]] = []
    for opened in (lambda: Dave.parse(broken), lambda: Dave.open(str(path))):
        archive = opened()
        shown.append([archive.name(index) for index in range(len(archive))])
        for index in range(len(archive)):
            try:
                shown[-1].append(str(archive.read(index)))
            except FormatError as error:
                shown[-1].append(f"{error.problem} at {error.offset}")
    assert shown[0] == shown[1]


def test_names_and_entries_that_would_fill_the_memory(data: bytes, tmp_path: Path) -> None:
    """Of a file that takes no room itself."""
    path = tmp_path / "RB.DAT"
    path.write_bytes(changed(data, 2, 0, (1 << 31)))
    os.truncate(path, 3 << 30)
    with pytest.raises(FormatError, match=r"names are \d+ bytes apart"):
        Dave.open(str(path))
    path.write_bytes(data[:4] + struct.pack("<I", 1 << 27) + data[8:])
    os.truncate(path, 3 << 30)
    with pytest.raises(FormatError, match="134217728 entries, at most 4194304"):
        Dave.open(str(path))


def changed(data: bytes, index: int, field: int, value: int) -> bytes:
    offset = 0x800 + 16 * index + 4 * field
    return data[:offset] + struct.pack("<I", value) + data[offset + 4 :]


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        (1, 0xFFFFFFF0, "outside the file"),
        (1, 0x10, "outside the file"),
        (3, 0xFFFFFFFF, "outside the file"),
        (2, 0xFFFFFFFF, "at most"),
        (2, 399, "more bytes instead of 399"),
        (2, 401, "400 bytes instead of 401"),
        (1, 0x1001, "without the mark"),
    ],
)
def test_a_damaged_entry_harms_no_other(data: bytes, field: int, value: int, problem: str) -> None:
    broken = Dave.parse(changed(data, 2, field, value))
    assert broken.pack() == changed(data, 2, field, value)
    with pytest.raises(FormatError, match=problem):
        broken.read(2)
    assert broken.read(3) == b"SKEL kno"


def test_damaged_deflate(data: bytes) -> None:
    offset = data.index(bytes.fromhex("1AFA25DD"))
    broken = Dave.parse(data[: offset + 4] + b"\xff" * 8 + data[offset + 12 :])
    with pytest.raises(FormatError, match="damaged"):
        broken.read(2)


@pytest.mark.parametrize("data", [b"", b"DAVE", b"DAVE" + bytes(0x7FC - 1), b"Dave" + bytes(0x800), b"DAVE\xff\xff\xff\xff" + bytes(0x900)])
def test_no_archive(data: bytes) -> None:
    with pytest.raises(FormatError):
        Dave.parse(data)


def test_names_that_overlap_cost_no_memory() -> None:
    count = 20_000
    entries = b"".join(struct.pack("<4I", index, 0x800, 0, 0) for index in range(count))
    with pytest.raises(FormatError, match="names are longer than the file"):
        Dave.parse((b"DAVE" + struct.pack("<3I", count, 16 * count, 0)).ljust(0x800, b"\0") + entries + b"a" * (count + 2000))


def test_cut_off_and_changed_anywhere(data: bytes) -> None:
    for length in [*range(0, len(data), 37), len(data) - 1]:
        with suppress(FormatError):
            archive = Dave.parse(data[:length])
            assert archive.pack() == data[:length]
            for index in range(len(archive)):
                with suppress(FormatError):
                    archive.read(index)


@given(st.integers(0, 0x900), st.integers(0, 255))
def test_any_changed_byte(offset: int, value: int) -> None:
    broken = bytearray(dave(FILES, PACKED))
    broken[offset] = value
    with suppress(FormatError):
        archive = Dave.parse(bytes(broken))
        assert archive.pack() == bytes(broken)
        for index in range(len(archive)):
            archive.blank(index)
            with suppress(FormatError):
                archive.read(index)


def test_names_right_behind_the_entries_count() -> None:
    """All names at one of 900 letters: it would be as many times in memory, which is more than the file has."""
    head = b"DAVE" + struct.pack("<III", 8, 128, 0x1000)
    entries = bytes(8 * 16)
    data = head.ljust(TABLE, b"\0") + (entries + b"a" * 900 + b"\0").ljust(1100, b"\0")
    assert len(data) < 8 * 900
    with pytest.raises(FormatError, match="names are longer than the file"):
        Dave.parse(data)


def test_names_far_into_the_names(data: bytes) -> None:
    """Behind more than a kilobyte of others, which is what of a name is looked at."""
    files = {f"Entity/{number:03}/a name of some length.txt": bytes([number]) for number in range(60)}
    archive = Dave.parse(dave(files))
    assert [archive.name(index) for index in range(60)] == list(files)


def test_where_an_entry_lies_outside_is_the_offset_of_its_row(data: bytes) -> None:
    with pytest.raises(FormatError) as raised:
        Dave.parse(changed(data, 2, 1, 0xFFFFFFF0)).read(2)
    assert raised.value.offset == 0x800 + 2 * 16


def test_names_among_much_else_take_little_memory() -> None:
    """Whatever the files hold: the places of all zeros in them would take eight times as much as they do."""
    size = 1 << 24
    head = b"DAVE" + struct.pack("<III", 3, 48, 0x1000)
    entries = struct.pack("<12I", 0, 0, 0, 0, 2, 0, 0, 0, size - 4096, 0, 0, 0)
    data = head.ljust(TABLE, b"\0") + (entries + b"a\0bc\0").ljust(size, b"\0")
    tracemalloc.start()
    archive = Dave.parse(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [archive.name(index) for index in range(3)] == ["a", "bc", ""]
    assert peak < size
