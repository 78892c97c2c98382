"""Which bones may move when one is rotated, as a rig is put together: by parents, constraints and drivers. Those of two bones that cannot
both move any may be rotated at once."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

import bpy

from ...blender import armature
from . import constraints

_BONE = re.compile(r'bones\["((?:[^"\\]|\\.)*)"\]')

_OBJECT = ""
"""Stands for what is no bone, among the names of bones: properties of the object that drivers give to each other."""


def reach(obj: bpy.types.Object, names: Sequence[str]) -> dict[str, set[str]]:
    """Bone -> all that may move with it, itself among them: rather too many than too few."""
    after: dict[str, set[str]] = {}
    for mover, moved in _ties(obj):
        after.setdefault(mover, set()).add(moved)
    result: dict[str, set[str]] = {}
    for name in names:
        reached, waiting = {name}, [name]
        while waiting:
            new = after.get(waiting.pop(), set()) - reached
            reached |= new
            waiting += new
        result[name] = reached
    return result


def groups(names: Sequence[str], reached: dict[str, set[str]], read: Collection[str]) -> list[list[str]]:
    """The bones so that those of a group may be rotated at once: none of those that are read is moved by two."""
    result: list[tuple[list[str], set[str]]] = []
    for name in names:
        own = reached[name] & set(read)
        for members, together in result:
            if together.isdisjoint(own):
                members.append(name)
                together |= own
                break
        else:
            result.append(([name], own))
    return [members for members, _ in result]


def _ties(obj: bpy.types.Object) -> Iterator[tuple[str, str]]:
    """A bone, and one that may move with it."""
    bones = armature.pose_bones(obj)
    for bone in bones:
        if bone.parent is not None:
            yield bone.parent.name, bone.name
        for constraint in bone.constraints:
            several = getattr(constraint, "targets", None) or [constraint]
            others: list[str] = constraints.tied_to(constraint, obj)
            pole = getattr(constraint, "pole_subtarget", "")
            others += [pole] if pole else []
            if any(getattr(each, "target", None) not in (None, obj) for each in several):
                others = list(bones.keys())  # what another object hangs on is not looked up
            chain = constraints.bent_by(bone, constraint)
            for moved in chain:
                yield from ((other, moved) for other in (*others, *chain))
    for owner in (obj, obj.data):
        data = getattr(owner, "animation_data", None)
        for curve in data.drivers if data else ():
            yield from ((mover, _named(curve.data_path)) for mover in _driving(obj, curve))


def _driving(obj: bpy.types.Object, curve: bpy.types.FCurve) -> Iterator[str]:
    for variable in curve.driver.variables if curve.driver else ():
        for target in variable.targets:
            if target.id not in (obj, obj.data):
                yield from armature.pose_bones(obj).keys()
            yield target.bone_target or _named(target.data_path or "")


def _named(path: str) -> str:
    match = _BONE.search(path)
    return bpy.utils.unescape_identifier(match[1]) if match is not None else _OBJECT
