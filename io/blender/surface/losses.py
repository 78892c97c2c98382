"""What of a body's meshes no file will show, said before they are written: the same for every game."""

from __future__ import annotations

from collections.abc import Sequence

import bpy

from . import moved, unheld, unheld_settings


def report(obj: bpy.types.Object, meshes: Sequence[bpy.types.Object]) -> None:
    """Say it of the meshes of an armature, `obj`."""
    moved.report(obj, meshes)
    unheld.report(obj, meshes)
    unheld.report_on_objects(obj, meshes)
    unheld_settings.report(obj, meshes)
