"""What was done to meshes as objects since they came in or were written: moved, given modifiers, shape keys or materials, added, or taken
away."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, TypeAlias

import bpy
import numpy as np

from ....core.motion.rotations.rotation_matrix import Floats
from .. import arrays
from .edited import SHAPE
from .images import name_of
from .plain_colour import shown
from .skinned import materials_of, mesh_of, shown_by

MATRIX, MADE = "retro_anim_matrix", "retro_anim_made"
"""Custom properties of mesh objects: where on its armature a file has one, where that is not as it came in, and what made it so."""

NAME, NAMES = "retro_anim_mesh", "retro_anim_meshes"
"""Custom properties: of a mesh what it was called as it came in; of an armature these names, one a line."""

Part: TypeAlias = Literal["matrix", "modifiers", "new"]

_NEAR = 1e-5
"""What a part of a matrix may be off, of the largest that it is made of."""

_FLAT = 1e-24
"""Of a matrix that scales to nothing."""

_PLAIN = {"BOOLEAN", "INT", "FLOAT", "ENUM", "STRING"}


def came(obj: bpy.types.Object, meshes: Iterable[bpy.types.Object]) -> None:
    """That meshes came in on an armature, at its own origin."""
    for mesh in meshes:
        mesh_of(mesh)[NAME] = mesh.name
    _block(obj)[NAMES] = "\n".join(dict.fromkeys([*_names(obj), *(mesh.name for mesh in meshes)]))


def remember(mesh: bpy.types.Object) -> None:
    """That a mesh stands in a file as it does now."""
    obj: Any = mesh.find_armature() or mesh.parent
    if obj is None or mesh.library is not None:
        return
    mesh[MATRIX], mesh[MADE] = _matrix(obj, mesh)[0].ravel().tolist(), _recipe(mesh)
    if NAME not in mesh_of(mesh) and NAMES in _block(obj) and _block(obj).library is None:
        came(obj, [mesh])


def edited_parts(obj: bpy.types.Object, mesh: bpy.types.Object) -> set[Part]:
    """What of a mesh on an armature is other than in a file."""
    if SHAPE not in mesh_of(mesh):
        return {"new"} if NAMES in _block(obj) and mesh.find_armature() == obj else set()
    parts = set[Part]()
    known = arrays.of_property(mesh.get(MATRIX))
    now, near = _matrix(obj, mesh)
    if np.abs(now - (known.reshape(4, 4) if known.size == 16 else np.eye(4))).max() > near:
        parts.add("matrix")
    if _recipe(mesh) != mesh.get(MADE, ""):
        parts.add("modifiers")
    return parts


def gone(obj: bpy.types.Object, meshes: Sequence[bpy.types.Object]) -> list[str]:
    """The names of the meshes that came in on an armature and are on it no more, nor on a copy of it."""
    there = {_name_of(mesh) for mesh in meshes}
    elsewhere = (each for each in bpy.data.objects if each.type == "MESH" and each.users_scene and each.find_armature() not in (None, obj))
    there |= {_name_of(mesh) for mesh in elsewhere}
    return [name for name in _names(obj) if name not in there]


def keep_present(block: Any, meshes: Iterable[bpy.types.Object]) -> None:
    """That a file has these meshes of an armature's data, and no others any more."""
    there = {_name_of(mesh) for mesh in meshes}
    if NAMES in block:
        block[NAMES] = "\n".join(name for name in str(block[NAMES]).splitlines() if name in there)


def _name_of(mesh: bpy.types.Object) -> str:
    """What a mesh was called as it came in; "" for one that did not, or whose property is spoiled."""
    name = mesh_of(mesh).get(NAME)
    return name if isinstance(name, str) else ""


def _block(obj: bpy.types.Object) -> Any:
    """What holds the properties of an armature; nothing of an object that has no data, such as an empty."""
    return obj.data if obj.data is not None else {}


def _names(obj: bpy.types.Object) -> list[str]:
    return str(_block(obj).get(NAMES, "")).splitlines()


def _matrix(obj: bpy.types.Object, mesh: bpy.types.Object) -> tuple[Floats, float]:
    """(4, 4) from the mesh to the armature, and by how much that may be off; at the origin where one of them stands nowhere."""
    outer, inner = (np.array(each.matrix_world, np.float64) for each in (obj, mesh))
    if not (np.isfinite(outer).all() and np.isfinite(inner).all()) or abs(np.linalg.det(outer)) < _FLAT:
        return np.eye(4), np.inf
    inverse = np.linalg.inv(outer)
    return inverse @ inner, _NEAR * max(1.0, float(np.abs(inverse).max() * np.abs(inner).max()))


def _recipe(mesh: bpy.types.Object) -> str:
    """What makes of a mesh what is shown at rest; "" for nothing."""
    modifiers = [each for each in mesh.modifiers if each.type != "ARMATURE" and each.show_viewport]
    return "\n".join([*shown_by(mesh), *map(_settings, modifiers), *_own_materials(mesh)])


def _own_materials(mesh: bpy.types.Object) -> list[str]:
    """Those that the slots of an object have instead of its mesh's, by what they show."""
    pairs = enumerate(zip(materials_of(mesh), mesh_of(mesh).materials, strict=False))
    own = [(index, material) for index, (material, of_mesh) in pairs if material != of_mesh]
    return [f"{index} {name_of(material) if material is not None else ''} {shown(material)}" for index, material in own]


def _settings(modifier: Any) -> str:
    """Its numbers and choices, without what the panel shows of it."""
    names = [
        each.identifier
        for each in modifier.bl_rna.properties
        if each.type in _PLAIN and not each.is_readonly and not getattr(each, "is_array", False)
    ]
    own = [name for name in names if not name.startswith(("show_", "use_pin")) and name not in ("name", "is_active")]
    return " ".join(f"{name}={getattr(modifier, name)}" for name in own)
