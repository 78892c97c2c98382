"""`--oni2 order=grouped,…`: how files are taken, for each game about which the sources do not agree.

Not among the options of one job: every command that opens such a file needs it, also those that import nothing, such as `verify`; and its
parts stand together in one argument as in the facts that `info` prints.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from types import ModuleType
from typing import Any

from ..core.declare.game import Game
from ..core.games import GAMES
from ..core.reporting.errors import RetroAnimError


def add(command: argparse.ArgumentParser) -> None:
    """An argument for each game with an interpretation, named after its id."""
    for game, module in _modules():
        command.add_argument(
            f"--{game.id}",
            type=_reported(module.Interpretation.parse),
            default=module.Interpretation(),
            metavar="INTERPRETATION",
            help=f"how files of {game.label} are taken, separated by commas: {module.SYNTAX}",
        )


def values(arguments: argparse.Namespace) -> dict[str, Any]:
    """The same as import options, by name."""
    return {name: value for game, _ in _modules() for name, value in getattr(arguments, game.id).values.items()}


def given(arguments: argparse.Namespace) -> list[str]:
    """The ids of the games of whose files it is said how they are taken."""
    return [game.id for game, module in _modules() if getattr(arguments, game.id) != module.Interpretation()]


@contextmanager
def using(arguments: argparse.Namespace) -> Generator[None]:
    """Whatever is opened inside is interpreted as the arguments have it."""
    with ExitStack() as stack:
        for game, module in _modules():
            stack.enter_context(module.using(getattr(arguments, game.id)))
        yield


def _modules() -> list[tuple[Game, ModuleType]]:
    return [(game, game.core(game.interpretation)) for game in GAMES.values() if game.interpretation]


def _reported(parse: Callable[[str], Any]) -> Callable[[str], Any]:
    """Its errors as wrong usage."""

    def checked(text: str) -> Any:
        try:
            return parse(text)
        except RetroAnimError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return checked
