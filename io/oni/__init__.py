"""Oni into Blender and out of it: what scripts import."""

from __future__ import annotations

from .build import ImportOptions, import_oni
from .write import ExportOptions, export_oni

__all__ = ["ExportOptions", "ImportOptions", "export_oni", "import_oni"]
