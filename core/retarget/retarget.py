"""Whole clips of one figure onto another. Clips that are short go through the steps together, one after another in one array, each with
contacts, floor, loop and report of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ..reporting.errors import RetroAnimError
from .clips import Asked as Asked
from .clips import Result as Result
from .figures.motion import Motion
from .options import Options as Options
from .setup import Setup
from .setup import prepare as prepare
from .steps import Retargeting


def retarget(
    setup: Setup,
    motion: Motion,
    fps: float,
    name: str = "",
    contacts: Mapping[str, NDArray[np.bool_]] | None = None,
    loop: int | None = None,
) -> Result:
    """One clip. fps: frames a second. The rest as `Asked` has it."""
    return retarget_clips(setup, [Asked(motion, name, contacts or {}, loop)], fps)[0]


def retarget_clips(setup: Setup, clips: Sequence[Asked], fps: float) -> list[Result]:
    """Several clips, to the same results as each by itself. fps: frames a second."""
    alike: dict[bool, list[int]] = {}
    for number, clip in enumerate(clips):
        if not len(clip.motion.frames):
            raise RetroAnimError(f"{clip.name}: there are no frames")
        alike.setdefault(clip.motion.sizes is None, []).append(number)
    results: dict[int, Result] = {}
    for numbers in alike.values():
        results |= dict(zip(numbers, Retargeting(setup, [clips[number] for number in numbers], fps).results(), strict=True))
    return [results[number] for number in range(len(clips))]
