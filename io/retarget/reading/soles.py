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
    """The figure of an armature with the soles of the meshes that it moves; as it is where none has any on its feet."""
    meshes = [mesh for mesh in skinned.meshes_of(context, obj) if mesh.find_armature() == obj]
    legs = [[bone_map.role(side + part) for part in ("UpperLeg", "LowerLeg", "Foot")] for side in ("left", "right")] if meshes else []
    points, weights = list[Floats](), list[Floats]()
    for leg in legs:
        bones = [figure.index[pair.target] for pair in leg if pair is not None and pair.target in figure.index]
        if len(bones) == len(leg):
            for mesh in meshes:
                own = _of_mesh(mesh, obj, figure, bones)
                points.append(own[0])
                weights.append(own[1])
    if not any(map(len, points)):
        return figure
    return replace(figure, sole_points=np.concatenate(points), sole_weights=np.concatenate(weights))


def _of_mesh(mesh: bpy.types.Object, obj: bpy.types.Object, figure: Figure, leg: list[int]) -> tuple[Floats, Floats]:
    """`sole_points` and `sole_weights` of one foot of a mesh. leg: its joints, from the hips down."""
    carrying, joints = _carrying(obj, figure, leg[-1]), figure.rest[leg, :3, 3]
    groups = {group.index: carrying[group.name] for group in mesh.vertex_groups if group.name in carrying}
    matrix, vertices = np.linalg.inv(world_of(obj)) @ world_of(mesh), skinned.mesh_of(mesh).vertices
    points = values_of(vertices, "co", np.float32, 3).astype(np.float64) @ matrix[:3, :3].T + matrix[:3, 3]
    up = figure.world[2, :3]
    far = np.linalg.norm(np.diff(joints, axis=0), axis=1).sum()  # no boot is longer than its leg
    near = np.flatnonzero((np.abs(points - joints[-1]) < far).all(axis=1)).tolist() if groups else []
    every = {group.index for group in mesh.vertex_groups if group.name in armature.bones_of(obj)}
    by_bone: dict[int, list[int]] = {}
    for row in near:
        if (group := skinned.strongest(vertices[row], every)) in groups:
            by_bone.setdefault(groups[group], []).append(row)
    rows = [row for own in by_bone.values() for row in _outermost(points, np.array(own), up)]
    weights = np.zeros((len(rows), len(figure)))
    for own, row in zip(weights, rows, strict=True):
        for item in vertices[row].groups:
            if item.group in groups:
                own[groups[item.group]] += item.weight
        own /= own.sum()
    return points[rows], weights


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
