"""Oni: the importer and the exporter."""

from __future__ import annotations

from typing import Any

import bpy

from ...core.oni.game import GAME
from ..shared.base import Exporter, Importer

_REDUCTION = {"max_angle": "ANGLE", "max_distance": "DISTANCE", "shell": "DISTANCE"}
"""Which kind of reduction an option is for."""


class IMPORT_ANIM_OT_oni(Importer, bpy.types.Operator):
    """Import animations, object animations and bodies of Oni: .oni files, entries of a level, OniSplit's XML"""

    row = GAME
    bl_options = {"UNDO", "PRESET"}


class EXPORT_ANIM_OT_oni(Exporter, bpy.types.Operator):
    """Export actions as Oni animations, and those of objects as object animations: .oni, new or updated in place, or OniSplit's XML"""

    row = GAME
    bl_options = {"PRESET"}

    def shown(self: Any, name: str) -> bool:
        return _REDUCTION.get(name, self.reduction) == self.reduction


CLASSES = (IMPORT_ANIM_OT_oni, EXPORT_ANIM_OT_oni)
