"""Between the keys of the second game's clips: bones that change their type, keyframes without duration, at any frame rate and speed."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from retro_anim.core.lba.body.body import Body
from retro_anim.core.lba.files.anm import TRANSLATE, Anm, frame_dtype
from retro_anim.core.lba.files.archive.hqr import Hqr
from retro_anim.core.lba.files.variant import LBA2
from retro_anim.core.lba.motion.motion import CONVENTION, clip_of
from retro_anim.core.motion.blocks import blocks_of
from retro_anim.core.motion.curves import CLOSEST, Placement, Timing
from retro_anim.core.motion.rigs.rig import Rig
from retro_anim.core.motion.time_limits import report_late
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import ExportError

from ..edits import Action
from .player import Film, apart, shown

GameFile = Callable[[str], Path]
SHARES = (0.25, 0.5, 0.75)


def worst(edit: Action, frames: list[float], anm: Anm) -> tuple[float, float]:
    """Degrees and units, at most, between what curves and game show on the way from keyframe to keyframe, which stand at `frames`; those
    without duration are left out."""
    skeleton = edit.rig.skeleton
    film = Film.of(anm.pack(), "lba2", skeleton.parents.tolist(), np.array(skeleton.heads))
    points = [
        (index, first + (last - first) * share, share)
        for index, (first, last) in enumerate(pairwise(frames))
        if anm.durations[index + 1] > 2
        for share in SHARES
    ]
    pairs = [apart(shown(edit, frame, film), film.shown(index, share)) for index, frame, share in points]
    return max(angle for angle, _ in pairs), max(units for _, units in pairs)


def keyframes(edit: Action, anm: Anm) -> list[float]:
    frames = np.unique(np.concatenate([line.frames[~line.generated] for line in edit.lines.values()])).astype(np.float64)
    frames = frames[np.append(True, np.diff(frames) >= 0.01)]
    assert len(frames) == len(anm.frames)
    return frames.tolist()


def times(anm: Anm, fps: float) -> list[float]:
    """The frames at which the file's keyframes stand."""
    return (1 + anm.times * fps / 1000).tolist()


def changing(game_file: GameFile) -> dict[int, Anm]:
    """The game's clips in which a bone changes its type."""
    archive = Hqr.parse((game_file("lba2") / "ANIM.HQR").read_bytes())
    anms = {entry: Anm.parse(archive.read(entry)) for entry in range(len(archive)) if not archive.blank(entry)}
    return {entry: anm for entry, anm in anms.items() if (np.diff(anm.kinds(LBA2), axis=0) != 0).any()}


def leaping(between: int = 200) -> Anm:
    """Keyframe 2 without duration, from which bone 1 leaps; on the way to keyframe 3, `between` ms, bone 2 changes its type."""
    frames = np.zeros(5, frame_dtype(3))
    frames["duration"] = 200
    frames["duration"][2:4] = 0, between
    values = frames["bones"]["value"]
    values[:, 1, 0] = 100, 200, 900, 700, 100
    values[:, 2] = (1000, 2000, 3400), (1000, 2000, 3400), (1000, 2000, 3000), (10, 20, 30), (40, -50, 60)
    frames["bones"]["type"][3:, 2] = TRANSLATE
    return Anm(9, 0, frames)


ANY_RATE = pytest.mark.parametrize("fps", [24.0, 25.0, 30.0, 50.0, 60.0])


def spread(edit: Action) -> float:
    """The least frames between two keys of a curve."""
    return min(float(np.diff(line.frames).min()) for line in edit.lines.values() if len(line.frames) > 1)


@ANY_RATE
@pytest.mark.parametrize("between", [20, 60, 200])
def test_a_change_of_type_behind_a_keyframe_without_duration(fps: float, between: int) -> None:
    anm = leaping(between)
    edit = Action.of(anm, LBA2, fps)
    assert spread(edit) > 0.01  # else Blender merges them
    late = CLOSEST * 1000 / fps / between  # the part of the way that is over where bone 1 starts from the second of two keys at one time
    degrees, units = worst(edit, times(anm, fps), anm)
    assert degrees < 0.01 + late * 200 * 360 / 4096
    assert units < 0.1
    assert edit.export()[0].pack() == anm.pack()


@ANY_RATE
def test_clips_with_changes_of_type_as_they_came_in(game_file: GameFile, fps: float) -> None:
    for entry, anm in changing(game_file).items():
        edit = Action.of(anm, LBA2, fps)
        assert spread(edit) > 0.01, entry
        degrees, units = worst(edit, times(anm, fps), anm)
        assert degrees < 0.01, entry
        assert units < 0.1, entry


@ANY_RATE
@pytest.mark.parametrize("speed", [0.25, 0.5, 0.75, 1.5, 2.0, 3.0])
def test_a_clip_with_changes_of_type_at_another_speed(game_file: GameFile, fps: float, speed: float) -> None:
    """2035: a translation at rest becomes a rotation."""
    edit = Action.of(changing(game_file)[2035], LBA2, fps)
    edit.retime(lambda frames: 1 + (frames - 1) / speed)
    after, said = edit.export()
    degrees, units = worst(edit, keyframes(edit, after), after)
    assert said == []
    assert degrees < 0.01
    assert units < 0.1
    assert np.abs(after.durations[1:] * speed - edit.anm.durations[1:]).max() < 1.01 * speed


def merge(edit: Action) -> None:
    """As Blender does when keys have moved: of two less than 0.01 frames apart the later one stays."""
    for line in edit.lines.values():
        stays = np.append(np.diff(line.frames) >= 0.01, True) if len(line.frames) else np.zeros(0, bool)
        line.frames, line.values, line.generated = line.frames[stays], line.values[stays], line.generated[stays]


@pytest.mark.parametrize("speed", [1.3, 1.9, 2.1, 3.0, 7.0])
def test_keyframes_at_one_time_that_blender_merges_are_told(speed: float) -> None:
    anm = leaping()
    anm.frames["bones"]["type"][:, 2] = 0
    edit = Action.of(anm, LBA2, 25.0)
    edit.retime(lambda frames: 1 + (frames - 1) / speed)
    merge(edit)
    after, said = edit.export()
    if speed < 2:
        assert said == []
        assert (after.frames["bones"] == anm.frames["bones"]).all()
        assert after.durations[2] == 0
    else:
        (line,) = said
        frame = 1 + (200 * 25 / 1000 + CLOSEST) / speed
        assert line.startswith(f"keyframes 1 and 2 at frame {frame:g} were at one time and are one key now"), line
        assert line.endswith("so the leap became a transition; put the pose before it on a key 0.02 frames earlier")
        assert (after.frames["bones"] == anm.frames["bones"][[0, 2, 3, 4]]).all()


def test_keys_so_late_that_blender_merges_them_are_told() -> None:
    anm, rig = leaping(), Rig.build(Body.plain(3).skeleton(), CONVENTION)
    for start, expected in ((1.0, ""), (60000.0, ""), (900000.0, "clip has keys 0.02 frames apart at frame 900005, so late")):
        blocks = blocks_of(clip_of(anm, LBA2, "clip"), rig, Timing(1000, 25, start), 0.001, "OBJECT", Placement.origin())
        with log.collect() as said:
            report_late([("clip", blocks)])
        assert [message.text[: len(expected)] for message in said.messages] == [expected] * bool(expected)


def test_more_keyframes_than_a_file_counts() -> None:
    edit = Action.of(leaping(), LBA2, 25.0)
    line = next(line for line in edit.lines.values() if len(line.frames) > 3)
    line.frames, line.values = np.arange(70000, dtype=np.float32), np.zeros(70000, np.float32)
    line.generated = np.zeros(70000, bool)
    with pytest.raises(ExportError, match=r"^7000[0-9] keyframes, and a file counts at most 65535: delete those from frame 6553"):
        edit.export()
