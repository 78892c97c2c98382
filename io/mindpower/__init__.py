"""Tales of Pirates into Blender and out of it: what scripts import."""

from __future__ import annotations

from .build import ImportOptions, import_mindpower
from .write import ExportOptions, export_mindpower

__all__ = ["ExportOptions", "ImportOptions", "export_mindpower", "import_mindpower"]
