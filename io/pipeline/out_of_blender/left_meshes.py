"""Meshes that somebody edited and that no file of an export holds."""

from __future__ import annotations

from collections.abc import Iterable

import bpy

from ....core.declare.options import declared
from ....core.reporting import log
from ....core.reporting.labels import first_few
from ...blender import identity
from ...blender.surface import edited, unheld
from ...blender.surface.skinned import meshes_of
from ..destination.writing import Output


def report(context: bpy.types.Context, objects: Iterable[bpy.types.Object], outputs: Iterable[Output]) -> None:
    """Say which meshes of armatures are not as a file has them, and would be written by another command; once each."""
    written = {output.block for output in outputs if isinstance(output.block, bpy.types.Mesh)}
    for obj in dict.fromkeys(objects):
        left = unheld.report(obj, [mesh for mesh in meshes_of(context, obj) if mesh.data not in written])
        if left:
            verb = "was" if len(left) == 1 else "were"
            log.warning(
                f"{first_few([mesh.name for mesh in left], 3)} {verb} edited, which is not in what is exported here: Save Character"
                f"{_option(obj, set[edited.Part]().union(*left.values()))}, or an export of the body or the mesh, writes that"
            )


def _option(obj: bpy.types.Object, edits: set[edited.Part]) -> str:
    """With what else than its defaults the character is saved, so that all of this is written."""
    game = identity.game_of(obj)
    if game is None or not edits & {"shading", "normals"}:
        return ""
    item = declared(game.core("game").SaveOptions)["normals"]
    return f", with {item.label}: {next(choice.label for choice in item.choices if choice.id == 'NEW')}"
