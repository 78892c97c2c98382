"""Messages that are equal but for their bone and frame, as one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .errors import Problem

_LISTED = 6


def frames_text(frames: Sequence[float]) -> str:
    """ "frame 3"; "frames 3, 5 and 7"; "8 frames (first: 3)"."""
    shown = [f"{frame:g}" for frame in frames]
    if len(shown) > _LISTED:
        return f"{len(shown)} frames (first: {shown[0]})"
    return f"frames {', '.join(shown[:-1])} and {shown[-1]}" if len(shown) > 1 else f"frame {shown[0]}"


def by_bone(off: NDArray[np.bool_], names: Sequence[str], frames: Sequence[float], verb: str, verbs: str, why: str) -> list[Problem]:
    """A problem for each set of frames at which bones are `off` (frames, bones): "arm is scaled at frame 3: why", "4 bones (first: arm)
    are scaled at 8 frames (first: 3): why". verb, verbs: of one and of several."""
    groups: dict[bytes, list[int]] = {}
    for bone in np.flatnonzero(off.any(axis=0)).tolist():
        groups.setdefault(off[:, bone].tobytes(), []).append(bone)
    problems: list[Problem] = []
    for bones in groups.values():
        at = [frames[index] for index in np.flatnonzero(off[:, bones[0]]).tolist()]
        who = f"{len(bones)} bones (first: {names[bones[0]]}) {verbs}" if len(bones) > 1 else f"{names[bones[0]]} {verb}"
        problems.append(Problem(f"{who} at {frames_text(at)}: {why}", names[bones[0]], at[0]))
    return problems
