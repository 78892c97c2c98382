"""Fewer keys of a TRAM: the bound is held in the file's own steps, and no greedy pass does better."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from retro_anim.core.files.document import same
from retro_anim.core.motion.reduction.reduction import Bounds
from retro_anim.core.motion.rotations import rotation_matrix
from retro_anim.core.motion.rotations.quaternion import of_matrix
from retro_anim.core.oni.files.documents import TramFile
from retro_anim.core.oni.motion.derived import Figure, derive
from retro_anim.core.oni.motion.evaluate import chain, local_rotations, root_path, rotations_of
from retro_anim.core.oni.motion.key_reduction import Thinned, thin
from retro_anim.core.oni.motion.rig import names_of
from retro_anim.core.oni.records import tram_layout
from retro_anim.core.oni.records.angles import to_triples
from retro_anim.core.oni.records.rotations import Rotations
from retro_anim.core.oni.records.tram import Tram
from retro_anim.core.reporting import log

from ..example import OFFSETS, PARENTS

NAMES = names_of(19)
FIGURE = Figure(PARENTS, OFFSETS)
HALF_DEGREE = np.radians(0.5)


def sampled(frames: int = 120) -> Tram:
    """A motion with a key every frame, as captured ones are."""
    time = np.arange(frames) / 60
    random = np.random.default_rng(4)
    every = np.arange(frames)
    tracks = []
    for _ in range(19):
        waves = [random.normal(size=(1, 3)) / speed * np.sin(2 * speed * time[:, None] + random.uniform(0, 6, (1, 3))) for speed in (1, 2)]
        angles = 0.3 * np.sum(waves, axis=0) + random.normal(size=(frames, 3)) * 0.003
        tracks.append(to_triples(of_matrix(rotation_matrix.from_euler(angles, "XYZ"))))
    packed = Rotations.of_tracks([every] * 19, tracks, frames, 6).pack()
    return replace(
        Tram.new("TRAMsampled", frames),
        rotations=packed,
        heights=np.full(frames, 9, np.float32),
        velocities=np.zeros(frames, tram_layout.VELOCITY),
        positions=np.zeros(frames, tram_layout.POSITION),
    )


def fewer_keys(document: Tram, bounds: Bounds) -> tuple[Thinned, Tram]:
    """What is reported, and the animation with what follows from its motion."""
    thinned = thin(rotations_of(document), NAMES, FIGURE, bounds)
    return thinned, derive(replace(document, rotations=thinned.rotations.pack()), FIGURE, True, document.attacks is not None)


def test_an_angle_is_held_with_fewer_keys_than_a_greedy_pass(capsys: pytest.CaptureFixture[str]) -> None:
    document = sampled()
    result, fewer = fewer_keys(document, Bounds(angle=HALF_DEGREE))
    every = np.arange(document.frame_count, dtype=float)
    old, new = (local_rotations(rotations_of(each), every) for each in (document, fewer))
    off = 2 * np.arccos(np.clip(np.abs(np.einsum("tbi,tbi->tb", old, new)), 0, 1))
    assert off.max() <= HALF_DEGREE + 1e-6
    keys = int(result.report.after.sum())
    assert len(rotations_of(fewer).keys) == keys
    assert result.greedy is not None
    assert keys < result.greedy < int(result.report.before.sum())
    assert result.after == len(fewer.rotations or b"") < result.before
    with capsys.disabled():
        print(f"\n{document.frame_count} frames, 0.5 degree: {keys} keys, greedy {result.greedy}, before {int(result.report.before.sum())}")
    assert any("OniSplit" in line for line in result.lines())
    assert same(fewer.heights, document.heights)
    assert not same(fewer.positions, document.positions)


def test_keys_that_stay_keep_their_bits() -> None:
    document = sampled(60)
    _, fewer = fewer_keys(document, Bounds(angle=HALF_DEGREE))
    before, after = rotations_of(document), rotations_of(fewer)
    for bone in range(19):
        frames, keys = after.track(bone)
        assert np.array_equal(before.track(bone)[1][frames], keys)


def test_a_distance_is_held_at_every_joint() -> None:
    document = sampled(100)
    result, fewer = fewer_keys(document, Bounds(distance=0.1, shell=1.0))
    every = np.arange(document.frame_count, dtype=float)
    positions = []
    for each in (document, fewer):
        joints = chain(PARENTS, OFFSETS, local_rotations(rotations_of(each), every), root_path(each)[:-1])
        positions.append(joints.positions)
    apart = np.linalg.norm(positions[0] - positions[1], axis=-1).max(axis=0)
    assert apart.max() <= 0.1
    assert (apart <= result.report.shells + 1e-9).all()
    assert result.report.after.sum() < result.report.before.sum()


def test_the_given_long_clip(game_file: Callable[[str], Path], capsys: pytest.CaptureFixture[str]) -> None:
    """It has as few keys as its intervals allow: nobody can do with fewer."""
    document = TramFile.parse(game_file("oni/instances/TRAMTESTlong.oni").read_bytes()).tram
    with log.collect():
        result = thin(rotations_of(document), NAMES, FIGURE, Bounds(angle=HALF_DEGREE))
    assert result.greedy is not None
    with capsys.disabled():
        print(f"\nTRAMTESTlong: {result.report.before.sum()} keys, {result.report.after.sum()} kept, greedy {result.greedy}")
    assert result.report.after.sum() <= result.greedy
