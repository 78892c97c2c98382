"""Clips that have been read and wait for others, to be retargeted with them at once: what one takes by itself is mostly not its frames."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

import bpy

from ...core.motion.curves import Channel
from ...core.retarget.figures.clip import Clip
from ...core.retarget.figures.figure import Figure
from ...core.retarget.figures.motion import Motion
from ...core.retarget.reports.bent import Bent
from .reading import keys, read

MOST = 98304
"""Frames of bones that are retargeted together, at most, which bounds the memory; longer clips are by themselves."""


@dataclass(eq=False)
class Pending:
    """A clip that is read. action: None for what the NLA shows. figure: the source's. values: what its curves have, of which the motion is
    yet to be made, and straight: the channels that go straight from frame to frame; or the motion itself. bent: how it bends between the
    frames at which it is read, if it does. seconds: that it took so far. amiss: what is wrong in the source, each a sentence or empty."""

    action: bpy.types.Action | None
    clip: Clip
    figure: Figure
    values: keys.Channels
    motion: Motion | None = None
    bent: Bent | None = None
    straight: Set[Channel] = frozenset()
    seconds: float = 0.0
    amiss: Sequence[str] = ()

    @property
    def size(self) -> int:
        """Frames of bones."""
        return len(self.clip.sampled) * len(self.figure)


def motions(obj: bpy.types.Object, clips: Sequence[Pending]) -> list[Motion]:
    """What every clip makes of its armature; those that are read from curves all at once, where they are of one figure."""
    result = {number: clip.motion for number, clip in enumerate(clips) if clip.motion is not None}
    by_figure: dict[int, list[int]] = {}
    for number, clip in enumerate(clips):
        if clip.motion is None:
            by_figure.setdefault(id(clip.figure), []).append(number)
    for numbers in by_figure.values():
        some = [clips[number] for number in numbers]
        some_motions = read.keyed_together(obj, some[0].figure, [clip.clip.sampled for clip in some], [clip.values for clip in some])
        result |= dict(zip(numbers, some_motions, strict=True))
    return [result[number] for number in range(len(clips))]
