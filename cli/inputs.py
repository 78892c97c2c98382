"""The files that a command is asked about: FILE, FILE#ENTRY and folders, opened one at a time."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..core import formats
from ..core.files import address
from ..core.files import disk as files_
from ..core.oni2.files.interpretation import Interpretation
from ..core.reporting.errors import FormatError, RetroAnimError
from .report import note


def add_json(command: argparse.ArgumentParser) -> None:
    command.add_argument("--json", action="store_true", help="print one JSON document")


def add_game(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--game", choices=("auto", "lba1", "lba2"), default="auto", help="the game an .anm is from; found out unless given"
    )


def add_pirates(command: argparse.ArgumentParser) -> None:
    """What is chosen of a character of Tales of Pirates, and how it is written."""
    command.add_argument(
        "--parts", default="", help="of a player of Tales of Pirates: suits (3), parts of a suit (3/2), or all; one suit unless given"
    )
    command.add_argument(
        "--action-type", metavar="NUMBER", type=_number, default=0, help="the character's in the action table; found out unless given"
    )
    command.add_argument(
        "--keys", choices=("auto", "quat", "mat43", "mat44"), default="auto", help="of a .lab; as the file's, or as the motion needs"
    )


def add_overwrite(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--overwrite", action="store_true", help="replace also another skeleton, and files that are there and were not named"
    )


def refuse_unnamed(path: Path, written: Sequence[str], overwrite: bool) -> None:
    """Raises RetroAnimError where a file beside the output, named after a clip, is there already: from this command, or before it."""
    if files_.same_file(path) in map(files_.same_file, written):
        raise RetroAnimError(f"{path}: a second animation or character would be written there; rename one of them")
    if path.exists() and not overwrite:
        raise RetroAnimError(f"{path}: is there already, and was not named: choose another folder, or say --overwrite")


def _number(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text} is no number of the action table")
    return int(text)


def add_reading(command: argparse.ArgumentParser) -> None:
    """What the sources about Oni 2 do not agree on."""
    words = "order=file|bone|grouped, offset=replace|add, scale=apply|ignore, facing=-z|+z, beta"
    command.add_argument(
        "--oni2", type=_reading, default=Interpretation(), metavar="WORDS", help=f"how to take files of Oni 2, separated by commas: {words}"
    )


def _reading(text: str) -> Interpretation:
    try:
        return Interpretation.parse(text)
    except RetroAnimError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def files(paths: list[str]) -> Iterator[str]:
    """The addresses meant by `paths`: a folder means all files below it that are recognised, everything else itself."""
    for path in paths:
        if Path(path).is_dir():
            found = [str(file) for file in sorted(Path(path).rglob("*")) if _known(file)]
            if not found:
                note(f"{path}: no file of a known format below this folder")
            yield from found
        else:
            yield path


def _known(file: Path) -> bool:
    try:
        return file.is_file() and formats.recognise_file(file) is not None
    except (FormatError, OSError):
        return True  # let whoever opens it say why that is not possible


def is_archive(path: str) -> bool:
    """Whether `path` is an archive as a whole, and not FILE#ENTRY or something else."""
    if address.split(path)[1]:
        return False
    found = formats.recognise_file(path)
    return found is not None and found.kind == "archive"


def without_path(error: RetroAnimError) -> str:
    """What is wrong and where, without the file's name."""
    return str(FormatError(error.problem, error.offset)) if isinstance(error, FormatError) else str(error)
