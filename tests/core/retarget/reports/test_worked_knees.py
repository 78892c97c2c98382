"""Which knee or elbow bends further than the source's, and when, of joints that are bent by given angles."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.retarget.figures.motion import Motion, rest_motion
from retro_anim.core.retarget.ground.soles import Soles
from retro_anim.core.retarget.limb_goals.limb_joints import joint_roles
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.reports.gauge import Gauge, Motions
from retro_anim.core.retarget.reports.knees import furthest
from retro_anim.core.retarget.reports.report import BEND
from retro_anim.core.retarget.setup import prepare

from .. import rigs

BODY = rigs.humanoid()
AT = BODY.index
AHEAD = np.array([0.0, -1, 0])
LOWER = {"leftFoot": "leftLowerLeg", "rightFoot": "rightLowerLeg", "leftHand": "leftLowerArm", "rightHand": "rightLowerArm"}
COUNTS = (3, 2)
NONE = (0, "", 0)


def bent(**degrees: list[float]) -> Motion:
    """By limb the angles of its knee or elbow in each frame, forward or backward; others are straight."""
    rest, count = rest_motion(BODY), sum(COUNTS)
    positions = np.tile(BODY.heads, (count, 1, 1))
    for limb in LOWER:
        first, middle, end = (AT[role] for role in joint_roles(limb))
        along = BODY.heads[middle] - BODY.heads[first]
        across = np.cross(along, AHEAD)
        lower = along / np.linalg.norm(along) * np.linalg.norm(BODY.heads[end] - BODY.heads[middle])
        angles = np.radians(degrees.get(limb, [0.0] * count))
        positions[:, end] = BODY.heads[middle] + quat.rotate(quat.about(across / np.linalg.norm(across), angles), lower)
    return Motion(np.arange(float(count)), np.tile(BODY.quaternions, (count, 1, 1)), positions, None, rest.standing, COUNTS)


def gauge(source: Motion, final: Motion, *held: str, mirror: bool = False) -> Gauge:
    """held: the limbs that are."""
    setup = prepare(BODY, BODY, rigs.SAME, Options(mirror=mirror))
    motions = Motions(source, source, final, set(), {AT[LOWER[limb]] for limb in held}, {})
    return Gauge(setup, motions, None, Soles(BODY, {}, np.zeros(sum(COUNTS), bool)))


def reported(measured: Gauge, wanted: Collection[str] = ()) -> list[tuple[float, str, int]]:
    """Of each clip degrees, to a thousandth, the limb and the row."""
    return [(round(each.degrees, 3), each.limb, each.row) for each in furthest(measured, wanted)]


SOURCE = bent(leftFoot=[10.0] * 5, rightFoot=[40.0] * 5)
FINAL = bent(
    leftFoot=[10, 15 + BEND, 15 + BEND, 10, 11 + BEND],
    rightFoot=[40, 40, 44.5 + BEND, 40, 42 + BEND],
    leftHand=[0, 0, 0, BEND + 9, 0],
    rightHand=[BEND - 0.01, 0, 0, 0, 0],
)


def test_the_joint_of_a_held_limb_that_bends_the_furthest_in_each_clip() -> None:
    """The first of frames that are alike; what is not held, or is meant to bend, counts nothing."""
    every = gauge(SOURCE, FINAL, *LOWER)
    assert reported(every) == [(BEND + 5, "leftFoot", 1), (BEND + 9, "leftHand", 3)]
    assert reported(every, {"leftHand"}) == [(BEND + 5, "leftFoot", 1), (BEND + 2, "rightFoot", 4)]
    assert reported(every, {"leftHand", "leftFoot"}) == [(BEND + 4.5, "rightFoot", 2), (BEND + 2, "rightFoot", 4)]
    assert reported(every, {"leftHand", "leftFoot", "rightFoot"}) == [NONE, NONE], "an elbow that bends by a little less"
    assert reported(gauge(SOURCE, FINAL, "leftFoot")) == [(BEND + 5, "leftFoot", 1), (BEND + 1, "leftFoot", 4)]
    assert reported(gauge(SOURCE, FINAL)) == [NONE, NONE]


def test_of_joints_that_bend_alike_the_first_is_named() -> None:
    """But for rounding."""
    final = bent(leftFoot=[0, BEND + 3, 0, 0, 0], rightFoot=[BEND + 3 + 5e-7, 0, 0, 0, 0])
    assert reported(gauge(bent(), final, *LOWER))[0] == (BEND + 3, "leftFoot", 1)


def test_a_mirrored_limb_is_compared_with_the_source_s_other_one() -> None:
    """The right knee, of a source that bends its left one by 10 degrees, and the left one, of one that bends its right one by 40."""
    first, second = reported(gauge(SOURCE, FINAL, "leftFoot", "rightFoot", mirror=True))
    assert (first, second) == ((BEND + 34.5, "rightFoot", 2), (BEND + 32, "rightFoot", 4))
    assert reported(gauge(SOURCE, FINAL, "leftFoot", mirror=True)) == [NONE, NONE]


@pytest.mark.parametrize(
    ("shown", "looked"),
    [
        ({"leftUpperLeg": 0.5 * BEND, "leftLowerLeg": 0.5 * BEND}, True),
        ({"leftUpperLeg": 0.1 * BEND, "leftLowerLeg": BEND}, True),
        ({"leftUpperLeg": 0.4 * BEND, "leftLowerLeg": 0.5 * BEND}, False),
        ({"leftUpperLeg": 0.1, "leftFoot": 0.1}, True),
        ({"leftLowerLeg": 0.1}, True),
    ],
)
def test_a_joint_bends_further_by_no_more_than_its_two_bones_point_elsewhere(shown: dict[str, float], looked: bool) -> None:
    """Where that is known of both: in the clip in which they do so the furthest."""
    held = gauge(SOURCE, FINAL, "leftFoot")
    held.shown |= {name: np.array([0.0, degrees]) for name, degrees in shown.items()}
    assert reported(held)[0] == ((BEND + 5, "leftFoot", 1) if looked else NONE)
