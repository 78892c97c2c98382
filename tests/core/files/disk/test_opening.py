"""Files that are none, are too large, or become another while they are read: one line, and no waiting."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from retro_anim.core import formats
from retro_anim.core.files import letter_case
from retro_anim.core.files.disk import disk
from retro_anim.core.files.disk.first_state import backup_of
from retro_anim.core.files.disk.opening import LARGEST, opened
from retro_anim.core.files.source import OnDisk
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import FormatError


def test_of_a_file_that_grows_while_it_is_read_there_is_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.bin"
    path.write_bytes(b"before")

    @contextmanager
    def growing(path: Path) -> Generator[tuple[BinaryIO, os.stat_result]]:
        with opened(path) as (file, status):
            path.write_bytes(b"before and after")
            yield file, status

    monkeypatch.setattr(disk, "opened", growing)
    assert disk.read_file(path) == b"before"


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path, Callable[[Path], object]], None]:
    """What happens to a file when the system has just been asked what it is, once."""

    def prepare(path: Path, happens: Callable[[Path], object]) -> None:
        stat = os.stat

        def watched(asked: Any, **options: Any) -> os.stat_result:
            status = stat(asked, **options)
            if str(asked) == str(path):
                monkeypatch.setattr(os, "stat", stat)
                happens(path)
            return status

        monkeypatch.setattr(os, "stat", watched)

    return prepare


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in folders")
@pytest.mark.parametrize("read", [disk.read_file, lambda path: OnDisk(str(path), 4).read(0, 4, "the head")], ids=["whole", "part"])
def test_a_pipe_that_takes_a_files_name_is_not_waited_for(tmp_path: Path, meanwhile: Any, read: Callable[[Path], bytes]) -> None:
    path = tmp_path / "walk.anm"
    path.write_bytes(b"walk")
    assert bytes(read(path)) == b"walk"
    meanwhile(path, lambda path: (path.unlink(), os.mkfifo(path)))
    with pytest.raises(FormatError, match=r"walk\.anm: is no regular file"):
        read(path)


def test_a_folder_that_takes_a_files_name(tmp_path: Path, meanwhile: Any) -> None:
    path = tmp_path / "walk.anm"
    path.write_bytes(b"walk")
    meanwhile(path, lambda path: (path.unlink(), path.mkdir()))
    with pytest.raises(FormatError, match=r"walk\.anm: "):
        disk.read_file(path)


def test_of_a_file_that_is_replaced_it_is_known_which_was_read(tmp_path: Path, meanwhile: Any) -> None:
    """So what was made from it is not refused, as it would be if it were another's."""
    path = tmp_path / "walk.anm"
    path.write_bytes(b"before")
    meanwhile(path, lambda path: path.write_bytes(b"another, and longer"))
    assert disk.read_file(path) == b"another, and longer"
    disk.write_file(path, b"made from it", backup=True)
    assert path.read_bytes() == b"made from it" and backup_of(path).read_bytes() == b"another, and longer"


@pytest.mark.skipif(sys.platform != "linux", reason="such a file takes its room on the disk")
@pytest.mark.parametrize("name", ["a.anm", "a.lm1", "a.hqr", "a.oni", "a.anim", "a.skel", "a.mod", "a.type", "a.lab", "a.lgo", "a.tx"])
def test_what_is_larger_than_any_games_file_is_not_read(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    with path.open("wb") as file:
        file.truncate(LARGEST + 1)
    with pytest.raises(FormatError, match=rf"a\.\w+: has {LARGEST + 1} bytes, and at most {LARGEST} are read of such a file"):
        formats.open_file(path)


def test_what_has_the_name_of_a_file_and_is_none_is_warned_of(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("nowhere")
    (tmp_path / "file").write_bytes(b"")
    said: list[list[str]] = []
    for name in ("folder", "link", "file", "none"):
        with log.collect() as heard:
            assert letter_case.is_file(tmp_path / name) is (name == "file")
        said.append([text.removeprefix(f"{tmp_path / name}: ") for text in heard.digest("WARNING")])
    assert said == [["is a folder, and is not used"], ["is a link that leads nowhere, and is not used"], [], []]


def test_of_a_file_that_is_too_large_no_byte_may_be_asked_for(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"12345")
    assert disk.read_file(tmp_path / "file", 0, 4) == b"" and disk.read_file(tmp_path / "file", 2, 4) == b"12"
    with pytest.raises(FormatError):
        disk.read_file(tmp_path / "file", largest=4)
