"""Twist bones: helpers along a limb that take a part of its rotation about its own axis, so that the skin does not wring.

Along the forearm they follow the hand by their part of the distance to it; along the upper arm they hold back the arm's rotation against
the shoulder, so that nothing rotates at the shoulder itself. Joints do not move by this.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import numpy as np

from ...motion.rotations import quaternion as quat
from ...motion.rotations.angles import continued
from ...motion.rotations.directions import unit
from ...motion.rotations.rotation_matrix import Floats
from ..figures.spans import Spans
from .binding import Binding
from .transfer import is_plain

_NAMES = re.compile(r"twist|roll(?!er)", re.IGNORECASE)
_FOLLOWS = ("LowerArm", "LowerLeg")
_HOLDS = ("UpperArm", "UpperLeg")


def twist_bones(binding: Binding) -> dict[int, tuple[int, float]]:
    """Unmapped target bone -> row of the limb that it lies along, and its part of the distance from the limb's head to the next joint."""
    result: dict[int, tuple[int, float]] = {}
    heads, tails = binding.target.heads, binding.target.tails
    for row, follower in enumerate(binding.followers):
        if not follower.role.endswith((*_FOLLOWS, *_HOLDS)) or not binding.below[row]:
            continue
        start = heads[follower.target]
        offset = heads[binding.followers[binding.below[row][0]].target] - start
        bones = [bone for bone in binding.target.children[follower.target] if _is_twist(binding, bone)]
        shares = [float(np.dot(heads[bone] - start, offset) / np.dot(offset, offset)) for bone in bones]
        ends = [float(np.dot(tails[bone] - start, offset) / np.dot(offset, offset)) for bone in bones]
        for position, bone in enumerate(bones):
            # A single helper as long as the limb stands for its middle.
            middle = shares[position] if len(bones) > 1 or shares[position] > 0.1 else (shares[position] + min(ends[position], 1.0)) / 2
            result[bone] = row, float(np.clip(middle, 0.0, 1.0))
    return result


def twist_rotations(
    binding: Binding,
    deltas: Floats,
    rotations: Mapping[int, Floats],
    references: Floats,
    spans: Spans,
    carried: Callable[[int], Floats] | None = None,
) -> dict[int, Floats]:
    """Target bone -> (F, 4) in the world. deltas: (F, T, 4) in the target's world. references: (target bones, 4). spans: the clips.
    carried: gives the rotations of a bone that has none of its own, or counts them from its parent."""
    result: dict[int, Floats] = {}

    def rotated(bone: int) -> Floats:
        return carried(bone) if carried is not None and bone not in rotations else rotations[bone]

    def away(row: int) -> Floats:
        """From its reference: what the source does, or what is left of that by the options of the line."""
        bone = binding.followers[row].target
        if bone in rotations and is_plain(binding.followers[row].options):
            return deltas[:, row]
        return quat.multiply(rotated(bone), quat.conjugate(references[bone]))

    for bone, (row, share) in twist_bones(binding).items():
        follower = binding.followers[row]
        follows = follower.role.endswith(_FOLLOWS)
        other = binding.below[row][0] if follows else int(binding.above[row])
        if other < 0:
            continue
        first, second = (row, other) if follows else (other, row)
        # The rotation of the second against the first, in the axes of the limb's reference pose.
        relative = quat.multiply(quat.conjugate(away(first)), away(second))
        end, heads = binding.followers[binding.below[row][0]].target, binding.target.heads
        aligned = _aligned(binding, follower.target, references)
        axis = quat.rotate(aligned, unit(heads[end] - heads[follower.target]))
        angle = spans.each(continued, quat.twist_angle(relative, axis))
        part = share if follows else share - 1.0
        if binding.target.is_below(end, bone) and (offset := heads[end] - heads[bone]).any():
            axis = quat.rotate(aligned, unit(offset))  # the limb goes on from it, beside its own line perhaps: its next joint stays
        rotation = quat.multiply(rotated(follower.target), quat.conjugate(references[follower.target]))
        result[bone] = quat.multiply(quat.multiply(rotation, quat.about(axis, angle * part)), references[bone])
    return result


def _is_twist(binding: Binding, bone: int) -> bool:
    return bone not in binding.row and bool(_NAMES.search(binding.target.names[bone]))


def _aligned(binding: Binding, bone: int, references: Floats) -> Floats:
    """(4,) the rotation from the target's rest to its reference pose."""
    target = binding.target
    return quat.multiply(references[bone], quat.conjugate(target.quaternions[bone]))
