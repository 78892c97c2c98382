"""What of a record follows from its motion and attacks, and stays as long as these do."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from retro_anim.core.motion.curves import Channel, Curve, Curves, curves_of
from retro_anim.core.oni.motion.derived import Figure
from retro_anim.core.oni.motion.motion import Settings, blocks_of
from retro_anim.core.oni.motion.rig import OniRig, names_of
from retro_anim.core.oni.motion.sampling import sample_curves
from retro_anim.core.oni.motion.update import Origin, Wanted, update
from retro_anim.core.oni.records import tram_layout
from retro_anim.core.oni.records.rotations import Rotations
from retro_anim.core.oni.records.tram import Tram
from retro_anim.core.reporting import log

from ..example import OFFSETS, PARENTS

FRAMES = 6
FIGURE = Figure(PARENTS, OFFSETS)
RIG = OniRig.build(names_of(19), PARENTS, OFFSETS, np.ones(19))
FIST = 1 << 13


def attacks_of(start: int, end: int, hit_points: int = 10) -> NDArray[np.void]:
    attacks = np.zeros(1, tram_layout.ATTACK)
    attacks["bones"], attacks["start"], attacks["end"], attacks["hit_points"] = FIST, start, end, hit_points
    return attacks


def document(**fields: Any) -> Tram:
    """It stands still, goes along X, and has positions and extents that nothing derives."""
    ends = np.array([0, FRAMES - 1])
    velocities = np.zeros(FRAMES, tram_layout.VELOCITY)
    velocities["x"] = np.arange(1, FRAMES + 1) / 8
    positions, extents = np.zeros(FRAMES, tram_layout.POSITION), np.zeros(2, tram_layout.EXTENT)
    positions["x"], extents["length"], extents["frame"] = 321, 4321, [2, 3]
    tram = replace(
        Tram.new("TRAMtest", FRAMES),
        rotations=Rotations.of_tracks([ends] * 19, [np.zeros((2, 3), np.int16)] * 19, FRAMES, 6).pack(),
        heights=np.full(FRAMES, 9, np.float32), velocities=velocities, positions=positions, extents=extents,
        attacks=attacks_of(2, 3), duration=77, direction=1,
    )  # fmt: skip
    return replace(tram, **fields)


def updated(tram: Tram, wanted: Tram, curves: Curves | None = None, thin: bool = False) -> Tram:
    options = Settings()
    shown = curves_of(blocks_of(tram, RIG, options)) if curves is None else curves
    with log.collect():
        to_be = Wanted(wanted, thin=(lambda block: block) if thin else None)
        return update(sample_curves(shown, RIG, options), RIG, FIGURE, options, to_be, Origin.of(tram, RIG, options))


def moved(tram: Tram, axis: int, frame: int, by: float) -> Curves:
    """The curves of its import with one key of the pelvis elsewhere, in Blender's metres."""
    curves = curves_of(blocks_of(tram, RIG, Settings()))
    channel = Channel("pelvis", "location", axis)
    values = curves[channel].values.copy()
    values[frame] += np.float32(by)
    return {**curves, channel: Curve(curves[channel].frames, values)}


@pytest.mark.parametrize(
    ("before", "after", "anew"),
    [
        ({}, {}, False),
        ({}, {"attacks": attacks_of(2, 3, 99)}, False),
        ({}, {"attacks": attacks_of(2, 4)}, True),
        ({}, {"attacks": attacks_of(1, 3)}, True),
        ({}, {"attacks": np.repeat(attacks_of(2, 3), 2)}, True),
        ({}, {"attacks": None}, True),
        ({}, {"attacks": attacks_of(2, 3)[:0]}, True),
        ({}, {"direction": 2}, True),
        ({"attacks": None}, {"attacks": attacks_of(2, 3)}, True),
        ({"attacks": None}, {"attacks": attacks_of(2, 3)[:0]}, False),
        ({"attacks": attacks_of(2, 3)[:0]}, {"attacks": None}, False),
        ({"attacks": None}, {"direction": 2}, False),
    ],
)
def test_reaches_follow_from_the_bones_and_frames_of_attacks(before: dict[str, Any], after: dict[str, Any], anew: bool) -> None:
    """And from the direction: whatever else attacks do, extents stay. Positions do as long as nothing moves."""
    tram = document(**before)
    result = updated(tram, replace(tram, **after))
    lengths = [] if result.extents is None else result.extents["length"].tolist()
    assert (lengths != [4321, 4321]) == anew
    assert result.positions is not None and (result.positions["x"] == 321).all()


@pytest.mark.parametrize("attacks", [attacks_of(2, 3), None])
def test_positions_follow_from_the_motion_and_reaches_with_them(attacks: NDArray[np.void] | None) -> None:
    tram = document(attacks=attacks)
    result = updated(tram, tram, moved(tram, 1, 2, 0.1))
    assert result.positions is not None and (result.positions["x"] != 321).any()
    assert result.extents is not None and (result.extents["length"].tolist() != [4321, 4321]) == (attacks is not None)
    assert result.heights is not None and result.heights.tolist() == pytest.approx([9, 9, 10, 9, 9, 9], abs=1e-5)


def test_keys_of_another_size_are_the_same_rotations() -> None:
    """A quarter of a circle about X, which is 16384 steps or a quaternion x, y, z, -w."""
    quarter = np.array([[0, 0, 0], [16384, 0, 0]], np.int16)
    tram = document(rotations=Rotations.of_tracks([np.array([0, FRAMES - 1])] * 19, [quarter] * 19, FRAMES, 6).pack())
    written = updated(tram, replace(tram, compression=16)).rotations
    assert written is not None
    block = Rotations.parse(written, 19, FRAMES, 16)
    assert block.frames.tolist() == [0, FRAMES - 1] * 19
    assert block.keys[1::2] == pytest.approx(np.tile([0.5**0.5, 0, 0, -(0.5**0.5)], (19, 1)), abs=3e-5)


def test_a_duration_stays_as_long_as_there_are_as_many_frames() -> None:
    tram = document()
    assert (updated(tram, tram).duration, updated(tram, tram, moved(tram, 1, 2, 0.1)).duration) == (77, 77)
    curves = curves_of(blocks_of(tram, RIG, Settings()))
    shorter = {
        channel: Curve(curve.frames[curve.frames < 1 + FRAMES - 2], curve.values[: (curve.frames < 1 + FRAMES - 2).sum()])
        for channel, curve in curves.items()
    }
    result = updated(tram, tram, shorter)
    assert result.duration == result.frame_count < FRAMES


def test_a_moved_closing_key_is_another_last_velocity() -> None:
    """One metre of Blender is ten units; a key within the clip changes the velocity before it and the one behind it."""
    tram = document()
    changes = []
    for frame in (FRAMES, 2):
        result = updated(tram, tram, moved(tram, 0, frame, 0.1))
        assert result.velocities is not None and tram.velocities is not None
        changes.append(np.abs(result.velocities["x"] - tram.velocities["x"]) + np.abs(result.velocities["z"] - tram.velocities["z"]))
    assert changes[0].tolist() == pytest.approx([0, 0, 0, 0, 0, 1], abs=1e-5)
    assert changes[1].tolist() == pytest.approx([0, 1, 1, 0, 0, 0], abs=1e-5)


@pytest.mark.parametrize("thin", [False, True])
def test_what_else_stands_in_a_block_stays_where_no_key_is_edited(thin: bool) -> None:
    """Bytes between two tracks, also where fewer keys were asked for and none could be left out."""
    block = document().rotations
    assert block is not None
    offsets = np.frombuffer(block, "<u2", 19) + np.where(np.arange(19) > 8, 2, 0).astype("<u2")
    first = int(offsets[9]) - 2
    tram = document(rotations=offsets.astype("<u2").tobytes() + block[38:first] + b"\7\x09" + block[first:])
    assert updated(tram, tram, thin=thin).rotations == tram.rotations
    edited = curves_of(blocks_of(tram, RIG, Settings()))
    channel = Channel("head", "rotation_quaternion", 1)
    edited[channel] = Curve(edited[channel].frames, edited[channel].values + np.float32(0.2))
    written = updated(tram, tram, edited, thin).rotations
    assert written is not None and written != tram.rotations and len(written) == len(block)


REST = 8.25
"""Where the pelvis rests above the ground: thigh, calf and foot reach down that far."""


def placed(tram: Tram, axis: int, values: dict[int, float], frames: int) -> Curves:
    """The curves of its import, with keys along an axis of the pelvis: units of the game at some frames, 0 at all others."""
    at = np.arange(frames, dtype=np.float32) + 1
    numbers = np.array([values.get(frame, 0) / 10 for frame in range(frames)], np.float32)
    return {**curves_of(blocks_of(tram, RIG, Settings())), Channel("pelvis", "location", axis): Curve(at, numbers)}


@pytest.mark.parametrize(
    ("values", "frames", "raised"),
    [
        ({}, FRAMES, None),
        ({}, FRAMES + 2, None),
        ({2: 0.5}, FRAMES, 0.5),
        ({2: 0.5}, FRAMES + 2, 0.5),
        ({2: 3e-5}, FRAMES + 2, None),
        ({2: 4e-5}, FRAMES + 2, 4e-5),
        ({2: -4e-5}, FRAMES, -4e-5),
    ],
)
def test_what_has_no_heights_gets_them_where_the_pelvis_is_raised(values: dict[int, float], frames: int, raised: float | None) -> None:
    """By more than 4 millionths of how high it is, 0.000033 units, however long the clip is."""
    tram = document(heights=None, velocities=None)
    result = updated(tram, tram, placed(tram, 1, values, frames))
    assert (result.frame_count, result.velocities, result.heights is None) == (frames, None, raised is None)
    if raised is not None and result.heights is not None:
        assert result.heights.tolist() == pytest.approx([REST, REST, REST + raised, *[REST] * (frames - 3)], abs=2e-6)


@pytest.mark.parametrize("frames", [FRAMES, FRAMES + 2])
@pytest.mark.parametrize(("up", "raised"), [(3e-5, False), (4e-5, True), (0.5, True)])
def test_a_pelvis_that_rises_at_the_end_gets_heights_whatever_else_is_as_it_was(frames: int, up: float, raised: bool) -> None:
    """Also behind the frames that the file had, and where it goes elsewhere as well."""
    tram = document(heights=None)
    for goes in (0.0, 0.5):
        curves = {**placed(tram, 0, {1: goes}, frames), **placed(tram, 1, {frames - 1: up}, frames)}
        heights = updated(tram, tram, curves).heights
        assert (heights is not None) == raised
        assert heights is None or heights.tolist() == pytest.approx([*[REST] * (frames - 1), REST + up], abs=2e-6)


@pytest.mark.parametrize(("axis", "name"), [(0, "x"), (2, "z")])
@pytest.mark.parametrize(("step", "moves"), [(0.0, False), (3e-5, False), (4e-5, True), (0.5, True)])
def test_what_has_no_velocities_gets_them_where_the_pelvis_goes(axis: int, name: str, step: float, moves: bool) -> None:
    tram = document(heights=None, velocities=None)
    result = updated(tram, tram, placed(tram, axis, dict.fromkeys(range(3, FRAMES + 1), step), FRAMES + 1))
    assert (result.velocities is not None) == moves and result.heights is None
    if result.velocities is not None:
        other = "z" if name == "x" else "x"
        assert result.velocities[name].tolist() == pytest.approx([0, 0, step, 0, 0, 0]) and not result.velocities[other].any()


@pytest.mark.parametrize(("by", "stays"), [(0.0, True), (3e-5, True), (5e-5, False)])
def test_a_height_keeps_its_bits_where_it_is_off_by_four_millionths_of_the_largest(by: float, stays: bool) -> None:
    """Of heights of 9 units that is 0.000036."""
    tram = document()
    result = updated(tram, tram, moved(tram, 1, 2, by / 10))
    assert result.heights is not None and (result.heights.tolist() == [9] * FRAMES) == stays


@pytest.mark.parametrize("axis", [0, 2])
@pytest.mark.parametrize(("by", "stays"), [(3e-6, True), (5e-6, False)])
def test_a_way_of_less_than_a_unit_keeps_its_bits_where_it_is_off_by_four_millionths_of_one(axis: int, by: float, stays: bool) -> None:
    """It stands at 0; where it is moved, the velocity before it is as much, and the one behind it leads back."""
    tram = document(velocities=np.zeros(FRAMES, tram_layout.VELOCITY))
    result = updated(tram, tram, placed(tram, axis, {2: by}, FRAMES + 1)).velocities
    assert result is not None
    own, other = ("x", "z") if axis == 0 else ("z", "x")
    assert result[own] == pytest.approx([0, 0, 0, 0, 0, 0] if stays else [0, by, -by, 0, 0, 0], rel=1e-5, abs=1e-12)
    assert not result[other].any()
