"""Oni: the game's row."""

from __future__ import annotations

from ..declare.game import Game, Page, View
from .options import ExportOptions, ImportOptions

NOT_WRITTEN = "level files are not written: export a .oni, and import it into the level with OniSplit (OniSplit -import)"

GAME = Game(
    id="oni",
    label="Oni",
    opened=(".oni", ".dat", ".xml"),
    written={".oni": "clip", ".xml": "clip"},
    import_options=ImportOptions,
    export_options=ExportOptions,
    dropped=(".oni", ".dat", ".xml"),
    instead={
        **dict.fromkeys((".raw", ".sep"), "raw data of a level: open the .dat of the same name"),
        ".xml": "XML, but no animation of a character or an object of Oni: all else that OniSplit extracts is opened as .oni",
        ".dae": "COLLADA: of OniSplit's, open the .xml beside it",
    },
    refused=dict.fromkeys((".dat", ".raw", ".sep"), NOT_WRITTEN),
    pages=(
        Page("characters", "Animations", "Of characters (TRAM)"),
        Page("objects", "Object Animations", "Of objects and cameras (OBAN)"),
        Page("bodies", "Bodies", "Characters without an animation (ONCC, TRBS)"),
    ),
    rate=60.0,
    all_bones=True,
    telling=("oni_body", "oni_every_frame"),
    prefixes=("TRAM", "OBAN"),
    view=View(azimuth=180.0, elevation=12.0, field=60.0, light=(-30.0, 55.0), tile=10.0),
)
