"""Loops that were made in Blender: cyclic actions that end in the pose in which they start. Every game has that pose once, in its own
way."""

from __future__ import annotations

from collections.abc import Set

import bpy
import numpy as np

from ....core.motion.curves import Channel, Curve, Curves, is_rotation, straight
from ....core.motion.rotations.angles import wrapped
from ....core.motion.rotations.rotation_matrix import Floats
from ....core.motion.sampling import MERGE
from ...blender.motion import fcurves

SAME = 1e-3
"""Components of rotations, about radians, by which the last pose may differ from the first."""


def closing_of(action: bpy.types.Action, obj: bpy.types.Object, curves: Curves, imported: bool = False) -> float | None:
    """The frame of the key with which a cyclic action comes back to the pose at its start; None without such. imported: also of one that
    was imported, whose closing key is a common one since it was baked or copied.

    Bones without a parent carry the character, and need not come back."""
    if (fcurves.IMPORTED in action and not imported) or not (action.use_cyclic and action.use_frame_range) or obj.pose is None:
        return None
    start, end = action.frame_start, action.frame_end
    last = max((float(curve.frames[-1]) for curve in curves.values()), default=start)
    if abs(last - end) > MERGE or end - start < 2 * MERGE:
        return None
    ends = np.array([start, end])
    rotations: dict[tuple[str, str], list[Curve]] = {}
    for channel, curve in curves.items():
        bone = obj.pose.bones.get(channel.bone)
        if bone is not None and bone.parent is not None and is_rotation(channel.property):
            rotations.setdefault((channel.bone, channel.property), []).append(curve)
    same = (
        _same(name != "rotation_euler", *np.array([curve.at(ends) for curve in group], np.float64).T)
        for (_, name), group in rotations.items()
    )
    return end if all(same) else None


def _same(signless: bool, first: Floats, again: Floats) -> bool:
    """Whether two values (C,) of a rotation are one. signless: quaternions, or angle and axis; else Euler angles."""
    away = again - first
    if signless:
        return bool(min(np.abs(away).max(), np.abs(again + first).max()) < SAME)
    return bool(np.abs(wrapped(away)).max() < SAME)


def without_closing(curves: Curves, frame: float, beside: Set[Channel]) -> Curves:
    """The curves without their keys at the closing frame, but for those `beside`; they show the same everywhere."""
    return {
        channel: curve if channel in beside or abs(float(curve.frames[-1]) - frame) > MERGE or len(curve.frames) < 2 else _shortened(curve)
        for channel, curve in curves.items()
    }


def _shortened(curve: Curve) -> Curve:
    return Curve(curve.frames[:-1], curve.values[:-1], curve.evaluate or straight(curve.frames, curve.values))
