"""Feet that stand where a loop ends and begins again are held as anywhere else, also in loops that go over the ground. Figures and truth
by hand."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.ground import feet, held, root
from retro_anim.core.retarget.ground.pace import Pace

from ..transfer.test_worked_numbers import LEFT, LEGS, straight
from ..transfer.test_worked_numbers import bound as both_bound
from ..transfer.test_worked_numbers import posed as posed_at
from .test_worked_heights import FLOOR, STANDS, bound, leg, posed

FRAMES = np.arange(101)
STARTS, ENDS = FRAMES <= 10, FRAMES >= 90


def changed(along: Floats, standing: NDArray[np.bool_]) -> Floats:
    """(F,) metres by which a foot is moved in a loop in which it is at (F,) metres along X, a hundred frames a second."""
    binding, offsets = bound(), np.zeros((101, 3))
    offsets[:, 0] = along
    item, moved = leg(binding, standing.astype(float)), posed(offsets)
    rest = held.AtRest(STANDS.quaternions, np.array([1.0, 0, 0]), root.Legs(1.0, 1.0, FLOOR, True))
    goal = held.Lock(binding, moved, Pace(moved.spans, FRAMES / 100, (0,)), rest, held.Footholds(np.zeros(1)))._goal(item)
    return (goal - moved.positions[:, binding.followers[item.rows[2]].target])[:, 0]


@pytest.mark.parametrize("travel", [0.0, 1.0])
def test_a_foot_that_stands_over_the_joint_is_held_once(travel: float) -> None:
    """It slides by 0.03 before and by 0.02 behind: where it is in the mean of these 21 frames, at the end as far as the loop goes."""
    along = np.interp(FRAMES, [0, 10, 90, 100], [0.0, 0.02, travel - 0.03, travel])
    mean = (np.linspace(-0.03, 0.0, 11).sum() + np.linspace(0.0, 0.02, 11).sum()) / 21
    shown = along + changed(along, STARTS | ENDS)
    assert shown[STARTS] == pytest.approx(np.full(11, mean), abs=1e-12)
    assert shown[ENDS] == pytest.approx(np.full(11, travel + mean), abs=1e-12)


@pytest.mark.parametrize("ends", [False, True])
def test_a_foot_that_stands_on_one_side_of_the_joint_eases_on_the_other(ends: bool) -> None:
    """It slides by 0.02 there, and is half of that away at the joint."""
    along = np.interp(FRAMES, [0, 10, 90, 100], [0.0, 0.0, 0.98, 1.0] if ends else [0.0, 0.02, 1.0, 1.0])
    change = changed(along, ENDS if ends else STARTS)
    beside = FRAMES[:13] if ends else 100 - FRAMES[:13]
    fades = 0.01 * (0.5 + 0.5 * np.cos(np.pi * np.arange(13) / 12))
    assert change[beside] == pytest.approx(-fades if ends else fades, abs=1e-12)
    assert change[0] == pytest.approx(change[-1])


def test_hips_come_down_alike_wherever_a_loop_starts() -> None:
    """The body bobs above a foot that stands for half of the loop."""
    figure, count = straight(), 60
    binding, heads = both_bound(figure, figure), np.array(figure.heads)
    rows = [binding.roles["left" + part] for part in ("UpperLeg", "LowerLeg", "Foot", "Toes")]
    phase = 2 * np.pi * np.arange(count) / count
    up, stands = 0.05 * np.cos(phase), np.arange(count) < count // 2
    every: list[Floats] = []
    for first in (0, 7, 20, 45):
        around = (first + np.arange(count + 1)) % count
        motion = posed_at(figure, count + 1, heads + up[around, None, None] * np.array([0.0, 0.0, 1.0]))
        limb = feet.Limb("leftFoot", (rows[0], rows[1], rows[2], rows[3]), stands[around])
        time = Pace(motion.spans, np.arange(count + 1) / 30, (0,))
        rest = held.AtRest(figure.quaternions, LEFT, LEGS)
        hips = held.Lock(binding, motion, time, rest, held.Footholds(np.zeros(1))).locked([limb]).hips
        assert hips[0] == pytest.approx(hips[-1], abs=1e-12)
        every.append(np.roll(hips[:-1], first))
    assert every[0].max() > 0.01
    assert max(float(np.abs(each - every[0]).max()) for each in every) < 1e-3


@pytest.mark.parametrize("lead", [0.0, 0.05])
def test_hips_come_down_alike_at_both_ends_of_a_loop_that_something_leads_into(lead: float) -> None:
    """Twelve frames before it, in which the body is so much higher than in the loop's mean, over a foot that stands there as well."""
    figure, count, before = straight(), 60, 12
    binding, heads = both_bound(figure, figure), np.array(figure.heads)
    rows = [binding.roles["left" + part] for part in ("UpperLeg", "LowerLeg", "Foot", "Toes")]
    phase = 2 * np.pi * np.arange(count + 1) / count
    up = np.concatenate([np.full(before, lead), 0.03 * np.cos(phase)])
    stands = np.concatenate([np.ones(before, bool), np.arange(count + 1) % count < count // 2])
    motion = posed_at(figure, len(up), heads + up[:, None, None] * np.array([0.0, 0.0, 1.0]))
    limb = feet.Limb("leftFoot", (rows[0], rows[1], rows[2], rows[3]), stands)
    rest = held.AtRest(figure.quaternions, LEFT, LEGS)
    hips = (
        held.Lock(binding, motion, Pace(motion.spans, np.arange(len(up)) / 30, (before,)), rest, held.Footholds(np.zeros(1)))
        .locked([limb])
        .hips
    )
    assert hips[before] == pytest.approx(hips[-1], abs=1e-12) and hips[before] > 0.001
