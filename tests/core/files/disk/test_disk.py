"""Writing that never leaves half a file: the old one is whole until the new one is, and a .bak is made once."""

from __future__ import annotations

import io
import os
import shutil
import stat
import sys
from pathlib import Path
from types import BuiltinFunctionType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from retro_anim.core.files.disk import beside, disk, refusals
from retro_anim.core.files.disk.disk import read_file, write_file
from retro_anim.core.files.disk.first_state import backup_of
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import FormatError, RetroAnimError


@pytest.mark.parametrize("old", ["old", ""])
def test_what_was_to_replace_a_file_and_has_not_leaves_it_as_it_was(tmp_path: Path, old: str) -> None:
    """Its copy goes, or without one what is new."""
    for name in ("a.bin", "new", *([old] if old else [])):
        (tmp_path / name).write_bytes(name.encode())
    assert beside.take_back(str(tmp_path / "new"), str(tmp_path / old) if old else "", tmp_path / "a.bin") is True
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == {"a.bin": b"a.bin"} | ({"new": b"new"} if old else {})


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

    monkeypatch.setattr(disk.os, "fsync", full)
    with pytest.raises(RetroAnimError, match=r"a\.bin: cannot be written: No space left"):
        write_file(path, b"new" * 1000)
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a.bin"]


def test_a_failure_while_replacing_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.bin"
    path.write_bytes(b"old")

    def locked(source: object, target: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(disk.os, "replace", locked)
    with pytest.raises(RetroAnimError, match="Permission denied"):
        write_file(path, b"new")
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a.bin"]


def test_all_is_on_disk_before_the_old_file_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.bin"
    path.write_bytes(b"old")
    finished: list[str] = []
    replace, fsync = os.replace, os.fsync

    def watched(source: str, target: str) -> None:
        finished.append(f"replace by {Path(source).read_bytes()!r} from the same folder: {Path(source).parent == tmp_path}")
        replace(source, target)

    def synced(handle: int) -> None:
        fsync(handle)
        finished.append("sync")

    monkeypatch.setattr(disk.os, "replace", watched)
    monkeypatch.setattr(disk.os, "fsync", synced)
    write_file(path, b"new")
    assert finished == ["sync", "replace by b'new' from the same folder: True", "sync"], "the file first, its folder last"


def test_the_backup_is_the_first_state_and_is_never_overwritten(tmp_path: Path) -> None:
    path, copy = tmp_path / "a.hqr", tmp_path / "a.hqr.bak"
    write_file(path, b"new", backup=True)
    assert not copy.exists(), "there was nothing to keep"
    for data in (b"1", b"2", b"3"):
        write_file(path, data, backup=True)
        assert copy.read_bytes() == b"new" and path.read_bytes() == data
    assert sorted(os.listdir(tmp_path)) == ["a.hqr", "a.hqr.bak"]


def test_a_module_of_python_that_cannot_be_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As where too many files are open: an error that names the file, which is as it was."""
    path = tmp_path / "a.anm"
    path.write_bytes(b"old")
    monkeypatch.setitem(sys.modules, "tempfile", None)
    with pytest.raises(RetroAnimError, match=r"a\.anm: cannot be written: .*tempfile"):
        write_file(path, b"new", backup=True)
    assert path.read_bytes() == b"old" and os.listdir(tmp_path) == ["a.anm"]


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
    mask = os.umask(0o026)
    try:
        write_file(tmp_path / "fresh", b"")
        assert os.umask(0o026) == 0o026, "the process's mask is as before"
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "fresh").stat().st_mode) == 0o640


def test_a_folder_or_a_device_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "a.anm").mkdir()
    with pytest.raises(RetroAnimError, match=r"a\.anm: is a folder") as caught:
        write_file(tmp_path / "a.anm", b"")
    assert "\n" not in str(caught.value)
    with pytest.raises(RetroAnimError, match=r"a\.anm: is a folder: choose a file in it"):
        read_file(tmp_path / "a.anm")
    if sys.platform != "win32":
        os.mkfifo(tmp_path / "pipe")
        with pytest.raises(RetroAnimError, match="no regular file"):
            write_file(tmp_path / "pipe", b"")
        (tmp_path / "loop").symlink_to(tmp_path / "loop")
        with pytest.raises(RetroAnimError, match="loop"):
            write_file(tmp_path / "loop", b"")
        assert (tmp_path / "loop").is_symlink()


def test_a_read_only_file_is_left(tmp_path: Path) -> None:
    path = tmp_path / "a.anm"
    path.write_bytes(b"old")
    path.chmod(0o444)
    with pytest.raises(RetroAnimError, match="read-only"):
        write_file(path, b"new", backup=True)
    assert path.read_bytes() == b"old" and os.listdir(tmp_path) == ["a.anm"]


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="extended attributes")
def test_extended_attributes_and_owner_stay(tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    path.write_bytes(b"old")
    try:
        os.setxattr(path, "user.note", b"mine")
    except OSError:
        pytest.skip("this file system has no extended attributes")
    if os.geteuid() == 0:
        os.chown(path, 1234, 1235)
    before = path.stat()
    os.utime(path, (1, 1))
    write_file(path, b"new")
    after = path.stat()
    assert os.getxattr(path, "user.note") == b"mine"
    assert (after.st_uid, after.st_gid, after.st_mode) == (before.st_uid, before.st_gid, before.st_mode)
    assert after.st_mtime > 1, "it is a new content"


class Calls:
    """Every call of the operating system that goes through `os` or opens a file, counted; one of them fails instead."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, failing: int = -1, failure: BaseException | None = None) -> None:
        self.names: list[str] = []
        self._failing, self._failure = failing, failure
        for name in dir(os):
            call = getattr(os, name)
            if isinstance(call, BuiltinFunctionType) and name not in {"fspath", "getpid", "urandom", "_exit", "abort", "umask", "access"}:
                monkeypatch.setattr(os, name, self._counted(name, call))
        monkeypatch.setattr(io, "open", self._counted("open file", io.open))
        monkeypatch.setattr("builtins.open", self._counted("open file", open))

    def _counted(self, name: str, call: Any) -> Any:
        def counted(*arguments: Any, **named: Any) -> Any:
            self.names.append(name)
            if len(self.names) - 1 == self._failing:
                assert self._failure is not None
                raise self._failure
            return call(*arguments, **named)

        return counted


@pytest.mark.skipif(sys.platform != "linux", reason="the calls that one system makes")
@pytest.mark.parametrize("backup", [False, True])
@pytest.mark.parametrize("there", [False, True])
@pytest.mark.parametrize(
    "failure", [OSError(5, "Input/output error"), OSError(28, "No space left on device"), KeyboardInterrupt()], ids=repr
)
def test_whatever_call_fails(tmp_path: Path, backup: bool, there: bool, failure: BaseException) -> None:
    """The file is the old one or the new one, nothing temporary stays, and a .bak is whole."""

    def write(failing: int) -> tuple[Path, list[str]]:
        folder = tmp_path / str(failing)
        folder.mkdir()
        path = folder / "a.bin"
        if there:
            path.write_bytes(b"old")
        written = False
        with pytest.MonkeyPatch.context() as patched:
            calls = Calls(patched, failing, failure)
            try:
                write_file(path, b"new", backup)
            except RetroAnimError as error:
                assert isinstance(failure, OSError) and "\n" not in str(error)
            except KeyboardInterrupt:
                assert isinstance(failure, KeyboardInterrupt)
            else:
                written = True
        assert not written or path.read_bytes() == b"new"
        return folder, calls.names

    folder, names = write(-1)
    assert {"replace", "fsync", "open"} <= set(names) and len(names) > 8
    count = len(names)
    for failing in range(count):
        folder, names = write(failing)
        left = {path.name: path.read_bytes() for path in folder.iterdir()}
        assert set(left) <= {"a.bin", "a.bin.bak"}, (names[failing], left)
        assert left.get("a.bin") in ({b"old", b"new"} if there else {None, b"new"}), names[failing]
        assert left.get("a.bin.bak", b"old") == b"old" and (backup or "a.bin.bak" not in left), names[failing]


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """What Windows lacks or refuses: owners, extended attributes, folders opened as files, and new names for what is open elsewhere."""
    for name in ("chown", "setxattr", "getxattr", "listxattr", "geteuid"):
        monkeypatch.delattr(os, name, raising=False)
    monkeypatch.setattr(shutil, "_copyxattr", lambda *_, **__: None, raising=False)
    open_file, replace = os.open, os.replace

    def refuse_folders(path: str, *arguments: int, **named: int) -> int:
        if Path(path).is_dir():
            raise PermissionError(13, "Permission denied")
        return open_file(path, *arguments, **named)

    def refuse_locked(source: str, target: str) -> None:
        if Path(target).name.startswith("locked"):
            raise PermissionError(13, "The process cannot access the file because it is being used by another process")
        replace(source, target)

    monkeypatch.setattr(os, "open", refuse_folders)
    monkeypatch.setattr(os, "replace", refuse_locked)


def test_what_the_system_refuses_has_a_remedy(tmp_path: Path) -> None:
    """The second is Windows' answer for a file that another program has open."""
    shared = OSError(13, "It is used by another process")
    shared.winerror = 32  # type: ignore[attr-defined]
    for error, remedy in (
        (PermissionError(13, "Permission denied"), "Permission denied: give yourself the right"),
        (shared, "another process: close it there first"),
        (OSError(30, "Read-only file system"), "system: choose a folder on another disk"),
        (OSError(28, "No space left on device"), "device: make room"),
        (OSError(5, "Input/output error"), "error$"),
    ):
        with pytest.raises(RetroAnimError, match=remedy), refusals.naming(tmp_path / "a.hqr"):
            raise error


def test_writing_on_windows(windows: None, tmp_path: Path) -> None:
    path = tmp_path / "a.hqr"
    for data in (b"1", b"2", b"3"):
        write_file(path, data, backup=True)
    assert path.read_bytes() == b"3" and backup_of(path).read_bytes() == b"1"
    assert sorted(os.listdir(tmp_path)) == ["a.hqr", "a.hqr.bak"]


def test_a_target_that_another_program_keeps_open(windows: None, tmp_path: Path) -> None:
    path = tmp_path / "locked.hqr"
    path.write_bytes(b"old")
    with pytest.raises(RetroAnimError, match="used by another process") as caught:
        write_file(path, b"new")
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == b"old" and os.listdir(tmp_path) == ["locked.hqr"]


@pytest.mark.parametrize("failing", ["fsync", "replace"])
def test_of_several_files_all_are_written_or_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str) -> None:
    for name in "ac":
        (tmp_path / name).write_bytes(b"old " + name.encode())
    files = {tmp_path / name: (b"new " + name.encode(), True) for name in "abc"}
    honest, calls = getattr(os, failing), list[str]()

    def third_fails(*given: object) -> None:
        target = str(given[-1])
        calls.append(target)
        if (len(calls) == 3) if failing == "fsync" else target == str(tmp_path / "c") and not calls[:-1].count(target):
            raise OSError(28, "No space left on device")
        honest(*given)

    monkeypatch.setattr(disk.os, failing, third_fails)
    with pytest.raises(RetroAnimError, match=r"c: cannot be written: No space left"):
        disk.write_files(files)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a": b"old a", "c": b"old c"}
    monkeypatch.setattr(disk.os, failing, honest)
    disk.write_files(files)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {
        "a": b"new a", "b": b"new b", "c": b"new c", "a.bak": b"old a", "c.bak": b"old c",
    }  # fmt: skip


@pytest.mark.parametrize("backup", [True, False], ids=["with a .bak", "without"])
def test_what_cannot_be_brought_back_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, backup: bool) -> None:
    """The disk became read-only between two files that belong together."""
    first, second = tmp_path / "BODY.HQR", tmp_path / "ANIM.HQR"
    for path in (first, second):
        path.write_bytes(b"old")
    replace = os.replace

    def sudden(source: str, target: str) -> None:
        if first.read_bytes() == b"new":
            raise OSError(30, "Read-only file system")
        replace(source, target)

    monkeypatch.setattr(os, "replace", sudden)
    with log.collect() as said, pytest.raises(RetroAnimError, match=r"ANIM\.HQR: cannot be written: Read-only file system"):
        disk.write_files({first: (b"new", backup), second: (b"new", backup)})
    assert second.read_bytes() == b"old"
    (warning,) = map(str, said.of("WARNING"))
    assert "BODY.HQR: is replaced already, and cannot be brought back: Read-only file system" in warning
    assert ("as it was before the first export it is in BODY.HQR.bak" in warning) == backup


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="the calls that one system makes")
@pytest.mark.parametrize("backup", [False, True])
@pytest.mark.parametrize("count", [1, 3])
def test_interrupted_right_behind_any_step(tmp_path: Path, backup: bool, count: int) -> None:
    """Of several files all are as they were, with their owners, or all are new; one file is never new without its backup."""
    honest, steps = os.replace, 0

    def run(last: int) -> dict[str, bytes]:
        folder = tmp_path / str(last)
        folder.mkdir()
        paths = [folder / name for name in "abc"[:count]]
        for path in paths[:2]:
            path.write_bytes(b"old")
            if os.geteuid() == 0:
                os.chown(path, 1234, 1235)
        replaced = 0

        def interrupted(*given: Any) -> None:
            nonlocal replaced
            honest(*given)
            replaced += 1
            if replaced == last:
                raise KeyboardInterrupt

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(os, "replace", interrupted)
            try:
                disk.write_files(dict.fromkeys(paths, (b"new", backup)))
            except KeyboardInterrupt:
                assert last > 0
        nonlocal steps
        steps = max(steps, replaced)
        if os.geteuid() == 0:
            assert all((path.stat().st_uid, path.stat().st_gid) == (1234, 1235) for path in paths[:2])
        return {path.name: path.read_bytes() for path in folder.iterdir()}

    run(0)
    assert steps == count + (min(count, 2) if backup else 0)
    before = dict.fromkeys("abc"[: min(count, 2)], b"old")
    after = dict.fromkeys("abc"[:count], b"new") | ({f"{name}.bak": b"old" for name in before} if backup else {})
    for last in range(1, steps + 1):
        assert run(last) in ([before] if count > 1 or backup else [before, after]), last


def test_a_folder_that_is_not_there_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(RetroAnimError, match=r"clip\.anm: cannot be written: its folder is not there"):
        disk.write_file(tmp_path / "nowhere" / "clip.anm", b"1")


@pytest.mark.parametrize("bad", [False, True])
def test_folders_are_made_for_files_and_go_again_where_none_was_written(tmp_path: Path, bad: bool) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "file").write_bytes(b"")
    targets = [tmp_path / "new" / "deep" / "a.bin", tmp_path / "there" / "b.bin", tmp_path / ("file" if bad else "other") / "c.bin"]
    files = dict.fromkeys(targets, (b"x", False))
    if bad:
        with pytest.raises(RetroAnimError, match=r"c\.bin: cannot be written"):
            disk.write_files(files, folders=True)
        assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "there"]
    else:
        disk.write_files(files, folders=True)
        assert all(read_file(target) == b"x" for target in targets)


def test_a_folder_that_was_there_stays_although_it_is_empty(tmp_path: Path) -> None:
    with disk.folder_for(tmp_path / "own"), disk.folder_for(tmp_path / "own" / "deep" / "er"):
        pass
    assert tmp_path.is_dir()
    assert not any(tmp_path.iterdir())
    (tmp_path / "own").mkdir()
    with disk.folder_for(tmp_path / "own"):
        pass
    assert (tmp_path / "own").is_dir()


@pytest.mark.parametrize("below", [(), ("new",), ("new", "deep")])
def test_no_folder_is_made_where_a_file_has_its_name(below: tuple[str, ...], tmp_path: Path) -> None:
    """Or that of one above it: the file stays, and is named."""
    (tmp_path / "out").write_bytes(b"a file")
    with (
        pytest.raises(RetroAnimError, match="out: is no folder, so nothing can be written into it"),
        disk.folder_for(tmp_path.joinpath("out", *below)),
    ):
        pass
    assert (tmp_path / "out").read_bytes() == b"a file"
