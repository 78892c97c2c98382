"""The pose that a person asks for: a character's joints on a body that is given or beside the file, or an object's matrix."""

from __future__ import annotations

import numpy as np

from ..files.registry import Opened
from ..motion.pose import Pose, Wanted
from ..motion.rotations.rotation_matrix import Floats
from ..reporting import log
from ..reporting.errors import FormatError
from .body.body import Body
from .body.body_read import read_body
from .body.body_search import find_body
from .motion.evaluate import RATE, Interpolation, Joints, chain, local_rotations, root_at, rotations_of
from .motion.object_motion import matrix_at
from .records.oban import TAG, Oban
from .records.tram import Tram

IMPORTED: Interpolation = "nlerp"
"""Between keys, as an import shows it that does not say otherwise: keys where the game has them. A key a frame is made by slerp."""


def pose_of(opened: Opened, wanted: Wanted) -> Pose:
    """Raises FormatError when the body cannot be used, or there is no such frame."""
    animation = animation_of(opened.document)
    interpolation: Interpolation = "slerp" if wanted.interpolation == "slerp" else IMPORTED
    if isinstance(animation, Oban):
        if wanted.skeleton:
            log.warning(f"the animation of an object has no bones: {wanted.skeleton} is not used")
        matrices = matrix_at(animation, _frame(wanted, max(animation.length, int(animation.keys["frame"][-1]) + 1)), interpolation)[None]
        return Pose(TAG, _time(wanted), (animation.name or TAG,), np.array([-1], np.int32), matrices, np.zeros(3), 0.0, {})
    given = wanted.skeleton
    body = read_body(given) if given else find_body(opened.address, animation.name, bones=animation.bone_count)
    if len(body) != animation.bone_count:
        raise FormatError(f"{animation.bone_count} bones; {body.name or 'the body of our own'} has {len(body)}")
    frame = np.array([_frame(wanted, animation.frame_count)])
    joints = joints_at(animation, body, frame, interpolation)
    path = root_at(animation, frame)[0] * [1.0, 0, 1]
    return Pose("TRAM", _time(wanted), body.names, body.parents, joints.matrices[0], path, 0.0, {})


def joints_at(tram: Tram, body: Body, frames: Floats, interpolation: Interpolation = "slerp") -> Joints:
    """The joints at frames (T,). Without heights of its own the animation is at the body's neutral one. Raises FormatError."""
    root = root_at(tram, frames)
    if tram.heights is None:
        root[:, 1] = body.height
    return chain(body.parents, body.offsets, local_rotations(rotations_of(tram), frames, interpolation), root)


def animation_of(document: object) -> Tram | Oban:
    """The record in any document that is one animation: a .oni or an XML."""
    for field in ("tram", "oban"):
        record = getattr(document, field, None)
        if isinstance(record, Tram | Oban):
            return record
    raise FormatError("no animation")


def _frame(wanted: Wanted, count: int) -> float:
    if wanted.frame is None:
        return float(np.clip(wanted.time * RATE, 0, max(count - 1, 0)))
    if not 0 <= wanted.frame < count:
        raise FormatError(f"there is no frame {wanted.frame}; the animation has {count}, counted from 0")
    return float(wanted.frame)


def _time(wanted: Wanted) -> float:
    return wanted.time if wanted.frame is None else wanted.frame / RATE
