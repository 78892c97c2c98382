"""Reasons in how strips of the NLA, and parts between markers, play an action why a bone is not written as it is shown."""

from __future__ import annotations

import numpy as np

from .....core.motion.rotations.rotation_matrix import Floats
from ....blender import identity
from ....blender.arrays import of_property
from ....blender.motion.nla import nla_keys
from . import in_keys
from .case import CLOSE, Case
from .in_keys import ROUNDED


def between_frames(case: Case) -> bool:
    """Near a frame at which the NLA shows what no straight line between two keys does."""
    action = case.pair.clip.action
    return nla_keys.PLAYED not in action and bool(_near(case, of_property(action.get(nla_keys.BETWEEN))).size)


def bent(case: Case) -> bool:
    """Near a frame at which a curve of its own does that, of a part of an action or of what a strip plays."""
    frames = _near(case, of_property(case.pair.clip.action.get(nla_keys.BENT)))
    return any((np.abs(curve.keys[:, :1] - frames) < CLOSE).any() for _, curve in case.curves)


def _near(case: Case, frames: Floats) -> Floats:
    """Those of the frames (K,) that are less than one away."""
    return frames[np.abs(frames - case.difference.frame) < 1]


def rescaled(case: Case) -> str:
    """The Scale of the strip whose keys lie where the file has none, of one that plays faster or slower than its action is."""
    played = of_property(case.pair.clip.action.get(nla_keys.PLAYED))
    if played.size < 4:
        return ""
    first, last, begins, ends = played.tolist()
    scale = abs(ends - begins) / max(last - first, CLOSE)
    return f"{scale:.4g}" if abs(scale - 1) > ROUNDED and in_keys.off_grid(case) else ""


def cut_between(case: Case) -> str:
    """Where a part of a clip that plays at its own speed begins, so that all its keys are, or ends between two frames of the game."""
    action, before, rate = case.pair.clip.action, case.pair.before, identity.rate_of(case.pair.clip.obj)
    played, began = of_property(action.get(nla_keys.PLAYED)), action.get(nla_keys.BEGAN)
    if played.size < 4 or before is None or rate is None or not isinstance(began, float):
        return ""
    first, last, begins, ends = played.tolist()
    if abs(abs(ends - begins) - (last - first)) > ROUNDED:
        return ""
    passed = (played[:2] - began) * rate / before.fps
    begins_so, ends_so = (np.abs(passed - np.rint(passed)) > ROUNDED).tolist()
    if not (begins_so or ends_so) or not (in_keys.off_grid(case) or in_keys.beyond(case)):
        return ""
    return f"begins at frame {first:g}" if begins_so else f"ends at frame {last:g}"
