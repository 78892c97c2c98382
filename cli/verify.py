"""`verify`: parse and pack every file and every archive entry, and say which do not come back byte for byte."""

from __future__ import annotations

import argparse
from dataclasses import asdict, dataclass, field

import numpy as np

from ..core import formats
from ..core.files.format import Archive
from ..core.reporting.errors import FormatError
from . import inputs
from .commands import Commands
from .report import fail, show, show_json


@dataclass
class Result:
    """entries: files that are no archives, and archive entries, that were parsed and packed. skipped: entries that are blank or of
    another kind. different: path and offset of the first byte that does. failed: path and error."""

    files: int = 0
    entries: int = 0
    identical: int = 0
    skipped: int = 0
    different: list[dict[str, str | int]] = field(default_factory=list[dict[str, str | int]])
    failed: list[dict[str, str]] = field(default_factory=list[dict[str, str]])

    def compare(self, path: str, original: bytes, packed: bytes) -> bool:
        """Whether both are equal; a difference is listed."""
        if original == packed:
            return True
        offset = first_difference(original, packed)
        self.different.append({"path": path, "offset": offset})
        fail(FormatError("packing it gives other bytes", offset, path))
        return False

    def add(self, opened: formats.Opened) -> None:
        """Pack a parsed file or entry and compare."""
        self.entries += 1
        self.identical += self.compare(opened.address, opened.data, opened.document.pack())

    def failure(self, path: str, error: FormatError) -> None:
        error.path = error.path or path
        self.failed.append({"path": error.path, "error": inputs.without_path(error)})
        fail(error)


def add_to(commands: Commands) -> None:
    command = commands.add_parser("verify", help="parse and pack everything, and compare the bytes")
    command.add_argument("paths", nargs="+", metavar="PATH", help="a file, FILE#ENTRY, or a folder")
    inputs.add_json(command)
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    result = Result()
    for path in inputs.files(arguments.paths):
        result.files += 1
        verify_file(path, result)
    if arguments.json:
        show_json(asdict(result))
    else:
        summary = f"{result.files} files, {result.entries} entries: {result.identical} byte-identical, {len(result.different)} different"
        show(f"{summary}, {len(result.failed)} failed, {result.skipped} skipped (blank or of another kind)")
    return 1 if result.different or result.failed else 0


def verify_file(path: str, result: Result) -> None:
    """One file; an archive's entries one at a time."""
    try:
        opened = formats.open_file(path)
    except FormatError as error:
        result.failure(path, error)
        return
    if opened.format.kind != "archive":
        result.add(opened)
        return
    verify_entries(opened.document, path, result)
    result.compare(path, opened.data, opened.document.pack())


def verify_entries(archive: Archive, path: str, result: Result) -> None:
    for index in range(len(archive)):
        if archive.blank(index):
            result.skipped += 1
            continue
        address = formats.entry_address(archive, index, path)
        try:
            data = archive.read(index)
            opened = formats.open_entry(data, address)
        except FormatError as error:
            result.failure(address, error)
            continue
        if opened is None:
            result.skipped += 1
        else:
            result.add(opened)


def first_difference(first: bytes, second: bytes) -> int:
    """The offset of the first byte that differs, or that only one of them has."""
    length = min(len(first), len(second))
    unequal = np.flatnonzero(np.frombuffer(first, "u1", length) != np.frombuffer(second, "u1", length))
    return int(unequal[0]) if len(unequal) else length
