"""Poses and ways of random animations of both games, against the slow arithmetic of one number at a time."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from retro_anim.core.lba.body.body import Body
from retro_anim.core.lba.files.anm import Anm
from retro_anim.core.lba.files.archive.hqr import Hqr
from retro_anim.core.lba.files.variant import LBA1, LBA2, Variant
from retro_anim.core.lba.motion.evaluate import evaluate
from retro_anim.core.lba.motion.playback import State, root_at, root_at_keys, rotations_of, state_at
from retro_anim.core.lba.motion.pose import pose_at, pose_of_keyframe
from retro_anim.core.reporting.errors import FormatError
from support.poses import loop_state

from .. import reference
from ..strategies import anms, lm1s, lm2s

VARIANTS = pytest.mark.parametrize("game", [LBA1, LBA2], ids=lambda game: game.name)
kinds = st.sampled_from([0, 0, 0, 1, 1, 2, 3, 9])


def kind_of(value: int, game: Variant) -> int:
    """LBA2 looks at the lowest bit; what is neither 0 nor 1 moves nothing in LBA1."""
    return value & 1 if game is LBA2 else min(value, 2)


def pose(anm: Anm, game: Variant, last: int, new: int, step: int, length: int) -> list[tuple[int, list[float]]]:
    """Every bone `step` of `length` after keyframe `last`, on the way to keyframe `new`, whose type rules."""
    rows: list[tuple[int, list[float]]] = []
    for bone in range(anm.bone_count):
        kind = kind_of(int(anm.types[new, bone]), game) if bone else 0
        values: list[float] = []
        for axis in range(3):
            one, other = int(anm.values[last, bone, axis]), int(anm.values[new, bone, axis])
            if step >= length:
                values.append(other % game.rotation if kind == 0 else other)
            else:
                path = reference.shorter_angle(one, other, game.rotation) if kind == 0 else other - one
                value = (one % game.rotation if kind == 0 else one) + path * step / length
                values.append(value % game.rotation if kind == 0 else value)
        rows.append((kind, values))
    return rows


def at(anm: Anm, time: int) -> tuple[int, int, int, int]:
    """The keyframe before a time, the one that it is on the way to, how far, and of how much."""
    now = 0
    for key in range(1, len(anm.frames)):
        length = int(anm.durations[key])
        if time <= now + length:
            return key - 1, key, time - now, length
        now += length
    return len(anm.frames) - 1, len(anm.frames) - 1, 0, 0


@VARIANTS
@given(data=st.data())
def test_every_bone_at_any_time(game: Variant, data: st.DataObject) -> None:
    anm = data.draw(anms(types=kinds, longest=60))
    last_time = int(anm.times[-1])
    for time in data.draw(st.lists(st.integers(0, last_time + 5), min_size=1, max_size=5)):
        state = state_at(anm, game, np.array([float(time)]))
        if time == 0 or time > last_time:
            edge = 0 if time == 0 else len(anm.frames) - 1
            wanted = pose(anm, game, edge, edge, 0, 0)
        else:
            wanted = pose(anm, game, *at(anm, time))
        for bone in range(1, anm.bone_count):
            assert state.kinds[0, bone] == wanted[bone][0]
            assert state.values[0, bone].tolist() == pytest.approx(wanted[bone][1], abs=1e-6), (time, bone)
        assert not state.values[0, 0].any()


@VARIANTS
@given(data=st.data())
def test_on_the_way_back_to_the_loop_frame(game: Variant, data: st.DataObject) -> None:
    anm = data.draw(anms(types=kinds, longest=60))
    anm = Anm(data.draw(st.integers(0, len(anm.frames) - 1)), 0, anm.frames)
    length = int(anm.durations[anm.loop_frame])
    step = data.draw(st.integers(0, max(length - 1, 0)))
    if length:
        state = loop_state(anm, game, step)
        wanted = pose(anm, game, len(anm.frames) - 1, anm.loop_frame, step, length)
        if step:
            for bone in range(1, anm.bone_count):
                assert state.values[0, bone].tolist() == pytest.approx(wanted[bone][1], abs=1e-6)


@settings(max_examples=25)
@given(data=st.data())
def test_points_of_any_body_of_the_first_game(data: st.DataObject) -> None:
    lm1 = data.draw(lm1s(animated=True))
    assert lm1.groups is not None
    anm = data.draw(anms(types=st.integers(0, 1)))
    posed = evaluate(Body.of(lm1), state_at(anm, LBA1, np.zeros(1)), LBA1)
    rows = [
        (0, (0, 0, 0)),
        *((int(kind), tuple(unsigned)) for kind, unsigned in zip(anm.types[0, 1:], anm.values[0, 1:].tolist(), strict=True)),
    ]
    wanted = reference.float_points(lm1, rows)
    assert np.abs(posed.points[0] - wanted).max(initial=0) < 1e-6 * max(1.0, float(np.abs(wanted).max(initial=0)))
    _check_matrices(Body.of(lm1), posed)


@settings(max_examples=25)
@given(data=st.data())
def test_points_of_any_body_of_the_second_game(data: st.DataObject) -> None:
    """Group by group: turned within the parent, moved along the parent's axes, from where its pivot is."""
    lm2 = data.draw(lm2s(animated=True))
    lm2 = type(lm2)(**{**vars(lm2), "info": lm2.info | 0x100})
    anm = data.draw(anms(types=st.integers(0, 3)))
    posed = evaluate(Body.of(lm2), state_at(anm, LBA2, np.zeros(1)), LBA2)
    groups, positions = lm2.groups, lm2.points["position"].tolist()
    matrices: list[Any] = []
    world: list[list[float]] = []
    for index, (parent, pivot, count, _) in enumerate(groups.tolist()):
        matrix = [[1.0, 0, 0], [0, 1, 0], [0, 0, 1]]
        origin, shift = [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]
        if index:
            matrix, origin = matrices[parent], world[pivot]
            if index < anm.bone_count:
                unsigned = anm.values[0, index].tolist()
                if anm.types[0, index] & 1:
                    shift = unsigned
                else:
                    matrix = reference.product(matrix, reference.rotation(*(value * math.pi / 2048 for value in unsigned)))
        matrices.append(matrix)
        for _ in range(count):
            local = [own + more for own, more in zip(positions[len(world)], shift, strict=True)]
            world.append([sum(row[k] * local[k] for k in range(3)) + base for row, base in zip(matrix, origin, strict=True)])
    wanted = np.array(world)
    assert np.abs(posed.points[0] - wanted).max(initial=0) < 1e-6 * max(1.0, float(np.abs(wanted).max(initial=0)))
    _check_matrices(Body.of(lm2), posed)


def _check_matrices(body: Body, posed: Any) -> None:
    """A group's matrix maps its own points; its pivot is where the point of the parent is."""
    local = np.concatenate([body.points, np.ones((len(body.points), 1))], axis=1)
    mapped = np.einsum("pij,pj->pi", posed.matrices[0, body.group_of], local)[:, :3]
    size = max(1.0, float(np.abs(mapped).max(initial=0)))
    assert np.abs(mapped - posed.points[0]).max(initial=0) < 1e-9 * size
    for group in range(1, body.group_count):
        assert posed.pivots[0, group] == pytest.approx(posed.points[0, body.pivots[group]], abs=1e-9 * size)


@VARIANTS
@given(data=st.data())
def test_the_way_of_the_root(game: Variant, data: st.DataObject) -> None:
    """At keyframes, and in proportion between."""
    anm = data.draw(anms(longest=60))
    position, heading = np.zeros(3), np.zeros(3)
    keys = root_at_keys(anm.steps.astype(np.int64), rotations_of(anm, game), game)
    share = data.draw(st.floats(0.01, 1))
    now = 0
    for key in range(len(anm.frames)):
        master = [int(value) for value in anm.values[key, 0]]
        signed = [(value + 2048) % 4096 - 2048 for value in master]  # LBA2 takes 12 bits with a sign
        counted = signed if anm.types[key, 0] & 1 else [0, 0, 0]
        rotation = np.array([0, master[1], 0] if game is LBA1 else counted)
        assert rotations_of(anm, game)[key].tolist() == rotation.tolist()
        if key:
            length = int(anm.durations[key])
            if length:
                between = root_at(anm, game, np.array([now + share * length]))
                some = heading + rotation * share
                matrix = np.array(reference.rotation(*(some * (2 * math.pi / game.rotation)).tolist()))
                assert between.angles[0] == pytest.approx(some, abs=1e-6)
                assert between.positions[0] == pytest.approx(position + matrix @ (anm.steps[key] * share), abs=0.01)
            now += length
            heading = heading + rotation
            matrix = np.array(reference.rotation(*(heading * (2 * math.pi / game.rotation)).tolist()))
            position = position + matrix @ anm.steps[key].astype(float)
        assert keys.angles[key] == pytest.approx(heading)
        assert keys.positions[key] == pytest.approx(position, abs=1e-6 * max(1.0, float(np.abs(position).max())))


def key_state(anm: Anm, game: Variant, key: int) -> State:
    """The bones at one keyframe, by its own values."""
    values = np.where(np.arange(anm.bone_count)[:, None] == 0, 0, anm.values[key])
    return State(anm.kinds(game)[key][None], values[None].astype(float))


@VARIANTS
@settings(max_examples=20)
@given(data=st.data())
def test_a_pose_is_that_of_its_time(game: Variant, data: st.DataObject) -> None:
    anm = data.draw(anms(types=kinds, longest=60))
    body = Body.of(data.draw(lm2s(animated=True)))
    end = float(anm.times[-1]) / game.rate
    time = data.draw(st.floats(-1, end + 1))
    kept = pose_at(anm, body, game, time)
    wanted = evaluate(body, key_state(anm, game, -1) if time > end else state_at(anm, game, np.array([max(time, 0.0) * game.rate])), game)
    assert np.allclose(kept.matrices, wanted.matrices[0], atol=1e-6 * max(1.0, float(np.abs(wanted.matrices).max())))
    key = data.draw(st.integers(0, len(anm.frames) - 1))
    at_key = pose_of_keyframe(anm, body, game, key)
    exact = evaluate(body, key_state(anm, game, key), game).matrices[0]
    assert np.allclose(at_key.matrices, exact, atol=1e-6 * max(1.0, float(np.abs(exact).max())))
    for wrong in (-1, len(anm.frames)):
        with pytest.raises(FormatError, match=f"there is no frame {wrong}"):
            pose_of_keyframe(anm, body, game, wrong)


def test_master_words_with_their_sign(game_file: Callable[[str], Path]) -> None:
    """Clip 142 of LBA2: word 3840 is -22.5 degrees, not 337.5, and comes back as it is."""
    data = Hqr.parse(game_file("lba2/ANIM.HQR").read_bytes()).read(142)
    anm = Anm.parse(data)
    values = anm.values[:, 0].astype(int)[anm.types[:, 0] & 1 > 0]
    assert (values > 2048).any()
    assert (rotations_of(anm, LBA1)[:, 1] == anm.values[:, 0, 1]).all()
    rotations = rotations_of(anm, LBA2)
    assert np.abs(rotations).max() < 1024
    assert rotations[anm.types[:, 0] & 1 > 0].tolist() == [
        [value - 4096 if value > 2047 else value for value in row] for row in values.tolist()
    ]
