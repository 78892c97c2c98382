"""A whole character of Tales of Pirates in one go: its skeleton with all actions, meshes, pictures, and its rows of the action table."""

from __future__ import annotations

from pathlib import Path

import bpy

from ...core.files.file_names import same_file
from ...core.mindpower.game import ExportOptions, SaveOptions
from ...core.reporting import log, progress
from ...core.reporting.errors import ExportError
from ...core.reporting.labels import first_few
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
        saved = character.carried_out(obj.name, writer, progress.finish(exporting.planned(writer)))
    if saved.paths:
        _report_twins(obj, home)
    return saved


def _report_twins(obj: bpy.types.Object, home: str) -> None:
    """Say which other armatures belong to the same file, as where one is a copy."""
    armatures = [each for each in bpy.data.objects if each.type == "ARMATURE" and each.users_scene and each.data != obj.data]
    if twins := [each.name for each in armatures if same_file(targets.home(armature.data_of(each))) == same_file(home)]:
        belong = "belongs" if len(twins) == 1 else "belong"
        log.warning(
            f"{obj.name} was saved to {Path(home).name} and its meshes, to which {first_few(twins, 3)} {belong}, too: New Character "
            "gives a copy files of its own"
        )
