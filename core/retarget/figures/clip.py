"""When a new action has its keys, on the grid of a game or of the scene, and where it loops."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations.rotation_matrix import Floats
from ...motion.sampling import one_a_unit

_ON = 1e-3
"""Of a tick: what lies nearer to one is on it."""

_BESIDE = 0.125
"""From key to key: what lies nearer to the last one has none of its own."""

_DENSE = 0.02
"""Seconds from key to key that are near enough: less than a frame of any film."""

_APART = 1.5
"""Ticks from key to key: with fewer, there is a key on each. Left out here and there, some would be further from the source."""


@dataclass(frozen=True, eq=False)
class Clip:
    """frames: (F,) of the new keys. sampled: (F,) where the source is looked at for them; the same but for less than a tick. start:
    the frame of the clip's beginning, or of its loop's. loop: the row of `frames` to which a looping clip goes back from its last,
    whose pose is the same then; None for one that does not loop. cycle: frames between which it is played again and again as the
    source is, without a pose that is the same. played: frames between which it is meant to be played, where its keys do not say it."""

    frames: Floats
    sampled: Floats
    start: float
    loop: int | None = None
    cycle: tuple[float, float] | None = None
    played: tuple[float, float] | None = None

    def longer(self, frame: float) -> Clip:
        """With one more key behind the last."""
        return Clip(np.append(self.frames, frame), self.sampled, self.start, self.loop)


@dataclass(frozen=True)
class Grid:
    """tick: frames to a time unit of the game. step: ticks from one frame that the source is looked at to the next, whole ones or not.
    apart: the same from key to key."""

    tick: float
    step: float
    apart: float

    @classmethod
    def of(cls, fps: float, rate: float, step: float, straight: bool) -> Grid:
        """fps: frames a second of the scene. rate: ticks a second. step: frames from one that is looked at to the next. straight: whether
        poses between two keys are those between two poses of the source, as between quaternions, but not between Euler angles.

        Where they are not, or where frames are between two ticks, there are more keys than frames, unless somebody wants fewer of them: the
        source bends at its frames, and a target with keys beside these would do so earlier or later."""
        ticks = step * rate / fps
        enough = step > 1 or (straight and abs(ticks - round(ticks)) < _ON)
        apart = ticks if enough else ticks / max(1, np.ceil(step / fps / _DENSE - _BESIDE))
        return cls(fps / rate, ticks, float(apart) if apart >= _APART else 1.0)

    def clip(self, first: float, start: float, end: float, loops: bool) -> Clip:
        """Keys on the ticks nearest to all that are `apart` from `start` on, and one at the end. first: before `start` where something
        leads into a loop. All in frames.

        A loop ends on the tick that is nearest to its end, any other clip on the first one behind, both in the pose of the end itself."""
        last = max(0, round((end - start) / self.tick) if loops else int(np.ceil((end - start) / self.tick - _ON)))
        lead = min(0, round((first - start) / self.tick))
        every = np.rint(self.apart * np.arange(np.ceil(lead / self.apart), last / self.apart)).astype(np.int64)
        inside = every[every <= last - max(1.0, _BESIDE * self.apart)]
        ticks = np.unique(np.concatenate([inside, [lead, 0, last]]))
        frames = _frames(ticks, start, self.tick)
        sampled = np.maximum(frames, first)
        sampled[-1] = end
        return Clip(frames, sampled, start, int(np.searchsorted(ticks, 0)) if loops and last else None)

    def behind(self, clip: Clip) -> float:
        """The tick nearest to one step behind the end of a clip, in frames."""
        last = round(float(clip.frames[-1] - clip.start) / self.tick)
        return clip.start + self.tick * max(last + 1, round(float(clip.sampled[-1] - clip.start) / self.tick + self.step))

    def at_keys(self, keys: Floats, start: float, loops: bool) -> Clip:
        """At keys (K,) of the source, each on the tick that is nearest; of several on one tick the nearest, and at the end the last."""
        times = (keys - start) / self.tick
        nearest = np.rint(times).astype(np.int64)
        last = (np.arange(len(keys)) == len(keys) - 1) & (nearest > nearest[0])
        kept = one_a_unit(times, last)
        ticks = nearest[kept]
        looping = loops and len(ticks) > 1
        return Clip(_frames(ticks, start, self.tick), keys[kept], start, int(np.searchsorted(ticks, 0)) if looping else None)


def _frames(ticks: NDArray[np.int64], start: float, tick: float) -> Floats:
    return np.asarray(start + ticks * tick, np.float64)
