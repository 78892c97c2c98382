"""What a person touches in Blender: File > Import and Export, drag and drop, the side panel; and its buttons in a menu.

For each game in core/games.py, operators/<id> has CLASSES, its importer, exporter and more of the kind, with `register` and `unregister`
where there is more to do, and operators/<id>/panel.py PARTS, those of the side panel, which is loaded when they are drawn. Menus, drop
handlers and the list of contents follow from the game's row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

import bpy
from bpy.types import Menu, Operator, Panel, PropertyGroup, UIList

from ..core.games import GAMES
from ..io.blender import CONTEXT, register_group, untranslated
from . import files, menu
from .clips import assets, mending, preview_range, saving, states, targets
from .clips import operators as clips_operators
from .files import archive, choose
from .files.exporter import Exporter
from .files.importer import Importer
from .retarget import in_view, settings
from .retarget import operators as retarget_operators
from .retarget import panel as retarget_panel
from .retarget.mapping import lines, picking
from .shared import (
    decide,
    messages,
    modal,
    panel,
    preferences,
)


def _modules(name: str = "") -> list[ModuleType]:
    """Those of the games."""
    return [import_module(f".{game}{name}", __package__) for game in GAMES]


_GAMES = _modules()
_GAME_OPERATORS = tuple(kind for module in _GAMES for kind in module.CLASSES)

files.IMPORTERS.extend(kind for kind in _GAME_OPERATORS if issubclass(kind, Importer))
files.EXPORTERS.extend(kind for kind in _GAME_OPERATORS if issubclass(kind, Exporter))
for _game, _module in zip(GAMES, _GAMES, strict=True):
    menu.take(_game, _module.CLASSES)


@cache
def _parts() -> Sequence[Any]:
    """Of the side panel. How an armature becomes a game's comes after what it is already."""
    from .clips.panel import Clips, Target
    from .shared.parts import MakePart, Messages

    own = [part for module in _modules(".panel") for part in module.PARTS]
    return (Clips, Messages, Target, *sorted(own, key=lambda part: issubclass(part, MakePart)))


def _draw_parts(layout: Any, context: bpy.types.Context) -> None:
    from .shared.parts import draw_parts

    draw_parts(layout, context, _parts())


panel.BELOW.append(_draw_parts)


def _exporter(importer: Any) -> Any:
    """Of the same game."""
    return next(exporter for exporter in files.EXPORTERS if exporter.bl_idname == f"export_anim.{importer.row.id}")


_CLASSES: tuple[type, ...] = (
    *preferences.CLASSES,
    *archive.CLASSES,
    *choose.CLASSES,
    *decide.CLASSES,
    *modal.CLASSES,
    *_GAME_OPERATORS,
    *(choose.chooser(importer) for importer in files.IMPORTERS if importer.row.pages),
    *(files.file_handler(importer, _exporter(importer)) for importer in files.IMPORTERS if importer.row.dropped),
    *settings.CLASSES,
    *lines.CLASSES,
    *picking.CLASSES,
    *in_view.CLASSES,
    *retarget_operators.CLASSES,
    *files.CLASSES,
    *panel.CLASSES,
    *clips_operators.CLASSES,
    *mending.CLASSES,
    *assets.CLASSES,
    *messages.CLASSES,
    *targets.CLASSES,
    *saving.CLASSES,
    *retarget_panel.CLASSES,
    *menu.CLASSES,
)

_MENUS: tuple[tuple[Any, Any], ...] = (
    (bpy.types.TOPBAR_MT_file_import, files.draw_importers),
    (bpy.types.TOPBAR_MT_file_export, files.draw_exporters),
    (bpy.types.VIEW3D_MT_object_animation, menu.draw),
)


COMMAND = "retro_anim"
"""`blender --command retro_anim …` is the command line inside Blender."""

_command: list[Any] = []
"""What Blender gave for it, and wants back."""


def _main(arguments: Sequence[str]) -> int:
    from ..cli.main import main

    return main(arguments)


def _hooks(name: str) -> list[Callable[[], None]]:
    """The functions of this name, `register` or `unregister`, of modules that do more than declare classes, in the order of registering."""
    every = (settings, choose, archive, messages, states, clips_operators, preview_range, in_view)
    every = (*every, targets, assets, *_GAMES)
    return [getattr(module, name) for module in every if hasattr(module, name)]


_BARE = frozenset((*Operator.__mro__, *UIList.__mro__))
"""Blender's own classes, which have no properties that ours would get from them."""


_OURS = __package__.rpartition(".")[0] + "."
"""What modules of the extension are called with."""


def _ready(kind: Any) -> Any:
    """A class as Blender shall take it. The docstring is the tooltip: Blender breaks its lines by itself, and would show those of the
    source as well."""
    # Asked for, not looked up: from Python 3.14 on, which distributions build Blender with, a class makes its annotations when asked.
    declaring = [base for base in kind.__mro__ if base not in _BARE and base.__annotations__]
    if not declaring:
        kind.__no_type_check__ = True  # it has no properties; to look for them takes as long as all else of registering it
    for base in declaring:
        if base.__module__.startswith(_OURS):
            untranslated(base)
    if issubclass(kind, (Operator, Panel, Menu)):
        kind.bl_translation_context = CONTEXT
    if kind.__doc__ and "\n" in kind.__doc__ and issubclass(kind, Operator):
        kind.bl_description = " ".join(kind.__doc__.split())
    return kind


def register() -> None:
    for kind in _CLASSES:
        if issubclass(kind, PropertyGroup):
            register_group(kind)
        else:
            bpy.utils.register_class(_ready(kind))
    for register_module in _hooks("register"):
        register_module()
    for kind, draw in _MENUS:
        kind.append(draw)
    _command.append(bpy.utils.register_cli_command(COMMAND, _main))


def unregister() -> None:
    from .clips import game_view
    from .files import pictures
    from .retarget.mapping import highlight

    bpy.utils.unregister_cli_command(_command.pop())
    modal.unregister()
    game_view.unregister()
    for kind, draw in _MENUS:
        kind.remove(draw)
    for unregister_module in reversed(_hooks("unregister")):
        unregister_module()
    pictures.unregister()
    highlight.unregister()
    for kind in reversed(_CLASSES):
        bpy.utils.unregister_class(kind)
