"""The games' importers and exporters as menus: in File > Import and Export, and in the side panel."""

from __future__ import annotations

from typing import Any

import bpy

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


CLASSES = (RETRO_ANIM_MT_import, RETRO_ANIM_MT_export)
