"""A bone that is not written as it is shown, with everything that may be the reason."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import bpy
import numpy as np

from .....core.motion.comparison import REST, Difference
from .....core.motion.curves import PATHS, Channel
from .....core.motion.rotations.rotation_matrix import Floats
from ....blender import armature
from ....blender.motion.fcurves import ShownCurve
from ..pair import Pair

CLOSE = 0.02
"""Frames within which two count as one."""


def own_frames(pair: Pair, owners: Collection[str]) -> Floats:
    """(K,) the frames of the keys that the file has of bones, and where its loop closes."""
    parts = [np.zeros(0)]
    for block in pair.clip.blocks:
        if len(block.frames) and any(channel.bone in owners for channel in block.channels):
            parts += [block.frames[~block.generated], block.frames[-1:]]
    return np.unique(np.concatenate(parts)).astype(np.float64)


@dataclass(frozen=True, eq=False)
class Case:
    """A difference, with everything that may be the reason. It is asked for dozens of them, so that nothing is looked up twice."""

    pair: Pair
    difference: Difference

    @cached_property
    def bone(self) -> Any:
        """The pose bone; the object where it is the object that is elsewhere, or no armature."""
        own = self.pair.clip.obj if self.difference.outside or not self.difference.bone else None
        return own if own is not None else armature.pose_bones(self.pair.clip.obj)[self.difference.bone]

    @cached_property
    def owners(self) -> tuple[str, ...]:
        """Whose channels count: the bone's, and of one without parent the object's, too."""
        if self.difference.outside or not self.difference.bone:
            return ("",)
        return (self.difference.bone, "") if self.is_root else (self.difference.bone,)

    @cached_property
    def is_root(self) -> bool:
        """Whether it is the object, or a bone above which the game has none."""
        bone = self.bone
        return isinstance(bone, bpy.types.Object) or not any(above.name in self.pair.clip.modes for above in bone.parent_recursive)

    @cached_property
    def curves(self) -> list[tuple[Channel, ShownCurve]]:
        return [(channel, curve) for channel, curve in self.pair.curves.items() if self._moves(channel) and channel in self.pair.different]

    @cached_property
    def is_taken(self) -> bool:
        """Whether it is at a key that the file has of what is shown, whatever moves the bone: it is off for another reason then."""
        if not self.pair.looks or self.owners == ("",):
            return False
        frames = self.pair.clip.frames
        own = own_frames(self.pair, self.owners) if frames is None else frames
        return bool((np.abs(own - self.difference.frame) < CLOSE).any())

    def _moves(self, channel: Channel) -> bool:
        """Whether a channel has a part in where this is; of a root also what holds its path in place."""
        if channel.property in PATHS:
            return self.pair.in_place and "" in self.owners
        return channel.bone in self.owners and channel.property in REST
