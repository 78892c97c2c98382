"""Bones that somebody added to a character: what they show, and no clip of the game has room for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import bpy

from .....core.reporting import log
from ....blender import armature, compat
from ....blender.paths import BONE, data_path
from ....blender.surface.skinned import carriers, meshes_of

_REMEDY = (
    "key a bone of the game; or, where bodies of the game may get further bones, export the body with it, import that again and key the "
    "bone there"
)

_BONES = ("subtarget", "pole_subtarget", "bone_from", "bone_to")
"""What constraints, their targets and modifiers call the bones that they follow."""


class Added(NamedTuple):
    """Bones of a game's armature that have no number of the game, or are copies of one that has. carrying: those that carry vertices.
    idle: those that carry nothing and that nothing follows, so that they are no controls either."""

    carrying: frozenset[str] = frozenset()
    idle: frozenset[str] = frozenset()


def of_armature(context: bpy.types.Context, obj: bpy.types.Object) -> Added:
    if not armature.is_game_armature(obj):
        return Added()
    added = {bone.name for bone in armature.bones_of(obj) if armature.INDEX not in bone} | armature.copies(obj).keys()
    if not added:
        return Added()
    carrying = set[str]().union(*(carriers(mesh, obj) for mesh in meshes_of(context, obj)))
    others = {name for name in added - carrying if armature.bones_of(obj)[name].use_deform}
    used = carrying | {bone.name for bone in armature.bones_of(obj)} - added | set(_followed() if others else ())
    return Added(frozenset(added & carrying), frozenset(name for name in others if used.isdisjoint(_with_children(obj, name))))


def report(obj: bpy.types.Object, action: bpy.types.Action, added: Added) -> None:
    """Say which of these bones an action has keys for."""
    paths = [curve.data_path for curve in compat.curves(action, obj)] if any(added) else []
    for bones, else_ in ((added.carrying, ""), (added.idle, "; or, where it is a control, take its Deform off")):
        keyed = sorted(bone for bone in bones if any(each.startswith(data_path(bone, "")[:-1]) for each in paths))
        if keyed:
            whose = "its" if len(keyed) == 1 else "their"
            log.warning(f"{', '.join(keyed)}: not of the game's skeleton, so {whose} keys are not written: {_REMEDY}{else_}")


def _with_children(obj: bpy.types.Object, name: str) -> set[str]:
    bone = armature.bones_of(obj)[name]
    return {name, *(each.name for each in bone.children_recursive)}


def _followed() -> Iterator[str]:
    """The names of bones that constraints, modifiers, drivers or parents of anything in the file name, of whatever armature."""
    each: Any
    for each in bpy.data.objects:
        yield each.parent_bone
        bones = armature.pose_bones(each) if each.type == "ARMATURE" else ()
        for tie in (*each.constraints, *each.modifiers, *(one for bone in bones for one in bone.constraints)):
            for target in (tie, *(getattr(tie, "targets", None) or ())):
                yield from (getattr(target, name, "") for name in _BONES)
    blocks: list[Any] = list(bpy.data.user_map())
    trees = [tree for block in blocks if (tree := getattr(block, "node_tree", None)) is not None]
    animated = (data for block in (*blocks, *trees) if (data := getattr(block, "animation_data", None)) is not None)
    for driver in (curve.driver for data in animated for curve in data.drivers):
        for target in (target for variable in driver.variables for target in variable.targets):
            yield target.bone_target
            yield from map(bpy.utils.unescape_identifier, re.findall(BONE, target.data_path or ""))
