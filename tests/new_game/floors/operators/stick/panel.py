"""Stick's part of the side panel."""

from __future__ import annotations

from ...core.stick.game import GAME
from ..shared.parts import GamePart


class Stick(GamePart):
    title = GAME.label
    game = GAME


PARTS = (Stick,)
