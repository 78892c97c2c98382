"""What the game lets happen at a keyframe, by its number: steps, sounds, hits and others, which come in as markers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...reporting import log
from ..files.actions import is_event
from .sampled import Sampled


def report_events(markers: Sequence[tuple[int, str]], sampled: Sampled, before: Sampled, match: NDArray[np.int64]) -> None:
    """Which of them happen with another pose now, since keyframes were added or deleted before them.

    markers: (frame, name). before: as the animation came in, whose keyframes the numbers count. match: (K,) which of them each keyframe is,
    -1 for a new one."""
    events = [(frame, name) for frame, name in markers if is_event(name)]
    if not events:
        return
    moved: list[str] = []
    first = 0
    for frame, name in sorted(events):
        away = np.abs(before.frames - frame)
        number = int(np.argmin(away))
        if away[number] > 0.51 or (number < len(match) and match[number] in (number, -1) and len(match) == len(before.frames)):
            continue
        now = np.flatnonzero(match == number)
        if len(now) and now[0] == number:
            continue
        stands = f"at frame {sampled.frames[number]:g}" if number < len(match) else "never"
        remedy = f"give it keyframe {now[0]} there" if len(now) else _without(sampled, frame, number)
        first = frame if not moved else first
        moved.append(f"{name} of keyframe {number} (frame {frame}) happens {stands} now: {remedy}")
    if moved:
        log.warning(
            "the game's events count keyframes, and are in FILE3D or LBA2's RESS.HQR, where Write Events in the panel puts them: "
            + "; ".join(moved)
            + "; or add no keyframe before them",
            frame=float(first),
        )


def _without(sampled: Sampled, frame: int, number: int) -> str:
    """What to do about an event whose keyframe, of this number, is gone from a frame."""
    away = np.abs(sampled.frames - frame)
    nearest = int(np.argmin(away))
    again = f"insert a keyframe at frame {frame} again"
    if number < len(away) and away[number] <= away[nearest]:
        return again
    return f"{again}, or give it keyframe {nearest} there, which is at frame {sampled.frames[nearest]:g}"
