"""Meshes that somebody edited and that no file of an export holds."""

from __future__ import annotations

from collections.abc import Iterable

import bpy

from ....core.reporting import log
from ....core.reporting.labels import first_few
from ...blender.surface import unheld
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
                f"{first_few([mesh.name for mesh in left], 3)} {verb} edited, which is not in what is exported here: Save Character, or an "
                "export of the body or the mesh, writes that"
            )
