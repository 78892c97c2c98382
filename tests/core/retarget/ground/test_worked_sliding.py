"""Feet that slide while they stand, which of them are held all the same: on legs of one metre, a hundred frames a second."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.ground import feet

from .test_worked_holding import STANDS, STRAIGHT, Held, X, Z, sliding


def bobbing(up: float, aside: float = 0.0, back: float = 1.0) -> Floats:
    """Frames half of which are so much higher and half lower, which go along X from -aside to aside in this part of the time."""
    frames = np.arange(100)
    along = np.clip((frames - 49.5) / (49.5 * back), -1, 1) * aside
    return along[:, None] * X + np.where(frames % 2, up, -up)[:, None] * Z


def goes(path: Floats, theirs: Floats | None = None, leg: float = 1.0) -> bool:
    """Whether a straight leg is held, beside a source whose foot goes so, in leg lengths."""
    source: Callable[[feet.Limb], Floats] | None = None if theirs is None else lambda item: theirs
    return bool(np.abs(Held(path, figure=STRAIGHT, source=source, leg=leg).end()).max() > 1e-4)


@pytest.mark.parametrize(
    ("own", "theirs", "is_held"),
    [
        (bobbing(0.016), None, True),  # nothing is known of the source
        (bobbing(0.016), bobbing(0.016), False),  # it slides no more than the source's, and hips would come down for it
        (bobbing(0.014), bobbing(0.014), True),  # by less than 0.015 of the leg, which nobody sees
        (bobbing(0.0185, 0.019), bobbing(0.0, 0.019), True),  # by no more than it slides
        (bobbing(0.021, 0.019), bobbing(0.0, 0.019), False),
        (bobbing(0.03, 0.021), bobbing(0.0, 0.021), True),  # it slides so far that it is seen
        (bobbing(0.03, 0.006), bobbing(0.0, 0.005), False),  # by a tenth and a thousandth of a leg more than the source's: 0.0065
        (bobbing(0.03, 0.007), bobbing(0.0, 0.005), True),
        (bobbing(0.03, 0.0015, 0.5), bobbing(0.0, 0.0015), False),  # no more than 0.004 leg lengths a second faster
        (bobbing(0.03, 0.0025, 0.5), bobbing(0.0, 0.0025), True),
    ],
)
def test_a_foot_is_not_held_for_which_hips_come_down_while_it_slides_as_the_source_s(
    own: Floats, theirs: Floats | None, is_held: bool
) -> None:
    assert goes(own, theirs) == is_held


@pytest.mark.parametrize(("steps", "is_held"), [(0.00004, False), (0.00006, True)])
def test_a_foot_that_slides_faster_on_average_is_held_however_slow_it_is(steps: float, is_held: bool) -> None:
    """By 0.004 or 0.006 leg lengths a second to and fro all the time, beside a source whose foot makes one fast step of a thousandth."""
    to_and_fro = np.where(np.arange(100) % 2, steps, 0.0)[:, None] * X
    one_step = np.where(np.arange(100) > 50, 0.001, 0.0)[:, None] * X
    assert goes(bobbing(0.03) + to_and_fro, one_step) == is_held


@pytest.mark.parametrize(
    ("own", "theirs", "is_held"),
    [
        (bobbing(0.028), bobbing(0.0), True),
        (bobbing(0.032), bobbing(0.0), False),
        (bobbing(0.06, 0.039), bobbing(0.0, 0.0195), False),
        (bobbing(0.06, 0.041), bobbing(0.0, 0.0205), True),
        (bobbing(0.06, 0.003, 0.5), bobbing(0.0, 0.0015), False),
        (bobbing(0.06, 0.005, 0.5), bobbing(0.0, 0.0025), True),
    ],
)
def test_all_of_that_counts_in_leg_lengths(own: Floats, theirs: Floats, is_held: bool) -> None:
    """Of a leg of 2 metres."""
    assert goes(own, theirs, leg=2.0) == is_held


def test_of_several_contacts_each_is_held_by_itself() -> None:
    """The second slides more than the source's."""
    path, theirs = np.concatenate([bobbing(0.03), bobbing(0.03, 0.01)]), np.concatenate([bobbing(0.0), bobbing(0.0)])
    frames = np.arange(200)
    stands = (frames % 100 >= 20) & (frames % 100 < 80)
    change = Held(path, stands, figure=STRAIGHT, source=lambda item: theirs).end()
    assert np.abs(change[20:80]).max() < 1e-9 and np.abs(change[120:180]).max() > 0.02


def test_hands_are_held_whatever_the_source_s_do() -> None:
    path = sliding()
    plain, beside = (Held(path, STANDS, ("leftHand",), source=source).end("leftHand") for source in (None, lambda item: path))
    assert beside == pytest.approx(plain)
