"""Meshes of Oni 2 out of Blender: as they came where nobody changed them, else with other numbers or as a text of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.declare.shared import Normals
from ...core.motion.rotations.directions import angle_between, face_normals, smooth_normals, unit
from ...core.oni2.files.mesh import mod_write
from ...core.oni2.files.mesh.mod import Mod, is_placed
from ...core.oni2.files.mesh.mod_write import Triangles
from ...core.oni2.files.mesh.model import Model, Surface
from ...core.oni2.motion.motion import CONVENTIONS
from ...core.reporting import labels, log
from ...core.reporting.errors import ExportError
from ...core.surface import kept_light
from ...core.surface.holdable import holdable
from ...core.surface.mesh import Mesh
from ..blender import rest, source_data
from ..blender.arrays import values_of
from ..blender.surface import losses
from ..blender.surface.materials.materials import COLOURS
from ..blender.surface.materials.painted import painted
from ..blender.surface.skinned import (
    as_shown,
    carriers,
    drawn_uvs,
    inverse_of,
    materials_of,
    mirrored,
    positions_of,
    report_shared,
    strongest,
    world_of,
)
from ..pipeline.destination.writing import is_as_written
from . import mesh_materials
from .figure import Figure

FORMAT = "MOD"

_ROTATED = np.radians(0.5)
"""A normal that is rotated further away from the file's was edited: Blender shows the file's own more exactly than that."""

_OTHER = "its faces, seams, materials or bones are other ones than in the file"
"""Why a mesh is written anew."""

_COLUMNS = {"vertices": 0, "normals": 1, "colours": 2, "coordinates": 3}
"""Where an adjunct has the row of a table."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Shown:
    """A mesh as Blender has it, in the game's axes and units. faces: (C,) the vertex of every corner of its faces, counts: (F,) their
    corners, face_materials: (F,), face_normals, face_uvs, face_colours: (C, ...) of the corners, None without. mirrored: whether the
    object shows the faces from their other side."""

    triangles: Triangles
    faces: NDArray[np.int64]
    counts: NDArray[np.int64]
    face_materials: NDArray[np.int64]
    face_normals: Floats
    face_uvs: Floats | None
    face_colours: Floats | None
    mirrored: bool


def mesh_of(context: bpy.types.Context, figure: Figure) -> Any:
    """The mesh object that an armature moves: the active one, else the only one; None where it moves none. Raises ExportError."""
    meshes = [obj for obj in context.view_layer.objects if obj.type == "MESH" and obj.find_armature() == figure.obj]
    active = context.view_layer.objects.active
    if active not in meshes and len(meshes) > 1:
        raise ExportError(f"{figure.obj.name} moves {len(meshes)} meshes: make one of them active, or join them")
    return active if active in meshes else next(iter(meshes), None)


def pack(obj: Any, figure: Figure, normals: Normals = "KEEP", *, alone: bool = False) -> bytes:
    """The mesh file that an object stands for. alone: whether the skeleton stays as it is. Raises ExportError."""
    losses.report(figure.obj, [obj])
    with log.about(obj.name), as_shown(bpy.context, [obj]):
        data, slots = obj.data, materials_of(obj)
        kept = source_data.kept(data, FORMAT)
        shown = _shown(obj, figure)
        heads = figure.rig.skeleton.heads
        if kept is None:
            _report_joints(figure, shown, alone)
            return _anew(shown, heads, mesh_materials.anew(slots, ()))
        with log.collect():
            mod = Mod.parse(kept)
        placed = is_placed(mod, Path(source_data.path_of(data)).name)
        _report_joints(figure, shown, alone and not placed)
        after = _edited(mod.model, heads, placed, shown, normals)
        if isinstance(after, Model):
            after = mesh_materials.edited(mod, after, slots) or _OTHER
        if isinstance(after, Model):
            return kept if after is mod.model else mod_write.patched(mod, mod.model, after)
        form = "; it was binary, and is written as a text" if mod.binary else ""
        lost = mod.model.faces().lost
        missing = f"; {lost} triangles of the file name vertices that it does not have, and are left out" if lost else ""
        result = _anew(shown, heads, mesh_materials.anew(slots, mod.model.surfaces))
        if not is_as_written(data, result):
            log.warning(f"{after}, so that it is written anew{form}{missing}")
        return result


def _report_joints(figure: Figure, shown: Shown, alone: bool) -> None:
    """Say which bones with vertices stand elsewhere than in the skeleton's file, where that does not go along."""
    away = moved_joints(figure, shown.triangles.bones) if alone else ""
    if away:
        log.warning(
            f"{away} moved at rest since the import, and the mesh is written as it lies on them now: export the skeleton, too (.skel), or "
            "Save Character"
        )


def report_left(context: bpy.types.Context, figure: Figure) -> None:
    """Say of a skeleton that goes without its mesh that this has the bones where they were, where some with vertices were moved."""
    meshes = [obj for obj in context.view_layer.objects if obj.type == "MESH" and obj.find_armature() == figure.obj]
    for mesh in meshes if rest.carried_away(figure.obj) else ():
        with log.collect():
            bones, current = _bones(mesh, figure), pack(mesh, figure)
        away = moved_joints(figure, bones)
        if away and not is_as_written(mesh.data, current):
            log.warning(
                f"{away} moved at rest since the import, and the game moves {mesh.name} along, unlike Blender: export the mesh, too "
                "(.mod), or Save Character"
            )


def moved_joints(figure: Figure, bones: NDArray[np.int64]) -> str:
    """The bones that stand elsewhere than they came in, of those with vertices, and a verb; "" for none. bones: (V,) of the vertices."""
    numbers: list[int] = np.unique(bones).tolist()
    used = {figure.rig.skeleton.names[bone] for bone in numbers}
    away = [name for name in rest.carried_away(figure.obj) if name in used]
    return f"{labels.first_few(away)} {'was' if len(away) == 1 else 'were'}" if away else ""


def _anew(shown: Shown, heads: Floats, surfaces: Sequence[Surface]) -> bytes:
    model = mod_write.model_of(shown.triangles, heads, surfaces)
    return mod_write.text_of(model, len(heads))


def _shown(obj: Any, figure: Figure) -> Shown:
    """Raises ExportError for a mesh without faces, and for vertices that no bone moves."""
    data = obj.data
    data.calc_loop_triangles()
    if not len(data.loop_triangles):
        raise ExportError(f"{obj.name} has no faces")
    axes = CONVENTIONS[figure.facing].axes
    matrix = inverse_of(figure.obj) @ world_of(obj)
    points = positions_of(obj, matrix)
    corners = values_of(data.loop_triangles, "loops", np.int32, 3)[:, :: -1 if mirrored(matrix) else 1]
    vertices = values_of(data.loops, "vertex_index", np.int32).astype(np.int64)
    normals = unit(values_of(data.corner_normals, "vector", np.float32, 3).astype(np.float64) @ np.linalg.inv(matrix[:3, :3]))
    maps = drawn_uvs(data)
    uvs = values_of(maps[0].uv, "vector", np.float32, 2).astype(np.float64) if maps else None
    layers = {each.name: each for each in painted(data)}
    active = data.color_attributes.active_color_name
    layer = layers.get(COLOURS) or layers.get(active)
    colours = None
    if layer is not None and layer.domain == "CORNER":
        colours = values_of(layer.data, "color_srgb", np.float32, 4).astype(np.float64)
    last = max(0, len(data.materials) - 1)
    triangles = Triangles(
        points @ axes / figure.scale,
        _bones(obj, figure),
        vertices[corners],
        (normals @ axes)[corners],
        None if uvs is None else uvs[corners],
        None if colours is None else colours[corners],
        np.clip(values_of(data.loop_triangles, "material_index", np.int32).astype(np.int64), 0, last),
    )
    counts = values_of(data.polygons, "loop_total", np.int32).astype(np.int64)
    materials = values_of(data.polygons, "material_index", np.int32).astype(np.int64)
    return Shown(triangles, vertices, counts, materials, normals @ axes, uvs, colours, mirrored(matrix))


def _bones(obj: Any, figure: Figure) -> NDArray[np.int64]:
    """(V,) the bone of each vertex's largest weight; without one the root, which is said."""
    number = {name: index for index, name in enumerate(figure.rig.skeleton.names)}
    group = {each.index: number[each.name] for each in obj.vertex_groups if each.name in number}
    heaviest = [strongest(vertex, group) for vertex in obj.data.vertices]
    if lost := heaviest.count(None):
        others = labels.first_few(sorted(carriers(obj, figure.obj).keys() - number.keys()))
        by, remedy = (f"only {others} moves", ": give them to bones of the file") if others else ("no bone moves", "")
        log.warning(f"{labels.counted(lost, f'vertex that {by} goes', f'vertices that {by} go')} with the root{remedy}")
    report_shared(obj, group)
    return np.array([0 if each is None else group[each] for each in heaviest], np.int64)


def _edited(model: Model, heads: Floats, placed: bool, shown: Shown, normals: Normals) -> Model | str:
    """The file's model with what was edited of its numbers, itself where nothing was; where it has no room for that, why."""
    if model.bone_count > len(heads):  # some were deleted since
        return _OTHER
    with log.collect():
        whole = model.mesh(heads, placed)
        before = holdable(replace(whole, numbers=np.arange(len(whole.starts))))
    assert before.numbers is not None
    if not _same_shape(before, shown):
        return _OTHER
    faces = model.faces()
    used = faces.adjuncts
    pairs = np.unique(np.stack([used[:, 0], faces.bones], axis=1), axis=0)
    corners = (3 * before.numbers[:, None] + np.arange(3)).ravel()
    near = 2e-6 * max(1.0, float(np.abs(before.points).max(initial=0)))
    parts = np.abs(shown.triangles.points - before.points) > near
    points = np.where(parts, shown.triangles.points - (0 if placed else heads[pairs[:, 1]]), model.vertices[pairs[:, 0]])
    moved = parts.any(axis=1)
    changes = [("vertices", pairs[:, 0][moved], points[moved])]
    if before.uvs and shown.face_uvs is not None:
        known = next(iter(before.uvs.values()))
        other = (shown.face_uvs.astype(np.float32) != known.astype(np.float32)).any(axis=1)
        changes.append(("coordinates", used[corners[other], 3], shown.face_uvs[other] * [1, -1] + [0, 1]))
    if before.colours is not None and shown.face_colours is not None:
        other = np.abs(shown.face_colours * 255 - before.colours).max(axis=1) > 0.5
        changes.append(("colours", used[corners[other], 2], shown.face_colours[other]))
    if normals == "NEW":
        other = _away(before.normals, shown) > _ROTATED
        changes.append(("normals", used[corners[other], 1], shown.face_normals[other]))
    else:
        _report_kept(before, shown)
    result = model
    for name, rows, values in changes:
        table = _with_rows(getattr(result, name), rows, values, used[:, _COLUMNS[name]])
        if table is None:
            return _why(name, rows)
        result = replace(result, **{name: table}) if len(rows) else result
    return result


def _why(name: str, rows: NDArray[np.int64]) -> str:
    """Why a table of the file cannot have other values in these rows."""
    if name != "normals":
        return _OTHER
    if (rows < 0).all():
        return "it has no normals in the file"
    return "corners that are shown with other normals have none of their own in the file"


def _away(normals: Floats, shown: Shown) -> Floats:
    """(C,) radians from the normals of corners to those that are shown; without one the import shows a smooth surface."""
    smooth = smooth_normals(shown.triangles.points, shown.faces.reshape(-1, 3))[shown.faces]
    return angle_between(np.where(normals.any(axis=1, keepdims=True), normals, smooth), shown.face_normals)


def _report_kept(before: Mesh, shown: Shown) -> None:
    """Say how many faces keep normals of the file that are not those which are shown."""
    corners = before.points[before.corners], shown.triangles.points[shown.faces]
    first, second = (face_normals(points.reshape(-1, 3, 3)) for points in corners)
    known = before.normals.reshape(-1, 9).any(axis=1)
    shaded = _away(before.normals, shown).reshape(-1, 3).max(axis=1, initial=0)
    kept_light.report(np.where(known, angle_between(first, second), 0), "face", "normals", "Normals: As Shown, to have them anew", shaded)


def _with_rows(table: NDArray[np.float32], rows: NDArray[np.int64], values: Floats, used: NDArray[np.int64]) -> NDArray[np.float32] | None:
    """A table with other rows; None where one row would need two values, or is used by something that keeps the old one."""
    if ((rows < 0) | (rows >= len(table))).any():
        return None
    result = table.copy()
    result[rows] = values
    alike = np.abs(result[rows] - values).max(initial=0) <= 1e-6 * max(1.0, float(np.abs(values).max(initial=0)))
    whole = np.array_equal(np.bincount(rows, minlength=len(table))[rows], np.bincount(used[used >= 0], minlength=len(table))[rows])
    return result if alike and (whole or table.shape[1] == 3) else None


def _same_shape(before: Mesh, shown: Shown) -> bool:
    """Whether vertices, faces, bones and materials are those that the file gives."""
    return (
        not shown.mirrored
        and len(before.points) == len(shown.triangles.points)
        and np.array_equal(before.counts, shown.counts)
        and np.array_equal(before.corners, shown.faces)
        and np.array_equal(before.bones, shown.triangles.bones)
        and np.array_equal(before.material_of, shown.face_materials)
        and bool(before.uvs) == (shown.face_uvs is not None)
        and (before.colours is None) == (shown.face_colours is None)
    )
