"""One pose of an animation on a body, at a keyframe or at any time."""

from __future__ import annotations

import numpy as np

from ...motion.pose import Pose
from ...reporting.errors import FormatError
from ..body.body import Body
from ..files.anm import Anm
from ..files.variant import Variant
from .evaluate import evaluate
from .playback import RootMotion, State, root_at, root_at_keys, rotations_of, state_at


def pose_at(anm: Anm, body: Body, game: Variant, time: float) -> Pose:
    """The pose `time` seconds after keyframe 0; before it and after the last keyframe the animation holds."""
    times = np.array([max(time, 0.0) * game.rate])
    return _pose(body, game, time, state_at(anm, game, times), root_at(anm, game, times))


def pose_of_keyframe(anm: Anm, body: Body, game: Variant, key: int) -> Pose:
    """The pose of keyframe `key`, also where another keyframe stands at the same time. Raises FormatError when there is none."""
    count = len(anm.frames)
    if not 0 <= key < count:
        raise FormatError(f"there is no frame {key}; the animation has {count}, counted from 0")
    state = state_at(Anm(0, 0, anm.frames[[key]]), game, np.zeros(1))
    keys = root_at_keys(anm.steps.astype(np.int64), rotations_of(anm, game), game)
    root = RootMotion(keys.positions[[key]], keys.angles[[key]])
    return _pose(body, game, int(anm.times[key]) / game.rate, state, root)


def _pose(body: Body, game: Variant, time: float, state: State, root: RootMotion) -> Pose:
    posed = evaluate(body, state, game)
    skeleton = body.skeleton()
    heading = float(root.angles[0, 1]) * (2 * np.pi / game.rotation)
    return Pose("ANM", time, skeleton.names, skeleton.parents, posed.matrices[0], root.positions[0], heading, {"pivot": posed.pivots[0]})
