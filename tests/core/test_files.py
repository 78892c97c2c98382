"""Writing that never leaves half a file: the old one is whole until the new one is, and a .bak is made once."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from retro_anim.core import files
from retro_anim.core.errors import FormatError, RetroAnimError
from retro_anim.core.files import find_beside, read_file, write_file


@given(st.binary(max_size=2000), st.binary(max_size=2000))
def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, first: bytes, second: bytes) -> None:
    path = tmp_path_factory.mktemp("files") / "a.bin"
    for data in (first, second):
        write_file(path, data)
        assert read_file(path) == data
    assert os.listdir(path.parent) == ["a.bin"]


def test_a_failure_while_writing_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.bin"
    path.write_bytes(b"old")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(RetroAnimError, match=r"a\.bin: cannot be written: No space left"):
        write_file(path, b"new" * 1000)
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a.bin"]


def test_a_failure_while_replacing_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.bin"
    path.write_bytes(b"old")

    def locked(source: object, target: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(files.os, "replace", locked)
    with pytest.raises(RetroAnimError, match="Permission denied"):
        write_file(path, b"new")
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a.bin"]


def test_all_is_on_disk_before_the_old_file_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.bin"
    path.write_bytes(b"old")
    done: list[str] = []
    replace, fsync = os.replace, os.fsync

    def watched(source: str, target: str) -> None:
        done.append(f"replace by {Path(source).read_bytes()!r} from the same folder: {Path(source).parent == tmp_path}")
        replace(source, target)

    def synced(handle: int) -> None:
        fsync(handle)
        done.append("sync")

    monkeypatch.setattr(files.os, "replace", watched)
    monkeypatch.setattr(files.os, "fsync", synced)
    write_file(path, b"new")
    assert done == ["sync", "replace by b'new' from the same folder: True"]


def test_the_backup_is_the_first_state_and_is_never_overwritten(tmp_path: Path) -> None:
    path, copy = tmp_path / "a.hqr", tmp_path / "a.hqr.bak"
    write_file(path, b"new", backup=True)
    assert not copy.exists(), "there was nothing to keep"
    for data in (b"1", b"2", b"3"):
        write_file(path, data, backup=True)
        assert copy.read_bytes() == b"new" and path.read_bytes() == data
    assert sorted(os.listdir(tmp_path)) == ["a.hqr", "a.hqr.bak"]


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(RetroAnimError, match="cannot be written"):
        write_file(tmp_path / "no" / "a.bin", b"")
    with pytest.raises(FormatError, match=r"a\.bin"):
        read_file(tmp_path / "no" / "a.bin")


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX file modes and links")
def test_mode_and_link_stay(tmp_path: Path) -> None:
    path, link = tmp_path / "a.bin", tmp_path / "link"
    path.write_bytes(b"old")
    path.chmod(0o640)
    link.symlink_to(path)
    write_file(link, b"new")
    assert link.is_symlink() and path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    mask = os.umask(0o027)
    try:
        write_file(tmp_path / "fresh", b"")
        assert os.umask(0o027) == 0o027, "the process's mask is as before"
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "fresh").stat().st_mode) == 0o640


def test_files_beside_are_found_whatever_their_letter_case(tmp_path: Path) -> None:
    here = tmp_path / "ANIM.HQR"
    here.write_bytes(b"")
    (tmp_path / "Body.Hqr").write_bytes(b"")
    (tmp_path / "folder.hqr").mkdir()
    assert find_beside(here, "BODY.HQR") == tmp_path / "Body.Hqr"
    assert find_beside(tmp_path, "anim.hqr") == here
    assert find_beside(here, "folder.hqr") is None
    assert find_beside(tmp_path / "no" / "a", "b") is None
