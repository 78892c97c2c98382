"""Bones that somebody added to a character: they move what is seen, and no clip of the game has room for them."""

from __future__ import annotations

import bpy

from ....core.reporting import log
from ...blender import armature, compat
from ...blender.paths import data_path
from ...blender.surface.skinned import carriers, meshes_of


def moving(context: bpy.types.Context, obj: bpy.types.Object) -> frozenset[str]:
    """The bones of a game's armature that carry vertices, and have no number of the game, or are copies of one that has."""
    if not armature.is_game_armature(obj):
        return frozenset()
    added = {bone.name for bone in armature.bones_of(obj) if armature.INDEX not in bone} | armature.copies(obj).keys()
    carrying = set[str]().union(*(carriers(mesh, obj) for mesh in meshes_of(context, obj))) if added else set[str]()
    return frozenset(added & carrying)


def report(obj: bpy.types.Object, action: bpy.types.Action, added: frozenset[str]) -> None:
    """Say which of these bones an action has keys for."""
    paths = [curve.data_path for curve in compat.curves(action, obj)] if added else []
    keyed = sorted(bone for bone in added if any(each.startswith(data_path(bone, "")[:-1]) for each in paths))
    if keyed:
        log.warning(
            f"{', '.join(keyed)}: not of the game's skeleton, so {'its' if len(keyed) == 1 else 'their'} keys are not written: "
            "key a bone of the game; or, where bodies of the game may get further bones, export the body with it, import that again and "
            "key the bone there"
        )
