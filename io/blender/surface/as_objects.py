"""What was done to meshes as objects since they came in or were written: moved, given modifiers, shape keys or materials, added, or taken
away."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeAlias

import bpy
import numpy as np

from ....core.motion.rotations.rotation_matrix import Floats
from .. import arrays, not_undone, parenting
from . import edited, recipe
from .edited import SHAPE
from .skinned import FLAT, carried_by, child_above, mesh_of, movers_of

MATRIX, MADE = "retro_anim_matrix", "retro_anim_made"
"""Custom properties of mesh objects: where on its armature a file has one, where that is not as it came in, and what made it so."""

NAME, NAMES = "retro_anim_mesh", "retro_anim_meshes"
"""Custom properties: of a mesh what it was called as it came in; of an armature these names, one a line."""

ObjectPart: TypeAlias = Literal["matrix", "modifiers"]

_NEAR = 1e-5
"""What a part of a matrix may be off, of the largest that it is made of."""


def came(obj: bpy.types.Object, meshes: Iterable[bpy.types.Object]) -> None:
    """That meshes came in on an armature, at its own origin."""
    for mesh in meshes:
        mesh_of(mesh)[NAME] = mesh.name
    if obj.data is not None:
        not_undone.add_lines(obj.data, NAMES, [mesh.name for mesh in meshes])


def remember(mesh: bpy.types.Object) -> None:
    """That a mesh stands in a file as it does now."""
    if mesh.library is not None or not (movers := movers_of(mesh)):
        return
    obj = movers[0]
    if (placed := _matrix(obj, mesh)) is not None:
        not_undone.keep(mesh, MATRIX, placed[0].ravel().tolist())
    not_undone.keep(mesh, MADE, recipe.text_of(mesh))
    block = _block(obj)
    if NAMES in block and block.library is None and mesh_of(mesh).library is None and mesh in added(obj, _moved_by(obj)):
        not_undone.keep(mesh_of(mesh), NAME, mesh.name)
        not_undone.change_lines(block, NAMES, added=[mesh.name])


def edited_parts(obj: bpy.types.Object, mesh: bpy.types.Object) -> set[ObjectPart]:
    """What of a mesh on an armature is other than in a file; nothing of one that is of none."""
    parts = set[ObjectPart]()
    if not _is_of_file(mesh):
        return parts
    known = arrays.of_property(not_undone.kept(mesh, MATRIX))
    if (placed := _matrix(obj, mesh)) is not None:
        now, near = placed
        if np.abs(now - (known.reshape(4, 4) if known.size == 16 else np.eye(4))).max() > near:
            parts.add("matrix")
    if recipe.is_edited(recipe.text_of(mesh), not_undone.kept(mesh, MADE) or ""):
        parts.add("modifiers")
    return parts


def added(obj: bpy.types.Object, meshes: Iterable[bpy.types.Object]) -> list[bpy.types.Object]:
    """Those of the meshes that an armature moves which did not come in on it: of several copies of one all but the first of their order.
    None where nothing did."""
    block = _block(obj)
    if not isinstance(block.get(NAMES), str):
        return []
    names = _listed(block)
    first: dict[str, bpy.types.Mesh] = {}
    for mesh in sorted(meshes, key=lambda each: copy_order(obj, each)):
        first.setdefault(_name_of(mesh), mesh_of(mesh))

    def is_known(mesh: bpy.types.Object) -> bool:
        name = _name_of(mesh)
        return _is_of_file(mesh) and (not name or (name in names and first[name] == mesh_of(mesh)))

    return [mesh for mesh in meshes if not is_known(mesh)]


def copy_order(obj: bpy.types.Object, mesh: bpy.types.Object) -> tuple[bool, bool, str]:
    """Ascending by how likely a mesh on an armature is a copy of another one: called otherwise than it came in, edited since."""
    is_renamed = mesh.name != _name_of(mesh)
    return is_renamed, is_renamed and is_edited(obj, mesh), mesh.name


def is_edited(obj: bpy.types.Object, mesh: bpy.types.Object) -> bool:
    """Whether a mesh on an armature is other than in a file."""
    return bool(edited_parts(obj, mesh) or edited.edited_parts(mesh_of(mesh)))


def by_names() -> Mapping[str, list[bpy.types.Object]]:
    """The meshes of scenes, by what they were called as they came in."""
    named = defaultdict[str, list[bpy.types.Object]](list)
    for mesh in bpy.data.objects:
        if mesh.type == "MESH" and mesh.users_scene:
            named[_name_of(mesh)].append(mesh)
    return named


def gone(obj: bpy.types.Object, meshes: Mapping[str, list[bpy.types.Object]], *, hanging: bool) -> dict[str, bpy.types.Object | None]:
    """The names of the meshes that came in on an armature and are on it no more, nor on another one on which none of that name came; each
    with another armature on which one of that name came and is, None without such. meshes: of `by_names`. hanging: whether what hangs on
    it without an Armature modifier is on it."""

    def movers(name: str) -> list[bpy.types.Object]:
        return [each for mesh in meshes.get(name, []) for each in movers_of(mesh) if hanging or mesh.find_armature() == each]

    others = {name: movers(name) for name in _names(obj)}
    held = {name for name, own in others.items() if any(each.data == obj.data or name not in _names(each) for each in own)}
    return {name: next(iter(own), None) for name, own in others.items() if name not in held}


def keep_present(block: Any, meshes: Iterable[bpy.types.Object]) -> None:
    """That a file has these meshes of an armature's data, and no others any more."""
    there = {_name_of(mesh) for mesh in meshes}
    if isinstance(block.get(NAMES), str):
        not_undone.change_lines(block, NAMES, dropped=[name for name in _listed(block) if name not in there])


def _moved_by(obj: bpy.types.Object) -> list[bpy.types.Object]:
    return [each for each in bpy.data.objects if each.type == "MESH" and each.users_scene and obj in movers_of(each)]


def _is_of_file(mesh: bpy.types.Object) -> bool:
    return not_undone.kept(mesh_of(mesh), SHAPE) is not None


def _name_of(mesh: bpy.types.Object) -> str:
    """What a mesh was called as it came in; "" for one that did not, or whose property is spoiled."""
    name = not_undone.kept(mesh_of(mesh), NAME)
    return name if isinstance(name, str) else ""


def _block(obj: bpy.types.Object) -> Any:
    """What holds the properties of an armature; nothing of an object that has no data, such as an empty."""
    return obj.data if obj.data is not None else {}


def _names(obj: bpy.types.Object) -> list[str]:
    return _listed(_block(obj))


def _listed(block: Any) -> list[str]:
    return not_undone.lines_of(block, NAMES) if isinstance(block, bpy.types.ID) else []


def _matrix(obj: bpy.types.Object, mesh: bpy.types.Object) -> tuple[Floats, float] | None:
    """(4, 4) from the mesh to the armature at rest, and by how much that may be off; at the origin where one of them stands nowhere. None
    for a mesh that does not move along with the armature as an object."""
    if child_above(mesh, obj) is None:
        return None
    outer, inner = carried_by(mesh, obj), parenting.stands(mesh)
    if not (np.isfinite(outer).all() and np.isfinite(inner).all()) or abs(np.linalg.det(outer)) < FLAT:
        return np.eye(4), np.inf
    inverse = np.linalg.inv(outer)
    return inverse @ inner, _NEAR * max(1.0, float(np.abs(inverse).max() * np.abs(inner).max()))
