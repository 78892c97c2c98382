"""The options of Stick's importer and exporter: those of all games."""

from __future__ import annotations

from dataclasses import field

from ..declare import shared
from ..declare.options import changed


class ImportOptions(shared.ImportOptions):
    """Clips find their bones by the names of the file."""

    bone_names: shared.BoneNames = field(default="GAME", init=False)
    root_motion: shared.RootMotion = changed(shared.ImportOptions, "root_motion", "BONE")


class ExportOptions(shared.ExportOptions):
    """path: a .stick."""
