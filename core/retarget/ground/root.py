"""Root motion: scaled by the length of the legs, kept, taken out, or carried by the root bone or the object."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...motion.rotations import quaternion as quat
from ...motion.rotations.directions import UP
from ...motion.rotations.reproducible import arctan2
from ...motion.rotations.rotation_matrix import Floats
from ..figures.motion import Motion, Standing
from ..figures.roles import FEET, SIDES, on_both_sides
from ..options import Floor
from ..transfer.binding import Binding
from . import contacts

_LEG = ("UpperLeg", "LowerLeg", "Foot")

_HIGH = 0.5
"""In leg lengths: who stands has the hips at least so high above the lowest foot."""

NEAR = 0.35
"""In leg lengths: a ground that is no further away is the one that is meant."""

_LEVEL, _STRIDE = 0.04, 0.3
_RAISED = {"Toes": (-0.1, 0.09), "Foot": (-0.05, 0.25)}
"""In leg lengths: of both feet of one who stands on them one is no more than that higher than the other, or before it; where the origin of
the object is on the ground the lowest of these joints are in such a range above it."""


@dataclass(frozen=True, eq=False)
class Legs:
    """Lengths of thigh and shin together in metres, the mean of both sides, and the height of the source's floor: its lowest foot in the
    reference pose, or where it lies there, where that would be if it stood as the target does. stands: whether source and target stand
    in their reference poses. rise: metres by which the lowest foot would be higher than it is in the source's reference pose if it stood
    as the target does. target_floor: the height of the lowest foot of a target that does not stand at rest, once it stands as the
    source. known: whether there are legs. sure: whether source and target stand on both feet in their reference poses, so that the
    floor is there, which it is not where these are taken from the middle of a motion. aligned: metres by which the target's lowest foot
    is higher than at rest where its bones point as the source's do at rest, as far as the reverse direction agrees. at_origin: whether
    the source's object stands on that floor with its origin, so that clips have heights over it."""

    source: float
    target: float
    source_floor: float
    known: bool
    stands: tuple[bool, bool] = (True, True)
    rise: float = 0.0
    target_floor: float = 0.0
    sure: tuple[bool, bool] = (True, True)
    aligned: float = 0.0
    at_origin: bool = False


def legs(binding: Binding) -> Legs:
    """Measured at the reference poses; where feet are one with the shins a leg is twice the thigh, without legs the sum of all mapped
    segments serves instead."""
    heads = binding.target.heads
    result = _lengths(binding, _LEG)
    floor = _lowest(binding)
    if result and min(min(pair) for pair in result) > 1e-9:
        source, target = (float(np.mean([pair[side] for pair in result])) for side in (0, 1))
        stands, hips = _standing(binding, source, target), binding.roles.get("hips")
        own = floor
        if hips is not None:
            first = binding.followers[hips]
            below = binding.target.joint(first.target, "hips")[2] - float(heads[_feet(binding), 2].min()) if stands[1] else target
            aligned = float(first.anchor[2]) - float(below) * source / target
            floor = own if stands[0] else aligned
            beneath = binding.target.joint(first.target, "hips")[2] - (float(first.anchor[2]) - floor) * target / source
            sure, at_origin = _sure(binding, stands, (source, target))
            return Legs(source, target, floor, True, stands, aligned - own, float(beneath), sure, at_origin=at_origin)
        return Legs(source, target, floor, True, stands)
    thighs = _lengths(binding, _LEG[:2])
    if thighs and min(min(pair) for pair in thighs) > 1e-9:
        source, target = (2 * float(np.mean([pair[side] for pair in thighs])) for side in (0, 1))
        return Legs(source, target, floor, False)
    source = target = 0.0
    for row, below in enumerate(binding.below):
        for child in below:
            first, second = binding.followers[row], binding.followers[child]
            source += float(np.linalg.norm(first.anchor - second.anchor))
            target += float(np.linalg.norm(heads[first.target] - heads[second.target]))
    if min(source, target) < 1e-9:
        return Legs(1.0, 1.0, floor, False)
    return Legs(source, target, floor, False)


def raised(binding: Binding, heads: Floats) -> float:
    """Metres by which the lowest of the target's feet is higher than at rest in another pose, measured from the hips, which are put where
    they shall be whatever a bone above them does. heads: (T, 3) joints there."""
    feet, hips = _feet(binding), binding.roles.get("hips")
    if not feet or hips is None:
        return 0.0
    rest, bone = binding.target.heads, binding.followers[hips].target
    return float((heads[feet, 2].min() - heads[bone, 2]) - (rest[feet, 2].min() - rest[bone, 2]))


def positions(
    binding: Binding, motion: Motion, frame: Floats, scale: tuple[float, float], lift: Floats | float, reference: Floats
) -> dict[int, Floats]:
    """Target bone -> (F, 3): the heads of the bones that are followed with nothing above them, and of hips and root.

    x_target = x_target_rest + s C (x_source - x_source_reference). reference: (S, 3) positions there. scale: s over the ground, 0 for
    a motion that stays in place, and s for heights. lift: metres, or (F,), as `lift_of` gives them."""
    factors = np.array([scale[0], scale[0], scale[1]])
    result: dict[int, Floats] = {}
    for row, follower in enumerate(binding.followers):
        if binding.above[row] >= 0 and follower.role not in ("hips", "root"):
            continue
        moved = motion.positions[:, follower.source] - reference[follower.source]
        moved[:, 2] -= lift
        moved = moved @ frame.T * factors
        result[follower.target] = binding.target.joint(follower.target, follower.role) + moved
    return result


def lift_of(binding: Binding, motion: Motion, measured: Legs, floor: Floor, standing: float | None = None) -> float:
    """Metres by which the source's motion stands above its own reference pose. A motion capture skeleton often has its hips at the origin
    at rest: AUTO then takes the ground it walks on for the ground: where its feet stand, without such the world's if that is near. Who
    stands at rest where the origin of the object is has its heights over that ground, however far it climbs or falls.

    standing: metres by which feet that stand are above the reference pose's lowest, None where the clip does not keep to the ground."""
    feet = [binding.followers[row].source for row in binding.rows_of(*FEET)]
    if floor == "REST" or not feet:
        return 0.0
    ground = contacts.quantile(motion.positions[:, feet, 2].min(axis=1), contacts.LOWEST)
    apart = ground - measured.source_floor
    if floor == "AUTO":
        if measured.at_origin:
            return 0.0
        if measured.stands[0] and abs(apart if standing is None else standing) < NEAR * measured.source:
            return 0.0
        if standing is not None:
            return standing + min(float(binding.heads[foot, 2]) for foot in feet) - measured.source_floor
        if abs(ground) < NEAR * measured.source:
            return -measured.source_floor
    return apart


def ground_path(binding: Binding, positions: dict[int, Floats], headings: Floats, start: Floats) -> Standing:
    """What stood at `start` (3,) in the rest pose, carried along with the hips over the ground: rotations (F, 4) about Z, positions (F, 3).

    positions: of the bones, as `positions` gives them. headings: (F,) radians about Z; how the hips stand beside that stays theirs."""
    bone = binding.followers[binding.hips].target
    rotations = quat.about(UP, headings)
    flat = np.array([1.0, 1.0, 0.0])
    arm = (binding.target.joint(bone, "hips") - start) * flat
    path = positions[bone] * flat - quat.rotate(rotations, arm)
    return Standing(rotations, path + start * (1 - flat), 1.0)


def heading(deltas: Floats) -> Floats:
    """(F,) the angle about Z, without jumps, of the direction -Y as rotations (F, 4) carry it."""
    ahead = quat.rotate(deltas, np.array([0.0, -1.0, 0.0]))
    return np.unwrap(arctan2(ahead[:, 0], -ahead[:, 1]))


def _feet(binding: Binding) -> list[int]:
    """The target's."""
    return [binding.followers[row].target for row in binding.rows_of(*FEET)]


def _standing(binding: Binding, source: float, target: float) -> tuple[bool, bool]:
    """Whether source and target have their hips well above their feet, and their head above their hips. source, target: legs in metres."""
    hips, head = binding.roles.get("hips"), binding.roles.get("head")
    if hips is None:
        return True, True
    first = binding.followers[hips]
    above = (
        float(first.anchor[2]) - _lowest(binding),
        float(binding.target.heads[first.target, 2] - binding.target.heads[_feet(binding), 2].min()),
    )
    upright = True, True
    if head is not None:
        top = binding.followers[head]
        upright = bool(top.anchor[2] > first.anchor[2]), bool(binding.target.heads[top.target, 2] > binding.target.heads[first.target, 2])
    return upright[0] and above[0] > _HIGH * source, upright[1] and above[1] > _HIGH * target


def soles(binding: Binding, measured: Legs, factor: float) -> tuple[float, float]:
    """Metres from the ground up to the lowest joint of the feet at rest, of source and target, where the object stands on the ground with
    its origin; else as of the other one, 0 where neither does. factor: target metres a source metre."""
    part = _part(binding)
    feet = [binding.followers[row] for row in binding.rows_of(*on_both_sides(part))]
    if not feet:
        return 0.0, 0.0
    above = (
        min(float(one.anchor[2]) for one in feet) - float(binding.source.world[2, 3]),
        min(float(binding.target.heads[one.target, 2]) for one in feet) - float(binding.target.world[2, 3]),
    )
    low, high = _RAISED[part]
    source, target = (
        max(0.0, own) if is_sure and low < own / leg < high else None
        for own, leg, is_sure in zip(above, (measured.source, measured.target), measured.sure, strict=True)
    )
    return (target or 0.0) / factor if source is None else source, (source or 0.0) * factor if target is None else target


def _part(binding: Binding) -> str:
    """What of the feet is on the ground."""
    return "Toes" if binding.rows_of(*on_both_sides("Toes")) else "Foot"


def _sure(binding: Binding, stands: tuple[bool, bool], legs: tuple[float, float]) -> tuple[tuple[bool, bool], bool]:
    """`sure` and `at_origin` as `Legs` has them. legs: of source and target, in metres."""
    part = _part(binding)
    feet, thighs = ([binding.followers[row] for row in binding.rows_of(*on_both_sides(each))] for each in (part, "UpperLeg"))
    joints = [
        ([one.anchor for one in feet], [one.anchor for one in thighs]),
        (list(binding.target.heads[[one.target for one in feet]]), list(binding.target.heads[[one.target for one in thighs]])),
    ]
    above = (min(float(joint[2]) for joint in joints[0][0]) - float(binding.source.world[2, 3])) / legs[0]
    level = [_on_both(*own, leg) for own, leg in zip(joints, legs, strict=True)]
    sure = stands[0] and level[0], stands[1] and level[1]
    return sure, sure[0] and _RAISED[part][0] < above < _RAISED[part][1]


def _on_both(feet: list[Floats], thighs: list[Floats], leg: float) -> bool:
    """Whether feet are as high as each other, and none of them is in a stride before the other."""
    if len(feet) < 2:
        return True
    apart = feet[0] - feet[1]
    across = (thighs[0] - thighs[-1]) * np.array([1.0, 1.0, 0.0])
    ahead = np.cross(across, apart)[2] / max(float(np.linalg.norm(across)), 1e-9)
    return bool(abs(apart[2]) < _LEVEL * leg and abs(ahead) < _STRIDE * leg)


def _lengths(binding: Binding, parts: Sequence[str]) -> list[tuple[float, float]]:
    """Of source and target, of each side that has all these parts of a leg, from the first joint to the last."""
    result: list[tuple[float, float]] = []
    for side in SIDES:
        chain = [binding.followers[row] for row in binding.rows_of(*(side + part for part in parts))]
        if len(chain) == len(parts):
            heads = binding.target.heads[[follower.target for follower in chain]]
            result.append((_length(np.array([follower.anchor for follower in chain])), _length(heads)))
    return result


def _length(points: Floats) -> float:
    return float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())


def _lowest(binding: Binding) -> float:
    """The height of the source's lowest foot or toe joint, of the lowest joint of all without such."""
    followers = [binding.followers[row] for row in binding.rows_of(*FEET)] or list(binding.followers)
    if not followers:
        return 0.0
    return min(float(follower.anchor[2]) for follower in followers)
