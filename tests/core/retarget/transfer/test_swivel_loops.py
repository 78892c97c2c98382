"""Limbs that pass by the joint in which they begin where a loop ends and begins again: which of its rows is the first does not count. All
is made by hand."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.directions import unit
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.spans import Spans
from retro_anim.core.retarget.transfer.limbs import swivel, two_bone_ik
from retro_anim.core.retarget.transfer.limbs.fast_steps import Bone, Frames

FPS = 24.0
ALONG, UP = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])

Limb = tuple[list[Bone], Floats]
"""Its bones and axes, of a loop without its last row."""


def reaching(x: Floats, y: Floats) -> Limb:
    """An arm whose hand is beside its shoulder by (F,) metres, in reach: it hangs with its lower arm to the front."""
    goal, zero = np.stack([x, y, 0 * x], axis=1), np.zeros((len(x), 3))
    elbow, hand, hinge = (zero + np.array(vector) for vector in ([0.0, 0.0, -0.58], [0.0, -0.42, -0.58], [-1.0, 0.0, 0.0]))
    bent = two_bone_ik.bend(zero, elbow, hand, goal, two_bone_ik.plan(zero, elbow, hand, goal, hinge))
    assert bent.missed.max() < 1e-9
    plain = np.tile(quat.IDENTITY, (len(x), 1))
    return [Bone(own, plain) for own in (bent.first, bent.second)], unit(bent.end)


def short() -> Limb:
    """The hand goes round once a second, at one time 0.2 m beside the shoulder: the whole loop swivels."""
    phase = 2 * np.pi * np.arange(24) / 24
    return reaching(0.85 * np.sin(phase), -0.4 + 0.2 * np.cos(phase))


def long() -> Limb:
    """As fast there, and slow for two seconds elsewhere, in which the elbow stays."""
    share = np.arange(-36, 36) / 72
    phase = np.roll(np.pi * np.sign(share) * (1 - (1 - 2 * np.abs(share)) ** 3), 36)
    return reaching(0.85 * np.sin(phase), -0.4 + 0.2 * np.cos(phase))


def strike() -> Limb:
    """Fast by itself, in one step as a motion that begins anew, while the bone leaps beside it; and slowly back."""
    angles = np.radians([*[0] * 10, 45, 115, 120, *np.linspace(120, 0, 40)[1:-1]])
    plain, late = quat.about(UP, angles), np.arange(len(angles)) - 11
    beside = quat.about(ALONG, np.where(late >= 0, 1.5 * (1 - late / 50), 0.0))
    return [Bone(quat.multiply(plain, beside), plain)], quat.rotate(plain, ALONG)


def parry() -> Limb:
    """The same backwards."""
    (bone,), axes = strike()
    return [Bone(bone.bent[::-1], bone.plain[::-1])], axes[::-1]


def swivelled(limb: Limb, rows: NDArray[np.int64], joints: list[tuple[int, int]], counts: tuple[int, ...] = (), fps: float = FPS) -> Floats:
    bones, axes = limb[0], limb[1][rows]
    own = [Bone(bone.bent[rows], bone.plain[rows]) for bone in bones]
    still = np.zeros(len(rows), bool)
    seconds = np.concatenate([np.arange(count) for count in counts or (len(rows),)]) / fps
    pairs = np.array(joints, np.int64).reshape(-1, 2)
    return swivel.least(own, axes, Frames(seconds, still, Spans(counts or (len(rows),)), pairs))


def around(limb: Limb, first: int = 0) -> NDArray[np.int64]:
    """The rows of a loop from one of them to it again."""
    count = len(limb[1])
    return (first + np.arange(count + 1)) % count


def largest_step(limb: Limb, rows: NDArray[np.int64], angles: Floats) -> float:
    """Degrees from a row to the next."""
    shown = [quat.multiply(quat.about(limb[1][rows], angles), bone.bent[rows]) for bone in limb[0]]
    return float(np.degrees(np.max([quat.apart(own[1:], own[:-1]) for own in shown])))


@pytest.mark.parametrize("build", [short, long, strike, parry])
def test_a_loop_swivels_alike_wherever_it_starts(build: Callable[[], Limb]) -> None:
    limb = build()
    count = len(limb[1])
    every = np.array([np.roll(swivelled(limb, around(limb, first), [(0, count)])[:-1], first) for first in range(count)])
    assert np.abs(every).max() > 0.2
    assert np.abs(every - every[count // 2]).max() < 1e-6
    assert (every[0] == 0).any() == (build is not short), "no farther than it spreads"


def test_where_frames_are_far_apart_the_two_of_a_leap_go_towards_each_other_over_the_joint() -> None:
    """A frame a second, and 160 degrees in one, and slowly back."""
    beside = quat.about(ALONG, np.radians(np.linspace(160.0, 0.0, 20)))
    limb = [Bone(beside, np.tile(quat.IDENTITY, (20, 1)))], np.tile(ALONG, (20, 1))
    for first in range(20):
        angles = np.roll(swivelled(limb, around(limb, first), [(0, 20)], fps=1.0)[:-1], first)
        assert np.flatnonzero(np.abs(angles) > 1e-6).tolist() == [0, 19]
        assert angles[0] == pytest.approx(-angles[19])


@pytest.mark.parametrize("first", [-2, -1, 1, 2])
@pytest.mark.parametrize("build", [short, long])
def test_a_loop_ends_as_it_begins_without_a_snap_at_its_joint(build: Callable[[], Limb], first: int) -> None:
    """No faster than where the same is in the middle of a clip."""
    limb = build()
    count = len(limb[1])
    rows, middle = around(limb, first), around(limb, count // 2)
    angles = swivelled(limb, rows, [(0, count)])
    assert angles[0] == angles[-1] and abs(angles[0]) > 0.1
    before = largest_step(limb, rows, np.zeros(count + 1))
    inside = largest_step(limb, middle, swivelled(limb, middle, []))
    assert largest_step(limb, rows, angles) == pytest.approx(inside, abs=0.1) and inside < 0.85 * before


def test_a_loop_that_is_carried_along_swivels_as_one_that_stays() -> None:
    """By 3 degrees a frame, so that its last row faces elsewhere than its first."""
    limb = long()
    count = len(limb[1])
    rows = around(limb)
    carried = quat.about(UP, np.radians(3.0) * np.arange(count + 1))
    bones = [Bone(quat.multiply(carried, bone.bent[rows]), quat.multiply(carried, bone.plain[rows])) for bone in limb[0]]
    args = np.arange(count + 1) / FPS, np.zeros(count + 1, bool), Spans((count + 1,)), np.array([[0, count]])
    angles = swivel.least(bones, quat.rotate(carried, limb[1][rows]), Frames(*args))
    assert angles == pytest.approx(swivelled(limb, rows, [(0, count)]), abs=1e-9)


@pytest.mark.parametrize("first", [-2, -1, 1, 2])
def test_what_leads_into_a_loop_swivels_towards_its_joint(first: int) -> None:
    """From half of it on, into the whole of it."""
    limb = long()
    count = len(limb[1])
    rows = np.append(np.arange(count // 2, count + first) % count, around(limb, first))
    joint = len(rows) - 1 - count
    angles = swivelled(limb, rows, [(joint, len(rows) - 1)])
    assert angles[joint] == angles[-1] and abs(angles[joint]) > 0.1
    once = largest_step(limb, around(limb), swivelled(limb, around(limb), [(0, count)]))
    assert largest_step(limb, rows, angles) == pytest.approx(once, abs=1.0)


def test_loops_beside_other_clips_are_as_by_themselves() -> None:
    """To the last bit, and so are clips that do not loop."""
    limb = long()
    count = len(limb[1])
    loop, other, clip = around(limb), around(limb, 3), around(limb, count // 2)[10:]
    counts = len(clip), len(loop), len(clip), len(other), len(clip)
    starts = np.cumsum([0, *counts])
    joints = [(int(starts[number]), int(starts[number + 1]) - 1) for number in (1, 3)]
    together = swivelled(limb, np.concatenate([clip, loop, clip, other, clip]), joints, counts)
    alone = swivelled(limb, clip, []), swivelled(limb, loop, [(0, count)]), swivelled(limb, other, [(0, count)])
    assert all(each.any() for each in alone)
    assert np.array_equal(together, np.concatenate([alone[0], alone[1], alone[0], alone[2], alone[0]]))
