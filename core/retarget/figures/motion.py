"""The motion of a figure over F frames: its bones' own channels, and their rotations and positions in the world.

Arrays are (frames, bones, components), and `empty` lays them out in memory so that the frames of a bone lie together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import cast

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import quaternion as quat
from ...motion.rotations.rotation_matrix import Floats
from .columns import Columns, Recent, empty
from .figure import Figure
from .spans import Spans

FEW = 64
"""Frames of which all poses may stay at hand."""


@dataclass(frozen=True, eq=False)
class Standing:
    """The armature object's transform at F frames: rotations (F, 4), positions (F, 3), each with a single row while it stands still; scale:
    metres an armature unit."""

    rotations: Floats
    positions: Floats
    scale: float

    @classmethod
    def still(cls, figure: Figure) -> Standing:
        return cls(quat.of_matrix(figure.rotation)[None], figure.world[None, :3, 3], figure.scale)

    @property
    def is_nowhere(self) -> bool:
        """Whether armature space is the world."""
        still = len(self.rotations) == 1 and len(self.positions) == 1 and self.scale == 1
        return still and bool((self.rotations[0] == quat.IDENTITY).all()) and not self.positions.any()

    def at(self, frames: slice | NDArray[np.int64]) -> Standing:
        """At some of the frames."""
        rotations, positions = (rows if len(rows) == 1 else rows[frames] for rows in (self.rotations, self.positions))
        return Standing(rotations, positions, self.scale)

    @classmethod
    def joined(cls, every: Sequence[Standing], spans: Spans) -> Standing:
        """Those of several clips one after another."""
        if len(every) == 1 or all(each is every[0] and len(each.rotations) == len(each.positions) == 1 for each in every):
            return every[0]
        counts = list(zip(every, spans.counts, strict=True))
        rotations = [np.broadcast_to(each.rotations, (count, 4)) for each, count in counts]
        positions = [np.broadcast_to(each.positions, (count, 3)) for each, count in counts]
        return cls(np.concatenate(rotations), np.concatenate(positions), every[0].scale)


@dataclass(frozen=True, eq=False)
class Local:
    """A figure's channels: locations (F, B, 3) in armature units, rotations (F, B, 4), sizes (F, B, 3) or None where all are 1."""

    locations: Floats
    rotations: Floats
    sizes: Floats | None = None


@dataclass(frozen=True, eq=False)
class Motion:
    """A figure in the world: frames (F,), rotations (F, B, 4) of the bones, positions (F, B, 3) of their heads in metres, sizes (F, B, 3)
    of the bones' own scale or None where all are 1. standing: the armature object. counts: the frames of each clip, where it is several
    one after another."""

    frames: Floats
    rotations: Floats
    positions: Floats
    sizes: Floats | None
    standing: Standing
    counts: tuple[int, ...] = ()

    @cached_property
    def spans(self) -> Spans:
        return Spans(self.counts or (len(self.frames),))

    @cached_property
    def clips(self) -> list[Motion]:
        """Each clip by itself; of bones that are computed when they are asked for those stay at hand that were."""
        if len(self.spans) == 1:
            return [self]
        if not isinstance(self.rotations, Columns):
            return [self.at(rows) for rows in self.spans.rows]
        kept = [Recent(lambda bone, values=values: values[:, bone], self.rotations.shape[1]) for values in (self.rotations, self.positions)]
        return [_part(self, kept, rows) for rows in self.spans.rows]

    def at(self, frames: slice | NDArray[np.int64]) -> Motion:
        """Some of the frames."""
        sizes = None if self.sizes is None else self.sizes[frames]
        standing, computed = self.standing.at(frames), isinstance(self.rotations, Columns)
        rotations, positions = self._at_hand(frames) if computed else (self.rotations[frames], self.positions[frames])
        return replace(
            self,
            frames=self.frames[frames],
            rotations=rotations,
            positions=positions,
            sizes=sizes,
            standing=standing,
            counts=(),
        )

    def few(self) -> Motion:
        """FEW of its frames at most, from the first to the last; what is computed when it is asked for, for these alone where it can be."""
        count, rotations = len(self.frames), self.rotations
        rows = np.linspace(0, count - 1, min(count, FEW)).round().astype(np.int64)
        if isinstance(rotations, Columns) and rotations.few is not None:
            return cast(Motion, rotations.few(rows))
        return self.at(rows)

    def holding(self, bones: Iterable[int]) -> Motion:
        """With the poses of some bones at hand from now on."""
        if not isinstance(self.rotations, Columns):
            return self
        before = self.rotations, self.positions
        held = {bone: (before[0][:, bone], before[1][:, bone]) for bone in bones}

        def column(kind: int, bone: int) -> Floats:
            return held[bone][kind] if bone in held else before[kind][:, bone]

        rotations = Columns(before[0].shape, partial(column, 0))
        known = cast(Columns, before[1])
        positions = Columns(known.shape, partial(column, 1), known.moved, known.forget)
        return replace(self, rotations=cast(Floats, rotations), positions=cast(Floats, positions))

    def forget(self, bone: int | None = None) -> None:
        """Let go what is at hand of a bone that is not asked for again, or of all of them."""
        if isinstance(self.positions, Columns) and self.positions.forget is not None:
            self.positions.forget(bone)

    def whole(self) -> Motion:
        """With all values at hand, of a motion whose are computed when they are asked for."""
        if not isinstance(self.rotations, Columns):
            return self
        rotations, positions = self._at_hand(slice(None))
        return replace(self, rotations=rotations, positions=positions)

    def _at_hand(self, frames: slice | NDArray[np.int64]) -> tuple[Floats, Floats]:
        """Rotations and positions of all bones at some of the frames; both of a bone, while it is at hand."""
        count, bones = len(self.frames[frames]), self.rotations.shape[1]
        rotations, positions = empty(count, bones, 4), empty(count, bones, 3)
        for bone in range(bones):
            rotations[:, bone], positions[:, bone] = self.rotations[:, bone][frames], self.positions[:, bone][frames]
        return rotations, positions


def _part(motion: Motion, kept: Sequence[Recent[Floats]], rows: slice) -> Motion:
    """Some of the frames, of bones that `kept` has once they are asked for."""
    count, bones = rows.stop - rows.start, motion.rotations.shape[1]
    rotations, positions = (
        Columns((count, bones, width), lambda bone, values=values: values[bone][rows]) for values, width in zip(kept, (4, 3), strict=True)
    )
    sizes = None if motion.sizes is None else motion.sizes[rows]
    return Motion(motion.frames[rows], cast(Floats, rotations), cast(Floats, positions), sizes, motion.standing.at(rows))


def joined(motions: Sequence[Motion]) -> Motion:
    """Several clips of one figure, one after another."""
    if len(motions) == 1:
        return motions[0]
    spans = Spans(tuple(len(motion.frames) for motion in motions))
    total, bones = sum(spans.counts), motions[0].rotations.shape[1]
    rotations, positions = empty(total, bones, 4), empty(total, bones, 3)
    sizes = None if all(motion.sizes is None for motion in motions) else np.ones((total, bones, 3))
    for motion, rows in zip(motions, spans.rows, strict=True):
        rotations[rows], positions[rows] = motion.rotations, motion.positions
        if sizes is not None and motion.sizes is not None:
            sizes[rows] = motion.sizes
    standing = Standing.joined([motion.standing for motion in motions], spans)
    frames = np.concatenate([motion.frames for motion in motions])
    return Motion(frames, rotations, positions, sizes, standing, spans.counts)


def rest_motion(figure: Figure) -> Motion:
    """The rest pose as a motion of one frame."""
    return Motion(np.zeros(1), figure.quaternions[None], figure.heads[None], None, Standing.still(figure))
