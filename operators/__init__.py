"""What a person touches in Blender: File > Import and Export, drag and drop, the side panel."""

from __future__ import annotations

from typing import Any

import bpy

from . import choose, command, lba, panel

_CLASSES = (*choose.CLASSES, *lba.CLASSES, *panel.CLASSES)


def register() -> None:
    for kind in _CLASSES:
        bpy.utils.register_class(kind)
    for menu, draw in _MENUS:
        menu.append(draw)
    command.register()


def unregister() -> None:
    command.unregister()
    for menu, draw in _MENUS:
        menu.remove(draw)
    for kind in reversed(_CLASSES):
        bpy.utils.unregister_class(kind)


def _import_menu(menu: Any, context: bpy.types.Context) -> None:
    for operator in lba.IMPORTERS:
        menu.layout.operator(operator.bl_idname, text=operator.menu_label)


def _export_menu(menu: Any, context: bpy.types.Context) -> None:
    for operator in lba.EXPORTERS:
        menu.layout.operator(operator.bl_idname, text=operator.menu_label)


_MENUS: tuple[tuple[Any, Any], ...] = ((bpy.types.TOPBAR_MT_file_import, _import_menu), (bpy.types.TOPBAR_MT_file_export, _export_menu))
