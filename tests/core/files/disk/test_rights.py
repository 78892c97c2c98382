"""What a person without rights to a file or folder reads, and that nothing is left: tried as somebody who has none, also by root."""

from __future__ import annotations

import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from retro_anim.core import looking
from retro_anim.core.files.disk import disk, rights
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import RetroAnimError

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="rights of another kind")

NOBODY = 65534

REMEDY = "give yourself the right to write it, or choose another folder"


@pytest.fixture
def folder() -> Iterator[Path]:
    """One that everybody can reach, unlike the usual temporary ones, with a file of its owner's."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    (folder / "own").write_bytes(b"old")
    if os.getuid() == 0:
        for path in (folder, folder / "own"):
            os.chown(path, NOBODY, NOBODY)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


OURS = 54321
"""A group that the writer is in, besides its own."""


def write(*paths: Path) -> str:
    """What is said, an error or warnings. The process that writes is a copy of this one, since nobody may be allowed to start Python where
    it is."""
    reading, writing = os.pipe()
    if not (process := os.fork()):
        try:
            if os.getuid() == 0:
                os.setgroups([OURS])
                os.setresgid(NOBODY, NOBODY, NOBODY)
                os.setresuid(NOBODY, NOBODY, NOBODY)
            with log.collect() as said:
                disk.write_files(dict.fromkeys(paths, (b"new", True)))
            os.write(writing, "\n".join(map(str, said.messages)).encode())
        except RetroAnimError as error:
            os.write(writing, str(error).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as heard:
        os.waitpid(process, 0)
        return heard.read()


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def refuse(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """These calls of the system, as far as it has them."""

    def refused(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    for name in names:
        monkeypatch.setattr(os, name, refused, raising=False)


def test_a_folder_that_is_read_only(folder: Path) -> None:
    folder.chmod(0o555)
    for name in ("own", "new"):
        assert write(folder / name) == f"{folder / name}: its folder is read-only: allow writing there, or choose another"
    assert contents(folder) == {"own": b"old"}


def test_a_file_that_is_read_only(folder: Path) -> None:
    (folder / "own").chmod(0o444)
    assert write(folder / "new", folder / "own") == f"{folder / 'own'}: is read-only: allow writing, or choose another file"
    assert contents(folder) == {"own": b"old"}


def test_a_file_that_nobody_may_read(folder: Path) -> None:
    """No copy of it can be kept."""
    (folder / "own").chmod(0o200)
    assert write(folder / "new", folder / "own") == f"{folder / 'own'}: cannot be written: Permission denied: {REMEDY}"
    (folder / "own").chmod(0o600)
    assert contents(folder) == {"own": b"old"}


@pytest.mark.skipif(sys.platform == "win32" or os.getuid() != 0, reason="only root can give a file to somebody else")
@pytest.mark.parametrize("sticky", [False, True])
def test_a_file_of_somebody_else(folder: Path, sticky: bool) -> None:
    """Whom it belongs to stays so, or it stays as it is: in a folder for everybody nobody may replace what is another's."""
    other = folder / "another's"
    other.write_bytes(b"old")
    other.chmod(0o666)
    if sticky:
        os.chown(folder, 0, 0)
        folder.chmod(0o1777)
    said = write(folder / "new", other)
    if sticky:
        assert said == f"{other}: cannot be written: Operation not permitted: {REMEDY}"
        assert contents(folder) == {"own": b"old", "another's": b"old"}
    else:
        assert said == f"{other}: the system does not let it keep its owner: it belongs to you now"
        assert contents(folder) == {"own": b"old", "another's": b"new", "another's.bak": b"old", "new": b"new"}
        assert stat.S_IMODE(other.stat().st_mode) == 0o666


@pytest.mark.skipif(sys.platform == "win32" or os.getuid() != 0, reason="only root can give a file to another group")
@pytest.mark.parametrize("group", [OURS, OURS + 1])
@pytest.mark.parametrize("user", [NOBODY, 0])
def test_the_group_of_a_file(folder: Path, group: int, user: int) -> None:
    """It stays where the writer is in it, also of somebody else's file; the others of the group may write that on."""
    path = folder / "own"
    path.chmod(0o666)
    os.chown(path, user, group)
    said = write(path)
    assert path.stat().st_gid == (group if group == OURS else NOBODY) and path.stat().st_uid == NOBODY
    lost = "owner" if user != NOBODY else "group" if group != OURS else ""
    now = "you" if lost == "owner" else "yours"
    assert said == (f"{path}: the system does not let it keep its {lost}: it belongs to {now} now" if lost else "")


@pytest.mark.skipif(sys.platform == "win32" or os.getuid() != 0, reason="only root can give a file to somebody else")
@pytest.mark.parametrize(
    ("user", "group", "mode", "said"),
    [
        (0, 0, 0o600, ""),
        (NOBODY, OURS, 0o600, "owner: it belongs to you now"),
        (0, OURS, 0o644, "group: it belongs to yours now"),
        (0, 0, 0o644, "rights: they are -rw------- now"),
    ],
)
def test_of_what_a_file_has_lost_the_first_is_said(tmp_path: Path, user: int, group: int, mode: int, said: str) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    for path, rights_of in ((old, mode), (new, 0o600)):
        path.write_bytes(b"")
        path.chmod(rights_of)
        os.chown(path, *((user, group) if path == old else (0, 0)))
    assert rights.lost("a.bin", old, str(new)) == (f"a.bin: the system does not let it keep its {said}" if said else "")


def test_a_folder_in_which_nobody_may_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, _mode: Path(path) != tmp_path)
    with pytest.raises(RetroAnimError, match="its folder is read-only: allow writing there, or choose another"):
        disk.check_target(tmp_path / "own")


@pytest.mark.parametrize("mode", [0o444, 0o555])
def test_a_file_that_is_for_reading_alone_is_refused_whoever_asks(tmp_path: Path, mode: int) -> None:
    (tmp_path / "own").write_bytes(b"old")
    (tmp_path / "own").chmod(mode)
    with pytest.raises(RetroAnimError, match="own: is read-only: allow writing, or choose another file"):
        disk.check_target(tmp_path / "own")


def test_a_disk_without_rights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of Windows, or of a camera, as it is mounted for everybody: all files are another's, and nobody may set modes and times."""
    (tmp_path / "own").write_bytes(b"old")

    refuse(monkeypatch, "chmod", "chown", "utime", "setxattr")
    disk.write_files({tmp_path / name: (b"new", True) for name in ("own", "fresh")})
    monkeypatch.undo()
    assert contents(tmp_path) == {"own": b"new", "own.bak": b"old", "fresh": b"new"}


def test_a_disk_that_takes_no_times(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "own"
    path.write_bytes(b"old")
    path.chmod(0o646)

    refuse(monkeypatch, "utime")
    with log.collect() as said:
        disk.write_file(path, b"new")
    monkeypatch.undo()
    assert stat.S_IMODE(path.stat().st_mode) == 0o646 and not said.messages


def test_a_mode_that_cannot_stay_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "own"
    path.write_bytes(b"old")
    path.chmod(0o664)

    refuse(monkeypatch, "chmod")
    with log.collect() as said:
        disk.write_file(path, b"new")
    monkeypatch.undo()
    assert [str(message) for message in said.messages] == [f"{path}: the system does not let it keep its rights: they are -rw------- now"]


def test_where_nobody_may_look_there_is_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A panel that asks is drawn, also before the folder of a game that is somebody else's."""
    (tmp_path / "file").write_bytes(b"")
    assert looking.is_file(tmp_path / "file") and not looking.is_folder(tmp_path / "file")
    assert looking.is_folder(str(tmp_path)) and not looking.is_file(str(tmp_path))

    def refused(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "stat", refused)
    shown = looking.is_file(tmp_path / "file"), looking.is_folder(tmp_path)
    monkeypatch.undo()
    assert shown == (False, False)


@pytest.mark.skipif(sys.platform == "win32", reason="there it leads somewhere")
@pytest.mark.parametrize("path", ["C:\\games\\ANIM.HQR", "D:/games/ANIM.HQR", "\\\\server\\games\\ANIM.HQR"])
def test_nothing_is_written_to_a_path_of_another_system(path: str) -> None:
    """It would be a file of that name where the program was started."""
    with pytest.raises(RetroAnimError, match="is a path of Windows, which leads nowhere on this computer"):
        disk.check_target(path)
