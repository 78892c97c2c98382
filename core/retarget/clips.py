"""What is asked of a clip, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..motion.curves import Block
from ..motion.rotations import quaternion as quat
from .figures.motion import Local, Motion, Standing
from .ground.feet import Limb
from .keyed import Joint
from .reports.report import Report
from .sample import Sample
from .transfer.solve import Solved


@dataclass(frozen=True, eq=False)
class Asked:
    """A clip to be retargeted. motion: of all source bones. contacts: where limbs stand, instead of what is detected. loop: the frame, by
    its row, whose pose the last one repeats."""

    motion: Motion
    name: str = ""
    contacts: Mapping[str, NDArray[np.bool_]] = field(default_factory=dict[str, NDArray[np.bool_]])
    loop: int | None = None


@dataclass(frozen=True, eq=False)
class Together:
    """What the keys of clips come from that were retargeted together. joints: of those that loop."""

    solved: Solved
    counts: tuple[int, ...]
    joints: Sequence[Joint]

    @cached_property
    def locals(self) -> list[Local]:
        """Channels of the target's bones, in each clip."""
        local = self.solved.local()
        for bone in range(local.rotations.shape[1]):
            for joint in self.joints:
                joint.close(bone, local.rotations[:, bone], local.locations[:, bone])
        every = self.motion.spans.rows
        sizes = [None if local.sizes is None else local.sizes[rows] for rows in every]
        rotations = [quat.continuous(local.rotations[rows], positive=True) for rows in every]
        return [Local(local.locations[rows], own, size) for rows, own, size in zip(every, rotations, sizes, strict=True)]

    @cached_property
    def motion(self) -> Motion:
        """The target in the world."""
        return self.solved.motion(self.solved.sizes(), self.counts).whole()


@dataclass(frozen=True, eq=False)
class Result:
    """keys: of the bones' channels. standing: the object's motion where it carries it, else None. limbs: those that may stand, with where
    they do. clip: which of those that were retargeted together."""

    keys: list[Block]
    standing: Standing | None
    report: Report
    limbs: tuple[Limb, ...]
    together: Together
    clip: int
    sample: Sample

    @property
    def contacts(self) -> dict[str, NDArray[np.bool_]]:
        """By limb (F,) where feet or hands stand."""
        return {limb.name: limb.touching for limb in self.limbs}

    @property
    def local(self) -> Local:
        """Channels of the target's bones."""
        return self.together.locals[self.clip]

    @property
    def motion(self) -> Motion:
        """The target in the world."""
        return self.together.motion.clips[self.clip]
