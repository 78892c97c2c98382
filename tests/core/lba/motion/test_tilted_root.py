"""A root that is tilted or starts away from its origin, which the games do not have: what the bones below take of it, and what is said."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.lba.body.body import Body
from retro_anim.core.lba.files.anm import Anm, frame_dtype
from retro_anim.core.lba.files.variant import LBA1, LBA2, Variant
from retro_anim.core.motion.curves import Channel

from ..edits import Action
from .player import Film, Placed, shown

BOTH = pytest.mark.parametrize("game", [LBA1, LBA2], ids=lambda game: game.name)
ROTATES, MOVES, RESTS, BELOW = 1, 2, 3, 4
FRAMES = [1.0, 11.0, 21.0, 31.0]


def action(game: Variant) -> Action:
    """Keyframes 200 ms apart of a walk straight on: three bones hang on the root, of which one rotates, one moves and one rests, and one
    that rotates on the one that rests."""
    frames = np.zeros(4, frame_dtype(5))
    frames["duration"] = game.rate // 5
    frames["bones"]["type"][:, MOVES] = 1
    frames["bones"]["value"][:, MOVES, 1] = np.arange(4) * 30 + 5
    for bone in (ROTATES, BELOW):
        frames["bones"]["value"][:, bone] = np.arange(4)[:, None] * np.array([20, 10, 5]) * game.rotation // 1024
    frames["step"][:, 2] = 100
    points = np.array([(0, 0, 0), (0, 90, 0), (40, 50, 0), (0, 0, 0), (0, 60, 10)], float)
    body = Body(np.array([-1, 0, 0, 0, 3]), np.array([0, 1, 2, 0, 4]), np.array([0, 0, 0, 0, 3]), points)
    return Action.of(Anm(9, 0, frames), game, 50.0, "OBJECT", body)


def both(edit: Action) -> tuple[list[tuple[Placed, Placed]], list[str]]:
    """What is shown and what the game will, at each keyframe, and what is said."""
    after, said = edit.export()
    skeleton = edit.rig.skeleton
    film = Film.of(after.pack(), edit.settings.game.name, skeleton.parents.tolist(), np.array(skeleton.heads))
    return [(shown(edit, frame, film), film.shown(index, 0.0)) for index, frame in enumerate(FRAMES)], said


def degrees_off(first: Placed, second: Placed, bone: int) -> float:
    """Degrees between the two of a bone."""
    cosine = (np.trace(first[bone][0].T @ second[bone][0]) - 1) / 2
    return float(np.degrees(np.arccos(np.clip(cosine, -1, 1))))


def off(pairs: list[tuple[Placed, Placed]], bone: int) -> float:
    """Units between the two of a bone, at most."""
    return max(float(np.linalg.norm(first[bone][1] - second[bone][1])) for first, second in pairs)


def reported(said: list[str]) -> list[str]:
    """What is said of each bone, up to its frame."""
    return [line.partition(":")[0] for line in said]


@BOTH
def test_the_bones_below_a_tilted_root_take_the_tilt(game: Variant) -> None:
    """By 23 degrees about one axis and 11 about another. What is rotated stays where it hangs, 90 units up; what moves goes where it is
    shown and is not rotated, since no bone does both."""
    edit = action(game)
    for axis, angle in ((0, 0.4), (1, 0.2)):
        edit.lines[Channel("", "rotation_euler", axis)].values[:] = angle
    pairs, said = both(edit)
    step = 360 / game.rotation
    for bone in (ROTATES, RESTS, BELOW):
        assert max(degrees_off(*pair, bone) for pair in pairs) < 2 * step
    tilt = np.degrees(np.arccos((np.cos(0.4) + np.cos(0.2) + np.cos(0.4) * np.cos(0.2) - 1) / 2))
    assert degrees_off(*pairs[0], 0) == pytest.approx(tilt) == degrees_off(*pairs[0], MOVES)
    assert off(pairs, MOVES) < 1 and off(pairs, RESTS) < 1
    up = np.array([-np.sin(0.2) * np.cos(0.4), np.cos(0.4) * np.cos(0.2) - 1, np.sin(0.4)]) * 90
    assert off(pairs, ROTATES) == pytest.approx(np.linalg.norm(up), abs=1)
    assert reported(said) == [
        f"group 00 itself is {tilt:.4g} degrees off at frame 1",
        f"group 01 is {off(pairs, ROTATES):.4g} units away from where it is shown at frame 1",
        f"group 02 is {tilt:.4g} degrees off how it is shown at frame 1",
    ]
    assert "group 01 rotates already" in said[1] and "group 02 is translated already" in said[2]


def test_the_worst_keyframe_is_named() -> None:
    """By 6, 12, 23 and 17 degrees, which the second game has itself."""
    edit = action(LBA1)
    edit.lines[Channel("", "rotation_euler", 0)].values[:] = 0.1, 0.2, 0.4, 0.3
    said = edit.export()[1]
    assert [line for line in said if "group 00 itself is 22.92 degrees off at frame 21" in line]
    assert [line for line in said if "group 02 is 22.92 degrees off how it is shown at frame 21" in line]


@BOTH
def test_what_a_root_is_away_is_in_the_axes_of_the_character(game: Variant) -> None:
    """300 units to the left of where it starts, with the whole path, while it rotates by a quarter to the left in the second step."""
    edit = action(game)
    edit.lines[Channel("", "location", 0)].values += 0.3
    edit.lines[Channel("", "rotation_euler", 2)].values[:] = 0, 0, np.pi / 2, np.pi / 2
    pairs, _ = both(edit)
    assert [off(pairs, bone) for bone in (MOVES, RESTS, BELOW)] == pytest.approx([0, 0, 0], abs=2)


@BOTH
def test_a_bone_that_rests_away_from_a_tilted_root_is_rotated_for_the_tilt(game: Variant) -> None:
    edit = action(game)
    for axis in range(3):
        edit.lines[Channel("group 01", "rotation_euler", axis)].values[:] = 0
    edit.lines[Channel("", "rotation_euler", 0)].values[:] = 0.4
    pairs, said = both(edit)
    assert max(degrees_off(*pair, ROTATES) for pair in pairs) < 2 * 360 / game.rotation
    assert reported(said)[1] == f"group 01 is {2 * 90 * np.sin(0.2):.4g} units away from where it is shown at frame 1"
    assert "group 01 is rotated for the tilt" in said[1]


@BOTH
def test_the_bones_below_a_root_that_starts_away_are_moved_where_they_can(game: Variant) -> None:
    """Up by 300 units: what rests and what moves goes along, and what hangs on it; what rotates is named."""
    edit = action(game)
    edit.lines[Channel("", "location", 2)].values += 0.3
    pairs, said = both(edit)
    assert [off(pairs, bone) for bone in range(5)] == pytest.approx([300, 300, 0, 0, 0], abs=0.1)
    assert reported(said) == [
        "group 00 itself is 300 units behind at frame 1",
        "group 01 is 300 units away from where it is shown at frame 1",
    ]
    assert "group 01 rotates already" in said[1]
