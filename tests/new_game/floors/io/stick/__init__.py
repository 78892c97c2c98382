"""Stick into Blender and out of it: what scripts import."""

from __future__ import annotations

from ...core.stick.game import ExportOptions, ImportOptions
from .build import import_stick
from .write import export_stick

__all__ = ["ExportOptions", "ImportOptions", "export_stick", "import_stick"]
