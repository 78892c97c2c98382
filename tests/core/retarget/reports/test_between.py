"""What a clip is between its keys, in numbers made by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.retarget.figures.clip import Clip, Grid
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.reports.between import Between, Looks, Peak
from retro_anim.core.retarget.retarget import retarget
from retro_anim.core.retarget.setup import prepare

from .. import rigs

SETUP = prepare(rigs.humanoid(), rigs.humanoid(), rigs.SAME, Options())


def test_it_is_looked_at_at_keys_frames_and_in_the_middle_of_wide_gaps() -> None:
    """Ticks of 0.4 frames, a key behind the end, and two keys that are three ticks apart."""
    keys = 5 + 0.4 * np.array([0, 1, 2, 5, 6], np.float64)
    looks = Looks.of(Clip(keys, np.append(keys[:-1], 7.2), 5.0), Grid(0.4, 2.5, 1.0))
    assert looks.frames == pytest.approx([5, 5.4, 5.8, 6, 6.4, 7, 7.2, 7.4])
    assert looks.source == pytest.approx([5, 5.4, 5.8, 6, 6.4, 7, 7.2, 7.2])
    assert looks.keys.tolist() == [0, 1, 2, 5, 7]


def test_frames_are_those_of_the_clip_s_start_also_before_it() -> None:
    """A lead into a loop begins 1.6 frames before it."""
    keys = 3.5 + 0.8 * np.arange(-2, 3, dtype=np.float64)
    looks = Looks.of(Clip(keys, keys, 3.5, 2), Grid(0.8, 1.25, 1.0))
    assert looks.frames == pytest.approx([1.9, 2.5, 2.7, 3.5, 4.3, 4.5, 5.1])


def test_keys_that_are_moved_onto_ticks_have_what_the_source_shows_at_its_own() -> None:
    """At frames 1, 2.1, 3.3 and 5; ticks of 0.48 frames, which the second comes after the frame beside it."""
    looks = Looks.of(Grid.of(24, 50, 1, True).at_keys(np.array([1, 2.1, 3.3, 5]), 1, False), Grid.of(24, 50, 1, True))
    assert looks.frames == pytest.approx([1, 1.48, 1.96, 2, 2.68, 3, 3.4, 4, 4.12, 4.84])
    assert looks.source == pytest.approx([1, 1.48, 2.1, 2, 2.68, 3, 3.3, 4, 4.12, 5])
    assert looks.frames[looks.keys] == pytest.approx([1, 1.96, 3.4, 4.84])


@pytest.mark.parametrize("count", [1, 2, 7])
def test_keys_on_each_frame_leave_nothing_to_look_at(count: int) -> None:
    keys = 2.0 + np.arange(count, dtype=np.float64)
    assert Looks.of(Clip(keys, keys, 2.0), Grid(1.0, 1.0, 1.0)).is_empty


def test_a_loop_that_is_closed_by_one_more_key_is_looked_at_up_to_its_own_end() -> None:
    clip = Clip(np.array([1.0, 1.8, 2.6]), np.array([1.0, 1.8, 2.6]), 1.0, 0).longer(3.4)
    assert Looks.of(clip, Grid(0.8, 1.25, 1.0)).frames == pytest.approx([1, 1.8, 2, 2.6])


FIGURE = rigs.humanoid()
THIGH, SHIN = (
    float(np.linalg.norm(FIGURE.heads[rigs.NAMES.index(end)] - FIGURE.heads[rigs.NAMES.index(start)])) / SETUP.legs.target
    for start, end in (("leftUpperLeg", "leftLowerLeg"), ("leftLowerLeg", "leftFoot"))
)
"""In leg lengths."""


def bent(degrees: list[float]) -> Between:
    """Of a dance at frames 1, 1.5, 2: the left shin of the target is off by `degrees` there."""
    source = rigs.dance(rigs.humanoid(), 3)[1].whole()
    foot, knee = rigs.NAMES.index("leftFoot"), rigs.NAMES.index("leftLowerLeg")
    positions = source.positions.copy()
    shin = positions[:, foot] - positions[:, knee]
    beside = np.cross(shin, [0.3, 0.2, 0.9])
    axes = beside / np.linalg.norm(beside, axis=1, keepdims=True)
    rotations = np.stack([quat.about(axis, np.radians(angle)) for axis, angle in zip(axes, degrees, strict=True)])
    for bone in (foot, rigs.NAMES.index("leftToes")):
        positions[:, bone] += quat.rotate(rotations, shin) - shin
    keys = np.array([1.0, 2.0])
    return Between.of(SETUP, Looks.of(Clip(keys, keys, 1.0), Grid(0.5, 2.0, 2.0)), source, replace(source, positions=positions))


@pytest.mark.parametrize(("degrees", "more"), [([0, 7, 0], 7.0), ([3, 7, 1], 4.0), ([0, 0, 5], 0.0), ([8, 7, 1], 0.0)])
def test_what_is_off_at_a_key_beside_does_not_count(degrees: list[float], more: float) -> None:
    worst = bent(degrees)
    assert worst.rotated.more == pytest.approx(more, abs=1e-4)
    if more:
        assert worst.rotated == Peak(worst.rotated.more, "leftLowerLeg", 1.5, 1.0)
    moved = 2 * SHIN * np.sin(np.radians(degrees) / 2)
    assert worst.moved.more == pytest.approx(max(0.0, moved[1] - max(moved[0], moved[2])), abs=1e-6), "toes come along"


def test_a_joint_is_as_far_off_as_all_limbs_above_it_take_it() -> None:
    """Half way between the keys the whole leg is shifted by 0.03 and 0.05 leg lengths below hip and knee, along the side."""
    source = rigs.dance(rigs.humanoid(), 3)[1].whole()
    positions = source.positions.copy()
    for parts, metres in ((("leftLowerLeg", "leftFoot", "leftToes"), 0.03), (("leftFoot", "leftToes"), 0.05)):
        positions[1, [rigs.NAMES.index(part) for part in parts], 0] += metres * SETUP.legs.target
    keys = np.array([1.0, 2.0])
    looks = Looks.of(Clip(keys, keys, 1.0), Grid(0.5, 2.0, 2.0))
    worst = Between.of(SETUP, looks, source, replace(source, positions=positions))
    assert worst.moved.more == pytest.approx(0.08, abs=0.006), "but for what that makes limbs longer"


def test_what_asks_for_a_look_names_what_is_furthest_from_its_place() -> None:
    """At frame 1.5 the left foot points 6 degrees elsewhere, at 2.5 the right thigh 2.5 degrees with the whole leg below it."""
    source = rigs.dance(rigs.humanoid(), 5)[1].whole()
    positions = source.positions.copy()
    leg = "rightUpperLeg", "rightLowerLeg", "rightFoot", "rightToes"
    for frame, degrees, (joint, *below) in ((1, 6.0, ("leftFoot", "leftToes")), (3, 2.5, leg)):
        start, *ends = positions[frame, [rigs.NAMES.index(name) for name in (joint, *below)]]
        axis = np.cross(ends[-1] - start, [0.3, 0.2, 0.9])
        rotated = quat.rotate(quat.about(axis / np.linalg.norm(axis), np.radians(np.array(degrees))), np.array(ends) - start)
        positions[frame, [rigs.NAMES.index(name) for name in below]] = start + rotated
    hip, toes = (source.positions[3, rigs.NAMES.index(name)] for name in (leg[0], leg[-1]))
    moved = 2 * np.sin(np.radians(2.5) / 2) * np.linalg.norm(toes - hip) / SETUP.legs.target
    keys = np.array([1.0, 2.0, 3.0])
    looks = Looks.of(Clip(keys, keys, 1.0), Grid(0.5, 2.0, 2.0))
    worst = Between.of(SETUP, looks, source, replace(source, positions=positions))
    assert (worst.rotated.more, worst.moved.more) == (pytest.approx(6.0, abs=1e-4), pytest.approx(moved, abs=1e-6))
    assert worst.rotated == Peak(worst.rotated.more, "leftFoot", 1.5, 1.0)
    assert worst.moved == Peak(worst.moved.more, "rightFoot", 2.5, 1.0)
    report = retarget(SETUP, rigs.dance(rigs.humanoid(), 8)[1], 24.0).report
    (line,) = worst.reported(report, Grid(0.8, 1.25, 1.0), 24, "FRAMES").reasons()[len(report.reasons()) :]
    said = f"between keys the end of rightFoot is up to {moved:.3g} leg lengths further from the source's, at frame 2.5: the game's time"
    assert line.startswith(said)


def test_of_limbs_that_are_off_alike_the_first_is_named() -> None:
    """By a degree half way between keys without any; and where none is off by anything, none is."""
    keys = np.array([1.0, 2.0])
    looks = Looks.of(Clip(keys, keys, 1.0), Grid(0.5, 2.0, 2.0))
    off, nothing = np.array([0.0, 1, 0]), np.zeros(3)
    assert Peak().or_of(nothing, looks, "arm") == Peak()
    assert Peak().or_of(off, looks, "arm").or_of(off, looks, "leg") == Peak(1.0, "arm", 1.5, 1.0)
    assert Peak().or_of(off, looks, "arm").or_of(1.01 * off, looks, "leg") == Peak(1.01, "leg", 1.5, 1.0)


TIMES = "the game's time units, 60 a second, are between the source's frames: open it in a scene of 60 frames/s"
FINEST = "it is faster than the game's time units"


@pytest.mark.parametrize(
    ("off", "apart", "grid", "fps", "keys", "said", "asks"),
    [
        (0.0, 0.8, Grid(0.8, 1.25, 1.0), 24, "FRAMES", "", False),
        (0.019, 0.8, Grid(0.8, 1.25, 1.0), 24, "FRAMES", "in a scene of 30 frames/s", False),
        (0.021, 0.8, Grid(0.8, 1.25, 1.0), 24, "FRAMES", TIMES.replace("60", "30"), True),
        (0.021, 25 / 60, Grid(25 / 60, 2.4, 1.0), 25, "FRAMES", "in a scene of 30 frames/s", True),
        (0.021, 0.8, Grid(0.8, 60 / 48, 1.0), 48, "FRAMES", TIMES, True),
        (0.021, 50 / 30, Grid(50 / 30, 0.6, 1.0), 50, "FRAMES", "in a scene of 30 frames/s", True),
        (0.021, 0.48, Grid(0.48, 2.0833, 1.0), 24, "FRAMES", "in a scene of 25 frames/s", True),
        (0.021, 4.0, Grid(4.0, 0.25, 1.0), 120, "FRAMES", FINEST, False),
        (0.021, 0.504, Grid(0.024, 1000 / 24, 1000 / 48), 24, "FRAMES", ": Step: 0.25 has twice as many", True),
        (0.021, 0.024, Grid(0.024, 1000 / 24, 1000 / 48), 24, "FRAMES", TIMES.replace("60", "1000", 1).replace("60", "25"), True),
        (0.021, 1.6, Grid(0.8, 1.25, 1.0), 24, "FRAMES", TIMES.replace("60", "30"), True),
        (0.021, 240.0, Grid(0.024, 10000.0, 10000.0), 24, "FRAMES", ": Step: 120 has twice as many", True),
        (0.021, 0.8, Grid(0.024, 1000 / 24, 1000 / 48), 24, "SOURCE", "Keys: Every Frame has more of them", True),
        (0.021, 0.504, Grid(0.024, 1000 / 24, 1000 / 48), 24, "SOURCE", "Keys: Every Frame, and Step: 0.25 has twice as many", True),
        (0.021, 1.6, Grid(0.8, 1.25, 1.0), 24, "SOURCE", "Keys: Every Frame has more of them", True),
        (0.021, 5.0, Grid(1 / 64, 64.0, 319.5), 64, "SOURCE", "Keys: Every Frame, and Step: 2.496 has twice as many", True),
        (0.021, 321 / 64, Grid(1 / 64, 64.0, 319.5), 64, "SOURCE", "Keys: Every Frame has more of them", True),
        (0.021, 0.8, Grid(0.8, 1.25, 1.0), 24, "SOURCE", TIMES.replace("60", "30"), True),
        (0.021, 8.0, Grid(4.0, 0.25, 1.0), 120, "SOURCE", "Keys: Every Frame has more of them", True),
        (0.021, 4.0, Grid(4.0, 0.25, 1.0), 120, "SOURCE", FINEST, False),
    ],
)
def test_the_line_says_what_helps(off: float, apart: float, grid: Grid, fps: float, keys: Any, said: str, asks: bool) -> None:
    """off: leg lengths of the foot, with 100 times as many degrees of the shin. apart: frames between the keys, of which the source may
    have as many as there are time units."""
    degrees = 100 * off
    report = retarget(SETUP, rigs.dance(rigs.humanoid(), 8)[1], 24.0).report
    worst = Between(Peak(degrees, "shin", 17.25, apart), Peak(off, "foot", 18.75, apart))
    after = worst.reported(report, grid, fps, keys)
    more = after.lines()[len(report.lines()) :]
    assert after.between == degrees and after.document()["between"] == degrees
    shin, foot = f"shin is up to {degrees:.3g}°", f"the end of foot is up to {off:.3g} leg lengths"
    limb, frame = (foot, 18.75) if asks else (shin, 17.25)
    assert [f"between keys {limb} further from the source's, at frame {frame:g}: " in line for line in more] == [True] * bool(said)
    assert not said or more[0].endswith(said)
    assert after.reasons() == report.reasons() + more * asks
