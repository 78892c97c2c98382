"""One command, from its arguments to its exit code."""

from __future__ import annotations

import argparse
import io
import os
import signal
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any, NoReturn

from ..core.declare import naming
from ..core.files import unpacking
from ..core.reporting import ending, manifest
from ..core.reporting.errors import RetroAnimError, of_system
from ..core.reporting.labels import escaped
from . import interpretations
from .report import fail, show

COMMANDS = ("info", "verify", "pose", "convert", "retarget", "changes", "archive", "character", "library", "pictures")
"""Each is a module of commands/, which is loaded when it is needed: `info` waits for nothing that only `retarget` needs."""

STOPPED = 128
"""What a command returns that was stopped, without the number of the signal."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Returns 0, 1 when something failed or differs, 2 for wrong usage, 130 when it was stopped by Ctrl-C, and
    128 and the signal's number where that was another one."""
    _open_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # file names may hold anything
    given = _with_axes(sys.argv[1:] if argv is None else argv)
    try:
        with _ends_whole():
            return _run(given)
    except RetroAnimError as error:
        fail(error)
        return 1
    except KeyboardInterrupt as stop:
        fail("stopped")
        return STOPPED + (stop.args[0] if stop.args else signal.SIGINT)
    except BrokenPipeError:  # whoever reads the output has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _with_axes(given: Sequence[str]) -> list[str]:
    """`--forward -Y` as `--forward=-Y`: an axis that begins with a minus is no option of its own."""
    joined: list[str] = []
    for argument in given:
        if joined and joined[-1].endswith(("-up", "-forward")) and argument in ("-X", "-Y", "-Z"):
            joined[-1] += f"={argument}"
        else:
            joined.append(argument)
    return joined


def _run(given: list[str]) -> int:
    try:
        arguments = parser(given[:1]).parse_args(given)
    except SystemExit as stop:
        return int(stop.code or 0)
    arguments.argv = given
    with naming.by_flags(), of_system(), interpretations.using(arguments), unpacking.operation():
        return int(arguments.run(arguments))


def _open_streams() -> None:
    """What was closed by who started the process leads nowhere: a file that is opened later would take its number, and get what Blender
    prints; and errors would go to standard output."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the first number that is free
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, io.TextIOWrapper(io.FileIO(os.devnull, "w"), encoding="utf-8"))


@contextmanager
def _ends_whole() -> Generator[None]:
    """What asks the process to end does so as Ctrl-C does: nothing half and nothing temporary is left. It counts also where what it raises
    is swallowed, which is not printed. Asked again, it is raised again, unless that is what is cleared up after just now."""

    def stop(number: int, _frame: object) -> None:
        ending.ask(number)
        error = sys.exc_info()[1]
        while error is not None and not isinstance(error, KeyboardInterrupt):
            error = error.__context__
        if error is None:
            ending.check()

    before: dict[int, Any] = {}
    hooks = sys.excepthook, sys.unraisablehook
    sys.excepthook = lambda kind, error, trace: None if kind is KeyboardInterrupt else hooks[0](kind, error, trace)
    sys.unraisablehook = lambda error: None if error.exc_type is KeyboardInterrupt else hooks[1](error)
    for number in ending.signals():
        with suppress(ValueError):  # not in the main thread
            # None is a handler that is not Python's: Blender's own for Ctrl-C without a window ends it at once the second time
            if (known := signal.getsignal(number)) in (None, signal.SIG_DFL, signal.default_int_handler):
                signal.signal(number, stop)
                before[number] = signal.default_int_handler if known is None else known
    try:
        yield
    finally:
        for number, known in before.items():
            signal.signal(number, known)
        sys.excepthook, sys.unraisablehook = hooks
        try:
            ending.check()  # also where it became an error of another kind, as modules do that fail to load
        finally:
            ending.forget()


class _Parser(argparse.ArgumentParser):
    """What is wrong with the arguments is said as everything else is: names of files with escapes for what controls a terminal."""

    def error(self, message: str) -> NoReturn:
        super().error(escaped(message))


class _Version(argparse.Action):
    """The manifest is read when it is asked for."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,  # noqa: ARG002
        values: Any,  # noqa: ARG002
        option_string: str | None = None,  # noqa: ARG002
    ) -> None:
        show(f"retro-anim {manifest.read()['version']}")
        parser.exit()


def parser(wanted: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The arguments of the wanted command, of all of them where there is none of that name; `run` of what it returns takes them."""
    top = _Parser("retro-anim", description="Skeletal animations of old games: what is in them, into Blender and back.")
    top.add_argument("--version", action=_Version, nargs=0, help="show the version and end")
    commands = top.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for name in [name for name in COMMANDS if name in wanted] or COMMANDS:
        import_module(f".commands.{name}", __package__).add_to(commands)
    for command in commands.choices.values():
        interpretations.add(command)
    return top
