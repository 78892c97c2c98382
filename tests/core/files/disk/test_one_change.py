"""A file that is written several times for one change of it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest
from retro_anim.core.files.disk import disk, sharing
from retro_anim.core.files.disk.disk import write_file
from retro_anim.core.files.disk.one_change import one_change
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import RetroAnimError


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.hqr"
    path.write_bytes(b"first")
    return path


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("there", [None, b"", b"first"], ids=["new", "empty", "old"])
def test_what_is_written_in_one_change_has_the_backup_of_its_start(tmp_path: Path, there: bytes | None) -> None:
    """By whatever path. The next change keeps what is there then, where nothing is kept yet."""
    path, copy, named = tmp_path / "a.hqr", tmp_path / "a.hqr.bak", tmp_path / "a.hqr"
    if sys.platform != "win32":
        named = tmp_path / "link.hqr"
        named.symlink_to(path)
    if there is not None:
        path.write_bytes(there)
    with one_change(named):
        for data in (b"1", b"2", b"3"):
            write_file(path, data, backup=True)
        assert path.read_bytes() == b"3"
        assert (copy.read_bytes() if copy.exists() else None) == there
    write_file(path, b"4", backup=True)
    assert copy.read_bytes() == (there or b"3")


@pytest.mark.parametrize("kept", [False, True])
def test_a_change_that_is_broken_off_before_anything_is_written_leaves_all(file: Path, kept: bool) -> None:
    if kept:
        (file.parent / "a.hqr.bak").write_bytes(b"once")
    before = contents(file.parent)
    with pytest.raises(RetroAnimError, match="no more"), one_change(file):
        raise RetroAnimError("no more")
    assert contents(file.parent) == before


@pytest.mark.parametrize("there", [None, b"first"], ids=["new", "changed"])
@pytest.mark.parametrize("kept", [False, True], ids=["first change", "later change"])
@pytest.mark.parametrize("stop", [KeyboardInterrupt, RetroAnimError("no more")], ids=["Ctrl-C", "error"])
def test_a_change_that_is_broken_off_leaves_the_file_as_it_was(
    tmp_path: Path, there: bytes | None, kept: bool, stop: type[BaseException] | BaseException
) -> None:
    path, copy = tmp_path / "a.hqr", tmp_path / "a.hqr.bak"
    if there is not None:
        path.write_bytes(there)
        path.chmod(0o640)
    if kept:
        copy.write_bytes(b"once")
    with pytest.raises(BaseException, match=r"^(no more)?$"), one_change(path):
        for data in (b"1", b"2"):
            write_file(path, data, backup=True)
        raise stop
    assert (path.read_bytes() if path.exists() else None) == there
    assert (copy.read_bytes() if copy.exists() else None) == (b"once" if kept else None)
    assert sorted(os.listdir(tmp_path)) == ["a.hqr"] * (there is not None) + ["a.hqr.bak"] * kept
    assert there is None or sys.platform == "win32" or path.stat().st_mode & 0o777 == 0o640
    write_file(path, b"3", backup=True)  # nobody else has changed it
    assert path.read_bytes() == b"3"


def test_a_writing_that_fails_is_no_part_of_a_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, copy = tmp_path / "a.hqr", tmp_path / "a.hqr.bak"
    path.write_bytes(b"first")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    with one_change(path):
        with monkeypatch.context() as patched, pytest.raises(RetroAnimError, match="No space left"):
            patched.setattr(disk.os, "fsync", full)
            write_file(path, b"1", backup=True)
        assert not copy.exists()
        write_file(path, b"2", backup=True)
        write_file(path, b"3", backup=True)
    assert copy.read_bytes() == b"first" and path.read_bytes() == b"3"


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX file modes")
def test_a_file_that_is_gone_when_a_change_is_broken_off_is_brought_back(file: Path) -> None:
    """With its rights."""
    file.chmod(0o640)
    with pytest.raises(RetroAnimError, match=r"^no more$"), one_change(file):
        write_file(file, b"1", backup=True)
        file.unlink()
        raise RetroAnimError("no more")
    assert contents(file.parent) == {"a.hqr": b"first"} and file.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("backup", [True, False], ids=["with a .bak", "without"])
def test_what_cannot_be_brought_back_of_a_change_is_told(file: Path, monkeypatch: pytest.MonkeyPatch, backup: bool) -> None:
    """The .bak of the change stays, since it is all that is left, and nothing temporary does."""

    def refused(source: str, target: str) -> None:
        raise OSError(30, "Read-only file system")

    with log.collect() as said, monkeypatch.context() as patched, pytest.raises(RetroAnimError, match=r"^no more$"), one_change(file):
        write_file(file, b"1", backup=backup)
        patched.setattr(os, "replace", refused)
        raise RetroAnimError("no more")
    (warning,) = map(str, said.of("WARNING"))
    assert f"{file}: is replaced already, and cannot be brought back: Read-only file system" in warning
    assert ("as it was before the first export it is in a.hqr.bak" in warning) == backup
    assert contents(file.parent) == {"a.hqr": b"1"} | ({"a.hqr.bak": b"first"} if backup else {})
    write_file(file, b"2", backup=True)  # nobody else has changed it
    assert file.read_bytes() == b"2"


@pytest.mark.parametrize("backup", [True, False], ids=["kept", "not kept"])
def test_an_empty_backup_before_a_change_that_is_broken_off(file: Path, backup: bool) -> None:
    """It keeps nothing: the change's own takes its place and goes; where none is made it stays as it is."""
    file.with_name("a.hqr.bak").touch()
    with pytest.raises(RetroAnimError, match=r"^no more$"), one_change(file):
        write_file(file, b"1", backup=backup)
        raise RetroAnimError("no more")
    assert contents(file.parent) == {"a.hqr": b"first"} | ({} if backup else {"a.hqr.bak": b""})


def test_a_change_inside_another_is_a_part_of_it(file: Path) -> None:
    with pytest.raises(RetroAnimError, match=r"^no more$"), one_change(file):
        write_file(file, b"1", backup=True)
        with one_change(file):
            write_file(file, b"2", backup=True)
        write_file(file, b"3", backup=True)
        raise RetroAnimError("no more")
    assert contents(file.parent) == {"a.hqr": b"first"}
    with one_change(file), one_change(file):
        write_file(file, b"1", backup=True)
    assert contents(file.parent) == {"a.hqr": b"1", "a.hqr.bak": b"first"}


def test_what_a_change_cannot_keep_is_an_error_that_names_the_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And nothing is written."""

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    with one_change(file):
        with monkeypatch.context() as patched, pytest.raises(RetroAnimError, match=r"a\.hqr: cannot be written: No space left.*make room"):
            patched.setattr("shutil.copyfile", full)
            patched.setattr(Path, "read_bytes", full)
            write_file(file, b"1")
        assert file.read_bytes() == b"first"
        write_file(file, b"2")
    assert contents(file.parent) == {"a.hqr": b"2"}


def test_a_long_change_keeps_what_it_found(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Longer than it takes for a temporary file to be one that a killed process has left."""
    monkeypatch.setattr(sharing, "_LEFT_AFTER", -1.0)
    with pytest.raises(KeyboardInterrupt), one_change(file):
        for data in (b"1", b"2", b"3"):
            write_file(file, data)
            disk.write_file(file.with_name("b.hqr"), data)
        raise KeyboardInterrupt
    assert contents(file.parent) == {"a.hqr": b"first", "b.hqr": b"3"}


def test_a_file_that_could_never_be_written_is_left_alone(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As one that another program has open on Windows: it was not replaced, and no warning says so."""

    def refused(source: str, target: str) -> None:
        raise PermissionError(13, "Permission denied")

    with log.collect() as said, pytest.raises(RetroAnimError, match=r"a\.hqr: cannot be written"), one_change(file):
        monkeypatch.setattr(os, "replace", refused)
        write_file(file, b"1")
    assert not said.of("WARNING") and contents(file.parent) == {"a.hqr": b"first"}
