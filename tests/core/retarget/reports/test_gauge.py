"""What is gathered of many bones: the largest in each clip, and where."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.columns import Columns
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap, Chain, Pair
from retro_anim.core.retarget.figures.motion import Local, Motion
from retro_anim.core.retarget.figures.spans import Spans
from retro_anim.core.retarget.figures.walk import forward
from retro_anim.core.retarget.ground import held
from retro_anim.core.retarget.ground.soles import Soles
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.reports.clip_reports import Reached, _worst
from retro_anim.core.retarget.reports.gauge import Gauge, Motions, Snap
from retro_anim.core.retarget.setup import prepare

from ..mapping.given import figure_of


def test_the_furthest_snap_of_each_clip() -> None:
    """Into the row behind the step; of two that differ by rounding alone the first, of bones and of rows. Not from clip to clip."""
    spans, snap = Spans((3, 1, 3)), Snap.none(3)
    assert (snap.most.tolist(), snap.bones.tolist(), snap.rows.tolist()) == ([0, 0, 0], [-1] * 3, [0, 0, 0])
    snap.add(7, np.array([10.0, 20.0, 99.0, 99.0, 5.0, 5.0 + 1e-8]), spans)
    assert (snap.most.tolist(), snap.bones.tolist(), snap.rows.tolist()) == ([20, 0, 5], [7, -1, 7], [2, 0, 5])
    snap.add(8, np.array([20.0 + 5e-6, 0.0, 0.0, 0.0, -9.0, 6.0]), spans)
    assert (snap.most.tolist(), snap.bones.tolist(), snap.rows.tolist()) == ([20, 0, 6], [7, -1, 8], [2, 0, 6])


def test_the_worst_limb_of_each_clip() -> None:
    assert _worst({}, 2) == [("", 0.0), ("", 0.0)]
    values = {"arm": np.array([1.0, 2.0, 3.0]), "leg": np.array([1.5, 2.0 + 1e-11, 2.0])}
    assert _worst(values, 3) == [("leg", 1.5), ("arm", 2.0), ("arm", 3.0)]


def test_goals_of_a_clip_are_those_of_its_rows() -> None:
    """Of a leg of 2 metres, of which 0.02 is a hundredth."""
    missed = {"leftHand": np.array([0.0, 0.03, 0.5]), "leftFoot": np.zeros(3)}
    reached = Reached([], held.Locked({}), missed, {"leftFoot": np.array([0.1, 0.2, 0.4])}, frozenset({"leftHand"}))
    hand, foot = reached.of(slice(0, 2), 2.0)
    assert (hand.limb, hand.frames, hand.missed, hand.kept, hand.reaches) == ("leftHand", 1, 0.03, 0, True)
    assert (foot.limb, foot.frames, foot.missed, foot.kept, foot.reaches) == ("leftFoot", 0, 0, pytest.approx(0.1), False)


FRAMES = 3


def forgetting(figure: Figure) -> tuple[Motion, list[int | None]]:
    """One at rest, and the bones that it lets go."""
    gone, still = list[int | None](), forward(figure, np.arange(float(FRAMES)), rest_local(figure))
    rotations, positions = (
        Columns(values.shape, lambda bone, values=values: values[:, bone], None, gone.append)
        for values in (still.rotations, still.positions)
    )
    return replace(still, rotations=cast(Floats, rotations), positions=cast(Floats, positions)), gone


def rest_local(figure: Figure) -> Local:
    return Local(np.zeros((FRAMES, len(figure), 3)), np.broadcast_to(quat.IDENTITY, (FRAMES, len(figure), 4)).copy())


def test_joints_are_let_go_behind_the_last_bone_that_needs_them() -> None:
    """By target bone, as they are gone through: hips, leg, two of a spine that follows three, head. The source's hips carry the spine,
    which both of its bones look at, and where the second points is known at the head; a bone that nothing follows is needed until what
    hangs on it has begun, one at an end never. Of the target each is needed until all are there that it points at."""
    source = figure_of(
        ["hips", "between", "s1", "s2", "s3", "head", "tip", "leg"],
        [-1, 0, 1, 2, 3, 4, 5, 0],
        np.array([[0, 0, 1], [0, 0, 1.05], [0, 0, 1.1], [0, 0, 1.2], [0, 0, 1.4], [0, 0, 1.6], [0, 0, 1.8], [0.1, 0, 0.9]]),
    )
    target = figure_of(
        ["hips", "leg", "t1", "t2", "head"],
        [-1, 0, 0, 2, 3],
        np.array([[0, 0, 1], [0.1, 0, 0.9], [0, 0, 1.1], [0, 0, 1.3], [0, 0, 1.6]]),
    )
    pairs = Pair("hips", "hips", "hips"), Pair("leg", "leg", "leftUpperLeg"), Pair("head", "head", "head")
    bone_map = BoneMap(pairs, (Chain(("s1", "s2", "s3"), ("t1", "t2"), "spine"),))
    theirs, plain, final = (forgetting(figure) for figure in (source, target, target))
    setup = prepare(source, target, bone_map, Options())
    gauge = Gauge(setup, Motions(theirs[0], plain[0], final[0], set(), set(), {}), None, Soles(target, {}, np.zeros(FRAMES, bool)))
    leads, follows = dict[int, list[int | None]](), dict[int, list[int | None]]()
    for bone in target.along_limbs:
        gauge.add(bone)
        assert plain[1] == final[1]
        for gone, result in ((theirs[1], leads), (plain[1], follows)):
            result |= {bone: gone.copy()} if gone else {}
        for _, gone in (theirs, plain, final):
            gone.clear()
    assert leads == {1: [7], 2: [1], 4: [5, 4, 3, 2, 0]}
    assert follows == {1: [1], 2: [0], 3: [2], 4: [4, 3]}
