"""The options of Stick's importer and exporter: those of all games."""

from __future__ import annotations

from dataclasses import dataclass

from ..declare import shared
from ..declare.options import changed


@dataclass(frozen=True)
class ImportOptions(shared.ImportOptions):
    root_motion: shared.RootMotion = changed(shared.ImportOptions, "root_motion", "BONE")


@dataclass(frozen=True)
class ExportOptions(shared.ExportOptions):
    """path: a .stick."""
