"""The heading of a game's character, of hips and ways whose turn and sway are known."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.ground.course import Start, course

FPS = 30.0
TIME = np.arange(61) / FPS
SWAY = 18 * np.sin(2 * np.pi * TIME + 0.9)
STILL = np.zeros((61, 2))


def headings(hips: Floats, path: Floats = STILL, straight: bool = False, loop: int | None = None, start: float = 0.0) -> Floats:
    """Degrees of degrees."""
    return np.degrees(course(np.radians(hips), path, Start(np.radians(start), straight), 0.8, FPS, loop))


def walked(direction: Floats) -> Floats:
    """(F, 2) metres of one who goes 1.2 metres a second in directions (F,) of degrees from -Y."""
    steps = np.stack([np.sin(np.radians(direction)), -np.cos(np.radians(direction))], axis=1) * 1.2 / FPS
    return np.cumsum(steps, axis=0) - steps[0]


@pytest.mark.parametrize("frames", [61, 54, 45, 24])
def test_hips_that_sway_do_not_turn_the_character(frames: int) -> None:
    """In whole strides and in parts of one, where the hips end up to 36 degrees from where they began."""
    path = walked(np.zeros(61)) + np.stack([0.03 * np.sin(2 * np.pi * TIME), 0 * TIME], axis=1)
    assert headings(SWAY[:frames], path[:frames], True, start=25.0) == pytest.approx(np.full(frames, 25.0))
    assert headings(SWAY[:frames] - 90, path[:frames], True) == pytest.approx(np.zeros(frames))  # one who goes sideways


def test_a_loop_that_does_not_turn_keeps_its_heading() -> None:
    assert headings(SWAY, loop=0) == pytest.approx(np.zeros(61))
    assert headings(np.r_[SWAY[:20], SWAY], np.zeros((81, 2)), loop=20) == pytest.approx(np.zeros(81))


@pytest.mark.parametrize("late", [0.0, 1.7, 3.1])
def test_a_walk_that_leads_into_its_loop_keeps_its_heading(late: float) -> None:
    """Wherever in the sway the loop begins."""
    hips = 18 * np.sin(2 * np.pi * TIME + late)
    hips[-1] = hips[10]
    assert headings(hips, walked(np.zeros(61)), True, loop=10) == pytest.approx(np.zeros(61))


def test_another_stance_in_the_end_is_no_turn_nor_is_a_large_swing() -> None:
    assert headings(np.linspace(0, 25, 61)) == pytest.approx(np.zeros(61))
    assert headings(55 * np.exp(-(((TIME - 1) / 0.3) ** 2))) == pytest.approx(np.zeros(61))


def test_a_loop_that_turns_goes_on_turned_by_as_much() -> None:
    turning = headings(36 * TIME + SWAY, loop=0)
    assert turning == pytest.approx(36 * TIME, abs=1e-9)
    assert headings(0.5 * TIME, loop=0)[-1] == pytest.approx(1.0)  # ends of a loop are alike: its turn is no sway


def test_a_way_that_bends_turns_the_character_without_the_sway() -> None:
    bend = 30 * TIME
    result = headings(bend + SWAY, walked(bend), True)
    assert result[0] == 0
    assert result[-1] == pytest.approx(60, abs=1.5)
    assert np.abs(np.diff(result)).sum() == pytest.approx(result[-1])


def test_one_who_walks_and_then_stands_has_gone_straight_on() -> None:
    path = walked(np.zeros(61))
    path[20:] = path[20] + np.random.default_rng(1).normal(size=(41, 2)) * 1e-3
    assert headings(SWAY, path, True) == pytest.approx(np.zeros(61))


@pytest.mark.parametrize("angle", [90.0, -180.0, 40.0])
def test_a_turn_in_place_is_the_character_s(angle: float) -> None:
    """As far as the hips turn, never far from them, and never back."""
    hips = angle * np.clip((TIME - 0.8) / 0.5, 0, 1)
    result = headings(hips, start=30.0) - 30
    assert (result[0], result[-1]) == pytest.approx((0, angle))
    assert np.abs(result - hips).max() < 20 + 1e-6
    assert np.abs(np.diff(result)).sum() == pytest.approx(abs(angle))


def test_a_blow_that_comes_back_turns_nothing() -> None:
    hips = 15 * np.exp(-(((TIME - 1) / 0.2) ** 2)) + 4 * TIME
    assert headings(hips) == pytest.approx(np.zeros(61))


def test_it_bends_only_where_the_hips_ask_for_it() -> None:
    """A string that is pulled taut bends around what it touches, which is 20 degrees beside the hips."""
    random = np.random.default_rng(3)
    hips = np.cumsum(random.normal(size=800)) * 6 + 30 * np.sin(np.arange(800) / 5)
    result = headings(hips, np.zeros((800, 2)))
    relative = hips - hips[:8].mean()
    bends = np.diff(result, 2)
    inner = relative[1:-1]
    assert (np.abs(bends) > 1e-6).sum() > 20
    assert result[1:-1][bends > 1e-6] == pytest.approx((inner + 20)[bends > 1e-6])
    assert result[1:-1][bends < -1e-6] == pytest.approx((inner - 20)[bends < -1e-6])
    assert np.abs(result - relative)[1:-1].max() < 20 + 1e-6


def test_a_single_pose_looks_where_it_starts() -> None:
    assert headings(np.array([7.0]), STILL[:1], start=45.0) == pytest.approx([45.0])
