"""Several processes that write into one folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from retro_anim.core.files import disk, sharing
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
    assert target.read_bytes() == b"once more" and disk.backup_of(target).read_bytes() == b"theirs"


def test_a_file_that_was_removed_meanwhile_is_written_anew(tmp_path: Path) -> None:
    """Nothing of it can be lost."""
    target = tmp_path / "0041.lab"
    disk.write_file(target, b"ours", backup=True)
    target.unlink()
    disk.write_file(target, b"once more", backup=True)
    assert target.read_bytes() == b"once more"


def test_its_first_bytes_alone_are_not_what_it_was(tmp_path: Path) -> None:
    target = tmp_path / "ANIM.HQR"
    target.write_bytes(b"before")
    disk.read_file(target)
    target.write_bytes(b"theirs")
    disk.read_file(target, 2)
    with pytest.raises(RetroAnimError, match="another program"):
        disk.write_file(target, b"ours", backup=True)


ADDS = """
import sys
from retro_anim.core.files import disk
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
