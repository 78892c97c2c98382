"""Props: what hangs on bones of the source, such as a weapon or a bag, as copies that hang on the target's bones in the same way."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from ....core.motion.rotations import quaternion as quat
from ....core.motion.rotations import rotation_matrix
from ....core.motion.rotations.rotation_matrix import Floats
from ....core.reporting import log
from ....core.retarget.setup import Setup
from ...blender import compat, parenting

HANGS = "retro_anim_prop"
"""Custom property of copies: the names of what each is a copy of and of its armature."""


def hang(context: bpy.types.Context, source: bpy.types.Object, target: bpy.types.Object, setup: Setup) -> list[bpy.types.Object]:
    """Copies of the source's props, with their animation, on the bones that follow those that carry them: parented to them, or held by
    Child Of constraints, whose strength may change. They are as large beside the target as the originals beside the source. Those of an
    earlier run are replaced. Returns the copies."""
    copies: list[bpy.types.Object] = []
    for prop in [obj for obj in context.scene.objects if _is_prop(obj, source, target)]:
        mark = [prop.name, target.name]
        _remove([obj for obj in bpy.data.objects if list(obj.get(HANGS, ())) == mark])
        copy = prop.copy()
        copy[HANGS] = mark
        compat.own_copy(copy, f"{prop.name} on {target.name}")
        for collection in target.users_collection:
            collection.objects.link(copy)
        _parent(copy, source, target, setup)
        for constraint in copy.constraints:
            _constrain(constraint, copy, source, target, setup)
        copies.append(copy)
    return copies


def _remove(copies: list[Any]) -> None:
    own = [copy.animation_data.action for copy in copies if copy.animation_data and copy.animation_data.action]
    bpy.data.batch_remove([*copies, *own])


def _is_prop(obj: bpy.types.Object, source: bpy.types.Object, target: bpy.types.Object) -> bool:
    """Whether an object hangs on a bone of the source; the skin does not."""
    if obj.type == "ARMATURE" or obj in (source, target) or HANGS in obj:
        return False
    if any(modifier.type == "ARMATURE" for modifier in obj.modifiers):
        return False
    if obj.type == "EMPTY" and not obj.children and obj.instance_type == "NONE":
        return False
    parented = obj.parent == source and obj.parent_type == "BONE"
    return parented or any(_holds(constraint, source) for constraint in obj.constraints)


def _holds(constraint: Any, source: bpy.types.Object) -> bool:
    return constraint.type == "CHILD_OF" and constraint.target == source and bool(constraint.subtarget)


def _parent(copy: Any, source: bpy.types.Object, target: bpy.types.Object, setup: Setup) -> None:
    if copy.parent != source or copy.parent_type != "BONE":
        return
    bone, between = _carried(copy.name, copy.parent_bone, source, setup)
    if not bone:
        return
    before, after = parenting.attached(source, copy.parent_bone), parenting.attached(target, bone)
    inverse = np.linalg.inv(after) @ between @ before @ np.array(copy.matrix_parent_inverse, np.float64)
    copy.parent, copy.parent_type, copy.parent_bone = target, "BONE", bone
    copy.matrix_parent_inverse = Matrix(inverse.tolist())


def _constrain(constraint: Any, copy: bpy.types.Object, source: bpy.types.Object, target: bpy.types.Object, setup: Setup) -> None:
    if not _holds(constraint, source):
        if getattr(constraint, "target", None) == source:
            log.warning(f"{copy.name}: its constraint {constraint.name} still follows {source.name}: choose a bone of {target.name}")
        return
    bone, between = _carried(copy.name, constraint.subtarget, source, setup)
    if bone:
        inverse = between @ np.array(constraint.inverse_matrix, np.float64)
        constraint.target, constraint.subtarget = target, bone
        constraint.inverse_matrix = Matrix(inverse.tolist())


def _carried(prop: str, bone: str, source: bpy.types.Object, setup: Setup) -> tuple[str, Floats]:
    """The target's bone that carries what a source's bone does, and (4, 4) from the source bone's space to that one's, as both stand in
    their reference poses. "" where neither the bone nor one above it is followed."""
    binding = setup.binding
    followers = {each.source: each for each in reversed(binding.followers)}
    start = followed = binding.source.index[bone]
    while followed >= 0 and followed not in followers:
        followed = int(binding.source.parents[followed])
    if followed < 0:
        log.warning(f"{prop} stays with {source.name}: nothing follows {bone}")
        return "", np.eye(4)
    follower = followers[followed]
    name = binding.target.names[follower.target]
    if followed != start:
        log.warning(f"{prop}: nothing follows {bone}, so that it hangs on {name} as on {binding.source.names[followed]} at rest")
    rotations = rotation_matrix.from_quaternion(setup.source_rotations)
    poses = [_matrix(rotations[each], setup.source_positions[each], binding.source.scale) for each in (followed, start)]
    inside = np.linalg.inv(poses[0]) @ poses[1]
    reference = rotation_matrix.from_quaternion(quat.conjugate(setup.references[follower.target]))
    larger = setup.factor * binding.source.scale / binding.target.scale
    return name, _matrix(reference @ setup.frame @ rotations[followed], np.zeros(3), larger) @ inside


def _matrix(rotation: Floats, position: Floats, scale: float) -> Floats:
    out = np.eye(4)
    out[:3, :3], out[:3, 3] = rotation * scale, position
    return out
