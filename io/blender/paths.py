"""Paths of bones, and what a path below a bone or an object leads to: custom properties, and properties of constraints."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import bpy

from . import armature

Setting = tuple[str, str]
"""Bone, "" for the object itself, and the path below it of a property that may be switched."""

STRETCH = "ik_stretch"
"""How far IK may lengthen a bone."""


BONE = r'pose\.bones\["((?:[^"\\]|\\.)*)"\]'
"""Of a regular expression: how the path of anything of a bone begins, with the bone's name, escaped."""


@lru_cache(maxsize=4096)
def data_path(bone: str, name: str) -> str:
    """The path, from its object, of a property of a bone, or of the object where `bone` is empty."""
    if not bone:
        return name
    dot = "" if name.startswith("[") else "."
    return f'pose.bones["{bpy.utils.escape_identifier(bone)}"]{dot}{name}'


class Switch(NamedTuple):
    """A property with the value that it is to have. bone: "" for the object's own. path: below it."""

    bone: str
    path: str
    value: float


def value_at(obj: bpy.types.Object, bone: str, path: str) -> Any:
    """The present value. bone: "" for the object's own. path: such as `["IK_FK"]` or `constraints["IK"].influence`. Raises ValueError or
    KeyError where there is none."""
    return _owner(obj, bone).path_resolve(path)


def set_at(obj: bpy.types.Object, bone: str, path: str, value: float) -> None:
    """Another value, of the type that it has now."""
    owner, present = _owner(obj, bone), value_at(obj, bone, path)
    kept: Any = type(present)(value)
    if path.endswith('"]'):
        at, _, name = path[:-2].rpartition('["')
        (owner.path_resolve(at) if at else owner)[bpy.utils.unescape_identifier(name)] = kept
    else:
        at, _, name = path.rpartition(".")
        setattr(owner.path_resolve(at) if at else owner, name, kept)


def _owner(obj: bpy.types.Object, bone: str) -> Any:
    return armature.pose_bones(obj)[bone] if bone else obj
