"""`verify`: parse and pack every file and archive entry, and say which do not come back byte for byte, and what the game cannot use."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, fields, replace
from functools import lru_cache
from itertools import chain
from pathlib import Path

import numpy as np

from ...core import formats
from ...core.files import address
from ...core.files.file_names import on_disk
from ...core.files.format import Archive
from ...core.reporting.errors import FormatError
from ...core.reporting.labels import counted
from .. import inputs, workers
from ..report import fail, fail_each, note, show, show_json
from . import Commands

LARGE = 1 << 24
"""Bytes of all files from which on they are shared among several processes, since starting these takes its time."""

_ENTRIES = 256
"""Of an archive in one task."""

_PAUSE = 2.0
"""Seconds between two lines of progress, at least."""


@dataclass
class Result:
    """entries: files that are no archives, and archive entries, that were parsed and packed. skipped: entries that are blank or of
    another kind. different: path and offset of the first byte that does. failed: path and error. said: a line for each that is different.
    looked: files and entries that were looked at for the game; unready: path and problem of what it cannot use."""

    files: int = 0
    entries: int = 0
    identical: int = 0
    skipped: int = 0
    different: list[dict[str, str | int]] = field(default_factory=list[dict[str, str | int]])
    failed: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    said: list[str] = field(default_factory=list[str])
    looked: int = 0
    unready: list[dict[str, str]] = field(default_factory=list[dict[str, str]])

    def compare(self, path: str, original: bytes, packed: bytes) -> bool:
        """Whether both are equal; a difference is listed."""
        if original == packed:
            return True
        offset = first_difference(original, packed)
        self.different.append({"path": path, "offset": offset})
        self.said.append(str(FormatError("packing it gives other bytes", offset, path)))
        return False

    def add(self, opened: formats.Opened, *, game_ready: bool) -> None:
        """Pack a parsed file or entry and compare; game_ready: look also whether the game can use it."""
        self.entries += 1
        self.identical += self.compare(opened.address, opened.data, opened.document.pack())
        if game_ready and opened.format.unready is not None:
            self.looked += 1
            for problem in opened.format.unready(opened.document, opened.address):
                self.unready.append({"path": opened.address, "problem": problem})

    def failure(self, path: str, error: FormatError) -> None:
        error.path = error.path or path
        self.failed.append({"path": error.path, "error": inputs.without_path(error)})

    def join(self, part: Result) -> None:
        """With another part of the same."""
        for item in fields(part):
            setattr(self, item.name, getattr(self, item.name) + getattr(part, item.name))


@dataclass(frozen=True)
class Part:
    """A file, or of an archive the entries from start to stop; with a start of -1 the archive as a whole. stop: -1 for a file at once."""

    path: str
    start: int = 0
    stop: int = -1
    game_ready: bool = False


def add_to(commands: Commands) -> None:
    command = commands.add_parser("verify", help="parse and pack everything, and compare the bytes")
    command.add_argument("paths", nargs="+", action=inputs.Files, metavar="PATH", help="a file, FILE#ENTRY, a folder, or FOLDER#CHARACTER")
    command.add_argument("--game-ready", action="store_true", help="say also what the game cannot use of what its files can hold")
    inputs.add_jobs(command, "for much data: ")
    command.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    inputs.add_json(command)
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    if arguments.worker:
        return workers.serve(lambda part: asdict(verified(Part(**part))))
    result = Result()
    ready = arguments.game_ready
    paths, unknown = _meant(arguments.paths)
    for part in chain([unknown], _results(paths, inputs.jobs(arguments), arguments.argv, ready)):
        for line in part.said:
            fail(line)
        fail_each([*part.failed, *({"path": each["path"], "error": each["problem"]} for each in part.unready)], arguments.json)
        result.join(part)
    if arguments.json:
        shown = asdict(result)
        del shown["said"]
        for name in () if ready else ("looked", "unready"):
            del shown[name]
        show_json(shown)
    else:
        extent = f"{counted(result.files, 'file')}, {counted(result.entries, 'entry', 'entries')}"
        summary = f"{extent}: {result.identical} byte-identical, {len(result.different)} different"
        show(f"{summary}, {len(result.failed)} failed, {result.skipped} skipped (blank or of another kind)")
        if ready:
            unready = len({item["path"] for item in result.unready})
            show(f"{result.looked} looked at for the game: {result.looked - unready} ready, {unready} not")
    return 1 if result.different or result.failed or result.unready else 0


def _meant(paths: list[str]) -> tuple[list[str], Result]:
    """The files that are meant, each once though several characters share it, or it is below a folder besides, by its first name; and the
    characters that there are not."""
    files: dict[tuple[tuple[int, int, str], str], str] = {}
    unknown = Result()
    for path in inputs.files(paths):
        try:
            characters = inputs.characters(path)
            for file in [path] if characters is None else (file for each in characters for file in each["files"]):
                name, entry = address.split(file)
                files.setdefault((on_disk(name), entry), file)
        except FormatError as error:
            unknown.failure(path, error)
    return list(files.values()), unknown


def _results(paths: list[str], jobs: int, argv: list[str], game_ready: bool) -> Iterator[Result]:
    """In the order of the paths; of much data by several processes, with their progress."""
    sizes = [_size(path) for path in paths]
    if jobs <= 1 or sum(sizes) < LARGE:
        yield from (verified(Part(path, game_ready=game_ready)) for path in paths)
        return
    parts = [replace(part, game_ready=game_ready) for path, size in zip(paths, sizes, strict=True) for part in _parts(path, size)]
    ready: dict[int, Result] = {}
    clock, reported, position = workers.Clock(len(parts)), time.monotonic(), 0
    for count, (index, answer) in enumerate(workers.answers([asdict(part) for part in parts], [*argv, "--worker"], jobs), 1):
        ready[index] = _broken(parts[index], answer) if isinstance(answer, workers.EndedError) else Result(**answer)
        while position in ready:
            yield ready.pop(position)
            position += 1
        if time.monotonic() - reported > _PAUSE:
            reported = time.monotonic()
            note(f"[{count}/{len(parts)}] {parts[index].path}; {clock.left(count)} left")


def _size(path: str) -> int:
    try:
        return Path(address.split(path)[0]).stat().st_size
    except OSError:
        return 0


def _parts(path: str, size: int) -> list[Part]:
    """A large archive in pieces."""
    if size < LARGE // 4 or address.split(path)[1]:
        return [Part(path)]
    try:
        opened = _opened(path)
    except FormatError:
        return [Part(path)]
    if opened.format.kind != "archive":
        return [Part(path)]
    count = len(opened.document)
    return [*(Part(path, start, min(start + _ENTRIES, count)) for start in range(0, count, _ENTRIES)), Part(path, -1)]


def _broken(part: Part, ended: workers.EndedError) -> Result:
    result = Result()
    result.failure(part.path, FormatError(f"the process ended that looked at it (code {ended.code})"))
    return result


def verified(part: Part) -> Result:
    """One file, or a part of it; an archive's entries one at a time."""
    result = Result(files=int(part.stop == -1))
    try:
        opened = _opened(part.path)
    except FormatError as error:
        result.failure(part.path, error)
        return result
    if opened.format.kind != "archive":
        result.add(opened, game_ready=part.game_ready)
        return result
    if part.start >= 0:
        archive: Archive = opened.document
        _verify_entries(archive, part.path, range(part.start, len(archive) if part.stop == -1 else part.stop), result, part.game_ready)
    if part.stop == -1:
        result.compare(part.path, opened.data, opened.document.pack())
    return result


@lru_cache(maxsize=1)
def _opened(path: str) -> formats.Opened:
    """The last one is kept: a large archive comes in parts."""
    return formats.open_file(path)


def _verify_entries(archive: Archive, path: str, indices: Iterable[int], result: Result, game_ready: bool) -> None:
    for index in indices:
        if archive.blank(index):
            result.skipped += 1
            continue
        where = formats.entry_address(archive, index, path)
        try:
            data = archive.read(index)
            opened = formats.open_entry(data, where)
        except FormatError as error:
            result.failure(where, error)
            continue
        if opened is None:
            result.skipped += 1
        else:
            result.add(opened, game_ready=game_ready)


def first_difference(first: bytes, second: bytes) -> int:
    """The offset of the first byte that differs, or that only one of them has."""
    length = min(len(first), len(second))
    unequal = np.flatnonzero(np.frombuffer(first, "u1", length) != np.frombuffer(second, "u1", length))
    return int(unequal[0]) if len(unequal) else length
