"""What is measured bone by bone, of a body whose joints and rotations are given: before feet and hands are bent, and as it is keyed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.motion import Motion, rest_motion
from retro_anim.core.retarget.ground.body import Bearing
from retro_anim.core.retarget.ground.soles import Sole, Soles, Toe
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.reports.gauge import Gauge, Motions
from retro_anim.core.retarget.setup import prepare

from .. import rigs

BODY = rigs.humanoid()
AT = BODY.index
SETUP = prepare(BODY, BODY, rigs.SAME, Options())
FRAMES = 3
NONE = Soles(BODY, {}, np.zeros(FRAMES, bool))


def posed(away: dict[str, tuple[float, float, float]] | None = None, rotated: dict[str, list[float]] | None = None) -> Motion:
    """A body at rest. away: metres by which joints are elsewhere in the second frame. rotated: degrees by frame about X of bones, with
    which nothing goes."""
    rest = rest_motion(BODY)
    positions, rotations = np.tile(BODY.heads, (FRAMES, 1, 1)), np.tile(BODY.quaternions, (FRAMES, 1, 1))
    for name, offset in (away or {}).items():
        positions[1, AT[name]] += offset
    for name, degrees in (rotated or {}).items():
        rotations[:, AT[name]] = quat.multiply(quat.about(np.array([1.0, 0, 0]), np.radians(degrees)), rotations[:, AT[name]])
    return Motion(np.arange(float(FRAMES)), rotations, positions, None, rest.standing)


def measured(final: Motion, changed: set[str], bent: set[str], bearing: Bearing | None = None, below: Soles = NONE) -> Gauge:
    """All of a body that follows one at rest; before its limbs are bent it is at rest, too."""
    motions = Motions(posed(), posed(), final, {AT[name] for name in changed}, {AT[name] for name in bent}, {})
    gauge = Gauge(SETUP, motions, bearing, below)
    for bone in BODY.along_limbs:
        gauge.add(bone)
    return gauge


def test_only_what_is_bent_snaps() -> None:
    """A knee by 9 and 4 degrees beyond; a head does not, though it rotates further."""
    final = posed(rotated={"leftLowerLeg": [0, 9, 13], "head": [0, 50, 0]})
    snap = measured(final, {"leftLowerLeg", "head"}, {"leftLowerLeg"}).snap
    assert (snap.most, snap.bones.tolist(), snap.rows.tolist()) == (pytest.approx([9], abs=1e-4), [AT["leftLowerLeg"]], [1])
    assert measured(final, {"leftLowerLeg", "head"}, set()).snap.bones.tolist() == [-1]


@pytest.mark.parametrize(("changed", "joint", "excess"), [(set[str](), 0.3, 30), ({"leftLowerArm"}, 0.2, 30), ({"leftHand"}, 0.2, 0)])
def test_joints_and_rotations_count_as_they_are_before_limbs_are_bent(changed: set[str], joint: float, excess: float) -> None:
    """The left hand is off by 0.3 m and rotates by 30 degrees, the right one is off by 0.2: those below what is changed are not measured
    as they are keyed, and the rotation of what is changed itself is not."""
    final = posed({"leftHand": (0.0, 0, 0.3), "rightHand": (0.0, 0.2, 0)}, {"leftHand": [0, 30, 30]})
    gauge = measured(final, changed, set())
    assert np.max(gauge.joints, axis=0) == pytest.approx([joint], abs=1e-6)
    assert gauge.excess == pytest.approx([excess], abs=1e-4)
    forearm = BODY.heads[AT["leftHand"]] - BODY.heads[AT["leftLowerArm"]]
    higher = forearm + np.array([0, 0, 0.3])
    off = float(np.degrees(np.arccos(forearm @ higher / np.linalg.norm(forearm) / np.linalg.norm(higher))))
    assert gauge.shown["leftLowerArm"] == pytest.approx([off], abs=1e-4)
    largest, mean = gauge.limbs["leftLowerArm"]
    assert (largest, mean) == tuple(pytest.approx([0 if changed else each], abs=1e-4) for each in (off, off / FRAMES))


def lying(wanted: Floats, *names: str) -> Bearing:
    """The ground is at 0.02 below feet, at -0.05 below others. names: of the bones that bear."""
    rows = tuple(SETUP.binding.roles[name] for name in names)
    feet = frozenset(row for row, name in zip(rows, names, strict=True) if name.endswith("Foot"))
    under = {row: np.full(FRAMES, -0.1) for row in rows if row not in feet}
    ones = np.ones(FRAMES)
    return Bearing(wanted, ones, 0 * ones, (0.02, -0.05), rows, feet, np.ones((len(rows), 1), bool), 0.0, under)


def test_the_lowest_joint_or_sole_of_what_bears() -> None:
    """A foot, 0.1 above the ground in the second frame, and the head, 0.5 in it in the third: 0.4 deeper than it may be."""
    foot, head = (SETUP.binding.roles[name] for name in ("leftFoot", "head"))
    final = posed()
    final.positions[:, AT["leftFoot"], 2] = [0.32, 0.12, 0.32]
    final.positions[:, AT["head"], 2] = [0.95, 0.95, -0.55]
    bearing = lying(np.array([0.0, -0.04, 0.0]), "leftFoot", "head")
    gauge = measured(final, set(), set(), bearing)
    assert gauge.lowest.lowest == pytest.approx([0.3, 0.1, -0.5]) and gauge.lowest.rows.tolist() == [foot, foot, head]
    assert gauge.deepest.lowest == pytest.approx([0.1, 0.1, -0.4]) and gauge.deepest.rows.tolist() == [head] * 3
    # What hangs on the foot is 0.4 lower than its joint, which stands 0.02 high: 0.1, 0.3 and 0.1 below the ground.
    heel = Toe(AT["leftFoot"], np.zeros(3), np.zeros(3), (0.42, 0.42))
    nothing = np.zeros(FRAMES)
    sole = Sole(AT["leftFoot"], (heel,), None, 0.0, nothing, nothing, nothing)
    soled = measured(final, set(), set(), bearing, replace(NONE, by_leg={"leftFoot": sole}))
    assert soled.lowest.lowest == pytest.approx([-0.1, -0.04 - 0.3, -0.5]) and soled.lowest.rows.tolist() == [foot, foot, head]
    assert soled.deepest.lowest == pytest.approx(gauge.deepest.lowest)
