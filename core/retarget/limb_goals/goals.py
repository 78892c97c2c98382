"""Goals of hands and feet: where they reach besides what the rotations of the source's bones give, as the bone map asks of each limb.

All is measured on the source as it is seen from the target: heading into its world, mirrored where the clip is, still in its own size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import get_args

import numpy as np

from ...motion.rotations import quaternion as quat
from ...motion.rotations.directions import UP, lengths, unit
from ...motion.rotations.rotation_matrix import Floats
from ..figures.maps.bone_map import Limb, LimbName
from ..figures.motion import Motion
from ..figures.roles import end_bone, other_side, role_label
from ..ground.pace import Pace
from ..ground.start import hips_heading
from ..setup import Setup
from ..transfer.limbs import extension, swivel, two_bone_ik, yielding
from ..transfer.limbs.bend_axes import bend_axes
from ..transfer.limbs.fast_steps import Bone, Frames
from .limb_joints import LimbJoints, joint_roles
from .own_body import OwnBody

_HANDS = "leftHand", "rightHand"
_FEET = "leftFoot", "rightFoot"

_BESIDE = 0.35
"""In leg lengths: a hand so near to a part of the body is beside it, where the map does not say how near that is."""

_ROOM, _PASSING = 0.048, 0.07
"""In leg lengths, by little more than a third of which hands yield beside their shoulder; and seconds for the way around it."""

_SIDE = 0.4
"""Seconds before and after it by which a limb that is nearly straight is judged."""

_NO_GOALS: Mapping[str, Floats] = {}


@dataclass(frozen=True, eq=False)
class Reached:
    """rotations: (F, 4) new ones in the world by target bone. missed: by limb (F,) metres between goal and end."""

    rotations: dict[int, Floats] = field(default_factory=dict[int, Floats])
    missed: dict[str, Floats] = field(default_factory=dict[str, Floats])


@dataclass(frozen=True, eq=False)
class Goals:
    """What the map asks of the limbs of one clip. source: the source's motion. deltas: (F, T, 4) the followers' rotations away from their
    references, in the target's world. pace: when the frames are."""

    setup: Setup
    source: Motion
    deltas: Floats
    pace: Pace

    @cached_property
    def joints(self) -> LimbJoints:
        return LimbJoints(self.setup, self.source)

    @cached_property
    def _limbs(self) -> dict[str, Limb]:
        return {name: Limb(name) for name in get_args(LimbName)} | {limb.limb: limb for limb in self.setup.limbs}

    @cached_property
    def feet(self) -> list[Limb]:
        """The feet that go elsewhere; both where the hips are higher or lower."""
        limbs = [self._limbs[name] for name in _FEET]
        lifted = self._limbs["hips"].height != 1
        asked = [limb for limb in limbs if lifted or limb.reach != "NONE" or limb.stride != 1 or limb.stance != 0]
        return [limb for limb in asked if self.joints.known(limb.limb)]

    @cached_property
    def reaching(self) -> frozenset[str]:
        """The limbs that go for something. All other feet stand on the ground where the source's do, however far out, and however high
        the hips are."""
        return frozenset(limb.limb for limb in (*self.feet, *self.hands) if limb.reach != "NONE")

    @cached_property
    def leaving(self) -> frozenset[str]:
        """The feet that go elsewhere than the source's, whatever the hips do."""
        return frozenset(limb.limb for limb in self.feet if limb.limb in self.reaching or limb.stride != 1 or limb.stance != 0)

    @cached_property
    def hands(self) -> list[Limb]:
        """Those that reach for something, those first that others may hang on."""
        limbs = [self._limbs[name] for name in _HANDS]
        asked = [limb for limb in limbs if limb.reach != "NONE" and self.joints.known(limb.limb)]
        return sorted(asked, key=lambda limb: limb.reach in ("HAND", "PROP"))

    def doubts(self) -> list[str]:
        """What the map asks of limbs, and cannot be done by it."""
        result: list[str] = []
        for limb in self.setup.limbs:
            if limb.limb == "hips":
                result += ["hips have no goal, but a height"] if limb.reach != "NONE" else []
                result += ["the bone map has no hips that could be higher"] if "hips" not in self.setup.binding.roles else []
                continue
            missing = [role for role in joint_roles(limb.limb) if role not in self.setup.binding.roles]
            if missing:
                lacks = " and no ".join(map(role_label, missing))
                remedy = _without_end(limb.limb) if missing == [limb.limb] else ""
                result.append(f"{role_label(limb.limb)} has no goal: the bone map has no {lacks}{remedy}")
            elif limb.reach == "HAND" and not self.joints.known(other_side(limb.limb)):
                result.append(f"{role_label(limb.limb)} has no goal: the bone map has not all of the {role_label(other_side(limb.limb))}")
            elif limb.reach == "PROP" and self._prop(limb) is None:
                unknown = f"{limb.prop} follows no bone of the source" if limb.prop else "choose the target's bone that is its prop"
                result.append(f"{role_label(limb.limb)} has no goal: {unknown}")
        return result

    def lift(self, positions: Mapping[int, Floats]) -> Floats | None:
        """(F,) metres by which the hips are higher than the source has them; None where they are as high. positions: of target bones."""
        height, row = self._limbs["hips"].height, self.setup.binding.roles.get("hips")
        if height == 1 or row is None:
            return None
        bone = self.setup.binding.followers[row].target
        return (positions[bone][:, 2] - self.joints.floor) * (height - 1) if bone in positions else None

    def feet_at(self, target: Motion) -> dict[str, Floats]:
        """By limb (F, 3) where the feet shall be, measured before the hips are lifted."""
        goals: dict[str, Floats] = {}
        for limb in sorted(self.feet, key=lambda limb: limb.reach == "HAND"):
            goals[limb.limb] = self._foot(limb, target, goals)
        return goals

    def reach(self, goals: Mapping[str, Floats], target: Motion) -> Reached:
        """Bend limbs so that their ends are at the goals (F, 3), or as near as they reach. Ends keep their rotation."""
        reached = Reached()
        binding, spans, joints = self.setup.binding, self.source.spans, self.pace.joints()
        for name, goal in goals.items():
            bones = [binding.followers[row].target for row in self.joints.rows(name)]
            start, middle, tip = (target.positions[:, bone] for bone in bones)
            plain = [target.rotations[:, bone] for bone in bones]
            lateral = self.setup.facing.lateral if name.endswith("Foot") else -self.setup.facing.lateral
            across = quat.rotate(quat.conjugate(self.setup.references[bones[0]]), lateral)
            whole = tip - start
            whole[joints[:, 1]] = 0.0  # a pose that a loop repeats counts once
            hinge = two_bone_ik.hinge_axis(middle - start, whole, plain[0], across, spans)
            hinge = bend_axes(middle - start, tip - start, plain[0], hinge, spans, joints, partial(self.pace.smoothed, ease=_SIDE))
            frames = Frames(self.pace.seconds, ~two_bone_ik.moves(tip, goal), spans, joints)
            near = self._around(start, middle, tip, goal)
            bent = two_bone_ik.bend(start, middle, tip, near, self._stretched([start, middle, tip], near, hinge, plain[:2], frames))
            both = [quat.multiply(own, before) for own, before in zip((bent.first, bent.second), plain, strict=False)]
            offsets = bent.end - start
            axes = unit(offsets)
            pairs = [Bone(*pair) for pair in zip(both, plain, strict=False)]
            swing = quat.about(axes, swivel.least(pairs, axes, frames))
            pairs = [Bone(quat.multiply(swing, pair.bent), pair.plain) for pair in pairs]
            yielded = yielding.least(pairs, offsets / self.setup.legs.target, frames)
            reached.rotations.update({bone: quat.multiply(yielded, pair.bent) for bone, pair in zip(bones, pairs, strict=False)})
            reached.rotations[bones[2]] = plain[2]
            reached.missed[name] = lengths(goal - start - quat.rotate(yielded, offsets))
        return reached

    def _stretched(
        self, joints: Sequence[Floats], goal: Floats, hinge: Floats, plain: Sequence[Floats], frames: Frames
    ) -> two_bone_ik.Plan:
        """How a limb bends that goes for its goal, without leaps of its middle joint. joints: (F, 3) from the body outwards."""
        start, middle, tip = joints
        planned, leg = two_bone_ik.plan(start, middle, tip, goal, hinge), self.setup.legs.target
        limb = extension.Limb(lengths(middle - start) / leg, lengths(tip - middle) / leg)
        upper, whole = middle - start, tip - start
        own = quat.conjugate(plain[0])
        wanted = quat.rotate(own, planned.normals * limb.angles(planned.distances / leg)[:, None])
        present = quat.rotate(own, unit(np.cross(upper, whole)) * limb.angles(lengths(whole) / leg)[:, None])
        lasting = frames.lasting([Bone(each, each) for each in plain])
        bends = extension.least(limb, wanted, present, lasting, frames)
        moved = (bends != wanted).any(axis=1)
        distances = np.where(moved, limb.distances(lengths(bends)) * leg, planned.distances)
        axes = quat.rotate(plain[0], bends)
        along = unit(whole)
        axes -= along * np.einsum("fi,fi->f", axes, along)[:, None]
        is_bent = moved & (lengths(axes) > 1e-9)
        return two_bone_ik.Plan(distances, np.where(is_bent[:, None], unit(axes), planned.normals))

    def _around(self, start: Floats, middle: Floats, tip: Floats, goal: Floats) -> Floats:
        """(F, 3) goals of a limb, those that are too near to the joint in which it begins beside it."""
        offsets, least = goal - start, np.abs(lengths(middle - start) - lengths(tip - middle))
        headings = unit(self.pace.smoothed(unit(offsets), _PASSING))
        return start + two_bone_ik.around(offsets, headings, least, _ROOM * self.setup.legs.target, lengths(goal - tip))

    def end_at(self, limb: Limb, target: Motion, others: Mapping[str, Floats] = _NO_GOALS) -> dict[str, Floats]:
        """By limb (F, 3) where a hand or foot shall be; both where each hangs on the other. others: goals of those not there yet."""
        other = self._limbs[other_side(limb.limb)]
        present = self.joints.end(target, limb.limb)
        if limb.reach == "HAND" and other.reach == "HAND" and self.joints.known(other.limb):
            apart = (self.joints.tip(limb.limb) - self.joints.tip(other.limb)) * self.joints.factor
            opposite = self.joints.end(target, other.limb)
            middle, weight = (present + opposite) / 2, self._weight(limb, np.linalg.norm(apart, axis=1) / self.joints.factor)
            goals = {limb.limb: middle + apart / 2, other.limb: middle - apart / 2}
            return {name: self._blended(target, name, goal, weight) for name, goal in goals.items()}
        goal, distance = self._wanted(limb, target, others)
        return {limb.limb: self._blended(target, limb.limb, goal, self._weight(limb, distance))}

    def _foot(self, limb: Limb, target: Motion, others: Mapping[str, Floats]) -> Floats:
        goal = self.end_at(limb, target, others)[limb.limb]
        if limb.stride != 1 or limb.stance:
            hips = self.joints.hips(target)
            row = self.setup.binding.hips
            looks = partial(hips_heading, self.setup.binding, faced=self.setup.facing, is_mirrored=self.setup.options.mirror)
            angles = self.source.spans.each(looks, self.deltas[:, row])
            heading = quat.about(UP, angles)
            lateral = unit(quat.rotate(heading, np.broadcast_to(self.setup.facing.lateral, goal.shape)))
            ahead = np.cross(lateral, UP)
            along = np.einsum("fi,fi->f", goal - hips, ahead)
            side = 1.0 if limb.limb.startswith("left") else -1.0
            goal = goal + ahead * (along * (limb.stride - 1))[:, None] + lateral * (side * limb.stance)
        return goal

    def _wanted(self, limb: Limb, target: Motion, others: Mapping[str, Floats]) -> tuple[Floats, Floats]:
        """(F, 3) the goal in full, and (F,) source metres from the end to what it reaches for, 0 where it reaches for nothing."""
        tip, zero = self.joints.tip(limb.limb), np.zeros(len(target.frames))
        binding = self.setup.binding
        match limb.reach:
            case "LIMB":
                source, own = self.joints.lengths(limb.limb)
                first = self.joints.rows(limb.limb)[0]
                start = target.positions[:, binding.followers[first].target]
                return start + (tip - self.joints.joint(first)) * (own / max(source, 1e-30)), zero
            case "BODY" if "hips" in binding.roles:
                return self.joints.hips(target) + (tip - self.joints.joint(binding.roles["hips"])) * self.joints.factor, zero
            case "HAND" if self.joints.known(other_side(limb.limb)):
                name = other_side(limb.limb)
                apart, opposite = tip - self.joints.tip(name), others[name] if name in others else self.joints.end(target, name)
                return opposite + apart * self.joints.factor, np.linalg.norm(apart, axis=1)
            case "SELF":
                return OwnBody(self.joints, self.pace).beside(limb.limb, target)
            case "PROP" if (row := self._prop(limb)) is not None:
                apart = tip - self.joints.joint(row)
                return target.positions[:, binding.followers[row].target] + apart * self.joints.factor, np.linalg.norm(apart, axis=1)
            case _:
                return self.joints.end(target, limb.limb), zero

    def _weight(self, limb: Limb, distance: Floats) -> Floats:
        """(F,) how much of the goal counts. distance: source metres."""
        near = limb.near if limb.near > 0 or limb.reach != "SELF" else _BESIDE
        if near <= 0:
            return np.full(len(distance), limb.strength)
        beyond = (distance / (near * self.setup.legs.source) - 1).clip(0, 1)
        return np.asarray(limb.strength * (1 - beyond * beyond * (3 - 2 * beyond)), np.float64)

    def _blended(self, target: Motion, name: str, goal: Floats, weight: Floats) -> Floats:
        """(F, 3) from where the end is to the goal, around the joint in which the limb begins: straight through it the limb would snap.
        Before it counts in full a goal out of reach is no further than the limb reaches, which would be stretched at once otherwise."""
        joints = [target.positions[:, self.setup.binding.followers[row].target] for row in self.joints.rows(name)]
        present, goal = joints[2] - joints[0], goal - joints[0]
        reach = lengths(joints[1] - joints[0]) + lengths(joints[2] - joints[1])
        distance = np.where(weight < 1, np.minimum(lengths(goal), reach), lengths(goal))
        swing = quat.power(two_bone_ik.between(unit(present), unit(goal)), weight)
        length = lengths(present) + (distance - lengths(present)) * weight
        return joints[0] + quat.rotate(swing, unit(present)) * length[:, None]

    def _prop(self, limb: Limb) -> int | None:
        bone = self.setup.binding.target.index.get(limb.prop, -1)
        return self.setup.binding.row.get(bone)


def _without_end(name: str) -> str:
    """What helps a limb that ends without a bone for its hand or foot, as arms of Little Big Adventure do."""
    last = role_label(joint_roles(name)[1])
    return (
        f": where the source or the target has none, add a bone {end_bone(name)} at the end of its {last}, and map bones anew; "
        "games' clips go without it"
    )
