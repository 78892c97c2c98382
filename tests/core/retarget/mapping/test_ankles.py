"""Rigs whose bone called foot stands at the ball of the foot: the shin ends at the ankle, whatever that is called."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.motion import Motion
from retro_anim.core.retarget.mapping.mapping import labels_of, map_bones
from retro_anim.core.retarget.retarget import Options, retarget
from retro_anim.core.retarget.setup import prepare

from ..rigs import dance
from .zoo import LEG, Built, Rig, build
from .zoo_changes import posed, proportioned
from .zoo_held_out import HELD_OUT
from .zoo_rigs import COMMON

MGEAR = next(rig for rig in HELD_OUT if rig.name == "mGear")
DIVISIONS = "leg_*0_0_jnt, +leg_*0_1_jnt, leg_*0_2_jnt, +leg_*0_3_jnt, leg_*0_end_jnt, foot_*0_0_jnt, +foot_*0_1_jnt"
KNEE, ANKLE, BALL = "leg_L0_2_jnt", "leg_L0_end_jnt", "foot_L0_0_jnt"


def moved(built: Built, offsets: dict[str, tuple[float, float, float]]) -> Built:
    """The rig with joints elsewhere: name with `*` for the side -> metres from its parent's joint, those of the left side."""
    rest = np.array(built.figure.rest)
    for letter, sign in (("L", 1.0), ("R", -1.0)):
        for name, offset in offsets.items():
            bone = built.figure.names.index(name.replace("*", letter))
            rest[bone, :3, 3] = rest[built.figure.parents[bone], :3, 3] + np.array(offset) * [sign, 1, 1]
    return replace(built, figure=replace(built.figure, rest=rest))


def with_toes() -> Built:
    return moved(build(replace(MGEAR, leg=DIVISIONS)), {"foot_*0_1_jnt": (0.0, -0.07, -0.005)})


def leg_of(built: Built, side: str = "left") -> list[str | None]:
    roles = labels_of(built.figure).roles
    return [built.figure.names[roles[side + part]] if side + part in roles else None for part in LEG]


@pytest.mark.parametrize("leg", [MGEAR.leg + ", +foot_*0_1_jnt", DIVISIONS, DIVISIONS.replace("foot_*0_1", "toe_*0_1")])
def test_the_ankle_is_the_foot_and_what_is_called_foot_the_toes(leg: str) -> None:
    built = moved(build(replace(MGEAR, leg=leg)), {leg.split("+")[-1]: (0.0, -0.07, -0.005)})
    for change in (lambda rig, seed: rig, proportioned, posed):
        for side, letter in (("left", "L"), ("right", "R")):
            assert leg_of(change(built, 3), side)[2:] == [f"leg_{letter}0_end_jnt", f"foot_{letter}0_0_jnt"]


@pytest.mark.parametrize("count", [1, 2, 3, 4])
@pytest.mark.parametrize("change", [None, proportioned])
def test_bones_that_divide_thigh_and_shin_are_not_their_joints(count: int, change: Callable[[Built, int], Built] | None) -> None:
    """They lie on the line from joint to joint, as many as there may be."""
    names = [f"leg_*0_{number}_jnt" for number in range(2 * count + 2)]
    rows = [name if number in (0, count + 1) else "+" + name for number, name in enumerate(names)]
    built = build(replace(MGEAR, leg=", ".join((*rows, "leg_*0_end_jnt, foot_*0_0_jnt, +foot_*0_1_jnt"))))
    step = 0.43 / (count + 1), 0.41 / (count + 1)
    upper = dict.fromkeys(names[1 : count + 2], (0.0, -0.015 / (count + 1), -step[0]))
    lower = dict.fromkeys((*names[count + 2 :], "leg_*0_end_jnt"), (0.0, 0.035 / (count + 1), -step[1]))
    built = moved(built, upper | lower | {"foot_*0_0_jnt": (0.0, -0.14, -0.07), "foot_*0_1_jnt": (0.0, -0.07, -0.005)})
    built = change(built, 1) if change else built
    assert leg_of(built) == ["leg_L0_0_jnt", f"leg_L0_{count + 1}_jnt", ANKLE, BALL]


def test_one_leg_in_a_stride_does_not_part_the_feet() -> None:
    """The left foot hangs down in line with its shin, which shows no ankle; the right one's does."""
    built = with_toes()
    rest = np.array(built.figure.rest)
    ankle, ball = (built.figure.names.index(name) for name in (ANKLE, BALL))
    rest[ball, :3, 3] = rest[ankle, :3, 3] + [0, 0.01, -0.15]
    hanging = replace(built, figure=replace(built.figure, rest=rest))
    assert [leg_of(hanging, side)[2:] for side in ("left", "right")] == [[ANKLE, BALL], ["leg_R0_end_jnt", "foot_R0_0_jnt"]]


PLAIN = Rig("Plain", ("L", "R"), "| hips | spine, chest | neck | head", "clavicle_*, upperarm_*, forearm_*, hand_*", "")
LEGS = "thigh_*, shin_*, +between_*, foot_*, toe_*"


@pytest.mark.parametrize(
    "offsets",
    [
        {},
        {"between_*": (0.0, 0.07, -0.3)},  # a muscle of the calf, behind the shin
        {"between_*": (0.0, 0.045, -0.405)},  # where the foot is
        {"between_*": (0.0, 0.12, -0.15), "foot_*": (0.0, -0.07, -0.25), "toe_*": (0.0, -0.03, -0.11)},  # a hock
    ],
)
def test_what_is_no_ankle_leaves_the_foot_alone(offsets: dict[str, tuple[float, float, float]]) -> None:
    built = moved(build(replace(PLAIN, leg=LEGS)), offsets)
    assert leg_of(built) == ["thigh_L", "shin_L", "foot_L", "toe_L"]


def direction(built: Built, motion: Motion, first: str, second: str) -> Floats:
    """(F, 3) unit vectors from joint to joint."""
    ones, twos = (motion.positions[:, built.figure.names.index(name)] for name in (first, second))
    return (twos - ones) / np.linalg.norm(twos - ones, axis=1, keepdims=True)


def test_the_shin_points_where_the_source_s_does() -> None:
    source, target = build(next(rig for rig in COMMON if rig.name == "Mixamo")), with_toes()
    _, motion = dance(source.figure, most=0.5)
    bone_map = map_bones(source.figure, target.figure)
    result = retarget(prepare(source.figure, target.figure, bone_map, Options(feet=False)), motion, 30.0, "clip")
    wanted = direction(source, motion, "mixamorig:LeftLeg", "mixamorig:LeftFoot")
    off = np.degrees(np.arccos((wanted * direction(target, result.motion, KNEE, ANKLE)).sum(axis=1).clip(-1, 1)))
    assert off.max() < 0.001
