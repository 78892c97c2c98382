"""Files dropped on the 3D view."""

from pathlib import Path
from typing import Any

import bpy
from bpy_extras.io_utils import poll_file_object_drop

from ...core.games import GAMES


def file_handler(importer: Any, exporter: Any) -> type[bpy.types.FileHandler]:
    """Gives files that are dropped on the 3D view to the importer, by its game's row, and collections the exporter.

    Blender asks for extensions alone, and where several handlers have one it lets the user choose. So only the first game that takes an
    extension has it here: the importer looks into the file, and hands it to the game that it is of. What the game takes by whole names
    comes by their extensions, and the importer refuses others with these."""
    row = importer.row
    name, named = f"IO_FH_{row.id}", sorted({Path(each).suffix.lower() for each in row.named})
    before = list(GAMES.values())[: list(GAMES).index(row.id)]
    dropped = [each for each in row.dropped if not any(each in game.dropped for game in before)]
    body = {
        "bl_idname": name,
        "bl_label": row.label,
        "bl_import_operator": importer.bl_idname,
        "bl_export_operator": exporter.bl_idname,
        "bl_file_extensions": ";".join([*dropped, *named]),
        "poll_drop": classmethod(lambda _class, context: poll_file_object_drop(context)),
        "__module__": importer.__module__,
    }
    return type(name, (bpy.types.FileHandler,), body)
