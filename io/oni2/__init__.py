"""Oni 2 into Blender and out of it: what scripts import."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.oni2.game import ExportOptions, ImportOptions
from .. import on_demand

if TYPE_CHECKING:
    from .build import import_oni2
    from .write import export_oni2

__getattr__ = on_demand(__name__, import_oni2="build", export_oni2="write")

__all__ = ["ExportOptions", "ImportOptions", "export_oni2", "import_oni2"]
