"""The IK controls of a rig made by Rigify, put where the FK controls are: hands, feet and toes, and the poles for elbows and knees."""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np

from ....core.motion import quaternion as quat
from ....core.motion.curves import Block
from ....core.motion.rotation_matrix import Floats
from ....core.reporting import log
from ....core.retarget.figures.figure import Figure
from ....core.retarget.figures.motion import Motion, Standing
from ....core.retarget.transfer import output
from ...blender import armature
from .shaped import PlacedControls

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


def blocks(
    figure: Figure, limbs: list[Limb], carriers: dict[str, str], target: Figure, motion: Motion, placed: PlacedControls | None = None
) -> list[Block]:
    """Keys of the IK controls. figure: of the whole rig. carriers: control -> the control that carries it. target, motion: of the controls
    as they were retargeted; placed: of controls that are elsewhere than the bones they move."""
    world = _World(figure, target, motion, carriers, placed)
    result: list[Block] = []
    for limb in limbs:
        start, middle, end = (motion.positions[:, target.index[name]] for name in limb.fk)
        delta = world.delta(limb.fk[2])
        position = end + quat.rotate(delta, world.head(limb.end) - world.head(limb.fk[2]))
        result += world.keys(limb.end, quat.multiply(delta, world.rest(limb.end)), position)
        result += world.keys(limb.pole, None, _pole(world, limb, start, middle, end))
        if limb.toes is not None:
            result.append(world.rotation(limb.toes[1], quat.multiply(delta, world.rest(limb.toes[1])), world.delta(limb.toes[0])))
    return result


def _pole(world: _World, limb: Limb, start: Floats, middle: Floats, end: Floats) -> Floats:
    """(F, 3) as far from the joint as at rest, where the joint points; of a straight limb where its first bone brings it."""
    whole = _unit(end - start)
    out = middle - start
    length = _size(out)
    out = out - whole * np.einsum("fi,fi->f", out, whole)[:, None]
    carried = quat.rotate(world.delta(limb.fk[0]), world.head(limb.pole) - world.head(limb.fk[1]))
    far = float(np.linalg.norm(world.head(limb.pole) - world.head(limb.fk[1])))
    side = carried - whole * np.einsum("fi,fi->f", carried, whole)[:, None]
    share = (_size(out) / np.maximum(_STRAIGHT * length, 1e-12)).clip(0, 1)[:, None]
    out = quat.rotate(quat.about(whole, _rest_angle(world, limb)), _unit(out))
    return middle + far * _unit(share * out + (1 - share) * _unit(side))


def _rest_angle(world: _World, limb: Limb) -> Floats:
    """() radians about the limb from where the joint points at rest to where the pole is: the rig takes that for no rotation."""
    start, middle, end = (world.head(name) for name in limb.fk)
    axis = _unit((end - start)[None])[0]
    out, pole = (offset - axis * (offset @ axis) for offset in (middle - start, world.head(limb.pole) - start))
    if np.linalg.norm(out) < 1e-4 * np.linalg.norm(end - start):
        return np.zeros(())
    return np.asarray(np.arctan2(np.cross(out, pole) @ axis, out @ pole))


class _World:
    """Where controls are at rest and what carries them."""

    def __init__(self, figure: Figure, target: Figure, motion: Motion, carriers: dict[str, str], placed: PlacedControls | None) -> None:
        self.placed = placed
        self.figure, self.target, self.motion, self.carriers = figure, target, motion, carriers
        self.rests = figure.quaternions

    def rest(self, name: str) -> Floats:
        """(4,) its rotation at rest."""
        return self.rests[self.figure.index[name]]

    def head(self, name: str) -> Floats:
        """(3,) its head at rest."""
        return self.figure.heads[self.figure.index[name]]

    def delta(self, name: str) -> Floats:
        """(F, 4) the rotation of a control away from its rest; that of the object for none."""
        if name and self.placed is not None:
            return self.placed.delta(name)
        if name:
            return quat.multiply(self.motion.rotations[:, self.target.index[name]], quat.conjugate(self.rest(name)))
        standing = self.motion.standing
        return quat.multiply(standing.rotations, quat.conjugate(quat.of_matrix(self.figure.rotation)))

    def keys(self, name: str, rotations: Floats | None, positions: Floats) -> list[Block]:
        """Keys that bring a control there. rotations: None for one that only moves."""
        bone = self.figure.index[name]
        carrier = self.carriers.get(name, "")
        carrier = carrier if carrier in self.target.index or (self.placed is not None and self.placed.has(carrier)) else ""
        delta = self.delta(carrier)
        standing: Standing = self.motion.standing
        origin = self._position(carrier) if carrier else standing.positions
        start = self.head(carrier) if carrier else self.figure.world[:3, 3]
        before = quat.multiply(delta, self.rest(name))
        axes = before
        if self.figure.unturned[bone]:
            parent = int(self.figure.parents[bone])
            axes = quat.multiply(delta, self.rests[parent]) if parent >= 0 else delta
        moved = quat.rotate(quat.conjugate(axes), positions - origin - quat.rotate(delta, self.head(name) - start)) / standing.scale
        frames = self.motion.frames
        result = [output.block(name, "location", 3, frames, moved)]
        if rotations is not None:
            result.append(self.rotation(name, before, quat.multiply(rotations, quat.conjugate(self.rest(name)))))
        return result

    def _position(self, name: str) -> Floats:
        """(F, 3) where a control is."""
        return self.motion.positions[:, self.target.index[name]] if self.placed is None else self.placed.position(name)

    def rotation(self, name: str, before: Floats, delta: Floats) -> Block:
        """Keys that rotate a control away from its rest by delta (F, 4), which is brought to `before` (F, 4) by what carries it."""
        own = quat.multiply(quat.conjugate(before), quat.multiply(delta, self.rest(name)))
        return output.rotation_block(self.figure, self.figure.index[name], self.motion.frames, quat.continuous(own, -2, positive=True))


def _size(vectors: Floats) -> Floats:
    return np.sqrt(np.einsum("fi,fi->f", vectors, vectors))


def _unit(vectors: Floats) -> Floats:
    return vectors / np.maximum(_size(vectors), 1e-12)[:, None]
