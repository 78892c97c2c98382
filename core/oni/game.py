"""Oni: the game's row."""

from __future__ import annotations

from ..declare.game import Game
from .fields import FIELDS
from .options import ExportOptions, ImportOptions

GAME = Game(
    id="oni",
    label="Oni",
    opened=(".oni", ".dat", ".xml"),
    dropped=(".oni", ".dat"),
    written={".oni": "clip", ".xml": "clip"},
    import_options=ImportOptions,
    export_options=ExportOptions,
    fields=FIELDS,
    rate=60.0,
    telling=("oni_body", "oni_every_frame"),
)
