"""The soles of a target's meshes: of boots the points that may be the lowest, however the foot is tipped."""

from __future__ import annotations

from dataclasses import replace

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.motion.rotations.rotation_matrix import Floats
from ....core.retarget.figures.bone_map import BoneMap
from ....core.retarget.figures.figure import Figure
from ...blender import armature
from ...blender.arrays import values_of, world_of
from ...blender.surface import skinned

_TIPS = np.radians([0, 15, 30, 45, 60, 75, 90])
_HEADINGS = np.arange(16) * np.pi / 8
"""How far, and in which directions, a foot may be tipped for a point of it to be the lowest."""


def with_soles(context: bpy.types.Context, obj: bpy.types.Object, figure: Figure, bone_map: BoneMap) -> Figure:
    """The figure of an armature with the soles of the meshes that it moves, of those that are shown if these have feet; as it is where none
    has."""
    meshes = [mesh for mesh in skinned.meshes_of(context, obj) if mesh.find_armature() == obj or mesh.parent_type == "BONE"]
    if not meshes:
        return figure
    legs = [[bone_map.role(side + part) for part in ("UpperLeg", "LowerLeg", "Foot")] for side in ("left", "right")]
    bones = [[figure.index[pair.target] for pair in leg if pair is not None and pair.target in figure.index] for leg in legs]
    for chosen in ([mesh for mesh in meshes if mesh.visible_get(view_layer=context.view_layer)], meshes):
        soles = [_of_mesh(mesh, obj, figure, leg) for leg in bones if len(leg) == 3 for mesh in chosen]
        if any(len(points) for points, _ in soles):
            points, weights = map(np.concatenate, zip(*soles, strict=True))
            return replace(figure, sole_points=points, sole_weights=weights)
    return figure


def _of_mesh(mesh: bpy.types.Object, obj: bpy.types.Object, figure: Figure, leg: list[int]) -> tuple[Floats, Floats]:
    """`sole_points` and `sole_weights` of one foot of a mesh. leg: its joints, from the hips down."""
    carrying, joints, points = _carrying(obj, figure, leg[-1]), figure.rest[leg, :3, 3], _at_rest(mesh, obj)
    far = np.linalg.norm(np.diff(joints, axis=0), axis=1).sum()  # no boot is longer than its leg
    near = np.flatnonzero((np.abs(points - joints[-1]) < far).all(axis=1)).tolist()
    shares = {row: by_name for row, by_name in zip(near, _shares(mesh, obj, near), strict=True) if by_name}
    by_bone: dict[int, list[int]] = {}
    for row, by_name in shares.items():
        if (heaviest := max(by_name, key=by_name.__getitem__)) in carrying:
            by_bone.setdefault(carrying[heaviest], []).append(row)
    rows = [row for own in by_bone.values() for row in _outermost(points, np.array(own), figure.world[2, :3])]
    weights = np.zeros((len(rows), len(figure)))
    for own, row in zip(weights, rows, strict=True):
        for name, share in shares[row].items():
            if name in carrying:
                own[carrying[name]] += share
        own /= own.sum()
    return points[rows], weights


def _at_rest(mesh: bpy.types.Object, obj: bpy.types.Object) -> Floats:
    """(V, 3) the vertices of a mesh in armature space, while the armature is at rest."""
    matrix = np.linalg.inv(world_of(obj)) @ world_of(mesh)
    bone = obj.pose.bones.get(mesh.parent_bone) if obj.pose and _hangs(mesh, obj) else None
    if bone is not None:  # of a bone that is scaled to nothing, nothing is to be seen
        matrix = np.array(bone.bone.matrix_local) @ np.linalg.pinv(np.array(bone.matrix, np.float64)) @ matrix
    return values_of(skinned.mesh_of(mesh).vertices, "co", np.float32, 3).astype(np.float64) @ matrix[:3, :3].T + matrix[:3, 3]


def _hangs(mesh: bpy.types.Object, obj: bpy.types.Object) -> bool:
    """Whether one bone moves the whole object."""
    return mesh.find_armature() != obj


def _shares(mesh: bpy.types.Object, obj: bpy.types.Object, rows: list[int]) -> list[dict[str, float]]:
    """Of some vertices of a mesh the weights by bone."""
    if _hangs(mesh, obj):
        return [{mesh.parent_bone: 1.0}] * len(rows)
    names, vertices = (
        {group.index: group.name for group in mesh.vertex_groups if group.name in armature.bones_of(obj)},
        skinned.mesh_of(mesh).vertices,
    )
    return [{names[item.group]: item.weight for item in vertices[row].groups if item.group in names and item.weight > 0} for row in rows]


def _carrying(obj: bpy.types.Object, figure: Figure, foot: int) -> dict[str, int]:
    """By name a foot and what hangs on it, and which of the figure's bones each moves with: itself, or the nearest above it."""
    result: dict[str, int] = {}
    for bone in armature.bones_of(obj):  # parents come first
        above = result.get(bone.parent.name) if bone.parent else None
        if bone.name == figure.names[foot] or above is not None:
            result[bone.name] = figure.index[bone.name] if bone.name in figure.index or above is None else above
    return result


def _outermost(points: Floats, rows: NDArray[np.int64], up: Floats) -> list[int]:
    """Some of these rows: of the points (N, 3) that are the lowest in some direction."""
    down = -up / np.linalg.norm(up)
    across = np.cross(down, np.eye(3)[np.abs(down).argmin()])
    across /= np.linalg.norm(across)
    around = np.cos(_HEADINGS)[:, None] * across + np.sin(_HEADINGS)[:, None] * np.cross(down, across)
    directions = (np.cos(_TIPS)[:, None, None] * down + np.sin(_TIPS)[:, None, None] * around).reshape(-1, 3)
    return rows[np.unique((points[rows] @ directions.T).argmax(axis=0))].tolist()
