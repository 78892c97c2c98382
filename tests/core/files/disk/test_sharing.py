"""Several processes that write into one folder."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from contextlib import ExitStack
from pathlib import Path

import pytest
from retro_anim.core.files.disk import disk, sharing
from retro_anim.core.files.disk.first_state import backup_of
from retro_anim.core.reporting.errors import RetroAnimError


@pytest.mark.parametrize("there", [True, False], ids=["changed", "new"])
def test_what_another_program_has_written_meanwhile_is_not_lost(tmp_path: Path, there: bool) -> None:
    """Once: whoever tries again has read it, or knows."""
    target = tmp_path / "ANIM.HQR"
    if there:
        target.write_bytes(b"before")
    data = disk.read_if_there(target)
    assert data == (b"before" if there else None)
    target.write_bytes(b"theirs")
    with pytest.raises(RetroAnimError, match=r"ANIM\.HQR: another program has changed it meanwhile, and nothing is written"):
        disk.write_files({tmp_path / "BODY.HQR": (b"ours", True), target: (b"ours", True)})
    assert [each.name for each in tmp_path.iterdir()] == ["ANIM.HQR"] and target.read_bytes() == b"theirs"
    assert disk.read_file(target) == b"theirs"
    disk.write_file(target, b"ours", backup=True)
    disk.write_file(target, b"once more", backup=True)
    assert target.read_bytes() == b"once more" and backup_of(target).read_bytes() == b"theirs"


def test_a_file_that_was_removed_meanwhile_is_written_anew(tmp_path: Path) -> None:
    """Nothing of it can be lost."""
    target = tmp_path / "0041.lab"
    disk.write_file(target, b"ours", backup=True)
    target.unlink()
    disk.write_file(target, b"once more", backup=True)
    assert target.read_bytes() == b"once more"


def test_so_many_files_as_are_remembered_are_the_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("_MOST", 2), ("_known", {}), ("_led", {})):
        monkeypatch.setattr(sharing, name, value)
    files = [tmp_path / name for name in "abc"]
    for file in files:
        file.write_bytes(b"before")
        disk.read_file(file)
        file.write_bytes(b"theirs, longer")
    sharing.check(files[0])
    for file in files[1:]:
        with pytest.raises(RetroAnimError, match="another program"):
            sharing.check(file)


@pytest.mark.parametrize("most", [0, 2])
def test_its_first_bytes_alone_are_not_what_it_was(tmp_path: Path, most: int) -> None:
    target = tmp_path / "ANIM.HQR"
    target.write_bytes(b"before")
    disk.read_file(target)
    target.write_bytes(b"theirs")
    disk.read_file(target, most)
    with pytest.raises(RetroAnimError, match="another program"):
        disk.write_file(target, b"ours", backup=True)


ADDS = """
import sys
from retro_anim.core.files.disk import disk
from retro_anim.core.reporting.errors import RetroAnimError
target, letter = sys.argv[1:]
for _ in range(40):
    while True:
        before = disk.read_if_there(target) or b""
        try:
            disk.write_file(target, before + letter.encode(), backup=True)
            break
        except RetroAnimError as error:
            assert "another program has changed it meanwhile" in str(error), error
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot lock a folder")
def test_two_processes_that_add_to_one_file(tmp_path: Path) -> None:
    """Nothing of either is lost."""
    target = tmp_path / "ANIM.HQR"
    running = [subprocess.Popen([sys.executable, "-P", "-c", ADDS, str(target), letter]) for letter in "ab"]
    assert [each.wait(120) for each in running] == [0, 0]
    written = target.read_bytes()
    assert (written.count(b"a"), written.count(b"b"), len(written)) == (40, 40, 80)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["ANIM.HQR", "ANIM.HQR.bak"]


def test_what_a_killed_process_has_left_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """But nothing that another one may still be writing, where a folder cannot be held."""
    left, target = tmp_path / f"{sharing.PREFIX}abc", tmp_path / "a.anm"
    left.write_bytes(b"half")
    os.utime(left, (0, 0))  # a copy has the times of what it is of
    disk.write_file(target, b"new")
    assert left.exists()
    monkeypatch.setattr(sharing, "_LEFT_AFTER", -1.0)
    disk.write_file(target, b"newer")
    assert left.exists() == (sys.platform == "win32") and target.read_bytes() == b"newer"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot lock a folder")
def test_a_folder_that_another_process_holds_is_gone_on_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "_LEFT_AFTER", -1.0)
    monkeypatch.setattr(sharing, "_PATIENCE", 0.1)
    theirs = tmp_path / f"{sharing.PREFIX}abc"
    theirs.write_bytes(b"half")
    other_one = "import fcntl, os, sys\nfcntl.flock(os.open(sys.argv[1], os.O_RDONLY), fcntl.LOCK_EX)\nprint('held', flush=True)\ninput()"
    with subprocess.Popen(
        [sys.executable, "-P", "-c", other_one, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None and process.stdout.readline() == "held\n"
        disk.write_file(tmp_path / "a.anm", b"new")
        assert theirs.exists() and (tmp_path / "a.anm").read_bytes() == b"new"
        process.communicate("\n")


def test_two_paths_of_one_file(tmp_path: Path) -> None:
    """What both are to hold is written once; two contents of one file would be one that is lost."""
    path, link = tmp_path / "a.hqr", tmp_path / "link.hqr"
    path.write_bytes(b"old")
    link.symlink_to(path.name)
    with pytest.raises(RetroAnimError, match=r"link\.hqr: is one file with .*a\.hqr, and cannot hold two contents"):
        disk.write_files({path: (b"one", True), link: (b"two", True)})
    assert path.read_bytes() == b"old" and sorted(os.listdir(tmp_path)) == ["a.hqr", "link.hqr"]
    disk.write_files({link: (b"new", False), path: (b"new", True)})
    assert path.read_bytes() == b"new" and path.with_name("a.hqr.bak").read_bytes() == b"old" and link.is_symlink()
    disk.write_files({link: (b"newer", True), tmp_path / "." / "b": (b"b", False)})
    assert path.read_bytes() == b"newer" and (tmp_path / "b").read_bytes() == b"b"


@pytest.mark.parametrize("first", [0, 1])
def test_both_paths_of_a_file_know_what_was_written(tmp_path: Path, first: int) -> None:
    """Neither takes it for another program's."""
    paths = [tmp_path / "a.hqr", tmp_path / "link.hqr"]
    paths[0].write_bytes(b"old")
    paths[1].symlink_to("a.hqr")
    assert [disk.read_file(path) for path in paths] == [b"old"] * 2
    disk.write_files(dict.fromkeys((paths[first], paths[1 - first]), (b"new", True)))
    disk.write_file(paths[1 - first], b"newer", backup=True)
    assert paths[0].read_bytes() == b"newer"


def test_two_paths_of_one_new_file(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    with pytest.raises(RetroAnimError, match="cannot hold two contents"):
        disk.write_files({tmp_path / "a": (b"one", False), tmp_path / "below" / ".." / "a": (b"two", False)})
    assert os.listdir(tmp_path) == ["below"]


def test_files_that_differ_by_letter_case_and_hard_links_are_two(tmp_path: Path) -> None:
    for name in ("a", "A"):
        (tmp_path / name).write_bytes(name.encode())
    if (tmp_path / "a").read_bytes() == b"A":
        pytest.skip("this system knows but one of them")
    os.link(tmp_path / "a", tmp_path / "hard")
    disk.write_files({tmp_path / name: (2 * name.encode(), False) for name in ("a", "A", "hard")})
    assert [(tmp_path / name).read_bytes() for name in ("a", "A", "hard")] == [b"aa", b"AA", b"hardhard"]


def test_what_was_written_through_a_link_is_known_by_its_path(tmp_path: Path) -> None:
    """In any order, also through a folder that is a link; what another program has done is seen by each of them."""
    path, link = tmp_path / "a.hqr", tmp_path / "link.hqr"
    path.write_bytes(b"old")
    link.symlink_to(path.name)
    (tmp_path / "folder").symlink_to(tmp_path, target_is_directory=True)
    through = tmp_path / "folder" / "a.hqr"
    for number, named in enumerate((path, link, path, through, link, through, path)):
        disk.write_file(named, b"%d" % number, backup=True)
        assert path.read_bytes() == b"%d" % number
    path.write_bytes(b"theirs")
    with pytest.raises(RetroAnimError, match="another program"):
        disk.write_file(through, b"ours", backup=True)
    assert path.read_bytes() == b"theirs" and link.is_symlink()


def test_a_link_that_leads_to_another_file_meanwhile(tmp_path: Path) -> None:
    """What was read through it is not what is there now."""
    first, second, link = tmp_path / "first.hqr", tmp_path / "second.hqr", tmp_path / "link.hqr"
    for path in (first, second):
        path.write_bytes(path.name.encode())
    link.symlink_to(first.name)
    disk.read_file(link)
    link.unlink()
    link.symlink_to(second.name)
    with pytest.raises(RetroAnimError, match="another program"):
        disk.write_file(link, b"ours", backup=True)
    assert second.read_bytes() == b"second.hqr"
    disk.write_file(link, b"ours", backup=True)
    assert second.read_bytes() == b"ours" and first.read_bytes() == b"first.hqr"


def test_a_file_that_was_replaced_by_a_link(tmp_path: Path) -> None:
    """What was read is not what is there now: the other file is not lost."""
    path, other = tmp_path / "a.hqr", tmp_path / "other.hqr"
    path.write_bytes(b"old")
    disk.read_file(path)
    other.write_bytes(b"other")
    path.unlink()
    path.symlink_to(other.name)
    with pytest.raises(RetroAnimError, match="another program"):
        disk.write_file(path, b"ours", backup=True)
    assert other.read_bytes() == b"other" and path.is_symlink()
    disk.write_file(path, b"ours", backup=True)
    assert other.read_bytes() == b"ours"


def test_a_link_that_was_replaced_by_the_file_itself(tmp_path: Path) -> None:
    """Where it led is no matter any more once its path was read, or written, without it."""
    first, link = tmp_path / "first.hqr", tmp_path / "link.hqr"
    first.write_bytes(b"first")
    link.symlink_to(first.name)
    disk.read_file(link)
    link.unlink()
    link.write_bytes(b"own")
    disk.read_file(link)
    disk.write_file(link, b"ours", backup=True)
    assert (first.read_bytes(), link.read_bytes()) == (b"first", b"ours")


def test_a_link_that_was_deleted_and_written(tmp_path: Path) -> None:
    first, link = tmp_path / "first.hqr", tmp_path / "link.hqr"
    first.write_bytes(b"first")
    link.symlink_to(first.name)
    disk.read_file(link)
    link.unlink()
    for data in (b"1", b"2"):
        disk.write_file(link, data, backup=True)
    assert (first.read_bytes(), link.read_bytes()) == (b"first", b"2")


def test_what_is_no_path_is_kept_as_it_is(tmp_path: Path) -> None:
    """A NUL leads nowhere, and is said where the file would be written."""
    sharing.keep(f"{tmp_path}/a\0b", None)


@pytest.mark.skipif(sys.platform == "win32", reason="folders cannot be held there")
def test_who_waits_long_enough_has_what_another_one_held(tmp_path: Path) -> None:
    """Given back after a while, or not at all: who has no patience knows at once, and of what is not there nobody is."""
    with sharing.held(tmp_path) as first, sharing.held(tmp_path) as second:
        assert first and not second
    with ExitStack() as stack:
        assert stack.enter_context(sharing.held(tmp_path))
        timer = threading.Timer(0.1, stack.close)
        timer.start()
        with sharing.held(tmp_path, 10.0) as later:
            assert later
        timer.join()
    with sharing.held(tmp_path) as again, sharing.held(tmp_path / "gone") as none:
        assert again and not none


def test_what_the_system_does_not_say_is_not_still(tmp_path: Path) -> None:
    """A path that goes on below a file, as where a folder was replaced by one."""
    (tmp_path / "a").write_bytes(b"1")
    before = sharing.state(tmp_path / "a")
    assert sharing.is_still(tmp_path / "a", before) and sharing.is_still(tmp_path / "gone", None)
    (tmp_path / "a").write_bytes(b"12")
    assert not sharing.is_still(tmp_path / "a", before) and not sharing.is_still(tmp_path / ("x" * 5000), None)
