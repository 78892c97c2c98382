"""Where a clip is looked at between its keys."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations.rotation_matrix import Floats
from ..figures.clip import Clip, Grid

AT = 1e-3
"""Frames: what is nearer to a key is at it."""


@dataclass(frozen=True, eq=False)
class Looks:
    """Where a clip is looked at, and its source: beside its keys at the scene's frames from its first key on, in the middle between keys
    that are far apart, and where its source bends; and at the keys beside these. frames: (L,) ascending. source: (L,) the same but at keys,
    which have what the source shows up to a time unit before or behind: not always ascending. keys: (K,) those of them that are keys, as
    rows. numbers: (K,) which of the clip's keys these are. start: of the clip, in frames."""

    frames: Floats
    source: Floats
    keys: NDArray[np.int64]
    numbers: NDArray[np.int64]
    start: float

    @classmethod
    def of(cls, clip: Clip, grid: Grid | None, bends: Floats | None = None) -> Looks:
        """grid: of a game. bends: frames at which the source bends so that it may be seen."""
        keys = clip.frames[: len(clip.sampled)]
        end = min(float(clip.sampled[-1]), float(keys[-1]))
        apart = np.diff(keys)
        is_far = apart > 1.5 * (1.0 if grid is None else grid.tick)
        if grid is None and bends is None and not is_far.any():
            return _NOTHING
        middles = (keys[:-1] + apart / 2)[is_far]
        scene = np.arange(clip.start - np.floor(clip.start - keys[0]), end, 1.0) if grid is not None or len(middles) else np.zeros(0)
        every = np.concatenate([scene, middles, [end], np.zeros(0) if bends is None else bends])
        more = np.unique(every[(every >= keys[0]) & (every <= end)])
        beside = _beside(keys, more)
        is_off = np.abs(more[:, None] - keys[beside]).min(axis=1) > AT
        more, rows = more[is_off], np.unique(beside[is_off])
        frames = np.concatenate([keys[rows], more])
        order = np.argsort(frames, kind="stable")
        return cls(frames[order], np.concatenate([clip.sampled[rows], more])[order], np.argsort(order)[: len(rows)], rows, clip.start)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing between the keys to look at."""
        return len(self.keys) == len(self.frames)

    @property
    def is_shown(self) -> NDArray[np.bool_]:
        """(L,) which are at the scene's frames."""
        away = self.frames - self.start
        return np.abs(away - np.rint(away)) < AT

    @cached_property
    def others(self) -> NDArray[np.int64]:
        """(L - K,) the rows that are no keys."""
        return np.delete(np.arange(len(self.frames)), self.keys)

    @cached_property
    def beside(self) -> NDArray[np.int64]:
        """(L, 2) the rows of the keys before and behind."""
        return self.keys[_beside(self.frames[self.keys], self.frames)]


_NOTHING = Looks(np.zeros(0), np.zeros(0), np.zeros(0, np.int64), np.zeros(0, np.int64), 0.0)


def _beside(keys: Floats, frames: Floats) -> NDArray[np.int64]:
    """(F, 2) the rows of the keys before and behind each frame."""
    behind = np.searchsorted(keys, frames)
    return np.stack([behind - 1, behind], axis=1).clip(0, len(keys) - 1)
