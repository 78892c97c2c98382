"""A bone that is not written as it is shown, with everything that may be the reason."""

from __future__ import annotations

from typing import Any, NamedTuple

from ....core.motion.comparison import REST, Difference
from ....core.motion.curves import PATHS, Channel
from ...blender import armature
from ...blender.motion.fcurves import ShownCurve
from .pair import Pair

CLOSE = 0.02
"""Frames within which two count as one."""


class Case(NamedTuple):
    """A difference, with everything that may be the reason."""

    pair: Pair
    difference: Difference

    @property
    def bone(self) -> Any:
        """The pose bone; the object where it is the object that is elsewhere, or no armature."""
        own = self.pair.clip.obj if self.difference.outside or not self.difference.bone else None
        return own if own is not None else armature.pose_bones(self.pair.clip.obj)[self.difference.bone]

    @property
    def owners(self) -> tuple[str, ...]:
        """Whose channels count: the bone's, and of one without parent the object's, too."""
        if self.difference.outside or not self.difference.bone:
            return ("",)
        return (self.difference.bone, "") if self.bone.parent is None else (self.difference.bone,)

    @property
    def curves(self) -> list[tuple[Channel, ShownCurve]]:
        return [(channel, curve) for channel, curve in self.pair.curves.items() if self._moves(channel) and channel in self.pair.different]

    def _moves(self, channel: Channel) -> bool:
        """Whether a channel has a part in where this is; of a root also what holds its path in place."""
        if channel.property in PATHS:
            return self.pair.in_place and "" in self.owners
        return channel.bone in self.owners and channel.property in REST
