"""One pose of a skeleton file, as the `pose` command reports it."""

from __future__ import annotations

import numpy as np

from ..files.registry import Opened
from ..motion.pose import Pose, Wanted
from ..motion.rotations.rotation_matrix import Floats
from ..reporting import log
from ..reporting.errors import FormatError
from .files.skeleton.lab import Lab
from .files.skeleton.lab_layout import RATE
from .motion.evaluate import Between, local_at, local_matrices, world_of_local


def pose_of(opened: Opened, wanted: Wanted) -> Pose:
    """Raises FormatError when there is no such frame, or keys are so large that the pose is beyond all numbers."""
    lab = opened.document
    assert isinstance(lab, Lab)
    if wanted.skeleton:
        log.warning(f"a skeleton file has its own bones: {wanted.skeleton} is not used")
    with np.errstate(all="ignore"):
        if wanted.frame is not None:
            pose = pose_of_frame(lab, wanted.frame)
        else:
            pose = pose_at(lab, wanted.time, "nlerp" if wanted.interpolation == "nlerp" else "slerp")
    finite = np.isfinite(pose.matrices).all(axis=(1, 2))
    if not finite.all():
        raise FormatError(f"the keys of {lab.names[int(np.argmin(finite))]!r} are too large for a pose")
    return pose


def pose_of_frame(lab: Lab, frame: int) -> Pose:
    """Raises FormatError when there is no such frame."""
    if not 0 <= frame < lab.frame_count:
        raise FormatError(f"there is no frame {frame}; the animation has {lab.frame_count}, counted from 0")
    return _pose(lab, frame / RATE, local_matrices(lab, slice(frame, frame + 1))[0])


def pose_at(lab: Lab, time: float, between: Between = "slerp") -> Pose:
    """`time` seconds after frame 0; before it and after the last frame the pose holds."""
    return _pose(lab, time, local_at(lab, time * RATE, between))


def _pose(lab: Lab, time: float, local: Floats) -> Pose:
    world = world_of_local(lab, local[None])[0]
    return Pose("LAB", time, lab.names, lab.parents, world.swapaxes(1, 2), np.zeros(3), 0.0, {})
