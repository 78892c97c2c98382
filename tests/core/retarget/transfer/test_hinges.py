"""Limbs whose bones point where they should and are rotated about themselves all the same, which is seen where they bend. The source is the
target's own skeleton in another rest pose, so that it is known beforehand what each bone has to do."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations import rotation_matrix
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.motion import Local, Motion
from retro_anim.core.retarget.figures.walk import forward
from retro_anim.core.retarget.options import Align, Options
from retro_anim.core.retarget.retarget import Result, retarget
from retro_anim.core.retarget.setup import prepare
from retro_anim.core.retarget.transfer.alignment.hinges import at_rest
from retro_anim.core.retarget.transfer.binding import bind

from .. import rigs
from ..ground.stances import Rotations, standing_as

STRAIGHT = np.array(rigs.OFFSETS)
for _part in ("LowerArm", "Hand", "LowerLeg", "Foot"):
    for _side in ("left", "right"):
        STRAIGHT[rigs.NAMES.index(_side + _part), 1] = 0.0
FIGURE = rigs.humanoid(offsets=STRAIGHT)
_LONGER = np.where([[name.endswith(("LowerArm", "Foot"))] for name in rigs.NAMES], 1.2, 1.0)
OTHER = rigs.humanoid(offsets=STRAIGHT * _LONGER)
"""Of other proportions, and the same directions."""
HINGES = {"leftLowerArm": (0, 0, -1), "rightLowerArm": (0, 0, 1), "leftLowerLeg": (1, 0, 0), "rightLowerLeg": (1, 0, 0)}
LIMBS = [side + part for side in ("left", "right") for part in ("UpperArm", "LowerArm", "UpperLeg", "LowerLeg")]

THUMBS_UP: Rotations = {"leftUpperArm": (0, -90), "rightUpperArm": (0, -90)}
_SQUAT = {"UpperLeg": (0, -100), "LowerLeg": (0, 130), "Foot": (0, -30)}
SQUATTING: Rotations = {side + part: rotation for side in ("left", "right") for part, rotation in _SQUAT.items()}
SPLAYED: Rotations = {"leftUpperLeg": (2, 70), "rightUpperLeg": (2, -70)}
RAISED: Rotations = THUMBS_UP | {"leftLowerArm": (1, -60), "rightLowerArm": (1, 60)}


def bending(frames: int = 40, most: float = 1.4) -> Motion:
    """Elbows bend to the front and knees to the back, more and less."""
    local = Local(np.zeros((frames, len(FIGURE), 3)), np.tile(quat.IDENTITY, (frames, len(FIGURE), 1)))
    angles = most * (1 - np.cos(np.linspace(0, 6, frames))) / 2
    for name, axis in HINGES.items():
        local.rotations[:, FIGURE.index[name]] = quat.about(np.array(axis, float), angles)
    return forward(FIGURE, np.arange(1.0, frames + 1), local)


def followed(source: Figure, motion: Motion, align: Align = "AUTO", target: Figure = OTHER) -> Result:
    setup = prepare(source, target, rigs.SAME, Options(align=align, feet=False, floor="REST"), motion=motion)
    return retarget(setup, motion, 30.0, "bending")


def off(result: Result, motion: Motion, names: list[str]) -> float:
    """Degrees by which bones are rotated otherwise than they should be, at most."""
    bones = [FIGURE.index[name] for name in names]
    return float(np.degrees(quat.apart(result.motion.rotations[:, bones], motion.rotations[:, bones])).max())


@pytest.mark.parametrize("rest", [THUMBS_UP, SQUATTING, SPLAYED], ids=["thumbs up", "squatting", "legs splayed"])
def test_a_motion_shows_what_a_rest_pose_does_not(rest: Rotations) -> None:
    """The squatting one's legs are apart, so that they are raised and lowered about other axes than their own."""
    source = standing_as(standing_as(FIGURE, {"leftUpperLeg": (1, -20), "rightUpperLeg": (1, 20)}), rest)
    assert off(followed(source, bending()), bending(), LIMBS) < 5


def test_a_rest_pose_that_is_bent_shows_it_without_a_motion() -> None:
    """To a target whose arms are straight at rest."""
    source = standing_as(FIGURE, RAISED)
    motion = bending(most=0.2)
    assert off(followed(source, motion), motion, ["leftUpperArm", "rightUpperArm"]) < 5


def test_what_hardly_bends_shows_nothing() -> None:
    motion = bending(most=0.3)
    assert off(followed(standing_as(FIGURE, THUMBS_UP), motion), motion, ["leftUpperArm"]) > 80


def test_one_figure_is_copied_as_it_is() -> None:
    """Also one whose elbows bend upwards, as its game has them."""
    figure = standing_as(FIGURE, THUMBS_UP)
    result = followed(figure, bending(), target=figure)
    assert off(result, bending(), list(rigs.NAMES)) < 0.01
    assert not result.report.asking


@pytest.mark.parametrize("align", ["REST", "TPOSE"])
def test_where_nothing_mends_it_the_report_asks_for_a_look(align: Align) -> None:
    lines = followed(standing_as(FIGURE, THUMBS_UP), bending(), align).report.asking
    assert [line for line in lines if "leftUpperArm" in line and "beside where the limb bends: Alignment: Automatic" in line]
    assert not followed(FIGURE, bending(), align).report.asking


def test_an_elbow_that_hangs_a_little_says_nothing_of_the_figure() -> None:
    """Arms of many games' bodies are modelled so, nine degrees here."""
    offsets = np.array(STRAIGHT)
    for side in ("left", "right"):
        offsets[rigs.NAMES.index(f"{side}LowerArm"), 2], offsets[rigs.NAMES.index(f"{side}Hand"), 2] = 0.02, -0.02
    target = rigs.humanoid(rigs.random_rotations(4), offsets)
    result = followed(FIGURE, bending(), target=target)
    bone = target.index["leftUpperArm"]
    carried = quat.multiply(result.motion.rotations[:, bone], quat.conjugate(target.quaternions[bone]))
    assert np.degrees(quat.angle(carried)).max() < 10


def test_few_frames_of_what_is_computed_are_those_of_the_whole() -> None:
    motion = bending(200)
    few = motion.few()
    rows = np.searchsorted(motion.frames, few.frames)
    assert len(rows) == 64 and rows[0] == 0 and rows[-1] == 199
    np.testing.assert_array_equal(few.rotations, motion.rotations[rows])
    assert len(replace(motion).at(np.arange(5)).few().frames) == 5


def test_hips_stay_level_whose_joints_lie_elsewhere() -> None:
    """Thighs that begin above the pelvis' joint in the one and below it in the other, and a spine that begins behind it."""
    offsets = np.array(rigs.OFFSETS)
    offsets[rigs.NAMES.index("spine")] = 0, 0.07, 0.09
    offsets[rigs.NAMES.index("chest")] = 0, -0.06, 0.15
    for side in ("left", "right"):
        offsets[rigs.NAMES.index(f"{side}UpperLeg"), 2] = 0.06
    target = rigs.humanoid(offsets=offsets)
    setup = prepare(rigs.rolled(3), target, rigs.SAME, Options())
    up = rotation_matrix.from_quaternion(setup.references[target.index["hips"]])[:, 2]
    assert np.degrees(np.arccos(up[2])) < 3


def test_where_a_straight_arm_would_bend() -> None:
    """Beside a source whose arm is bent beyond doubt: about the vertical of the body, to whichever side its trunk leans."""
    leaning = np.array(STRAIGHT)
    leaning[rigs.NAMES.index("neck"), 0] += 0.1
    target, source = rigs.humanoid(offsets=leaning), standing_as(FIGURE, RAISED)
    binding = bind(rigs.SAME, source, target, source.heads)
    for side, down in (("left", -1.0), ("right", 1.0)):
        axes = at_rest(binding, binding.roles[f"{side}UpperArm"], np.eye(3))
        assert axes is not None
        assert axes[0, 0] == pytest.approx(0, abs=1e-6)
        assert axes[0, 2] * down > 0.99
        assert np.linalg.norm(axes, axis=1) == pytest.approx([1, 1])


def test_a_clip_that_shows_what_the_first_one_did_not_is_set_up_by_itself() -> None:
    source, still = standing_as(FIGURE, THUMBS_UP), bending(most=0.3)
    setup = prepare(source, OTHER, rigs.SAME, Options(feet=False, floor="REST"), motion=still)
    assert setup.suits(source, setup.poses, still)
    assert not setup.suits(source, setup.poses, bending())


def test_nothing_is_raised_where_nothing_is_aligned() -> None:
    """Legs that are opened, and brought together by alignment, would stand deeper."""
    source = standing_as(FIGURE, {"leftUpperLeg": (1, -20), "rightUpperLeg": (1, 20)})
    assert prepare(source, OTHER, rigs.SAME, Options(align="REST")).legs.aligned == 0
    assert abs(prepare(source, OTHER, rigs.SAME, Options()).legs.aligned) > 0.03
