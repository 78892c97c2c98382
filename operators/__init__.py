"""What a person touches in Blender: File > Import and Export, drag and drop, the side panel.

For each game in core/games.py, operators/<id>/operators.py has CLASSES, its operators, and operators/<id>/panel.py CLASSES, its panels,
with `register` and `unregister` where there is more to do. Menus, drop handlers and the list of contents follow from the game's row.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any

import bpy

from ..core.games import GAMES
from .retarget import bone_map, chains, highlight, posing, preview, settings
from .retarget import operators as retarget_operators
from .retarget import panel as retarget_panel
from .shared import (
    archive,
    assets,
    choose,
    clip_states,
    clips,
    command,
    decide,
    documentation,
    fields,
    game_view,
    listing,
    menus,
    messages,
    modal,
    outlook,
    panel,
    preferences,
    targets,
)
from .shared.base import Exporter, Importer, file_handler


def _modules(name: str) -> list[ModuleType]:
    return [import_module(f".{game}.{name}", __package__) for game in GAMES]


_GAME_OPERATORS = tuple(kind for module in _modules("operators") for kind in module.CLASSES)
_GAME_PANELS = _modules("panel")

menus.IMPORTERS.extend(kind for kind in _GAME_OPERATORS if issubclass(kind, Importer))
menus.EXPORTERS.extend(kind for kind in _GAME_OPERATORS if issubclass(kind, Exporter))


def _exporter(importer: Any) -> Any:
    """Of the same game."""
    return next(exporter for exporter in menus.EXPORTERS if exporter.bl_idname == f"export_anim.{importer.row.id}")


_CLASSES: tuple[type, ...] = (
    *preferences.CLASSES,
    *documentation.CLASSES,
    *archive.CLASSES,
    *choose.CLASSES,
    *decide.CLASSES,
    *modal.CLASSES,
    *fields.CLASSES,
    *_GAME_OPERATORS,
    *(choose.chooser(importer) for importer in menus.IMPORTERS if importer.row.pages),
    *(file_handler(importer, _exporter(importer)) for importer in menus.IMPORTERS if importer.row.dropped),
    *settings.CLASSES,
    *bone_map.CLASSES,
    *chains.CLASSES,
    *preview.CLASSES,
    *posing.CLASSES,
    *retarget_operators.CLASSES,
    *menus.CLASSES,
    *panel.CLASSES,
    *clips.CLASSES,
    *assets.CLASSES,
    *game_view.CLASSES,
    *messages.CLASSES,
    *targets.CLASSES,
    *outlook.CLASSES,
    *(kind for module in _GAME_PANELS for kind in module.CLASSES),
    *retarget_panel.CLASSES,
)
"""A panel comes before those that stand inside it."""

_MENUS: tuple[tuple[Any, Any], ...] = (
    (bpy.types.TOPBAR_MT_file_import, menus.draw_importers),
    (bpy.types.TOPBAR_MT_file_export, menus.draw_exporters),
)


def _hooks(name: str) -> Iterator[Any]:
    """`register` or `unregister` of those game panels that have such."""
    return (getattr(module, name) for module in _GAME_PANELS if hasattr(module, name))


def register() -> None:
    for kind in _CLASSES:
        bpy.utils.register_class(kind)
    settings.register()
    listing.register()
    archive.register()
    messages.register()
    clip_states.register()
    clips.register()
    preview.register()
    highlight.register()
    game_view.register()
    targets.register()
    assets.register()
    for hook in _hooks("register"):
        hook()
    for menu, draw in _MENUS:
        menu.append(draw)
    command.register()


def unregister() -> None:
    from .shared import pictures

    command.unregister()
    modal.unregister()
    for menu, draw in _MENUS:
        menu.remove(draw)
    for hook in _hooks("unregister"):
        hook()
    assets.unregister()
    targets.unregister()
    game_view.unregister()
    highlight.unregister()
    preview.unregister()
    clips.unregister()
    clip_states.unregister()
    messages.unregister()
    pictures.unregister()
    archive.unregister()
    listing.unregister()
    settings.unregister()
    for kind in reversed(_CLASSES):
        bpy.utils.unregister_class(kind)
