"""Little Big Adventure: the importer, the exporters, and what else Blender shall know of it."""

from __future__ import annotations

from typing import Any

import bpy

from ...core.declare.shared import REDUCED_BY
from ...core.lba.game import ARCHIVES, GAME, BodyOptions
from ..files.bodies import BodyExporter
from ..files.exporter import Exporter
from ..files.importer import Importer
from ..shared.panel import active_armature
from . import character, users


class IMPORT_ANIM_OT_lba(Importer, bpy.types.Operator):
    """Import animations and bodies of Little Big Adventure 1 and 2: loose files, or entries of an HQR archive"""

    row = GAME
    bl_label = "Import LBA"  # the game's whole name has no room on the button of a file dialog


class EXPORT_ANIM_OT_lba(Exporter, bpy.types.Operator):
    """Export actions as Little Big Adventure animations: loose files, or into an HQR archive, which is backed up once"""

    row = GAME
    bl_label = "Export LBA"

    def usable(self: Any, context: bpy.types.Context, name: str) -> bool:
        return name != "step" or self.sampling == "VISUAL"

    def shown(self: Any, name: str) -> bool:
        return name not in REDUCED_BY or self.reduction in REDUCED_BY[name]


class EXPORT_MESH_OT_lba(BodyExporter, bpy.types.Operator):
    """Export the active armature and its meshes as a body of Little Big Adventure: a loose file, or into an HQR archive, which is backed up
    once"""

    row = GAME
    written = (*GAME.bodies, *ARCHIVES)
    takes = BodyOptions
    bl_label = "Export LBA Body"

    def suggestion(self, context: bpy.types.Context) -> tuple[Any, tuple[str, ...]]:
        from ...io.pipeline.destination import targets

        obj = active_armature(context)
        assert obj is not None
        extension = ".lm2" if obj.data is not None and obj.data.get("lba_game") == "lba2" else ".lm1"
        return obj.data, (extension, *ARCHIVES) if targets.home(obj.data) else (extension,)


def unregister() -> None:
    character.unregister()


CLASSES = (IMPORT_ANIM_OT_lba, EXPORT_ANIM_OT_lba, EXPORT_MESH_OT_lba, *character.CLASSES, *users.CLASSES)
