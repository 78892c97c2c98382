"""Clips that are retargeted together give what each gives by itself: keys, contacts and reports."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.retarget import retarget
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap, Chain, Limb
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.retarget import Asked, Result
from retro_anim.core.retarget.setup import prepare

from . import rigs
from .invariants import walk

EULER = tuple("XYZ" if number % 3 == 0 else "AXIS_ANGLE" if number % 7 == 0 else "QUATERNION" for number in range(len(rigs.NAMES)))


def clips(source: Figure) -> list[Asked]:
    """A walk, the same with other signs, in the air, turning about, of one and two frames, with a marked contact, as a loop; a dance."""
    _, walking = walk(40)
    walking = replace(walking, rotations=np.where(np.arange(40)[:, None, None] % 7 == 3, -walking.rotations, walking.rotations))
    negative = replace(walking, rotations=-walking.rotations, frames=walking.frames + 100)
    floating = replace(walking, positions=walking.positions + np.array([3.0, 1.0, 2.0]))
    angles = quat.about(np.array([0.0, 0.0, 1.0]), np.linspace(2, 9, 40))[:, None]
    turning = replace(walking, rotations=quat.multiply(angles, walking.rotations), positions=quat.rotate(angles, walking.positions))
    _, dance = rigs.dance(source, 23, most=2.5)
    marked = {"leftFoot": np.arange(40) < 20}
    return [
        Asked(walking, "walk"),
        Asked(dance, "dance"),
        Asked(negative, "negative"),
        Asked(walking.at(slice(5, 6)), "one"),
        Asked(floating, "floating"),
        Asked(turning, "turning"),
        Asked(walking.at(slice(0, 2)), "two"),
        Asked(walking, "marked", marked),
        Asked(walking, "loop", {}, 7),
    ]


def alike(one: Result, other: Result) -> None:
    assert one.report.name == other.report.name
    mine, own = (replace(each.report, seconds=0.0).document() for each in (one, other))
    close(mine, own)
    assert [block.channels for block in one.keys] == [block.channels for block in other.keys]
    for kind in ("frames", "values"):
        mine, own = (np.concatenate([np.ravel(getattr(block, kind)) for block in each.keys]) for each in (one, other))
        np.testing.assert_allclose(mine, own, rtol=0, atol=1e-6)
    assert one.contacts.keys() == other.contacts.keys()
    for limb, touching in one.contacts.items():
        np.testing.assert_array_equal(touching, other.contacts[limb])
    assert (one.standing is None) == (other.standing is None)
    if one.standing is not None and other.standing is not None:
        np.testing.assert_allclose(one.standing.positions, other.standing.positions, atol=1e-9)
        np.testing.assert_allclose(one.standing.rotations, other.standing.rotations, atol=1e-9)
    np.testing.assert_allclose(one.motion.positions, other.motion.positions, atol=1e-7)
    np.testing.assert_allclose(one.local.rotations, other.local.rotations, atol=1e-7)


def close(one: Any, other: Any) -> None:
    """Nested lists and dictionaries of numbers."""
    if isinstance(one, dict):
        assert one.keys() == other.keys()
        for name in one:
            close(one[name], other[name])
    elif isinstance(one, list | tuple):
        assert len(one) == len(other)
        for first, second in zip(one, other, strict=True):
            close(first, second)
    else:
        assert one == other or abs(one - other) < 2e-6, (one, other)


FEWER = BoneMap(tuple(pair for pair in rigs.SAME if pair.source not in ("neck", "leftHand", "rightLowerArm")))
REACHING = replace(rigs.SAME, limbs=(Limb("leftHand", reach="BODY"), Limb("rightHand", reach="HAND"), Limb("leftFoot", stride=1.2)))
PARTS = BoneMap(
    tuple(
        replace(pair, options=replace(pair.options, weight=0.4, distribute=pair.source == "head"))
        for pair in rigs.SAME
        if pair.source not in ("neck", "spine", "chest", "upperChest")
    ),
    (Chain(("spine", "chest"), ("spine", "chest", "upperChest")),),
)

CASES: list[tuple[str, BoneMap, dict[str, Any]]] = [
    ("goals", REACHING, {"feet": True, "hands": True}),
    ("mirrored", FEWER, {"mirror": True, "feet": True}),
    ("in parts", PARTS, {"feet": False}),
    ("on the object", rigs.SAME, {"root_motion": "OBJECT", "from_first": True, "floor": "CONTACT"}),
]


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_clips_together_are_what_each_is_alone(case: tuple[str, BoneMap, dict[str, Any]]) -> None:
    _, bone_map, options = case
    source = rigs.rolled(1)
    target = replace(rigs.humanoid(rigs.random_rotations(8), rigs.OFFSETS * 1.3), modes=EULER, world=rigs.yawed(0, 1.3))
    setup = prepare(source, target, bone_map, Options(**options))
    every = clips(source)
    together = retarget.retarget_clips(setup, every, 30.0)
    for clip, result in zip(every, together, strict=True):
        alike(result, retarget.retarget(setup, clip.motion, 30.0, clip.name, clip.contacts, clip.loop))
