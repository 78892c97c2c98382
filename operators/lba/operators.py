"""Little Big Adventure: the importer and the exporter."""

from __future__ import annotations

from typing import Any

import bpy

from ...core.declare.shared import REDUCED_BY
from ...core.lba.game import GAME
from ..shared.base import Exporter, Importer


class IMPORT_ANIM_OT_lba(Importer, bpy.types.Operator):
    """Import animations and bodies of Little Big Adventure 1 and 2: loose files, or entries of an HQR archive"""

    row = GAME
    bl_label = "Import LBA"  # the game's whole name has no room on the button of a file dialog
    bl_options = {"UNDO", "PRESET"}


class EXPORT_ANIM_OT_lba(Exporter, bpy.types.Operator):
    """Export actions as Little Big Adventure animations: loose files, or into an HQR archive, which is backed up once"""

    row = GAME
    bl_label = "Export LBA"
    bl_options = {"PRESET"}

    def usable(self: Any, context: bpy.types.Context, name: str) -> bool:
        return name != "step" or self.sampling == "VISUAL"

    def shown(self: Any, name: str) -> bool:
        return name not in REDUCED_BY or self.reduction in REDUCED_BY[name]


CLASSES = (IMPORT_ANIM_OT_lba, EXPORT_ANIM_OT_lba)
