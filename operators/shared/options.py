"""The options that mean the same in every game, once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
from bpy.props import CollectionProperty, EnumProperty, FloatProperty, StringProperty


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


def frame_rate(rate: str, default: str) -> Any:
    """Whether the scene takes the game's rate, which is said in words. default: KEEP or SET."""
    items = (
        ("KEEP", "Keep the Scene's", "Keys are placed for the scene's frame rate; the scene is not changed"),
        ("SET", "Set the Game's", f"The scene takes {rate}, so that the game's time steps are whole frames"),
    )
    return EnumProperty(name="Frame Rate", items=items, default=default)


class ImportCharacters:
    """How characters with their clips come in."""

    entries: StringProperty(
        name="Entries",
        description="Which entries of an archive: 1 or 0-5,9 (counted from 0). Empty: a list to choose from; a script gets all",
        options={"SKIP_SAVE"},
    )
    skeleton: StringProperty(
        name="Skeleton",
        description="Body file, or ARCHIVE#ENTRY. Empty: the active armature if it fits, else a body found beside the file",
        options={"SKIP_SAVE"},
    )
    frame_start: FloatProperty(name="Start Frame", description="Where the clip's first keyframe lies", default=1.0)
    fps_mode: frame_rate("the game's rate", "KEEP")
    bone_direction: EnumProperty(
        name="Bone Direction",
        items=(
            ("GAME", "Game's Axes", "All bones keep the axes of the game"),
            ("CHILD", "Towards Child", "Each bone along the axis that is nearest to its child; no less exact"),
        ),
        default="GAME",
    )


class ImportClips(ImportCharacters):
    """How clips come in that tell the character's way through the world."""

    root_motion: EnumProperty(
        name="Root Motion",
        description="Where the character's way through the world goes; an export finds it in either place",
        items=(
            ("OBJECT", "Object", "The armature object moves, from where it stands"),
            ("BONE", "Root Bone", "The root bone moves"),
            ("NONE", "In Place", "The character stays; the way is kept as properties of the root bone"),
        ),
        default="OBJECT",
    )


class ExportActions:
    """Which actions go out, and how they are read."""

    source: EnumProperty(
        name="Source",
        items=(
            ("ACTIVE", "Active Action", "The action of the active armature"),
            ("SELECTED", "Selected Armatures", "The actions of all selected armatures"),
            ("ALL", "All Actions", "Every imported action that fits the active armature"),
            ("NLA", "NLA Strips", "The actions of the active armature's NLA strips"),
        ),
        default="ACTIVE",
    )
    sampling: EnumProperty(
        name="Sampling",
        items=(
            ("KEYS", "As Keyed", "The curves' values at their keys; untouched keys keep the file's own numbers"),
            ("VISUAL", "As It Looks", "The pose as it is shown, with constraints, IK and the NLA"),
        ),
        default="KEYS",
    )
