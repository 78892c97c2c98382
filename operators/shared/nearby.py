"""Files and folders to choose from while a path is typed: a dialog cannot open a file browser out of a file browser or a popup."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import bpy

from ...core import looking

MOST = 200
"""Paths that are offered."""

_LOOKED_AT = 5000
"""Entries of a folder that are looked at, with each letter."""


def folder_of(owner: Any, context: bpy.types.Context) -> Path | None:
    """The folder that an operator's file browser shows, or that of its file; None where it has neither yet."""
    shown = getattr(getattr(getattr(context, "space_data", None), "params", None), "directory", b"")
    path = os.fsdecode(shown) or getattr(owner, "filepath", "") or getattr(owner, "directory", "")
    if not path:
        return None
    near = Path(bpy.path.abspath(path))
    return near if looking.is_folder(near) else near.parent


def suggestions(text: str, folder: Path | None, endings: Sequence[str], folders: bool) -> list[str]:
    """Of a path that was begun what goes on from there; of anything else what lies in `folder`, beside it and below both, with these
    letters in its name. A folder on the way ends with a separator."""
    begun = Path(text).expanduser() if text.startswith("~") else Path(text)
    if begun.is_absolute():
        above, part = (begun, "") if text.endswith(("/", os.sep)) else (begun.parent, begun.name.lower())
        inside = (path for path in _entries(above) if path.name.lower().startswith(part))
        fitting = (path for path in inside if looking.is_folder(path) or _fits(path, endings, folders))
        listed = (f"{path}{os.sep}" if looking.is_folder(path) else str(path) for path in fitting)
        return list(islice(listed, MOST))
    if folder is None:
        return []
    near = [*_entries(folder), *_entries(folder.parent)]
    below = (inside for path in near if looking.is_folder(path) for inside in _entries(path))
    offered = (str(path) for path in (*near, *below) if _fits(path, endings, folders) and text.lower() in path.name.lower())
    return list(islice(dict.fromkeys(offered), MOST))


def _fits(path: Path, endings: Sequence[str], folders: bool) -> bool:
    if looking.is_folder(path):
        return folders
    return not folders and (not endings or path.name.lower().endswith(tuple(endings)))


def _entries(folder: Path) -> list[Path]:
    """What lies in a folder, by name; nothing where it cannot be looked into."""
    try:
        return sorted(path for path in islice(folder.iterdir(), _LOOKED_AT) if not path.name.startswith("."))
    except OSError:
        return []
