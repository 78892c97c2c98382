"""What a person touches in Blender: File > Import and Export, drag and drop, the side panel."""

from __future__ import annotations

import bpy

from . import choose, lba, panel

_CLASSES = (*choose.CLASSES, *lba.CLASSES, *panel.CLASSES)


def register() -> None:
    for kind in _CLASSES:
        bpy.utils.register_class(kind)
    bpy.types.TOPBAR_MT_file_import.append(_import_menu)
    bpy.types.TOPBAR_MT_file_export.append(_export_menu)


def unregister() -> None:
    bpy.types.TOPBAR_MT_file_export.remove(_export_menu)
    bpy.types.TOPBAR_MT_file_import.remove(_import_menu)
    for kind in reversed(_CLASSES):
        bpy.utils.unregister_class(kind)


def _import_menu(menu: bpy.types.Menu, context: bpy.types.Context) -> None:
    for operator in lba.IMPORTERS:
        menu.layout.operator(operator.bl_idname, text=operator.bl_label)


def _export_menu(menu: bpy.types.Menu, context: bpy.types.Context) -> None:
    for operator in lba.EXPORTERS:
        menu.layout.operator(operator.bl_idname, text=operator.bl_label)
