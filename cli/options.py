"""The arguments of the command line that are options of the games' importers and exporters, as these declare them."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from ..core.declare import shared
from ..core.declare.options import Declared, declared, wrong
from ..core.games import GAMES
from ..core.reporting.errors import RetroAnimError


def flagged() -> dict[str, list[tuple[Declared, str]]]:
    """All options that have a flag, by flag: each as a game declares it, with the game's label; "" where all games have it."""
    result: dict[str, list[tuple[Declared, str]]] = {}
    for game in GAMES.values():
        for kind, common in ((game.import_options, shared.ImportOptions), (game.export_options, shared.ExportOptions)):
            for name, item in declared(kind).items():
                if item.option.flag:
                    base = declared(common).get(name)
                    result.setdefault(item.option.flag, []).append((base or item, "" if base else game.label))
    return result


def add(command: argparse.ArgumentParser, *flags: str) -> None:
    """Give a command these flags, all that there are where none is named. What several games declare is one argument."""
    known = flagged()
    for flag in flags or known:
        items = known[flag]
        first = items[0][0]
        labels = list(dict.fromkeys(label for _, label in items if label))
        about = f"{', '.join(labels)}: {first.option.help or first.option.label}" if labels else first.option.help
        details: dict[str, Any] = {"dest": first.name, "default": None, "help": about.replace("%", "%%")}
        if first.type == "bool":
            command.add_argument(flag, action="store_true", **details)
        elif first.type == "choice":
            command.add_argument(flag, choices=_ids(items), **details)
        elif first.type == "tuple":
            command.add_argument(flag, action="append", metavar=first.option.metavar or None, **details)
        else:
            command.add_argument(flag, type=_parser(first), metavar=first.option.metavar or None, **details)


def values(arguments: argparse.Namespace) -> dict[str, Any]:
    """The options that were given, by name, with how files are interpreted; every game takes those that are its own."""
    result: dict[str, Any] = {}
    for items in flagged().values():
        first = items[0][0]
        value = getattr(arguments, first.name, None)
        if value is None:
            continue
        if first.type == "choice":
            value = next(choice.id for item, _ in items for choice in item.option.choices if choice.id.lower() == value)
        result[first.name] = tuple(value) if first.type == "tuple" else value
    for game in GAMES.values():
        if game.interpretation:
            result |= getattr(arguments, game.id).values
    return result


def add_interpretations(command: argparse.ArgumentParser) -> None:
    """`--oni2 order=grouped,…`, for each game about whose files the sources do not agree.

    Not an option of one job: such a file is opened by every command, also by those that import nothing, and the parts of one argument
    stand together as they do in the facts that `info` gives of the file."""
    for game in GAMES.values():
        if game.interpretation:
            module = game.core(game.interpretation)
            command.add_argument(
                f"--{game.id}",
                type=_reported(module.Interpretation.parse),
                default=module.Interpretation(),
                metavar="INTERPRETATION",
                help=f"how files of {game.label} are taken, separated by commas: {module.SYNTAX}",
            )


@contextmanager
def interpreting(arguments: argparse.Namespace) -> Iterator[None]:
    """Whatever is opened inside is interpreted as the arguments have it."""
    with ExitStack() as stack:
        for game in GAMES.values():
            if game.interpretation:
                stack.enter_context(game.core(game.interpretation).using(getattr(arguments, game.id)))
        yield


def _ids(items: list[tuple[Declared, str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(choice.id.lower() for item, _ in items for choice in item.option.choices))


def _parser(item: Declared) -> Callable[[str], Any]:
    """Text to the option's value, within its limits."""

    def parse(text: str) -> Any:
        if item.type == "str":
            return text
        try:
            value = int(text) if item.type == "int" else float(text)
        except ValueError:
            value = math.nan
        problem = wrong(item, value)
        if problem:
            raise argparse.ArgumentTypeError(problem.replace("nan", repr(text)))
        return value

    return parse


def _reported(parse: Callable[[str], Any]) -> Callable[[str], Any]:
    def checked(text: str) -> Any:
        try:
            return parse(text)
        except RetroAnimError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return checked
