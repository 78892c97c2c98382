"""Oni 2: the importer and the exporter."""

from collections.abc import Mapping
from typing import Any

import bpy
from bpy.props import StringProperty

from ...core.oni2.game import GAME, SaveOptions
from ..files.bodies import SaveCharacter
from ..files.exporter import Exporter
from ..files.importer import Importer
from ..shared import declared


class _Import(Importer):
    """What the importer and its browser share."""

    row = GAME

    mesh: StringProperty(
        name="Mesh",
        description="A .mod besides, or RB.DAT#PATH. Empty: that of its entity",
        options={"SKIP_SAVE"},
        **declared.suggesting((".mod", ".dat"), folders=False),
    )

    @classmethod
    def groups(cls) -> Mapping[str, tuple[str, ...]]:
        groups = super().groups()
        return {**groups, "Include": (*groups["Include"], "mesh")}

    def values(self) -> dict[str, Any]:
        return {**super().values(), "meshes": (bpy.path.abspath(self.mesh),) if self.mesh else ()}


class IMPORT_ANIM_OT_oni2(_Import, bpy.types.Operator):
    """Import animations, skeletons, meshes and whole characters of Oni 2 (Angel Studios): loose files, or entries of RB.DAT"""


class EXPORT_ANIM_OT_oni2(Exporter, bpy.types.Operator):
    """Export actions as Oni 2 animations, or with the extension .skel armatures as its skeletons"""

    row = GAME

    def usable(self, context: bpy.types.Context, name: str) -> bool:
        if name == "facing":
            from ...io.oni2 import figure
            from ...io.pipeline.out_of_blender.selection import selection

            return not all(map(figure.is_figure, selection.armatures(context, "ACTIVE")))
        return name in ("source", "overwrite") or not self.filepath.lower().endswith(".skel")


class RETRO_ANIM_OT_oni2_save(SaveCharacter, bpy.types.Operator):
    """Write the whole character in one go: skeleton, mesh, all its clips, and the texts that name them, to where they came from; all or
    none, of each a backup is kept. RB.DAT is not written: what was edited goes beside it as loose files"""

    game, takes = GAME, SaveOptions


CLASSES = (IMPORT_ANIM_OT_oni2, EXPORT_ANIM_OT_oni2, RETRO_ANIM_OT_oni2_save)
