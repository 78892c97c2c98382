"""By which custom properties armatures and actions are known to be of Tales of Pirates."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import bpy

from ...core.mindpower.fields import ACTION_FIELDS
from ...core.mindpower.game import GAME
from ..blender import identity

SKELETON = "mindpower_skeleton"
"""Of armatures: the file without the frames that actions show, compressed."""

_MESHES = "mindpower_meshes"
"""Of armatures: the names of the mesh files that came in on them, without extension, one a line."""

RANGE, NUMBERS = (item.property for item in ACTION_FIELDS if item.name in ("range", "numbers"))
"""Of actions: their frames of the file, or of new ones their numbers in the action table."""


def is_figure(obj: bpy.types.Object | None) -> bool:
    return obj is not None and obj.type == "ARMATURE" and obj.data is not None and SKELETON in obj.data


def add_mesh(obj: Any, path: str) -> None:
    """Remember a mesh file that came in on an armature."""
    obj.data[_MESHES] = "\n".join(dict.fromkeys([*meshes(obj), Path(path).stem]))


def meshes(obj: Any) -> list[str]:
    """The names of the mesh files that came in on an armature."""
    return str(obj.data.get(_MESHES, "")).splitlines()


def numbers_of(action: bpy.types.Action) -> tuple[int, ...]:
    """The numbers in the action table that an action is given, each once."""
    items = str(action.get(NUMBERS, "")).replace(",", " ").split()
    return tuple(dict.fromkeys(int(item) for item in items if re.fullmatch("[0-9]{1,9}", item) and int(item)))


def make_new(action: bpy.types.Action, number: int | None = None, obj: bpy.types.Object | None = None) -> None:
    """A new action of the character, under `number` of the action table (None: none yet), whatever it was before. obj: the character, by
    which it stays known as a clip of it while another one is shown."""
    for key in list(action.keys()):
        if key.startswith(("mindpower_", "retro_anim_")):
            del action[key]
    if number is not None:
        action[NUMBERS] = str(number)
    if obj is not None:
        identity.mark_action(action, GAME, obj)
