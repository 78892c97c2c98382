"""Key reduction as a shortest path: frames are points, and from one to another there is a segment where everything between them is near
enough when only these two are keys. The fewest keys are the path of fewest segments from the first frame to the last."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

_BLOCK = 64
"""Frames from which the segments onwards are checked together."""

_MOST_SEGMENTS = 1 << 19
"""Segments of frames that are looked at for one track; of more, in minutes of motion, the fewest keys are not worth the time."""

Near = Callable[[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]], NDArray[np.bool_]]
"""Of N pairs of frames as keys, the first and the last, and a frame between each of them: whether that is near enough then."""


class Segments:
    """Which frames can follow one another as keys: everything between them is near enough then."""

    def __init__(self, count: int, longest: int, near: Near) -> None:
        self.count, self.longest, self._near = count, longest, near
        self.blocks: dict[int, tuple[NDArray[np.bool_], bool]] = {}

    def on_from(self, frame: int, free: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Those of the `free` frames (N,) that can be the next key after `frame`."""
        end = min(frame + self.longest, self.count - 1)
        if not free[frame + 1 : end + 1].any():
            return np.zeros(0, np.int64)
        start = frame - frame % _BLOCK
        if start not in self.blocks:
            self.blocks[start] = self._look(start, free)
        possible, certain = self.blocks[start]
        row = possible[frame - start, frame - start : frame - start + self.longest][: end - frame]
        ends = np.flatnonzero(row & free[frame + 1 : end + 1]) + frame + 1
        return ends if certain else ends[self._hold(np.full(len(ends), frame), ends)]

    def _look(self, start: int, free: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], bool]:
        """(starts, ends behind the first start) which segments from a block of frames pass at some frames in the middle, where most fail;
        and whether that was all there is to try, because they are short or few."""
        stop = min(start + _BLOCK, self.count)
        possible = np.zeros((stop - start, stop - start + self.longest), bool)
        ends = np.flatnonzero(free[start + 1 : stop + self.longest]) + start + 1
        first = np.arange(start, stop)[:, None]
        rows, columns = np.nonzero((ends > first) & (ends <= first + self.longest))
        first, last = rows + start, ends[columns]
        good = np.ones(len(first), bool)
        for parts in (2, 4, 16):
            for part in range(1, parts, 2):
                left = np.flatnonzero(good & (last - first > parts))
                good[left] = self._near(first[left], last[left], first[left] + (last[left] - first[left]) * part // parts)
        first, last = first[good], last[good]
        certain = int((last - first).sum()) < 256 * _BLOCK
        if certain:
            held = self._hold(first, last)
            first, last = first[held], last[held]
        possible[first - start, last - start - 1] = True
        return possible, certain

    def holds(self, first: int, last: int) -> bool:
        """Whether two frames can follow one another."""
        return bool(self._hold(np.array([first]), np.array([last]))[0])

    def _hold(self, first: NDArray[np.int64], last: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether every frame between pairs of keys is near enough."""
        good = np.ones(len(first), bool)
        rows = np.flatnonzero(last - first > 1)
        if len(rows):
            inner = last[rows] - first[rows] - 1
            starts = np.cumsum(inner) - inner
            pair = np.repeat(rows, inner)
            at = first[pair] + 1 + np.arange(len(pair)) - np.repeat(starts, inner)
            good[rows] = np.logical_and.reduceat(self._near(first[pair], last[pair], at), starts)
        return good


def shortest(segments: Segments) -> NDArray[np.int64]:
    """The fewest frames from the first to the last of which each can follow the one before. Breadth first: what n keys can reach, until
    the last frame is reached. Of very many frames a few more."""
    count = segments.count
    if count * min(segments.longest, count) > _MOST_SEGMENTS:
        return _long_runs(segments)
    came_from = np.full(count, -1)
    came_from[0] = 0
    layer = [0]
    while came_from[-1] < 0:
        reached: list[NDArray[np.int64]] = []
        # The farthest first: what it reaches need not be tried from the others.
        for frame in reversed(layer):
            ends = segments.on_from(frame, came_from < 0)
            came_from[ends] = frame
            reached.append(ends)
        layer = sorted(np.concatenate(reached).tolist())
    path = [count - 1]
    while path[-1] > 0:
        path.append(int(came_from[path[-1]]))
    return np.array(path[::-1])


def _long_runs(segments: Segments) -> NDArray[np.int64]:
    """From each key on a long run, of frames that are twice as many each time until they do not hold, and half of the rest then."""
    last = segments.count - 1
    path = [0]
    while path[-1] < last:
        start, length, tried = path[-1], 1, 2
        most = min(segments.longest, last - start)
        while tried <= most and segments.holds(start, start + tried):
            length, tried = tried, 2 * tried
        beyond = min(tried, most + 1)
        while beyond - length > 1:
            middle = (length + beyond) // 2
            length, beyond = (middle, beyond) if segments.holds(start, start + middle) else (length, middle)
        path.append(start + length)
    return np.array(path)
