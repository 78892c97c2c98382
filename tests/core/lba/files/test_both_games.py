"""Random animations of both games through curves and back, and every pose on the way against the engine's rule."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from retro_anim.core.lba.body.body import Body
from retro_anim.core.lba.files.anm import Anm, frame_dtype
from retro_anim.core.lba.files.lm2 import Lm2
from retro_anim.core.lba.files.variant import LBA1, LBA2, Variant
from retro_anim.core.lba.motion.motion import CONVENTION, clip_of
from retro_anim.core.lba.motion.playback import rotations_of, state_at
from retro_anim.core.lba.motion.sampled import keyframes_of, sample
from retro_anim.core.lba.motion.update import update
from retro_anim.core.motion.blocks import blocks_of
from retro_anim.core.motion.curves import RootMotion, curves_of
from retro_anim.core.motion.rigs.rig import Rig
from retro_anim.core.motion.sampling import sample_curves
from support.lba import lba2_chain

from ..settings import settings_of
from ..strategies import shorts, unsigned

BODY = Body.of(Lm2.parse(lba2_chain.LM2))


@st.composite
def played(draw: st.DrawFn, game: Variant, rare: bool = True) -> Anm:
    """Anything that an animation may hold: durations of 0, bones that change their type, angles beyond a turn, more or fewer bones than
    the body. rare: types and master words that no engine makes sense of, too."""
    count, bones = draw(st.integers(1, 6)), draw(st.integers(1, 7))
    frames = np.zeros(count, frame_dtype(bones))
    shortest = 0 if game is LBA2 or rare else 1
    frames["duration"] = draw(arrays("<u2", count, elements=st.integers(shortest, 400) | st.just(shortest)))
    frames["step"] = draw(arrays("<i2", (count, 3), elements=st.integers(-20000, 20000) | st.just(0)))
    kinds = st.sampled_from([0, 1, 2, 3, 7, 32768]) if rare else st.integers(0, 1)
    frames["bones"]["type"] = draw(arrays("<u2", (count, bones), elements=kinds))
    small = st.integers(-game.rotation, 2 * game.rotation) | st.just(0)
    frames["bones"]["value"] = draw(arrays("<i2", (count, bones, 3), elements=shorts if rare else small))
    highest = 4200 if game is LBA2 else 900  # LBA2 takes 12 bits with a sign
    frames["bones"]["value"][:, 0] = draw(arrays("<i2", (count, 3), elements=st.integers(-900, highest) | st.just(0)))
    frames["bones"]["type"][:, 0] = draw(arrays("<u2", count, elements=st.integers(0, 3)))
    return Anm(draw(st.integers(0, count)), draw(unsigned), frames)


def there_and_back(
    anm: Anm, game: Variant, rig: Rig, fps: float, root_motion: RootMotion, original: bool = True, without: tuple[str, str] | None = None
) -> Anm:
    """original: with the file. without: a bone's property that has no curves."""
    settings = settings_of(anm, game, fps, root_motion)
    clip = clip_of(anm, game, "clip", shown=len(rig.skeleton))
    curves = curves_of(blocks_of(clip, rig, settings.timing, settings.scale, settings.root_motion, settings.placement))
    curves = {channel: curve for channel, curve in curves.items() if (channel.bone, channel.property) != without}
    frames = keyframes_of(curves, settings)
    sampled = sample(curves, frames, sample_curves(curves, frames, rig, settings.scale), rig, settings)
    return update(sampled, rig, settings, anm if original else None)


@pytest.mark.parametrize("direction", ["GAME", "CHILD"])
@pytest.mark.parametrize("game", [LBA1, LBA2], ids=lambda game: game.name)
@given(data=st.data())
def test_every_word_comes_back(game: Variant, direction: Any, data: st.DataObject) -> None:
    anm = data.draw(played(game))
    rig = Rig.build(BODY.skeleton(), CONVENTION, direction)
    fps, root_motion = data.draw(st.sampled_from([24.0, 25.0, 30.0, 50.0, 60.0])), data.draw(st.sampled_from(get_args(RootMotion)))
    assert there_and_back(anm, game, rig, fps, root_motion).pack() == anm.pack()


@pytest.mark.parametrize("fps", [24.0, 30.0, 1000.0])
@pytest.mark.parametrize("game", [LBA1, LBA2], ids=lambda game: game.name)
@given(data=st.data())
def test_keys_stay_apart_for_blender(game: Variant, fps: float, data: st.DataObject) -> None:
    """Blender merges keys of a curve that are less than 0.01 frame apart."""
    anm = data.draw(played(game))
    rig = Rig.build(BODY.skeleton(), CONVENTION)
    clip = clip_of(anm, game, "clip", shown=len(rig.skeleton))
    settings = settings_of(anm, game, fps, "OBJECT")
    for block in blocks_of(clip, rig, settings.timing, settings.scale, settings.root_motion, settings.placement):
        assert (np.diff(block.frames.astype(np.float64)) > 0.0125).all()


@pytest.mark.parametrize("game", [LBA1, LBA2], ids=lambda game: game.name)
@given(data=st.data())
def test_curves_pass_through_every_pose_of_the_engine(game: Variant, data: st.DataObject) -> None:
    """At keyframes and between: linear curves show what the engine interpolates, whichever channel holds it."""
    anm = data.draw(played(game, rare=False))
    rig = Rig.build(BODY.skeleton(), CONVENTION)
    clip = clip_of(anm, game, "clip", shown=len(rig.skeleton))
    keys = anm.times
    times = [float(keys[0])]
    for before, after in pairwise(keys.tolist()):
        times += [time for time in np.linspace(before, after, 5).round().tolist() if before < time <= after]
    wanted = state_at(anm, game, np.array(times))
    shown = min(len(rig.skeleton), anm.bone_count)
    rotated, moved = (np.zeros((len(times), shown, 3)) for _ in range(2))
    for track in clip.tracks:
        target = rotated if track.kind == "euler" else moved
        for row, bone in enumerate(track.bones.tolist()):
            for axis in range(3):
                target[:, bone, axis] = _at(track.times, track.values[:, row, axis], np.array(times))
    radians = 2 * np.pi / game.rotation
    rotates = (wanted.kinds[:, :shown] == 0)[..., None]
    difference = np.where(rotates, rotated - wanted.values[:, :shown] * radians, rotated)
    rotation_error = np.abs((difference + np.pi) % (2 * np.pi) - np.pi)
    move_error = np.abs(moved - np.where(rotates, 0, wanted.values[:, :shown]))
    shown_at = np.append(keys, keys[-1] + int(anm.durations[anm.loop_frame])) if anm.loops else keys
    one = np.array([(shown_at == time).sum() < 2 for time in times])  # where several stand, either may
    assert rotation_error[one, 1:].max(initial=0) < 1e-9
    assert move_error[one, 1:].max(initial=0) < 1e-9


def _at(times: Any, values: Any, wanted: Any) -> Any:
    index = np.searchsorted(times, wanted, side="right") - 1
    following = np.minimum(index + 1, len(times) - 1)
    span = times[following] - times[index]
    share = np.where(span > 0, (wanted - times[index]) / np.where(span > 0, span, 1), 0)
    return values[index] + share * (values[following] - values[index])


@pytest.mark.parametrize("game", [LBA1, LBA2], ids=lambda game: game.name)
@given(data=st.data())
def test_without_the_file_the_motion_is_the_same(game: Variant, data: st.DataObject) -> None:
    anm = data.draw(played(game, rare=False))
    frames = anm.frames.copy()
    # LBA1 has no keyframe without a duration. In LBA2 Blender's least distance of keys takes their room from the next one: those that
    # follow within 0.02 frame for each are up to 4 ms late.
    lasting = (frames["duration"] > 0) | (game is LBA1)
    frames["duration"][lasting] = np.maximum(frames["duration"][lasting], 1 if game is LBA1 else 6)
    anm = Anm(anm.loop_frame, anm.word3, frames)
    rig = Rig.build(BODY.skeleton(), CONVENTION)
    back = there_and_back(anm, game, rig, 24.0, "OBJECT", original=False)
    shown = min(len(rig.skeleton), anm.bone_count)
    assert (back.durations == anm.durations).all()
    kinds, rotation = anm.kinds(game)[:, 1:shown], np.where(anm.kinds(game)[:, 1:shown, None] == 0, game.rotation, 65536)
    before, after = (one.values[:, 1:shown].astype(int) % rotation for one in (anm, back))
    assert (before == after).all()
    moves = before.any(axis=2)
    assert (kinds[moves] == back.kinds(game)[:, 1:shown][moves]).all()
    assert (rotations_of(back, game) == rotations_of(anm, game)).all()
    assert (back.steps == anm.steps).all()


@pytest.mark.parametrize("game", [LBA1, LBA2], ids=lambda game: game.name)
def test_a_whole_circle_of_a_bone_that_is_translated_afterwards(game: Variant) -> None:
    """It is at rest, and stays as it is in the file, also where its curves of rotations are taken away."""
    frames = np.zeros(3, frame_dtype(5))
    frames["duration"] = 20
    frames["bones"]["type"][1:, 2] = 1
    frames["bones"]["value"][0, 2] = [game.rotation, 0, 0]
    frames["bones"]["value"][1:, 2, 1] = [7, 0]
    anm = Anm(0, 0, frames)
    rig = Rig.build(BODY.skeleton(), CONVENTION)
    assert there_and_back(anm, game, rig, 25.0, "OBJECT").pack() == anm.pack()
    assert there_and_back(anm, game, rig, 25.0, "OBJECT", without=(rig.skeleton.names[2], "rotation_euler")).pack() == anm.pack()
