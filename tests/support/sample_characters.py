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

EDITIONS = {"lba1": ("lba1/RESS.HQR", {"entities": "0"}), "lba2": CHARACTERS["lba"], **CHARACTERS}
"""The same, also by edition of a game."""

SUFFIXES = {"lba": ".anm", "oni": ".oni", "oni2": ".anim", "mindpower": ".lab"}
"""Of the files that clips of a game are exported into."""


def game_of(edition: str) -> str:
    return "lba" if edition.startswith("lba") else edition


def opened(edition: str, folder: Path) -> tuple[Any, Any]:
    """The armature of a game's character, which is active, and its mesh of most vertices, from a copy of the sample in a folder. The copy
    is made where there is none yet: so what was saved is opened again."""
    path, options = EDITIONS[edition]
    samples = path.split("/")[0]
    if not (folder / samples).exists():
        shutil.copytree(SAMPLES / samples, folder / samples, copy_function=shutil.copyfile)
    context: Any = bpy.context
    before = set(context.scene.objects)
    getattr(OPS.import_anim, game_of(edition))(filepath=str(folder / path), **options)
    obj = next(each for each in context.scene.objects if each.type == "ARMATURE" and each not in before)
    context.view_layer.objects.active = obj
    return obj, max((each for each in obj.children_recursive if each.type == "MESH"), key=lambda each: len(each.data.vertices))
