"""Positions, attack rings and extents, of one box whose positions can be found by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.oni.motion.derived import Figure, derive
from retro_anim.core.oni.records import tram_layout
from retro_anim.core.oni.records.rotations import Rotations
from retro_anim.core.oni.records.tram import Tram
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import ExportError

BOX = Figure(np.array([-1], np.int32), np.zeros((1, 3)), np.array([[-1.0, -2, -2]]), np.array([[1.0, 2, 4]]))
"""Sides 2, 4 and 6, its centre at (0, 0, 1); no turn, so that it stands in the world as it is here."""


def standing(frames: int = 3, height: float = 9.0) -> Tram:
    keys = [np.zeros((len(times), 3), np.int16) for times in [np.unique([0, frames - 1])]]
    velocities = np.zeros(frames, tram_layout.VELOCITY)
    velocities["x"], velocities["z"] = 0.5, 1.0
    return replace(
        Tram.new("TRAMbox", frames, 1),
        heights=np.full(frames, height, np.float32),
        velocities=velocities,
        rotations=Rotations.of_tracks([np.unique([0, frames - 1])], keys, frames, 6).pack(),
        direction=1,
    )


def striking(start: int, end: int, **fields: object) -> Tram:
    attacks = np.zeros(1, tram_layout.ATTACK)
    attacks["bones"], attacks["start"], attacks["end"] = 1, start, end
    return replace(standing(), attacks=attacks, **fields)  # type: ignore[arg-type]


def test_positions_are_the_sphere_around_the_box() -> None:
    result = derive(standing(), BOX)
    assert result.positions is not None
    radius = np.sqrt(2**2 + 4**2 + 6**2) / 2
    for frame, (x, z, height, low) in enumerate(result.positions.tolist()):
        assert (x, z) == (50 * frame, 100 * frame)
        assert height == round(200 * radius)
        assert low == round(100 * (9 - radius))


def test_an_attack_reaches_to_the_corners() -> None:
    result = derive(striking(1, 2), BOX)
    assert result.extents is not None
    # Forward is +z: the corners there are 4 away from the root, at every frame.
    assert result.extents["frame"].tolist() == [1, 2]
    assert result.extents["length"].tolist() == [400, 400]
    assert result.extents["min_y"].tolist() == [700, 700]
    assert result.extents["max_y"].tolist() == [1100, 1100]
    assert (float(result.min_y), float(result.max_y)) == (7, 11)
    first, last = result.first_extent, result.max_extent
    assert (int(first["frame"]), int(first["attack"]), int(first["frame_offset"])) == (1, 0, 0)
    assert (float(first["x"]), float(first["z"]), float(first["height"])) == (0.5, -1, 9)
    assert int(last["frame"]) == 2  # one further forward
    # The ring counts from the root of frame 0: at frame 2 the corner is at x = 1 +- 1, z = 2 + 4.
    assert result.attack_ring[0] == pytest.approx(np.hypot(2, 6), abs=1e-6)
    assert float(result.reach) == pytest.approx(np.hypot(2, 6), abs=1e-6)
    # From the root of frame 0, frame 1's corners behind are at (-0.5, -1) and (1.5, -1): 20 degrees from x = -1.
    assert result.attack_ring[18] == pytest.approx(np.hypot(0.5, 1), abs=1e-6)


@pytest.mark.parametrize(("direction", "length"), [(2, 200), (3, 100), (4, 100), (0, round(100 * np.hypot(1, 4)))])
def test_the_reach_is_along_the_move(direction: int, length: int) -> None:
    result = derive(striking(0, 0, direction=direction), BOX)
    assert result.extents is not None
    assert result.extents["length"].tolist() == [length]


def test_without_attacks_there_is_nothing_to_reach() -> None:
    result = derive(standing(), BOX)
    assert (result.extents, float(result.reach), int(result.first_extent["frame"])) == (None, 0, 0xFFFF)
    assert not result.attack_ring.any()


def test_a_place_out_of_range_is_refused() -> None:
    with pytest.raises(ExportError, match=r"position y offset 396.26 at frame 0: -327.68 to 327.67"):
        derive(standing(height=400), BOX)


def test_meshes_missing_are_said() -> None:
    with log.collect() as said:
        derive(standing(), Figure(BOX.parents, BOX.offsets))
    assert "estimated from the joints" in said.digest()[0]
