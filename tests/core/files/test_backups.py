"""The first state of a file: kept beside it whatever has its name, and brought back only where it is there."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from retro_anim.core import backups
from retro_anim.core.files.disk import disk
from retro_anim.core.reporting.errors import RetroAnimError


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.anm"
    path.write_bytes(b"old")
    return path


def pipe(backup: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("this system has no pipes")
    os.mkfifo(backup)


def to_itself(backup: Path) -> None:
    backup.symlink_to("a.anm")


@pytest.mark.parametrize(
    ("put", "what"), [(Path.mkdir, "is a folder"), (pipe, "is no regular file"), (to_itself, "leads to the file itself")]
)
def test_something_else_has_the_name_of_the_backup(file: Path, put: Callable[[Path], object], what: str) -> None:
    """Nothing is written: the first state would be lost; what needs no backup is."""
    backup, other = file.with_name("a.anm.bak"), file.with_name("b")
    put(backup)
    with pytest.raises(RetroAnimError, match=rf"a\.anm\.bak: {what}, and no backup of a\.anm can be kept there: rename it"):
        disk.write_files({other: (b"new", True), file: (b"new", True)})
    assert file.read_bytes() == b"old" and sorted(os.listdir(file.parent)) == ["a.anm", "a.anm.bak"]
    disk.write_file(file, b"new")
    assert file.read_bytes() == b"new"


@pytest.mark.parametrize("put", [Path.touch, lambda backup: backup.symlink_to("nowhere"), lambda backup: backup.symlink_to(backup.name)])
def test_a_backup_with_nothing_in_it_is_none(file: Path, put: Callable[[Path], object]) -> None:
    """As a full disk leaves it behind another program, or a link that leads nowhere."""
    put(file.with_name("a.anm.bak"))
    disk.write_file(file, b"new", backup=True)
    disk.write_file(file, b"newer", backup=True)
    assert file.with_name("a.anm.bak").read_bytes() == b"old"
    assert backups.restore(file) == str(file) and file.read_bytes() == b"old"


def test_nothing_is_restored_from_an_empty_backup(file: Path) -> None:
    file.with_name("a.anm.bak").touch()
    with pytest.raises(RetroAnimError, match=r"a\.anm: its backup, a\.anm\.bak, is empty"):
        backups.restore(file)
    assert file.read_bytes() == b"old"


def test_a_hard_link_of_the_file_is_a_backup(file: Path) -> None:
    os.link(file, file.with_name("a.anm.bak"))
    disk.write_file(file, b"new", backup=True)
    assert file.read_bytes() == b"new" and file.with_name("a.anm.bak").read_bytes() == b"old"
