"""Edits of more than one key: the loop's closing key, full circles, other times, events, the root."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from retro_anim.core.lba.body.body import Body
from retro_anim.core.lba.files.anm import Anm, frame_dtype
from retro_anim.core.lba.files.archive.hqr import Hqr
from retro_anim.core.lba.files.lm1 import Lm1
from retro_anim.core.lba.files.variant import LBA1, LBA2, VARIANTS, Variant
from retro_anim.core.motion.curves import Channel, Timing
from retro_anim.core.reporting.errors import ExportError
from support.lba import lba1_chain

from ..edits import Action, Line

ROTATE, TRANSLATE = 0, 1
"""The words of the file."""

BOTH = pytest.mark.parametrize("game", [LBA1, LBA2], ids=lambda game: game.name)


def synthetic(game: Variant, count: int = 4, loop_frame: int = 1, bones: int = 3) -> Anm:
    """Keyframes 200 ms apart at 0, 10, 20 ... frames of 50 a second; bone 1 rotates, bone 2 moves."""
    frames = np.zeros(count, frame_dtype(bones))
    frames["duration"] = 10 * game.rate / 50
    frames["bones"]["type"][:, 2] = TRANSLATE
    frames["bones"]["value"][:, 1, 0] = np.arange(count) * 20
    frames["bones"]["value"][:, 2, 1] = np.arange(count) * 30 + 5
    frames["step"][:, 2] = 100
    return Anm(loop_frame, loop_frame if game is LBA1 else 0, frames)


def action(game: Variant, **options: int) -> Action:
    return Action.of(synthetic(game, **options), game, 50.0)


def rotation(edit: Action, bone: int, axis: int = 0) -> Line:
    return edit.lines[Channel(edit.rig.skeleton.names[bone], "rotation_euler", axis)]


def steps(game: Variant, count: float) -> float:
    return count * 2 * np.pi / game.rotation


@pytest.mark.parametrize("name", ["lba1", "lba2"])
@pytest.mark.parametrize("fps", [24, 50])
def test_unedited_clips_come_back_without_a_word(game_file: Callable[[str], Path], name: str, fps: int) -> None:
    archive = Hqr.parse((game_file(name) / "ANIM.HQR").read_bytes())
    for entry in range(len(archive)):
        if not archive.blank(entry):
            anm = Anm.parse(archive.read(entry))
            edit = Action.of(anm, VARIANTS[name], fps)
            assert (edit.export()[0].pack(), edit.export()[1], edit.export(original=False)[1]) == (anm.pack(), [], []), entry


@BOTH
@pytest.mark.parametrize("fps", [23, 25, 100])
@pytest.mark.parametrize(("frame", "loop"), [(6, 2), (26, 1)])
def test_a_new_key_at_another_rate_of_the_scene_leaves_the_loop(game: Variant, fps: int, frame: int, loop: int) -> None:
    """Its keyframe stands where it came in, though the scene plays it longer or shorter now."""
    edit = action(game)
    edit.settings = replace(edit.settings, timing=Timing(game.rate, fps), fps_before=50.0)
    rotation(edit, 1).put(frame, rotation(edit, 1).at(frame) + steps(game, 9))
    after, said = edit.export()
    assert after.loop_frame == loop and not any("is gone" in line for line in said)
    when = np.array(sorted([1, 11, 21, 31, frame]))
    assert after.durations[1:].tolist() == np.diff(np.rint((when - 1) * game.rate / fps)).tolist()
    assert np.delete(after.frames["bones"], np.flatnonzero(when == frame), axis=0).tobytes() == edit.anm.frames["bones"].tobytes()


@BOTH
@pytest.mark.parametrize(("fps", "moved", "loop"), [(25, 21, 2), (25, 31, 3), (75, 11, 2), (100, 11, 1)])
def test_a_moved_key_at_another_rate_of_the_scene_leaves_the_loop(game: Variant, fps: int, moved: int, loop: int) -> None:
    """Though it may stand where another keyframe would at that rate: at 25 frames a second keyframe 2 at frame 11."""
    edit = action(game, loop_frame=loop)
    edit.settings = replace(edit.settings, timing=Timing(game.rate, fps), fps_before=50.0)
    edit.retime(lambda frames: np.where(np.abs(frames - moved) < 1, frames + 5, frames))
    after, _ = edit.export()
    assert after.loop_frame == loop
    assert after.frames["bones"].tobytes() == edit.anm.frames["bones"].tobytes()


@BOTH
@pytest.mark.parametrize(("shift", "factor"), [(10, 1), (-0.5, 1), (0, 2), (100, 1.5)])
def test_a_new_key_in_what_was_shifted_or_stretched_leaves_the_loop(game: Variant, shift: float, factor: float) -> None:
    """Some of its keys stand where others stood."""
    edit = action(game)
    edit.retime(lambda frames: 1 + shift + (frames - 1) * factor)
    first = 1 + shift
    new = first + 25 * factor
    rotation(edit, 1).put(new, rotation(edit, 1).at(new) + steps(game, 9))
    after, said = edit.export()
    assert (after.loop_frame, said) == (1, [])
    assert (after.durations[1:] * 50 / game.rate / factor).tolist() == pytest.approx([10, 10, 5, 5], abs=0.4)


@BOTH
@pytest.mark.parametrize(("fps", "stood", "loop"), [(24, 5.8, 5), (23, 5.6, 5), (26, 6.2, 5), (30, 7, 6)])
def test_of_keys_baked_on_whole_frames_the_one_beside_it_begins_the_loop(game: Variant, fps: int, stood: float, loop: int) -> None:
    """Where the keyframe stood, 200 ms behind the first one, no whole frame is."""
    edit = Action.of(synthetic(game), game, fps)
    last = 1 + 0.6 * fps
    for line in edit.lines.values():
        every = np.append(np.arange(1, np.ceil(last)), last).astype(np.float32)
        line.values = np.append(np.interp(every, line.frames, line.values), line.values[-1]).astype(np.float32)
        line.frames = np.append(every, np.float32(1 + 0.8 * fps))
        line.generated = np.append(np.zeros(len(every), bool), True)
    after, said = edit.export()
    assert after.loop_frame == loop == round(stood) - 1
    gone = f"keyframe 1, to which the loop goes back, is gone: it goes back to keyframe {loop} at frame {loop + 1} now"
    assert any(line.startswith(gone) for line in said) == (stood != round(stood))


@BOTH
def test_a_keyframe_of_the_loop_for_another_is_told(game: Variant) -> None:
    """As many keyframes as before, and the one to which it went back is none of them."""
    edit = action(game)
    for line in edit.lines.values():
        line.drop(11.0)
    rotation(edit, 1).put(26.0, rotation(edit, 1).at(26.0))
    after, said = edit.export()
    assert after.loop_frame == 1
    assert any("keyframe 1, to which the loop goes back, is gone: it goes back to keyframe 1 at frame 21 now" in line for line in said)


@BOTH
def test_a_pose_on_the_closing_key_is_that_of_the_loop_frame(game: Variant) -> None:
    edit = action(game)
    rotation(edit, 1).put(41.0, rotation(edit, 1).at(11.0) + steps(game, 50))
    after, said = edit.export()
    expected = edit.anm.frames.copy()
    expected["bones"]["value"][1, 1, 0] += 50
    assert (after.frames == expected).all()
    (line,) = said
    assert line.startswith("the game loops back to keyframe 1 (frame 11), and the closing key at frame 41 shows another pose: group 01 by ")
    assert "written is the pose of frame 41; Refit Loop puts it on both" in line


@BOTH
def test_where_both_were_posed_the_loop_frame_is_written(game: Variant) -> None:
    edit = action(game)
    line = rotation(edit, 1)
    line.put(11.0, line.at(11.0) - steps(game, 50))
    line.put(41.0, line.at(41.0) + steps(game, 50))
    after, said = edit.export()
    assert after.values[1, 1, 0] == (20 - 50) % game.rotation
    assert len(said) == 1
    assert f"group 01 by {100 * 360 / game.rotation:.4g} degrees; written is the pose of keyframe 1 (frame 11); press Refit Loop" in said[0]


@BOTH
def test_baked_and_copied_keys_at_the_end_are_no_keyframe(game: Variant) -> None:
    """The root's curves keep their generated keys."""
    edit = action(game)
    for channel, line in edit.lines.items():
        if channel.bone and not channel.property.startswith("["):
            line.generated = np.where(line.frames > 1, False, line.generated)
    after, said = edit.export()
    assert (after.pack(), said) == (edit.anm.pack(), [])


@BOTH
def test_a_key_behind_the_closing_key_is_told(game: Variant) -> None:
    edit = action(game)
    rotation(edit, 1).put(51.0, 0.0)
    after, said = edit.export()
    assert len(after.frames) == 5
    assert said[0].startswith(
        "the key at frame 51 stands behind the closing key at frame 41, with which the loop should end: press Refit Loop"
    )


@BOTH
def test_a_loop_that_got_longer(game: Variant) -> None:
    """From keyframe 0: its duration is that of the way back."""
    edit = action(game, loop_frame=0)
    edit.retime(lambda frames: np.where(frames > 32, frames + 5, frames))
    after, said = edit.export()
    assert said == []
    assert after.durations.tolist() == [int(15 * game.rate / 50), *edit.anm.durations[1:].tolist()]
    edit = action(game, loop_frame=0)
    edit.retime(lambda frames: np.where((frames > 30) & (frames < 32), frames + 5, frames))
    after, said = edit.export()
    assert said == []
    assert (after.durations * 50 / game.rate).tolist() == [5, 10, 10, 15]


@BOTH
def test_a_way_back_of_another_duration_says_what_to_do(game: Variant) -> None:
    edit = action(game)
    edit.retime(lambda frames: np.where(frames > 32, frames + 5, frames))
    after, said = edit.export()
    assert after.pack() == edit.anm.pack()
    (line,) = said
    assert line.endswith("press Refit Loop, which moves that to frame 41, or move the last keyframe")


@BOTH
def test_the_way_back_to_keyframe_0_takes_its_step_from_the_closing_key(game: Variant) -> None:
    edit = action(game, loop_frame=0)
    for channel, line in edit.lines.items():
        if channel == Channel("", "location", 1):
            line.values *= 2
    after, said = edit.export()
    assert (after.steps[:, 2].tolist(), said) == ([200] * 4, [])


@BOTH
def test_a_loop_frame_that_is_gone_is_told(game: Variant) -> None:
    edit = action(game)
    for line in edit.lines.values():
        line.drop(11.0)
    after, said = edit.export()
    assert after.loop_frame == 1
    assert after.values[1, 1, 0] == 40
    assert any(
        line.startswith("keyframe 1, to which the loop goes back, is gone: it goes back to keyframe 1 at frame 21 now") for line in said
    )


@BOTH
def test_more_than_half_a_circle_is_told(game: Variant) -> None:
    edit = action(game, loop_frame=9)
    line = rotation(edit, 1)
    line.put(21.0, line.at(11.0) + np.radians(270))
    line.put(31.0, line.at(21.0))
    _, said = edit.export()
    assert said == ["group 01 rotates by 270 degrees between frames 11 and 21: the game takes the shorter direction; put a key between"]
    line.put(16.0, line.at(16.0))
    assert edit.export()[1] == []


def test_a_key_that_a_change_of_type_needs_closes_nothing() -> None:
    """Its keyframe is deleted, it stays, and is the last key of all."""
    anm = synthetic(LBA2, loop_frame=9, bones=4)
    anm.frames["bones"]["value"][:, 3] = (100, 0, 0)
    anm.frames["bones"]["type"][3, 3] = TRANSLATE
    edit = Action.of(anm, LBA2, 50.0)
    for line in edit.lines.values():
        line.drop(31.0)
    assert max(float(line.frames[-1]) for line in edit.lines.values()) > 21.01
    after, said = edit.export()
    assert (after.frames == anm.frames[:3]).all()
    assert said == []


def test_a_new_keyframe_beside_a_change_of_type_shows_what_was_seen() -> None:
    anm = synthetic(LBA2, loop_frame=9, bones=4)
    anm.frames["bones"]["value"][:, 3] = (100, 0, 0)
    anm.frames["bones"]["type"][3, 3] = TRANSLATE
    anm.frames["bones"]["value"][3, 3] = (300, 0, 0)
    edit = Action.of(anm, LBA2, 50.0)
    rotation(edit, 1).put(26.0, rotation(edit, 1).at(26.0))
    after, said = edit.export()
    assert said == []
    assert (after.types[3, 3], after.values[3, 3].tolist()) == (TRANSLATE, [200, 0, 0])
    assert after.kinds(LBA2)[4, 3] == TRANSLATE
    assert after.kinds(LBA2)[2, 3] == ROTATE


@pytest.mark.parametrize("factor", [0.6, 1.37, 2.0, 7.5])
@pytest.mark.parametrize("fps", [24.0, 50.0, 60.0])
@pytest.mark.parametrize("instant", [1, 2, 3])
def test_keyframes_without_duration_stay_so_at_any_speed(factor: float, fps: float, instant: int) -> None:
    anm = synthetic(LBA2, loop_frame=9)
    anm.frames["duration"][instant] = 0
    edit = Action.of(anm, LBA2, fps)
    edit.retime(lambda frames: 1 + (frames - 1) * factor)
    after, said = edit.export()
    assert said == []
    assert after.durations.tolist()[1:] == [0 if key == instant else round(200 * factor) for key in (1, 2, 3)]
    assert (after.frames["bones"] == anm.frames["bones"]).all()


def test_events_that_count_other_keyframes_now_are_told() -> None:
    edit = action(LBA1)
    edit.settings = edit.settings.__class__(
        **{**vars(edit.settings), "markers": ((1, "intro"), (11, "hit"), (31, "left step"), (31, "mine"))}
    )
    rotation(edit, 1).put(25.0, rotation(edit, 1).at(25.0))
    _, said = edit.export()
    assert len(said) == 1
    assert "FILE3D" in said[0]
    assert "left step of keyframe 3 (frame 31) happens at frame 25 now: give it keyframe 4 there" in said[0]
    assert "hit" not in said[0]
    for line in edit.lines.values():
        line.drop(25.0)
    assert edit.export()[1] == []
    for line in edit.lines.values():
        line.drop(31.0)
    assert "left step of keyframe 3 (frame 31) happens never now" in "".join(edit.export()[1])


def test_the_second_game_takes_12_bits_of_a_master_rotation() -> None:
    anm = synthetic(LBA2, loop_frame=9)
    anm.frames["bones"]["type"][:, 0] = 1
    anm.frames["bones"]["value"][2, 0, 1] = 3840
    edit = Action.of(anm, LBA2, 50.0)
    heading = edit.lines[Channel("", "rotation_euler", 2)]
    assert heading.values[2] == pytest.approx(np.radians(-22.5))
    after, said = edit.export()
    assert (after.pack(), said) == (anm.pack(), [])
    heading.put(31.0, np.radians(-22.5 + 270))
    with pytest.raises(
        ExportError, match="270 degrees between frames 21 and 31, which the game takes the other way round: put a key between"
    ):
        edit.export()


@BOTH
def test_the_games_arc_is_told(game: Variant) -> None:
    edit = action(game, loop_frame=9)
    heading = edit.lines[Channel("", "rotation_euler", 2)]
    for frame in (21.0, 31.0):
        heading.put(frame, np.radians(90))
    _, said = edit.export()
    (line,) = [line for line in said if "since it rotates on the way" in line]
    away = max(200 * share * np.sin(np.radians(45) * (1 - share)) for share in (0.25, 0.5, 0.75))  # a chord of the circle
    assert line.startswith(f"between frames 11 and 21 the game has the character up to {away:.4g} units away from where it is shown")
    assert "other pair" not in line


def test_what_is_seen_of_the_root_itself_stays() -> None:
    edit = Action.of(Anm.parse(lba1_chain.ANM), LBA1, 50.0, "OBJECT", Body.of(Lm1.parse(lba1_chain.LM1)))
    for channel, line in edit.lines.items():
        if channel == Channel("", "location", 2):
            line.values += 0.3
    _, said = edit.export()
    assert any(line.startswith("group 00 itself is 300 units behind at frame 1") for line in said)
    edit.settings = replace(edit.settings, root_is_visible=lambda: False)
    assert not any("itself" in line for line in edit.export()[1])


@pytest.mark.parametrize("loop_frame", [0, 1])
def test_a_tilt_of_the_closing_key_alone_is_told(loop_frame: int) -> None:
    edit = Action.of(Anm(loop_frame, 0, Anm.parse(lba1_chain.ANM).frames), LBA1, 50.0, "OBJECT", Body.of(Lm1.parse(lba1_chain.LM1)))
    tilt = edit.lines[Channel("", "rotation_euler", 0)]
    end = float(tilt.frames[-1])
    tilt.put(end, 0.5)
    after, said = edit.export()
    assert (after.pack(), len(said)) == (edit.anm.pack(), 1)
    assert f"keyframe {loop_frame} does, which is 28.65 degrees away from the closing key at frame {end:g}; press Refit Loop" in said[0]


def test_a_closing_key_more_than_half_a_circle_away_is_told() -> None:
    """Master rotations of the second game have 12 bits: what the way back to keyframe 0 cannot hold stays as it came in."""
    anm = synthetic(LBA2, loop_frame=0)
    anm.frames["bones"]["type"][:, 0], anm.frames["step"] = 1, 0
    edit = Action.of(anm, LBA2, 50.0)
    heading = edit.lines[Channel("", "rotation_euler", 2)]
    heading.put(float(heading.frames[-1]), np.radians(229))
    after, said = edit.export()
    assert after.frames["bones"]["value"][0, 0].tolist() == [0, 0, 0]
    assert len(said) == 1
    assert "which is 229 degrees away from the closing key at frame 41; press Refit Loop" in said[0]


@BOTH
def test_a_closing_key_at_the_end_of_all_numbers_is_refused(game: Variant) -> None:
    edit = action(game, loop_frame=0)
    for line in edit.lines.values():
        if line.generated.any():
            line.frames[-1] = 1e30
    with pytest.raises(ExportError, match="time units, at most 65535 are possible"):
        edit.export()
