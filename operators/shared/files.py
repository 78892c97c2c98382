"""Which file a dialog is about."""

from pathlib import Path

import bpy
from bpy.props import CollectionProperty, StringProperty


class ImportFiles:
    """What to open: one file, or several of a folder. SKIP_SAVE, so that a dropped file is not taken again from the menu."""

    filepath: StringProperty(name="File", subtype="FILE_PATH", options={"SKIP_SAVE", "HIDDEN"})
    directory: StringProperty(name="Folder", subtype="DIR_PATH", options={"SKIP_SAVE", "HIDDEN"})
    files: CollectionProperty(type=bpy.types.OperatorFileListElement, options={"SKIP_SAVE", "HIDDEN"})

    def paths(self) -> tuple[str, ...]:
        """The chosen files, in the order of the list."""
        named = [str(Path(self.directory) / item.name) for item in self.files if item.name]
        return tuple(bpy.path.abspath(path) for path in named or ([self.filepath] if self.filepath else []))


class JsonFile:
    """A file dialog for JSON."""

    filename_ext = ".json"
    filepath: StringProperty(name="File", subtype="FILE_PATH", options={"SKIP_SAVE", "HIDDEN"})
    filter_glob: StringProperty(default="*.json", options={"HIDDEN"})
