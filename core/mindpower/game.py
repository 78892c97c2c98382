"""Tales of Pirates: the game's row."""

from __future__ import annotations

from ..declare.game import Game, Page, View
from .options import CharacterOptions, ExportOptions, ImportOptions

GAME = Game(
    id="mindpower",
    label="Tales of Pirates",
    opened=(".lab", ".lgo", ".tx"),
    written={".lab": "character", ".lgo": "mesh"},
    import_options=ImportOptions,
    export_options=ExportOptions,
    character_options=CharacterOptions,
    dropped=(".lab", ".lgo"),
    named=("CharacterInfo.txt", "Characterinfo.bin"),
    instead={
        **dict.fromkeys((".lmo", ".lxo"), "models of the scene, which no skeleton moves: characters are .lab and .lgo"),
        **dict.fromkeys((".eff", ".par"), "an effect, which no skeleton moves: characters are .lab and .lgo"),
    },
    folders=True,
    pages=(
        Page("characters", "Characters", "The characters of a client's folder", whole=True),
        Page("suits", "Suits", "The meshes of a character", "parts"),
    ),
    rate=30.0,
    moves_itself=True,
    telling=("mindpower_skeleton", "mindpower_range"),
    used_for="mindpower_names",
    view=View(azimuth=40.0, elevation=35.0, field=45.0, light=(60.0, 50.0)),
    onwards=True,
)
