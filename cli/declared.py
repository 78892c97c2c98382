"""Declared options as arguments of the command line: of one class, or of the importers and exporters of all games."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from typing import Any

from ..core.declare import shared
from ..core.declare.options import Choice, Option, declared
from ..core.games import GAMES
from . import interpretations


def add(command: argparse.ArgumentParser, kind: type) -> None:
    """An argument for each option of the class that has a flag."""
    for item in flagged(kind).values():
        choices = item.choices
        default = next((_text(choice) for choice in choices if choice.id == item.default), item.default)
        _add(command, item, choices, _about(item), default)


def values(kind: type, arguments: argparse.Namespace) -> dict[str, Any]:
    """By name the values of a kind's options on the command line."""
    return {name: _value(item.choices, getattr(arguments, name)) for name, item in flagged(kind).items()}


def add_games(command: argparse.ArgumentParser, *flags: str) -> None:
    """An argument for each of these flags of the games' importers and exporters, for all that there are where none is named.

    What several games declare is one argument; what only some of them do names them in its help. Not given, it is None."""
    known = _game_flags()
    for flag in flags or known:
        items = known[flag]
        first = next(iter(items))
        abouts = {label: _about(item) for item, label in reversed(items.items())}
        text = "; ".join(f"{label}: {about}" if label else about for label, about in reversed(abouts.items()))
        _add(command, first, _choices(items), text, None)


def game_values(arguments: argparse.Namespace) -> dict[str, Any]:
    """The games' options that were given, by name, with how files are interpreted; every game takes those that are its own."""
    result = interpretations.values(arguments)
    for items in _game_flags().values():
        first = next(iter(items))
        value = getattr(arguments, first.name, None)
        if value is not None:
            result[first.name] = tuple(value) if first.type == "tuple" else _value(_choices(items), value)
    return result


def _game_flags() -> dict[str, dict[Option, str]]:
    """By flag the options that have it, with the label of the game, "" where every game has it."""
    result: dict[str, dict[Option, str]] = {}
    for game in GAMES.values():
        for kind, common in ((game.import_options, shared.ImportOptions), (game.export_options, shared.ExportOptions)):
            for name, item in flagged(kind).items():
                general = declared(common).get(name)
                result.setdefault(item.flag, {})[general or item] = "" if general else game.label
    return result


def flagged(kind: type) -> Mapping[str, Option]:
    """By name a kind's options that the command line has."""
    return {name: item for name, item in declared(kind).items() if item.flag}


def _add(command: argparse.ArgumentParser, item: Option, choices: Iterable[Choice], about: str, default: Any) -> None:
    # argparse takes a % for one of its own.
    details: dict[str, Any] = {"dest": item.name, "default": default, "help": about.replace("%", "%%")}
    metavar = item.metavar or item.name.upper()
    match item.type:
        case "bool":
            # What is on by default has a --no- beside its flag.
            action = argparse.BooleanOptionalAction if item.default is True else "store_true"
            command.add_argument(item.flag, action=action, **details)
        case "choice":
            command.add_argument(item.flag, choices=list(dict.fromkeys(map(_text, choices))), **details)
        case "tuple":
            command.add_argument(item.flag, action="append", metavar=metavar, **details)
        case "int" | "float":
            command.add_argument(item.flag, type=int if item.type == "int" else float, metavar=metavar, **details)
        case _:
            command.add_argument(item.flag, metavar=metavar, **details)


def _about(item: Option) -> str:
    """What a reader of the dialog reads, as the command line has it; of an option that only its choices explain, these."""
    if item.help or not item.choices:
        return _lower(item.help or item.label)
    return f"{item.label.lower()}: {', '.join(f'{_text(choice)} ({_lower(choice.help)})' for choice in item.choices)}"


def _lower(text: str) -> str:
    return text[0].lower() + text[1:] if not text[1:2].isupper() else text


def _choices(items: Iterable[Option]) -> list[Choice]:
    return [choice for item in items for choice in item.choices]


def _text(choice: Choice) -> str:
    return choice.flag or choice.id.lower()


def _value(choices: Iterable[Choice], value: Any) -> Any:
    return next((choice.id for choice in choices if _text(choice) == value), value)
