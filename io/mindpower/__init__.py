"""Tales of Pirates into Blender and out of it: what scripts import."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.mindpower.game import CharacterOptions, ExportOptions, ImportOptions
from .. import on_demand

if TYPE_CHECKING:
    from .build import import_mindpower
    from .new_character import make_character
    from .write import export_mindpower

__getattr__ = on_demand(__name__, import_mindpower="build", export_mindpower="write", make_character="new_character")

__all__ = ["CharacterOptions", "ExportOptions", "ImportOptions", "export_mindpower", "import_mindpower", "make_character"]
