"""Stick: the game's row, and the options of its importer and exporter: those of all games."""

from __future__ import annotations

from dataclasses import field

from ..declare import shared
from ..declare.game import Game, Page
from ..declare.options import changed


class ImportOptions(shared.ImportOptions):
    """Clips find their bones by the names of the file."""

    bone_names: shared.BoneNames = field(default="GAME", init=False)
    root_motion: shared.RootMotion = changed(shared.ImportOptions, "root_motion", "BONE")


class ExportOptions(shared.ExportOptions):
    """path: a .stick."""


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
