"""The extension's preferences: the games that were opened, so that the browser opens on them without a file dialog."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
from bpy.props import BoolProperty, CollectionProperty, IntProperty, StringProperty

from ...core.games import GAMES

ADDON = __package__.rpartition(".operators")[0] if __package__ else ""
"""How Blender calls the extension, wherever it is installed."""

MOST = 12
"""Games that are remembered."""


class RetroAnimRemembered(bpy.types.PropertyGroup):
    """A file or folder that the browser was opened on. `name` is its path."""

    game: StringProperty()


class RetroAnimPreferences(bpy.types.AddonPreferences):
    bl_idname = ADDON

    remember: BoolProperty(
        name="Remember Games", description="Archives and folders from which characters were chosen are listed in the menus", default=True
    )
    remembered: CollectionProperty(type=RetroAnimRemembered)

    def draw(self: Any, context: bpy.types.Context) -> None:
        layout = self.layout
        layout.prop(self, "remember")
        for index, item in enumerate(self.remembered):
            row = layout.row(align=True)
            row.label(text=GAMES[item.game].label if item.game in GAMES else item.game)
            row.prop(item, "name", text="")
            row.operator("retro_anim.forget", text="", icon="X").index = index


class RETRO_ANIM_OT_forget(bpy.types.Operator):
    """Take the game out of the menus; its files stay as they are"""

    bl_idname = "retro_anim.forget"
    bl_label = "Forget"
    bl_options = {"INTERNAL"}

    index: IntProperty()

    def execute(self: Any, context: bpy.types.Context) -> Any:
        own = preferences(context)
        if own is None or not 0 <= self.index < len(own.remembered):
            return {"CANCELLED"}
        own.remembered.remove(self.index)
        changed(context)
        return {"FINISHED"}


def preferences(context: bpy.types.Context) -> Any:
    """None where the extension runs without being enabled."""
    addon = context.preferences.addons.get(ADDON)
    return addon.preferences if addon is not None else None


def remember(context: bpy.types.Context, game: str, path: str) -> None:
    """The last one is the first in the menus."""
    own = preferences(context)
    if own is None or not own.remember:
        return
    path = str(Path(path).absolute())
    known = next((index for index, item in enumerate(own.remembered) if (item.game, item.name) == (game, path)), None)
    if known is None:
        item = own.remembered.add()
        item.game, item.name = game, path
        known = len(own.remembered) - 1
    own.remembered.move(known, 0)
    while len(own.remembered) > MOST:
        own.remembered.remove(MOST)
    changed(context)


def changed(context: bpy.types.Context) -> None:
    """Blender saves preferences by itself only where it knows that they were changed."""
    context.preferences.is_dirty = True


def shown(path: str) -> str:
    """A path as a menu has room for: the folder and the file."""
    return "/".join(Path(path).parts[-2:])


def draw_remembered(layout: Any, context: bpy.types.Context) -> None:
    """An entry for each game that was opened, which opens the browser on it."""
    own = preferences(context)
    items = [item for item in own.remembered if item.game in GAMES] if own is not None else []
    if items:
        layout.separator()
    for item in items:
        layout.operator(f"import_anim.{item.game}_choose", text=shown(item.name), icon="FILE_FOLDER").filepath = item.name


CLASSES = (RetroAnimRemembered, RetroAnimPreferences, RETRO_ANIM_OT_forget)
