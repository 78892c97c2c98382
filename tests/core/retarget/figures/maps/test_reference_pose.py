"""Reference poses by hand: two bones, of which one is rotated by a quarter."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.reporting.errors import RetroAnimError
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap, ReferencePose
from retro_anim.core.retarget.figures.maps.reference_pose import motion_of, named, rotations_of

HALF = 0.5**0.5
QUARTER = (HALF, HALF, 0.0, 0.0)
"""About X: from Y to Z."""


def test_a_pose_by_its_name() -> None:
    poses = ReferencePose("A"), ReferencePose("T", {"arm": QUARTER})
    assert named(BoneMap((), poses=poses), "T") is poses[1]
    with pytest.raises(RetroAnimError, match="no reference pose B"):
        named(BoneMap((), poses=poses), "B")


def test_a_pose_is_a_motion_of_one_frame() -> None:
    """The second bone begins 2 along the first's Y axis, and the first at 5 of the world's X: with the first rotated by a quarter the
    second is 2 above it. What the figure does not have is left out."""
    rest = np.tile(np.eye(4), (2, 1, 1))
    rest[1, 1, 3] = 2.0
    world = np.eye(4)
    world[0, 3] = 5.0
    figure = Figure(("upper", "lower"), np.array([-1, 0], np.int32), rest, np.ones(2), world)
    motion = motion_of(figure, {"upper": QUARTER, "of another": QUARTER})
    assert motion.frames.tolist() == [0] and motion.rotations.shape == (1, 2, 4) and motion.positions.shape == (1, 2, 3)
    assert np.allclose(motion.positions, [[[5, 0, 0], [5, 0, 2]]])
    assert np.allclose(quat.apart(np.asarray(motion.rotations)[0], np.array(QUARTER)), 0, atol=1e-7)
    bent = motion_of(figure, {"lower": QUARTER})
    assert np.allclose(bent.positions, [[[5, 0, 0], [5, 2, 0]]])
    assert np.allclose(np.degrees(quat.apart(np.asarray(bent.rotations)[0], np.array(quat.IDENTITY))), [0, 90])


def test_what_is_at_rest_is_left_out() -> None:
    """A hundred thousandth of a radian is not; a quaternion and its opposite are the same rotation."""
    little = (1.0, 0.0, 0.0, 5e-6)
    own = np.array([[1.0, 0, 0, 0], QUARTER, [-1, 0, 0, 0], little, [1, 0, 2e-7, 0]])
    assert rotations_of(("a", "b", "c", "d", "e"), own) == {"b": QUARTER, "d": little}
