"""Little Big Adventure 1 and 2 into Blender and out of it: what scripts import."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.lba.game import ExportOptions, ImportOptions
from .. import on_demand

if TYPE_CHECKING:
    from .build import import_lba
    from .write import export_lba

__getattr__ = on_demand(__name__, import_lba="build", export_lba="write")

__all__ = ["ExportOptions", "ImportOptions", "export_lba", "import_lba"]
