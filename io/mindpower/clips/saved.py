"""Clips of a file that were written from here before, and are not among those of an export: what it holds of them stays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ....core.mindpower.files.skeleton.lab import QUAT, Lab
from ....core.mindpower.motion.timeline import Part
from ....core.reporting import log


def beside(base: Lab, saved: Lab, parts: Sequence[Part]) -> Lab:
    """The old time line, to be joined with the actions of an export, `parts`: of frames for which these do not stand it has what is in the
    file, `saved`, where no frame ever gets another number."""
    if not _is_like(base, saved):
        return base
    others = np.ones(base.frame_count, np.bool_)
    for part in parts:
        others[_frames(part)] = False
    keys = base.keys.copy()
    result = replace(base, keys=keys)
    for there, here in zip(_tables(saved), _tables(result), strict=True):
        if np.shares_memory(here, keys):  # positions that are one for all frames are no frame's
            here[:, others] = there[:, : base.frame_count][:, others]
    return result


def is_other(base: Lab, saved: Lab, part: Part) -> bool:
    """Whether the file has other frames by now where an action stands for them."""
    tables, own = zip(_tables(base), _tables(saved), strict=True), _frames(part)
    return _is_like(base, saved) and not all(np.array_equal(before[:, own], now[:, own]) for before, now in tables)


def report_dropped(base: Lab, saved: Lab, lab: Lab) -> None:
    """Say where a file, `lab`, is without clips that were written behind those that came in, since they were new or longer."""
    if _is_like(base, saved) and lab.frame_count < saved.frame_count:
        log.warning(
            f"the last {saved.frame_count - lab.frame_count} frames of the file, which were written before, are left out: choose All "
            "Actions, to write their clips as well"
        )


def _frames(part: Part) -> slice:
    """Of the old time line those that an action stands for."""
    return slice(part.range.start, part.range.end + 1) if part.range is not None else slice(0, 0)


def _is_like(base: Lab, saved: Lab) -> bool:
    """Whether a file still has the bones, the kind of keys and the frames of the old time line, whatever comes behind."""
    kinds = {(lab.version, lab.key_type, lab.bone_count) for lab in (base, saved)}
    return len(kinds) == 1 and bool((base.parents == saved.parents).all()) and saved.frame_count >= base.frame_count


def _tables(lab: Lab) -> tuple[NDArray[np.float32], ...]:
    """(bones, frames, ...) of its keys."""
    return (lab.positions, lab.quaternions) if lab.key_type == QUAT else (lab.matrices,)
