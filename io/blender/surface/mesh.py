"""A game's surface as mesh objects skinned to an armature; lines and spheres as meshes of their own."""

from __future__ import annotations

from functools import cache
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.motion.rigs.matrix_rig import MatrixRig
from ....core.motion.rigs.rig import Rig
from ....core.motion.rotations.directions import cross, unit
from ....core.reporting import labels
from ....core.surface.holdable import holdable
from ....core.surface.mesh import FACE_NUMBER, LIGHT, OUTLINE_NUMBER, POINT_NUMBER, RADIUS, TWIN, Mesh
from .. import compat, new_objects
from ..arrays import set_values, values_of
from . import as_objects, edited
from .materials import materials

LINE_WIDTH = 6.0
"""Of the bars that stand for lines, in game units: the game draws them one pixel wide."""

_TUBE = np.array([[np.cos(rotation), np.sin(rotation)] for rotation in np.arange(4) * np.pi / 2])


def build(
    context: bpy.types.Context,
    name: str,
    mesh: Mesh,
    rig: Rig | MatrixRig,
    armature: bpy.types.Object,
    scale: float,
    *,
    shown_only: bool = False,
) -> list[bpy.types.Object]:
    """The surface, and where the body has them its lines and its spheres; vertices of the surface in the order of the file's points.
    shown_only: whether they stand for others for a while, and are not what the armature's file has.

    The one door through which surfaces come into Blender: what it cannot hold is left out or mended first, as `holdable` reports.
    """
    mesh = holdable(mesh)
    positions = mesh.points @ rig.axes.T * scale
    slots = materials.build_all(mesh.materials)
    created = [_surface(name, mesh, positions, rig)]
    groups = [mesh.bones]
    if mesh.lines:
        obj, bones = _lines(f"{name} lines", mesh, positions, scale)
        created.append(obj)
        groups.append(bones)
    if mesh.spheres:
        obj, bones = _spheres(f"{name} spheres", mesh, positions, scale)
        created.append(obj)
        groups.append(bones)
    for data in created:
        for slot in slots:
            data.materials.append(slot)
    objects = [new_objects.link(context, bpy.data.objects.new(data.name, data)) for data in created]
    for obj, bones in zip(objects, groups, strict=True):
        _skin(obj, bones, mesh.weights if bones is mesh.bones else None, rig, armature)
    for data in created:
        edited.remember(data)
    if not shown_only:
        as_objects.came(armature, objects)
    return objects


def _surface(name: str, mesh: Mesh, positions: NDArray[np.float64], rig: Rig | MatrixRig) -> bpy.types.Mesh:
    order = _winding(mesh, rig)
    data = _polygons(name, positions, mesh.corners[order], mesh.starts, mesh.material_of)
    # As the game draws, flat faces have the same normal at all their corners, which renderers take from smooth ones alone.
    flat = np.array([material.shading == "FLAT" and material.look is None for material in mesh.materials], bool)
    set_values(data.polygons, "use_smooth", ~flat[mesh.material_of] if len(flat) else np.zeros(0, bool))
    if mesh.numbers is not None:
        points = np.arange(len(positions)) if mesh.point_numbers is None else mesh.point_numbers
        _attribute(data, POINT_NUMBER, "INT", "POINT", _stamped(mesh, points))
        _attribute(data, FACE_NUMBER, "INT", "FACE", _stamped(mesh, mesh.numbers))
    for attribute, values in mesh.attributes.items():
        _attribute(data, attribute, "BOOLEAN" if values.dtype == np.bool_ else "INT", "FACE", values)
    for layer, coordinates in mesh.uvs.items():
        set_values(data.uv_layers.new(name=labels.label(layer, "UVMap")).uv, "vector", coordinates[order].astype(np.float32))
    created: Any
    if mesh.colours is not None:
        created = data.color_attributes.new(materials.COLOURS, "BYTE_COLOR", "CORNER")
        set_values(created.data, "color_srgb", (mesh.colours[order] / np.float32(255)).astype(np.float32))
    normals = (mesh.normals @ rig.axes.T)[order]
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    directions = normals / np.where(length == 0, 1, length)
    if mesh.light is not None:
        created = data.attributes.new(LIGHT, "FLOAT_VECTOR", "CORNER")
        set_values(created.data, "vector", (directions * mesh.light[order, None]).astype(np.float32))
        _attribute(data, TWIN, "FLOAT", "FACE", mesh.twins().astype(np.float32))
    if length.any():
        _set_normals(data, directions, np.repeat(np.arange(len(mesh.starts)), mesh.counts))
    return data


def _stamped(mesh: Mesh, numbers: NDArray[np.int64]) -> NDArray[np.int32]:
    """As the attributes have them."""
    return (mesh.stamp << 16 | (numbers + 1)).astype(np.int32)


_OFF = np.cos(np.radians(0.5))
"""Of a corner's normal that did not come out as it was given."""


def _set_normals(data: bpy.types.Mesh, normals: NDArray[np.float64], face_of: NDArray[np.int64]) -> None:
    """normals: (C, 3) of length 1, or zero for Blender's own. face_of: (C,) the face of each corner.

    Blender keeps a normal as angles from those around it, which cancel out where faces lie back to back: their edges become sharp, so that
    each corner has its face's direction to start from. The normals follow the pose, as those of the attribute `custom_normal` would not.
    """
    given = normals.tolist()
    data.normals_split_custom_set(given)
    shown = values_of(data.corner_normals, "vector", np.float32, 3)
    off = (np.einsum("cj,cj->c", shown, normals) < _OFF) & normals.any(axis=1)
    if not off.any():
        return
    corners = np.isin(face_of, face_of[off])
    sharp = values_of(data.edges, "use_edge_sharp", np.bool_)
    sharp[values_of(data.loops, "edge_index", np.int32)[corners]] = True
    set_values(data.edges, "use_edge_sharp", sharp)
    data.normals_split_custom_set(given)


def _winding(mesh: Mesh, rig: Rig | MatrixRig) -> NDArray[np.int64]:
    """(C,) the corners in the order in which faces look outwards: reversed where the conversion to Blender's axes mirrors."""
    order = np.arange(len(mesh.corners))
    if np.linalg.det(rig.axes) > 0:
        return order
    starts, counts = np.repeat(mesh.starts, mesh.counts), np.repeat(mesh.counts, mesh.counts)
    return 2 * starts + counts - 1 - order


def _polygons(
    name: str,
    positions: NDArray[np.float64],
    corners: NDArray[np.int64],
    starts: NDArray[np.int64],
    material_of: NDArray[np.int64],
) -> bpy.types.Mesh:
    data = bpy.data.meshes.new(labels.label(name, "mesh", compat.NAME_LIMIT))
    data.vertices.add(len(positions))
    set_values(data.vertices, "co", positions.astype(np.float32))
    data.loops.add(len(corners))
    set_values(data.loops, "vertex_index", corners.astype(np.int32))
    data.polygons.add(len(starts))
    set_values(data.polygons, "loop_start", starts.astype(np.int32))
    set_values(data.polygons, "material_index", material_of.astype(np.int32))
    data.update(calc_edges=True)
    return data


def _attribute(data: bpy.types.Mesh, name: str, kind: Any, domain: Any, values: NDArray[Any]) -> None:
    created: Any = data.attributes.new(name, kind, domain)
    set_values(created.data, "value", values)


def _lines(name: str, mesh: Mesh, positions: NDArray[np.float64], scale: float) -> tuple[bpy.types.Mesh, NDArray[np.int64]]:
    """A square bar for every line, each end carried by the bone of its point."""
    ends = np.array([line.points for line in mesh.lines])
    start, stop = positions[ends[:, 0]], positions[ends[:, 1]]
    along = stop - start
    helper = np.where(np.abs(along[:, :1]) < np.abs(along[:, 2:]), [[1.0, 0, 0]], [[0, 0, 1.0]])
    side = unit(cross(along, helper))
    up = unit(cross(along, side))
    ring = (_TUBE[None, :, :1] * side[:, None] + _TUBE[None, :, 1:] * up[:, None]) * (LINE_WIDTH / 2 * scale)
    vertices = np.concatenate([start[:, None] + ring, stop[:, None] + ring], axis=1).reshape(-1, 3)
    rotation = np.arange(4)
    sides = np.stack([rotation, rotation + 4, (rotation + 1) % 4 + 4, (rotation + 1) % 4], axis=1)
    faces = np.concatenate([sides, [[0, 1, 2, 3], [7, 6, 5, 4]]])
    corners = (faces[None] + 8 * np.arange(len(ends))[:, None, None]).ravel()
    starts = np.arange(len(corners) // 4) * 4
    colours = np.repeat([line.material for line in mesh.lines], len(faces))
    data = _polygons(name, vertices, corners, starts, colours)
    _attribute(data, OUTLINE_NUMBER, "INT", "POINT", np.repeat(_stamped(mesh, np.array([line.number for line in mesh.lines])), 8))
    return data, mesh.bones[np.repeat(ends, 4, axis=1).ravel()]


def _spheres(name: str, mesh: Mesh, positions: NDArray[np.float64], scale: float) -> tuple[bpy.types.Mesh, NDArray[np.int64]]:
    """A ball for every sphere of the body, carried by the bone of its point; its radius stays as an attribute."""
    ball, faces = _ball()
    points = np.array([sphere.point for sphere in mesh.spheres])
    radii = np.array([sphere.radius for sphere in mesh.spheres])
    vertices = (positions[points][:, None] + ball[None] * (radii * scale)[:, None, None]).reshape(-1, 3)
    corners = (faces[None] + len(ball) * np.arange(len(points))[:, None, None]).ravel()
    starts = np.arange(len(corners) // 4) * 4
    data = _polygons(name, vertices, corners, starts, np.repeat([sphere.material for sphere in mesh.spheres], len(faces)))
    _attribute(data, RADIUS, "FLOAT", "POINT", np.repeat(radii, len(ball)).astype(np.float32))
    _attribute(
        data, OUTLINE_NUMBER, "INT", "POINT", np.repeat(_stamped(mesh, np.array([sphere.number for sphere in mesh.spheres])), len(ball))
    )
    set_values(data.polygons, "use_smooth", np.ones(len(starts), bool))
    return data, np.repeat(mesh.bones[points], len(ball))


_CUTS = 4
"""Quads along an edge of the cube that a sphere is made of."""


@cache
def _ball() -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """A unit sphere of quads: a cube's faces, cut and pushed out, of one piece. Points (N, 3), faces (F, 4)."""
    steps = np.tan(np.linspace(-np.pi / 4, np.pi / 4, _CUTS + 1))
    u, v = (grid.ravel() for grid in np.meshgrid(steps, steps, indexing="ij"))
    sides = [np.roll(np.stack([np.full_like(u, sign), sign * u, v], axis=1), axis, axis=1) for axis in range(3) for sign in (1.0, -1.0)]
    points = unit(np.concatenate(sides))
    first = (np.arange(_CUTS)[:, None] * (_CUTS + 1) + np.arange(_CUTS)).ravel()
    quads = np.stack([first, first + _CUTS + 1, first + _CUTS + 2, first + 1], axis=1)
    _, kept, one_for = np.unique(np.round(points, 6), axis=0, return_index=True, return_inverse=True)
    return points[kept], one_for.reshape(-1)[np.concatenate([quads + side * (_CUTS + 1) ** 2 for side in range(6)])]


_WHOLE = np.ones(1)


def _skin(
    obj: bpy.types.Object,
    bones: NDArray[np.int64],
    weights: NDArray[np.float64] | None,
    rig: Rig | MatrixRig,
    armature: bpy.types.Object,
) -> None:
    names = rig.skeleton.names
    used = np.bincount(bones[(bones >= 0) & (bones < len(names))], minlength=1)
    for bone in np.flatnonzero(used).tolist():
        if weights is None:
            members, shares = np.flatnonzero(bones == bone), _WHOLE
        else:
            share = np.where(bones == bone, weights, 0.0).sum(axis=1)
            members = np.flatnonzero(share)
            shares = share[members]
        if not len(members):
            continue
        group = obj.vertex_groups.new(name=names[bone])
        if shares is _WHOLE or (shares == shares[0]).all():
            group.add(members.tolist(), float(shares[0]), "REPLACE")
        else:
            for member, part in zip(members.tolist(), shares.tolist(), strict=True):
                group.add((member,), part, "REPLACE")
    obj.parent = armature
    modifier = obj.modifiers.new("Armature", "ARMATURE")
    assert isinstance(modifier, bpy.types.ArmatureModifier)
    modifier.object = armature
