"""Stick: the importer and the exporter."""

from __future__ import annotations

import bpy

from ...core.stick.game import GAME
from ..files.exporter import Exporter
from ..files.importer import Importer


class IMPORT_ANIM_OT_stick(Importer, bpy.types.Operator):
    """Import animations of Stick"""

    row = GAME
    bl_options = {"UNDO", "PRESET"}


class EXPORT_ANIM_OT_stick(Exporter, bpy.types.Operator):
    """Export actions as animations of Stick"""

    row = GAME
    bl_options = {"PRESET"}


CLASSES = (IMPORT_ANIM_OT_stick, EXPORT_ANIM_OT_stick)
