"""Where what the NLA shows jumps: keys of one action pass there within a frame."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count, takewhile
from typing import Any

import bpy
import numpy as np

from .....core.motion.rotations.rotation_matrix import Floats
from .. import evaluated
from . import nla
from .nla import Playing

BEFORE = 0.02
"""How many frames before another strip, or another pass of one, the pose is looked at."""

SMALL = 1e-3
"""What is no jump: metres, and of a rotation matrix."""


def frames(context: bpy.types.Context, obj: bpy.types.Object, strips: list[Playing], first: float, last: float) -> list[float]:
    """The frames between two at which the strips' pose jumps, because one of them begins, ends or begins again."""
    edges = sorted({round(edge, 4) for each in strips for edge in _edges(each.strip) if first + BEFORE < edge < last - nla.NEAR})
    if not edges:
        return []
    with nla.only(obj, strips), evaluated.evaluation(context, obj) as at:
        return [edge for edge in edges if _jumps([_shown(at(frame)) for frame in (edge - 2 * BEFORE, edge - BEFORE, edge + nla.NEAR)])]


def _edges(strip: Any) -> Iterable[float]:
    """Where a strip begins, begins again and ends."""
    length = (strip.action_frame_end - strip.action_frame_start) * strip.scale if strip.action is not None else 0.0
    yield strip.frame_start
    if length > nla.NEAR:
        yield from takewhile(lambda edge: edge < strip.frame_end - nla.NEAR, (strip.frame_start + number * length for number in count(1)))
    yield strip.frame_end


def _shown(posed: bpy.types.Object) -> Floats:
    """(bones + 1, 4, 4) where the object and its bones are, in the world."""
    own = np.array(posed.matrix_world)
    return own @ np.array([np.eye(4), *(np.array(bone.matrix) for bone in (posed.pose.bones if posed.pose else ()))])


def _jumps(shown: list[Floats]) -> bool:
    """Whether the third pose is further from the second than the movement from the first to it lets expect."""
    went = np.abs(shown[1] - shown[0]).max(axis=(1, 2))
    goes = np.abs(shown[2] - shown[1]).max(axis=(1, 2))
    return bool((goes > 3 * went + SMALL).any())
