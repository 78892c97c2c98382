"""Oni 2 into Blender and out of it: what scripts import."""

from __future__ import annotations

from ...core.oni2.options import ExportOptions, ImportOptions
from .build import import_oni2
from .write import export_oni2

__all__ = ["ExportOptions", "ImportOptions", "export_oni2", "import_oni2"]
