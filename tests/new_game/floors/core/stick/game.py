"""Stick: the game's row."""

from __future__ import annotations

from ..declare.game import Game, Page
from .fields import ACTION_FIELDS
from .options import ExportOptions, ImportOptions

GAME = Game(
    id="stick",
    label="Stick",
    opened=(".stick",),
    dropped=(".stick",),
    written={".stick": "clip"},
    pages=(Page("clips", "Clips", "Animations of the file"),),
    import_options=ImportOptions,
    export_options=ExportOptions,
    fields={"action": ACTION_FIELDS},
    rate=10.0,
    telling=("stick_mood",),
)
