"""What an export refuses, and that nothing drifts: edits of random animations of both games, without Blender."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from retro_anim.core.lba.body.body import Body
from retro_anim.core.lba.files.anm import Anm, frame_dtype
from retro_anim.core.lba.files.archive.hqr import Hqr
from retro_anim.core.lba.files.lm1 import Lm1
from retro_anim.core.lba.files.lm2 import Lm2
from retro_anim.core.lba.files.variant import LBA1, LBA2, Variant
from retro_anim.core.lba.motion.motion import CONVENTION, clip_of
from retro_anim.core.lba.motion.playback import root_at_keys, rotations_of
from retro_anim.core.lba.motion.sampled import Settings, keyframes_of, sample
from retro_anim.core.lba.motion.update import update
from retro_anim.core.motion.blocks import blocks_of
from retro_anim.core.motion.curves import Curve, Curves, Placement, Timing, curves_of
from retro_anim.core.motion.rigs.rig import Rig
from retro_anim.core.motion.rotations.rotation_matrix import from_euler
from retro_anim.core.motion.sampling import BoneSamples, sample_curves
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import ExportError
from support.lba import lba1_chain, lba2_chain

few = hypothesis_settings(max_examples=20)
VARIANTS = pytest.mark.parametrize("game", [LBA1, LBA2], ids=lambda game: game.name)


@dataclass
class Edit:
    """An animation as curves, to be changed and exported. groups: of the body. original: None for one whose file is not known."""

    anm: Anm
    game: Variant
    settings: Settings
    rig: Rig
    curves: Curves

    @classmethod
    def of(cls, anm: Anm, game: Variant = LBA1, root_motion: Any = "OBJECT", fps: float = 24.0, body: Body | None = None) -> Edit:
        rig = Rig.build((body or Body.of(Lm1.parse(lba1_chain.LM1))).skeleton(), CONVENTION)
        step, rotation = anm.steps[0].tolist(), rotations_of(anm, game)[0].tolist()
        settings = Settings(
            game,
            Timing(game.rate, fps),
            0.001,
            root_motion,
            Placement(np.array([1.0, 2, 3]), from_euler(np.array([0, 0, 0.5]), "ZYX"), np.array([0, 0, 0.5]), np.ones(3)),
            anm.bone_count,
            anm.loop_frame,
            anm.word3,
            int(anm.durations[0]),
            (step[0], step[1], step[2]),
            (rotation[0], rotation[1], rotation[2]),
        )
        clip = clip_of(anm, game, "clip", shown=len(rig.skeleton))
        curves = curves_of(blocks_of(clip, rig, settings.timing, settings.scale, root_motion, settings.placement))
        return cls(anm, game, settings, rig, curves)

    @property
    def bones(self) -> BoneSamples:
        return sample_curves(self.curves, keyframes_of(self.curves, self.settings), self.rig, self.settings.scale)

    def export(self, change: Callable[[BoneSamples], None] | None = None, original: bool = True) -> Anm:
        frames, bones = keyframes_of(self.curves, self.settings), self.bones
        if change is not None:
            change(bones)
        return update(sample(self.curves, frames, bones, self.rig, self.settings), self.rig, self.settings, self.anm if original else None)

    def refused(self, change: Callable[[BoneSamples], None] | None = None) -> list[str]:
        with pytest.raises(ExportError) as caught:
            self.export(change)
        return caught.value.problems

    def stretch(self, factor: float) -> None:
        """All times, from the first key on."""
        start = self.settings.timing.start
        for channel, curve in self.curves.items():
            self.curves[channel] = Curve((start + (curve.frames - start) * factor).astype(np.float32), curve.values)

    def scale_path(self, factor: float) -> None:
        for channel, curve in self.curves.items():
            if not channel.bone and channel.property == "location":
                self.curves[channel] = replace(
                    curve, values=(curve.values[0] + (curve.values - curve.values[0]) * factor).astype(np.float32)
                )


@pytest.fixture
def chain() -> Edit:
    return Edit.of(Anm.parse(lba1_chain.ANM), fps=50.0)


def test_the_chain_unedited(chain: Edit) -> None:
    assert chain.export().pack() == lba1_chain.ANM


@VARIANTS
def test_word_3_of_a_new_file(game: Variant) -> None:
    """The loop frame, which is 1 in both chains, or 0 in the second game."""
    source, body = (lba1_chain.ANM, None) if game is LBA1 else (lba2_chain.ANM, Body.of(Lm2.parse(lba2_chain.LM2)))
    edit = Edit.of(Anm.parse(source), game, body=body)
    edit.settings = replace(edit.settings, word3=None)
    new = edit.export(original=False)
    assert (new.loop_frame, new.word3) == (1, 1 if game is LBA1 else 0)


def test_turning_and_moving(chain: Edit) -> None:
    def change(bones: BoneSamples) -> None:
        bones.positions[1, 2] = (0, 7, 0)
        bones.positions[2, 4] = (0, 0, -1)

    clear = "clear one of the two, mute what gives it that, or, where curves ease from one to the other, choose Make Linear"
    why = f"the game can only do either: {clear}"
    where = {"group 02": 16, "group 04": 26}
    assert chain.refused(change) == [f"{bone} is both rotated and translated at frame {frame}: {why}" for bone, frame in where.items()]


def test_half_a_circle_about_each_axis_is_no_rotation(chain: Edit) -> None:
    """So the triple of another rotation mode may come to rest."""

    def change(bones: BoneSamples, angle: float) -> None:
        bones.positions[1, 2], bones.angles[1, 2] = (0, 7, 0), angle

    rotated, still = (chain.export(lambda bones, angle=angle: change(bones, angle)) for angle in (np.pi, 0.0))
    assert rotated.pack() == still.pack() and rotated.values[1, 2].tolist() == [0, 7, 0]


def test_half_a_unit_is_rest(chain: Edit) -> None:
    """Blender's insert-keyframe writes location, rotation and scale together."""

    def change(bones: BoneSamples) -> None:
        bones.positions[1, 2] = (0, 0.49, 0)
        bones.angles[1, 1] = 0.49 * 2 * np.pi / 1024

    assert chain.export(change).pack() == lba1_chain.ANM


def test_a_translation_that_is_deleted_is_gone(chain: Edit) -> None:
    """The bone is at rest in that keyframe; all else stays."""
    expected = chain.anm.frames.copy()
    key, bone = np.argwhere((chain.anm.kinds(LBA1) == 1)[:, 1:] & chain.anm.values[:, 1:].any(axis=2))[0].tolist()
    expected["bones"]["value"][key, bone + 1] = 0

    def change(bones: BoneSamples) -> None:
        bones.positions[key, bone + 1] = 0

    after = chain.export(change)
    assert after.values.tolist() == expected["bones"]["value"].tolist()


@pytest.mark.parametrize("size", [0.99, 1.01, -1.0])
def test_scale(chain: Edit, size: float) -> None:
    def change(bones: BoneSamples) -> None:
        bones.sizes[3, 1, 2] = size

    assert chain.refused(change) == ["group 01 is scaled at frame 31: the game has no scale: clear that, or mute what gives it that"]


@pytest.mark.parametrize("at", [32767.4, -32768.4, 32767.6, -32768.6])
def test_how_far_a_bone_moves(chain: Edit, at: float) -> None:
    def change(bones: BoneSamples) -> None:
        bones.positions[1, 1] = (at, 0, 0)

    if abs(at + 0.5) < 32768:
        assert chain.export(change).values[1, 1, 0] == round(at)
    else:
        (problem,) = chain.refused(change)
        assert problem.startswith("group 01 moves 3276")
        assert problem.endswith("units at frame 16: at most 32767")


def test_how_far_the_character_moves_in_a_keyframe(chain: Edit) -> None:
    chain.scale_path(1000)
    problems = chain.refused()
    assert problems[0] == "frames 16 and 26: the character moves or rotates too far in one keyframe: at most 32767 units"


def test_durations(chain: Edit) -> None:
    chain.stretch(65535 / 15)
    assert chain.export().durations.tolist() == [10, 65535, 43690, 21845]
    chain.stretch(1.001)
    assert chain.refused() == ["frame 65601.5: a duration of 65601 time units, at most 65535 are possible; put a key between"]


@pytest.mark.parametrize(("factor", "more"), [(0.05, ""), (0.03, ", and 1 more pair,"), (0.015, ", and 2 more pairs,")])
def test_keyframes_of_less_than_one_time_unit(chain: Edit, factor: float, more: str) -> None:
    """Of 15, 10 and 5 units; between whole times, so that of three quarters, a half and a quarter one alone is less."""
    chain.stretch(factor)
    (problem,) = chain.refused()
    assert re.search(rf"^the keyframes at frames [\d.]+ and [\d.]+{more} are less than one time unit apart", problem)


@VARIANTS
@pytest.mark.parametrize("count", [30, 31])
def test_thirty_bones(game: Variant, count: int) -> None:
    frames = np.zeros(2, frame_dtype(count))
    frames["duration"] = 20
    frames["bones"]["value"][1, 1:] = 100
    edit = Edit.of(Anm(0, 0, frames), game, body=Body.plain(count))
    with log.collect() as said:
        assert edit.export().pack() == edit.anm.pack()
    text = "31 bones: the game has room for 30"
    assert [message.text for message in said.messages if "room" in message.text] == [f"{text}, as many as the file had"] * (count == 31)
    if count == 31:
        with pytest.raises(ExportError, match=f"^{text}$"):
            edit.export(original=False)


@pytest.mark.parametrize(("posed", "written"), [(None, 2), (1, 2), (3, 4), (4, 5)])
@pytest.mark.parametrize("moved", [False, True])
def test_bones_beyond_those_of_the_animation_are_written_where_they_are_posed(posed: int | None, written: int, moved: bool) -> None:
    """An animation of two bones for a body of five; all that is written are those up to the last that is posed."""
    frames = np.zeros(2, frame_dtype(2))
    frames["duration"] = 20
    edit = Edit.of(Anm(0, 0, frames), body=Body.plain(5))

    def change(bones: BoneSamples) -> None:
        if posed is not None:
            (bones.positions if moved else bones.angles)[1, posed, 2] = 1.5

    for after in (edit.export(change), edit.export(change, original=False)):
        assert after.bone_count == written
        assert after.values[:, 1:].any(axis=(0, 2)).tolist() == [bone == posed for bone in range(1, written)]


def test_everything_is_said_at_once(chain: Edit) -> None:
    def change(bones: BoneSamples) -> None:
        bones.positions[1, 2] = (0, 7, 0)
        bones.sizes[0, 4] = 2

    with pytest.raises(ExportError) as caught:
        chain.export(change)
    assert len(caught.value.problems) == 2
    assert "group 02 is both rotated" in str(caught.value)
    assert "group 04 is scaled" in str(caught.value)


@VARIANTS
@given(data=st.data())
def test_one_angle_changes_one_word(game: Variant, data: st.DataObject) -> None:
    """Whatever the other words are: also those beyond a turn, beside it in the same bone."""
    source, body = (lba1_chain.ANM, None) if game is LBA1 else (lba2_chain.ANM, Body.of(Lm2.parse(lba2_chain.LM2)))
    edit = Edit.of(Anm.parse(source), game, body=body)
    rotations = np.argwhere((edit.anm.kinds(game) == 0)[:, 1:])
    key, bone = rotations[data.draw(st.integers(0, len(rotations) - 1))].tolist()
    axis, steps = data.draw(st.integers(0, 2)), data.draw(st.integers(1, game.rotation - 1))

    def change(bones: BoneSamples) -> None:
        bones.angles[key, bone + 1, axis] += steps * 2 * np.pi / game.rotation

    after = edit.export(change)
    expected = edit.anm.frames.copy()
    old = int(expected["bones"]["value"][key, bone + 1, axis])
    expected["bones"]["value"][key, bone + 1, axis] = (old + steps) % game.rotation
    assert (after.frames == expected).all()
    assert (after.loop_frame, after.word3) == (edit.anm.loop_frame, edit.anm.word3)


@st.composite
def walks(draw: st.DrawFn, game: Variant) -> Anm:
    """Long ways with turns: hundreds of keyframes."""
    seed, count = draw(st.integers(0, 2**32 - 1)), draw(st.sampled_from([2, 20, 200]))
    random = np.random.default_rng(seed)
    frames = np.zeros(count, frame_dtype(2))
    frames["duration"] = random.integers(3, 300, count)
    frames["step"] = random.integers(-300, 300, (count, 3))
    frames["bones"]["value"][:, 0] = random.integers(-60, 60, (count, 3)) * (random.random((count, 1)) < 0.5)
    frames["bones"]["type"][:, 0] = 1
    return Anm(0, 0, frames)


@pytest.mark.parametrize("original", [True, False])
@VARIANTS
@few
@given(data=st.data())
def test_an_edited_way_does_not_drift(game: Variant, original: bool, data: st.DataObject) -> None:
    """After any number of keyframes the character is where it should be, to one unit in each direction."""
    edit = Edit.of(data.draw(walks(game)), game)
    factor = data.draw(st.floats(0.1, 3))
    edit.scale_path(factor)
    before = root_at_keys(edit.anm.steps.astype(np.int64), rotations_of(edit.anm, game), game)
    after = edit.export(original=original)
    kept = root_at_keys(after.steps.astype(np.int64), rotations_of(after, game), game)
    assert np.abs(kept.positions - before.positions * factor).max() < 1.0
    assert (kept.angles == before.angles).all()
    assert (after.durations == edit.anm.durations).all()


@pytest.mark.parametrize("original", [True, False])
@VARIANTS
@few
@given(data=st.data())
def test_edited_times_do_not_drift(game: Variant, original: bool, data: st.DataObject) -> None:
    edit = Edit.of(data.draw(walks(game)), game)
    factor = data.draw(st.floats(1.01, 3))
    edit.stretch(factor)
    after = edit.export(original=original)
    assert np.abs(after.times - edit.anm.times * factor).max() < 0.6 + 1e-4 * factor * float(edit.anm.times[-1])


@VARIANTS
@few
@given(data=st.data())
def test_turned_by_hand_it_does_not_drift(game: Variant, data: st.DataObject) -> None:
    """The whole path rotated about the vertical: the same steps, along the new heading."""
    edit = Edit.of(data.draw(walks(game)), game, "BONE")
    root = edit.rig.skeleton.names[0]
    heading = next(
        channel for channel in edit.curves if channel.bone == root and channel.property == "rotation_euler" and channel.component == 2
    )
    curve = edit.curves[heading]
    ramp = np.linspace(0, data.draw(st.floats(-3, 3)), len(curve.values))
    edit.curves[heading] = replace(curve, values=(curve.values + ramp).astype(np.float32))
    before = root_at_keys(edit.anm.steps.astype(np.int64), rotations_of(edit.anm, game), game)
    after = edit.export()
    kept = root_at_keys(after.steps.astype(np.int64), rotations_of(after, game), game)
    assert np.abs(kept.positions - before.positions).max() < 1.0
    assert (
        np.abs(kept.angles[:, 1] * 2 * np.pi / game.rotation - (before.angles[:, 1] * 2 * np.pi / game.rotation + ramp)).max()
        < 2 * np.pi / game.rotation
    )


def test_half_speed_keeps_the_types_of_lba2(game_file: Callable[[str], Path]) -> None:
    """A bone that changes between rotation and translation: the numbers of a keyframe are read by the type of the next."""
    anm = Anm.parse(Hqr.parse((game_file("lba2") / "ANIM.HQR").read_bytes()).read(2035))
    edit = Edit.of(anm, LBA2, fps=50.0, body=Body.plain(anm.bone_count))
    edit.stretch(2.0)
    slow = edit.export()
    assert np.array_equal(slow.kinds(LBA2)[:, 1:], anm.kinds(LBA2)[:, 1:])
    assert np.array_equal(slow.durations[1:], 2 * anm.durations[1:])


def test_as_many_keyframes_as_a_file_counts(chain: Edit, monkeypatch: pytest.MonkeyPatch) -> None:
    """It counts them in 16 bits; here with the limit at what the chain has, and one below."""
    count = len(chain.anm.frames)
    monkeypatch.setattr("retro_anim.core.lba.motion.update.MOST_KEYFRAMES", count)
    assert chain.export().pack() == chain.anm.pack()
    monkeypatch.setattr("retro_anim.core.lba.motion.update.MOST_KEYFRAMES", count - 1)
    (problem,) = chain.refused()
    assert f"{count} keyframes" in problem and f"at most {count - 1}" in problem
