"""The pose in which source and target stand alike: the goals that align one with the other."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ....motion.rotations import rotation_matrix
from ....motion.rotations.directions import UP, unit
from ....motion.rotations.rotation_matrix import Floats
from ...figures.roles import SIDES, TRUNK, on_both_sides, other_side, sided
from ..binding import Binding, Side
from . import hinges
from .align import Goal, fit, swing

_LEVELLED = np.array([1.0, 1.0, 0.0])

_FAR_OVER = 1 + 2 * np.cos(np.radians(20))
"""The trace of a rotation by 20 degrees: hips of two that stand differ by less."""

_LOW = 0.15
"""In lengths of the shin: a foot that stands is at most so far above the other one."""

_LIKE = np.cos(np.radians(10))
"""Of the angle by which the joints about a pelvis differ at most between figures of which they show how it is tipped."""

_UPRIGHT, _LEVEL, _ACROSS = np.cos(np.radians([20, 30, 60]))
"""Of the angles by which a trunk leans at most, and a level head, and by which a skull goes on from its neck. What is across is so far off
the vertical, too."""

_HINGES = ("UpperArm", "UpperLeg")

CANONICAL: dict[str, tuple[float, float, float]] = {
    "hips": (0, 0, 1),
    "spine": (0, 0, 1),
    "chest": (0, 0, 1),
    "upperChest": (0, 0, 1),
    "neck": (0, 0, 1),
    "Shoulder": (1, 0, 0),
    "UpperArm": (1, 0, 0),
    "LowerArm": (1, 0, 0),
    "Hand": (1, 0, 0),
    "UpperLeg": (0, 0, -1),
    "LowerLeg": (0, 0, -1),
    "Foot": (0, -1, 0),
}
"""VRM's T-pose in Blender's axes, facing -Y: where bones point, those of the left side as written (the left is +X)."""


def goals(binding: Binding, frame: Floats, soles: Mapping[str, Floats] | None = None) -> dict[int, Goal]:
    """For each following target bone the directions to the nearest following bones below it, and those of the source, by `frame`.

    The last bone of a leg has none: where both figures stand on it, its sole stays as level as it is at the target's rest, and a foot looks
    where it does there beside the hips: a knee that bends a little aside rotates the shin, and no foot. Neither has a head: where both are
    upright it stays so, whichever way their necks lean.

    soles: by role what is up for those of the source, (3,) in its world, where they are not level in its reference pose."""
    result: dict[int, Goal] = {}
    ups = {role: frame @ up for role, up in (soles or {}).items()}
    heads = binding.target.heads
    links = [(row, child) for row, below in enumerate(binding.steering) for child in below]
    starts, ends = ([link[side] for link in links] for side in (0, 1))
    joints = heads[[follower.target for follower in binding.followers]]
    anchors = np.array([follower.anchor for follower in binding.followers])
    owns, wanteds = unit(joints[ends] - joints[starts]), unit((anchors[ends] - anchors[starts]) @ frame.T)
    first = 0
    for row, follower in enumerate(binding.followers):
        rows = binding.steering[row]
        if rows:
            some = slice(first, first + len(rows))
            normals = _normals(binding, row, frame, ups.get(follower.role, UP)) if len(rows) == 1 else None
            result[follower.target] = Goal(owns[some], wanteds[some], normals)
            first = some.stop
            differs = _topples if binding.target.pelvis is not None else _differs
            if follower.role == "hips" and differs(owns[some], wanteds[some]):
                result[follower.target] = _by_trunk(binding, row, frame) or result[follower.target]
        elif follower.options.tail:
            own = (binding.target.tails - heads)[[follower.target]]
            wanted = (binding.tails - binding.heads)[[follower.source]]
            result[follower.target] = Goal(unit(own), unit(wanted @ frame.T))
        elif follower.role in ups or is_sole(binding, follower.role) or _is_level_head(binding, row):
            flat = follower.role.endswith("Foot") and is_sole(binding, follower.role)
            own, wanted = _upright(binding, frame) if flat else (UP[None], UP[None])
            result[follower.target] = Goal(own, wanted @ swing(UP, ups.get(follower.role, UP)).T)
    return result


def canonical_goals(binding: Binding, side: Side, angle: float) -> dict[int, Goal]:
    """The same with VRM's T-pose as the goal, for either figure; bones without a role there are left to their parents.

    angle: radians about Z by which the T-pose is turned from looking along -Y."""
    frame = rotation_matrix.about(2, np.array(angle))
    result: dict[int, Goal] = {}
    for row, follower in enumerate(binding.followers):
        pointing = _pelvis(binding, row, side) if follower.role == "hips" else _limb(binding, row, side)
        if pointing is not None:
            own, wanted = pointing
            result[follower.target if side == "target" else follower.source] = Goal(unit(own), unit(wanted @ frame.T))
    return result


def _limb(binding: Binding, row: int, side: Side) -> tuple[Floats, Floats] | None:
    """(1, 3) where a bone points, and where it does in the T-pose; None where one of both is not known."""
    role = binding.followers[row].role
    wanted = _canonical(role)
    if wanted is None:
        return None
    rows = [child for child in binding.steering[row] if _leads_to(role, binding.followers[child].role)]
    return (binding.offsets(side, row, rows[:1]), wanted[None]) if rows else None


def _canonical(role: str) -> Floats | None:
    side, part = sided(role)
    direction = CANONICAL.get(part)
    lateral = -1.0 if side == "right" else 1.0
    return None if direction is None else np.array([lateral * direction[0], *direction[1:]])


_NEXT = {
    "spine": ("chest", "upperChest", "neck", "head"),
    "chest": ("upperChest", "neck", "head"),
    "upperChest": ("neck", "head"),
    "neck": ("head",),
    "Shoulder": ("UpperArm",),
    "UpperArm": ("LowerArm",),
    "LowerArm": ("Hand",),
    "Hand": ("MiddleProximal", "IndexProximal"),
    "UpperLeg": ("LowerLeg",),
    "LowerLeg": ("Foot",),
    "Foot": ("Toes",),
}


def _leads_to(role: str, child: str) -> bool:
    (side, part), (other, below) = sided(role), sided(child)
    return side == other and below in _NEXT.get(part, ())


def _pelvis(binding: Binding, row: int, side: Side) -> tuple[Floats, Floats] | None:
    """(2, 3) where the hips' spine points, and the line from thigh to thigh, and where both do in the T-pose; None where one of them is not
    known."""
    rows = [child for child in binding.steering[row] if binding.followers[child].role in ("spine", "chest", "neck")]
    thighs = binding.rows_of(*on_both_sides("UpperLeg"))
    if not rows or len(thighs) < 2:
        return None
    up = binding.offsets(side, row, rows[:1])
    across = binding.offsets(side, thighs[1], [thighs[0]])
    return np.concatenate([up, across]), np.eye(3)[[2, 0]]


def _differs(own: Floats, wanted: Floats) -> bool:
    """Whether the joints about the hips are not where the other figure's are: thighs begin above the pelvis' joint in the one and below it
    in the other, or its spine behind it, and what fits best to all of that tips the pelvis over."""
    return len(own) > 1 and float(np.einsum("ij,ij->i", own @ fit(own, wanted).T, wanted).min()) < _LIKE


def _upright(binding: Binding, frame: Floats) -> tuple[Floats, Floats]:
    """(2, 3) or (1, 3) what is up, and from thigh to thigh where that shows, of the target and of the source."""
    thighs = binding.rows_of(*on_both_sides("UpperLeg"))
    if len(thighs) < 2:
        return UP[None], UP[None]
    own, theirs = binding.offsets("target", thighs[1], thighs[:1])[0], frame @ binding.offsets("source", thighs[1], thighs[:1])[0]
    if min(np.hypot(*unit(own)[:2]), np.hypot(*unit(theirs)[:2])) < _ACROSS:
        return UP[None], UP[None]
    return np.stack([UP, unit(own * _LEVELLED)]), np.stack([UP, unit(theirs * _LEVELLED)])


def _topples(own: Floats, wanted: Floats) -> bool:
    """Whether the hips of a control rig would turn over by directions from a joint that is not where theirs is."""
    return len(own) > 1 and float(np.trace(fit(own, wanted))) < _FAR_OVER


def _by_trunk(binding: Binding, row: int, frame: Floats) -> Goal | None:
    """The directions from the hips' joint up the trunk, and from thigh to thigh. The trunk of those who stand is all of it, since a back is
    bent in many ways; of others the next joint."""
    trunk = binding.rows_of(*TRUNK[1:])
    next_ones = [at for at in trunk if at in binding.below[row]]
    thighs, feet = ([binding.roles.get(side + part) for side in SIDES] for part in ("UpperLeg", "Foot"))
    if not trunk or thighs[0] is None or thighs[1] is None:
        return None
    stand = all(_is_stretched(binding, (row, trunk[-1]), list(zip(thighs, feet, strict=True)), side) for side in ("source", "target"))
    end = trunk[0] if binding.target.pelvis is not None else trunk[-1] if stand or not next_ones else next_ones[0]
    pairs = ((row, end), (thighs[1], thighs[0]))
    joints = [binding.target.joint(follower.target, follower.role) for follower in binding.followers]
    own, wanted = (
        np.array([points[end] - points[start] for start, end in pairs])
        for points in (joints, [follower.anchor for follower in binding.followers])
    )
    return Goal(unit(own), unit(wanted @ frame.T))


def _is_stretched(binding: Binding, trunk: tuple[int, int], legs: list[tuple[int | None, int | None]], side: Side) -> bool:
    """Whether legs go on where a trunk comes from, however the body as a whole is turned."""
    lines = [unit(binding.offsets(side, first, [last]))[0] for first, last in legs if first is not None and last is not None]
    back = unit(-binding.offsets(side, trunk[0], [trunk[1]]))[0]
    return bool(lines) and float(unit(np.sum(lines, axis=0)) @ back) > _UPRIGHT


def _normals(binding: Binding, row: int, frame: Floats, up: Floats) -> Floats | None:
    """What decides the rotation about a limb where both figures show it: the hinge of elbow or knee, or what is up for a foot on the
    ground, which for the source's is `up` (3,)."""
    role, child = binding.followers[row].role, binding.steering[row][0]
    if role.endswith("Foot"):
        above = int(binding.above[row])
        for side in ("source", "target"):
            foot = unit(binding.offsets(side, row, [child]))[0]
            shin = unit(binding.offsets(side, above, [row]))[0] if above >= 0 else foot
            if abs(foot[2]) > 0.85 or shin[2] > -0.7:
                return None
        return np.stack([UP, up])
    if not role.endswith(_HINGES) or len(binding.steering[child]) != 1:
        return None
    return hinges.at_rest(binding, row, frame)


def heels(binding: Binding, frame: Floats) -> frozenset[int]:
    """The rows of feet whose toes are before the ankle in one figure and behind it in the other, where both stand: a shoe that rotates
    about its heel does not show where the foot points. What is before it goes by the thighs, since a source that stands as in a frame of
    its motion looks anywhere."""
    feet = [binding.roles[role] for role in on_both_sides("Foot") if is_sole(binding, role)]
    right, left = (binding.roles.get(f"{side}UpperLeg") for side in ("right", "left"))
    change = 1 + 0j
    if right is not None and left is not None:
        across = _flat(frame @ binding.offsets("source", right, [left])[0]), _flat(binding.offsets("target", right, [left])[0])
        change = across[0].conjugate() * across[1]
    result: list[int] = []
    for row in feet:
        toes = binding.steering[row]
        if toes:
            theirs, own = _flat(frame @ binding.offsets("source", row, toes)[0]), _flat(binding.offsets("target", row, toes)[0])
            if (theirs * change * own.conjugate()).real < 0:
                result.append(row)
    return frozenset(result)


def _flat(direction: Floats) -> complex:
    """A direction (3,) over the ground, as a number of which the angle is its heading."""
    return complex(direction[0], direction[1])


def is_sole(binding: Binding, role: str) -> bool:
    """Whether a foot or toes are on the ground in both figures: below a shin that goes down, and about as low as those of the other leg."""
    if not role.endswith(("Foot", "Toes")):
        return False
    side, _ = sided(role)
    shin, foot, own = (binding.roles.get(each) for each in (f"{side}LowerLeg", f"{side}Foot", role))
    other = binding.roles.get(other_side(role))
    if shin is None or foot is None or own is None or other is None:
        return False
    for figure in ("source", "target"):
        down = binding.offsets(figure, shin, [foot])[0]
        length = float(np.linalg.norm(down))
        if down[2] > -0.7 * length or binding.offsets(figure, other, [own])[0, 2] > _LOW * length:
            return False
    return True


def _is_level_head(binding: Binding, row: int) -> bool:
    """Whether a head, on which nothing follows, is upright in both figures: its bone goes up from the neck, and so does the trunk. A bone
    that goes across the neck, as importers draw those without a next joint, says nothing: then the neck is asked."""
    hips, follower, above = binding.roles.get("hips"), binding.followers[row], int(binding.above[row])
    if follower.role != "head" or hips is None:
        return False
    target = binding.target
    skulls: dict[Side, Floats] = {
        "source": binding.tails[follower.source] - binding.heads[follower.source],
        "target": target.tails[follower.target] - target.heads[follower.target],
    }
    for side, skull in skulls.items():
        neck, trunk = (unit(binding.offsets(side, start, [row])[0]) for start in (above, hips))
        shows = skull if unit(skull) @ neck > _ACROSS else neck
        if trunk[2] < _UPRIGHT or unit(shows)[2] < _LEVEL:
            return False
    return True
