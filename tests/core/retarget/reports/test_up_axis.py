"""Sources that stand at rest and lie in their clips: files whose motion has another axis up than their rest pose."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.ground import feet
from retro_anim.core.retarget.reports import up_axis
from retro_anim.core.retarget.reports.up_axis import laid_over
from retro_anim.core.retarget.transfer.binding import Binding, bind

from .. import rigs
from .test_worked_measures import BODY, HERE, LIES, posed

ON_ITS_FACE = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])
"""Takes what is up to Y."""


def walks(rotation: Floats, moved: Floats, binding: Binding = HERE) -> list[str]:
    """Of who goes a metre ahead, foot by foot, moved and rotated as a whole. moved: (3,) before that."""
    positions = np.tile(BODY.heads, (40, 1, 1))
    for side, first in (("left", 0), ("right", 20)):
        ahead = np.interp(np.arange(40), [first, first + 19], [0.0, 1.0])
        positions[:, [BODY.index[f"{side}{part}"] for part in ("Foot", "Toes")], 1] -= ahead[:, None]
    return laid_over(binding, posed((positions + moved) @ rotation.T), 0.9, 30.0)


@pytest.mark.parametrize(("rotation", "axis"), [(LIES, "Z up (--up Z)"), (ON_ITS_FACE, "-Z up (--up=-Z)")])
@pytest.mark.parametrize("aside", [0.0, 2.0])
def test_who_stands_across_its_rest_is_told_how_to_open_the_file(rotation: Floats, axis: str, aside: float) -> None:
    """It walks along its own up as over a ground, wherever that is beside the world's."""
    (said,) = walks(rotation, np.array([aside, aside, 0.0]))
    assert said.startswith("the source stands at rest and lies all the time") and said.endswith(axis)


@pytest.mark.parametrize(("down", "reported"), [(0.3, False), (0.7, True)])
def test_who_does_not_stand_at_rest_is_no_question(down: float, reported: bool) -> None:
    """Both of its legs have to point down by half of their length, as one that is 0.9 ahead and 0.7 down does."""
    heads = BODY.heads.copy()
    heads[BODY.index["leftFoot"]] = heads[0] - (0.0, 0.9, down)
    assert bool(walks(LIES, np.zeros(3), bind(rigs.SAME, BODY, BODY, heads))[0]) == reported


def test_who_never_stands_is_no_question() -> None:
    """Feet that go to and fro by a metre and a half a second, as those of who swims on its belly."""
    positions = np.tile(BODY.heads, (40, 1, 1))
    kicks = np.interp(np.arange(40), [0, 20, 40], [0.0, 1.0, 0.0])
    for side, sign in (("left", 1), ("right", -1)):
        positions[:, [BODY.index[f"{side}{part}"] for part in ("Foot", "Toes")], 1] += sign * kicks[:, None]
    assert laid_over(HERE, posed(positions @ LIES.T), 0.9, 30.0) == [""]
    (said,) = laid_over(HERE, posed(positions @ LIES.T), 0.9, 1.0)
    assert said, "thirty times as slow they stand"


def test_who_sleeps_or_stands_as_at_rest_is_no_question() -> None:
    still = np.tile(BODY.heads @ LIES.T, (30, 1, 1)) - (0.0, 2.0, 0.9)
    assert laid_over(HERE, posed(still), 0.9, 30.0) == [""], "its feet are nowhere near the origin, and rest on any ground"
    assert walks(np.eye(3), np.zeros(3)) == [""]


def test_a_game_s_character_lies_as_its_clip_has_it() -> None:
    declared = replace(BODY, left=np.array([1.0, 0, 0]))
    binding = bind(rigs.SAME, declared, BODY, BODY.heads)
    assert laid_over(binding, posed(np.tile(BODY.heads @ LIES.T, (30, 1, 1))), 0.9, 30.0) == [""]
    lying = bind(rigs.SAME, BODY, BODY, BODY.heads @ LIES.T)
    assert laid_over(lying, posed(np.tile(BODY.heads @ LIES.T, (30, 1, 1))), 0.9, 30.0) == [""], (
        "who lies at rest, too, is reported so elsewhere"
    )


@pytest.mark.parametrize(
    ("ground", "along", "plain", "reported"),
    [
        (0.19, 0.9, 0.9, True),  # near the origin, by 0.2 of a leg
        (-0.19, 0.9, 0.9, True),
        (0.21, 0.9, 0.61, False),  # else it stands along that 1.5 times as long as along Z
        (-0.21, 0.9, 0.61, False),
        (0.21, 0.9, 0.59, True),
        (0.21, 0.9, 0.0, True),
        (0.0, feet.GROUNDED - 0.01, 0.0, False),
        (0.0, feet.GROUNDED, 0.0, True),
    ],
)
@pytest.mark.parametrize(("axis", "sign"), [(1, 1), (0, -1), (0, 1)])
def test_who_stands_along_another_axis_lies(
    ground: float, along: float, plain: float, reported: bool, axis: int, sign: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A body of legs of 2 metres whose object is 5 up along its own axis: the ground that it is above is there."""
    stood: list[Floats] = []

    def standing(ends: list[Floats], _seconds: Floats, _leg: float) -> float:
        stood.append(np.array(ends))
        return along if len(stood) == 1 else plain

    monkeypatch.setattr(up_axis, "_standing", standing)
    up = sign * np.eye(3)[axis]
    origin = 5 * up + np.array([0, 0, 7.0])

    def at(height: float, aside: float = 0.0) -> Floats:
        return np.tile(5 * up + height * up + [0, 0, aside], (4, 1))

    ends = at(2 * ground, 0.3), at(2 * ground, -0.3)
    said = up_axis._laid(at(2.0), at(3.0), *ends, origin=origin, leg=2.0, seconds=np.arange(4.0))
    assert bool(said) == reported
    assert stood[0][:, 0, 2] == pytest.approx([5 + 2 * ground] * 2) and stood[0][:, 0, 1] == pytest.approx([0.3, -0.3])
    assert stood[1] == pytest.approx(np.array(ends))


@pytest.mark.parametrize(("high", "reported"), [(1.1, True), (0.9, False)])
def test_who_squats_along_another_axis_lies_there(high: float, reported: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its hips are less than half of its legs of two metres before its feet: it does not stand along that axis."""
    monkeypatch.setattr(up_axis, "_standing", lambda *_: 1.0)
    hips, head, foot = (np.tile([0, along, 0.0], (4, 1)) for along in (high, high + 1, 0.0))
    assert bool(up_axis._laid(hips, head, foot, foot, origin=np.zeros(3), leg=2.0, seconds=np.arange(4.0))) == reported
