"""How Blender moves a mesh in another way than a game, which moves each vertex by its bones and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, TypeAlias

import bpy

from ....core.reporting import log
from ....core.reporting.labels import first_few
from .. import compat
from ..motion import strips
from . import skinning
from .skinned import mesh_of

_BY_TIME = {"BUILD", "CLOTH", "DYNAMIC_PAINT", "EXPLODE", "FLUID", "MESH_CACHE", "MESH_SEQUENCE_CACHE", "OCEAN", "SOFT_BODY", "WAVE"}
"""Modifiers that change a mesh from frame to frame by themselves."""

Mover: TypeAlias = Literal["keys", "drivers", "constraints"]

_KEYED: frozenset[Mover] = frozenset({"keys", "drivers"})


def report(obj: bpy.types.Object, meshes: Sequence[bpy.types.Object]) -> None:
    """Say how the meshes of a body are seen to move otherwise than its file will have them. obj: the armature."""
    for mesh in meshes:
        with log.about(mesh.name):
            for text in (*_by_armatures(obj, mesh), *_by_itself(mesh)):
                log.warning(text)
            if not mesh.visible_get():
                log.warning("it is hidden in Blender, and the file has it: delete it if it is not to be there")


def _by_armatures(obj: bpy.types.Object, mesh: bpy.types.Object) -> Iterator[str]:
    own = skinning.modifiers_of(mesh)
    on = [each for each in own if each.show_viewport]
    if mesh.parent_type in ("BONE", "ARMATURE") and not own:
        return
    if not on:
        yield (
            "no Armature modifier moves it in Blender, and the game moves it by its vertex groups: give it one, or switch that on in the "
            "viewport, to see it"
        )
        return
    yield from (each.text for each in skinning.of_weights(obj, mesh))
    modifiers: list[Any] = list(mesh.modifiers)
    behind = [each.name for each in modifiers[modifiers.index(on[0]) :] if each.show_viewport and each.type != "ARMATURE"]
    if behind:
        one = len(behind) == 1
        yield (
            f"{first_few(behind)} {'acts' if one else 'act'} on the posed mesh, and the file has what the mesh at rest becomes: put the "
            "Armature modifier last to see that"
        )


def _by_itself(mesh: bpy.types.Object) -> Iterator[str]:
    parts = [f"a constraint ({each.name})" for each in mesh.constraints if not each.mute][:1]
    parts += ["keys or drivers of its own"] if _KEYED & set(moved_by(mesh)) else []
    parts += changed_by(mesh)
    parts += ["keys or drivers of its visibility"] if is_shown_and_hidden(mesh) else []
    if parts:
        yield (
            f"{' and '.join(parts)} may change it from frame to frame, and the file has it as it is now: let bones alone move it, or apply "
            "that"
        )


def changed_by(mesh: bpy.types.Object) -> list[str]:
    """What makes another shape of a mesh from frame to frame."""
    keys = mesh_of(mesh).shape_keys
    parts = [f"the modifier {each.name}" for each in mesh.modifiers if each.type in _BY_TIME and each.show_viewport]
    parts += ["keys or drivers of its modifiers"] if any(path.startswith("modifiers[") for path in paths_of(mesh)) else []
    return [*parts, *(["keys or drivers of its shape keys"] if keys is not None and paths_of(keys) else [])]


def is_shown_and_hidden(mesh: bpy.types.Object) -> bool:
    """Whether keys or drivers do so."""
    return not {"hide_viewport", "hide_render"}.isdisjoint(paths_of(mesh))


def moved_by(mesh: bpy.types.Object) -> list[Mover]:
    """What of its own moves a mesh as an object; of constraints those that follow something."""
    data = mesh.animation_data
    constraints: list[Any] = [each for each in mesh.constraints if not each.mute and each.influence]
    follows = [each for each in constraints if getattr(each, "target", None) is not None or len(getattr(each, "targets", ()))]
    by: dict[Mover, bool] = {
        "keys": _moves(strips.keyed_paths(data)),
        "drivers": _moves(_driven(data)),
        "constraints": bool(follows),
    }
    return [mover for mover, moves in by.items() if moves]


def _moves(paths: Sequence[str]) -> bool:
    """Whether some of these paths are of where an object is."""
    return any(path.startswith(("location", "rotation", "scale", "delta_")) for path in paths)


def paths_of(block: Any) -> list[str]:
    """The paths of what is keyed or driven of an object or of shape keys."""
    return strips.keyed_paths(block.animation_data) + _driven(block.animation_data)


def _driven(data: Any) -> list[str]:
    return [curve.data_path for curve in data.drivers if not compat.is_muted(curve)] if data is not None else []
