"""Oni 2 into Blender and out of it: what scripts import."""

from __future__ import annotations

from .build import ImportOptions, import_oni2
from .pack import ExportOptions, export_oni2

__all__ = ["ExportOptions", "ImportOptions", "export_oni2", "import_oni2"]
