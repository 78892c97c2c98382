"""Where the games' importers and exporters are found: in File > Import and Export, in the side panel, and for files dropped on the view."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
from bpy_extras.io_utils import poll_file_object_drop

from ...core.games import GAMES
from ..shared import preferences

IMPORTERS: list[Any] = []
EXPORTERS: list[Any] = []
"""Operator classes with a `menu_label`, in the order of the table of games."""

_IN_BLENDERS_MENU = 4
"""Games that were opened, in File > Import."""


def draw_importers(menu: Any, context: bpy.types.Context | None) -> None:
    for operator in IMPORTERS:
        menu.layout.operator(operator.bl_idname, text=operator.menu_label)
    preferences.draw_remembered(menu.layout, context or bpy.context, _IN_BLENDERS_MENU)


def draw_exporters(menu: Any, _context: bpy.types.Context | None) -> None:
    for operator in EXPORTERS:
        menu.layout.operator(operator.bl_idname, text=operator.menu_label)


class RETRO_ANIM_MT_import(bpy.types.Menu):
    bl_idname = "RETRO_ANIM_MT_import"
    bl_label = "Import"

    def draw(self, context: bpy.types.Context | None) -> None:
        for operator in IMPORTERS:
            self.layout.operator(operator.bl_idname, text=operator.menu_label)
        preferences.draw_remembered(self.layout, context or bpy.context)


class RETRO_ANIM_MT_export(bpy.types.Menu):
    bl_idname = "RETRO_ANIM_MT_export"
    bl_label = "Export"

    def draw(self, context: bpy.types.Context | None) -> None:
        draw_exporters(self, context)
        self.layout.separator()
        self.layout.operator("retro_anim.export_everything", icon="EXPORT")


def file_handler(importer: Any, exporter: Any) -> type[bpy.types.FileHandler]:
    """Gives files that are dropped on the 3D view to the importer, by its game's row, and collections the exporter.

    Blender asks for extensions alone, and where several handlers have one it lets the user choose. So only the first game that takes an
    extension has it here: the importer looks into the file, and hands it to the game that it is of. What the game takes by whole names
    comes by their extensions, and the importer refuses others with these."""
    row = importer.row
    name, named = f"IO_FH_{row.id}", sorted({Path(each).suffix.lower() for each in row.named})
    before = list(GAMES.values())[: list(GAMES).index(row.id)]
    dropped = [each for each in row.dropped if not any(each in game.dropped for game in before)]
    body = {
        "bl_idname": name,
        "bl_label": row.label,
        "bl_import_operator": importer.bl_idname,
        "bl_export_operator": exporter.bl_idname,
        "bl_file_extensions": ";".join([*dropped, *named]),
        "poll_drop": classmethod(lambda _class, context: poll_file_object_drop(context)),
        "__module__": importer.__module__,
    }
    return type(name, (bpy.types.FileHandler,), body)


CLASSES = (RETRO_ANIM_MT_import, RETRO_ANIM_MT_export)
