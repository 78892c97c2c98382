"""Oni: the importer, the exporters, and what else Blender shall know of it."""

from __future__ import annotations

from typing import Any

import bpy

from ...core.declare.shared import REDUCED_BY
from ...core.oni.game import GAME, BodyOptions, MakeOptions, SaveOptions
from ...io.oni.fields import properties
from ..files.bodies import BodyExporter, MakeBody, SaveCharacter
from ..files.exporter import Exporter
from ..files.importer import Importer
from ..shared.panel import active_armature
from . import actions


class IMPORT_ANIM_OT_oni(Importer, bpy.types.Operator):
    """Import animations, object animations and bodies of Oni: .oni files, entries of a level, OniSplit's XML"""

    row = GAME


class EXPORT_ANIM_OT_oni(Exporter, bpy.types.Operator):
    """Export actions as Oni animations, and those of objects as object animations: .oni, new or updated in place, or OniSplit's XML"""

    row = GAME

    def new_name(self: Any, block: Any) -> str:
        """That of its record, or else its own, with its tag, as OniSplit goes by a file's name."""
        from ...io.blender import source_data
        from ...io.oni import build

        is_object = block.get(source_data.FORMAT) == build.OBAN_KIND or active_armature(bpy.context) is None
        fields = getattr(block, properties.OBAN if is_object else properties.TRAM)
        name = fields.name if fields.present and fields.name else block.name
        return properties.instance_name(name, "OBAN" if is_object else "TRAM")

    def shown(self: Any, name: str) -> bool:
        return name not in REDUCED_BY or self.reduction in REDUCED_BY[name]


class EXPORT_MESH_OT_oni(BodyExporter, bpy.types.Operator):
    """Export the active armature and its meshes as a body of Oni: a .oni with everything that belongs to it, which OniSplit imports into a
    level"""

    row = GAME
    written = (".oni",)
    takes = BodyOptions

    def new_name(self: Any, block: Any) -> str:
        return properties.instance_name(block.name, "TRBS")


class RETRO_ANIM_OT_oni_make(MakeBody, bpy.types.Operator):
    """Build the character that the active armature and its meshes are in Oni, beside them: the game's 19 bones, each face with the bone
    that most of its corners hang on"""

    bl_label = "Make It an Oni Body"
    row, takes = GAME, MakeOptions

    def summary(self, obj: bpy.types.Object) -> str:
        return "Export Oni Body writes it"


class RETRO_ANIM_OT_oni_save(SaveCharacter, bpy.types.Operator):
    """Write the whole character in one go: its body, all its clips, and new ones into its collection, to the .oni files that they came
    from; all or none, of each that is replaced a backup is kept. Levels (.dat) are not written: what came from one goes into a folder"""

    game, takes = GAME, SaveOptions


def _renew_markers(action: bpy.types.Action) -> None:
    """With the first edit: it needs what Blender's start does not."""
    from ...io.oni.fields import markers

    markers.renew(action)


def register() -> None:
    properties.register()
    properties.listen(_renew_markers)


def unregister() -> None:
    from . import panel

    panel.unregister()
    properties.unregister()


CLASSES = (
    IMPORT_ANIM_OT_oni,
    EXPORT_ANIM_OT_oni,
    EXPORT_MESH_OT_oni,
    RETRO_ANIM_OT_oni_make,
    RETRO_ANIM_OT_oni_save,
    *actions.CLASSES,
)
