"""Rotation curves in the mode that is meant."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.motion.curves import Channel, Curve, Curves, rotation_channels
from retro_anim.core.motion.modes import in_modes, matrices, quaternions
from retro_anim.core.reporting.errors import RetroAnimError


def test_keys_beyond_the_time_line() -> None:
    """They are sampled at every frame between them, which would take all memory."""
    frames, values = np.array([1, 1e9], np.float32), np.zeros(2, np.float32)
    curves = {channel: Curve(frames, values, None) for channel in rotation_channels("thigh", "XYZ")}
    with pytest.raises(RetroAnimError, match="keys from frame 1 to 1000000000: Blender's time line ends at 1048574"):
        in_modes(curves, {"thigh": "XYZ"}, {"thigh": "QUATERNION"})


def test_quaternions_of_any_length_are_rotations() -> None:
    """Each with the sign that it has: what it is between two keys follows from them."""
    assert quaternions(np.array([[2.0, 0, 0, 0], [0, -3, 0, 4], [0, 3, 0, -4]]), "QUATERNION").tolist() == [
        [1, 0, 0, 0],
        [0, -0.6, 0, 0.8],
        [0, 0.6, 0, -0.8],
    ]


def test_quaternions_of_an_axis_and_an_angle_go_on_over_half_a_turn() -> None:
    """About Z by 0, 120 and 240 degrees."""
    keys = np.array([[np.radians(degrees), 0, 0, 2] for degrees in (0.0, 120, 240)])
    root = np.sqrt(0.75)
    assert np.allclose(quaternions(keys, "AXIS_ANGLE"), [[1, 0, 0, 0], [0.5, 0, 0, root], [-0.5, 0, 0, root]])


def test_angles_become_the_quaternions_of_their_rotation() -> None:
    """A quarter about Z."""
    frames, values = np.array([1, 5], np.float32), np.array([0.0, np.pi / 2], np.float32)
    own = {channel: Curve(frames, values * (channel.component == 2), None) for channel in rotation_channels("thigh", "XYZ")}
    converted = in_modes(own, {"thigh": "XYZ"}, {"thigh": "QUATERNION"}).curves
    rows = [converted[channel].values.tolist() for channel in rotation_channels("thigh", "QUATERNION")]
    half = np.sqrt(0.5)
    assert list(converted) == rotation_channels("thigh", "QUATERNION") and np.allclose(rows, [[1, half], [0, 0], [0, 0], [0, half]])


def test_an_axis_of_any_length_is_rotated_about() -> None:
    """By a quarter about Z: X goes to Y, and Y to -X."""
    for length in (0.1, 1.0, 7.0):
        assert np.allclose(matrices(np.array([np.pi / 2, 0, 0, length]), "AXIS_ANGLE"), [[0, -1, 0], [1, 0, 0], [0, 0, 1]])


@pytest.mark.parametrize(
    ("keyed", "now", "meant", "reordered"),
    [
        ("XYZ", "XYZ", "ZYX", True),
        ("XYZ", "ZYX", "ZYX", False),  # as they are
        ("QUATERNION", "QUATERNION", "ZYX", False),  # converted
        ("XYZ", "QUATERNION", "ZYX", False),  # idle
    ],
)
def test_angles_that_blender_shows_in_another_order_are_named(keyed: str, now: str, meant: str, reordered: bool) -> None:
    frames, values = np.array([1, 5], np.float32), np.array([0.0, 0.5], np.float32)
    own = {channel: Curve(frames, values, None) for channel in rotation_channels("thigh", keyed)}
    converted = in_modes(own, {"thigh": now}, {"thigh": meant})
    assert converted.reordered == ["thigh"] * reordered and converted.idle == ["thigh"] * (keyed != now and now == "QUATERNION")


def keyed(mode: str, *rows: tuple[float, float]) -> Curves:
    """Components from frame 1 to 5; those that are not given are 0."""
    frames = np.array([1, 5], np.float32)
    channels = rotation_channels("thigh", mode)
    return {channel: Curve(frames, np.array([*rows, *[(0, 0)] * 4][channel.component], np.float32), None) for channel in channels}


AHEAD = keyed("ZYX", (0.0, 0.25))
ASIDE = keyed("QUATERNION", (1.0, np.sqrt(0.5)), (0, 0), (0, 0), (0.0, np.sqrt(0.5)))
ABOUT = keyed("AXIS_ANGLE", (0.0, 0.5), (0, 0), (2.0, 2.0))


@pytest.mark.parametrize(
    ("own", "now", "idle", "dropped", "last"),
    [
        (AHEAD, "ZYX", False, False, (0.25, 0, 0)),
        (AHEAD | ASIDE, "ZYX", False, True, (0.25, 0, 0)),
        (AHEAD | ASIDE, "QUATERNION", False, True, (0, 0, np.pi / 2)),
        (AHEAD | ASIDE, "AXIS_ANGLE", True, False, (0.25, 0, 0)),  # nothing shows them: the game's own
        (ASIDE, "ZYX", True, False, (0, 0, np.pi / 2)),
        (ABOUT, "QUATERNION", True, False, (0, 0.5, 0)),
        (ABOUT, "AXIS_ANGLE", False, False, (0, 0.5, 0)),
    ],
)
def test_of_curves_in_several_modes_those_count_that_blender_shows(
    own: Curves, now: str, idle: bool, dropped: bool, last: tuple[float, float, float]
) -> None:
    """A quarter of a radian about X, a right angle about Z, half a radian about Y."""
    moved = {Channel("thigh", "location", 0): Curve(np.ones(1, np.float32), np.ones(1, np.float32), None)}
    converted = in_modes(moved | own, {"thigh": now}, {"thigh": "ZYX"})
    channels = rotation_channels("thigh", "ZYX")
    assert set(converted.curves) == {*moved, *channels}
    assert [float(converted.curves[channel].values[-1]) for channel in channels] == pytest.approx(last, abs=1e-6)
    assert (converted.idle, converted.dropped) == (["thigh"] * idle, ["thigh"] * dropped)
    assert in_modes(moved | own, {"thigh": now}, {"shin": "ZYX"}).curves == moved | own, "of what is no game's nothing is changed"


@pytest.mark.parametrize("angles", [False, True])
def test_a_mode_that_is_keyed_is_no_rotation(angles: bool) -> None:
    """Neither is it one to convert, nor are its keys curves of another mode beside those of angles."""
    frames, values = np.array([1, 5], np.float32), np.array([0.0, 1.0], np.float32)
    own = {channel: Curve(frames, values, None) for channel in rotation_channels("thigh", "ZYX") if angles}
    converted = in_modes(own | {Channel("thigh", "rotation_mode", 0): Curve(frames, values, None)}, {"thigh": "ZYX"}, {"thigh": "ZYX"})
    assert converted.curves == own and converted.idle == [] and converted.dropped == []


def test_a_first_key_that_is_no_number_spoils_no_other() -> None:
    """Behind it, at rest, and a quarter about X."""
    result = quaternions(np.array([[np.nan, 0.0, 0.0], [0.0, 0.0, 0.0], [np.pi / 2, 0.0, 0.0]]), "XYZ")
    assert np.isnan(result[0]).any()
    np.testing.assert_allclose(np.abs(result[1:]), [[1, 0, 0, 0], [np.sqrt(0.5), np.sqrt(0.5), 0, 0]], atol=1e-12)
