"""The IK controls of a rig made by Rigify, put where the FK controls are: hands, feet and toes, and the poles for elbows and knees."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

import bpy
import numpy as np

from ....core.motion.curves import Block
from ....core.motion.rotations import quaternion as quat
from ....core.motion.rotations.directions import lengths, unit
from ....core.motion.rotations.rotation_matrix import Floats
from ....core.reporting import log
from ....core.reporting.labels import first_few
from ...blender import armature
from .placed import PlacedControls

_STRAIGHT = 0.05
"""In lengths of the limb: a joint that stands out by less does not show where its pole is."""

_AT_JOINT = 0.1
"""In lengths of hand or foot: its IK control begins where it begins."""

_LIMBS = (("upper_arm", "forearm", "hand"), ("thigh", "shin", "foot"))


@dataclass(frozen=True, eq=False)
class Limb:
    """Names of controls: FK from the root outwards, IK end, pole, and the bone with the switches. stretching: what IK may lengthen. toes:
    by FK and by IK, of a foot that has them."""

    fk: tuple[str, str, str]
    end: str
    pole: str
    owner: str
    stretching: tuple[str, ...] = ()
    toes: tuple[str, str] | None = None


def limbs_of(obj: bpy.types.Object, mapped: set[str]) -> list[Limb]:
    """The arms and legs of a Rigify rig whose FK controls are mapped."""
    result: list[Limb] = []
    for first, second, end in _LIMBS:
        for side in ("L", "R"):
            fk = f"{first}_fk.{side}", f"{second}_fk.{side}", f"{end}_fk.{side}"
            solved = (f"{first}_ik.{side}", f"MCH-{second}_ik.{side}")
            bones = armature.pose_bones(obj)
            stretching = tuple(name for name in solved if name in bones)
            toes = (f"toe_fk.{side}", f"toe_ik.{side}")
            has_toes = end == "foot" and toes[0] in mapped and toes[1] in bones
            poles = f"{first}_ik_target.{side}"
            limb = Limb(fk, f"{end}_ik.{side}", poles, f"{first}_parent.{side}", stretching, toes if has_toes else None)
            if not set(fk) <= mapped or not all(name in bones for name in (limb.end, limb.pole, limb.owner)):
                continue
            if (bones[limb.end].bone.head_local - bones[fk[2]].bone.head_local).length > _AT_JOINT * bones[fk[2]].bone.length:
                log.warning(f"{obj.name}: {limb.end} does not begin at the joint that it moves, as those of paws: {fk[2]} goes by FK")
                continue
            result.append(limb)
    return result


def unmoved(obj: bpy.types.Object, mapped: Container[str]) -> list[str]:
    """What is said where IK controls were asked for, and all of them or some are not moved. Those of paws are another matter."""
    bones = armature.pose_bones(obj)
    ends = {f"{parts[2]}_ik.{side}": [f"{part}_fk.{side}" for part in parts] for parts in _LIMBS for side in ("L", "R")}
    there = {end: controls for end, controls in ends.items() if end in bones}
    if not there:
        return [f"IK Controls does nothing: {obj.name} has no hand_ik or foot_ik as Rigify makes them: what is mapped moves by itself"]
    lacking = {end: [name for name in controls if name not in mapped] for end, controls in there.items()}
    left = [end for end, names in lacking.items() if names]
    missing = first_few([name for end in left for name in lacking[end]])
    return [f"IK Controls leaves out {first_few(left)}: add lines to the bone map for {missing}"] if left else []


def blocks(placed: PlacedControls, limbs: Sequence[Limb]) -> list[Block]:
    """Keys of the IK controls."""
    result: list[Block] = []
    for limb in limbs:
        foot, joint = limb.fk[2], placed.joint(limb.fk[2])
        delta = placed.delta(foot)
        result.append(placed.location(limb.end, joint + quat.rotate(delta, placed.head(limb.end) - placed.head(foot))))
        result.append(placed.rotation(limb.end, quat.multiply(delta, placed.rest(limb.end)), placed.carried(limb.end)))
        result.append(placed.location(limb.pole, _pole(placed, limb)))
        if limb.toes is not None:
            toes, rest = placed.delta(limb.toes[0]), placed.rest(limb.toes[1])
            result.append(placed.rotation(limb.toes[1], quat.multiply(toes, rest), quat.multiply(delta, rest)))
    return result


def _pole(placed: PlacedControls, limb: Limb) -> Floats:
    """(F, 3) as far from the joint as at rest, where the joint points; of a straight limb where its first bone brings it."""
    start, middle, end = map(placed.joint, limb.fk)
    whole = unit(end - start)
    out = middle - start
    length = lengths(out)
    out = out - whole * np.einsum("fi,fi->f", out, whole)[:, None]
    carried = quat.rotate(placed.delta(limb.fk[0]), placed.head(limb.pole) - placed.head(limb.fk[1]))
    far = float(np.linalg.norm(placed.head(limb.pole) - placed.head(limb.fk[1])))
    side = carried - whole * np.einsum("fi,fi->f", carried, whole)[:, None]
    share = (lengths(out) / np.maximum(_STRAIGHT * length, 1e-12)).clip(0, 1)[:, None]
    out = quat.rotate(quat.about(whole, _rest_angle(placed, limb)), unit(out))
    return middle + far * unit(share * out + (1 - share) * unit(side))


def _rest_angle(placed: PlacedControls, limb: Limb) -> Floats:
    """() radians about the limb from where the joint points at rest to where the pole is: the rig takes that for no rotation."""
    start, middle, end = map(placed.head, limb.fk)
    axis = unit(end - start)
    out, pole = (offset - axis * (offset @ axis) for offset in (middle - start, placed.head(limb.pole) - start))
    if np.linalg.norm(out) < 1e-4 * np.linalg.norm(end - start):
        return np.zeros(())
    return np.asarray(np.arctan2(np.cross(out, pole) @ axis, out @ pole))
