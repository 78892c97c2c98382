"""How well two pairs of limbs are legs and arms of one body, worked out by hand from where they hang."""

from __future__ import annotations

from dataclasses import replace
from math import log
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.retarget.anatomy.joints import Joints
from retro_anim.core.retarget.anatomy.limbs import LimbPair, _fit, _likeness, _mirrored
from retro_anim.core.retarget.anatomy.tree import Tree

LEGS = LimbPair(0, 2, 3, 0.9, 1.0, 1, ([2, 4], [3, 5]))
ARMS = LimbPair(1, 6, 7, 0.6, 1.0, 5, ([6, 8], [7, 9]))
"""Arms hang on joint 1, legs on joint 0; between them is joint 10, above the arms joint 11."""

KNOWN = 1 + 1 + 1 + 0.8 * 1.5 + 2 * (0.9 + 0.6) / 2 + 0.6 + 0.5 - 0.4 * log(0.9 / 0.6) + 0.6 + 0.8 * 4 * 0.2 / 2 + 0.8 * 3 * 0.3 / 2 + 0.2
"""Of a figure of 2: one each for a body and for limbs that are alike, 0.8 of what their joints are worth, twice the limbs' part of the
figure; 0.6 for arms behind the legs in the tree, 0.5 for a trunk, 0.6 for a head; heights by 0.8; 0.2 for fingers."""


def figure(**changes: Any) -> Any:
    """Legs from 0.8 to 0.5, arms at 1.0. trunk: its length."""
    height = [0.8, 1.0, 0.8, 0.8, 0.5, 0.5, *[1.0] * 6]
    depth = [0, 2, *[0] * 10]
    children = [[2, 3, 10], [6, 7, 11], *[[] for _ in range(10)]]
    values = {
        "height": height,
        "depth": depth,
        "children": children,
        "bones": [[each] for each in range(12)],
        "trunk": 0.3,
        "joints": [0, 10, 1],
    }
    nodes = SimpleNamespace(**{**values, **changes}, tree=SimpleNamespace(size=2.0))
    nodes.path = lambda first, second: nodes.joints
    nodes.distance = lambda first, second: nodes.trunk / 2
    return nodes


@pytest.mark.parametrize(
    ("changes", "more"),
    [
        ({}, 0.0),
        ({"depth": [2, 0]}, -1.2),
        ({"depth": [1, 1]}, -1.2),
        ({"trunk": 0.21}, 0.0),
        ({"trunk": 0.19}, -1.0),
        ({"children": [[2, 3, 10], [6, 7, 10]]}, -0.9),
        ({"children": [[2, 3, 10], [6, 7]], "bones": [[0], [1, 12]]}, -0.4),
        ({"height": [0.8, 0.8, 0.8, 0.8, 0.5, 0.5]}, -0.8 * 0.4),
        ({"height": [0.8, 9.0, 0.8, 0.8, 0.5, 0.5]}, 0.8 * (1 - 0.4)),
        ({"height": [0.8, -9.0, 0.8, 0.8, 0.5, 0.5]}, 0.8 * (-1 - 0.4)),
        ({"height": [0.8, 1.0, 0.8, 0.8, -9.0, 0.5]}, 0.8 * (1 - 0.45)),
        ({"height": [0.8, 1.0, 9.0, 0.8, 9.0, 0.5]}, 0.8 * (-1 - 0.45)),
    ],
)
def test_what_legs_and_arms_are_worth(changes: dict[str, Any], more: float) -> None:
    assert _fit(figure(**changes), LEGS, ARMS, {0, 1}, 1.5) == pytest.approx(KNOWN + more)


def test_other_limbs_between_them_speak_against_a_body() -> None:
    assert _fit(figure(), LEGS, ARMS, {0, 1, 10}, 1.5) == pytest.approx(KNOWN - 0.6)
    assert _fit(figure(), LEGS, replace(ARMS, leaves=1), {0, 1}, 1.5) == pytest.approx(KNOWN - 0.2)
    assert _fit(figure(), LEGS, ARMS, {0, 1}, 0.5) == pytest.approx(KNOWN - 0.8)


@pytest.mark.parametrize("joints", [[], [0, 2, 1], [0, 3, 1], [0, 6, 1], [0, 7, 1]])
def test_limbs_that_hang_on_each_other_are_no_body(joints: list[int]) -> None:
    assert _fit(figure(joints=joints), LEGS, ARMS, {0, 1}, 1.5) == 0


@pytest.mark.parametrize("shared", [{"first": 2}, {"first": 3}, {"second": 2}, {"second": 3}])
def test_one_limb_is_not_both(shared: dict[str, int]) -> None:
    assert _fit(figure(joints=[0]), LEGS, replace(ARMS, hub=0, **shared), {0, 1}, 1.5) == 0


@pytest.mark.parametrize("scale", [1.0, 0.001, 1000.0])
@pytest.mark.parametrize(
    ("changes", "alike"),
    [
        ({}, 1.0),
        ({"reach": [1.0, 0.9], "step": [0.0, 0.1]}, 1 - 0.1 / 0.15),
        ({"reach": [0.9, 1.0], "step": [0.1, 0.0]}, 1 - 0.1 / 0.15),
        ({"total": [2.0, 1.9]}, 1 - 0.05 / 0.15),
        ({"count": [10, 9]}, 1 - 0.5 * 0.1 / 0.15),
        ({"count": [5, 10]}, 0.0),
        ({"total": [2.0, 1.0]}, 0.0),
    ],
)
def test_how_alike_two_limbs_are(changes: dict[str, Any], alike: float, scale: float) -> None:
    """By what differs most of reach, length in all and half the number of joints; at 0.15 they are no pair. They have little in common, and
    are of any size."""
    values: dict[str, Any] = {"reach": [1.0, 1.0], "total": [2.0, 2.0], "count": [10, 10], "step": [0.0, 0.0]}
    scaled = {name: [scale * each for each in known] if name != "count" else known for name, known in {**values, **changes}.items()}
    nodes: Any = SimpleNamespace(**scaled, tree=SimpleNamespace(size=4.0 * scale))
    assert _likeness(nodes, 0, 1, 0.3 * scale) == pytest.approx(alike)


@pytest.mark.parametrize(("length", "size", "alike"), [(0.52, 4.0, 0.75), (0.49, 4.0, 0.0), (0.52, 4.4, 0.0)])
def test_limbs_that_have_most_in_common_are_a_pair(length: float, size: float, alike: float) -> None:
    """More than half of the shorter, and more than 0.12 of the figure: as what is off by a quarter of the bound. The latter without the
    step from the hub, and of any size."""
    for step, scale in ((0.0, 1.0), (0.02, 1.0), (0.02, 0.01), (0.0, 100.0)):
        known = {"reach": [1.0 - step, 2.0 - step], "total": [2.0, 9.0], "step": [step] * 2}
        scaled = {name: np.multiply(scale, each).tolist() for name, each in known.items()}
        nodes: Any = SimpleNamespace(**scaled, count=[10, 10], tree=SimpleNamespace(size=scale * size))
        assert _likeness(nodes, 0, 1, scale * length) == pytest.approx(alike)
    nodes = SimpleNamespace(reach=[0.9, 1.9], total=[2.0, 9.0], count=[10, 10], step=[0.1, 0.1], tree=SimpleNamespace(size=4.0))
    assert (_likeness(nodes, 0, 1, 0.57), _likeness(nodes, 0, 1, 0.59)) == (0, pytest.approx(0.75))


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("unlike", [0, 15, 16])
def test_of_many_joints_that_hang_on_one_the_first_sixteen_are_looked_at(unlike: int, swapped: bool) -> None:
    """Of those before it none is as long as the one that hangs on the other limb."""
    lengths = [*[9.0] * unlike, 1.0]
    one, other = 1, len(lengths) + 2
    ends = [[0, 2, 0], [0, -2, 0]]
    heads = np.array([[0, 0, 0], ends[0], *([length, 2, 0] for length in lengths), ends[1], [1, -2, 0]], float)
    nodes = Joints(Tree(tuple(range(len(heads))), (-1, 0, *[one] * len(lengths), 0, other), heads, heads))
    paths = _mirrored(nodes, other, one) if swapped else _mirrored(nodes, one, other)[::-1]
    assert paths == (([other, other + 1], [one, other - 1]) if unlike < 16 else ([other], [one]))
