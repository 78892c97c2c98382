"""The command line: `retro-anim` after pip install, `blender --command retro_anim` inside Blender."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

from ..core.files import unpacking
from ..core.reporting.errors import RetroAnimError, of_system
from ..core.reporting.labels import escaped
from . import interpretations
from .report import fail

COMMANDS = ("info", "verify", "pose", "convert", "retarget", "changes", "archive", "character", "library", "pictures")
"""Each is a module, which is loaded when it is needed: `info` waits for nothing that only `retarget` needs."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Returns 0, 1 when something failed or differs, 2 for wrong usage, 130 when it was stopped by Ctrl-C."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # file names may hold anything
    try:
        given = list(sys.argv[1:] if argv is None else argv)
        arguments = parser(given[:1]).parse_args(given)
        arguments.argv = given
    except SystemExit as stop:
        return int(stop.code or 0)
    try:
        with of_system(), interpretations.using(arguments), unpacking.operation():
            return arguments.run(arguments)
    except RetroAnimError as error:
        fail(error)
        return 1
    except KeyboardInterrupt:
        fail("stopped")
        return 130
    except BrokenPipeError:  # whoever reads the output has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def script() -> NoReturn:
    """`main` as a process of its own. With Blender's module loaded it ends at once: left to end by themselves some Blenders crash."""
    code = main()
    if "bpy" in sys.modules:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


class _Parser(argparse.ArgumentParser):
    """What is wrong with the arguments is said as everything else is: names of files with escapes for what controls a terminal."""

    def error(self, message: str) -> NoReturn:
        super().error(escaped(message))


def parser(wanted: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The arguments of the wanted command, of all of them where there is none of that name; `run` of what it returns takes them."""
    top = _Parser("retro-anim", description="Skeletal animations of old games: what is in them, into Blender and back.")
    commands = top.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for name in [name for name in COMMANDS if name in wanted] or COMMANDS:
        import_module(f".{name}", __package__).add_to(commands)
    for command in commands.choices.values():
        interpretations.add(command)
    return top
