"""Whether something is there, asked while a panel or a dialog is drawn: where nobody may look there is nothing, and no error."""

from __future__ import annotations

import os
from pathlib import Path


def is_file(path: str | Path) -> bool:
    return os.path.isfile(path)  # noqa: PTH113 - a Path raises PermissionError


def is_folder(path: str | Path) -> bool:
    return os.path.isdir(path)  # noqa: PTH112 - a Path raises PermissionError
