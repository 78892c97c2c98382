"""Tales of Pirates into Blender and out of it: what scripts import."""

from __future__ import annotations

from ...core.mindpower.options import ExportOptions, ImportOptions
from .build import import_mindpower
from .write import export_mindpower

__all__ = ["ExportOptions", "ImportOptions", "export_mindpower", "import_mindpower"]
