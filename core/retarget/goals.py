"""Goals of hands and feet: where they reach besides what the rotations of the source's bones give, as the bone map asks of each limb.

All is measured on the source as it is seen from the target: heading into its world, mirrored where the clip is, still in its own size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ..motion import quaternion as quat
from ..motion.rotation_matrix import Floats
from .figures.bone_map import Limb, LimbName
from .figures.motion import Motion
from .ground import root
from .report_fields import Reach
from .setup import Setup
from .transfer import mirror, two_bone_ik

_PARTS = {"Hand": ("UpperArm", "LowerArm", "Hand"), "Foot": ("UpperLeg", "LowerLeg", "Foot")}

_HANDS: tuple[LimbName, ...] = ("leftHand", "rightHand")
_FEET: tuple[LimbName, ...] = ("leftFoot", "rightFoot")

_BODY = (
    "hips",
    "spine",
    "chest",
    "upperChest",
    "neck",
    "head",
    *(side + part for side in ("left", "right") for part in ("UpperArm", "UpperLeg", "LowerLeg", "Foot")),
)
"""The parts of the own body that a hand may be near to."""

_CLOSE, _BESIDE = 0.03, 0.35
"""In leg lengths: a hand so close to a part of the body is on it, and is beside it where the map does not say how near that is."""

_APART = 1e-6
"""In leg lengths: what is nearer together is in one position but for rounding."""

_NO_GOALS: Mapping[str, Floats] = {}

MISSED = 0.01
"""In leg lengths: a goal that is missed by more is out of reach."""


@dataclass(frozen=True, eq=False)
class Reached:
    """rotations: (F, 4) new ones in the world by target bone. missed: by limb (F,) metres between goal and end."""

    rotations: dict[int, Floats] = field(default_factory=dict[int, Floats])
    missed: dict[str, Floats] = field(default_factory=dict[str, Floats])


@dataclass(frozen=True, eq=False)
class Goals:
    """What the map asks of the limbs of one clip. source: the source's motion. deltas: (F, T, 4) the followers' rotations away from their
    references, in the target's world."""

    setup: Setup
    source: Motion
    deltas: Floats

    @cached_property
    def feet(self) -> list[Limb]:
        """The feet that go elsewhere; both where the hips are higher or lower."""
        limbs = [self._limb(name) for name in _FEET]
        lifted = self._limb("hips").height != 1
        asked = [limb for limb in limbs if lifted or limb.reach != "NONE" or limb.stride != 1 or limb.stance != 0]
        return [limb for limb in asked if self._rows(limb.limb) is not None]

    @cached_property
    def hands(self) -> list[Limb]:
        """Those that reach for something, those first that others may hang on."""
        limbs = [self._limb(name) for name in _HANDS]
        asked = [limb for limb in limbs if limb.reach != "NONE" and self._rows(limb.limb) is not None]
        return sorted(asked, key=lambda limb: limb.reach in ("HAND", "PROP"))

    def doubts(self) -> list[str]:
        """What the map asks of limbs, and cannot be done by it."""
        result: list[str] = []
        for limb in self.setup.limbs:
            missing = [] if limb.limb == "hips" else [role for role in joints(limb.limb) if role not in self.setup.binding.roles]
            if missing:
                result.append(f"{limb.limb} has no goal: the bone map has no {' and no '.join(missing)}")
            elif limb.reach == "HAND" and self._rows(_other(limb.limb)) is None:
                result.append(f"{limb.limb} has no goal: the bone map has not all of {_other(limb.limb)}")
            elif limb.reach == "PROP" and self._prop(limb) is None:
                unknown = f"{limb.prop} follows no bone of the source" if limb.prop else "choose the target's bone that is its prop"
                result.append(f"{limb.limb} has no goal: {unknown}")
            elif limb.limb == "hips" and "hips" not in self.setup.binding.roles:
                result.append("the bone map has no hips that could be higher")
        return result

    @property
    def stride(self) -> float:
        """The factor of the way over the ground that keeps feet from sliding."""
        return float(np.mean([self._limb(name).stride for name in _FEET]))

    def lift(self, positions: Mapping[int, Floats]) -> Floats | None:
        """(F,) metres by which the hips are higher than the source has them; None where they are as high. positions: of target bones."""
        height, row = self._limb("hips").height, self.setup.binding.roles.get("hips")
        if height == 1 or row is None:
            return None
        bone = self.setup.binding.followers[row].target
        return (positions[bone][:, 2] - self._floor) * (height - 1) if bone in positions else None

    def feet_at(self, target: Motion) -> dict[str, Floats]:
        """By limb (F, 3) where the feet shall be, measured before the hips are lifted."""
        goals: dict[str, Floats] = {}
        for limb in sorted(self.feet, key=lambda limb: limb.reach == "HAND"):
            goals[limb.limb] = self._foot(limb, target, goals)
        return goals

    def reach(self, goals: Mapping[str, Floats], target: Motion) -> Reached:
        """Bend limbs so that their ends are at the goals (F, 3), or as near as they reach. Ends keep their rotation."""
        reached = Reached()
        binding = self.setup.binding
        for name, goal in goals.items():
            rows = self._rows(name)
            assert rows is not None
            first, second, end = (binding.followers[row].target for row in rows)
            start, middle, tip = (target.positions[:, bone] for bone in (first, second, end))
            lateral = self.setup.facing.lateral if name.endswith("Foot") else -self.setup.facing.lateral
            across = quat.rotate(quat.conjugate(self.setup.references[first]), lateral)
            hinge = two_bone_ik.hinge_axis(middle - start, tip - start, target.rotations[:, first], across, self.source.spans)
            bent = two_bone_ik.bend(start, middle, tip, goal, hinge)
            reached.rotations[first] = quat.multiply(bent.first, target.rotations[:, first])
            reached.rotations[second] = quat.multiply(bent.second, target.rotations[:, second])
            reached.rotations[end] = target.rotations[:, end]
            reached.missed[name] = bent.missed
        return reached

    def end_at(self, limb: Limb, target: Motion, others: Mapping[str, Floats] = _NO_GOALS) -> dict[str, Floats]:
        """By limb (F, 3) where a hand or foot shall be; both where each hangs on the other. others: goals of those not there yet."""
        other = self._limb(_other(limb.limb))
        present = self._end(target, limb.limb)
        if limb.reach == "HAND" and other.reach == "HAND" and self._rows(other.limb) is not None:
            apart = (self._tip(limb.limb) - self._tip(other.limb)) * self._factor
            opposite = self._end(target, other.limb)
            middle, weight = (present + opposite) / 2, self._weight(limb, np.linalg.norm(apart, axis=1) / self._factor)
            goals = {limb.limb: middle + apart / 2, other.limb: middle - apart / 2}
            return {name: self._blended(self._end(target, name), goal, weight) for name, goal in goals.items()}
        goal, distance = self._wanted(limb, target, others)
        return {limb.limb: self._blended(present, goal, self._weight(limb, distance))}

    def remainder(self, limb: Limb, missed: Mapping[str, Floats], target: Motion) -> dict[str, Floats]:
        """By limb (F, 3) where the hand goes that reached its half of the way to the other, at the frames at which the other did not."""
        other = _other(limb.limb)
        apart = (self._tip(limb.limb) - self._tip(other)) * self._factor
        weight = self._weight(limb, np.linalg.norm(apart, axis=1) / self._factor)
        goals: dict[str, Floats] = {}
        for name, opposite, offset in ((limb.limb, other, apart), (other, limb.limb, -apart)):
            further = np.where(missed[opposite] > missed[name], weight, 0.0)
            goals[name] = self._blended(self._end(target, name), self._end(target, opposite) + offset, further)
        return goals

    def _foot(self, limb: Limb, target: Motion, others: Mapping[str, Floats]) -> Floats:
        goal = self.end_at(limb, target, others)[limb.limb]
        if limb.stride != 1 or limb.stance != 0:
            hips = self._hips(target)
            row = self.setup.binding.roles.get("hips", 0)
            angles = self.source.spans.each(root.heading, self.deltas[:, row])
            heading = quat.about(np.array([0.0, 0.0, 1.0]), angles)
            lateral = quat.rotate(heading, np.broadcast_to(self.setup.facing.lateral * np.array([1.0, 1.0, 0.0]), goal.shape))
            lateral = lateral / np.maximum(np.linalg.norm(lateral, axis=1, keepdims=True), 1e-30)
            ahead = np.cross(lateral, np.array([0.0, 0.0, 1.0]))
            along = np.einsum("fi,fi->f", goal - hips, ahead)
            side = 1.0 if limb.limb.startswith("left") else -1.0
            goal = goal + ahead * (along * (limb.stride - 1))[:, None] + lateral * (side * limb.stance)
        return goal

    def _wanted(self, limb: Limb, target: Motion, others: Mapping[str, Floats]) -> tuple[Floats, Floats]:
        """(F, 3) the goal in full, and (F,) source metres from the end to what it reaches for, 0 where it reaches for nothing."""
        tip, zero = self._tip(limb.limb), np.zeros(len(target.frames))
        rows = self._rows(limb.limb)
        assert rows is not None
        binding = self.setup.binding
        match limb.reach:
            case "LIMB":
                source, own = self._lengths(rows)
                start = target.positions[:, binding.followers[rows[0]].target]
                return start + (tip - self._joint(rows[0])) * (own / max(source, 1e-30)), zero
            case "BODY" if "hips" in binding.roles:
                return self._hips(target) + (tip - self._joint(binding.roles["hips"])) * self._factor, zero
            case "HAND" if self._rows(_other(limb.limb)) is not None:
                name = _other(limb.limb)
                apart, opposite = tip - self._tip(name), others[name] if name in others else self._end(target, name)
                return opposite + apart * self._factor, np.linalg.norm(apart, axis=1)
            case "SELF":
                return self._beside_body(limb, target)
            case "PROP" if (row := self._prop(limb)) is not None:
                apart = tip - self._joint(row)
                return target.positions[:, binding.followers[row].target] + apart * self._factor, np.linalg.norm(apart, axis=1)
            case _:
                return self._end(target, limb.limb), zero

    def _beside_body(self, limb: Limb, target: Motion) -> tuple[Floats, Floats]:
        """Between where the end is from all parts of the body, those that it is near to counting most."""
        binding, tip = self.setup.binding, self._tip(limb.limb)
        own = self._rows(limb.limb)
        parts = [binding.roles[role] for role in _BODY if role in binding.roles and (own is None or binding.roles[role] not in own)]
        if not parts:
            return self._end(target, limb.limb), np.full(len(tip), np.inf)
        apart = np.stack([tip - self._joint(row) for row in parts], axis=1)
        there = np.stack(
            [
                self._hips(target) if binding.followers[row].role == "hips" else target.positions[:, binding.followers[row].target]
                for row in parts
            ],
            axis=1,
        )
        distance = np.linalg.norm(apart, axis=2)
        weights = 1 / (distance**2 + (_CLOSE * self.setup.legs.source) ** 2) ** 2
        goals = there + apart * self._factor
        return np.asarray((goals * weights[..., None]).sum(axis=1) / weights.sum(axis=1)[:, None], np.float64), distance.min(axis=1)

    def _weight(self, limb: Limb, distance: Floats) -> Floats:
        """(F,) how much of the goal counts. distance: source metres."""
        near = limb.near if limb.near > 0 or limb.reach != "SELF" else _BESIDE
        if near <= 0:
            return np.full(len(distance), limb.strength)
        beyond = (distance / (near * self.setup.legs.source) - 1).clip(0, 1)
        return np.asarray(limb.strength * (1 - beyond * beyond * (3 - 2 * beyond)), np.float64)

    def _blended(self, present: Floats, goal: Floats, weight: Floats) -> Floats:
        return present + (goal - present) * weight[:, None]

    def _limb(self, name: LimbName) -> Limb:
        return next((limb for limb in self.setup.limbs if limb.limb == name), Limb(name))

    def _prop(self, limb: Limb) -> int | None:
        bone = self.setup.binding.target.index.get(limb.prop, -1)
        return self.setup.binding.row.get(bone)

    def _rows(self, name: str) -> tuple[int, int, int] | None:
        """The followers of a limb's joints; None where the map has not all of them."""
        first, second, end = (self.setup.binding.roles.get(role) for role in joints(name))
        return None if first is None or second is None or end is None else (first, second, end)

    def _joint(self, row: int) -> Floats:
        """(F, 3) the source's joint."""
        if self.setup.options.mirror:
            row = mirror.partners(self.setup.binding)[row]
        follower = self.setup.binding.followers[row]
        positions = self.source.positions[:, follower.source]
        beside = follower.anchor - self.setup.binding.heads[follower.source]
        if np.abs(beside).max() > _APART * self.setup.legs.source:  # in chains of unlike lengths joints are between the source's
            delta = quat.multiply(self.source.rotations[:, follower.source], quat.conjugate(self.setup.source_rotations[follower.source]))
            positions = positions + quat.rotate(delta, beside)
        positions = positions @ self.setup.frame.T
        return mirror.reflect_vectors(positions, self.setup.facing.lateral) if self.setup.options.mirror else positions

    def _tip(self, name: str) -> Floats:
        rows = self._rows(name)
        assert rows is not None
        return self._joint(rows[2])

    def _end(self, target: Motion, name: str) -> Floats:
        rows = self._rows(name)
        assert rows is not None
        return target.positions[:, self.setup.binding.followers[rows[2]].target]

    def _hips(self, target: Motion) -> Floats:
        """(F, 3) the target's hips' joint, which is not the head of the bone in some control rigs."""
        figure = self.setup.binding.target
        row = self.setup.binding.roles.get("hips", 0)
        bone = self.setup.binding.followers[row].target
        arm = figure.joint(bone, "hips") - figure.heads[bone]
        rest = figure.quaternions[bone]
        return target.positions[:, bone] + quat.rotate(quat.multiply(target.rotations[:, bone], quat.conjugate(rest)), arm)

    def _lengths(self, rows: tuple[int, int, int]) -> tuple[float, float]:
        """Metres of a limb in source and target."""
        followers = [self.setup.binding.followers[row] for row in rows]
        joints = np.array([one.anchor for one in followers]), self.setup.binding.target.heads[[one.target for one in followers]]
        source, target = (float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum()) for points in joints)
        return source, target

    @cached_property
    def _factor(self) -> float:
        return self.setup.legs.target / self.setup.legs.source

    @cached_property
    def _floor(self) -> float:
        binding = self.setup.binding
        feet = [
            binding.followers[binding.roles[role]].target
            for role in ("leftFoot", "rightFoot", "leftToes", "rightToes")
            if role in binding.roles
        ]
        return float(binding.target.heads[feet, 2].min()) if feet and self.setup.legs.stands[1] else self.setup.legs.target_floor


def joints(name: str) -> tuple[str, ...]:
    """The roles of a limb's joints."""
    side = "left" if name.startswith("left") else "right"
    return tuple(side + part for part in _PARTS[name[len(side) :]])


def reports(missed: Mapping[str, Floats], leg: float) -> tuple[Reach, ...]:
    """For the report. missed: by limb (F,) metres. leg: the target's, in metres."""
    return tuple(Reach(name, int((values > MISSED * leg).sum()), float(values.max())) for name, values in missed.items())


_OTHERS: dict[str, LimbName] = {"leftHand": "rightHand", "rightHand": "leftHand", "leftFoot": "rightFoot", "rightFoot": "leftFoot"}


def _other(name: str) -> LimbName:
    return _OTHERS[name]
