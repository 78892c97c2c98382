"""A clip between its keys, which are on a game's time units: how far it is from its source there, and what helps."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations.directions import angle_between, lengths, unit
from ...motion.rotations.rotation_matrix import Floats
from ..figures.clip import Clip, Grid
from ..figures.motion import Motion
from ..ground.feet import VISIBLE
from ..options import Keys
from ..setup import Setup
from . import measures
from .report import Report

_SAID = 0.1
"""Degrees: less is not worth a line."""

_AT = 1e-3
"""Frames: what is nearer to a key is at it."""

_FINEST = "it is faster than the game's time units"


@dataclass(frozen=True, eq=False)
class Looks:
    """Where a clip is looked at, and its source: at its keys, at the scene's frames from its first key on, and in the middle between keys
    that are several time units apart. frames: (L,) ascending. source: (L,) the same but at keys, which have what the source shows up to a
    time unit before or behind: not always ascending. keys: (K,) those of them that are keys, as rows."""

    frames: Floats
    source: Floats
    keys: NDArray[np.int64]

    @classmethod
    def of(cls, clip: Clip, grid: Grid) -> Looks:
        keys = clip.frames[: len(clip.sampled)]
        end = min(float(clip.sampled[-1]), float(keys[-1]))
        apart = np.diff(keys)
        middles = (keys[:-1] + apart / 2)[apart > 1.5 * grid.tick]
        more = np.unique(np.concatenate([np.arange(clip.start - np.floor(clip.start - keys[0]), end, 1.0), middles, [end]]))
        nearest = np.abs(more[:, None] - keys[_beside(keys, more)]).min(axis=1)
        more = more[nearest > _AT]
        frames = np.concatenate([keys, more])
        order = np.argsort(frames, kind="stable")
        return cls(frames[order], np.concatenate([clip.sampled, more])[order], np.argsort(order)[: len(keys)])

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing between the keys to look at."""
        return len(self.keys) == len(self.frames)

    @cached_property
    def beside(self) -> NDArray[np.int64]:
        """(L, 2) the rows of the keys before and behind."""
        return self.keys[_beside(self.frames[self.keys], self.frames)]


def _beside(keys: Floats, frames: Floats) -> NDArray[np.int64]:
    """(F, 2) the rows of the keys before and behind each frame."""
    behind = np.searchsorted(keys, frames)
    return np.stack([behind - 1, behind], axis=1).clip(0, len(keys) - 1)


@dataclass(frozen=True)
class Peak:
    """By how much more something of `limb` is off at `frame` than at the keys beside, at most. apart: frames between these."""

    more: float = 0.0
    limb: str = ""
    frame: float = 0.0
    apart: float = 0.0

    def or_of(self, off: Floats, looks: Looks, limb: str) -> Peak:
        """The greater one, of this and of what is off by (L,) where it is looked."""
        more = np.nan_to_num(off - off[looks.beside].max(axis=1))
        at = int(more.argmax())
        if more[at] <= self.more:
            return self
        return Peak(float(more[at]), limb, float(looks.frames[at]), float(np.ptp(looks.frames[looks.beside[at]])))


@dataclass(frozen=True)
class Between:
    """rotated: degrees by which a limb points away from the source's. moved: leg lengths by which its end is away from where limbs up to
    it would have it if they pointed as the source's."""

    rotated: Peak = Peak()
    moved: Peak = Peak()

    @classmethod
    def of(cls, setup: Setup, looks: Looks, source: Motion, target: Motion) -> Between:
        """source, target: at the frames that are looked at."""
        binding, reflection = setup.binding, measures.reflection_of(setup)
        rotated, moved, away = Peak(), Peak(), dict[int, Floats]()
        for row in sorted(measures.limb_rows(binding), key=lambda row: binding.followers[row].target):  # from the body outwards
            wanted, has = measures.limb_lines(binding, source, target, setup.frame, reflection, row)
            end, limb = binding.steering[row][0], binding.named(row)
            away[end] = away.get(row, 0.0) + has - unit(wanted) * lengths(has)[:, None]
            rotated = rotated.or_of(np.degrees(angle_between(wanted, has)), looks, limb)
            moved = moved.or_of(lengths(away[end]) / setup.legs.target, looks, limb)
        return cls(rotated, moved)

    def reported(self, report: Report, grid: Grid, fps: float, keys: Keys) -> Report:
        """With a line where it is worth one. It asks for a look where it can be seen and something helps: it is gone with the next key, so
        that a limb that is off by a degree shows less there than all the time. fps: frames a second of the scene."""
        rotated, moved = self.rotated, self.moved
        if rotated.more < _SAID:
            return report.but(between=rotated.more)
        asks = moved.more >= VISIBLE and _reason(moved, grid, fps, keys)[1]
        worst = moved if asks else rotated
        size = f"the end of {moved.limb} is up to {moved.more:.3g} leg lengths" if asks else f"{rotated.limb} is up to {rotated.more:.3g}°"
        text = f"between keys {size} further from the source's, at frame {worst.frame:.5g}: {_reason(worst, grid, fps, keys)[0]}"
        return report.but(between=rotated.more, notes=(*report.notes, text), asking=(*report.asking, *[text] * asks))


def _reason(peak: Peak, grid: Grid, fps: float, keys: Keys) -> tuple[str, bool]:
    """The reason, or the remedy, and whether it is one that helps."""
    ticks = peak.apart / grid.tick
    if keys == "SOURCE" and ticks > grid.apart + 0.5:
        return "Keys: Every Frame has more of them", True
    if grid.apart > 1 and ticks > 1.5:
        every = "Keys: Every Frame, and " if keys == "SOURCE" else ""
        return f"{every}Step: {grid.apart * grid.tick / 2:.4g} has twice as many", True
    if abs(grid.tick - round(grid.tick)) < _AT or abs(grid.step - round(grid.step)) < _AT:
        return _FINEST, False
    rate = fps / grid.tick
    better = _rate(rate, fps)
    return f"the game's time units, {rate:g} a second, are between the source's frames: open it in a scene of {better:g} frames/s", True


def _rate(rate: float, fps: float) -> float:
    """The lowest frames a second, from `fps` on, of which each is on one of `rate` ticks; else that of the ticks."""
    parts = [rate / count for count in range(1, int(rate) + 1) if rate % count == 0]
    return min([each for each in parts if each >= fps], default=rate)
