"""A clip between its keys, which are on a game's time units: how far it is from its source there, and what helps."""

from __future__ import annotations

from dataclasses import dataclass, replace

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


def _beside(keys: Floats, frames: Floats) -> NDArray[np.int64]:
    """(F, 2) the rows of the keys before and behind each frame."""
    behind = np.searchsorted(keys, frames)
    return np.stack([behind - 1, behind], axis=1).clip(0, len(keys) - 1)


def _more(off: Floats, beside: NDArray[np.int64]) -> Floats:
    """(F,) by how much more a frame is off than the keys beside it."""
    return np.nan_to_num(off - off[beside].max(axis=1))


@dataclass(frozen=True)
class Between:
    """degrees: by which `limb` is further from the source's at `frame` than at the keys beside, at most. apart: frames between these.
    off: leg lengths by which a joint is further from where the limbs above it would have it if they pointed as the source's, at most."""

    degrees: float
    limb: str
    frame: float
    apart: float
    off: float = 0.0

    @classmethod
    def of(cls, setup: Setup, looks: Looks, source: Motion, target: Motion) -> Between:
        """source, target: at the frames that are looked at."""
        binding, reflection = setup.binding, measures.reflection_of(setup)
        worst, off, away = cls(0.0, "", 0.0, 0.0), 0.0, dict[int, Floats]()
        beside = looks.keys[_beside(looks.frames[looks.keys], looks.frames)]
        for row in sorted(measures.limb_rows(binding), key=lambda row: binding.followers[row].target):  # from the body outwards
            wanted, has = measures.limb_lines(binding, source, target, setup.frame, reflection, row)
            end = binding.steering[row][0]
            away[end] = away.get(row, 0.0) + has - unit(wanted) * lengths(has)[:, None]
            off = max(off, float(_more(lengths(away[end]), beside).max()))
            more = _more(np.degrees(angle_between(wanted, has)), beside)
            at = int(more.argmax())
            if more[at] > worst.degrees:
                apart = float(np.ptp(looks.frames[beside[at]]))
                worst = cls(float(more[at]), binding.named(row), float(looks.frames[at]), apart)
        return replace(worst, off=off / setup.legs.target)

    def reported(self, report: Report, grid: Grid, fps: float, keys: Keys) -> Report:
        """With a line where it is worth one. It asks for a look where it can be seen and something helps: it is gone with the next key, so
        that a limb that is off by a degree shows less there than all the time. fps: frames a second of the scene."""
        if self.degrees < _SAID:
            return report.but(between=self.degrees)
        reason, helps = self._reason(grid, fps, keys)
        text = f"between keys {self.limb} is up to {self.degrees:.3g}° further from the source's, at frame {self.frame:.5g}: {reason}"
        asks = helps and self.off >= VISIBLE
        return report.but(between=self.degrees, notes=(*report.notes, text), asking=(*report.asking, *[text] * asks))

    def _reason(self, grid: Grid, fps: float, keys: Keys) -> tuple[str, bool]:
        """The reason, or the remedy, and whether it is one that helps."""
        ticks = self.apart / grid.tick
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
