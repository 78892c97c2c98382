"""Declared options as arguments of the command line."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from ..core.declare.options import Choice, Declared, declared


def add(command: argparse.ArgumentParser, kind: type) -> None:
    """An argument for each option of the class that has a flag."""
    for item in _flagged(kind).values():
        option = item.option
        if item.type == "bool":
            command.add_argument(option.flag, dest=item.name, action="store_true", help=_help(item))
        elif item.type == "choice":
            texts = [_text(choice) for choice in option.choices]
            default = next(_text(choice) for choice in option.choices if choice.id == item.default)
            command.add_argument(option.flag, dest=item.name, choices=texts, default=default, help=_help(item))
        else:
            number = {"int": int, "float": float}.get(item.type, str)
            metavar = option.metavar or item.name.upper()
            command.add_argument(option.flag, dest=item.name, type=number, metavar=metavar, default=item.default, help=_help(item))


def values(kind: type, arguments: argparse.Namespace) -> dict[str, Any]:
    """By name the values of a kind's options on the command line."""
    return {name: _value(item, getattr(arguments, name)) for name, item in _flagged(kind).items()}


def _flagged(kind: type) -> Mapping[str, Declared]:
    return {name: item for name, item in declared(kind).items() if item.option.flag}


def _help(item: Declared) -> str:
    """What a reader of the dialog reads, as the command line says it; argparse takes a % for one of its own."""
    text = item.option.help or item.option.label
    return (text[0].lower() + text[1:]).replace("%", "%%")


def _text(choice: Choice) -> str:
    return choice.flag or choice.id.lower()


def _value(item: Declared, value: Any) -> Any:
    return next((choice.id for choice in item.option.choices if _text(choice) == value), value)
