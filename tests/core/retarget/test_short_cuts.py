"""What is computed in fewer steps where nothing else can come out, against the steps one by one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations import rotation_matrix
from retro_anim.core.retarget import retarget
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap
from retro_anim.core.retarget.figures.motion import Motion
from retro_anim.core.retarget.figures.walk import walked
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.setup import Setup, prepare
from retro_anim.core.retarget.transfer import transfer
from retro_anim.core.retarget.transfer.limbs import aim

from . import rigs

FRAME = rotation_matrix.about(0, np.array(0.3)) @ rotation_matrix.about(2, np.array(1.1))
RANDOM = np.random.default_rng(8)


def given(frames: int = 30, moved: str = "") -> tuple[Setup, Motion]:
    """A figure that bends everywhere, each bone computed when it is asked for. moved: a bone that leaves its place."""
    figure = rigs.rolled(1)
    rotations = quat.normalised(RANDOM.normal(size=(frames, len(figure), 4)) * 0.3 + [2.0, 0, 0, 0])
    away = figure.index.get(moved, -1)

    def channels(bone: int) -> tuple[np.ndarray, np.ndarray | None]:
        return rotations[:, bone], np.full((frames, 3), 0.05) if bone == away else None

    motion = walked(figure, np.arange(frames, dtype=np.float64), channels, moved={away} - {-1})
    return prepare(figure, rigs.rolled(2), rigs.SAME, Options(), None, motion), motion


def test_one_matrix_is_the_same_as_the_steps() -> None:
    setup, motion = given()
    binding = setup.binding
    source = transfer.source_deltas(binding, motion, setup.source_rotations)
    known = transfer.at_once(binding, motion, FRAME, setup.source_rotations, setup.references)
    assert known.keys() == set(range(len(binding)))
    for row, follower in enumerate(binding.followers):
        wanted = quat.multiply(transfer.into(FRAME, source[:, row]), setup.references[follower.target])
        assert np.abs(known[row]() - wanted).max() < 1e-14


def test_what_has_options_goes_step_by_step() -> None:
    setup, motion = given()
    pairs = [replace(pair, options=replace(pair.options, weight=0.5)) if pair.source == "neck" else pair for pair in rigs.SAME.pairs]
    half = prepare(setup.binding.source, setup.binding.target, BoneMap(tuple(pairs)), Options(), None, motion)
    known = transfer.at_once(half.binding, motion, np.eye(3), half.source_rotations, half.references)
    assert {half.binding.named(row) for row in set(range(len(half.binding))) - known.keys()} == {"neck"}


@pytest.mark.parametrize("moved", ["", "leftLowerArm"])
def test_only_what_hangs_still_is_stiff(moved: str) -> None:
    setup, motion = given(moved=moved)
    binding = setup.binding
    whole = motion.whole()
    for each in (motion, whole):  # of one computed bone by bone it is known, of the other it is looked at
        stiff = aim.stiff(binding, each, setup.source_rotations)
        bend = aim.bends(binding, each, np.eye(3), transfer.source_deltas(binding, each, setup.source_rotations))
        limbs = {row for row in range(len(binding)) if len(binding.steering[row]) == 1}
        assert {binding.named(row) for row in limbs - stiff} >= ({"leftUpperArm"} if moved else set())
        assert ("leftUpperArm" in {binding.named(row) for row in stiff}) == (not moved)
        assert len(stiff) >= len(limbs) - 1
        assert all(bent.rotations.ndim == 1 for row in stiff if (bent := bend(row)) is not None)
    elsewhere = replace(motion, positions=whole.positions + RANDOM.normal(size=whole.positions.shape) * 0.1)
    assert not aim.stiff(binding, elsewhere, setup.source_rotations)


def test_limbs_bend_in_the_target_s_world_as_in_the_source_s() -> None:
    """A figure that faces elsewhere bends as this one does, about axes that are rotated as it is."""
    setup, motion = given(moved="leftLowerArm")
    source = transfer.source_deltas(setup.binding, motion, setup.source_rotations)
    rotated = np.stack([transfer.into(FRAME, source[:, row]) for row in range(len(setup.binding))], axis=1)
    row = setup.binding.roles["leftUpperArm"]
    bent, other = aim.bends(setup.binding, motion, np.eye(3), source)(row), aim.bends(setup.binding, motion, FRAME, rotated)(row)
    assert bent is not None and other is not None and quat.angle(bent.rotations).max() > 0.05
    assert quat.apart(other.rotations, transfer.into(FRAME, bent.rotations)) == pytest.approx(np.zeros(30), abs=1e-6)


def test_bones_that_are_let_go_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    setup, motion = given()
    first = retarget.retarget(setup, motion, 24.0)
    monkeypatch.setattr(Motion, "forget", lambda self, bone=None: None)
    again = retarget.retarget(setup, motion, 24.0)
    for one, other in zip(first.keys, again.keys, strict=True):
        assert one.channels == other.channels
        assert (one.values == other.values).all()
    assert replace(first.report, seconds=0.0) == replace(again.report, seconds=0.0)
