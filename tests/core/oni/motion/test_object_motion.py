"""OBAN: the worked example to the digit, and curves of objects there and back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from retro_anim.core.files.document import same
from retro_anim.core.motion.curves import Channel, Curve, Curves, curves_of
from retro_anim.core.motion.modes import in_modes
from retro_anim.core.motion.rigs.rig import Y_UP
from retro_anim.core.motion.rotations import rotation_matrix
from retro_anim.core.oni.files.documents import ObanFile
from retro_anim.core.oni.motion.object_motion import ObjectSettings, matrix_at, object_blocks
from retro_anim.core.oni.motion.object_sampling import sample_matrices, sample_object
from retro_anim.core.oni.motion.object_update import update_object
from retro_anim.core.oni.records.angles import from_disk
from retro_anim.core.oni.records.oban import KEY, Oban
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import ExportError

SETTINGS = [
    ObjectSettings(),
    ObjectSettings(fps=24, start=-3, scale=1.0),
    ObjectSettings(dense=True),
    ObjectSettings(dense=True, local=True),
]
REST = np.array([0.0, 0, 0, 1, 0, 0, 0, 1, 1, 1])
NEW = Oban("OBANnew", 0, b"", 0, np.zeros((4, 3), np.float32), np.zeros((4, 3), np.float32), 1, 1, 0, np.zeros(1, KEY))


def random_oban(seed: int, count: int) -> Oban:
    rng = np.random.default_rng(seed)
    keys = np.zeros(count, KEY)
    keys["frame"] = np.cumsum(rng.integers(1, 20, count)) - rng.integers(0, 2)
    rotations = rng.normal(size=(count, 4))
    keys["rotation"] = rotations / np.linalg.norm(rotations, axis=1, keepdims=True)
    keys["translation"] = rng.normal(0, 500, (count, 3))
    base = np.zeros((4, 3), np.float32)
    base[:3] = (rotation_matrix.from_euler(rng.normal(size=3), "XYZ") * rng.uniform(0.2, 3, 3)).T
    base[3] = rng.normal(0, 1, 3)
    return Oban("OBANtest", 0, b"", int(rng.integers(32)), np.ones((4, 3), np.float32), base, 80, int(keys["frame"][-1]) + 1, 3, keys)


def back(curves: Curves, options: ObjectSettings, original: Oban | None) -> Oban:
    return update_object(sample_object(curves, options, REST), options, original or NEW, original)


def test_the_worked_example(game_file: Callable[[str], Path]) -> None:
    document = ObanFile.parse(game_file("oni/instances/OBANBlackvan_FB_wiki.oni").read_bytes()).oban
    first = matrix_at(document, 0)
    assert np.abs(first[:3, :3].T - document.initial[:3]).max() < 1e-6
    assert np.abs(first[:3, 3] - document.initial[3]).max() < 1e-4
    middle = matrix_at(document, 250)
    assert middle[:3, 3] == pytest.approx((599.41278, -17.49882, -39.50621), abs=1e-5)
    rows = ((1.82, 0, 0), (0, 1.286934, -1.286934), (0, 1.286934, 1.286934))
    assert np.abs(middle[:3, :3].T - rows).max() < 2e-6
    last = matrix_at(document, 500)
    assert np.abs(last[:3, :3] - 1.82 * np.eye(3)).max() < 1e-6
    assert last[:3, 3].tolist() == [10, 20, 30]
    assert np.abs(matrix_at(document, 9999) - last).max() == 0


@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_unedited_files_keep_every_bit(game_file: Callable[[str], Path], options: ObjectSettings) -> None:
    document = ObanFile.parse(game_file("oni/instances/OBANBlackvan_FB_wiki.oni").read_bytes()).oban
    assert same(back(curves_of(object_blocks(document, options)), options, document), document)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 30), st.sampled_from(SETTINGS))
def test_unedited_animations_keep_every_bit(seed: int, count: int, options: ObjectSettings) -> None:
    document = random_oban(seed, count)
    assert same(back(curves_of(object_blocks(document, options)), options, document), document)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 30), st.sampled_from(SETTINGS[:2]))
def test_blender_shows_what_the_game_does(seed: int, count: int, options: ObjectSettings) -> None:
    """At keys: location, rotation and scale make C * (q * B * v + T) of every point v. Without the document they do so again."""
    document = random_oban(seed, count)
    curves = curves_of(object_blocks(document, options))
    sampled = sample_object(curves, options, REST)
    for time, position, rotation in zip(sampled.times, sampled.location, sampled.rotation, strict=True):
        game = matrix_at(document, float(time))
        assert np.abs(rotation_matrix.from_quaternion(rotation) * sampled.size - Y_UP @ game[:3, :3]).max() < 1e-5
        assert np.abs(position / options.scale - Y_UP @ game[:3, 3]).max() < 1e-3
    again = back(curves, options, None)
    for time in sampled.times:
        assert np.abs(matrix_at(again, float(time)) - matrix_at(document, float(time))).max() < 1e-3
    assert (again.ticks, again.length) == (1, int(document.keys["frame"][-1]) + 1)
    assert np.abs(again.initial[:3].T - matrix_at(again, float(again.keys["frame"][0]))[:3, :3]).max() < 1e-5


def test_dense_keys_go_the_way_of_slerp() -> None:
    document, options = random_oban(5, 4), ObjectSettings(dense=True, local=True)
    blocks = object_blocks(document, options)
    frames = np.arange(int(document.keys["frame"][0]), int(document.keys["frame"][-1]) + 1)
    assert blocks[0].frames.tolist() == (frames + 1).tolist()
    for row, frame in enumerate(frames):
        assert np.abs(blocks[0].values[:, row] * 10 - matrix_at(document, float(frame))[:3, 3]).max() < 1e-3


def test_an_edited_key_changes_alone() -> None:
    document, options = random_oban(7, 6), ObjectSettings()
    curves = curves_of(object_blocks(document, options))
    channel = Channel("", "location", 2)
    values = curves[channel].values.copy()
    values[3] += 1.0
    curves[channel] = Curve(curves[channel].frames, values)
    result = back(curves, options, document)
    changed = [key for key in range(6) if result.keys[key].tobytes() != document.keys[key].tobytes()]
    assert changed == [3]
    # Blender's Z is the game's Y.
    assert result.keys["translation"][3] - document.keys["translation"][3] == pytest.approx((0, 10, 0), abs=1e-3)
    assert result.keys["rotation"][3].tobytes() == document.keys["rotation"][3].tobytes(), "its rotation was not edited"
    assert result.keys["translation"][3, ::2].tobytes() == document.keys["translation"][3, ::2].tobytes()
    assert same(result.initial, document.initial)
    assert same(result.base, document.base)


@pytest.mark.parametrize("is_new", [False, True])
@pytest.mark.parametrize("earlier", [20, 500])
def test_keys_before_the_start_show_what_they_do_from_the_start_on(earlier: int, is_new: bool) -> None:
    """Also where all of them lie there."""
    document, options = random_oban(7, 6), ObjectSettings()
    shown = curves_of(object_blocks(document, options)).items()
    curves = {channel: Curve((curve.frames - earlier).astype(np.float32), curve.values) for channel, curve in shown}
    with log.collect() as said:
        result = back(curves, options, None if is_new else document)
    (line,) = said.digest("WARNING")
    assert line.startswith("keys before frame 1, where the animation starts, are left out, and it begins as it stands there: move them")
    for time in (0, 5, 30):
        now, then = matrix_at(result, time, "nlerp"), matrix_at(document, time + earlier, "nlerp")
        assert np.abs(now[:3, 3] - then[:3, 3]).max() < 0.6 and np.abs(now[:3, :3] - then[:3, :3]).max() < 0.02


def test_a_constant_scale_goes_into_the_base_and_an_animated_one_is_refused() -> None:
    document, options = random_oban(8, 3), ObjectSettings()
    curves = curves_of(object_blocks(document, options))
    for axis in range(3):
        curves[Channel("", "scale", axis)] = Curve(np.ones(1, np.float32), np.array([2], np.float32))
    result = back(curves, options, document)
    assert np.linalg.norm(result.base[:3], axis=1) == pytest.approx((2, 2, 2), abs=1e-5)
    assert result.keys.tobytes() == document.keys.tobytes()
    expected = matrix_at(result, float(result.keys["frame"][0]))
    assert np.abs(result.initial[:3].T - expected[:3, :3]).max() < 1e-5
    curves[Channel("", "scale", 0)] = Curve(np.array([1, 2], np.float32), np.array([2, 3], np.float32))
    with pytest.raises(ExportError, match="scale is animated"):
        back(curves, options, document)


def test_a_new_key_0_gives_a_new_initial_transform() -> None:
    document, options = random_oban(9, 3), ObjectSettings()
    curves = curves_of(object_blocks(document, options))
    channel = Channel("", "location", 0)
    curves[channel] = Curve(curves[channel].frames, curves[channel].values + np.float32(1))
    result = back(curves, options, document)
    assert np.abs(result.initial[3] - matrix_at(result, float(result.keys["frame"][0]))[:3, 3]).max() < 1e-3


@pytest.mark.parametrize("mode", ["XYZ", "AXIS_ANGLE"])
def test_other_rotation_modes(mode: str) -> None:
    rotation = np.array([[0.3, -0.5, 0.7]]) if mode == "XYZ" else np.array([[0.8, 0.0, 0.6, 0.8]])
    prop = "rotation_euler" if mode == "XYZ" else "rotation_axis_angle"
    curves = {Channel("", prop, i): Curve(np.ones(1, np.float32), rotation[:, i].astype(np.float32)) for i in range(rotation.shape[1])}
    options = ObjectSettings(local=True)
    result = update_object(sample_object(in_modes(curves, {"": mode}, {"": "QUATERNION"}).curves, options, REST), options, NEW, None)
    wanted = rotation_matrix.from_euler(rotation, mode) if mode == "XYZ" else rotation_matrix.from_axis_angle(rotation)
    assert np.abs(rotation_matrix.from_quaternion(from_disk(result.keys["rotation"])) - wanted).max() < 1e-6


def test_as_it_looks() -> None:
    """Matrices that say what the curves say keep their keys; others give a key a frame."""
    document, options = replace(random_oban(3, 2), base=np.eye(4, 3, dtype=np.float32)), ObjectSettings(local=True, scale=1.0)
    document.keys["rotation"] = (0, 0, 0, -1)
    keyed = sample_object(curves_of(object_blocks(document, options)), options, REST)
    first, last = (int(frame) for frame in document.keys["frame"])
    poses = np.stack([matrix_at(document, float(frame)) for frame in range(first, last + 1)])
    assert sample_matrices(poses, keyed, first) is keyed
    poses[1, 0, 3] += 50
    sampled = sample_matrices(poses, keyed, first)
    assert sampled.times.tolist() == list(range(first, last + 1))
    poses[1, :3, :3] *= 2
    with pytest.raises(ExportError, match="scale changes"):
        sample_matrices(poses, keyed, first)


def test_a_new_one_is_a_key_at_rest() -> None:
    """As OniSplit writes it: one frame of one tick, at the origin."""
    new = Oban.new("OBANdoor")
    assert (new.ticks, new.length, new.half_stop, new.flags, len(new.keys)) == (1, 1, 0, 0, 1)
    assert new.keys["rotation"][0].tolist() == [0, 0, 0, -1] and new.keys["translation"][0].tolist() == [0, 0, 0]
    assert new.initial.tolist() == new.base.tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]]
