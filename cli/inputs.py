"""The files that a command is asked about: FILE, FILE#ENTRY, folders and their characters, opened one at a time."""

from __future__ import annotations

import argparse
import glob
import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ..core import formats, games
from ..core.files import address
from ..core.files.file_names import same_file
from ..core.reporting.errors import FormatError, RetroAnimError
from .report import note


def add_json(command: argparse.ArgumentParser) -> None:
    command.add_argument("--json", action="store_true", help="print one JSON document")


def add_jobs(command: argparse.ArgumentParser, where: str = "") -> None:
    """The argument that says how many processes: see `jobs`."""
    text = f"{where}so many processes; as many as processors if not given"
    command.add_argument("--jobs", type=_processes, metavar="N", help=text)


def jobs(arguments: argparse.Namespace) -> int:
    """How many processes a command with `add_jobs` starts at most."""
    return int(arguments.jobs or os.cpu_count() or 1)


def _processes(text: str) -> int:
    if not re.fullmatch(r"0*[1-9]\d{0,8}", text):
        raise argparse.ArgumentTypeError(f"{text} is no number of processes: give 1 or more")
    return int(text)


_EMPTY = "the name of a file is empty"


def one_file(text: str) -> str:
    """The name of one file, as it is given. Raises ArgumentTypeError for one that is empty, as an unset variable of a script is."""
    if not text:
        raise argparse.ArgumentTypeError(_EMPTY)
    return text


class Files(argparse.Action):
    """Names of files as they are given, those with wildcards as the files that have such names: not every shell looks them up itself, as
    those of Windows do not. What nothing is called like stays as it is, and whoever opens it says so. In FILE#ENTRY those of FILE count."""

    def __call__(  # as argparse calls it
        self,
        parser: argparse.ArgumentParser,  # noqa: ARG002
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,  # noqa: ARG002
    ) -> None:
        if "" in values:
            raise argparse.ArgumentError(self, _EMPTY)
        setattr(namespace, self.dest, [name for value in values for name in _looked_up(value)])


def _looked_up(name: str) -> list[str]:
    path, entry = address.split(name)
    if not glob.has_magic(path) or os.path.lexists(path):
        return [name]
    files = sorted(glob.glob(path))  # noqa: PTH207 - a Path would lose what it is given, such as ./
    return [f"{file}#{entry}" if entry else file for file in files] or [name]


def refuse_unnamed(path: Path, written: Sequence[str], *, overwrite: bool) -> None:
    """Raises RetroAnimError where a file beside the output, named after a clip, is there already: from this command, or before it."""
    if same_file(path) in map(same_file, written):
        raise RetroAnimError(f"{path}: a second animation or character would be written there; rename one of them")
    if path.exists() and not overwrite:
        raise RetroAnimError(f"{path}: is there already, and was not named: choose another folder, or say --overwrite")


def files(paths: list[str]) -> Iterator[str]:
    """The addresses meant by `paths`: a folder means all files below it that are recognised, everything else itself."""
    for path in paths:
        if Path(path).is_dir():
            known = below(path)
            if not known:
                nothing_below(path)
            yield from known
        else:
            yield path


def characters(path: str) -> Iterator[dict[str, Any]] | None:
    """The characters that FOLDER#CHARACTER means, one by one: facts of each, and its "files", the skeleton first; None for any other path.
    Raises FormatError, also as they are gone through, where there is no such character."""
    source, entry = address.split(path)
    listing = games.opening(source) if entry else None
    return None if listing is None else listing.core("formats").characters(source, entry)


def below(folder: str, others: Callable[[str], bool] = lambda _: False) -> list[str]:
    """All files below a folder that are recognised, or that are of others by their names; and the folders that cannot be looked into, such
    as one that is gone meanwhile: whoever opens them says why."""
    lost: list[str] = []
    files: list[str] = []
    for path, _, names in os.walk(folder, onerror=lambda error: lost.append(str(error.filename or folder))):
        files += (str(Path(path, name)) for name in names)
    return sorted([*lost, *(file for file in files if _known(Path(file)) or (others(file) and Path(file).is_file()))], key=Path)


def nothing_below(folder: str) -> None:
    """Say that there is nothing to open in a folder."""
    note(f"{folder}: no file of a known format below this folder")


def _known(file: Path) -> bool:
    try:
        return file.is_file() and formats.recognise_file(file) is not None
    except (FormatError, OSError):
        return True  # let whoever opens it say why that is not possible


def is_archive(path: str) -> bool:
    """Whether `path` is an archive as a whole, and not FILE#ENTRY or something else."""
    if address.split(path)[1]:
        return False
    kind = formats.recognise_file(path)
    return kind is not None and kind.kind == "archive"


def without_path(error: RetroAnimError) -> str:
    """What is wrong and where, without the file's name."""
    return str(FormatError(error.problem, error.offset)) if isinstance(error, FormatError) else str(error)
