"""What of a body's meshes no file will show, said before they are written: the same for every game."""

from __future__ import annotations

from collections.abc import Sequence

import bpy
import numpy as np

from ....core.reporting import log
from ....core.reporting.labels import counted, first_few
from ....core.surface.mesh import OUTLINE_NUMBER, POINT_NUMBER
from . import moved, unheld, unheld_settings
from .skinned import attribute, mesh_of, movers_of


def report(obj: bpy.types.Object, meshes: Sequence[bpy.types.Object]) -> None:
    """Say it of the meshes of an armature, `obj`."""
    moved.report(obj, meshes)
    unheld.report(obj, meshes)
    unheld.report_on_objects(obj, meshes)
    unheld_settings.report(obj, meshes)


def report_outside(context: bpy.types.Context, obj: bpy.types.Object, meshes: Sequence[bpy.types.Object]) -> None:
    """Say which meshes of the scene that an armature moves a body is without, since the view layer leaves them out; where these are copies
    of what is in it, as backups are, that is no warning. meshes: those of the body."""
    layer = set(context.view_layer.objects)
    outside = [mesh for mesh in context.scene.objects if mesh.type == "MESH" and mesh not in layer and obj in movers_of(mesh)]
    if not outside:
        return
    inside, present = _sources(meshes), set(context.scene.collection.children_recursive)
    alike: dict[tuple[str, bool], list[str]] = {}
    for mesh in outside:
        collection = next((each.name for each in mesh.users_collection if each in present), "")
        alike.setdefault((collection, _sources([mesh]) <= inside), []).append(mesh.name)
    for (collection, is_copy), names in alike.items():
        them, verb = ("it", "is") if len(names) == 1 else ("them", "are")
        left_out = f"{counted(len(names), 'mesh', 'meshes')} in the collection {collection}, which the view layer leaves out, {verb} not in"
        if is_copy:
            log.info(f"{left_out} the body, which has another copy of {them}: {first_few(names)}")
        else:
            log.warning(f"{left_out} the body: {first_few(names)}: tick the collection in the Outliner, or take {them} off the armature")


def _sources(meshes: Sequence[bpy.types.Object]) -> set[object]:
    """What meshes are made of: points, lines and spheres of files, by their numbers, or else their own data."""
    sources: set[object] = set()
    for data in map(mesh_of, meshes):
        for name in (POINT_NUMBER, OUTLINE_NUMBER):
            with log.collect():  # of one that was converted there is a word elsewhere
                numbers = attribute(data, name, "POINT")
            if numbers is not None:
                sources.update((name, number) for number in np.unique(numbers).tolist() if number)
        if POINT_NUMBER not in data.attributes and OUTLINE_NUMBER not in data.attributes:
            sources.add(data)
    return sources
