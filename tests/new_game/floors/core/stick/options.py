"""The options of Stick's importer and exporter: those of all games."""

from __future__ import annotations

from ..declare import shared
from ..declare.options import changed


class ImportOptions(shared.ImportOptions):
    root_motion: shared.RootMotion = changed(shared.ImportOptions, "root_motion", "BONE")


class ExportOptions(shared.ExportOptions):
    """path: a .stick."""
