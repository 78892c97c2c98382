"""What was tried of a rig, for as long as Blender is open: the same rig is not tried again by the next run, or by a preview. It is known by
all that decides the outcome, so that an edit of any of it is seen."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import Any

import bpy
import numpy as np

from ...blender import armature
from ...blender.arrays import values_of
from ...blender.paths import Setting, Switch, data_path

Carriers = tuple[dict[str, str], tuple[Switch, ...]]
"""Control -> the control that carries it, "" for none; and what has to be switched."""

_MOST = 16
"""Rigs that are remembered."""

_tried: dict[bytes, tuple[dict[Setting, float], Carriers]] = {}


def carriers(obj: bpy.types.Object, asked: object, tried: Callable[[], Carriers]) -> Carriers:
    """As they were found before, or as they are found now. obj: a rig at rest, with what is known of it switched. asked: what else decides
    the answer, by its text. tried: finds it."""
    digest, settings = _structure(obj, asked), _settings(obj)
    if digest in _tried:
        before, answer = _tried[digest]
        switched = {(each.bone, each.path): each.value for each in answer[1]}
        if before.keys() == settings.keys() and all(settings[name] in (value, switched.get(name)) for name, value in before.items()):
            return answer
    answer = tried()
    _tried.pop(digest, None)
    _tried[digest] = settings, answer
    while len(_tried) > _MOST:
        del _tried[next(iter(_tried))]
    return answer


def _settings(obj: bpy.types.Object) -> dict[Setting, float]:
    """What may be switched, which is not the same after a run: influences and custom properties that nothing drives."""
    driven = {curve.data_path for curve in obj.animation_data.drivers} if obj.animation_data else set[str]()
    result: dict[Setting, float] = {}
    for owner, name in ((obj, ""), *((bone, bone.name) for bone in armature.pose_bones(obj))):
        values = {f'["{bpy.utils.escape_identifier(key)}"]': value for key, value in owner.items()}
        for constraint in owner.constraints if name else ():
            values[f'constraints["{bpy.utils.escape_identifier(constraint.name)}"].influence'] = constraint.influence
        for path, value in values.items():
            if isinstance(value, int | float) and data_path(name, path) not in driven:
                result[name, path] = float(value)
    return result


def _structure(obj: bpy.types.Object, asked: object) -> bytes:
    bones = armature.bones_of(obj)
    said = hashlib.sha1(values_of(bones, "matrix_local", np.float32, 16).tobytes(), usedforsecurity=False)
    parts = (asked, [*map(_bone, bones)], [*map(_posed, armature.pose_bones(obj))], [*_drivers(obj)])
    said.update(repr(parts).encode())
    return said.digest()


def _bone(bone: Any) -> tuple[object, ...]:
    inherits = bone.use_inherit_rotation, bone.use_local_location, bone.inherit_scale, bone.use_deform
    return bone.name, bone.parent.name if bone.parent else "", *inherits


def _posed(bone: Any) -> tuple[object, ...]:
    names = [f"{name}_{axis}" for name in ("lock_ik", "use_ik_limit", "ik_stiffness") for axis in "xyz"]
    solving = [bone.ik_stretch, *(getattr(bone, name) for name in names)]
    return bone.rotation_mode, sorted(bone.keys()), solving, [_constraint(each) for each in bone.constraints]


def _constraint(constraint: Any) -> tuple[object, ...]:
    """All that is set of it but for its influence."""
    names = [prop.identifier for prop in constraint.bl_rna.properties if not prop.is_readonly and prop.identifier != "influence"]
    targets = [(_name(each.target), each.subtarget, each.weight) for each in getattr(constraint, "targets", ())]
    return constraint.type, [_plain(getattr(constraint, name)) for name in names], targets


def _plain(value: Any) -> object:
    if isinstance(value, str | int | float):
        return value
    return _name(value) if value is None or isinstance(value, bpy.types.ID) else np.array(value).tolist()


def _name(block: Any) -> str:
    return "" if block is None else block.name


def _drivers(obj: bpy.types.Object) -> Iterator[tuple[object, ...]]:
    for curve in obj.animation_data.drivers if obj.animation_data else ():
        driver: Any = curve.driver
        yield curve.data_path, curve.array_index, curve.mute, driver.type, driver.expression
        for variable in driver.variables:
            for target in variable.targets:
                of_target = target.data_path, target.bone_target, target.transform_type, target.rotation_mode, target.transform_space
                yield variable.name, variable.type, _name(target.id), *of_target
