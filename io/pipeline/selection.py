"""Which actions an export is about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import bpy

from ...core.declare.shared import Source
from ..blender import armature, compat, identity, scene, source_data

NEW = ""
"""The kind of actions that were made in Blender."""


def armatures(context: bpy.types.Context, source: Source) -> list[bpy.types.Object]:
    """The armatures that are meant: the active or the selected ones, and those of such meshes."""
    return [obj for obj in _objects(context, source, animated=False) if obj.type == "ARMATURE"]


def chosen_actions(
    context: bpy.types.Context,
    source: Source,
    *kinds: str,
    objects: Sequence[bpy.types.Object] | None = None,
    animated: bool = False,
) -> list[tuple[bpy.types.Object, bpy.types.Action]]:
    """Armatures with the actions that are meant, each action once, or once for each of its slots. kinds: names of the formats that
    imported actions came from, NEW for those made in Blender. objects: the armatures, None for those that `source` means.
    animated: take other objects too, that have an action of their own."""
    owners: dict[tuple[bpy.types.Action, str], bpy.types.Object] = {}
    if objects is None:
        objects = _objects(context, source, animated) if animated else armatures(context, source)
    for obj in objects:
        for action in _actions(obj, source, kinds):
            owners.setdefault((action, compat.slot_name(action, obj)), obj)
    return [(obj, action) for (action, _), obj in owners.items()]


def drives(action: bpy.types.Action, obj: bpy.types.Object) -> bool:
    """Whether the action was imported for this figure, or, where that is not known, every bone that it moves is one of the armature's."""
    figure = armature.data_of(obj).get(identity.RIG)
    if identity.RIG in action and figure is not None:
        return action[identity.RIG] == figure
    return all(bpy.utils.unescape_identifier(name) in armature.pose_bones(obj) for name in _bones(action))


def _objects(context: bpy.types.Context, source: Source, animated: bool) -> list[bpy.types.Object]:
    active = context.view_layer.objects.active
    objects = scene.selected(context) if source == "SELECTED" else [active] if active is not None else []
    carriers = (obj if obj.type == "ARMATURE" or (animated and _own(obj)) else obj.find_armature() or obj for obj in objects)
    return list(dict.fromkeys(carriers))


def _own(obj: bpy.types.Object) -> bpy.types.Action | None:
    return obj.animation_data.action if obj.animation_data else None


def _actions(obj: bpy.types.Object, source: Source, kinds: Sequence[str]) -> Iterator[bpy.types.Action]:
    own, data = _own(obj), obj.animation_data
    if source == "NLA":
        if data:
            yield from (strip.action for track in data.nla_tracks for strip in track.strips if strip.action is not None)
    elif source == "ALL":
        yield from (action for action in bpy.data.actions if action == own or (obj.type == "ARMATURE" and _fits(action, obj, kinds)))
    elif own is not None:
        yield own


def _fits(action: bpy.types.Action, obj: bpy.types.Object, kinds: Sequence[str]) -> bool:
    kind = action.get(source_data.FORMAT, NEW)
    return kind in kinds and (kind != NEW or bool(_bones(action))) and drives(action, obj)


def _bones(action: bpy.types.Action) -> set[str]:
    """The bones that an action moves, escaped as its curves' paths have them."""
    return {match[1] for curve in compat.curves(action) if (match := re.match(r'pose\.bones\["((?:[^"\\]|\\.)*)"\]', curve.data_path))}
