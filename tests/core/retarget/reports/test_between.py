"""What a clip is between its keys, in numbers made by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.retarget.figures.clip import Clip, Grid
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap
from retro_anim.core.retarget.figures.motion import Motion
from retro_anim.core.retarget.options import Options, RetargetOptions
from retro_anim.core.retarget.reports.between import Between, Peak, _rate
from retro_anim.core.retarget.reports.looks import Looks
from retro_anim.core.retarget.retarget import retarget
from retro_anim.core.retarget.setup import prepare

from .. import rigs

SETUP = prepare(rigs.humanoid(), rigs.humanoid(), rigs.SAME, Options())


@pytest.mark.parametrize(
    ("rate", "fps", "better"), [(60.0, 24.0, 30.0), (60.0, 30.0, 30.0), (60.0, 31.0, 60.0), (30.0, 60.0, 30.0), (20.0, 7.0, 10.0)]
)
def test_frames_that_are_all_on_ticks(rate: float, fps: float, better: float) -> None:
    """The lowest rate that divides that of the ticks and is not below the scene's; without one the ticks' own."""
    assert _rate(rate, fps) == better


FIGURE = rigs.humanoid()


THIGH, SHIN = (
    float(np.linalg.norm(FIGURE.heads[rigs.NAMES.index(end)] - FIGURE.heads[rigs.NAMES.index(start)])) / SETUP.legs.target
    for start, end in (("leftUpperLeg", "leftLowerLeg"), ("leftLowerLeg", "leftFoot"))
)
"""In leg lengths."""


def between(looks: Looks, source: Motion, positions: Any) -> Between:
    """positions: of the target."""
    (worst,) = Between.of(SETUP, [looks], [source], [replace(source, positions=positions)])
    return worst


def bent(degrees: list[float]) -> Between:
    """Of a dance at frames 1, 1.5, 2: the left shin of the target is off by `degrees` there."""
    source = rigs.dance(rigs.humanoid(), 3)[1].whole()
    keys = np.array([1.0, 2.0])
    return between(Looks.of(Clip(keys, keys, 1.0), Grid(0.5, 2.0, 2.0)), source, rotated_shin(source, degrees))


def rotated_shin(source: Motion, degrees: list[float]) -> Any:
    """Positions with the left shin rotated so far at each frame."""
    foot, knee = rigs.NAMES.index("leftFoot"), rigs.NAMES.index("leftLowerLeg")
    positions = source.positions.copy()
    shin = positions[:, foot] - positions[:, knee]
    beside = np.cross(shin, [0.3, 0.2, 0.9])
    axes = beside / np.linalg.norm(beside, axis=1, keepdims=True)
    rotations = np.stack([quat.about(axis, np.radians(angle)) for axis, angle in zip(axes, degrees, strict=True)])
    for bone in (foot, rigs.NAMES.index("leftToes")):
        positions[:, bone] += quat.rotate(rotations, shin) - shin
    return positions


@pytest.mark.parametrize(("degrees", "more"), [([0, 7, 0], 7.0), ([3, 7, 1], 4.0), ([0, 0, 5], 0.0), ([8, 7, 1], 0.0)])
def test_what_is_off_at_a_key_beside_does_not_count(degrees: list[float], more: float) -> None:
    worst = bent(degrees)
    assert worst.rotated.more == pytest.approx(more, abs=1e-4)
    if more:
        assert worst.rotated == Peak(worst.rotated.more, "leftLowerLeg", 1.5, 1.0)
    moved = 2 * SHIN * np.sin(np.radians(degrees) / 2)
    assert worst.moved.more == pytest.approx(max(0.0, moved[1] - max(moved[0], moved[2])), abs=1e-6), "toes come along"


def test_without_hips_nothing_is_said_of_their_path() -> None:
    source = rigs.dance(rigs.humanoid(), 3)[1].whole()
    pairs = tuple(pair for pair in rigs.SAME.pairs if pair.source != "hips")
    setup, keys = prepare(rigs.humanoid(), rigs.humanoid(), BoneMap(pairs), Options()), np.array([1.0, 2.0])
    moved = replace(source, positions=rotated_shin(source, [0, 7, 0]) + np.array([0.0, 0.1, 0.0])[:, None, None])
    (worst,) = Between.of(setup, [Looks.of(Clip(keys, keys, 1.0), Grid(0.5, 2.0, 2.0))], [source], [moved])
    assert (worst.rotated.limb, worst.carried) == ("leftLowerLeg", Peak())


def test_a_joint_is_as_far_off_as_all_limbs_above_it_take_it() -> None:
    """Half way between the keys the whole leg is shifted by 0.03 and 0.05 leg lengths below hip and knee, along the side."""
    source = rigs.dance(rigs.humanoid(), 3)[1].whole()
    positions = source.positions.copy()
    for parts, metres in ((("leftLowerLeg", "leftFoot", "leftToes"), 0.03), (("leftFoot", "leftToes"), 0.05)):
        positions[1, [rigs.NAMES.index(part) for part in parts], 0] += metres * SETUP.legs.target
    keys = np.array([1.0, 2.0])
    looks = Looks.of(Clip(keys, keys, 1.0), Grid(0.5, 2.0, 2.0))
    worst = between(looks, source, positions)
    assert worst.moved.more == pytest.approx(0.08, abs=0.006), "but for what that makes limbs longer"


def test_what_asks_for_a_look_names_what_is_furthest_from_its_place() -> None:
    """At the scene's frame 1.5 the left foot points 6 degrees elsewhere, at 2.5 the right thigh 2.5 degrees with the whole leg below it."""
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
    looks = Looks.of(Clip(keys, keys, 1.5), Grid(0.5, 2.0, 2.0))
    worst = between(looks, source, positions)
    assert (worst.rotated.more, worst.moved.more) == (pytest.approx(6.0, abs=1e-4), pytest.approx(moved, abs=1e-6))
    assert worst.rotated == Peak(worst.rotated.more, "leftFoot", 1.5, 1.0, worst.rotated.more)
    assert worst.moved == Peak(worst.moved.more, "rightFoot", 2.5, 1.0, worst.moved.more)
    report = retarget(SETUP, rigs.dance(rigs.humanoid(), 8)[1], 24.0).report
    (line,) = worst.reported(report, Grid(0.8, 1.25, 1.0), 24, RetargetOptions()).reasons()[len(report.reasons()) :]
    said = f"between keys the end of rightFoot is up to {moved:.3g} leg lengths further from the source's, at frame 2.5: the game's time"
    assert line.startswith(said)


def test_of_limbs_that_are_off_alike_the_first_is_named() -> None:
    """By a degree half way between keys without any; and where none is off by anything, none is."""
    keys = np.array([1.0, 2.0])
    looks = Looks.of(Clip(keys, keys, 1.0), Grid(0.5, 2.0, 2.0))
    off, nothing = np.array([-1.0, 1, -1]), np.array([0.0, 0, 0])
    assert Peak.of(np.stack([nothing, nothing]), looks, ["arm", "leg"]) == Peak()
    assert Peak.of(np.stack([nothing, off, off]), looks, ["head", "arm", "leg"]) == Peak(1.0, "arm", 1.5, 1.0)
    assert Peak.of(np.stack([off, 1.01 * off]), looks, ["arm", "leg"]) == Peak(1.01, "leg", 1.5, 1.0)


def test_of_several_clips_each_has_its_own() -> None:
    """The second is off by 7 degrees, the others by nothing."""
    source = rigs.dance(rigs.humanoid(), 3)[1].whole()
    keys = np.array([1.0, 2.0])
    looks = Looks.of(Clip(keys, keys, 1.0), Grid(0.5, 2.0, 2.0))
    off = rotated_shin(source, [0, 7, 0])
    every = Between.of(
        SETUP, [looks] * 3, [source] * 3, [replace(source, positions=each) for each in (source.positions, off, source.positions)]
    )
    assert [each.rotated.more > 1e-4 for each in every] == [False, True, False]
    assert every[1] == bent([0, 7, 0])


TIMES = "the game's time units, 60 a second, are between the source's frames: open the source in a scene of 60 frames/s"


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
        (0.021, 1.6, Grid(1.0, 1.5, 1.5), 24, "FRAMES", ": Step: 0.75 has twice as many", True),
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
    worst = Between(Peak(degrees, "shin", 17.25, apart, degrees), Peak(off, "foot", 18.75, apart, off))
    after = worst.reported(report, grid, fps, RetargetOptions(keys=keys))
    more = after.lines()[len(report.lines()) :]
    assert after.between == degrees and after.document()["between"] == degrees
    shin, foot = f"shin is up to {degrees:.3g}°", f"the end of foot is up to {off:.3g} leg lengths"
    limb, frame = (foot, 18.75) if asks else (shin, 17.25)
    assert [f"between keys {limb} further from the source's, at frame {frame:g}: " in line for line in more] == [True] * bool(said)
    assert not said or more[0].endswith(said)
    assert after.reasons() == report.reasons() + more * asks


@pytest.mark.parametrize(("off", "asks"), [(0.0049, False), (0.019, False), (0.021, True)])
def test_the_hips_path_has_a_line_of_its_own(off: float, asks: bool) -> None:
    """Beside that of limbs."""
    report = retarget(SETUP, rigs.dance(rigs.humanoid(), 8)[1], 24.0).report
    worst = Between(Peak(2.0, "shin", 17.25, 0.8), Peak(0.01, "foot", 18.75, 0.8), Peak(off, "hips", 5.25, 0.8, off))
    after = worst.reported(report, Grid(0.8, 1.25, 1.0), 24, RetargetOptions())
    limb, *path = after.lines()[len(report.lines()) :]
    assert limb.startswith("between keys shin is up to 2° further") and (after.between, after.between_path) == (2.0, off)
    assert len(path) == (off > 0.005) and after.reasons() == report.reasons() + path * asks
    said = f"between keys the hips are up to {off:.3g} leg lengths beside the source's path, at frame 5.25: the game's time units"
    assert all(line.startswith(said) for line in path)


@pytest.mark.parametrize(("start", "asks"), [(1.0, False), (1.5, True)])
def test_what_no_frame_of_the_scene_shows_does_not_ask_for_a_look(start: float, asks: bool) -> None:
    """A shin that is off by 7 degrees half a frame behind a key, at which the scene has a frame or not. It is reported."""
    source, keys = rigs.dance(rigs.humanoid(), 3)[1].whole(), np.array([1.0, 2.0])
    looks = Looks.of(Clip(keys, keys, start), Grid(0.5, 2.0, 2.0), np.array([1.5]))
    worst = between(looks, source, rotated_shin(source, [0, 7, 0]))
    report = retarget(SETUP, rigs.dance(rigs.humanoid(), 8)[1], 24.0).report
    after = worst.reported(report, Grid(0.8, 1.25, 1.0), 24, RetargetOptions())
    assert len(after.lines()) == len(report.lines()) + 1
    assert len(after.reasons()) == len(report.reasons()) + asks


def test_what_one_remedy_helps_asks_once() -> None:
    """The lines are both there."""
    report = retarget(SETUP, rigs.dance(rigs.humanoid(), 8)[1], 24.0).report
    worst = Between(Peak(2.0, "shin", 17.25, 0.8), Peak(0.03, "foot", 18.75, 0.8, 0.03), Peak(0.03, "hips", 5.25, 0.8, 0.03))
    after = worst.reported(report, Grid(0.8, 1.25, 1.0), 24, RetargetOptions())
    foot, hips = after.lines()[len(report.lines()) :]
    assert "the end of foot" in foot and "the hips" in hips
    assert after.reasons() == [*report.reasons(), foot]


def test_what_needs_another_remedy_asks_as_well() -> None:
    """The foot is off in a gap between the source's keys, the hips from one of the game's time units to the next."""
    report = retarget(SETUP, rigs.dance(rigs.humanoid(), 8)[1], 24.0).report
    worst = Between(Peak(2.0, "shin", 17.2, 4.0), Peak(0.03, "foot", 17.2, 4.0, 0.03), Peak(0.03, "hips", 5.2, 0.8, 0.03))
    foot, hips = worst.reported(report, Grid(0.8, 1.25, 1.0), 24, RetargetOptions(keys="SOURCE")).reasons()[len(report.reasons()) :]
    assert foot.endswith("Keys: Every Frame has more of them") and hips.endswith("frames/s")


def test_hips_are_measured_from_the_line_between_the_keys_beside() -> None:
    """Half way they are 0.03 leg lengths ahead of that, a quarter of the way just on it, whatever they are off at the keys."""
    source = rigs.dance(rigs.humanoid(), 5)[1].whole()
    keys = np.array([1.0, 3.0])
    looks = Looks.of(Clip(keys, keys, 1.0), Grid(0.5, 2.0, 2.0), np.array([1.5]))
    assert looks.frames.tolist() == [1.0, 1.5, 2.0, 3.0]
    source = replace(source.at(np.arange(4)), frames=looks.frames)
    shifts = np.array([0.0, 0.025, 0.08, 0.1])[:, None, None] * np.array([0.6, 0, 0.8]) * SETUP.legs.target
    worst = between(looks, source, source.positions + shifts)
    assert worst.carried.more == pytest.approx(0.03)
    assert worst.carried == Peak(worst.carried.more, "hips", 2.0, 2.0, worst.carried.more)


WHOLE = "between whole frames, where only motion blur and other frame rates show it (Step: {} has twice as many keys)"


@pytest.mark.parametrize(
    ("off", "apart", "asked", "said", "asks"),
    [
        (0.0, 1.0, RetargetOptions(), "", False),
        (0.03, 1.0, RetargetOptions(), WHOLE.format("0.5"), False),
        (0.03, 0.5, RetargetOptions(step=0.5), WHOLE.format("0.25"), False),
        (0.03, 4.0, RetargetOptions(step=4), ": Step: 2 has twice as many", True),
        (0.01, 4.0, RetargetOptions(step=4), ": Step: 2 has twice as many", False),
        (0.03, 10.0, RetargetOptions(keys="SOURCE"), ": Keys: Every Frame has more of them", True),
        (0.03, 1.0, RetargetOptions(keys="SOURCE"), WHOLE.format("0.5"), False),
        (0.03, 2.0, RetargetOptions(keys="SOURCE", step=3), ": Keys: Every Frame, and Step: 1.5 has twice as many", True),
    ],
)
def test_the_line_of_a_rig_of_no_game_says_what_helps(off: float, apart: float, asked: RetargetOptions, said: str, asks: bool) -> None:
    """apart: frames between the keys. What shows between whole frames alone asks for nothing."""
    report = retarget(SETUP, rigs.dance(rigs.humanoid(), 8)[1], 24.0).report
    after = Between(Peak(100 * off, "shin", 17.5, apart), Peak(off, "foot", 17.5, apart, off)).reported(report, None, 24, asked)
    more = after.lines()[len(report.lines()) :]
    assert len(more) == bool(said) and all(line.endswith(said) for line in more)
    assert after.reasons() == report.reasons() + more * asks
