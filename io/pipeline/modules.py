"""What a game has in io/, by the game's id: each module is loaded when it is needed."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from ...core.declare.game import Game


def module(game: Game, name: str) -> ModuleType:
    """One of the game's modules in io/, such as "write"."""
    return import_module(f"..{game.id}.{name}", __package__)
