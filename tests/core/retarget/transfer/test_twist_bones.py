"""Bones along a limb that share its twist: which they are, and how much of it each takes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.maps.bone_map import PairOptions
from retro_anim.core.retarget.figures.motion import Local
from retro_anim.core.retarget.figures.walk import forward
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.retarget import retarget
from retro_anim.core.retarget.setup import prepare
from retro_anim.core.retarget.transfer.binding import bind
from retro_anim.core.retarget.transfer.twist import twist_bones

from .. import rigs

BODY = rigs.humanoid()


def helped(limb: str, *shares: float, name: str = "twist", length: float = 0.1) -> Figure:
    """The body with helpers at shares of a limb's way to its next joint, each that long along it."""
    bone = BODY.index[limb]
    offset = BODY.heads[BODY.children[bone][0]] - BODY.heads[bone]
    y = offset / np.linalg.norm(offset)
    x = np.cross(y, [0.3, 0.8, 0.5])
    x /= np.linalg.norm(x)
    rests: list[Floats] = []
    for share in shares:
        rest = np.eye(4)
        rest[:3, :3] = np.stack([x, y, np.cross(x, y)], axis=1)
        rest[:3, 3] = BODY.heads[bone] + share * offset
        rests.append(rest)
    names = (*BODY.names, *(f"{name}{number}" for number in range(len(shares))))
    parents = np.append(BODY.parents, [bone] * len(shares)).astype(np.int32)
    lengths = np.append(BODY.lengths, [length * float(np.linalg.norm(offset))] * len(shares))
    return Figure(names, parents, np.concatenate([BODY.rest, np.array(rests)]), lengths)


@pytest.mark.parametrize(
    ("shares", "length", "parts"),
    [
        ((0.25, 0.75), 0.1, [0.25, 0.75]),
        ((0.05, 0.5), 0.1, [0.05, 0.5]),
        ((0.5,), 0.5, [0.5]),
        ((0.0,), 1.0, [0.5]),  # one as long as the limb stands for its middle
        ((0.0,), 3.0, [0.5]),
        ((0.05,), 0.5, [0.3]),
        ((0.12,), 0.5, [0.12]),
        ((-0.2, 1.4), 0.1, [0.0, 1.0]),
    ],
)
@pytest.mark.parametrize("limb", ["leftLowerArm", "rightUpperArm", "leftLowerLeg", "rightUpperLeg"])
def test_a_helper_has_its_part_of_the_way(limb: str, shares: tuple[float, ...], length: float, parts: list[float]) -> None:
    figure = helped(limb, *shares, length=length)
    binding = bind(rigs.SAME, BODY, figure, BODY.heads)
    given = twist_bones(binding)
    assert list(given) == list(range(len(BODY), len(figure)))
    assert [binding.followers[row].role for row, _ in given.values()] == [limb] * len(parts)
    assert [part for _, part in given.values()] == pytest.approx(parts)


@pytest.mark.parametrize(
    ("limb", "name", "is_one"),
    [
        ("leftLowerArm", "ForeTwist", True),
        ("leftLowerArm", "roll_", True),
        ("leftLowerArm", "roller", False),
        ("leftLowerArm", "muscle", False),
        ("leftHand", "twist", False),
        ("spine", "twist", False),
    ],
)
def test_helpers_are_known_by_their_names_and_limbs(limb: str, name: str, is_one: bool) -> None:
    assert bool(twist_bones(bind(rigs.SAME, BODY, helped(limb, 0.5, name=name), BODY.heads))) == is_one


@pytest.mark.parametrize(
    ("limb", "next_one", "part"), [("leftLowerArm", "leftHand", 0.25), ("leftUpperArm", "", 0.25 - 1), ("leftUpperLeg", "", 0.25 - 1)]
)
def test_helpers_take_their_part_of_the_twist(limb: str, next_one: str, part: float) -> None:
    """Along the forearm that of the hand; along upper arm and thigh they hold its own back, all of it at the joint. By 80 degrees."""
    figure = helped(limb, 0.25)
    bone = BODY.index[next_one or limb]
    offset = BODY.heads[BODY.children[BODY.index[limb]][0]] - BODY.heads[BODY.index[limb]]
    own = np.tile(quat.IDENTITY, (2, len(BODY), 1))
    angle = np.radians(80.0)
    own[1, bone] = quat.about(offset / np.linalg.norm(offset), angle)
    motion = forward(BODY, np.arange(2.0), Local(np.zeros((2, len(BODY), 3)), own))
    setup = prepare(BODY, figure, rigs.SAME, Options(feet=False, floor="REST"))
    local = retarget(setup, motion, 30.0, "clip").local
    helper = quat.multiply(quat.conjugate(local.rotations[0, -1]), local.rotations[1, -1])
    assert helper * np.sign(helper[0]) == pytest.approx([np.cos(part * angle / 2), 0, np.sin(part * angle / 2), 0], abs=1e-4)


@pytest.mark.parametrize(
    ("options", "hand", "part"),
    [
        (PairOptions(rotation="NONE"), PairOptions(), 0.25),  # the forearm is carried; the hand rotates against it as it did
        (PairOptions(space="LOCAL"), PairOptions(), 0.25),
        (PairOptions(), PairOptions(space="LOCAL"), 0.25),
        (PairOptions(), PairOptions(weight=0.5), 0.125),
        (PairOptions(), PairOptions(rotation="SWING"), 0.0),
        (PairOptions(), PairOptions(rotation="NONE"), 0.0),
    ],
)
def test_helpers_take_their_part_of_what_the_lines_let_through(options: PairOptions, hand: PairOptions, part: float) -> None:
    """A hand that rotates by 80 degrees about the line of the forearm, which is that of the hand's own axis."""
    figure = helped("leftLowerArm", 0.25)
    bone = BODY.index["leftHand"]
    offset = BODY.heads[bone] - BODY.heads[BODY.index["leftLowerArm"]]
    along = offset / np.linalg.norm(offset)
    rest = figure.rest.copy()
    rest[bone, :3, :3] = np.stack([np.cross(along, [0.0, 0, 1]) / np.linalg.norm(np.cross(along, [0.0, 0, 1])), along, np.zeros(3)], axis=1)
    rest[bone, :3, 2] = np.cross(rest[bone, :3, 0], along)
    figure = Figure(figure.names, figure.parents, rest, figure.lengths)
    own = np.tile(quat.IDENTITY, (2, len(BODY), 1))
    angle = np.radians(80.0)
    own[1, bone] = quat.about(along, angle)
    motion = forward(BODY, np.arange(2.0), Local(np.zeros((2, len(BODY), 3)), own))
    lines = {"leftLowerArm": options, "leftHand": hand}
    pairs = tuple(replace(pair, options=lines.get(pair.target, pair.options)) for pair in rigs.SAME.pairs)
    setup = prepare(BODY, figure, replace(rigs.SAME, pairs=pairs), Options(feet=False, floor="REST"))
    local = retarget(setup, motion, 30.0, "clip").local
    helper = quat.multiply(quat.conjugate(local.rotations[0, -1]), local.rotations[1, -1])
    assert helper * np.sign(helper[0]) == pytest.approx([np.cos(part * angle / 2), 0, np.sin(part * angle / 2), 0], abs=1e-4)


@pytest.mark.parametrize("limb", ["leftUpperLeg", "rightLowerArm"])
def test_a_helper_on_which_the_limb_goes_on_moves_no_joint(limb: str) -> None:
    """Half way, and 3 cm beside the line: what hangs on it stays where it is, however far the limb twists."""
    figure, end = helped(limb, 0.5), BODY.children[BODY.index[limb]][0]
    rest, parents = figure.rest.copy(), figure.parents.copy()
    rest[-1, :3, 3] += [0.0, 0.03, 0.0]
    parents[end] = len(BODY)
    order = [*range(end), len(BODY), *range(end, len(BODY))]  # parents before their children
    at = {bone: position for position, bone in enumerate(order)} | {-1: -1}
    figure = Figure(
        tuple(figure.names[bone] for bone in order),
        np.array([at[int(parents[bone])] for bone in order], np.int32),
        rest[order],
        figure.lengths[order],
    )
    _, motion = rigs.dance(BODY)
    setup = prepare(BODY, figure, rigs.SAME, Options(feet=False, floor="REST"))
    result = retarget(setup, motion, 30.0, "clip")
    assert "twist0" in [block.channels[0].bone for block in result.keys]
    joints = result.motion.positions[:, [figure.index[name] for name in BODY.names]]
    assert np.abs(joints - motion.positions).max() < 1e-6
