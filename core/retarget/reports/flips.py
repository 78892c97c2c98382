"""Bones that jump from one frame to the next, further by 45 degrees a frame than any bone of the source does there: as those may
that follow a part of a rotation alone, or whose game lets them rotate about some axes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import quaternion as quat
from ...motion.rotations.rotation_matrix import Floats
from ..figures.motion import Motion
from ..transfer.binding import Binding
from .report import GOOD_SNAP

_SHORT = float(np.cos(np.radians(GOOD_SNAP / 2)))
"""The product of two quaternions that are so far apart that it may be a flip."""


@dataclass(frozen=True)
class Flips:
    """Of a clip. count: of bones and frames. bone: the one that jumps furthest, and into which row. degrees: by which it does, beyond: so
    far further than the source."""

    count: int = 0
    bone: int = -1
    row: int = 0
    degrees: float = 0.0
    beyond: float = 0.0


@dataclass
class Jumps:
    """Rotations from one row to the next that may be flips: by target bone the rows, and degrees."""

    steps: dict[int, tuple[NDArray[np.int64], Floats]] = field(default_factory=dict[int, tuple[NDArray[np.int64], Floats]])

    def add(self, bone: int, motion: Motion) -> None:
        """Look at a bone, whose poses are at hand only now."""
        rotations = motion.rotations[:, bone]
        cosines = np.abs(np.einsum("fi,fi->f", rotations[1:], rotations[:-1]))
        rows = np.flatnonzero((cosines < _SHORT) & motion.spans.inside)
        if len(rows):
            self.steps[bone] = rows, _steps(motion, bone, rows)

    def flips(self, binding: Binding, source: Motion) -> list[Flips]:
        """Of each clip. source: what they are measured against."""
        result = [Flips()] * len(source.spans)
        rows = np.unique(np.concatenate([np.zeros(0, np.int64), *(own for own, _ in self.steps.values())]))
        if not len(rows):
            return result
        most = np.max([_steps(source, bone, rows) for bone in leading(binding)], axis=0)
        for bone, (own, degrees) in self.steps.items():
            beyond = degrees - most[np.searchsorted(rows, own)]
            is_flip = beyond >= least(source.frames, own)
            clips = source.spans.clips(own)
            flipping: list[int] = np.unique(clips[is_flip]).tolist()
            for clip in flipping:
                theirs = np.where(is_flip & (clips == clip), beyond, -np.inf)
                at, known = int(theirs.argmax()), result[clip]
                count = known.count + int((theirs > -np.inf).sum())
                worst = Flips(count, bone, int(own[at]) + 1, float(degrees[at]), float(theirs[at]))
                result[clip] = worst if worst.beyond > known.beyond else replace(known, count=count)
        return result


def leading(binding: Binding) -> list[int]:
    """The source's bones that others follow."""
    chains = [follower.chain[0].sources for follower in binding.followers if follower.chain is not None]
    return sorted({follower.source for follower in binding.followers}.union(*chains))


def least(frames: Floats, rows: NDArray[np.int64]) -> Floats:
    """(R,) degrees from some rows to the next ones beyond the source's that are a flip: more from keys that are several frames apart."""
    return GOOD_SNAP * np.maximum(1.0, frames[rows + 1] - frames[rows])


def _steps(motion: Motion, bone: int, rows: NDArray[np.int64]) -> NDArray[np.float64]:
    """(R,) degrees from some rows to the next ones."""
    rotations = motion.rotations[:, bone]
    return np.degrees(quat.apart(rotations[rows + 1], rotations[rows]))
