"""What a person touches in Blender: File > Import and Export, drag and drop, the side panel."""

from __future__ import annotations

from typing import Any

import bpy

from . import (
    choose,
    command,
    lba,
    lba_panel,
    menus,
    mindpower,
    mindpower_panel,
    oni,
    oni2,
    oni2_panel,
    oni_panel,
    panel,
    retarget,
    retarget_map,
    retarget_panel,
    retarget_settings,
)

_GAMES = (lba, oni, oni2, mindpower)
"""One module a game, in the order of the menus: IMPORTERS, EXPORTERS and CLASSES."""

menus.IMPORTERS.extend(operator for game in _GAMES for operator in game.IMPORTERS)
menus.EXPORTERS.extend(operator for game in _GAMES for operator in game.EXPORTERS)

_RETARGET = (*retarget_settings.CLASSES, *retarget_map.CLASSES, *retarget.CLASSES)

_OPERATORS = (*choose.CLASSES, *(kind for game in _GAMES for kind in game.CLASSES), *_RETARGET)

_PANELS = (
    *menus.CLASSES,
    *panel.CLASSES,
    *lba_panel.CLASSES,
    *oni_panel.CLASSES,
    *oni2_panel.CLASSES,
    *mindpower_panel.CLASSES,
    *retarget_panel.CLASSES,
)
"""A panel comes before those that stand inside it."""

_CLASSES = (*_OPERATORS, *_PANELS)

_MENUS: tuple[tuple[Any, Any], ...] = (
    (bpy.types.TOPBAR_MT_file_import, menus.draw_importers),
    (bpy.types.TOPBAR_MT_file_export, menus.draw_exporters),
)


def register() -> None:
    for kind in _CLASSES:
        bpy.utils.register_class(kind)
    retarget_settings.register()
    oni_panel.register()
    for menu, draw in _MENUS:
        menu.append(draw)
    command.register()


def unregister() -> None:
    command.unregister()
    for menu, draw in _MENUS:
        menu.remove(draw)
    oni_panel.unregister()
    retarget_settings.unregister()
    for kind in reversed(_CLASSES):
        bpy.utils.unregister_class(kind)
