"""What of a body's meshes no file will show, said before they are written: the same for every game."""

from __future__ import annotations

from collections.abc import Sequence

import bpy

from ....core.reporting import log
from . import moved, unheld, unheld_settings
from .skinned import movers_of


def report(obj: bpy.types.Object, meshes: Sequence[bpy.types.Object]) -> None:
    """Say it of the meshes of an armature, `obj`."""
    moved.report(obj, meshes)
    unheld.report(obj, meshes)
    unheld.report_on_objects(obj, meshes)
    unheld_settings.report(obj, meshes)


def report_outside(context: bpy.types.Context, obj: bpy.types.Object) -> None:
    """Say which meshes of the scene that an armature moves a body is without, since the view layer leaves them out."""
    layer = set(context.view_layer.objects)
    for mesh in context.scene.objects:
        if mesh.type == "MESH" and mesh not in layer and obj in movers_of(mesh):
            with log.about(mesh.name):
                log.warning("its collection is excluded from the view layer, so that the body is without it: tick that in the Outliner")
