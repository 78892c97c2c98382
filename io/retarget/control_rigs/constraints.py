"""Bones that do not do what their own channels say, since constraints of the rig take them elsewhere: IK, copies of other bones, tracking;
and bones of the skin that are to follow such a control, but follow another one.

What takes them is switched off in the new action: by the property of the rig that drives it, as switches between FK and IK do, else by
the influence of the constraint itself. Which of these helps is tried out on the rig at rest."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from itertools import takewhile
from typing import Any

import bpy
import numpy as np

from ....core.motion.rotations.rotation_matrix import Floats
from ...blender import armature, paths
from ...blender.motion import evaluated, fcurves
from ...blender.paths import BONE, Setting, Switch

_SAME, _NEAR = 1e-3, 1e-2
"""Between axes of unit length: of a bone, and of the skin, which may bend a little otherwise."""

_PROPERTY = re.compile(rf'(?:{BONE})?(\["(?:[^"\\]|\\.)*"\])')

_LIMITS = ("LIMIT", "FLOOR")
"""How the types of constraints begin that bound what a bone does by itself."""

MOVING = (*_LIMITS, "COPY_LOCATION")
"""Those, too, that leave it its rotation, which is what is tried out."""

_INFLUENCE = re.compile(rf'{BONE}\.(constraints\["(?:[^"\\]|\\.)*"\]\.influence)')


def taking(obj: bpy.types.Object, others: Container[Setting] = frozenset()) -> dict[str, list[Setting]]:
    """Bone -> influences of the constraints that act on it, or that are among `others`. Limits only bound what a bone does by itself."""
    result: dict[str, list[Setting]] = {}
    for bone in armature.pose_bones(obj):
        for constraint in bone.constraints:
            setting = bone.name, f'constraints["{bpy.utils.escape_identifier(constraint.name)}"].influence'
            acts = constraint.influence > 0 or setting in others or _is_driven(obj, constraint)
            if constraint.mute or constraint.type.startswith("LIMIT") or not acts:
                continue
            for name in bent_by(bone, constraint):
                result.setdefault(name, []).append(setting)
    return result


def limiting(obj: bpy.types.Object, names: Container[str], types: tuple[str, ...] = _LIMITS) -> dict[str, list[str]]:
    """Bone -> constraints of the types, and drivers of its own channels, which are left as they are."""
    result: dict[str, list[str]] = {}
    for bone in armature.pose_bones(obj):
        limits = [one for one in bone.constraints if one.type.startswith(types) and not one.mute]
        acting = [one.name for one in limits if one.influence > 0 or _is_driven(obj, one)]
        if acting and bone.name in names:
            result[bone.name] = acting
    for curve in obj.animation_data.drivers if obj.animation_data else ():
        channel = fcurves.channel_of(curve)
        if channel is not None and channel.bone in names and channel.property in evaluated.REST and not curve.mute:
            own = result.setdefault(channel.bone, [])
            own += [text] if (text := f"driver of {channel.property}") not in own else []
    return result


def _is_driven(obj: bpy.types.Object, constraint: Any) -> bool:
    driver: Any = obj.animation_data.drivers.find(constraint.path_from_id("influence")) if obj.animation_data else None
    return driver is not None


def bent_by(bone: Any, constraint: Any) -> list[str]:
    """The bones that a constraint moves: several of IK."""
    if constraint.type not in ("IK", "SPLINE_IK"):
        return [bone.name]
    names = [each.name for each in (bone, *bone.parent_recursive)]
    names = names[1:] if constraint.type == "IK" and not constraint.use_tail else names
    return names[: constraint.chain_count] if constraint.chain_count else names


def settings(obj: bpy.types.Object) -> list[Setting]:
    """All that may be switched."""
    driven = _drivers(obj)
    every = [setting for each in taking(obj).values() for setting in each if setting not in driven]
    return list(dict.fromkeys([*every, *(setting for each in driven.values() for setting in each)]))


def keyed(obj: bpy.types.Object, names: Iterable[str], others: Iterable[Setting]) -> list[Switch]:
    """As they are now, those of `others`, which other actions key, that say what takes any of the bones elsewhere."""
    every = set(others)
    acting, driven = taking(obj, every), _drivers(obj)
    own = {setting for name in names for each in acting.get(name, ()) for setting in (each, *driven.get(each, ()))}
    return [Switch(*setting, float(paths.value_at(obj, *setting))) for setting in sorted(own & every)]


def skins(obj: bpy.types.Object, names: Iterable[str]) -> dict[str, str]:
    """Bone -> the one that moves the skin in its position, where it does not do so itself."""
    bones = armature.bones_of(obj)
    others = [name for name in names if not bones[name].use_deform]
    deforming = [bone for bone in bones if bone.use_deform] if others else []
    if not deforming:
        return {}
    heads = np.array([bone.head_local for bone in deforming], np.float64)
    axes = np.array([_axis(bone) for bone in deforming], np.float64)
    near = 1e-4 * max(float(np.ptp(heads, axis=0).max()), 1e-9)
    result: dict[str, str] = {}
    for name in others:
        there = np.flatnonzero(np.linalg.norm(heads - np.array(bones[name].head_local), axis=1) < near)
        if not len(there):
            continue
        alike = axes[there] @ _axis(bones[name])
        if alike.max() > 1 - _NEAR:
            result[name] = deforming[int(there[np.argmax(alike)])].name
    return result


def _axis(bone: Any) -> Floats:
    """(3,) where it points at rest."""
    return np.array(bone.matrix_local, np.float64)[:3, 1]


def off(obj: bpy.types.Object, lost: Iterable[str], skinned: Mapping[str, str], follows: Callable[[str], bool]) -> list[Switch]:
    """What has to be switched so that bones follow their own channels which do not, and the skin them. The switches are left as they shall
    be. follows: whether a bone does. What did not help one bone is not tried for others, as many of a face have the same behind them."""
    result: dict[Setting, Switch] = {}
    acting, driven = taking(obj), _drivers(obj)
    failed = set[tuple[Setting, ...]]()
    for name in lost:
        if result and follows(name):
            continue
        own = [setting for setting in acting.get(name, ()) if setting not in driven]
        properties = [setting for each in acting.get(name, ()) for setting in driven.get(each, ())]
        if name in skinned:
            properties += [
                setting for bone in behind(obj, skinned[name]) for each in acting.get(bone, ()) for setting in driven.get(each, ())
            ]
        free = list(dict.fromkeys(properties))
        if not own and tuple(free) in failed:
            continue
        before = [Switch(bone, path, float(paths.value_at(obj, bone, path))) for bone, path in (*own, *free)]
        for value in (0.0, 1.0) if free else (0.0,) if own else ():
            choice = [*(Switch(*setting, 0.0) for setting in own), *(Switch(*setting, value) for setting in free)]
            if choice == before:
                continue  # it does not so
            _set(obj, choice)
            if follows(name):
                result |= {(each.bone, each.path): each for each in choice}
                break
            _set(obj, before)
        else:
            failed.add(tuple(free))
    return list(result.values())


def loosened(obj: bpy.types.Object, loose: Mapping[str, Sequence[str]], goes_along: Callable[[str, str], bool]) -> list[Switch]:
    """What has to be switched so that bones are carried by those above them alone, of which constraints bring them but a part, as those of
    a curling tail do. The switches are left as they shall be. loose: bone -> those that move it in part. goes_along: whether a bone is
    carried by another, or not moved by it."""
    result: list[Switch] = []
    acting, driven = taking(obj), _drivers(obj)
    bones = armature.pose_bones(obj)
    ordered = sorted(loose, key=lambda each: len(bones[each].parent_recursive))
    for name, mover in [(each, other) for each in ordered for other in loose[each]]:
        if result and goes_along(name, mover):
            continue
        for bone in _between(bones[name], bones[mover]):
            own = [Switch(*setting, float(paths.value_at(obj, *setting))) for setting in acting.get(bone, ()) if setting not in driven]
            off = [each._replace(value=0.0) for each in own]
            _set(obj, off)
            if off and goes_along(name, mover):
                result += off
                break
            _set(obj, own)
    return result


def freed(obj: bpy.types.Object, names: Iterable[str], followed: Container[str]) -> list[Switch]:
    """What has to be switched so that controls hang on the next followed ones above them alone, wherever others are. The switches are left
    as they shall be."""
    acting, driven, bones = taking(obj), _drivers(obj), armature.pose_bones(obj)
    result: dict[Switch, None] = {}
    for name in names:
        for bone in takewhile(lambda each: each.name not in followed, bones[name].parent_recursive):
            result |= {Switch(*setting, 0.0): None for setting in acting.get(bone.name, ()) if setting not in driven}
    _set(obj, result)
    return list(result)


def _between(bone: Any, mover: Any) -> list[str]:
    """A bone and those above it, but for what is above the other one, too."""
    others = {each.name for each in (mover, *mover.parent_recursive)}
    return [each.name for each in (bone, *bone.parent_recursive) if each.name not in others]


def behind(obj: bpy.types.Object, name: str) -> list[str]:
    """A bone, those above it and those that constraints tie any of them to."""
    bones = armature.pose_bones(obj)
    result: list[str] = []
    waiting = [name]
    while waiting:
        bone = waiting.pop()
        if bone in result or bone not in bones:
            continue
        result.append(bone)
        parent = bones[bone].parent
        waiting += [parent.name] if parent is not None else []
        waiting += [other for constraint in bones[bone].constraints for other in tied_to(constraint, obj)]
    return result


def tied_to(constraint: Any, obj: bpy.types.Object) -> list[str]:
    """Bones of the same armature that a constraint follows: of an Armature constraint there are several."""
    several = getattr(constraint, "targets", None) or [constraint]
    return [each.subtarget for each in several if getattr(each, "target", None) == obj and each.subtarget]


def _set(obj: bpy.types.Object, switches: Iterable[Switch]) -> None:
    for switch in switches:
        paths.set_at(obj, *switch)


def _drivers(obj: bpy.types.Object) -> dict[Setting, list[Setting]]:
    """Driven influence of a constraint -> the custom properties of the rig that drive it."""
    result: dict[Setting, list[Setting]] = {}
    for curve in obj.animation_data.drivers if obj.animation_data else ():
        match = _INFLUENCE.fullmatch(curve.data_path)
        if match is None:
            continue
        own = result.setdefault((bpy.utils.unescape_identifier(match[1]), match[2]), [])
        for variable in curve.driver.variables if curve.driver else ():
            for target in variable.targets if variable.type == "SINGLE_PROP" else ():
                path = _PROPERTY.fullmatch(target.data_path or "")
                setting = (bpy.utils.unescape_identifier(path[1] or ""), path[2]) if path is not None else ("", "")
                if path is not None and target.id == obj and _is_number(obj, setting):
                    own.append(setting)
    return result


def _is_number(obj: bpy.types.Object, setting: Setting) -> bool:
    try:
        return isinstance(paths.value_at(obj, *setting), int | float)
    except (KeyError, ValueError):
        return False


def are_alike(now: Floats, wanted: Floats) -> bool:
    """Whether a bone's axes are where they should be, whatever its size."""
    first, second = (matrix[:3, :3] / np.maximum(np.linalg.norm(matrix[:3, :3], axis=0), 1e-12) for matrix in (now, wanted))
    return bool(np.abs(first - second).max() < _SAME)


def points_alike(now: Floats, wanted: Floats) -> bool:
    """Whether a bone points where it should."""
    first, second = (matrix[:3, 1] / max(float(np.linalg.norm(matrix[:3, 1])), 1e-12) for matrix in (now, wanted))
    return bool(np.abs(first - second).max() < _NEAR)
