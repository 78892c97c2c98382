"""Given clips onto characters of all kinds, on the poses that Blender shows. Roles, facing and lengths are known by hand; all pairs are
measured by tools/retarget_pairs.py."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.pairs.pair_sources import SOURCES
from support.pairs.pair_targets import TARGETS
from support.pairs.pairs import FLIP, goaled, measure

PAIRS = (
    ("cmu", "t_pose"),
    ("rokoko", "a_pose"),
    ("pirate", "arms_down"),
    ("jacks", "child"),
    ("zombie", "giant"),
    ("twinsen", "centimetres"),
    ("cesium", "turned"),
    ("pirate_0741", "scaled"),
    ("cesium", "lying"),
    ("rokoko", "lying"),
    ("oni", "unreal"),
    ("cesium", "vroid"),
    ("pirate_0010", "mixamo"),
    ("zombie", "numbered"),
    ("cesium", "twinsen"),
    ("cmu", "pirate"),
    ("pirate_0088", "oni"),
)


def check(result: Any, source: str, target: str) -> None:
    assert result.limbs < max(1e-3, result.rounding), result.worst
    assert result.hips < 1e-4
    assert abs(result.yaw) < 1e-2
    assert not result.flips
    assert result.skate <= result.skate_source + 5e-3
    hands = result.hands
    assert max(hands.missed, hands.misreported) < 0.02, hands
    assert hands.bent < 0.01, "out of reach it is stretched"
    assert hands.aside < 1
    yaw = (TARGETS[target].yaw - SOURCES[source].yaw + 180) % 360 - 180
    assert result.report_yaw == pytest.approx(yaw, abs=0.01)
    assert result.reported[0] == pytest.approx(result.limbs, abs=max(1e-3, result.rounding))


@pytest.mark.thorough
@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_pairs(game_file: Callable[[str], Path], source: str, target: str) -> None:
    check(measure(SOURCES[source], TARGETS[target], game_file(""), 60), source, target)


def test_what_held_feet_change_is_told_apart(game_file: Callable[[str], Path]) -> None:
    result = measure(SOURCES["cmu"], TARGETS["child"], game_file(""), 120)
    assert result.limbs < 1e-3
    assert result.shown > 1.0
    assert result.reported[1] == pytest.approx(result.shown, rel=1e-3)
    assert any("held feet" in line for line in result.lines)


SNAPS = (
    ("jacks", "pirate", {"leftHand": "HAND"}),
    ("jacks", "pirate", {"leftHand": "BODY", "rightHand": "BODY"}),
    ("jacks", "pirate", {"leftHand": "SELF", "rightHand": "SELF"}),
    ("cmu", "pirate", {"leftHand": "SELF", "rightHand": "SELF"}),
    ("zombie", "a_pose", {"leftHand": "BODY", "rightHand": "BODY"}),
    ("rokoko", "twinsen", {"leftFoot": "BODY", "rightFoot": "BODY"}),
)


@pytest.mark.thorough
@pytest.mark.parametrize(("source", "target", "limbs"), SNAPS)
def test_goals_do_not_snap(game_file: Callable[[str], Path], source: str, target: str, limbs: dict[str, str]) -> None:
    """Hands that pass by their shoulder, elbows of captures that are bent backwards, goals out of reach: whole clips."""
    result = goaled(SOURCES[source], TARGETS[target], game_file(""), limbs)
    assert result.beyond < FLIP, result
    assert result.missed < 0.02, result
