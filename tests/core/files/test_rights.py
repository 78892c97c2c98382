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
from retro_anim.core.files import disk
from retro_anim.core.reporting.errors import RetroAnimError

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="rights of another kind")

NOBODY = 65534


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


def write(*paths: Path) -> str:
    """What is said. The process that writes is a copy of this one, since nobody may be allowed to start Python where it is."""
    reading, writing = os.pipe()
    if not (process := os.fork()):
        try:
            if os.getuid() == 0:
                os.setgroups([])
                os.setresgid(NOBODY, NOBODY, NOBODY)
                os.setresuid(NOBODY, NOBODY, NOBODY)
            disk.write_files(dict.fromkeys(paths, (b"new", True)))
        except RetroAnimError as error:
            os.write(writing, str(error).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as said:
        os.waitpid(process, 0)
        return said.read()


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


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
    assert write(folder / "new", folder / "own") == f"{folder / 'own'}: cannot be written: Permission denied"
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
        assert said == f"{other}: cannot be written: Operation not permitted"
        assert contents(folder) == {"own": b"old", "another's": b"old"}
    else:
        assert said == ""
        assert contents(folder) == {"own": b"old", "another's": b"new", "another's.bak": b"old", "new": b"new"}
        assert stat.S_IMODE(other.stat().st_mode) == 0o666
