"""The one table of games. A new game is a folder on each floor, and a line here."""

from __future__ import annotations

from .declare.game import Game
from .lba.game import GAME as LBA
from .mindpower.game import GAME as MINDPOWER
from .oni.game import GAME as ONI
from .oni2.game import GAME as ONI2

GAMES: dict[str, Game] = {game.id: game for game in (LBA, ONI, ONI2, MINDPOWER)}
"""By id, in the order of the menus."""


def writing(extension: str) -> Game | None:
    """The game that writes files of this extension (".anm")."""
    return next((game for game in GAMES.values() if extension.lower() in game.written), None)
