"""Armatures that somebody may mean by an export and cannot have selected: where they are, and how to get at them."""

from __future__ import annotations

import bpy

from .....core.declare.game import Game
from ....blender import identity


def remedy(context: bpy.types.Context, game: Game) -> str:
    """For the first armature of a game, or without such of any with an action, that is out of reach, where none is within; "" where that
    is not the trouble."""
    every = [obj for obj in bpy.data.objects if obj.type == "ARMATURE"]
    animated = [obj for obj in every if obj.animation_data is not None and obj.animation_data.action is not None]
    armatures = [obj for obj in every if identity.game_of(obj) == game] or animated
    away = [(obj, trouble) for obj in armatures if (trouble := _trouble(context, obj))]
    if not away or len(away) < len(armatures):
        return ""
    obj, trouble = away[0]
    more = f" (and {len(away) - 1} more)" if len(away) > 1 else ""
    return f"{obj.name}{more} {trouble}"


def _trouble(context: bpy.types.Context, obj: bpy.types.Object) -> str:
    """Why it cannot be selected, and what to do about that."""
    scenes = [scene.name for scene in bpy.data.scenes if obj.name in scene.objects]
    if not scenes:
        return "is in no scene: link it to a collection of this one"
    if context.scene.name not in scenes:
        return f"is in the scene {scenes[0]}: go there, and select it"
    if obj.name not in context.view_layer.objects:
        return "is in a collection that is excluded from the view layer: tick that in the Outliner, and select it"
    if not obj.visible_get(view_layer=context.view_layer):
        return "is hidden: show it in the Outliner, or by Alt H, and select it"
    return ""
