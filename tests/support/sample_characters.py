"""The character that the samples of each game have, with its meshes."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import bpy

from .sample_files import SAMPLES

OPS: Any = bpy.ops

CHARACTERS: dict[str, tuple[str, dict[str, str]]] = {
    "lba": ("lba2/RESS.HQR", {"entities": "0"}),
    "oni": ("oni/TRAMmannequin_walk.oni", {}),
    "oni2": ("oni2/Entity/mannequin/Entity.type", {}),
    "mindpower": ("mindpower/animation/0001.lab", {}),
}
"""By game the file, and the options with which it is opened."""


def opened(game: str, folder: Path) -> tuple[Any, Any]:
    """The armature of a game's character, which is active, and its mesh of most vertices, from a copy of the sample in a folder."""
    path, options = CHARACTERS[game]
    samples = path.split("/")[0]
    shutil.copytree(SAMPLES / samples, folder / samples, copy_function=shutil.copyfile)
    getattr(OPS.import_anim, game)(filepath=str(folder / path), **options)
    context: Any = bpy.context
    obj = next(each for each in context.scene.objects if each.type == "ARMATURE")
    context.view_layer.objects.active = obj
    return obj, max((each for each in obj.children_recursive if each.type == "MESH"), key=lambda each: len(each.data.vertices))
