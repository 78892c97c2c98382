"""What a person touches in Blender: File > Import and Export, drag and drop, the side panel."""

from __future__ import annotations

from typing import Any

import bpy

from .lba import operators as lba
from .lba import panel as lba_panel
from .mindpower import operators as mindpower
from .mindpower import panel as mindpower_panel
from .oni import operators as oni
from .oni import panel as oni_panel
from .oni2 import operators as oni2
from .oni2 import panel as oni2_panel
from .retarget import bone_map, settings
from .retarget import operators as retarget_operators
from .retarget import panel as retarget_panel
from .shared import choose, command, menus, panel

_GAMES = (lba, oni, oni2, mindpower)
"""One module a game, in the order of the menus: IMPORTERS, EXPORTERS and CLASSES."""

menus.IMPORTERS.extend(operator for game in _GAMES for operator in game.IMPORTERS)
menus.EXPORTERS.extend(operator for game in _GAMES for operator in game.EXPORTERS)

_RETARGET = (*settings.CLASSES, *bone_map.CLASSES, *retarget_operators.CLASSES)

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
    settings.register()
    oni_panel.register()
    for menu, draw in _MENUS:
        menu.append(draw)
    command.register()


def unregister() -> None:
    command.unregister()
    for menu, draw in _MENUS:
        menu.remove(draw)
    oni_panel.unregister()
    settings.unregister()
    for kind in reversed(_CLASSES):
        bpy.utils.unregister_class(kind)
