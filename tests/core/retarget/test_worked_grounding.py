"""What reports say of the ground: each number from what is measured of it, in leg lengths of a target whose legs are two metres long."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.retarget.figures.motion import Motion
from retro_anim.core.retarget.ground import body, feet, level, palms, soles
from retro_anim.core.retarget.grounding import Ground
from retro_anim.core.retarget.reports.report import Report
from retro_anim.core.retarget.wanted import Carried

from .reports.test_report import report

CLIPS = 3
Said = dict[str, Any]


def reported(monkeypatch: pytest.MonkeyPatch, left: bool = False, reports: list[Report] | None = None) -> tuple[list[Report], list[Said]]:
    """Of three clips; and what is asked of whether their ground is certain. left: whether the source knows which side is its left."""
    asked: list[Said] = []

    def doubts(_legs: Any, floor: str, is_known: bool, elsewhere: float) -> tuple[str, ...]:
        asked.append({"floor": floor, "is_known": is_known, "elsewhere": elsewhere})
        return ("doubtful",) if elsewhere else ()

    def off_ground(*_: Any) -> dict[str, Any]:
        return {"leftFoot": 1.0}

    def standing_off(away: Any, levels: Any, _final: Any) -> tuple[Any, Any]:
        return away, levels

    def acting(limbs: Any, holds: Any, hands: bool, _spans: Any) -> tuple[Any, Any, bool]:
        return limbs, holds, hands

    def worst(standing: Any, off: Any, _spans: Any) -> list[tuple[str, float]]:
        assert (standing, off) == (("limbs", "grounded", False), ({"leftFoot": 1.0}, "levels"))
        return [("leftFoot", 0.5), ("", 0.0), ("", 0.0)]

    monkeypatch.setattr(level, "doubts", doubts)
    monkeypatch.setattr(level, "off_ground", off_ground)
    monkeypatch.setattr(level, "worst", worst)
    monkeypatch.setattr(level, "lowest_off", lambda *_: np.array([0.3, 0.2, 0.0]))
    monkeypatch.setattr(level, "lying_above", lambda *_: [("", 0.0), ("rightFoot", 0.25), ("", 0.0)])
    monkeypatch.setattr(feet, "acting", acting)
    source: Any = SimpleNamespace(
        limbs="limbs",
        floor="AUTO",
        footing=SimpleNamespace(is_grounded="grounded", elsewhere=np.array([0.0, 0.0, 0.75]), above=[None, 0.1, None]),
    )
    setup: Any = SimpleNamespace(
        legs=SimpleNamespace(target=2.0), binding=SimpleNamespace(source=SimpleNamespace(left=np.zeros(3) if left else None))
    )
    below: Any = SimpleNamespace(
        standing_off=standing_off,
        ends_below=lambda _final: [("leftFoot", 1.5), ("", 0.0), ("", 0.0)],
        meshes_below=lambda _final: [("", 0.0, 1), ("rightFoot", 2.5, 1), ("", 0.0, 0)],
    )
    hands: Any = SimpleNamespace(above=lambda _final: [("", 0.0), ("", 0.0), ("leftHand", 3.5)])
    final: Any = SimpleNamespace(spans=None, frames=np.array([7.0, 8.5]))
    carried = [Carried(None, 0.0), Carried(None, np.pi / 4, heading=np.pi / 2), Carried(None, 0.0)]
    levels: Any = "levels"
    motion: Motion = final
    ground = Ground(setup, source, levels, None, below, hands)
    return ground.reported(reports or [report(notes=("before",), asking=("asked",))] * CLIPS, motion, carried), asked


def test_what_is_off_the_ground(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of clips in which no leg stands what its lower foot is."""
    first, second, third = reported(monkeypatch)[0]
    assert [each.off_ground for each in (first, second, third)] == [0.25, 0.1, 0]
    assert [each.off_ground_leg for each in (first, second, third)] == ["leftFoot", "the lower foot", ""]
    assert (first.toes_below, first.toes_below_which, first.hand_above, first.foot_below_frame) == (0.75, "leftFoot", 0, 0)
    assert (second.foot_above, second.foot_above_which) == (0.125, "rightFoot")
    assert (second.foot_below, second.foot_below_which, second.foot_below_frame) == (1.25, "rightFoot", 8.5)
    assert (third.hand_above, third.hand_above_which, third.foot_below) == (1.75, "leftHand", 0)
    assert [(each.sway, each.heading) for each in (first, second)] == [(0, 0), (45, 90)]


@pytest.mark.parametrize("left", [True, False])
def test_whether_the_ground_is_certain(monkeypatch: pytest.MonkeyPatch, left: bool) -> None:
    """It is known where the source faces elsewhere or its feet are above something; a character of a game has its game's heights."""
    plain = report(notes=("before",), asking=("asked",))
    results, asked = reported(monkeypatch, left, [plain, plain, plain.but(faces_elsewhere=True)])
    far = 0.0 if left else 0.75
    assert asked == [{"floor": "AUTO", "is_known": known, "elsewhere": off} for known, off in ((False, 0.0), (True, 0.0), (True, far))]
    assert [each.ground_elsewhere for each in results] == [False, False, not left]
    assert [each.notes for each in results] == [("before",)] * 2 + [("before",) if left else ("before", "doubtful")]
    assert [each.asking for each in results] == [("asked",)] * 2 + [("asked",) if left else ("asked", "doubtful")]


@pytest.mark.parametrize(("bearing", "deeper"), [(None, None), (SimpleNamespace(deeper="as flesh"), "as flesh")])
def test_soles_of_who_lies_may_be_as_deep_as_its_flesh(bearing: Any, deeper: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def soled(_source: Any, deep: Any, references: Any) -> Any:
        return deep, references

    monkeypatch.setattr(body, "bearing", lambda _source: bearing)
    monkeypatch.setattr(soles, "soles", soled)
    monkeypatch.setattr(level, "heights", lambda _source, grounded: grounded)
    monkeypatch.setattr(palms, "palms", lambda _source: "palms")
    source: Any = SimpleNamespace(footing=SimpleNamespace(is_grounded="grounded"))
    setup: Any = SimpleNamespace(references="references")
    ground = Ground.of(setup, source)
    assert (ground.bearing, ground.below, ground.levels, ground.hands) == (bearing, (deeper, "references"), "grounded", "palms")
