"""Curves and times by hand: frames that Blender can keep apart, and what a curve shows at and between its keys."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.motion import time_limits
from retro_anim.core.motion.curves import LAST_FRAME, Block, Channel, Curve, Timing, curves_of, interpolated, of_clip, straight
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.motion.sampling import stepped
from retro_anim.core.reporting import log

TIMING = Timing(rate=10.0, fps=20.0, start=3.0)
"""A time unit is two frames."""


@pytest.mark.parametrize(
    ("times", "frames"),
    [
        ([0, 1, 2.5], [3, 5, 8]),
        ([1, 1, 2], [5, 5.02, 7]),
        ([1, 2, 2, 3], [5, 7, 7.02, 9]),
        ([1, 1, 1, 1.005, 2], [5, 5.02, 5.04, 5.06, 7]),
        ([1, 1.009, 1.018], [5, 5.02, 5.04]),
        ([1, 1.01, 1.02], [5, 5.02, 5.04]),
        ([1], [5]),
        ([], []),
    ],
)
def test_times_as_frames(times: list[float], frames: list[float]) -> None:
    assert TIMING.frames(np.array(times)) == pytest.approx(frames)
    assert [TIMING.frame(time) for time in times[:1]] == frames[:1]
    assert TIMING.times(np.array(frames[:1])) == pytest.approx(times[:1])
    several = [np.array(each) for each in (times, [0.0, 4.0], [4.0, 4.0], [], times)]
    for given in (several, several[:3], several[:1], [each for each in several if len(each)]):
        together = TIMING.frames_of_all(given)
        assert [each.dtype for each in together] == [np.float32] * len(given)
        assert all(row == pytest.approx(TIMING.frames(each), abs=1e-5) for row, each in zip(together, given, strict=True))


def curve(frames: list[float], values: list[float]) -> Curve:
    return Curve(np.array(frames, np.float32), np.array(values, np.float32))


@pytest.mark.parametrize(
    ("at", "values"),
    [
        ([1, 3, 5], [10, 20, 60]),
        ([1.005, 3.005, 4.995], [10, 20, 60]),  # so near to a key it is the key
        ([0.995, 2.995, 5.005], [10, 20, 60]),
        ([1.02, 2, 4], [10.1, 15, 40]),
        ([0, 6], [10, 60]),
        ([3], [20]),
        ([2.98], [19.9]),
        ([], []),
    ],
)
def test_what_a_curve_shows(at: list[float], values: list[float]) -> None:
    assert curve([1, 3, 5], [10, 20, 60]).at(np.array(at)) == pytest.approx(values)
    assert curve([2], [7]).at(np.array(at)).tolist() == [7] * len(at)
    straight_lines = curve([1, 3, 5], [10, 20, 60])
    by_itself = Curve(straight_lines.frames, straight_lines.values, lambda frames: frames * 100)
    keyed = {1: 10, 3: 20, 5: 60}
    assert by_itself.at(np.array(at)) == pytest.approx(
        [keyed[round(each)] if abs(each - round(each)) < 0.01 and round(each) in keyed else each * 100 for each in at]
    )
    one = Curve(np.array([2], np.float32), np.array([7], np.float32), lambda frames: frames * 100)
    assert one.at(np.array([2.0, 3.0])).tolist() == [7, 300]


def test_at_its_own_keys_a_curve_is_not_evaluated() -> None:
    """In Blender that takes most of the time."""

    def never(_: object) -> Floats:
        raise AssertionError

    frames = np.array([1, 3, 5], np.float32)
    assert Curve(frames, 10 * frames, never).at(np.array([1.005, 3.0, 4.995])).tolist() == [10, 30, 50]


def test_the_curves_of_a_clip_are_those_of_its_bones_and_properties() -> None:
    kept = [
        ("arm", "location"),
        ("", "location"),
        ("arm", "rotation_axis_angle"),
        ("arm", '["root_turn"]'),
        ("arm", '["own"]'),
        ("arm", "scale"),
    ]
    left = [("control", "location"), ("arm", '["other"]'), ("arm", "hide"), ("control", '["own"]')]
    curves = {Channel(*each, 0): index for index, each in enumerate(kept + left)}
    chosen = of_clip(curves, ["arm"], "own")
    assert [(channel.bone, channel.property) for channel in chosen] == kept


def test_generated_keys_are_seen_and_are_none() -> None:
    """Between keys 1 and 5 the curve goes through the generated one."""
    frames, values = np.array([1, 2, 5], np.float32), np.array([[0, 8, 20]], np.float32)
    channels = [Channel("arm", "location", 0)]
    (shown,) = curves_of([Block(channels, frames, values, np.array([False, True, False]))]).values()
    assert shown.frames.tolist() == [1, 5] and shown.at(np.array([1, 1.5, 2, 3.5, 5])).tolist() == [0, 4, 8, 14, 20]
    (whole,) = curves_of([Block(channels, frames, values, np.zeros(3, bool))]).values()
    assert whole.evaluate is None and whole.at(np.array([1.5, 3.5])).tolist() == [4, 14]
    assert curves_of([Block(channels, frames, values, np.ones(3, bool))]) == {}
    assert straight(frames, values[0])(np.array([0.0, 9.0])).tolist() == [0, 20]


@pytest.mark.parametrize(("frame", "row"), [(0, 0), (1, 0), (1.005, 0), (1.5, 1), (3, 1), (3.02, 2), (9, 2)])
def test_a_stepped_property_is_that_of_the_key_ahead(frame: float, row: int) -> None:
    curves = {Channel("arm", '["type"]', index): curve([1, 3, 5], [index, index + 10, index + 20]) for index in range(2)}
    table = stepped(curves, "arm", "type", np.array([frame]), 2)
    assert table is not None and table.tolist() == [[10 * row, 10 * row + 1]]
    assert stepped(curves, "leg", "type", np.array([frame]), 2) is None


@pytest.mark.parametrize(
    ("frames", "said"),
    [
        ([1, 2, 2.005], ""),
        ([65530, 65530], ""),
        ([70000, 70000.5], ""),
        ([65536, 65536], ""),
        ([70000, 70000], "walk has keys 0.02 frames apart at frame 70000, so late that Blender merges them"),
        ([-70000, -70000, 5], "walk has keys 0.02 frames apart at frame -70000, so late that Blender merges them"),
        ([1, LAST_FRAME], ""),
        ([1, LAST_FRAME + 1], "walk goes to frame 1048575, and Blender's time line to 1048574"),
        ([-LAST_FRAME - 1, 1], "walk goes to frame -1048575, and Blender's time line to -1048574"),
        ([], ""),
    ],
)
def test_clips_that_lie_too_late_are_reported(frames: list[float], said: str) -> None:
    at = np.array(frames, np.float32)
    blocks = [Block([Channel("arm", "location", 0)], at, at[None], np.zeros(len(at), bool))]
    for others in (0, 1, 2):
        with log.collect() as heard:
            time_limits.report_late([("walk", blocks), *[("run", blocks)] * others, ("stand", [])])
        more = f" (and {others} more such clips)" if others else ""
        expected = [f"{said}{more}: choose an earlier start frame, or a lower frame rate"] if said else []
        assert [message.text for message in heard.of("WARNING")] == expected


def test_at_no_frames_a_line_of_many_keys_shows_nothing() -> None:
    keys = np.arange(3, dtype=np.float32)
    assert interpolated(np.zeros(0), keys, 10 * keys).tolist() == []
    assert interpolated(np.array([0.5]), keys, 10 * keys).tolist() == [5.0]
