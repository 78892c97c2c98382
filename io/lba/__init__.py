"""Little Big Adventure 1 and 2 into Blender and out of it: what scripts import."""

from __future__ import annotations

from .build import ImportOptions, import_lba
from .pack import ExportOptions, export_lba

__all__ = ["ExportOptions", "ImportOptions", "export_lba", "import_lba"]
