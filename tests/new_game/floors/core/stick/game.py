"""Stick: the game's row."""

from __future__ import annotations

from ..declare.game import Game, Page
from .options import ExportOptions, ImportOptions

GAME = Game(
    id="stick",
    label="Stick",
    opened=(".stick",),
    written={".stick": "clip"},
    import_options=ImportOptions,
    export_options=ExportOptions,
    dropped=(".stick",),
    pages=(Page("clips", "Clips", "Animations of the file"),),
    rate=10.0,
    telling=("stick_mood",),
)
