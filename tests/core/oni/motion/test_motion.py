"""A TRAM as curves and back: unedited every bit, edited only what was edited, and through the pole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from retro_anim.core.files.document import same
from retro_anim.core.motion.curves import Channel, Curve, Curves, Placement, curves_of
from retro_anim.core.motion.rotations import quaternion, rotation_matrix
from retro_anim.core.oni.files.documents import TramFile
from retro_anim.core.oni.motion.derived import Figure
from retro_anim.core.oni.motion.evaluate import chain, local_rotations, root_path, rotations_of
from retro_anim.core.oni.motion.motion import Settings, blocks_of, clip_of
from retro_anim.core.oni.motion.rig import OniRig, names_of
from retro_anim.core.oni.motion.sampling import sample_curves
from retro_anim.core.oni.motion.update import Origin, Wanted, update
from retro_anim.core.oni.records.angles import from_steps, to_quaternion, to_triples
from retro_anim.core.oni.records.rotations import Rotations
from retro_anim.core.oni.records.tram import Tram
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import ExportError, FormatError
from support.oni.oni_trams import FIXED, random_tram
from support.poses import pose_of_basis

from ..example import EVERY, OFFSETS, PARENTS, location_of

FIGURE = Figure(PARENTS, OFFSETS)
ROTATED = Placement(
    np.array([1.0, 2, 3]), rotation_matrix.from_euler(np.array([0.1, 0.2, 0.3]), "ZYX"), np.array([0.1, 0.2, 0.3]), np.ones(3) * 2
)
SETTINGS = [
    Settings(),
    Settings(fps=24, root_motion="OBJECT", start=-7.5, placement=ROTATED),
    Settings(fps=30, root_motion="NONE", scale=1.0),
    Settings(dense=True),
    Settings(dense=True, fps=25, root_motion="OBJECT"),
]


@pytest.fixture(params=["GAME", "CHILD"])
def rig(request: pytest.FixtureRequest) -> OniRig:
    return OniRig.build(names_of(19), PARENTS, OFFSETS, np.ones(19), request.param)


GAME_RIG = OniRig.build(names_of(19), PARENTS, OFFSETS, np.ones(19))


def back(curves: Curves, rig: OniRig, options: Settings, original: Tram | None, wanted: Tram) -> Tram:
    origin = None if original is None else Origin.of(original, rig, options)
    with log.collect():
        return update(sample_curves(curves, rig, options), rig, FIGURE, options, Wanted(wanted), origin)


@pytest.mark.parametrize("options", SETTINGS, ids=str)
@pytest.mark.parametrize("name", ["TRAMSHINZOMidle1_wiki", "TRAMTESTlong", "TRAMTESTrandom", "TRAMTESToverlay"])
def test_unedited_files_keep_every_bit(game_file: Callable[[str], Path], name: str, options: Settings, rig: OniRig) -> None:
    document = TramFile.parse(game_file(f"oni/instances/{name}.oni").read_bytes()).tram
    assert same(back(curves_of(blocks_of(document, rig, options)), rig, options, document, document), document)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 80), st.sampled_from(SETTINGS))
def test_unedited_animations_keep_every_bit(seed: int, frames: int, options: Settings) -> None:
    document = random_tram(seed, frames)
    assert same(back(curves_of(blocks_of(document, GAME_RIG, options)), GAME_RIG, options, document, document), document)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 80), st.sampled_from(SETTINGS[:3]))
def test_without_the_document_the_motion_is_the_same(seed: int, frames: int, options: Settings) -> None:
    document = random_tram(seed, frames)
    blank = replace(Tram.new("TRAMnew", frames), compression=document.compression)
    result = back(curves_of(blocks_of(document, GAME_RIG, options)), GAME_RIG, options, None, blank)
    every = np.arange(frames, dtype=np.float64)
    old, new = (local_rotations(rotations_of(each), every) for each in (document, result))
    assert np.minimum(np.abs(old - new).max(axis=-1), np.abs(old + new).max(axis=-1)).max() < 1e-4
    assert np.array_equal(rotations_of(result).frames, rotations_of(document).frames)
    if document.heights is not None:
        assert result.heights is not None
        assert np.abs(result.heights - document.heights).max() < 2e-6
    if document.velocities is not None:
        assert result.velocities is not None
        for axis in "xz":
            assert np.abs(result.velocities[axis] - document.velocities[axis]).max() < 1e-5


def test_an_edited_key_changes_alone() -> None:
    document, options = random_tram(FIXED[0]), Settings()
    curves = curves_of(blocks_of(document, GAME_RIG, options))
    bone, key = 8, 1
    times, _ = rotations_of(document).track(bone)
    rotation = np.array([0.5, 0.5, 0.5, 0.5])
    for part in range(4):
        channel = Channel("chest", "rotation_quaternion", part)
        values = curves[channel].values.copy()
        values[key] = rotation[part]
        curves[channel] = Curve(curves[channel].frames, values)
    result = back(curves, GAME_RIG, options, document, document)
    old, new = rotations_of(document), rotations_of(result)
    assert np.array_equal(old.frames, new.frames)
    changed = np.flatnonzero((old.keys != new.keys).any(axis=1))
    assert changed.tolist() == [int(old.starts[bone]) + key]
    basis = GAME_RIG.to_basis("quaternion", np.array([bone]), new.quaternions()[changed][:, None])[0, 0]
    assert min(np.abs(basis - rotation).max(), np.abs(basis + rotation).max()) < 1e-4
    for name in ("heights", "velocities", "footsteps", "particles", "flags"):
        assert same(getattr(result, name), getattr(document, name)), name
    assert not same(result.positions, document.positions)
    assert times[key] > 0


def test_an_edited_height_changes_positions_alone() -> None:
    document, options = replace(random_tram(FIXED[0]), heights=np.full(40, 9, np.float32)), Settings()
    curves = curves_of(blocks_of(document, GAME_RIG, options))
    channel = Channel("pelvis", "location", 1)
    values = curves[channel].values.copy()
    values[5] += 0.1
    curves[channel] = Curve(curves[channel].frames, values)
    result = back(curves, GAME_RIG, options, document, document)
    assert result.rotations == document.rotations
    assert same(result.velocities, document.velocities)
    assert result.heights is not None
    assert np.flatnonzero(result.heights != 9).tolist() == [5]
    assert result.heights[5] == pytest.approx(10, abs=1e-5)


def test_without_the_closing_key_the_last_velocity_stays() -> None:
    """The key behind the last frame shows the last velocity alone: where it was deleted, nothing else says what that is."""
    document, options = random_tram(FIXED[0]), Settings()
    curves = curves_of(blocks_of(document, GAME_RIG, options))
    for axis in range(3):
        channel = Channel("pelvis", "location", axis)
        keys = curves[channel].frames <= options.timing.frame(document.frame_count - 1.0) + 1e-3
        curves[channel] = Curve(curves[channel].frames[keys], curves[channel].values[keys])
    result = back(curves, GAME_RIG, options, document, document)
    assert document.velocities is not None and document.velocities[-1] != document.velocities[-2]
    assert same(result.velocities, document.velocities)


def test_of_a_new_animation_the_last_velocity_goes_on() -> None:
    """No key says how the character moves behind the last frame: as it did before."""
    frames = np.arange(1, 8, dtype=np.float32)
    path = {Channel("pelvis", "location", axis): Curve(frames, np.zeros(7, np.float32)) for axis in range(3)}
    path[Channel("", "location", 0)] = Curve(frames, np.array([0, 0.1, 0.4, 0.6, 1.0, 1.8, 2.3], np.float32))
    result = back(path, GAME_RIG, Settings(start=1.0), None, Tram.new("TRAMnew", 1))
    assert result.velocities is not None
    speed = np.hypot(result.velocities["x"], result.velocities["z"])[: result.frame_count]
    assert speed[-2] == pytest.approx(speed[-1], rel=1e-4), "the closing key is the last, or there is none"
    assert speed[1] > speed[0] > 0


def test_of_an_edited_track_that_was_sampled_every_frame_only_what_was_edited_has_keys_in_between() -> None:
    document, options = random_tram(FIXED[0]), Settings(dense=True)
    curves = curves_of(blocks_of(document, GAME_RIG, options))
    bone, (times, _) = next((bone, track) for bone in range(1, 19) if len((track := rotations_of(document).track(bone))[0]) > 3)
    gap = int(np.argmax(np.diff(times)))
    first, last = int(times[gap]), int(times[gap + 1])
    name = names_of(19)[bone]
    key = int(np.flatnonzero(curves[Channel(name, "rotation_quaternion", 0)].frames == options.timing.frame(first + 1.0))[0])
    for part, value in enumerate((0.5, 0.5, 0.5, 0.5)):
        channel = Channel(name, "rotation_quaternion", part)
        values = curves[channel].values.copy()
        values[key] = value
        curves[channel] = Curve(curves[channel].frames, values)
    written, own = rotations_of(back(curves, GAME_RIG, options, document, document)).track(bone), rotations_of(document).track(bone)
    assert last - first > 1
    assert written[0].tolist() == sorted({*times.tolist(), *range(first, last + 1)})
    assert np.array_equal(written[1][np.isin(written[0], times)], own[1])


def test_long_holds_get_keys_in_between() -> None:
    curves = {
        Channel("head", "rotation_quaternion", part): Curve(np.array([1, 1001], np.float32), np.array(values, np.float32))
        for part, values in enumerate(((1, np.sqrt(0.5)), (0, np.sqrt(0.5)), (0, 0), (0, 0)))
    }
    result = back(curves, GAME_RIG, Settings(), None, Tram.new("TRAMnew", 1))
    assert result.frame_count == result.duration == 1001
    times, _ = rotations_of(result).track(10)
    assert np.diff(times).max() <= 255
    assert len(times) < 40
    every = np.linspace(0, 1000, 4001)
    local = local_rotations(rotations_of(result), every, "nlerp")
    angle = 2 * np.degrees(np.arccos(np.abs(GAME_RIG.to_basis("quaternion", EVERY, local)[:, 10, 0])))
    share, root = every / 1000, np.sqrt(0.5)
    shown = 2 * np.degrees(np.arctan2(share * root, 1 - share * (1 - root)))
    assert np.abs(angle - shown).max() < 0.008, "as Blender's straight curves go"
    still, _ = rotations_of(result).track(9)
    assert still.tolist() == [0, 255, 510, 765, 1000]


@pytest.mark.parametrize("gone", [range(3, 4), range(2, 9)])
def test_keys_deleted_where_there_was_one_a_frame(gone: range) -> None:
    """The game slerps where Blender goes straight through the components: what Blender shows is kept by the frame."""
    left = np.array([time for time in range(12) if time not in gone])
    angles = np.linspace(0, 2.5, 12)[left]
    curves = {
        Channel("head", "rotation_quaternion", part): Curve((left + 1).astype(np.float32), values.astype(np.float32))
        for part, values in enumerate((np.cos(angles / 2), np.sin(angles / 2), 0 * angles, 0 * angles))
    }
    result = back(curves, GAME_RIG, Settings(dense=True), None, Tram.new("TRAMnew", 1))
    every = np.arange(12.0)
    local = local_rotations(rotations_of(result), every)
    angle = 2 * np.arccos(np.abs(GAME_RIG.to_basis("quaternion", EVERY, local)[:, 10, 0]))
    shown = 2 * np.arctan2(np.interp(every, left, np.sin(angles / 2)), np.interp(every, left, np.cos(angles / 2)))
    assert np.degrees(np.abs(angle - shown)).max() < 0.006


@pytest.mark.parametrize("fps", [24.0, 25.0, 30.0, 50.0, 60.0])
def test_keys_between_the_games_frames(fps: float) -> None:
    """A key on every frame of the scene: at every frame of the game the rotation is what Blender shows there."""
    frames = np.arange(1, 12, dtype=np.float32)
    values = np.random.default_rng(4).normal(size=(len(frames), 4)) * 0.2 + [1, 0, 0, 0]
    values /= np.linalg.norm(values, axis=1, keepdims=True)
    curves = {Channel("head", "rotation_quaternion", part): Curve(frames, values[:, part].astype(np.float32)) for part in range(4)}
    result = back(curves, GAME_RIG, Settings(fps=fps), None, Tram.new("TRAMnew", 1))
    every = np.arange(result.frame_count)
    assert result.frame_count == int(np.ceil(600 / fps - 1e-6)) + 1
    local = GAME_RIG.to_basis("quaternion", EVERY, local_rotations(rotations_of(result), every.astype(float), "nlerp"))[:, 10]
    shown = np.stack([np.interp(1 + every * fps / 60, frames, values[:, part]) for part in range(4)], axis=1)
    shown /= np.linalg.norm(shown, axis=1, keepdims=True)
    assert np.degrees(2 * np.arccos(np.abs(np.sum(local * shown, axis=1)).clip(0, 1))).max() < 0.03


def test_a_block_that_is_too_large_is_refused() -> None:
    frames = np.arange(1, 1001, dtype=np.float32)
    ones = np.stack([np.ones(1000), np.zeros(1000), np.zeros(1000), np.zeros(1000)]).astype(np.float32)
    curves = {Channel(name, "rotation_quaternion", part): Curve(frames, ones[part]) for name in names_of(19) for part in range(4)}
    with pytest.raises(ExportError, match=r"65535 are possible: reduce the keys"):
        back(curves, GAME_RIG, Settings(), None, Tram.new("TRAMnew", 1))


@pytest.mark.parametrize(
    ("prop", "value", "match"), [("scale", 1.5, "chest is scaled"), ("location", 0.5, "chest moves from its rest position")]
)
def test_what_the_game_cannot_show_is_refused(prop: str, value: float, match: str) -> None:
    curves = {Channel("chest", prop, 0): Curve(np.array([1, 2], np.float32), np.array([0 if prop == "location" else 1, value], np.float32))}
    with pytest.raises(ExportError, match=match):
        back(curves, GAME_RIG, Settings(), None, Tram.new("TRAMnew", 1))


def test_another_number_of_bones_is_refused() -> None:
    with pytest.raises(FormatError, match="7 bones, the skeleton has 19"):
        blocks_of(random_tram(1, bones=7), GAME_RIG, Settings())


def test_a_new_animation_has_sane_defaults() -> None:
    result = back({}, GAME_RIG, Settings(), None, Tram.new("TRAMnew", 1))
    assert (result.fps, result.compression, result.vocalization, result.action_frame, result.direct) == (60, 6, 0xFFFF, 0xFFFF, ("", ""))
    assert (result.min_y, result.max_y) == (np.float32(1e9), np.float32(-1e9))
    assert result.first_extent["frame"] == result.max_extent["frame"] == 0xFFFF
    assert result.frame_count == result.duration == 1
    assert result.heights is not None
    assert result.heights[0] == pytest.approx(GAME_RIG.rest_height, abs=1e-5)
    assert result.positions is not None
    assert TramFile.parse(TramFile.new(result).pack()).tram.frame_count == 1


def test_the_pelvis_through_the_pole() -> None:
    """Pitches from 80 to 100 degrees in steps of 0.01: each comes back as it was, to the rounding of the steps."""
    for x, z in ((0.0, 90.0), (97.5, -7.4), (-170, 33), (60, 0)):
        pitch = np.arange(80, 100.005, 0.01)
        angles = np.radians(np.stack([np.full_like(pitch, x), pitch, np.full_like(pitch, z)], axis=1))
        wanted = to_quaternion(angles)
        result = to_quaternion(from_steps(to_triples(wanted)))
        apart = quaternion.multiply(quaternion.conjugate(wanted), result)
        error = np.degrees(2 * np.linalg.norm(apart[:, 1:], axis=1))
        assert error.max() < 0.01
        # The same from what Blender keeps, which is only single precision.
        basis = GAME_RIG.to_basis("quaternion", np.array([0]), wanted[:, None])[:, 0].astype(np.float32).astype(np.float64)
        local = GAME_RIG.from_basis("quaternion", np.array([0]), quaternion.normalised(basis)[:, None])[:, 0]
        apart = quaternion.multiply(quaternion.conjugate(wanted), to_quaternion(from_steps(to_triples(local))))
        assert np.degrees(2 * np.linalg.norm(apart[:, 1:], axis=1)).max() < 0.01


def test_the_rig_stands_where_the_chain_says() -> None:
    """The pose that Blender makes of the curves at a key is the game's, turned into Blender's axes."""
    document = random_tram(FIXED[1], 12)
    every = np.arange(12, dtype=np.float64)
    local = local_rotations(rotations_of(document), every)
    joints = chain(PARENTS, OFFSETS, local, root_path(document)[:-1])
    basis = np.zeros((12, 19, 4, 4))
    basis[:] = np.eye(4)
    basis[..., :3, :3] = rotation_matrix.from_quaternion(GAME_RIG.to_basis("quaternion", EVERY, local))
    basis[:, 0, :3, 3] = location_of(GAME_RIG, root_path(document)[:-1])
    pose = pose_of_basis(GAME_RIG, basis)
    assert np.abs(pose[..., :3, 3] @ GAME_RIG.axes - joints.positions).max() < 1e-9


def test_a_rig_is_found_again_in_its_rest_pose(rig: OniRig) -> None:
    result = OniRig.of_rest(rig.skeleton.names, PARENTS, rig.rest, rig.heads)
    assert result.own is not None and rig.own is not None
    assert np.abs(np.abs(np.einsum("ij,ij->i", result.own, rig.own)) - 1).max() < 1e-12
    local = local_rotations(rotations_of(random_tram(3)), np.arange(5.0))
    assert (
        np.abs(
            np.abs(np.einsum("kbi,kbi->kb", result.to_basis("quaternion", EVERY, local), rig.to_basis("quaternion", EVERY, local))) - 1
        ).max()
        < 1e-12
    )
    assert np.abs(result.bone_offsets - rig.bone_offsets).max() < 1e-9
    assert result.rest_height == pytest.approx(rig.rest_height)


@pytest.mark.parametrize("options", [Settings(), Settings(dense=True)], ids=str)
def test_bones_that_have_keys_at_the_same_frames_are_written_together_and_the_same_as_one_by_one(options: Settings) -> None:
    """With a key less of the last bone the others are one by one."""
    frames = np.array([0, 4, 9])
    keys = np.random.default_rng(3).integers(-400, 400, (19, 3, 3)).astype(np.int16)
    together, apart = (
        curves_of(blocks_of(replace(Tram.new("TRAMx", 10), rotations=Rotations.of_tracks(times, keys_of, 10, 6).pack()), GAME_RIG, options))
        for times, keys_of in (([frames] * 19, list(keys)), ([frames] * 18 + [frames[::2]], [*keys[:18], keys[18, ::2]]))
    )
    assert [*together] == [*apart]
    for channel, curve in together.items():
        if channel.bone != GAME_RIG.skeleton.names[18]:
            assert curve.frames.tobytes() == apart[channel].frames.tobytes() and curve.values.tobytes() == apart[channel].values.tobytes()
    tracks = clip_of(
        replace(Tram.new("TRAMx", 10), rotations=Rotations.of_tracks([frames] * 19, list(keys), 10, 6).pack()), GAME_RIG, options
    )
    assert [len(track.bones) for track in tracks.tracks if track.kind == "quaternion"] == [19]


def test_an_animation_without_rotations_shows_nothing() -> None:
    still = replace(random_tram(1), rotations=None)
    assert Origin.of(still, GAME_RIG, Settings()).shown is None
    assert Origin.of(random_tram(1), GAME_RIG, Settings()).shown is not None


def test_keys_are_left_out_by_what_is_asked_for() -> None:
    """Of an unedited animation as well: nothing is kept of the block that has more keys."""
    document = random_tram(1)
    tracks = [rotations_of(document).track(bone) for bone in range(19)]
    ends = [[each[[0, -1]] for each in part] for part in zip(*tracks, strict=True)]
    fewer = Rotations.of_tracks(ends[0], ends[1], document.frame_count, document.compression)
    curves = curves_of(blocks_of(document, GAME_RIG, Settings()))
    with log.collect():
        result = update(
            sample_curves(curves, GAME_RIG, Settings()),
            GAME_RIG,
            FIGURE,
            Settings(),
            Wanted(document, thin=lambda _: fewer),
            Origin.of(document, GAME_RIG, Settings()),
        )
    assert result.rotations == fewer.pack() != document.rotations
