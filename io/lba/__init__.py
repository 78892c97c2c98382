"""Little Big Adventure 1 and 2 into Blender and out of it: what scripts import."""

from __future__ import annotations

from ...core.lba.options import ExportOptions, ImportOptions
from .build import import_lba
from .write import export_lba

__all__ = ["ExportOptions", "ImportOptions", "export_lba", "import_lba"]
