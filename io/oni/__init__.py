"""Oni into Blender and out of it: what scripts import."""

from __future__ import annotations

from ...core.oni.options import ExportOptions, ImportOptions
from .build import import_oni
from .write import export_oni

__all__ = ["ExportOptions", "ImportOptions", "export_oni", "import_oni"]
