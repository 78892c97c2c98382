"""Names of files: valid on every system, different on every system, and which paths are one file."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path, PurePath, PureWindowsPath

LONGEST = 255
"""Bytes of a file's name, at most, on every usual system."""

_LONGEST_PATH = 32767
"""Letters of a path, at most, on any usual system."""

LONGEST_STEM = 240
"""Bytes that `file_name` gives at most: an extension and .bak still fit behind it."""

_LONGEST_EXTENSION = 8
"""Letters of an extension with its dot; what is longer was none."""

_UNUSABLE = '[<>:"/\\\\|?*\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]'
"""What Windows refuses, control characters, marks of direction, and halves of characters."""

_DEVICE = r"(?is)(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3])\s*(\..*)?"
"""Names that are devices on Windows, with any extension."""

_IN_NO_PATH = re.compile("\0" if os.name == "nt" else "[\0\ud800-\udc7f\udd00-\udfff]")
"""Bytes that are no letters are halves, too, of which the system has its own."""


def file_name(name: str) -> str:
    """A name of anything as that of a file without its extension, valid on any system: at most 240 bytes."""
    usable = _usable(name)
    usable = f"_{usable}" if re.fullmatch(_DEVICE, usable) else usable
    return shortened(usable, LONGEST_STEM).rstrip(" .") or "clip"


def whole_name(name: str) -> str:
    """As `file_name`, of a name that may have its extension already."""
    path = PurePath(_usable(name))
    if not 1 < len(path.suffix) <= _LONGEST_EXTENSION:
        return file_name(name)
    return file_name(path.stem) + path.suffix


def _usable(name: str) -> str:
    return re.sub(_UNUSABLE, "_", unicodedata.normalize("NFC", name)).strip(" .")


def distinct(names: Iterable[str]) -> tuple[str, ...]:
    """Names of files in one folder, none of them the same file as another on any system: a number before the extension of those that
    would be, as in walk.001.anim beside Walk.anim."""
    used, last = set[str](), dict[str, int]()
    chosen: list[str] = []
    for name in names:
        own, key = name, _one_case(name)
        while _one_case(own) in used:
            last[key] = last.get(key, 0) + 1
            path = PurePath(name)
            own = f"{path.stem}.{last[key]:03}{path.suffix}"
        used.add(_one_case(own))
        chosen.append(own)
    return tuple(chosen)


def _one_case(name: str) -> str:
    """Equal for names that are one file on any system: letter case and Unicode forms levelled."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def shortened(name: str, size: int) -> str:
    """At most `size` bytes of a name, in whole characters."""
    return os.fsencode(name)[:size].decode(errors="ignore") if len(os.fsencode(name)) > size else name


def resolved(path: str | Path) -> str:
    """Where a path leads, through links; what is too long for one as it stands, since following takes time by the square of its length."""
    return os.path.realpath(path) if len(str(path)) <= _LONGEST_PATH else str(path)


def same_file(path: str | Path) -> str:
    """A key that is equal for paths which are one file on any system: links resolved, letter case and Unicode forms levelled; also of what
    is no path."""
    return _one_case(resolved(_IN_NO_PATH.sub("\ufffd", str(path))))


def why_no_path(path: str | Path) -> str:
    """Why no file can be there: a NUL, which a damaged file may hold, or half of a character; "" where one can."""
    match = _IN_NO_PATH.search(str(path))
    what = "" if match is None else "a NUL" if match[0] == "\0" else "half of a character"
    return f"is no name of a file: it has {what} in it" if what else ""


def on_disk(path: str | Path) -> tuple[int, int, str]:
    """A key that is equal for paths which are one file here: as `same_file`, but files that are there and differ by letter case alone are
    two where the system has both. Hard links are two files, too: to replace one leaves the other."""
    try:
        known = os.stat(path)  # noqa: PTH116 - a Path takes longer
    except (OSError, ValueError):
        return 0, 0, same_file(path)
    return known.st_dev, known.st_ino, same_file(path)


def is_of_windows(path: str | Path) -> bool:
    """Whether a path names a drive, or a computer, where there are none: to any other system it is a mere name of a file, which would be
    written where the program was started."""
    return not Path(path).is_absolute() and PureWindowsPath(path).is_absolute()
