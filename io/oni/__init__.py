"""Oni into Blender and out of it: what scripts import."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.oni.game import ExportOptions, ImportOptions
from .. import on_demand

if TYPE_CHECKING:
    from .build import import_oni
    from .write import export_oni

__getattr__ = on_demand(__name__, import_oni="build", export_oni="write")

__all__ = ["ExportOptions", "ImportOptions", "export_oni", "import_oni"]
