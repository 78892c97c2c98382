"""Which actions an export is about."""

from __future__ import annotations

import re
from typing import Literal

import bpy

from ..blender import actions, compat, scene, source_data

Source = Literal["ACTIVE", "SELECTED", "ALL", "NLA"]


def armatures(context: bpy.types.Context, source: Source) -> list[bpy.types.Object]:
    """The armatures that are meant: the active one, or that of the active mesh; or the selected ones."""
    active = context.view_layer.objects.active
    if active is not None and active.type != "ARMATURE":
        active = active.find_armature() or active
    objects = [active] if active is not None else []
    if source == "SELECTED":
        objects = scene.selected(context)
    return [obj for obj in objects if obj.type == "ARMATURE"]


def chosen_actions(
    context: bpy.types.Context, source: Source, kind: str, objects: list[bpy.types.Object] | None = None
) -> list[tuple[bpy.types.Object, bpy.types.Action]]:
    """Armatures with the actions that are meant, each action once, or once for each of its slots. kind: name of the format that imported
    actions came from. things: the armatures, None for those that `source` means."""
    found: dict[tuple[bpy.types.Action, str], bpy.types.Object] = {}

    def add(action: bpy.types.Action, obj: bpy.types.Object) -> None:
        found.setdefault((action, compat.slot_name(action, obj)), obj)

    for obj in armatures(context, source) if objects is None else objects:
        data = obj.animation_data
        if source in ("ACTIVE", "SELECTED") and data and data.action:
            add(data.action, obj)
        if source == "NLA" and data:
            for strip in (strip for track in data.nla_tracks for strip in track.strips):
                if strip.action is not None:
                    add(strip.action, obj)
        if source == "ALL":
            for action in bpy.data.actions:
                if (action.get(source_data.FORMAT) == kind and drives(action, obj)) or (data and data.action == action):
                    add(action, obj)
    return [(obj, action) for (action, _), obj in found.items()]


def drives(action: bpy.types.Action, obj: bpy.types.Object) -> bool:
    """Whether the action came in on this figure, or, where that is not known, every bone that it moves is one of the armature's."""
    figure = obj.data.get(actions.RIG)
    if actions.RIG in action and figure is not None:
        return action[actions.RIG] == figure
    names = {match[1] for curve in compat.curves(action) if (match := re.match(r'pose\.bones\["((?:[^"\\]|\\.)*)"\]', curve.data_path))}
    return all(bpy.utils.unescape_identifier(name) in obj.pose.bones for name in names)
