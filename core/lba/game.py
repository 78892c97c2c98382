"""Little Big Adventure 1 and 2: the game's row."""

from __future__ import annotations

from ..declare.game import Game, Page
from .fields import ACTION_FIELDS, ARMATURE_FIELDS
from .options import ExportOptions, ImportOptions

GAME = Game(
    id="lba",
    label="Little Big Adventure 1 and 2",
    opened=(".anm", ".lm1", ".lm2", ".hqr"),
    known=(".pal",),
    dropped=(".anm", ".lm1", ".lm2", ".hqr"),
    written={".anm": "clip", ".hqr": "archive"},
    import_options=ImportOptions,
    export_options=ExportOptions,
    fields={"action": ACTION_FIELDS, "armature": ARMATURE_FIELDS},
    pages=(
        Page("entities", "Characters", "A body with all its animations", "entities", whole=True),
        Page("entries", "Entries", "Single animations and bodies"),
    ),
    signatures=False,
    variant="lba_game",
    rates={"lba1": 50.0, "lba2": 1000.0},
    exclusive=True,
    intros=True,
    telling=("lba_game",),
)
