"""What the steps change of what is wanted: positions of hips and feet, in given metres, of two clips of three frames and of two."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget import draft as drafts
from retro_anim.core.retarget.draft import Draft
from retro_anim.core.retarget.figures.spans import Spans
from retro_anim.core.retarget.transfer.solve import Rotations, Wanted

from . import rigs

FIGURE = rigs.humanoid()
HIPS, GROUND, FOOT = 3, 5, 8


def at(*heights: float) -> Floats:
    return np.array([(1.0, 2.0, height) for height in heights])


def draft(root: bool = False, carrier: int = -1, fixed: tuple[int, ...] = (), **positions: Floats) -> Draft:
    """Whose second follower moves the hips and whose first, if there is one, is the bone on the ground."""
    roles = {"hips": 1} | ({"root": 0} if root else {})
    target = SimpleNamespace(world=np.eye(4), fixed=np.isin(np.arange(len(FIGURE)), fixed), rotation=np.eye(3), scale=1.0)
    binding = SimpleNamespace(
        roles=roles, followers=[SimpleNamespace(target=GROUND), SimpleNamespace(target=HIPS)], carrier=carrier, target=target
    )
    setup: Any = SimpleNamespace(binding=binding, references=None)
    motion: Any = SimpleNamespace(spans=Spans((3, 2)), frames=np.arange(5.0), counts=(3, 2))
    bones = {"hips": HIPS, "ground": GROUND, "foot": FOOT}
    wanted = Wanted(Rotations({}), {bones[name]: values for name, values in positions.items()}, {9: at(0, 0, 0, 0, 0)}, {}, {})
    return Draft(setup, motion, wanted)


@pytest.mark.parametrize(
    ("loops", "lowered"),
    [((None, None), [1, 2, 3, 4, 5]), ((0, None), [1, 2, 1, 4, 5]), ((1, 0), [1, 2, 2, 4, 4]), ((2, 1), [1, 2, 3, 4, 5])],
)
def test_hips_come_down_at_the_end_of_a_loop_as_far_as_where_it_begins(loops: tuple[int | None, ...], lowered: list[float]) -> None:
    body = draft(hips=at(10, 10, 10, 10, 10), foot=at(7, 7, 7, 7, 7))
    metres = np.arange(1.0, 6.0)
    body.lower_hips(metres, loops)
    assert metres.tolist() == lowered
    assert body.wanted.positions[HIPS] == pytest.approx(at(*(10 - each for each in lowered)))
    assert body.wanted.positions[FOOT] == pytest.approx(at(7, 7, 7, 7, 7))
    before = body.wanted.positions[HIPS]
    body.lower_hips(np.zeros(5), loops)
    assert body.wanted.positions[HIPS] is before


@pytest.mark.parametrize("root", [False, True])
def test_a_body_rises_but_for_the_bone_on_the_ground(root: bool) -> None:
    body = draft(root, hips=at(1, 1, 1, 1, 1), ground=at(0, 0, 0, 0, 0))
    body.rise(np.arange(5.0))
    assert body.wanted.positions[HIPS] == pytest.approx(at(1, 2, 3, 4, 5))
    assert body.wanted.positions[GROUND] == pytest.approx(at(0, 0, 0, 0, 0) if root else at(0, 1, 2, 3, 4))


def test_which_bones_are_moved() -> None:
    """Those that have positions or shifts, and the one that moves for the hips, but for those that cannot."""
    assert draft(hips=at(0, 0, 0, 0, 0)).moved == {HIPS, 9} and draft().carriers == set()
    assert draft(carrier=0, hips=at(0, 0, 0, 0, 0)).moved == {0, HIPS, 9} and draft(carrier=0).carriers == {0}
    assert draft(carrier=2, fixed=(2, 9), hips=at(0, 0, 0, 0, 0)).moved == {HIPS}


def test_what_is_rotated_otherwise_is_known() -> None:
    body = draft()
    body.change({4: np.tile(quat.IDENTITY, (5, 1))})
    body.change({2: np.tile(quat.IDENTITY, (5, 1))})
    assert body.changed == {2, 4} and set(body.wanted.rotations) == {2, 4}


@pytest.mark.parametrize("carrier", [-1, 0, 2])
def test_a_bone_that_moves_for_the_hips_brings_them_where_they_shall_be(carrier: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hips' joint is 0.1 above their bone at rest, which is rotated by a right angle about X: it misses its position by 2 and 0.1."""
    body = draft(carrier=carrier, hips=at(5, 5, 5, 5, 5))
    asked: list[Any] = []
    about_x = quat.about(np.array([1.0, 0, 0]), np.radians(90))
    motion = SimpleNamespace(
        rotations=np.tile(about_x, (5, 9, 1)), positions=np.arange(9.0)[None, :, None] + np.zeros((5, 9, 3)) + [[[0, 0, 0]]]
    )

    def solved(figure: Any, _frames: Any, wanted: Wanted, _references: Any, standing: Any) -> Any:
        asked.append((wanted.positions, standing))
        return SimpleNamespace(motion=lambda _rows: motion, figure=figure)

    monkeypatch.setattr(drafts, "Solved", solved)
    target: Any = body._binding.target
    target.joint = lambda bone, role: np.array([0, 0, 0.1]) if (bone, role) == (HIPS, "hips") else np.ones(3)
    target.heads, target.quaternions = np.zeros((9, 3)), np.tile(quat.IDENTITY, (9, 1))
    body.solved()
    assert len(asked) == (1 if carrier < 0 else 2) and all(standing is body.still for _, standing in asked)
    positions = asked[-1][0]
    if carrier >= 0:
        missed = np.array([1.0, 2, 5]) - HIPS - quat.rotate(about_x, np.array([0, 0, 0.1]))
        assert positions[carrier] == pytest.approx(np.tile(carrier + missed, (5, 1)))
    assert positions[HIPS] == pytest.approx(at(5, 5, 5, 5, 5))
    other: Any = object()
    body.solved(other)
    assert asked[-1][1] is other
