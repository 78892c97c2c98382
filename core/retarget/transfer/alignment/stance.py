"""The stance of a figure in its reference pose, and what stands for a rest pose that is none: some captures have all bones along one axis
at rest, legs folded up beside the trunk, from where no rotation of a limb about itself can be counted."""

from __future__ import annotations

from typing import get_args

import numpy as np
from numpy.typing import NDArray

from ....motion.rotations import quaternion as quat
from ....motion.rotations.directions import UP, unit
from ....motion.rotations.rotation_matrix import Floats
from ...figures.motion import Motion
from ...figures.roles import SIDES
from ..binding import Binding, Side
from .align import Goal

SOLES = ("leftFoot", "rightFoot", "leftToes", "rightToes")

_TRUNK = ("head", "neck", "upperChest", "chest")

_FOLDED, _THROUGH = 0.5, 0.8
"""The cosine from where on a leg goes along the trunk instead of away from it, and an arm through the body to the other side."""

UPRIGHT, DOWN = 0.7, 0.2
"""Of the trunk's length its height at least where one stands, and the share of the frames in which a foot is down."""

_LINKS = (
    *((side + start, side + end) for side in SIDES for start, end in (("UpperLeg", "LowerLeg"), ("LowerLeg", "Foot"))),
    *((side + start, side + end) for side in SIDES for start, end in (("UpperArm", "LowerArm"), ("LowerArm", "Hand"))),
    ("leftFoot", "leftToes"),
    ("rightFoot", "rightToes"),
    ("rightUpperLeg", "leftUpperLeg"),
    ("rightUpperArm", "leftUpperArm"),
    ("rightFoot", "leftFoot"),
)
"""What two poses are compared by, beside the trunk."""


def joint(binding: Binding, side: Side, positions: Floats, row: int) -> Floats:
    """(..., 3) of a follower's bone, in one of the figures. positions: (..., B, 3) of that."""
    follower = binding.followers[row]
    bone = follower.source if side == "source" else follower.target
    return positions[bone] if positions.ndim == 2 else positions[:, bone]


def heads(binding: Binding, side: Side) -> Floats:
    """(B, 3) a figure's joints in its reference pose."""
    return binding.heads if side == "source" else binding.target.heads


def line(binding: Binding, side: Side, positions: Floats, start: str, end: str) -> Floats | None:
    """(..., 3) from one role's joint to another's, None where one is not mapped."""
    first, last = binding.roles.get(start), binding.roles.get(end)
    if first is None or last is None:
        return None
    return joint(binding, side, positions, last) - joint(binding, side, positions, first)


def across(binding: Binding, side: Side, positions: Floats, part: str) -> Floats | None:
    """(..., 3) from the right one to the left one."""
    return line(binding, side, positions, f"right{part}", f"left{part}")


def trunk(binding: Binding, side: Side, positions: Floats) -> Floats | None:
    """(..., 3) from the hips to the highest bone of the trunk that is known."""
    return line(binding, side, positions, "hips", _top(binding))


def _top(binding: Binding) -> str:
    """The highest role of the trunk that is mapped; "" where none is."""
    return next((role for role in _TRUNK if role in binding.roles), "")


def is_folded(binding: Binding, side: Side) -> bool:
    """Whether a figure's reference pose is none that anybody stands, sits or lies in: both legs go along the trunk, or an arm goes through
    the body."""
    joints = heads(binding, side)
    spine, shoulders = trunk(binding, side, joints), across(binding, side, joints, "UpperArm")
    legs = [line(binding, side, joints, f"{which}UpperLeg", f"{which}Foot") for which in SIDES]
    if spine is not None and all(leg is not None and _cosine(leg, spine) > _FOLDED for leg in legs):
        return True
    arms = [line(binding, side, joints, f"{which}UpperArm", f"{which}Hand") for which in SIDES]
    if shoulders is None or arms[0] is None or arms[1] is None:
        return False
    return _cosine(arms[0], -shoulders) > _THROUGH or _cosine(arms[1], shoulders) > _THROUGH


def nearest(binding: Binding, motion: Motion) -> int:
    """The row of the source's motion in which its limbs, all rotated together, point most as the target's do at rest: the sum of the
    cosines between them, by the rotation that makes it greatest (Kabsch 1976)."""
    links = [("hips", _top(binding)), *_LINKS]
    rows = [tuple(binding.roles[role] for role in link) for link in links if all(role in binding.roles for role in link)]
    if not rows:
        return 0
    starts, tips = np.array(rows).T
    bones = {side: np.array([getattr(each, side) for each in binding.followers]) for side in get_args(Side)}
    used, index = np.unique(bones["source"][[starts, tips]], return_inverse=True)
    joints = motion.positions[:, used]  # each once: they may be computed when they are asked for
    first, last = index.reshape(2, -1)
    theirs = unit(joints[:, last] - joints[:, first])
    rest = heads(binding, "target")[bones["target"]]
    shared = np.einsum("fni,nj->fij", theirs, unit(rest[tips] - rest[starts]))
    sizes = np.linalg.svd(shared, compute_uv=False)
    sizes[:, 2] *= np.sign(np.linalg.det(shared))
    return int(sizes.sum(axis=1).round(6).argmax())


def upright(binding: Binding, side: Side, positions: Floats) -> NDArray[np.bool_]:
    """(...) whether a figure is upright, as far as its trunk shows. positions: (..., B, 3)."""
    spine = trunk(binding, side, positions)
    return np.ones(positions.shape[:-2], bool) if spine is None else np.asarray(spine[..., 2] >= UPRIGHT * np.linalg.norm(spine, axis=-1))


def stands(binding: Binding, side: Side, joints: Floats) -> bool:
    """The same of one pose. joints: (B, 3)."""
    return bool(upright(binding, side, joints))


def lowest(heights: Floats, share: float = DOWN) -> NDArray[np.bool_]:
    """(F,) the frames in which something is lowest, so many of all."""
    return heights <= np.quantile(heights, share)


def ends(binding: Binding, motion: Motion, pose: Motion, frame: Floats) -> dict[int, Goal]:
    """Of last bones, which no joint shows: an arm that ends in the lower arm goes on straight at the target's rest, and points somewhere in
    the source's pose; soles and head are level at the target's rest, and the source's while a foot is down, and in the mean of all
    frames. pose: one frame of motion. frame: (3, 3) from the source's world to the target's."""
    last = {role: binding.followers[row] for role, row in binding.roles.items() if not binding.steering[row]}
    result: dict[int, Goal] = {}
    rest = heads(binding, "target")
    for side in SIDES:
        upper = line(binding, "target", rest, f"{side}UpperArm", f"{side}LowerArm")
        if upper is not None and (arm := last.get(f"{side}LowerArm")) is not None:
            result[arm.target] = Goal(unit(upper)[None], unit(frame @ _along(binding, arm.source))[None])
    if stands(binding, "target", rest) and stands(binding, "source", binding.heads):
        for role in (*SOLES, "head"):
            if (level := last.get(role)) is not None:
                own = _level(motion, level.source, 1.0 if role == "head" else DOWN)
                result[level.target] = Goal(UP[None], (frame @ quat.rotate(pose.rotations[0, level.source], own))[None])
    return result


def _along(binding: Binding, bone: int) -> Floats:
    """(3,) where a bone of the source points in its reference pose: to the joint next to it that is furthest away, or to its tail."""
    below = binding.heads[binding.source.parents == bone] - binding.heads[bone]
    lengths = np.linalg.norm(below, axis=1)
    return below[lengths.argmax()] if lengths.max(initial=0) > 0 else (binding.tails - binding.heads)[bone]


def _level(motion: Motion, bone: int, share: float) -> Floats:
    """(3,) in the axes of a bone what is up in the frames in which it is lowest, so many of all."""
    low = lowest(motion.positions[:, bone, 2], share)
    return unit(quat.rotate(quat.conjugate(motion.rotations[:, bone][low]), UP).sum(axis=0))


def _cosine(first: Floats, second: Floats) -> float:
    return float(unit(first) @ unit(second))
