"""`archive`: entries of archives, listed, taken out, put in and blanked; and back from the backup that the first export has made."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ...core import archives, backups
from ...core.files import address
from ...core.files.disk import disk
from ...core.reporting import log
from ...core.reporting.errors import RetroAnimError
from ...core.reporting.labels import counted
from .. import inputs
from ..report import fail_each, note, show, show_json
from . import Commands

_ENTRIES = "1, 0-5,9 (counted from 0), or names"
_FILES = {"list": "the archive", "add": "the archive", "restore": "the file that is restored, or FILE#ENTRY"}
_FROM = "the file that it shall hold, or ARCHIVE#ENTRY; of any kind"


def add_to(commands: Commands) -> None:
    group = commands.add_parser("archive", help="entries of an archive, and its backup")
    actions: Any = group.add_subparsers(title="actions", required=True, metavar="ACTION")

    def add(name: str, run: Callable[[argparse.Namespace], int], said: str) -> argparse.ArgumentParser:
        command: argparse.ArgumentParser = actions.add_parser(name, help=said)
        command.add_argument("file", type=inputs.one_file, metavar="FILE", help=_FILES.get(name, "the archive, or FILE#ENTRY"))
        command.set_defaults(run=run)
        return command

    inputs.add_json(add("list", list_entries, "number, kind, size and compression of each entry"))
    command = add("extract", extract, "entries as files, unpacked")
    command.add_argument("entries", metavar="ENTRIES", nargs="?", default="", help=f"{_ENTRIES}; all without")
    command.add_argument("-o", "--output", default=".", help="a folder, or for one entry a file (default: here)")
    command.add_argument("--overwrite", action="store_true", help="also files that are there already")
    command = add("replace", replace, "put a file into an entry; the archive is backed up once as FILE.bak")
    command.add_argument("entry", metavar="ENTRY", nargs="?", default="", help="number or name; all others stay as they are")
    command.add_argument("source", type=inputs.one_file, metavar="WITH", help=_FROM)
    _add_method(command, "that of the entry")
    command = add("add", add_entries, "new entries behind the last one")
    command.add_argument("sources", metavar="WITH", nargs="+", action=inputs.Files, help=_FROM)
    _add_method(command, "that of most entries")
    command = add("blank", blank, "make entries blank; no other changes its number")
    command.add_argument("entries", metavar="ENTRIES", nargs="?", default="", help=_ENTRIES)
    command = add("restore", restore, "a file, or one entry of it, as it is in its .bak, which stays")
    command.add_argument("entry", metavar="ENTRY", nargs="?", default="", help="number or name; all others stay as they are")


def _add_method(command: argparse.ArgumentParser, default: str) -> None:
    command.add_argument("--method", default="", help=f"compression: plain, lzss, lzmit (LBA2 alone); default {default}")


def list_entries(arguments: argparse.Namespace) -> int:
    entries = archives.listed(arguments.file)
    spoiled = [{"path": f"{arguments.file}#{entry['name'] or entry['index']}", **entry} for entry in entries if "error" in entry]
    fail_each(spoiled, arguments.json)
    if arguments.json:
        show_json({"path": arguments.file, "entries": entries})
    else:
        for entry in entries:
            if "error" not in entry:
                show(_line(entry))
    return 1 if spoiled else 0


def _line(entry: archives.Facts) -> str:
    """`12: LBA animation, 4120 bytes, LZSS 1034`."""
    title = f"{entry['index']}: {entry['name'] or entry.get('called', '')}".rstrip(": ")
    if entry.get("blank"):
        return f"{title}: blank"
    stored = f", {entry['method']} {entry['packed_size']}" if "method" in entry else ""
    shared = ", ".join(map(str, entry.get("shared_with") or ()))
    same = f", the same as {shared}" if shared else ""
    return f"{title}: {entry['label'] or 'unknown'}, {counted(entry['size'], 'byte')}{stored}{same}"


def extract(arguments: argparse.Namespace) -> int:
    file, entries = _located(arguments.file, arguments.entries)
    with log.collect() as said:
        taken = archives.extracted(file, entries)
    for message in said.messages:
        note(str(message))
    target = Path(arguments.output)
    if len(taken) == 1 and entries and not target.is_dir() and target.suffix:
        targets = [target]
        if not arguments.overwrite:
            disk.check_own(target, "that entry", lambda data: data == bytes(taken[0].data), "choose another name, or say --overwrite")
    else:
        targets = [target / each.name for each in taken]
        for path in targets:
            inputs.refuse_unnamed(path, (), overwrite=arguments.overwrite)
    files = {path: (each.data, False) for each, path in zip(taken, targets, strict=True)}
    disk.write_files(files, folders=targets != [target])
    for path in targets:
        show(f"extracted: {path}")
    return 0


def replace(arguments: argparse.Namespace) -> int:
    file, entry = _located(arguments.file, arguments.entry, "the entry that it replaces")
    with log.collect() as said:
        where = archives.replaced(file, entry, arguments.source, arguments.method)
    return _written(said, "replaced", [where])


def add_entries(arguments: argparse.Namespace) -> int:
    with log.collect() as said:
        addresses = archives.added(arguments.file, arguments.sources, arguments.method)
    return _written(said, "added", addresses)


def blank(arguments: argparse.Namespace) -> int:
    file, entries = _located(arguments.file, arguments.entries, "the entries that become blank")
    with log.collect() as said:
        addresses = archives.blanked(file, entries)
    return _written(said, "blanked", addresses)


def _written(said: log.Log, what: str, addresses: list[str]) -> int:
    for message in said.of("WARNING"):
        note(str(message))
    for where in addresses:
        show(f"{what}: {where}")
    return 0


def restore(arguments: argparse.Namespace) -> int:
    path, entry = _located(arguments.file, arguments.entry)
    show(f"restored: {backups.restore(path, entry)}")
    return 0


def _located(file: str, entry: str, needed: str = "") -> tuple[str, str]:
    """The archive and what is meant of it, by FILE#ENTRY or FILE ENTRY. needed: what that is, where it may not be left out."""
    path, own = address.split(file)
    if own and entry:
        raise RetroAnimError(f"{file} names an entry already, so {entry} is one too many")
    if needed and not (own or entry):
        raise RetroAnimError(f"{file}: name {needed}, as {file}#0")
    return path, own or entry
