"""Control rigs as targets: which control really carries which, by trying, and Rigify's switches between FK and IK.

In a control rig the bones between controls have constraints, so the hierarchy of bones does not show what moves what. Each control is
rotated a little by itself, once, and those that go along rigidly are its own. Everything is put back as it was.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import bpy
import numpy as np

from ....core.motion.curves import Block, Channel
from ....core.motion.rotation_matrix import Floats
from ....core.reporting import log
from ....core.retarget.figures.bone_map import BoneMap, Pair
from ....core.retarget.figures.figure import Figure
from ...blender import armature, compat
from ...blender.motion import evaluated
from ..known import Known
from . import ik

_ANGLE = 0.4
"""Radians by which a control is rotated to measure what it carries."""

LIMBS = tuple(side + part for side in ("left", "right") for part in ("UpperArm", "LowerArm", "UpperLeg", "LowerLeg"))
"""Roles of what a rig of controls has, that of one with four limbs."""

_SWITCHES = (("IK_FK", 1.0), ("neck_follow", 1.0), ("head_follow", 1.0))
"""Rigify's properties: limbs by FK, neck and head carried by the chest alone."""


@dataclass(frozen=True, eq=False)
class Controls:
    """carriers: control -> the control that carries it, "" for none. switches: (bone, property, value) that the motion needs keyed."""

    carriers: dict[str, str]
    switches: tuple[tuple[str, str, float], ...]
    limbs: tuple[ik.Limb, ...] = ()
    beside: frozenset[str] = frozenset()
    """IK controls, which are not in the figure."""

    @classmethod
    def of(cls, context: bpy.types.Context, obj: bpy.types.Object, bone_map: BoneMap, with_ik: bool, known: Known) -> Controls | None:
        """None for an armature whose mapped bones are carried as in its hierarchy. with_ik: Rigify's IK controls are to be moved too."""
        names = [name for name in _targets(bone_map) if name in armature.pose_bones(obj)]
        if not any(_is_constrained(armature.pose_bones(obj)[name]) for name in names):
            return None
        limbs = tuple(ik.limbs_of(obj, set(names))) if with_ik else ()
        beside = [name for limb in limbs for name in (limb.end, limb.pole)]
        switches = tuple(_switches(obj))
        carriers = known.carriers.get((*names, *beside))
        if carriers is None:
            with evaluated.evaluation(context, obj), _at_rest(context, obj, switches):
                carriers = known.carriers[*names, *beside] = _carriers(context, obj, [*names, *beside])
        owners = {limb.owner for limb in limbs}
        switches = tuple((bone, name, 0.0 if name == "IK_FK" and bone in owners else value) for bone, name, value in switches)
        poles = tuple((limb.owner, "pole_vector", 1.0) for limb in limbs if "pole_vector" in armature.pose_bones(obj)[limb.owner])
        return cls(carriers, (*switches, *poles), limbs, frozenset(beside))

    def figure(self, figure: Figure) -> Figure:
        """The controls alone, each below the one that carries it."""
        names = [name for name in self.carriers if name not in self.beside]
        ordered: list[str] = []
        while len(ordered) < len(names):
            ready = [name for name in names if name not in ordered and (not self.carriers[name] or self.carriers[name] in ordered)]
            ordered += ready or [name for name in names if name not in ordered]
        bones = [figure.index[name] for name in ordered]
        number = {name: index for index, name in enumerate(ordered)}
        return Figure(
            tuple(ordered),
            np.array([number.get(self.carriers[name], -1) for name in ordered], np.int32),
            figure.rest[bones],
            figure.lengths[bones],
            figure.world,
            tuple(figure.modes[bone] for bone in bones),
            figure.hinged[bones],
            figure.unturned[bones],
            np.zeros(len(bones), bool),
            pelvis=figure.rest[figure.index["ORG-spine"], :3, 3] if {"torso", "spine_fk", "ORG-spine"} <= set(figure.index) else None,
        )

    def blocks(self, frame: float) -> list[Block]:
        """One key for each switch."""
        frames = np.array([frame], np.float32)
        generated = np.zeros(1, bool)
        return [
            Block([Channel(bone, f'["{name}"]', 0)], frames, np.array([[value]], np.float32), generated, stepped=True)
            for bone, name, value in self.switches
        ]


def with_torso(obj: bpy.types.Object, bone_map: BoneMap) -> BoneMap:
    """Rigify's spine hangs from its torso control, and the pelvis below it has one of its own: both follow the hips."""
    bones, hips = armature.pose_bones(obj), bone_map.role("hips")
    if (
        hips is None
        or any(name not in bones for name in ("torso", "spine_fk", "MCH-spine"))
        or hips.target not in ("torso", "hips", "spine_fk")
    ):
        return bone_map
    others = [pair for pair in bone_map.pairs if pair is not hips and pair.target not in ("torso", "spine_fk")]
    pairs = (replace(hips, target="torso", role=""), replace(hips, target="spine_fk"), *others)
    return replace(bone_map, pairs=tuple(Pair(**vars(pair)) for pair in pairs))


def above(obj: bpy.types.Object, bone_map: BoneMap) -> list[str]:
    """The mapped bones, and all that these hang from: parents, and what constraints of the rig tie them to."""
    bones = armature.pose_bones(obj)
    ahead, result = [name for name in _targets(bone_map) if name in bones], set[str]()
    while ahead:
        name = ahead.pop()
        if name not in result:
            result.add(name)
            parent = bones[name].parent
            ahead += [parent.name] if parent is not None else []
            ahead += [other for constraint in bones[name].constraints for other in _tied_to(constraint, obj) if other in bones]
    return sorted(result)


def _tied_to(constraint: Any, obj: bpy.types.Object) -> list[str]:
    """Bones of the same armature that a constraint follows: of an Armature constraint there are several."""
    several = getattr(constraint, "targets", None) or [constraint]
    return [each.subtarget for each in several if getattr(each, "target", None) == obj]


def _targets(bone_map: BoneMap) -> list[str]:
    return list(dict.fromkeys([*(pair.target for pair in bone_map.pairs), *(name for chain in bone_map.chains for name in chain.target)]))


def _is_constrained(bone: bpy.types.PoseBone) -> bool:
    """Whether the bone or one above it has constraints that act."""
    above: Any = bone
    while above is not None:
        if any(not constraint.mute and constraint.influence > 0 for constraint in above.constraints):
            return True
        above = above.parent
    return False


def _switches(obj: bpy.types.Object) -> Generator[tuple[str, str, float]]:
    for bone in armature.pose_bones(obj):
        for name, value in _SWITCHES:
            if isinstance(bone.get(name), float):
                yield bone.name, name, value


@contextmanager
def _at_rest(context: bpy.types.Context, obj: bpy.types.Object, switches: tuple[tuple[str, str, float], ...]) -> Generator[None]:
    """The rig in its rest pose, with the switches set, without its action. Everything is put back."""
    data = obj.animation_data
    action, used = (data.action, data.use_nla) if data else (None, False)
    slot = data.action_slot if data and compat.SLOTTED else None
    pose = evaluated.pose_values(obj)
    before = [armature.pose_bones(obj)[bone][name] for bone, name, _ in switches]
    try:
        if data:
            data.action, data.use_nla = None, False
        rest = {name: np.empty_like(values) for name, values in pose.items()}
        for name, values in rest.items():
            values[:] = evaluated.REST[name]
        evaluated.set_pose_values(obj, rest)
        for bone, name, value in switches:
            armature.pose_bones(obj)[bone][name] = value
        _update(context, obj)
        yield
    finally:
        if data:
            data.action, data.use_nla = action, used
            if compat.SLOTTED and action is not None:
                data.action_slot = slot
        evaluated.set_pose_values(obj, pose)
        for (bone, name, _), value in zip(switches, before, strict=True):
            armature.pose_bones(obj)[bone][name] = value
        _update(context, obj)


def _update(context: bpy.types.Context, obj: bpy.types.Object) -> None:
    obj.update_tag(refresh={"OBJECT", "DATA", "TIME"})
    context.view_layer.update()


def _carriers(context: bpy.types.Context, obj: bpy.types.Object, names: list[str]) -> dict[str, str]:
    """Control -> the control right above it. The rig stands at rest."""
    start = _matrices(context, obj, names)
    inverse = np.linalg.inv(start)
    moves = np.zeros((len(names), len(names)), bool)
    loose: set[str] = set()
    for position, name in enumerate(names):
        bone = armature.pose_bones(obj)[name]
        _rotation(bone, _ANGLE)
        _update(context, obj)
        now = _matrices(context, obj, names)
        _rotation(bone, 0.0)
        carried: Floats = now[position] @ inverse[position]
        along = np.abs(now - carried @ start).max(axis=(1, 2)) < 1e-4
        still = np.abs(now - start).max(axis=(1, 2)) < 1e-4
        moves[position] = along & ~still
        moves[position, position] = False
        loose |= {names[index] for index in np.flatnonzero(~along & ~still)}
    _update(context, obj)
    if loose:
        log.warning(f"{obj.name}: {', '.join(sorted(loose)[:6])} go along with others only in part; what they do may be off")
    depth = moves.sum(axis=0)
    result: dict[str, str] = {}
    for position, name in enumerate(names):
        above = np.flatnonzero(moves[:, position])
        result[name] = names[int(above[np.argmax(depth[above])])] if len(above) else ""
    return result


def _matrices(context: bpy.types.Context, obj: bpy.types.Object, names: list[str]) -> Floats:
    bones = armature.pose_bones(obj.evaluated_get(context.evaluated_depsgraph_get()))
    return np.array([bones[name].matrix for name in names], np.float64)


def _rotation(bone: Any, angle: float) -> None:
    """About X and Z at once, by a bone's own channels."""
    half, part = angle / 2, np.sqrt(0.5)
    if bone.rotation_mode == "QUATERNION":
        bone.rotation_quaternion = (np.cos(half), np.sin(half) * part, 0.0, np.sin(half) * part)
    elif bone.rotation_mode == "AXIS_ANGLE":
        bone.rotation_axis_angle = (angle, part, 0.0, part)
    else:
        bone.rotation_euler = (angle, 0.0, angle / 2)
