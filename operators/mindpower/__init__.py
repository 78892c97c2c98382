"""Tales of Pirates: the importer, the exporter, and what else Blender shall know of it."""

from __future__ import annotations

from typing import Any

import bpy

from ...core.mindpower.game import GAME, SaveOptions
from ..files.bodies import SaveCharacter
from ..files.exporter import Exporter
from ..files.importer import Importer
from . import character


class IMPORT_ANIM_OT_mindpower(Importer, bpy.types.Operator):
    """Import characters of Tales of Pirates: skeletons with their meshes, textures and actions, or single meshes"""

    row = GAME


class EXPORT_ANIM_OT_mindpower(Exporter, bpy.types.Operator):
    """Export a character of Tales of Pirates: its actions joined to one skeleton file, with the action table; or a mesh"""

    row = GAME

    def suggestion(self, context: bpy.types.Context) -> tuple[Any, tuple[str, ...]]:
        """Of an armature its skeleton, of a mesh that."""
        from ...io.blender import scene

        obj = scene.active(context)
        data = obj.data if obj is not None and obj.type in ("ARMATURE", "MESH") else None
        skeleton, mesh = self.row.holding("character"), self.row.holding("mesh")
        return data, (*skeleton, *mesh) if isinstance(data, bpy.types.Armature) else (*mesh, *skeleton)


class RETRO_ANIM_OT_mindpower_save(SaveCharacter, bpy.types.Operator):
    """Write the whole character in one go: skeleton with all actions, meshes, pictures, and its rows of the action table, into the client
    that they came from; all or none, of each a backup is kept"""

    game, takes = GAME, SaveOptions


CLASSES = (IMPORT_ANIM_OT_mindpower, EXPORT_ANIM_OT_mindpower, RETRO_ANIM_OT_mindpower_save, *character.CLASSES)
