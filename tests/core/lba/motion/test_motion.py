"""The made-up chain of five groups: poses by hand-checked numbers, and the way through curves and back without Blender."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from retro_anim.core.lba.body.body import Body
from retro_anim.core.lba.files.anm import Anm
from retro_anim.core.lba.files.archive.hqr import Hqr
from retro_anim.core.lba.files.lm1 import Lm1
from retro_anim.core.lba.files.variant import LBA1
from retro_anim.core.lba.motion.evaluate import evaluate
from retro_anim.core.lba.motion.motion import CONVENTION, clip_of
from retro_anim.core.lba.motion.playback import State, root_at_keys, rotations_of, state_at
from retro_anim.core.lba.motion.sampled import Settings, keyframes_of, sample
from retro_anim.core.lba.motion.update import update
from retro_anim.core.motion.blocks import blocks_of
from retro_anim.core.motion.curves import RootMotion, curves_of
from retro_anim.core.motion.rigs.rig import Rig
from retro_anim.core.motion.sampling import sample_curves
from retro_anim.core.reporting.errors import ExportError
from support.lba import lba1_chain as chain
from support.poses import loop_state

from .. import engine
from ..settings import settings_of


@pytest.fixture
def body() -> Body:
    return Body.from_lm1(Lm1.parse(chain.LM1))


@pytest.fixture
def anm() -> Anm:
    return Anm.parse(chain.ANM)


def test_points_at_keyframes_in_floating_point(body: Body, anm: Anm) -> None:
    posed = evaluate(body, state_at(anm, LBA1, anm.times.astype(float)), LBA1)
    points = posed.points
    assert (posed.matrices[:, :, 3] == (0, 0, 0, 1)).all()
    assert points[1][6] == pytest.approx((122.89405, 354.69994, 279.85964), abs=1e-5)
    assert points[1][8] == pytest.approx((-131.75848, 255.04241, -16.44886), abs=1e-5)
    assert points[1][10] == pytest.approx((116.02154, 266.73974, 265.17047), abs=1e-5)
    assert points[2][6] == pytest.approx((69.44177, 175.8069, 285.5513), abs=1e-5)
    assert points[2][10] == pytest.approx((153.05387, 187.61561, 315.0398), abs=1e-5)
    assert points[3][10] == pytest.approx((50, 220, 340))


@pytest.mark.parametrize(
    ("time", "pose", "point"),
    [
        (7, [[0, 5, -3], [1013, 18, 0], [11, 0, 46], [59, 0, 0]], [84, 236, 308]),
        (15 + 3, [[0, 5, -4], [1014, 16, 90], [10, 0, 40], [52, 153, 0]], [145, 283, 290]),
        (15 + 9, [[0, -9, 6], [19, 992, 270], [1005, 0, 944], [922, 460, 0]], [140, 212, 311]),
        (25 + 2, [[0, -8, 5], [15, 1000, 180], [1009, 0, 964], [947, 308, 0]], [113, 217, 326]),
    ],
)
def test_between_keyframes_as_the_engine_counts(body: Body, anm: Anm, time: int, pose: list[list[int]], point: list[int]) -> None:
    state = engine.whole(state_at(anm, LBA1, np.array([float(time)])), anm.values[np.searchsorted(anm.times, time) - 1])
    assert state.values[0, 1:].tolist() == pose
    assert engine.vertices(body, state)[10].tolist() == point


def test_on_the_way_back_to_the_loop_frame(body: Body, anm: Anm) -> None:
    state = engine.whole(loop_state(anm, LBA1, 5), anm.values[-1])
    assert state.values[0, 1:].tolist() == [[0, 4, -2], [1016, 13, 0], [8, 0, 33], [42, 0, 0]]
    assert engine.vertices(body, state)[10].tolist() == [74, 231, 318]


def test_whole_engine_at_keyframes(body: Body, anm: Anm) -> None:
    state = state_at(anm, LBA1, anm.times.astype(float))
    kept = [engine.vertices(body, State(state.kinds[key : key + 1], state.values[key : key + 1]))[10].tolist() for key in range(4)]
    assert kept == [[50, 220, 340], [115, 266, 264], [152, 186, 314], [50, 220, 340]]


def test_sine_table() -> None:
    assert engine.SINE[[1, 64, 128, 256, 1004]].tolist() == [101, 6270, 11585, 16384, -2006]


def test_root_motion(anm: Anm) -> None:
    root = root_at_keys(anm.steps.astype(np.int64), rotations_of(anm, LBA1), LBA1)
    assert root.positions[-1] == pytest.approx((101.84402, -20, 491.73109), abs=1e-5)
    assert root.angles[-1].tolist() == [0, 0, 0]


def _there_and_back(anm: Anm, rig: Rig, settings: Settings, original: Anm | None) -> Anm:
    clip = clip_of(anm, LBA1, "clip", shown=len(rig.skeleton))
    curves = curves_of(blocks_of(clip, rig, settings.timing, settings.scale, settings.root_motion, settings.placement))
    frames = keyframes_of(curves, settings)
    sampled = sample(curves, frames, sample_curves(curves, frames, rig, settings.scale), rig, settings)
    return update(sampled, rig, settings, original)


@pytest.mark.parametrize("direction", ["GAME", "CHILD"])
@pytest.mark.parametrize("root_motion", ["OBJECT", "BONE", "NONE"])
def test_through_curves_and_back(game_data: Path, direction: str, root_motion: RootMotion) -> None:
    """Identical with the original at hand; without it everything that the game plays is the same."""
    anims, bodies = (Hqr.parse((game_data / "lba1" / name).read_bytes()) for name in ("ANIM.HQR", "BODY.HQR"))
    rig = Rig.build(Body.from_lm1(Lm1.parse(bodies.read(0))).skeleton(), CONVENTION, direction)  # type: ignore[arg-type]
    for index in range(len(anims)):
        if anims.blank(index):
            continue
        data = anims.read(index)
        anm = Anm.parse(data)
        settings = settings_of(anm, LBA1, 24, root_motion)
        assert _there_and_back(anm, rig, settings, anm).pack() == data, index
        alone = _there_and_back(anm, rig, settings, None)
        for field in ("durations", "steps", "values"):
            assert np.array_equal(getattr(alone, field), getattr(anm, field)), (index, field)


def test_a_bone_that_turns_and_moves_is_refused_by_name_and_frame(body: Body, anm: Anm) -> None:
    rig = Rig.build(body.skeleton(), CONVENTION)
    settings = settings_of(anm, LBA1, 50, "NONE")
    clip = clip_of(anm, LBA1, "clip")
    curves = curves_of(blocks_of(clip, rig, settings.timing, settings.scale, settings.root_motion, settings.placement))
    frames = keyframes_of(curves, settings)
    bones = sample_curves(curves, frames, rig, settings.scale)
    bones.positions[1, 2] = (0, 7, 0)
    with pytest.raises(ExportError, match=r"group 02 is both rotated and translated at frame 16"):
        update(sample(curves, frames, bones, rig, settings), rig, settings, anm)
