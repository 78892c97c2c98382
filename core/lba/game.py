"""Little Big Adventure 1 and 2: the game's row."""

from __future__ import annotations

from math import atan2, degrees, hypot, sqrt

from ..declare.game import Game, Page, View
from .options import ARCHIVES, ExportOptions, ImportOptions

_LIGHT = (-34.62, 39.45)

GAME = Game(
    id="lba",
    label="Little Big Adventure 1 and 2",
    opened=(".anm", ".lm1", ".lm2", *ARCHIVES),
    written={".anm": "clip", ".hqr": "archive"},
    import_options=ImportOptions,
    export_options=ExportOptions,
    dropped=(".anm", ".lm1", ".lm2", *ARCHIVES),
    known=(".pal",),
    signatures=False,
    pages=(
        Page("entities", "Characters", "A body with all its animations", "entities", whole=True),
        Page("entries", "Entries", "Single animations and bodies"),
    ),
    variant="lba_game",
    rates={"lba1": 50.0, "lba2": 1000.0},
    intros=True,
    exclusive=True,
    telling=("lba_game",),
    used_for="lba_roles",
    # P_OB_ISO.ASM: 24 (x - z) / 512 pixels to the right, (12 (x + z) - 30 y) / 512 down, seen from (+, +, +) of the file's axes.
    view=View(
        projection="ORTHO",
        azimuth=45.0,
        elevation=degrees(atan2(12 * sqrt(2), 30)),
        pixels=24 * sqrt(2) / 512,
        aspect=hypot(12 * sqrt(2), 30) / (24 * sqrt(2)),
        light=_LIGHT,
        tile=512.0,
        background=(0.0, 0.0, 0.0),
        dressed=True,
    ),
    # VAR_EXT.CPP: 600 pixels to a distance of 1, on 640; GLOBAL.CPP: 10500 units away, 300 of 4096 steps down; behind the hero.
    outdoors={
        "lba2": View(
            azimuth=180.0,
            elevation=300 / 4096 * 360,
            field=degrees(2 * atan2(320, 600)),
            away=10500.0,
            light=_LIGHT,
            tile=512.0,
            background=(0.0, 0.0, 0.0),
            dressed=True,
        )
    },
)
