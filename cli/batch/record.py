"""What an output folder says of itself: what was converted from what, so that it need not be done again, and which files are ours."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ...core.files.disk.disk import read_file, write_file
from ...core.files.disk.refusals import naming
from ...core.reporting.errors import FormatError
from .tasks import Task

_RECORD = ".retro-anim.json"
"""What was converted from what."""

_BEGUN = ".retro-anim.begun"
"""Beside it, as long as a run goes on: a line for each file that it has begun to write. A run that was ended leaves it for the next one."""


class Record:
    """What is up to date: the same task, by the same options, from files as they were, with its outputs still there."""

    def __init__(self, folder: Path, options: str) -> None:
        self._folder, self._options = folder, options
        self._known = _known(folder)

    def parted(self, tasks: Iterable[Task]) -> tuple[list[Task], list[Path]]:
        """The tasks that are to be done, and the files of those that are up to date."""
        waiting: list[Task] = []
        files: list[Path] = []
        for task in tasks:
            if self._has(task):
                files += self._outputs(task)
            else:
                waiting.append(task)
        return waiting, files

    def add(self, task: Task, written: Iterable[str]) -> None:
        outputs = [os.path.relpath(path, self._folder) for path in written]
        self._known[self._key(task)] = {"stamp": task.stamp, "outputs": outputs}
        write_file(self._folder / _RECORD, json.dumps(self._known, indent=1).encode())

    def _key(self, task: Task) -> str:
        return f"{self._options} {task.key}"

    def _has(self, task: Task) -> bool:
        try:
            return self._known[self._key(task)]["stamp"] == task.stamp and all(path.is_file() for path in self._outputs(task))
        except (KeyError, TypeError):  # not converted yet, or not as we wrote it
            return False

    def _outputs(self, task: Task) -> list[Path]:
        return [self._folder / path for path in self._known[self._key(task)]["outputs"]]


def ours(folder: Path) -> frozenset[str]:
    """What earlier runs have written into an output folder, or begun to, as paths in it."""
    return frozenset((*_outputs(_known(folder)), *_begun(folder)))


def begin(folder: Path, name: str) -> None:
    """A file of an output folder is about to be written."""
    path = folder / _BEGUN
    with naming(path), path.open("a", encoding="utf-8", errors="surrogateescape") as begun:
        begun.write(f"{name}\n")


def forget_begun(folder: Path) -> None:
    """All that was begun is written."""
    (folder / _BEGUN).unlink(missing_ok=True)


def forget_unwritten(folder: Path) -> None:
    """Where nothing of what was begun is there, the list of it goes, too."""
    if not any((folder / name).exists() for name in _begun(folder)):
        forget_begun(folder)


def _known(folder: Path) -> dict[str, Any]:
    """Nothing for a folder that we have not written."""
    try:
        known: Any = json.loads(read_file(folder / _RECORD))
        return dict(known)
    except (FormatError, ValueError, TypeError, RecursionError):
        return {}


def _begun(folder: Path) -> Sequence[str]:
    try:
        return read_file(folder / _BEGUN).decode("utf-8", "surrogateescape").splitlines()
    except FormatError:
        return ()


def _outputs(known: dict[str, Any]) -> Iterator[str]:
    for entry in known.values():
        try:
            yield from map(str, entry["outputs"])
        except (KeyError, TypeError):  # not as we wrote it
            continue
