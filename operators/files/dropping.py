"""Files dropped on the 3D view."""

from typing import Any

import bpy
from bpy_extras.io_utils import poll_file_object_drop


def file_handler(importer: Any, exporter: Any) -> type[bpy.types.FileHandler]:
    """Gives files that are dropped on the 3D view to the importer, by its game's row, and collections the exporter."""
    name = f"IO_FH_{importer.row.id}"
    body = {
        "bl_idname": name,
        "bl_label": importer.row.label,
        "bl_import_operator": importer.bl_idname,
        "bl_export_operator": exporter.bl_idname,
        "bl_file_extensions": ";".join(importer.row.dropped),
        "poll_drop": classmethod(lambda _class, context: poll_file_object_drop(context)),
        "__module__": importer.__module__,
    }
    return type(name, (bpy.types.FileHandler,), body)
