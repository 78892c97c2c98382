"""What somebody did to meshes that no file of an export holds."""

from __future__ import annotations

from collections.abc import Iterable

import bpy

from ....core.declare.options import declared
from ....core.reporting import log
from ....core.reporting.labels import first_few
from ...blender import compat, identity
from ...blender.surface import as_objects, unheld
from ...blender.surface.skinned import meshes_of
from ..destination.writing import Output


def report(context: bpy.types.Context, objects: Iterable[bpy.types.Object], outputs: Iterable[Output], *, gone: bool) -> None:
    """Say which meshes of armatures move by themselves, or are not as a file has them and would be written otherwise; once each. gone:
    those that are on them no more, too."""
    context.view_layer.update()
    written = {output.block for output in outputs if isinstance(output.block, bpy.types.Mesh)}
    for obj in dict.fromkeys(objects):
        present = meshes_of(context, obj)
        meshes = [mesh for mesh in present if mesh.data not in written]  # of the others their export says it
        moving = [mesh for mesh in meshes if mesh.find_armature() == obj and _moves_itself(mesh)]
        _report_moving(obj, [mesh.name for mesh in moving])
        edits = unheld.report(obj, meshes)
        left = {mesh: parts for mesh, edit in edits.items() if (parts := edit - ({"matrix"} if mesh in moving else set()))}
        parts = set[unheld.Part]().union(*left.values())
        if left:
            verb = "was" if len(left) == 1 else "were"
            how = "edited or added" if "new" in parts else "edited"
            log.warning(
                f"{first_few([mesh.name for mesh in left], 3)} {verb} {how}, which is not in what is exported here: Save Character"
                f"{_option(obj, parts)}, or an export of the body or the mesh, writes that"
            )
        if missing := as_objects.gone(obj, present) if gone else []:
            one = "it" if len(missing) == 1 else "them"
            log.warning(
                f"{first_few(missing, 3)} came with {obj.name}, which does not move {one} any more, and the game's file still has {one}: "
                f"bring {one} back, or Save Character, which takes {one} out of the file or says what to do"
            )


def _report_moving(obj: bpy.types.Object, names: list[str]) -> None:
    """As where somebody has posed and keyed in Object Mode what was to be a bone."""
    if names:
        have = "has keys of its own as an object" if len(names) == 1 else "have keys of their own as objects"
        log.warning(
            f"{first_few(names, 3)} {have}, which no file of the game holds: delete them, and move the bones of {obj.name} in Pose Mode"
            " instead"
        )


def _moves_itself(mesh: bpy.types.Object) -> bool:
    action = mesh.animation_data.action if mesh.animation_data is not None else None
    paths = [curve.data_path for curve in compat.curves(action, mesh)] if action is not None else []
    return any(path.startswith(("location", "rotation", "scale")) for path in paths)


def _option(obj: bpy.types.Object, edits: set[unheld.Part]) -> str:
    """With what else than its defaults the character is saved, so that all of this is written."""
    game = identity.game_of(obj)
    if game is None or not edits & {"shading", "normals"}:
        return ""
    item = declared(game.core("game").SaveOptions)["normals"]
    return f", with {item.label}: {next(choice.label for choice in item.choices if choice.id == 'NEW')}"
