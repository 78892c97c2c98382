"""Whom a file belongs to and who may do what with it, kept when it is replaced, as far as the system lets it: disks of other systems have
neither, and refuse to set them."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Any


def take_over(target: Path, name: str) -> None:
    """Of the file that is there for the new one: owner, times, extended attributes and mode. The owner first: changing it takes bits from
    the mode."""
    import shutil

    known = target.stat()
    if hasattr(os, "chown"):
        try:
            os.chown(name, known.st_uid, known.st_gid)
        except OSError:  # another's file: what its group may do with it stays where that is ours, too
            with suppress(OSError):
                os.chown(name, -1, known.st_gid)
    try:
        shutil.copystat(target, name)
    except OSError:  # its times may be refused, and the mode comes last
        set_mode(name, stat.S_IMODE(known.st_mode))


def set_mode(name: str, mode: int) -> None:
    """Where the system can."""
    with suppress(OSError):
        Path(name).chmod(mode)


def lost(path: Any, target: Path, name: str) -> str:
    """What to say where the system did not let `take_over` give the file all that the old one has; "" for nothing. path: as it was given,
    for the message."""
    with suppress(OSError):
        old, new = target.stat(), Path(name).stat()
        if old.st_uid != new.st_uid:
            return f"{path}: the system does not let it keep its owner: it belongs to you now"
        if old.st_gid != new.st_gid:
            return f"{path}: the system does not let it keep its group: it belongs to yours now"
        if old.st_mode != new.st_mode:
            return f"{path}: the system does not let it keep its rights: they are {stat.filemode(new.st_mode)} now"
    return ""


def copy(target: Path, name: str) -> None:
    """With all that `take_over` takes over."""
    import shutil

    shutil.copyfile(target, name)
    take_over(target, name)
