"""Reading and writing files. Everything that is written goes through `write_file`."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from .errors import FormatError, RetroAnimError


def read_file(path: str | Path) -> bytes:
    """The whole file; no handle stays open.

    Raises FormatError when it cannot be read.
    """
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise FormatError(error.strerror or str(error), path=str(path)) from error


def file_name(name: str) -> str:
    """A name of anything as that of a file, on any system."""
    return re.sub(r'[<>:"/\\|?*\x00-\x1f]', "_", name).strip(" .") or "clip"


def find_beside(path: str | Path, name: str) -> Path | None:
    """The file `name`, whatever its letter case, in the folder of `path` (a file or a folder)."""
    folder = Path(path) if Path(path).is_dir() else Path(path).parent
    exact = folder / name
    if exact.is_file():
        return exact
    try:
        return next((entry for entry in sorted(folder.iterdir()) if entry.name.lower() == name.lower() and entry.is_file()), None)
    except OSError:
        return None


def write_file(path: str | Path, data: bytes, backup: bool = False) -> None:
    """Write beside the target, flush, replace: the old file is whole until the new one is.

    backup: keep the file that is there as PATH.bak, unless such a copy exists already; it is never overwritten.
    Raises RetroAnimError when the target cannot be written; nothing is left behind then.
    """
    target = Path(os.path.realpath(path))
    temporary = None
    try:
        if backup and target.is_file():
            _keep(target)
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        temporary = Path(name)
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(target.stat().st_mode if target.exists() else 0o666 & ~_umask())
        os.replace(temporary, target)
    except OSError as error:
        if temporary is not None:
            with suppress(OSError):
                temporary.unlink()
        raise RetroAnimError(f"{path}: cannot be written: {error.strerror or error}") from error


def _keep(target: Path) -> None:
    """Copy target to target.bak once, through a temporary name, so that a .bak is always whole."""
    copy = target.with_name(target.name + ".bak")
    if copy.exists():
        return
    handle, name = tempfile.mkstemp(prefix=f".{copy.name}.", dir=copy.parent)
    os.close(handle)
    try:
        shutil.copy2(target, name)
        os.replace(name, copy)
    except OSError:
        with suppress(OSError):
            os.unlink(name)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
