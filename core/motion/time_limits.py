"""Clips that lie so late on Blender's time line that it cannot show them, or cannot keep their keys apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ..reporting import log
from .curves import CLOSEST, LAST_FRAME, Block
from .sampling import MERGE

_COARSE = 65536.0
"""From where on frames, in single precision, are so far apart that a distance of CLOSEST is not kept."""


def report_late(clips: Iterable[tuple[str, Sequence[Block]]]) -> None:
    """One line for all clips (name, curves) of which something is lost."""
    late = [problem for name, blocks in clips if (problem := _problem(blocks, name))]
    if late:
        more = f" (and {len(late) - 1} more such clips)" if len(late) > 1 else ""
        log.warning(f"{late[0]}{more}: choose an earlier start frame, or a lower frame rate")


def _problem(blocks: Sequence[Block], name: str) -> str:
    ends = [float(block.frames[end]) for block in blocks if len(block.frames) for end in (0, -1)]
    far = max(ends, key=abs, default=0.0)
    if abs(far) > LAST_FRAME:
        return f"{name} goes to frame {far:.0f}, and Blender's time line to {np.copysign(LAST_FRAME, far):.0f}"
    if abs(far) > _COARSE:
        for block in blocks:
            close = np.flatnonzero(np.diff(block.frames) < MERGE)
            if len(close):
                return f"{name} has keys {CLOSEST:g} frames apart at frame {block.frames[close[0]]:.0f}, so late that Blender merges them"
    return ""
