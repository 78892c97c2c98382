"""The pose in which source and target stand alike: the goals that align one with the other."""

from __future__ import annotations

from typing import Literal

import numpy as np

from ...motion import rotation_matrix
from ...motion.rotation_matrix import Floats
from ..figures.bone_map import other_side
from .align import Goal, fit
from .binding import Binding

UP = np.array([0.0, 0.0, 1.0])

BENT = np.radians(8)
"""Two bones that stand at least so far from a straight line show the axis of their hinge."""

_LOW = 0.15
"""In lengths of the shin: a foot that stands is at most so far above the other one."""

_UPRIGHT = 1 + 2 * np.cos(np.radians(20))
"""The trace of a rotation by 20 degrees: hips of two that stand differ by less."""

_LEVEL = np.cos(np.radians(30))
"""Of the angle by which what is upright leans at most."""

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


def goals(binding: Binding, frame: Floats) -> dict[int, Goal]:
    """For each following target bone the directions to the nearest following bones below it, and those of the source, by `frame`. The last
    bone of a leg has none: where both figures stand on it, its sole stays as level as it is at the target's rest. Neither has a
    head: where both are upright it stays so, whichever way their necks lean."""
    result: dict[int, Goal] = {}
    heads = binding.target.heads
    links = [(row, child) for row, below in enumerate(binding.steering) for child in below]
    starts, ends = ([link[side] for link in links] for side in (0, 1))
    joints = heads[[follower.target for follower in binding.followers]]
    anchors = np.array([follower.anchor for follower in binding.followers])
    owns, wanteds = _units(joints[ends] - joints[starts]), _units((anchors[ends] - anchors[starts]) @ frame.T)
    first = 0
    for row, follower in enumerate(binding.followers):
        rows = binding.steering[row]
        if rows:
            some = slice(first, first + len(rows))
            result[follower.target] = Goal(owns[some], wanteds[some], _normals(binding, row, frame) if len(rows) == 1 else None)
            first = some.stop
            if follower.role == "hips" and binding.target.pelvis is not None and _topples(owns[some], wanteds[some]):
                result[follower.target] = _by_trunk(binding, row, frame) or result[follower.target]
        elif follower.options.tail:
            own = (binding.target.tails - heads)[[follower.target]]
            wanted = (binding.source.tails - binding.source.heads)[[follower.source]]
            result[follower.target] = Goal(_units(own), _units(wanted @ frame.T))
        elif _is_sole(binding, follower.role) or _is_level_head(binding, row):
            result[follower.target] = Goal(UP[None], UP[None])
    return result


def canonical_goals(binding: Binding, side: Literal["source", "target"], angle: float) -> dict[int, Goal]:
    """The same with VRM's T-pose as the goal, for either figure; bones without a role there are left to their parents.

    angle: radians about Z by which the T-pose is turned from looking along -Y."""
    frame = rotation_matrix.about(2, np.array(angle))
    result: dict[int, Goal] = {}
    for row, follower in enumerate(binding.followers):
        if follower.role == "hips":
            own, wanted = _pelvis(binding, row, side)
        else:
            wanted = _canonical(follower.role)
            rows = [child for child in binding.steering[row] if _leads_to(follower.role, binding.followers[child].role)]
            if wanted is None or not rows:
                continue
            own, wanted = _own(binding, row, rows[:1], side), wanted[None]
        if len(own):
            result[follower.target if side == "target" else follower.source] = Goal(_units(own), _units(wanted @ frame.T))
    return result


def _canonical(role: str) -> Floats | None:
    side, part = (-1.0, role[5:]) if role.startswith("right") else (1.0, role[4:] if role.startswith("left") else role)
    direction = CANONICAL.get(part)
    return None if direction is None else np.array([side * direction[0], direction[1], direction[2]])


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
    for side in ("left", "right"):
        if role.startswith(side):
            return child.startswith(side) and child[len(side) :] in _NEXT.get(role[len(side) :], ())
    return child in _NEXT.get(role, ())


def _pelvis(binding: Binding, row: int, side: str) -> tuple[Floats, Floats]:
    """The hips by their spine, and by the line through the thighs."""
    rows = [child for child in binding.steering[row] if binding.followers[child].role in ("spine", "chest", "neck")]
    thighs = [binding.roles.get(f"{which}UpperLeg") for which in ("left", "right")]
    if not rows or thighs[0] is None or thighs[1] is None:
        return np.empty((0, 3)), np.empty((0, 3))
    up = _own(binding, row, rows[:1], side)
    across = _own(binding, thighs[1], [thighs[0]], side)
    return np.concatenate([up, across]), np.array([[0.0, 0, 1], [1, 0, 0]])


def _topples(own: Floats, wanted: Floats) -> bool:
    """Whether directions from a joint that is not where the hips' is would turn them over: thighs begin above the one and below the
    other."""
    return len(own) > 1 and float(np.trace(fit(own, wanted))) < _UPRIGHT


def _by_trunk(binding: Binding, row: int, frame: Floats) -> Goal | None:
    """The directions from the hips' joint up the trunk, and from thigh to thigh."""
    trunk = next((at for role in ("spine", "chest", "neck", "head") if (at := binding.roles.get(role)) is not None), None)
    thighs = [binding.roles.get(f"{side}UpperLeg") for side in ("left", "right")]
    if trunk is None or thighs[0] is None or thighs[1] is None:
        return None
    pairs = ((row, trunk), (thighs[1], thighs[0]))
    joints = [binding.target.joint(follower.target, follower.role) for follower in binding.followers]
    own, wanted = (
        np.array([points[end] - points[start] for start, end in pairs])
        for points in (joints, [follower.anchor for follower in binding.followers])
    )
    return Goal(_units(own), _units(wanted @ frame.T))


def _own(binding: Binding, row: int, rows: list[int], side: str) -> Floats:
    """(N, 3) offsets from a follower to others in one of the figures."""
    if side == "source":
        return np.array([binding.followers[child].anchor for child in rows]) - binding.followers[row].anchor
    heads = binding.target.heads
    return heads[[binding.followers[child].target for child in rows]] - heads[binding.followers[row].target]


def _normals(binding: Binding, row: int, frame: Floats) -> Floats | None:
    """What decides the rotation about a limb where both figures show it: the hinge of elbow or knee, or the up direction of a foot on
    the ground."""
    role, child = binding.followers[row].role, binding.steering[row][0]
    if role.endswith("Foot"):
        above = int(binding.above[row])
        for side in ("source", "target"):
            foot = _units(_own(binding, row, [child], side))[0]
            shin = _units(_own(binding, above, [row], side))[0] if above >= 0 else foot
            if abs(foot[2]) > 0.85 or shin[2] > -0.7:
                return None
        return np.stack([UP, UP])
    if not role.endswith(_HINGES) or len(binding.steering[child]) != 1:
        return None
    result: list[Floats] = []
    for side in ("target", "source"):
        first, second = _units(_own(binding, row, [child], side))[0], _units(_own(binding, child, list(binding.steering[child]), side))[0]
        across = np.cross(first, second)
        if np.linalg.norm(across) < np.sin(BENT):
            return None
        result.append(across / np.linalg.norm(across))
    return np.stack([result[0], frame @ result[1]])


def _is_sole(binding: Binding, role: str) -> bool:
    """Whether a foot or toes are on the ground in both figures: below a shin that goes down, and about as low as those of the other leg."""
    if not role.endswith(("Foot", "Toes")):
        return False
    side = "left" if role.startswith("left") else "right"
    shin, foot, own = (binding.roles.get(each) for each in (f"{side}LowerLeg", f"{side}Foot", role))
    other = binding.roles.get(other_side(role))
    if shin is None or foot is None or own is None or other is None:
        return False
    for figure in ("source", "target"):
        down = _own(binding, shin, [foot], figure)[0]
        length = float(np.linalg.norm(down))
        if down[2] > -0.7 * length or _own(binding, other, [own], figure)[0, 2] > _LOW * length:
            return False
    return True


def _is_level_head(binding: Binding, row: int) -> bool:
    """Whether a head, on which nothing follows, is upright in both figures: its bone goes up from the neck, and so does the trunk."""
    hips, follower = binding.roles.get("hips"), binding.followers[row]
    if follower.role != "head" or hips is None:
        return False
    source, target = binding.source, binding.target
    skulls = (source.tails[follower.source] - source.heads[follower.source], target.tails[follower.target] - target.heads[follower.target])
    trunks = (_own(binding, hips, [row], side)[0] for side in ("source", "target"))
    return all(_units(each)[2] > _LEVEL for each in (*skulls, *trunks))


def _units(vectors: Floats) -> Floats:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-30)
