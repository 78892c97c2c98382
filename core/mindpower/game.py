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

SLOTS = (
    "base", "head top", "chest", "pelvis", "left shoulder", "left arm", "left hand", "right shoulder", "right arm", "right hand",
    "left leg 1", "left leg 2", "left leg 3", "right leg 1", "right leg 2", "right leg 3",
    "extra 1", "extra 2", "extra 3", "extra 4", "extra 5", "extra 6", "extra 7", "extra 8",
)  # fmt: skip
"""What the dummies of a skeleton are for: their ids are slots of the game (the engine's CharacterModel.h)."""


def slot_name(number: int) -> str:
    """ "6 left hand"; a number beyond the game's slots alone."""
    return f"{number} {SLOTS[number]}" if 0 <= number < len(SLOTS) else str(number)
