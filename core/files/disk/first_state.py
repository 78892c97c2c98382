"""Where the first state of a file is kept, beside it."""

from __future__ import annotations

import os
import zlib
from pathlib import Path

from .. import file_names


def backup_of(path: str | Path) -> Path:
    """Where the first state of a file is kept: PATH.bak; a name that is too long for it is cut, and a checksum of it tells it from others
    that begin alike."""
    target, end = Path(file_names.resolved(path)), ".bak"
    if len(os.fsencode(target.name)) > file_names.LONGEST - len(end):
        end = f".{zlib.crc32(os.fsencode(target.name)):08x}{end}"
    return target.parent / (file_names.shortened(target.name, file_names.LONGEST - len(end)) + end)


def is_kept(backup: Path) -> bool:
    """Whether the first state of a file is there; an empty .bak holds none, such as one that a full disk has cut off."""
    return backup.exists() and backup.stat().st_size > 0
