"""What moves with an armature as the parts of a body: meshes at rest, in the game's axes and units, with the group of each vertex."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.lba.motion.motion import CONVENTION
from ....core.reporting import log
from ....core.surface.connected import connected
from ....core.surface.mesh import FACE_NUMBER, OUTLINE_NUMBER, POINT_NUMBER
from ...blender import armature
from ...blender.arrays import values_of
from ...blender.surface.skinned import (
    attribute,
    carriers,
    inverse_of,
    mesh_of,
    mirrored,
    positions_of,
    report_shared,
    rest_world_of,
    strongest,
)
from .roles import Role, role_of

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Figure:
    """The groups of a body. names, parents: (G,). heads: (G, 3) in the game's axes and units. scale: Blender units a game unit.

    space: (4, 4) the scene's space -> the body's, in Blender's axes. aliases: groups of bones that are none themselves, by name. bare: the
    group of what no bone moves, -1 for none."""

    obj: bpy.types.Object
    names: tuple[str, ...]
    parents: Ints
    heads: Floats
    scale: float
    space: Floats
    aliases: Mapping[str, int] = field(default_factory=dict[str, int])
    bare: int = -1

    @property
    def number(self) -> dict[str, int]:
        """The group of each bone that moves something."""
        return {**{name: index for index, name in enumerate(self.names)}, **self.aliases}


@dataclass(frozen=True, eq=False)
class Part:
    """A mesh. positions: (V, 3). groups: (V,) -1 for a vertex that no bone moves. numbers: (V,) of points, or of lines or spheres, as the
    mesh has them, 0 for new ones; face_numbers: (F,) likewise; None where it has none. mirrored: whether the corners of its faces go round
    the other way."""

    obj: bpy.types.Object
    data: bpy.types.Mesh
    role: Role
    positions: Floats
    groups: Ints
    numbers: Ints | None
    face_numbers: Ints | None
    normals: Floats
    mirrored: bool = False

    @property
    def materials(self) -> list[bpy.types.Material | None]:
        return [slot.material for slot in self.obj.material_slots] or [None]


def figure_of(obj: bpy.types.Object, meshes: Sequence[bpy.types.Object], scale: float) -> Figure:
    """The game's bones by their numbers, then others that move something, parents before their children."""
    numbered = armature.by_number(obj)
    names = [numbered[index].name for index in sorted(numbered)]
    carrying = set[str]().union(*(carriers(each, obj) for each in meshes))
    names += [bone.name for bone in _by_depth(obj) if bone.name in carrying and bone.name not in names]
    if gone := armature.deleted_bones(obj, numbered):
        log.warning(armature.of_deleted(gone, ", and clips count groups, so that those behind move others"))
    number = {name: index for index, name in enumerate(names)}
    own = armature.bones_of(obj)
    if idle := [bone.name for bone in own if bone.use_deform and bone.name not in number]:
        log.warning(
            f"{', '.join(idle)}: no vertex has its largest weight on {'it' if len(idle) == 1 else 'them'}, so the body has no group for "
            f"{'it' if len(idle) == 1 else 'them'}: give {'it' if len(idle) == 1 else 'each'} a vertex, or, where it is a control, take "
            "its Deform off"
        )
    parents = [armature.parent_among(own[name], number) for name in names]
    heads = np.array([own[name].head_local for name in names], np.float64).reshape(-1, 3) @ CONVENTION.axes / scale
    return Figure(obj, tuple(names), np.array(parents, np.int64), heads, scale, inverse_of(obj))


def _by_depth(obj: bpy.types.Object) -> list[bpy.types.Bone]:
    """Parents first."""
    return sorted(armature.bones_of(obj), key=lambda bone: len(bone.parent_recursive))


def part_of(mesh: bpy.types.Object, figure: Figure) -> Part:
    data = mesh_of(mesh)
    matrix = figure.space @ rest_world_of(mesh, figure.obj)
    positions = positions_of(mesh, matrix) / figure.scale @ CONVENTION.axes
    normals = values_of(data.corner_normals, "vector", np.float32, 3).astype(np.float64) @ np.linalg.inv(matrix[:3, :3]) @ CONVENTION.axes
    role = role_of(mesh)
    numbers = attribute(data, POINT_NUMBER if role == "SURFACE" else OUTLINE_NUMBER, "POINT")
    faces = attribute(data, FACE_NUMBER, "FACE")
    return Part(mesh, data, role, positions, _groups(mesh, figure), numbers, faces, normals, mirrored(matrix))


def _groups(mesh: bpy.types.Object, figure: Figure) -> Ints:
    number = figure.number
    vertices = mesh_of(mesh).vertices
    if mesh.parent == figure.obj and mesh.parent_type == "BONE":
        return np.full(len(vertices), number.get(mesh.parent_bone, figure.bare), np.int64)
    names = {group.index: group.name for group in mesh.vertex_groups if group.name in number}
    heaviest = [strongest(vertex, names) for vertex in vertices]
    report_shared(mesh, names)
    bare = heaviest.count(None)
    if bare and figure.bare >= 0:
        log.warning(f"{mesh.name}: {bare} vertices have no bone: they go with {figure.names[figure.bare]}")
    return np.array([number[names[group]] if group is not None else figure.bare for group in heaviest], np.int64)


def components(part: Part, numbers: Ints) -> list[Ints]:
    """The vertices of each connected part, in order; those of spheres also where they lie on each other, as the sides of a ball do.
    numbers: (V,) by which they are kept apart."""
    edges = values_of(part.data.edges, "vertices", np.int32, 2).astype(np.int64)
    if part.role == "SPHERES":
        cells = np.column_stack([np.rint(part.positions * 16).astype(np.int64), numbers])
        _, first, cell = np.unique(cells, axis=0, return_index=True, return_inverse=True)
        edges = np.concatenate([edges, np.stack([np.arange(len(cells)), first[cell.ravel()]], axis=1)])
    _, sizes = np.unique(label := connected(edges, len(part.positions)), return_counts=True)
    return np.split(np.argsort(label, kind="stable"), np.cumsum(sizes)[:-1]) if len(sizes) else []
