"""Key reduction: the fewest keys by exhaustive search, never more than a greedy pass, and a bound that is held."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from retro_anim.core.motion.reduction import reduction
from retro_anim.core.motion.reduction.reduction import Bounds, Chain, between_keys, budgets, differences, fewest_keys, reduce_keys
from retro_anim.core.motion.reduction.shortest_path import Near
from retro_anim.core.motion.rotations import quaternion, rotation_matrix
from retro_anim.core.oni.records.rotations import decode, encode

Floats = NDArray[np.float64]
HALF_DEGREE = np.radians(0.5)


def off(keys: Floats, wanted: Floats, first: int, last: int, spherical: bool) -> float:
    """The largest angle between what two keys show and what is wanted, by arc tangents."""
    share = (np.arange(first, last + 1) - first) / max(last - first, 1)
    mix = quaternion.slerp if spherical else quaternion.nlerp
    one, other = (np.broadcast_to(keys[key], (len(share), 4)) for key in (first, last))
    path = quaternion.multiply(quaternion.conjugate(mix(one, other, share)), wanted[first : last + 1])
    return float((2 * np.arctan2(np.linalg.norm(path[:, 1:], axis=1), np.abs(path[:, 0]))).max())


def exhaustive(keys: Floats, wanted: Floats, bound: float, longest: int, spherical: bool) -> int:
    """The length of the shortest path, every pair of frames tried."""
    need = [1] + [10**9] * (len(keys) - 1)
    for last in range(1, len(keys)):
        for first in range(max(0, last - longest), last):
            if last == first + 1 or off(keys, wanted, first, last, spherical) <= bound:
                need[last] = min(need[last], need[first] + 1)
    return need[-1]


def greedy(keys: Floats, wanted: Floats, bound: float, longest: int = 255) -> list[int]:
    """From each key the longest run that holds: what OniSplit does, with the same measure."""
    frames = [0]
    while frames[-1] < len(keys) - 1:
        end = frames[-1] + 1
        while end + 1 < len(keys) and end + 1 - frames[-1] <= longest and off(keys, wanted, frames[-1], end + 1, True) <= bound:
            end += 1
        frames.append(end)
    return frames


def wobble(seed: int, frames: int, size: float) -> Floats:
    """(frames, 4) a smooth motion with a little noise."""
    random = np.random.default_rng(seed)
    time = np.arange(frames) / 60
    waves = [random.normal(size=(1, 3)) / speed * np.sin(9 * speed * time[:, None] + random.uniform(0, 6, (1, 3))) for speed in range(1, 6)]
    angles = size * (np.sum(waves, axis=0) + random.normal(size=(frames, 3)) * 0.002)
    return quaternion.of_matrix(rotation_matrix.from_euler(angles, "XYZ"))


def mocap(path: Path) -> tuple[Chain, Floats]:
    """The skeleton and the local rotations of a BVH file whose joints turn about Z, Y, X."""
    names: list[str] = []
    parents: list[int] = []
    offsets: list[list[float]] = []
    open_joints: list[int] = []
    lines = path.read_text().splitlines()
    for line in lines:
        values = line.split()
        if values[:1] in (["ROOT"], ["JOINT"], ["End"]):
            inner = values[0] != "End"
            if inner:
                parents.append(open_joints[-1] if open_joints else -1)
                names.append(values[1])
            open_joints.append(len(names) - 1 if inner else -2)
        elif values[:1] == ["OFFSET"] and open_joints[-1] >= 0:
            offsets.append([float(value) for value in values[1:]])
        elif values == ["}"]:
            open_joints.pop()
        elif values[:1] == ["CHANNELS"]:
            assert values[-3:] == ["Zrotation", "Yrotation", "Xrotation"]
        elif values == ["MOTION"]:
            break
    rows = lines[next(index for index, line in enumerate(lines) if line.startswith("Frame Time")) + 1 :]
    numbers = np.array([row.split() for row in rows if row.strip()], np.float64)
    rotations = numbers[:, 3:].reshape(len(numbers), len(names), 3)[..., ::-1]
    matrices = rotation_matrix.from_euler(np.radians(rotations), "XYZ")  # Rz * Ry * Rx
    offsets[0] = [0.0, 0, 0]
    return Chain(tuple(names), np.array(parents, np.int32), np.array(offsets)), quaternion.of_matrix(matrices)


def stored(wanted: Floats) -> Floats:
    """What 16-bit angles make of every frame."""
    return np.stack([decode(encode(wanted[:, bone], 6), 6) for bone in range(wanted.shape[1])], axis=1)


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.integers(1, 40), st.sampled_from([0.02, 0.3, 1.0]), st.sampled_from([4, 255]), st.booleans())
def test_fewest_is_fewest(seed: int, frames: int, size: float, longest: int, spherical: bool) -> None:
    wanted = wobble(seed, frames, size)
    kept = fewest_keys(wanted, wanted, HALF_DEGREE, Bounds(longest=longest, spherical=spherical))
    assert kept[0] == 0
    assert kept[-1] == frames - 1
    assert frames == 1 or (np.diff(kept).min() > 0 and np.diff(kept).max() <= longest)
    # A hair's breadth either way: the search itself goes by cosines.
    for bound, better in ((HALF_DEGREE * 1.000001, True), (HALF_DEGREE * 0.999999, False)):
        count = exhaustive(wanted, wanted, bound, longest, spherical) if frames > 1 else 1
        assert len(kept) >= count if better else len(kept) <= count


@pytest.mark.parametrize("size", [0.02, 0.2, 1.0])
def test_the_bound_is_held(size: float) -> None:
    wanted = wobble(3, 700, size)
    for spherical in (True, False):
        kept = fewest_keys(wanted, wanted, HALF_DEGREE, Bounds(spherical=spherical)).tolist()
        errors = [off(wanted, wanted, first, last, spherical) for first, last in itertools.pairwise(kept)]
        assert max(errors) <= HALF_DEGREE * 1.000001


@pytest.mark.parametrize("longest", [255, 20_000])
def test_minutes_of_motion_take_seconds(longest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each frame is looked at some ten times, not once for each pair of keys around it. At most half as many keys again as the longest run
    from each key on takes, and the bound is held."""
    looked_at: list[int] = []
    near = reduction._near

    def counting(*given: Any) -> Near:
        is_near = near(*given)
        return lambda first, last, at: looked_at.append(len(at)) or is_near(first, last, at)

    monkeypatch.setattr(reduction, "_near", counting)
    wanted = np.repeat(wobble(5, 400, 0.3), 50, axis=0)[:20_000]
    wanted = quaternion.slerp(wanted[:-50], wanted[50:], np.tile(np.arange(50) / 50, 399))
    kept = fewest_keys(wanted, wanted, HALF_DEGREE, Bounds(longest=longest)).tolist()
    assert sum(looked_at) < 15 * len(wanted) and len(looked_at) < len(wanted) / 2
    errors = [off(wanted, wanted, first, last, True) for first, last in itertools.pairwise(kept)]
    assert max(errors) <= HALF_DEGREE * 1.000001 and kept[0] == 0 and kept[-1] == len(wanted) - 1 and max(np.diff(kept)) <= longest
    assert len(kept) <= 1.5 * len(greedy(wanted[:2000], wanted[:2000], HALF_DEGREE, longest)) * len(wanted) / 2000
    still = np.tile([[0.5, 0.5, 0.5, 0.5]], (20_000, 1))
    looked_at.clear()
    assert len(fewest_keys(still, still, 0.0, Bounds(longest=longest))) == 1 + -(-19_999 // longest)
    assert sum(looked_at) < 20 * len(still)


def test_a_hold_needs_a_key_every_255_frames() -> None:
    still = np.tile([[0.5, 0.5, 0.5, 0.5]], (1000, 1))
    assert len(fewest_keys(still, still, 0.0, Bounds())) == 5
    assert fewest_keys(still[:256], still[:256], 0.0, Bounds()).tolist() == [0, 255]


def test_opposite_signs_are_the_same_rotation() -> None:
    wanted = wobble(5, 200, 0.5)
    mirrored = wanted * np.where(np.random.default_rng(1).random(200) < 0.5, -1, 1)[:, None]
    assert fewest_keys(mirrored, wanted, HALF_DEGREE, Bounds()).tolist() == fewest_keys(wanted, wanted, HALF_DEGREE, Bounds()).tolist()


def test_fewer_keys_than_a_greedy_pass(game_file: Callable[[str], Path], capsys: pytest.CaptureFixture[str]) -> None:
    chain, wanted = mocap(game_file("mocap/cmu_01_01_600.bvh"))
    wanted = wanted[:300]
    keys = stored(wanted)
    ours = [len(fewest_keys(keys[:, bone], wanted[:, bone], HALF_DEGREE, Bounds())) for bone in range(len(chain.names))]
    theirs = [len(greedy(keys[:, bone], wanted[:, bone], HALF_DEGREE)) for bone in range(len(chain.names))]
    with capsys.disabled():
        print(f"\n{len(wanted)} frames, {len(chain.names)} bones, 0.5 degree: {sum(ours)} keys, greedy {sum(theirs)}")
    assert all(few <= many for few, many in zip(ours, theirs, strict=True))
    assert sum(ours) < sum(theirs)


def test_distance_is_held_through_the_chain(game_file: Callable[[str], Path]) -> None:
    chain, wanted = mocap(game_file("mocap/cmu_01_01_600.bvh"))
    wanted = wanted[:100]
    before = np.full(len(chain.names), len(wanted))
    bounds = Bounds(distance=0.2, shell=1.0)
    reduced = reduce_keys(chain, wanted, stored(wanted), before, bounds)
    assert 0.05 < reduced.report.shells.max() <= 0.2
    assert reduced.report.after.sum() < 0.5 * before.sum()
    shown = np.stack([between_keys(stored(wanted)[:, bone], kept, bounds) for bone, kept in enumerate(reduced.kept)], axis=1)
    apart = np.linalg.norm(points(chain, wanted, 1.0) - points(chain, shown, 1.0), axis=-1).max(axis=(0, 2))
    assert (apart <= reduced.report.shells + 1e-9).all()
    assert len(reduced.report.lines()) == 1 + (reduced.report.after != before).sum()


def points(chain: Chain, local: Floats, shell: float) -> Floats:
    """(frames, bones, 20, 3) points around every bone, by matrices."""
    around = np.random.default_rng(0).normal(size=(20, 3))
    around *= shell / np.linalg.norm(around, axis=1, keepdims=True)
    matrices = rotation_matrix.from_quaternion(local)
    world, positions = matrices.copy(), np.zeros((*local.shape[:-1], 3))
    for bone, parent in enumerate(chain.parents.tolist()):
        if parent >= 0:
            world[:, bone] = world[:, parent] @ matrices[:, bone]
            positions[:, bone] = positions[:, parent] + world[:, parent] @ chain.offsets[bone]
    return positions[:, :, None] + np.einsum("fbij,pj->fbpi", world, around)


def test_budgets_add_up_to_the_distance() -> None:
    """The worst case of a straight arm: every joint turned by its whole budget about the same axis."""
    chain = Chain(("a", "b", "c"), np.array([-1, 0, 1], np.int32), np.array([[0.0, 0, 0], [2, 0, 0], [3, 0, 0]]))
    spent = budgets(chain, Bounds(distance=0.1, shell=1.0))
    assert np.allclose(spent, [0.1 / 3 / 6, 0.1 / 3 / 4, 0.1 / 3 / 1])
    rotated = np.stack([np.cos(spent / 2), 0 * spent, 0 * spent, np.sin(spent / 2)], axis=-1)[None]
    still = np.tile([1.0, 0, 0, 0], (1, 3, 1))
    joints, shells, angles = differences(chain, still, rotated, 1.0)
    assert 0.0995 < shells[2] <= 0.1
    assert joints[2] < shells[2]
    assert abs(angles[2] - spent.sum()) < 1e-12


@pytest.mark.parametrize("by_angle", [True, False])
def test_of_two_limits_one_counts(by_angle: bool) -> None:
    assert Bounds.of(by_angle, 2.0, 0.3, 0.1).longest == 255, "what a byte holds"
    assert Bounds.of(by_angle, 2.0, 0.3, 0.1, 9) == Bounds(0.0 if by_angle else 2.0, 0.3 if by_angle else 0.0, 0.1, 9)


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_of_few_frames_both_ends_stay(count: int) -> None:
    still = np.tile(quaternion.IDENTITY, (count, 1))
    assert fewest_keys(still, still, HALF_DEGREE, Bounds()).tolist() == sorted({0, count - 1})


def test_of_bones_that_are_still_both_ends_stay() -> None:
    """Nothing is off, so that there is no more to allow."""
    chain = Chain(("a", "b"), np.array([-1, 0], np.int32), np.array([[0.0, 0, 0], [0, 1, 0]]))
    still = np.tile(quaternion.IDENTITY, (9, 2, 1))
    result = reduce_keys(chain, still, still, np.full(2, 9), Bounds(distance=0.1, shell=0.1))
    assert [kept.tolist() for kept in result.kept] == [[0, 8]] * 2 and not result.report.shells.any()


def test_what_still_bones_leave_of_a_distance_is_used() -> None:
    """Each of four bones may spend a part of it, but one alone moves: it takes all of it, so that fewer keys stay than by its part."""
    offsets = np.array([[0.0, 0, 0], [0, 1, 0], [0, 1, 0], [0, 1, 0]])
    chain = Chain(("a", "b", "c", "d"), np.array([-1, 0, 1, 2], np.int32), offsets)
    wanted = np.tile(quaternion.IDENTITY, (120, 4, 1))
    wanted[:, 1] = wobble(4, 120, 1.0)
    bounds = Bounds(distance=0.3, shell=0.1)
    result = reduce_keys(chain, wanted, wanted, np.full(4, 120), bounds)
    part = fewest_keys(wanted[:, 1], wanted[:, 1], float(budgets(chain, bounds)[1]), bounds)
    assert len(result.kept[1]) < len(part) and [len(result.kept[bone]) for bone in (0, 2, 3)] == [2, 2, 2]
    assert 0.7 * bounds.distance < result.report.shells.max() <= bounds.distance
