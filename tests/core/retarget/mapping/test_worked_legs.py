"""What legs say about which way a creature on fours looks, by numbers: hocks, joints and how they lean."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from retro_anim.core.retarget.mapping.creatures.legs import legs_ahead

from .given import figure_of

Leg = Sequence[tuple[float, float, float]]

FORE: Leg = [(1, 5, 10), (1, 5, 7), (1, 5, 4), (1, 5, 0)]
"""A straight one of four joints, in front of the other, on the left."""


def says(*legs: Leg, backwards: bool = False, size: float = 1.0) -> float | None:
    """legs: their joints, one after the other."""
    heads, parents, starts = [np.zeros(3)], [-1], list[int]()
    for leg in legs:
        starts.append(len(heads))
        parents += [0, *range(len(heads), len(heads) + len(leg) - 1)]
        heads += [np.array(joint, float) for joint in leg]
    figure = figure_of([f"b{bone}" for bone in range(len(heads))], parents, size * np.array(heads))
    return legs_ahead(figure, figure.heads * [1, -1 if backwards else 1, 1], np.zeros(len(heads)), starts)


@pytest.mark.parametrize(
    ("hind", "ahead"),
    [
        ([(1, 0, 10), (1, 1, 6), (1, -0.4, 3), (1, 0, 0)], 0.5),  # a hock 0.04 of the leg behind the line, half of 0.08
        ([(1, 0, 10), (1, 1, 6), (1, -0.8, 3), (1, 0, 0)], 1.0),
        ([(1, 0, 10), (1, 1, 6), (1, -1.6, 3), (1, 0, 0)], 1.0),  # and no more
        ([(1, 0, 10), (1, -0.4, 6), (1, -0.4, 3), (1, 0, 0)], 0.125),  # 0.02 behind that from joint to joint, half of it without a knee
        ([(1, 0, 10), (1, 0.4, 6), (1, 0.4, 3), (1, 0, 0)], -0.125),  # as a knee in the lower half says
        ([(1, 0, 10), (1, 1, 6), (1, -0.8, 4.6), (1, 0, 0)], 0.0),  # this is a knee's height
        ([(1, 0, 10), (1, 1, 6), (1, -0.8, 0.7), (1, 0, 0)], 0.25),  # and this a heel's, a foot that is behind the hip
    ],
)
@pytest.mark.parametrize("size", [1.0, 0.01])
def test_hocks_are_behind(hind: Leg, ahead: float, size: float) -> None:
    assert says(hind, FORE, size=size) == pytest.approx(ahead, abs=1e-6)
    assert says(FORE, hind, size=size) == pytest.approx(ahead, abs=1e-6)


@pytest.mark.parametrize(("count", "ahead"), [(2, 0.4), (3, 0.0), (4, -0.4)])
def test_front_legs_have_a_joint_more(count: int, ahead: float) -> None:
    """count: of the hind ones below their first joint."""
    hind = [(1.0, 0.0, 10 - 10 * joint / count) for joint in range(count + 1)]
    assert says(hind, FORE) == pytest.approx(ahead) and says(hind, FORE, backwards=True) == pytest.approx(-ahead)


@pytest.mark.parametrize("side", [1, -1])
def test_feet_are_behind_shoulders_and_hips(side: float) -> None:
    """By 0.4 of 10 in the mean, half of 0.08; these are the first joints that are not of shoulder blade or pelvis, and toes are no feet."""
    hind = [(side, 0.8, 10), (side, 0.6, 7.5), (side, 0.2, 2.5), (side, 0, 0)]
    length = np.hypot(0.8, 10)
    assert says(hind, FORE) == pytest.approx(0.5 * 0.8 / length / 2 / 0.08)
    inner = [(0, 5, 10), (side, 0.8, 10), (side, 0.4, 5), (side, 0, 0)]
    fore = [(0, 5, 10), (side, 5, 10), (side, 5, 5), (side, 5, 0)]
    assert says([(0, 0.8, 10), *inner[1:]], fore) == pytest.approx(0.5 * 0.8 / np.sqrt(1 + 0.8**2 + 10**2) / 2 / 0.08)
    toed = [(side, 0.8, 10), (side, 0.4, 5.4), (side, 0, 0.79), (side, 0.8, 0)]
    assert says(toed, FORE, backwards=True) == pytest.approx(-0.25, abs=0.01)


def test_who_has_no_steep_legs() -> None:
    """One, or those of an insect, or of two joints: nothing is said."""
    flat: Leg = [(1, 0, 5), (4, 0, 6), (9, 0, 0)]
    assert says(FORE) is None and says(flat, FORE) is None and says([(1, 0, 9), (1, 0, 0)], FORE) is None
    assert says() is None
