"""`archive`: entries of archives. `restore`: from the backup that the first export has made."""

from __future__ import annotations

import argparse

from ..core import backups
from ..core.files import address
from ..core.reporting.errors import RetroAnimError
from .commands import Commands
from .report import show


def add_to(commands: Commands) -> None:
    group = commands.add_parser("archive", help="entries of an archive, and its backup")
    actions = group.add_subparsers(title="actions", required=True, metavar="ACTION")
    command = actions.add_parser("restore", help="a file, or one entry of it, as it is in its .bak, which stays")
    command.add_argument("file", metavar="FILE", help="the file that is restored, or FILE#ENTRY")
    command.add_argument("entry", metavar="ENTRY", nargs="?", default="", help="number or name; all others stay as they are")
    command.set_defaults(run=restore)


def restore(arguments: argparse.Namespace) -> int:
    path, entry = address.split(arguments.file)
    if entry and arguments.entry:
        raise RetroAnimError(f"{arguments.file} names an entry already, so {arguments.entry} is one too many")
    show(f"restored: {backups.restore(path, arguments.entry or entry)}")
    return 0
