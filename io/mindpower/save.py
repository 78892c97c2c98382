"""A whole character of Tales of Pirates in one go: its skeleton with all actions, meshes, pictures, and its rows of the action table."""

from __future__ import annotations

from pathlib import Path

import bpy

from ...core.mindpower.game import ExportOptions, SaveOptions
from ...core.reporting import progress
from ...core.reporting.errors import ExportError
from ..blender import armature
from ..pipeline.destination import targets
from ..pipeline.out_of_blender import character, exporting
from ..pipeline.out_of_blender.character import Saved
from .write import Writer


def save_character(context: bpy.types.Context, obj: bpy.types.Object, options: SaveOptions | None = None) -> Saved:
    """Write an armature, its actions and meshes into the client that they came from. Raises RetroAnimError, with no file changed."""
    options = options or SaveOptions()
    home = targets.home(armature.data_of(obj))
    if Path(home).suffix.lower() != ".lab":
        raise ExportError(f"{obj.name} has no skeleton file (.lab) yet: New Character writes it into a client, or export it")
    with character.saving(context):
        taken = ExportOptions(
            home,
            source="ALL",
            sampling=options.sampling,
            overwrite=options.overwrite,
            table=options.table,
            with_meshes=True,
            normals=options.normals,
        )
        writer = Writer(context, taken, [obj])
        return character.carried_out(obj.name, writer, progress.finish(exporting.planned(writer)))
