"""Long clips piece by piece: what is put together of them takes no more memory than of short ones."""

from __future__ import annotations

from collections.abc import Iterator

_TOGETHER = 1 << 14
"""Matrices that are calculated with in one go, which takes about a kilobyte of each."""

_FEWEST = 64
"""Frames that are, of however many bones: for fewer the steps from bone to bone would take most of the time."""


def pieces(frames: int, bones: int) -> Iterator[slice]:
    """So many frames in runs of as many as are calculated with in one go."""
    count = max(_TOGETHER // max(bones, 1), _FEWEST)
    return (slice(first, min(first + count, frames)) for first in range(0, frames, count))
