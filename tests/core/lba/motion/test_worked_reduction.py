"""Fewer keyframes of clips that are worked out by hand: which ones stay, by how much the rest is off, and where there is no room."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.lba.body.body import Body
from retro_anim.core.lba.files.anm import Anm, frame_dtype
from retro_anim.core.lba.files.variant import LBA1, LBA2, Variant
from retro_anim.core.lba.motion.key_reduction import fewer_keyframes, keyframes_by_room, keyframes_that_fit, room_for
from retro_anim.core.lba.motion.motion import CONVENTION
from retro_anim.core.lba.motion.sampled import Sampled, Settings, replay
from retro_anim.core.motion.reduction.reduction import Bounds
from retro_anim.core.motion.rigs.rig import Rig
from retro_anim.core.reporting.errors import ExportError

from ..settings import settings_of

BOTH = pytest.mark.parametrize("game", [LBA1, LBA2], ids=lambda game: game.name)
ROTATE, TRANSLATE = 0, 1


def clip(game: Variant, kind: int, values: list[int]) -> tuple[Sampled, Rig, Settings]:
    """Keyframes 200 ms apart, of which bone 1 of 3 has these values in one component."""
    frames = np.zeros(len(values), frame_dtype(3))
    frames["duration"] = game.rate // 5
    frames["bones"]["type"][:, 1] = kind
    frames["bones"]["value"][:, 1, 1] = values
    anm = Anm(0, 0, frames)
    rig = Rig.build(Body.plain(3).skeleton(), CONVENTION)
    settings = settings_of(anm, game, 50.0, "OBJECT")
    return replay(anm, rig, settings), rig, settings


def kept(clip: tuple[Sampled, Rig, Settings], bounds: Bounds, stay: tuple[int, ...] = ()) -> list[float]:
    """The frames of what is left, 10 from keyframe to keyframe."""
    less, _ = fewer_keyframes(*clip, bounds, stay)
    return less.frames.tolist()


@BOTH
def test_what_goes_straight_on_needs_no_keyframe(game: Variant) -> None:
    """20 steps up in each of two keyframes and down in two: the turning point stays, and what is asked to."""
    rises = clip(game, ROTATE, [0, 20, 40, 20, 0])
    assert kept(rises, Bounds(angle=np.radians(0.01))) == [1, 21, 41]
    assert kept(rises, Bounds(angle=np.radians(0.01)), (1,)) == [1, 11, 21, 41]
    assert kept(rises, Bounds(angle=2 * np.pi * 41 / game.rotation)) == [1, 41], "40 steps off at most"


@BOTH
def test_a_keyframe_that_is_left_says_what_it_said(game: Variant) -> None:
    less, _ = fewer_keyframes(*clip(game, ROTATE, [0, 20, 40, 20, 0]), Bounds(angle=np.radians(0.01)), ())
    assert np.degrees(less.bones.angles[:, 1, 1]) == pytest.approx(np.array([0, 40, 0]) * 360 / game.rotation, abs=1e-4)


@BOTH
def test_a_step_through_the_whole_circle_is_a_small_one(game: Variant) -> None:
    """From 20 steps below 0 to 20 above, evenly: no keyframe between is needed."""
    assert kept(clip(game, ROTATE, [game.rotation - 20, game.rotation - 10, 0, 10, 20]), Bounds(angle=np.radians(0.01))) == [1, 41]


@BOTH
def test_a_way_past_half_a_circle_is_a_straight_one(game: Variant) -> None:
    """From 20 steps before half a circle to 20 behind it, evenly; as many circles more in a key are the same."""
    half = game.rotation // 2
    sampled, rig, settings = clip(game, ROTATE, [half - 20, half - 10, half, half + 10 - game.rotation, half + 20 - game.rotation])
    assert kept((sampled, rig, settings), Bounds(angle=np.radians(0.01))) == [1, 41]
    angles = sampled.bones.angles.copy()
    angles[2, 1, 1] += 4 * np.pi
    circled = replace(sampled, bones=replace(sampled.bones, angles=angles))
    assert kept((circled, rig, settings), Bounds(angle=np.radians(0.01))) == [1, 41]


@BOTH
def test_a_property_that_changes_keeps_its_keyframe_and_the_one_before(game: Variant) -> None:
    sampled, rig, settings = clip(game, TRANSLATE, [0, 10, 20, 30, 40])
    assert kept((sampled, rig, settings), Bounds(0.5)) == [1, 41]
    stepped = replace(sampled, extra={3: np.array([[0.0], [0], [0], [7], [7]])})
    less, _ = fewer_keyframes(stepped, rig, settings, Bounds(0.5), ())
    assert (less.frames.tolist(), less.extra[3].tolist()) == ([1, 21, 31, 41], [[0], [0], [7], [7]])


@BOTH
def test_a_bone_that_rotates_here_and_moves_there_keeps_all_keyframes(game: Variant) -> None:
    sampled, rig, settings = clip(game, TRANSLATE, [0, 10, 20, 30, 0])
    angles = sampled.bones.angles.copy()
    angles[4, 1, 0] = 0.5
    mixed = replace(sampled, bones=replace(sampled.bones, angles=angles))
    less, result = fewer_keyframes(mixed, rig, settings, Bounds(0.5), ())
    assert (less is mixed, result) == (True, None)


BUMPS = [0, 10, 0, 100, 0]
"""Without the first bump the animation is 10 units off, on a straight way up to the second one 2/3 of 100, without both 100."""


@BOTH
@pytest.mark.parametrize(
    ("room", "left", "off"),
    [(5, [1, 11, 21, 31, 41], 0.0), (4, [1, 21, 31, 41], 10.0), (3, [1, 31, 41], 200 / 3), (2, [1, 41], 100.0)],
)
def test_as_few_as_there_is_room_for_and_no_fewer(game: Variant, room: int, left: list[float], off: float) -> None:
    less, result = keyframes_that_fit(*clip(game, TRANSLATE, BUMPS), 0.0, room, ())
    assert result is not None
    assert (less.frames.tolist(), result.distance) == (left, pytest.approx(off, abs=0.01))


@BOTH
@pytest.mark.parametrize(
    ("most", "room", "left"),
    [
        (40.0, 5, [1, 11, 21, 31, 41]),
        (40.0, 4, [1, 21, 31, 41]),
        (40.0, 2, [1, 21, 31, 41]),
        (80.0, 5, [1, 21, 31, 41]),
        (80.0, 3, [1, 31, 41]),
        (80.0, 1, [1, 31, 41]),
    ],
)
def test_a_fifth_of_the_distance_or_as_much_of_it_as_there_is_no_room_for_less(
    game: Variant, most: float, room: int, left: list[float]
) -> None:
    """Within 8 units the bump of 10 stays, within 16 it does not; within 80 all but the second bump goes, and never within 40."""
    less, _ = keyframes_by_room(*clip(game, TRANSLATE, BUMPS), Bounds(most), room, ())
    assert less.frames.tolist() == left


def test_no_room_for_what_is_more_than_all_bounds_apart() -> None:
    """A bump of 1000 units, beyond the largest bound of 400."""
    with pytest.raises(ExportError, match="3 keyframes are left within 400 units, and 2 would fit: split the animation"):
        keyframes_that_fit(*clip(LBA1, TRANSLATE, [0, 1000, 0]), 0.0, 2, ())


@pytest.mark.parametrize(("game", "bones", "keyframes"), [(LBA1, 20, 46), (LBA2, 20, 48), (LBA1, 30, 31), (LBA2, 30, 33)])
def test_room_is_what_the_games_largest_animations_have(game: Variant, bones: int, keyframes: int) -> None:
    """8 bytes of a header; a keyframe has 8 and 8 for each bone. The largest animations have 7900 and 8208 bytes."""
    assert room_for(bones, game) == keyframes
