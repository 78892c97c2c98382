"""Which bodies come down to the ground, and which feet are put onto it then, of two clips of which one is given to come down."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.spans import Spans
from retro_anim.core.retarget.ground import tips
from retro_anim.core.retarget.ground.feet import VISIBLE
from retro_anim.core.retarget.steps import Retargeting

LEG = 2.0


@pytest.mark.parametrize(
    ("down", "options", "goals", "moves", "least"),
    [
        ([0, 0, 0, 0.1, 0], {}, (), True, [VISIBLE * LEG, 0]),  # however little a foot is off the ground there
        ([0, 0, 0, -0.1, 0], {}, (), True, [VISIBLE * LEG, 0]),
        ([1, 0, 0, 1, 0], {}, (), True, [0, 0]),
        ([0, 0, 0, 0, 0], {}, (), False, [VISIBLE * LEG] * 2),
        ([1, 1, 1, 1, 1], {"feet": False}, (), False, [VISIBLE * LEG] * 2),
        ([1, 1, 1, 1, 1], {"floor": "REST"}, (), False, [VISIBLE * LEG] * 2),
        ([1, 1, 1, 1, 1], {}, ("leftFoot",), False, [VISIBLE * LEG] * 2),  # feet go for goals
    ],
)
def test_feet_are_put_onto_the_ground_where_the_body_moves(
    down: list[float], options: dict[str, Any], goals: tuple[str, ...], moves: bool, least: list[float]
) -> None:
    raised: list[Floats] = []
    steps: Any = SimpleNamespace(
        _spans=Spans((3, 2)),
        _setup=SimpleNamespace(legs=SimpleNamespace(target=LEG)),
        _options=SimpleNamespace(**({"feet": True, "floor": "GROUND"} | options)),
        _goals=SimpleNamespace(feet=goals),
        _loops=(None, None),
        _draft=SimpleNamespace(rise=raised.append),
    )
    ground: Any = SimpleNamespace(lowered=lambda _plain, _loops: np.array(down, float))
    plain: Any = None
    moved, metres = Retargeting._lower_body(steps, plain, ground)
    assert moved == moves and metres.tolist() == least
    assert [each.tolist() for each in raised] == ([(-np.array(down, float)).tolist()] if moves else [])


def test_legs_that_bend_in_no_frame_of_a_clip_are_not_rotated_in_it() -> None:
    """Of three clips the foot stands in the first, and the second is on the ground. What follows a bone is rotated anyway; so are arms."""
    spans, touching = Spans((3, 2, 2)), np.array([0, 1, 0, 0, 0, 0, 0], bool)
    held = [SimpleNamespace(name=name, rows=rows, touching=touching) for name, rows in (("leftFoot", (0, 1)), ("leftHand", (2,)))]
    steps: Any = SimpleNamespace(
        _held=held,
        _binding=SimpleNamespace(followers=[SimpleNamespace(target=bone) for bone in (10, 11, 12)]),
        _following={11},
        _source=SimpleNamespace(footing=SimpleNamespace(is_grounded=np.array([False, True, False]))),
        _spans=spans,
        _clips=[None] * 3,
    )
    toes: Any = SimpleNamespace(still=lambda count: [{20}, set(), {20}][:count])
    assert Retargeting._hanging(steps, toes) == [{20}, set(), {10, 20}]


@pytest.mark.parametrize("rises", [False, True])
def test_feet_whose_tips_are_lifted_may_not_be_in_the_ground(rises: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two clips in the second one, by half a radian; in the first they may as far as nobody sees it. Heels are looked at where the body
    is then."""
    raised: list[Floats] = []
    lifted, looked = SimpleNamespace(rotations={}, added=np.array([0.0, 0.5])), list[tuple[Any, bool]]()

    def lift(_below: Any, motion: Any, *_: Any, heels: bool = False) -> Any:
        looked.append((motion, heels))
        return lifted

    monkeypatch.setattr(tips, "lifted", lift)
    below = SimpleNamespace(rise=lambda *_: np.array([0.0, 0.2 * rises]))
    drafted: Any = object()
    steps: Any = SimpleNamespace(
        _setup=SimpleNamespace(legs=SimpleNamespace(target=LEG)),
        _options=SimpleNamespace(feet=True),
        _acting=(),
        _pace=None,
        _draft=SimpleNamespace(rise=raised.append, motion=lambda: drafted),
    )
    posed: Any = object()
    ground: Any = SimpleNamespace(below=below, bearing=None)
    assert Retargeting._on_soles(steps, posed, ground) is (drafted if rises else posed)
    assert looked == [(posed, False), (drafted if rises else posed, True)]
    assert steps._sunk.tolist() == [VISIBLE * LEG, 0.0] and len(raised) == rises
    steps._options.feet = False
    assert Retargeting._on_soles(steps, posed, ground) is posed
