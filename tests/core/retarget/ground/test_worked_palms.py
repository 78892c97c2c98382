"""Hands on the ground by numbers: a source of twice the size, on legs of 1.7 metres, and a target whose toes are 0.05 above its ground."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.retarget.figures.motion import Motion
from retro_anim.core.retarget.ground import feet, root
from retro_anim.core.retarget.ground.palms import Palms, palms
from retro_anim.core.retarget.ground.source import Source

from ..transfer.persons import PERSON, bound, figure, moving

LARGE, TARGET = (
    figure({name: 2 * joint for name, joint in PERSON.items()}),
    figure({name: np.add(joint, (0, 0, 0.05)) for name, joint in PERSON.items()}),
)
LEGS = root.Legs(1.7, 0.85, 0.0, True)
NAN = float("nan")
LOW = [0.16, 0.16, 0.18, 0.2, 0.7, 0.7]
"""Heights of a hand in a clip that stands 0.1 above its reference pose: 0.136 above its ground a hand is no longer on it."""


def moved(hands: dict[str, list[float]], step: float = 0.0) -> Motion:
    """Two clips of six frames, in which hands are at these heights, go on by a step a frame, and all else rests."""
    motion = replace(moving([{name: 2 * joint for name, joint in PERSON.items()}] * 12), counts=(6, 6))
    for name, heights in hands.items():
        motion.positions[:, LARGE.index[name], 2] = heights
        motion.positions[:, LARGE.index[name], 0] += step * np.arange(12)
    return motion


def palms_of(motion: Motion, without: tuple[str, ...] = (), grounded: tuple[bool, bool] = (True, False), **values: object) -> Palms:
    """Of clips of which the first alone is one over the ground, at 10 frames a second."""
    binding = bound(LARGE, TARGET, without.__contains__)
    footing = feet.Footing(feet.limbs(binding, motion, 10.0, LEGS, True), np.array(grounded), [], np.full(2, NAN), np.zeros(2))
    own = Source(binding, motion, 10.0, LEGS, 0.5, "AUTO", np.array([0.1, -0.2]), footing)
    return palms(replace(own, **values))  # pyright: ignore[reportArgumentType]


def heights(result: Palms) -> dict[str, list[float]]:
    return {name: wanted.tolist() for name, (_, wanted) in result.wanted.items()}


WANTED = pytest.approx([0.08, 0.08, 0.09, 0.1] + [NAN] * 8, nan_ok=True)


def test_hands_on_the_ground_shall_be_as_high_above_it_on_the_target() -> None:
    """Half as high above its own; nothing of clips that are none over the ground, nor of hands that are up."""
    motion = moved({"leftHand": LOW * 2})
    result = palms_of(motion)
    assert heights(result) == {"leftHand": WANTED} and result.wanted["leftHand"][0] == TARGET.index["leftHand"]
    both = heights(palms_of(motion, grounded=(True, True)))["leftHand"]
    assert both[:6] == pytest.approx([0.08, 0.08, 0.09, 0.1, NAN, NAN], nan_ok=True) and np.isnan(both[6:]).all()
    low = palms_of(moved({"rightHand": [0.7] * 6 + [-0.1, -0.1, -0.06, -0.07, 0.5, 0.5]}), grounded=(True, True))
    assert heights(low) == {"rightHand": pytest.approx([NAN] * 6 + [0.1, 0.1, 0.12, 0.115, NAN, NAN], nan_ok=True)}
    assert heights(palms_of(motion, swap=True)) == {"rightHand": WANTED}


@pytest.mark.parametrize(("step", "stands"), [(0.055, True), (0.065, False)])
def test_a_hand_on_the_ground_is_slow(step: float, stands: bool) -> None:
    """Slower than 0.35 leg lengths a second: 0.0595 metres a frame."""
    assert (heights(palms_of(moved({"leftHand": [0.1] * 12}, step))) != {}) == stands


def test_where_the_ground_or_hands_are_not_known_nothing_is_wanted() -> None:
    motion = moved({"leftHand": LOW * 2})
    for without in (("leftHand", "rightHand"), ("leftFoot", "rightFoot")):
        assert palms_of(motion, without).wanted == {}
    for sure in ((True, False), (False, True)):
        assert palms_of(motion, legs=replace(LEGS, sure=sure)).wanted == {}
    assert palms_of(motion, grounded=(False, False)).wanted == {}
    assert heights(palms_of(motion, ("rightHand", "leftFoot"))) == {"leftHand": WANTED}


def test_the_lower_foot_shows_the_ground() -> None:
    """In both reference poses, of toes where there are some, and else of ankles, which are 0.2 higher, and 0.1."""
    motion = moved({"leftHand": [height + 0.2 for height in LOW] * 2})
    assert heights(palms_of(motion, ("leftToes", "rightToes"))) == {
        "leftHand": pytest.approx([0.18, 0.18, 0.19, 0.2] + [NAN] * 8, nan_ok=True)
    }
    assert palms_of(motion, ("leftToes",)).wanted == {}


def test_how_far_hands_are_above_the_ground() -> None:
    """At most for three frames, of each clip the hand that is furthest; below it they are, but are not reported."""
    wanted = {name: (TARGET.index[name], np.array([0.1] * 4 + [NAN] * 2 + [0.2] * 6)) for name in ("leftHand", "rightHand")}
    motion = moved({})
    motion.positions[:, TARGET.index["leftHand"], 2] = [0.4, 0.3, 0.2, 0.3, 0.9, 0.9, *[0.1] * 6]
    motion.positions[:, TARGET.index["rightHand"], 2] = [0.15] * 6 + [0.2, 0.5, 0.6, 0.7, 0.2, 0.2]
    result = Palms(wanted)
    away = result.away(motion)
    assert away["leftHand"] == pytest.approx([0.3, 0.2, 0.1, 0.2, 0, 0] + [-0.1] * 6)
    assert away["rightHand"] == pytest.approx([0.05] * 4 + [0, 0, 0, 0.3, 0.4, 0.5, 0, 0])
    assert result.above(motion) == [("leftHand", pytest.approx(0.1)), ("rightHand", pytest.approx(0.3))]
    motion.positions[:, TARGET.index["rightHand"], 2] = 0.05
    assert result.above(motion) == [("leftHand", pytest.approx(0.1)), ("", 0.0)]
