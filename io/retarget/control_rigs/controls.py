"""Control rigs as targets: the controls that follow, what carries them, and Rigify's switches between FK and IK.

In a control rig the bones between controls have constraints, so the hierarchy of bones does not show what moves what: it is tried.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import bpy
import numpy as np

from ....core.motion.curves import Block, Channel
from ....core.reporting import log
from ....core.reporting.labels import first_few
from ....core.retarget.figures.figure import Figure
from ....core.retarget.figures.maps.bone_map import BoneMap, Pair
from ...blender import armature, paths
from ...blender.motion import evaluated
from ...blender.paths import Switch
from ..target_cache import Known
from . import constraints, ik, tried_rigs
from .shaped import Shape
from .trials import Asked, Trials, at_rest

LIMBS = tuple(side + part for side in ("left", "right") for part in ("UpperArm", "LowerArm", "UpperLeg", "LowerLeg"))
"""Roles of what a rig of controls has, that of one with four limbs."""

_SWITCHES = (("IK_FK", 1.0), ("FK_limb_follow", 0.0), ("neck_follow", 1.0), ("head_follow", 1.0), ("tail_follow", 1.0))
"""Rigify's properties: limbs by FK, carried by the body, neck and head carried by the chest alone, tails by the hips."""


@dataclass(frozen=True, eq=False)
class Controls:
    """carriers: control -> the control that carries it, "" for none. switches: what the motion needs keyed."""

    carriers: dict[str, str]
    switches: tuple[Switch, ...]
    limbs: tuple[ik.Limb, ...] = ()
    beside: frozenset[str] = frozenset()
    """IK controls and others that are not in the figure."""
    shape: Shape | None = None

    @classmethod
    def of(
        cls, context: bpy.types.Context, obj: bpy.types.Object, bone_map: BoneMap, with_ik: bool, known: Known, shape: Shape | None = None
    ) -> Controls | None:
        """None for an armature whose mapped bones are carried as in its hierarchy, and move the skin themselves. with_ik: Rigify's IK
        controls are to be moved too. shape: of a rig whose controls are elsewhere than the bones that they move."""
        names = [name for name in bone_map.targets() if name in armature.pose_bones(obj)]
        skins = _skins(obj, names, shape)
        shown = [*names, *skins.values()]
        if not any(_is_constrained(armature.pose_bones(obj)[name]) for name in shown) and constraints.taking(obj).keys().isdisjoint(names):
            return None
        limbs = tuple(ik.limbs_of(obj, set(names))) if with_ik else ()
        beside = [name for limb in limbs for name in (limb.end, limb.pole)]
        beside += [name for name in (shape.hub, shape.ground) if name and name not in names] if shape is not None else []
        switches = tuple(_switches(obj))
        asked = Asked(names, beside, skins, sorted(shape.placing) if shape is not None else ())
        tried = known.carriers.get((*names, *beside))
        if tried is None:
            with evaluated.evaluation(context, obj), at_rest(context, obj, switches):
                tried = known.carriers[*names, *beside] = tried_rigs.carriers(obj, asked, Trials(context, obj, asked).carriers)
            if tried[1]:
                log.info(f"{obj.name}: keyed in the new actions, so that bones do what they follow: {named(tried[1])}")
        carriers, more = tried
        owners = {limb.owner for limb in limbs}
        switches = tuple(each._replace(value=0.0) if each.path == '["IK_FK"]' and each.bone in owners else each for each in switches)
        poles = tuple(Switch(limb.owner, '["pole_vector"]', 1.0) for limb in limbs if "pole_vector" in armature.pose_bones(obj)[limb.owner])
        # Rigify's IK bones lengthen a little in any pose (IK Stretch of the bone), which takes elbows and knees elsewhere.
        firm = tuple(Switch(bone, paths.STRETCH, 0.0) for limb in limbs for bone in limb.stretching)
        # one key for each, of what was tried out where both have it
        switches = tuple({(each.bone, each.path): each for each in (*switches, *poles, *firm, *more)}.values())
        return cls(carriers, switches, limbs, frozenset(beside), None if shape is None else shape.carried(carriers))

    def figure(self, figure: Figure) -> Figure:
        """The controls alone, each below the one that carries it; where these are elsewhere than the bones that they move, those bones."""
        if self.shape is not None:
            return self.shape.figure
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
        return switched(self.switches, frame)


def switched(switches: Iterable[Switch], frame: float) -> list[Block]:
    """One key for each."""
    frames, generated = np.array([frame], np.float32), np.zeros(1, bool)
    return [
        Block([Channel(bone, path, 0)], frames, np.array([[value]], np.float32), generated, stepped=True) for bone, path, value in switches
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


def by_skin(obj: bpy.types.Object, bone_map: BoneMap) -> BoneMap:
    """Of a source: the bones that move the skin instead of controls that they follow, which others may move as well, such as IK."""
    bones, used = armature.pose_bones(obj), {pair.source for pair in bone_map.pairs}
    skins = constraints.skins(obj, [name for name in used if name in bones])
    moved = {name: skin for name, skin in skins.items() if skin not in used and _is_constrained(bones[skin])}
    if not moved:
        return bone_map
    return replace(bone_map, pairs=tuple(replace(pair, source=moved.get(pair.source, pair.source)) for pair in bone_map.pairs))


def above(obj: bpy.types.Object, bone_map: BoneMap) -> list[str]:
    """The mapped bones, and all that these hang from: parents, and what constraints of the rig tie them to."""
    bones = armature.pose_bones(obj)
    ahead, result = [name for name in bone_map.targets() if name in bones], set[str]()
    while ahead:
        name = ahead.pop()
        if name not in result:
            result.add(name)
            parent = bones[name].parent
            ahead += [parent.name] if parent is not None else []
            ahead += [other for constraint in bones[name].constraints for other in constraints.tied_to(constraint, obj) if other in bones]
    return sorted(result)


def _skins(obj: bpy.types.Object, names: Sequence[str], shape: Shape | None) -> dict[str, str]:
    """Control -> the bone that moves the skin where it is, or where the bone is that it moves."""
    if shape is None:
        return constraints.skins(obj, names)
    skins = constraints.skins(obj, shape.bones(names))
    return {name: skins[bone] for name, bone in zip(names, shape.bones(names), strict=True) if bone in skins}


def has_constraints(bone: bpy.types.PoseBone) -> bool:
    """Whether any of the bone's own act."""
    return any(not constraint.mute and constraint.influence > 0 for constraint in bone.constraints)


def _is_constrained(bone: bpy.types.PoseBone) -> bool:
    """Whether the bone or one above it has constraints that act."""
    above: Any = bone
    while above is not None:
        if has_constraints(above):
            return True
        above = above.parent
    return False


def _switches(obj: bpy.types.Object) -> Generator[Switch]:
    for bone in armature.pose_bones(obj):
        for name, value in _SWITCHES:
            if isinstance(bone.get(name), float):
                yield Switch(bone.name, f'["{name}"]', value)


def named(switches: Sequence[Switch]) -> str:
    names = [f"{each.bone}{'' if each.path.startswith('[') else ' '}{each.path} = {each.value:g}".strip() for each in switches]
    return first_few(names, 6)
