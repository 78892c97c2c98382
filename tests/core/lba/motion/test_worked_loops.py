"""Loops and durations that are worked out by hand, after edits that a person makes: what is keyed where, and how long the steps take."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.lba.body.body import Body
from retro_anim.core.lba.files.anm import Anm, frame_dtype
from retro_anim.core.lba.files.lm1 import Lm1
from retro_anim.core.lba.files.variant import LBA1, LBA2, Variant
from retro_anim.core.lba.motion.pose import pose_at, pose_of_keyframe
from retro_anim.core.motion.curves import Channel
from support.lba import lba1_chain

from ..edits import Action, Line

BOTH = pytest.mark.parametrize("game", [LBA1, LBA2], ids=lambda game: game.name)


def action(game: Variant, loop_frame: int, durations: list[int]) -> Action:
    """50 frames a second. durations: of each keyframe, in frames. Bones 1 and 2 rotate by 20 steps from keyframe to keyframe."""
    frames = np.zeros(len(durations), frame_dtype(3))
    frames["duration"] = np.array(durations) * game.rate // 50
    frames["bones"]["value"][:, 1:, 0] = 20 * np.arange(len(durations))[:, None]
    return Action.of(Anm(loop_frame, loop_frame if game is LBA1 else 0, frames), game, 50.0)


def rotation(edit: Action, bone: int) -> Line:
    return edit.lines[Channel(edit.rig.skeleton.names[bone], "rotation_euler", 0)]


@BOTH
def test_a_bone_without_a_key_at_the_closing_key_says_nothing_of_the_loop(game: Variant) -> None:
    """Its closing key is deleted, so that it holds the last keyframe's pose, 40 steps past the loop's: the loop frame stays."""
    edit = action(game, 1, [10] * 4)
    for axis in range(3):
        edit.lines[Channel(edit.rig.skeleton.names[1], "rotation_euler", axis)].drop(41.0)
    after, said = edit.export()
    assert (after.frames == edit.anm.frames).all()
    (line,) = said
    assert f"shows another pose: group 01 by {40 * 360 / game.rotation:.4g} degrees" in line
    assert "written is the pose of keyframe 1 (frame 11); press Refit Loop, which puts it on both" in line


@BOTH
@pytest.mark.parametrize(("steps", "reported"), [(1, False), (2, True)])
def test_a_closing_key_that_is_two_steps_off_shows_another_pose(game: Variant, steps: int, reported: bool) -> None:
    """One step may be rounding."""
    edit = action(game, 1, [10] * 4)
    line = rotation(edit, 1)
    line.put(41.0, line.at(11.0) + steps * 2 * np.pi / game.rotation)
    said = edit.export()[1]
    assert [f"group 01 by {steps * 360 / game.rotation:.4g} degrees" in each for each in said] == [True] * reported


def test_a_way_back_as_long_as_it_was_keeps_its_duration() -> None:
    """All behind keyframe 0 half a time unit later: both ends of the 15 time units back are rounded, to whole times 14 apart."""
    edit = action(LBA1, 0, [15, 10, 10, 10])
    assert edit.export()[0].durations.tolist() == [15, 10, 10, 10]
    edit.retime(lambda frames: np.where(frames > 1, frames + 0.5, frames))
    assert edit.export()[0].durations.tolist()[0] == 15


def test_durations_of_the_file_stay_that_blender_cannot_show() -> None:
    """A millisecond is 0.012 frames of 12 a second, and keys are 0.02 apart at least."""
    frames = np.zeros(6, frame_dtype(2))
    frames["duration"] = [100, 100, 1, 1, 1, 100]
    frames["bones"]["value"][:, 1, 0] = 20 * np.arange(6)
    anm = Anm(9, 0, frames)
    assert Action.of(anm, LBA2, 12.0).export()[0].durations.tolist() == anm.durations.tolist()
    assert Action.of(anm, LBA2, 12.0).export(original=False)[0].durations.tolist() != anm.durations.tolist()


@pytest.mark.parametrize(("moved", "reported"), [(-2, True), (-1, False), (0, False), (1, False), (2, True)])
def test_a_way_back_that_is_a_time_unit_off_is_rounding(moved: int, reported: bool) -> None:
    """The way back to keyframe 1 takes its 10 time units in the game; up to the closing key it is shown as that many more."""
    edit = action(LBA1, 1, [10] * 4)
    edit.retime(lambda frames: np.where(frames > 32, frames + moved, frames))
    after, said = edit.export()
    assert after.durations.tolist() == [10] * 4
    text = f"the loop's last step takes as long as the step to keyframe 1: 10 time units, and not the {10 + moved} up to the closing key"
    assert [text in line for line in said] == [True] * reported


@pytest.mark.parametrize(("wanted", "reported"), [(0, False), (3, False), (4, True), (9, True)])
def test_a_loop_frame_that_somebody_sets_behind_the_end_is_written_with_a_warning(wanted: int, reported: bool) -> None:
    """Of four keyframes; the file had 1."""
    edit = action(LBA1, 1, [10] * 4)
    edit.settings = replace(edit.settings, loop_frame=wanted)
    after, said = edit.export()
    text = f"Loop From is {wanted}, and the last keyframe 3: the game reads on behind the end; set a lower number"
    assert after.loop_frame == wanted and (text in said) is reported


@pytest.mark.parametrize(("later", "duration"), [(0.0, 0), (0.015, 1), (0.98, 20)])
def test_keys_that_a_leap_had_at_one_time_are_moved_apart(later: float, duration: int) -> None:
    """A keyframe without duration stands 0.02 frames behind the one before, since Blender keeps no two keys at one time. Farther behind it
    takes as long as that looks, 20 ms a frame."""
    edit = action(LBA2, 9, [10, 10, 0, 10])
    edit.retime(lambda frames: np.where(frames > 11.01, frames + later, frames))
    after, _ = edit.export()
    assert after.durations[2] == edit.export(original=False)[0].durations[2] == duration
    assert after.values[:, 1, 0].tolist() == [0, 20, 40, 60]


@pytest.mark.parametrize(("key", "heading"), [(0, 0.0), (1, 0.0), (2, 22.5), (3, 0.0)])
def test_the_heading_of_a_pose(key: int, heading: float) -> None:
    """Keyframe 2 of the chain rotates the character by 64 of 1024 steps, keyframe 3 back."""
    anm, body = Anm.parse(lba1_chain.ANM), Body.from_lm1(Lm1.parse(lba1_chain.LM1))
    assert np.degrees(pose_of_keyframe(anm, body, LBA1, key).root_heading) == pytest.approx(heading)
    assert np.degrees(pose_at(anm, body, LBA1, int(anm.times[key]) / 50).root_heading) == pytest.approx(heading)


def test_the_heading_half_the_way() -> None:
    """Keyframe 2 is reached in 10 time units of 20 ms, from 15 on."""
    anm, body = Anm.parse(lba1_chain.ANM), Body.from_lm1(Lm1.parse(lba1_chain.LM1))
    assert np.degrees(pose_at(anm, body, LBA1, 20 / 50).root_heading) == pytest.approx(11.25)
