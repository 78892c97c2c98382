"""Knees that bend further than the source's, since their feet are held: by the law of cosines."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget import retarget
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap, Limb
from retro_anim.core.retarget.figures.motion import Motion, rest_motion
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.reports import knees
from retro_anim.core.retarget.retarget import Asked, Result
from retro_anim.core.retarget.setup import prepare

from .. import rigs

BODY = rigs.humanoid()
TARGET = rigs.reordered(rigs.humanoid(rigs.random_rotations(8), rigs.OFFSETS * 1.3))
"""Its bones are in another order."""
LEG = ("UpperLeg", "LowerLeg", "Foot")
FRAMES = 30


def sliding(metres: float) -> Motion:
    """A body with both legs stretched ahead by 25 degrees that slides ahead, so that its hips come above where its feet were, and back."""
    rest, away = rest_motion(BODY), quat.about(np.array([1.0, 0, 0]), np.radians(-25.0))
    positions, rotations = BODY.heads.copy(), BODY.quaternions.copy()
    for side in ("left", "right"):
        hip = BODY.index[side + "UpperLeg"]
        for bone in (bone for bone in range(len(BODY)) if BODY.is_below(bone, hip)):
            positions[bone] = BODY.heads[hip] + quat.rotate(away, BODY.heads[bone] - BODY.heads[hip])
            rotations[bone] = quat.multiply(away, rotations[bone])
    positions[:, 2] -= positions[BODY.index["leftFoot"], 2] - BODY.heads[BODY.index["leftFoot"], 2]
    every = np.tile(positions, (FRAMES, 1, 1))
    every[..., 1] -= metres * np.sin(np.linspace(0, np.pi, FRAMES))[:, None]
    return Motion(np.arange(1.0, FRAMES + 1), np.tile(rotations, (FRAMES, 1, 1)), every, None, rest.standing)


def retargeted(motions: list[Motion], limbs: tuple[Limb, ...] = (), **options: Any) -> list[Result]:
    """With the left foot on the ground all the time."""
    setup = prepare(BODY, TARGET, BoneMap(rigs.SAME.pairs, limbs=limbs), Options(floor="REST", **options))
    held = "rightFoot" if options.get("mirror") else "leftFoot"
    asked = [Asked(motion, "clip", {held: np.ones(len(motion.frames), bool)}) for motion in motions]
    return retarget.retarget_clips(setup, asked, 30.0)


def knee(figure: Figure, heads: Floats, side: str) -> Floats:
    """Degrees by which it is not straight, by the lengths of the three sides."""
    hip, middle, ankle = (heads[..., figure.index[side + part], :] for part in LEG)
    upper, lower, across = (np.linalg.norm(one - other, axis=-1) for one, other in ((hip, middle), (middle, ankle), (hip, ankle)))
    return 180 - np.degrees(np.arccos(((upper**2 + lower**2 - across**2) / (2 * upper * lower)).clip(-1, 1)))


@pytest.mark.parametrize("lowers", [False, True])
@pytest.mark.parametrize("mirror", [False, True])
def test_the_knee_of_a_held_leg(mirror: bool, lowers: bool) -> None:
    """Of three clips the first and the last slide. Where the hips come down the other knee, whose foot is detected, bends the furthest."""
    results = retargeted([sliding(0.16), sliding(0.0), sliding(0.2)], mirror=mirror, hips_down=lowers)
    first, second, third = (result.report for result in results)
    assert (second.bend, second.bend_limb, second.bend_frame) == (0, "", 0)
    for report, result in ((first, results[0]), (third, results[2])):
        further = {side: knee(TARGET, result.motion.positions, side) - knee(BODY, BODY.heads, side) for side in ("left", "right")}
        worst = "right" if lowers else "left"
        assert report.bend == pytest.approx(max(each.max() for each in further.values()), abs=1e-3) and report.bend > 20
        assert further[worst].max() > further["left" if lowers else "right"].max()
        assert (report.bend_limb, report.bend_frame) == (f"{worst}Foot", 1 + int(further[worst].round(6).argmax()))
        assert [line for line in report.reasons() if line.startswith(f"{worst} knee bends {report.bend:.0f}°")]
        assert report.bend_hips == (pytest.approx(report.hips_down) if lowers else 0)
    assert third.bend > first.bend + 2


@pytest.mark.parametrize(
    ("limbs", "options"),
    [
        ((), {"feet": False}),
        ((Limb("leftFoot", "BODY"), Limb("rightFoot", "BODY")), {}),
        ((Limb("leftFoot", stance=0.1), Limb("rightFoot", stance=0.1)), {}),
        ((Limb("hips", height=0.8),), {}),
    ],
)
def test_what_is_asked_of_legs_is_not_reported(limbs: tuple[Limb, ...], options: dict[str, Any]) -> None:
    """Nor what is as the source's."""
    (result,) = retargeted([sliding(0.2)], limbs, **options)
    assert (result.report.bend, result.report.bend_limb) == (0, "")


@pytest.mark.parametrize(("drop", "degrees", "is_why"), [(0.2, 30.0, True), (0.01, 30.0, True), (0.008, 30.0, False), (0.002, 30.0, False)])
def test_hips_that_come_down_too_little_are_not_why_a_knee_bends(drop: float, degrees: float, is_why: bool) -> None:
    """Of a leg of 1 m that is straight, 8.5 mm bend the knee by 15 degrees: its two halves, as long as cos 7.5 degrees together."""
    down = np.array([0.5, drop])
    assert knees.by_hips(knees.Bend(degrees, "leftFoot", 1), down, 1.0) == (drop if is_why else 0)
    assert knees.by_hips(knees.Bend(degrees, "leftFoot", 1), 3 * down, 3.0) == (3 * drop if is_why else 0), "of whatever size"
    assert knees.by_hips(knees.Bend(), down, 1.0) == 0 and knees.by_hips(knees.Bend(degrees, "leftFoot"), np.zeros(0), 1.0) == 0


def test_the_other_leg_than_the_one_that_is_asked() -> None:
    (result,) = retargeted([sliding(0.2)], (Limb("leftFoot", "BODY"),))
    assert result.report.bend_limb == "rightFoot"
