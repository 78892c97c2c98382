"""The soles of meshes: of boots the points that may be the lowest, however the foot is tipped."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import Literal, NamedTuple

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.motion.rotations.rotation_matrix import Floats
from ....core.retarget.figures.figure import Figure
from ....core.retarget.figures.maps.bone_map import BoneMap
from ...blender import armature
from ...blender.arrays import of_property, values_of, world_of
from ...blender.surface import skinned

_TIPS = np.radians([0, 15, 30, 45, 60, 75, 90])
_HEADINGS = np.arange(16) * np.pi / 8
"""How far, and in which directions, a foot may be tipped for a point of it to be the lowest."""

_SHAFT = 0.5
"""Of the length of a shin, how far above its ankle a foot has points at most that may be the lowest."""


class _Leg(NamedTuple):
    """Of the figure. joints: (3, 3) in armature space, from the hips down. carrying: by name what carries its foot, as of `_carrying`."""

    joints: Floats
    carrying: dict[str, int]


class _Copy(NamedTuple):
    """Of the vertices of a mesh. signs: factors along its axes. flipped: whether its weights are those of the other side."""

    signs: tuple[int, ...]
    flipped: bool


def with_soles(
    context: bpy.types.Context, obj: bpy.types.Object, figure: Figure, bone_map: BoneMap, side: Literal["source", "target"] = "target"
) -> Figure:
    """The figure of an armature with the soles of the meshes that it moves, of those that are shown if these have feet; as it is where none
    has, or not each foot, as of who has one boot. side: of the map, that the armature is."""
    meshes = [mesh for mesh in skinned.meshes_of(context, obj) if _is_moved(mesh, obj)]
    pairs = [[bone_map.role(hand + part) for part in ("UpperLeg", "LowerLeg", "Foot")] for hand in ("left", "right")]
    names: list[list[str]] = [[getattr(pair, side) for pair in leg if pair is not None] for leg in pairs]
    bones = [[figure.index[name] for name in leg if name in figure.index] for leg in names]
    legs = [_Leg(figure.rest[leg, :3, 3], _carrying(obj, figure, leg[-1])) for leg in bones if len(leg) == 3] if meshes else []
    for chosen in ([mesh for mesh in meshes if mesh.visible_get(view_layer=context.view_layer)], meshes):
        soles = [_of_mesh(mesh, obj, figure, legs) for mesh in chosen]
        has = [any(len(feet[number][0]) for feet in soles) for number in range(len(legs))]
        if any(has):
            points, weights = map(np.concatenate, zip(*chain.from_iterable(soles), strict=True))
            return replace(figure, sole_points=points, sole_weights=weights) if all(has) else figure
    return figure


def _is_moved(mesh: bpy.types.Object, obj: bpy.types.Object) -> bool:
    """Whether a mesh follows the bones of an armature, by its vertex groups or, without, as a whole."""
    if mesh.find_armature() != obj:
        return mesh.parent_type == "BONE"
    own = (each for each in mesh.modifiers if isinstance(each, bpy.types.ArmatureModifier) and each.object == obj)
    return all(each.use_vertex_groups for each in own)


def _of_mesh(mesh: bpy.types.Object, obj: bpy.types.Object, figure: Figure, legs: list[_Leg]) -> list[tuple[Floats, Floats]]:
    """`sole_points` and `sole_weights` of each foot of a mesh."""
    copies = _copies(mesh)
    points, up = _at_rest(mesh, obj, copies), figure.world[2, :3] / np.linalg.norm(figure.world[2, :3])
    near = np.zeros(len(points), bool)
    for joints, _ in legs:
        lengths, offsets = np.linalg.norm(np.diff(joints, axis=0), axis=1), points - joints[-1]
        near |= (np.abs(offsets) < lengths.sum()).all(axis=1) & (offsets @ up < _SHAFT * lengths[1])  # no boot is longer than its leg
    shares = _shares(mesh, obj, copies, np.flatnonzero(near).tolist())
    heaviest = {row: max(by_name, key=by_name.__getitem__) for row, by_name in shares.items()}
    result: list[tuple[Floats, Floats]] = []
    for _, carrying in legs:
        by_bone: dict[int, list[int]] = {}
        for row, name in heaviest.items():
            if name in carrying:
                by_bone.setdefault(carrying[name], []).append(row)
        rows = [row for own in by_bone.values() for row in _outermost(points, np.array(own), -up)]
        weights = np.zeros((len(rows), len(figure)))
        for own, row in zip(weights, rows, strict=True):
            for name, share in shares[row].items():
                if name in carrying:
                    own[carrying[name]] += share
            own /= own.sum()
        result.append((points[rows], weights))
    return result


def _copies(mesh: bpy.types.Object) -> list[_Copy]:
    """The vertices themselves, and what Mirror modifiers make of them before an armature moves them."""
    result = [_Copy((1, 1, 1), False)]
    for modifier in mesh.modifiers:
        if modifier.type == "ARMATURE":
            break
        if isinstance(modifier, bpy.types.MirrorModifier) and modifier.show_viewport and modifier.mirror_object is None:
            for axis in np.flatnonzero(of_property(modifier.use_axis)):
                signs = np.where(np.arange(3) == axis, -1, 1)
                result += [_Copy(tuple(signs * each.signs), each.flipped ^ modifier.use_mirror_vertex_groups) for each in result]
    return result


def _at_rest(mesh: bpy.types.Object, obj: bpy.types.Object, copies: list[_Copy]) -> Floats:
    """(copies * V, 3) the vertices of a mesh in armature space, while the armature is at rest. Of what hangs on the armature only its own
    transform is read, as Blender does not evaluate all that is hidden."""
    if mesh.parent == obj:
        matrix = np.array(mesh.matrix_parent_inverse, np.float64) @ np.array(mesh.matrix_basis, np.float64)
        bone = armature.bones_of(obj).get(mesh.parent_bone) if mesh.parent_type == "BONE" else None
        if bone is not None and not bone.use_relative_parent:
            tail = np.array(bone.matrix_local, np.float64)
            tail[:3, 3] = bone.tail_local
            matrix = tail @ matrix
    else:
        matrix = np.linalg.inv(world_of(obj)) @ world_of(mesh)
    points = values_of(skinned.mesh_of(mesh).vertices, "co", np.float32, 3).astype(np.float64)
    return np.concatenate([points * copy.signs for copy in copies]) @ matrix[:3, :3].T + matrix[:3, 3]


def _shares(mesh: bpy.types.Object, obj: bpy.types.Object, copies: list[_Copy], rows: list[int]) -> dict[int, dict[str, float]]:
    """Of those of some rows of `_at_rest` that bones move, the weights by bone."""
    if mesh.find_armature() != obj:
        return {row: {mesh.parent_bone: 1.0} for row in rows}
    moving = {bone.name for bone in armature.bones_of(obj) if bone.use_deform}
    own = {group.index: group.name for group in mesh.vertex_groups}
    flipped = {index: other if (other := bpy.utils.flip_name(name)) in mesh.vertex_groups else name for index, name in own.items()}
    names = [{index: name for index, name in each.items() if name in moving} for each in (own, flipped)]
    vertices, result = skinned.mesh_of(mesh).vertices, dict[int, dict[str, float]]()
    for row in rows:
        copy, vertex = divmod(row, len(vertices))
        name_of = names[copies[copy].flipped]
        by_name = {name_of[item.group]: item.weight for item in vertices[vertex].groups if item.group in name_of and item.weight > 0}
        if by_name:
            result[row] = by_name
    return result


def _carrying(obj: bpy.types.Object, figure: Figure, foot: int) -> dict[str, int]:
    """By name a foot and what hangs on it, and which of the figure's bones each moves with: itself, or the nearest above it."""
    result: dict[str, int] = {}
    for bone in armature.bones_of(obj):  # parents come first
        above = result.get(bone.parent.name) if bone.parent else None
        if bone.name == figure.names[foot] or above is not None:
            result[bone.name] = figure.index[bone.name] if bone.name in figure.index or above is None else above
    return result


def _outermost(points: Floats, rows: NDArray[np.int64], down: Floats) -> list[int]:
    """Some of these rows: of the points (N, 3) that are the lowest in some direction. down: (3,) of length 1."""
    across = np.cross(down, np.eye(3)[np.abs(down).argmin()])
    across /= np.linalg.norm(across)
    around = np.cos(_HEADINGS)[:, None] * across + np.sin(_HEADINGS)[:, None] * np.cross(down, across)
    directions = (np.cos(_TIPS)[:, None, None] * down + np.sin(_TIPS)[:, None, None] * around).reshape(-1, 3)
    return rows[np.unique((points[rows] @ directions.T).argmax(axis=0))].tolist()
