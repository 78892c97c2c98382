"""Bones are compared, and curves read, in pieces of any length, as if all frames had been there at once."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.motion import comparison
from retro_anim.core.motion.comparison import Bones, Comparison, Difference, Steps
from retro_anim.core.motion.curves import interpolated
from retro_anim.core.motion.pieces import pieces
from retro_anim.core.motion.rotations.rotation_matrix import Floats, from_euler

RANDOM = np.random.default_rng(5)
FRAMES = np.arange(200.0) / 4
STEPS = Steps(rotation=1e-3, translation=1e-3, path=1e-3)


def bones() -> Bones:
    """Two roots, the first with a chain of three."""
    rest = np.tile(np.eye(4), (5, 1, 1))
    rest[:, 1, 3] = np.arange(5)
    parents = np.array([-1, 0, 1, 2, -1])
    return Bones(tuple("abcde"), parents, rest, np.ones(5, np.bool_))


def basis(angles: Floats) -> Floats:
    out = np.tile(np.eye(4), (*angles.shape[:2], 1, 1))
    out[..., :3, :3] = from_euler(angles, "XYZ")
    return out


def compared(shown: Floats, written: Floats, lengths: list[int], scale: float = 1.0) -> list[Difference]:
    gathered, still = Comparison(bones(), STEPS, scale), np.tile(np.eye(4), (len(FRAMES), 1, 1))
    for part in np.split(np.arange(len(FRAMES)), np.cumsum(lengths)):
        gathered.add(FRAMES[part], (shown[part], still[part]), (written[part], still[part]))
    return gathered.differences()


@pytest.mark.parametrize("lengths", [[1], [40, 60], [99, 1, 1], [0, 150, 0]])
def test_pieces_tell_what_the_whole_does(lengths: list[int]) -> None:
    angles = RANDOM.normal(size=(len(FRAMES), 5, 3))
    shown, moved = comparison.poses(bones(), basis(angles)), angles.copy()
    moved[:, 2:] += RANDOM.normal(size=(len(FRAMES), 3, 3)) * 0.1
    written = comparison.poses(bones(), basis(moved))
    assert compared(shown, written, lengths) == compared(shown, written, [])


def test_the_first_of_frames_that_are_equally_far_off_is_told() -> None:
    angles = np.zeros((len(FRAMES), 5, 3))
    moved = angles.copy()
    moved[[30, 130], 4] = 0.5, 0, 0
    shown, written = (comparison.poses(bones(), basis(each)) for each in (angles, moved))
    (only,) = compared(shown, written, [100])
    assert (only.bone, only.frame) == ("e", FRAMES[30])
    assert only.size == pytest.approx(np.degrees(0.5), rel=1e-6)


@pytest.mark.parametrize("below", [False, True])
def test_a_root_is_carried_only_if_no_frame_of_any_piece_has_a_bone_below_elsewhere(below: bool) -> None:
    shown = comparison.poses(bones(), basis(np.zeros((len(FRAMES), 5, 3))))
    written = shown.copy()
    written[20, 0, 0, 3] += 1
    if below:
        written[170, 1, 0, 3] += 1
    carried = {each.bone: each.carried for each in compared(shown, written, [100])}
    assert carried["a"] is not below


def test_no_bone_but_a_root_is_carried() -> None:
    """The first bone upon a root is elsewhere, and what hangs on it where it is shown."""
    shown = comparison.poses(bones(), basis(np.zeros((len(FRAMES), 5, 3))))
    written = shown.copy()
    written[20, 1, 0, 3] += 1
    assert [(each.bone, each.carried) for each in compared(shown, written, [])] == [("b", False)]


@pytest.mark.parametrize("count", [1, 2, 7, 500])
def test_pieces_of_a_line_are_those_of_the_whole(count: int) -> None:
    frames = np.sort(RANDOM.uniform(-50, 50, 400)).astype(np.float32)
    frames[100:103] = frames[100]
    values = RANDOM.normal(size=400).astype(np.float32)
    at = np.unique(np.concatenate([frames.astype(np.float64), RANDOM.uniform(-60, 60, 300), np.nextafter(frames.astype(np.float64), 99)]))
    parts = [interpolated(at[first : first + count], frames, values) for first in range(0, len(at), count)]
    assert np.array_equal(np.concatenate(parts), np.interp(at, frames.astype(np.float64), values.astype(np.float64)))


@pytest.mark.parametrize("bones", [0, 1, 17, 1000])
def test_pieces_are_all_frames_once(bones: int) -> None:
    parts = list(pieces(50_000, bones))
    assert np.array_equal(np.concatenate([np.arange(50_000)[part] for part in parts]), np.arange(50_000))
    assert max(part.stop - part.start for part in parts) * bones <= max(1 << 14, 64 * bones)
    assert not list(pieces(0, bones))


def moved(rows: Floats, bone: int, by: tuple[float, float, float], frame: int = 20) -> Floats:
    """Poses of a chain along Y with a bone alone elsewhere at one frame."""
    out = rows.copy()
    out[frame, bone, :3, 3] += by
    return out


STILL = comparison.poses(bones(), basis(np.zeros((len(FRAMES), 5, 3))))


@pytest.mark.parametrize(
    ("by", "scale", "size"), [(1.24e-3, 1.0, 0), (1.3e-3, 1.0, 1.3e-3), (1.24e-3, 0.5, 2.48e-3), (0.63e-3, 0.5, 1.26e-3), (0.5, 0.25, 2.0)]
)
def test_a_step_and_a_quarter_is_rounding(by: float, scale: float, size: float) -> None:
    """Of 1e-3 game units, at the origin; besides as much as single precision loses."""
    gathered, nowhere = Comparison(bones(), STEPS, scale), np.tile(np.eye(4), (len(FRAMES), 1, 1))
    gathered.add(FRAMES, (STILL, nowhere), (moved(STILL, 0, (0, by, 0)), nowhere))
    off_by = [each.size for each in gathered.differences() if each.bone == "a"]
    assert off_by == pytest.approx([size] if size else [])


@pytest.mark.parametrize("scale", [1.0, 0.1])
@pytest.mark.parametrize("far", [0.0, 1e4])
def test_far_from_the_origin_single_precision_loses_more(far: float, scale: float) -> None:
    """A tenth of a unit, ten thousand away."""
    shown = moved(STILL, 4, (far * scale, 0, 0))
    assert [each.bone for each in compared(shown, moved(shown, 4, (0, 0.09 * scale, 0)), [], scale)] == ["e"] * (far == 0)
    assert [each.bone for each in compared(shown, moved(shown, 4, (0, 0.11 * scale, 0)), [], scale)] == ["e"]


def test_what_is_most_of_its_steps_is_told() -> None:
    """Bone b: rotated by 0.01 about its own head, then moved by 0.02, then larger by a half; the bones on it are as they were to it."""
    rows = [np.tile(np.eye(4), (len(FRAMES), 5, 1, 1)) for _ in range(3)]
    rows[0][20, 1, :3, :3] = from_euler(np.array([0.01, 0, 0]), "XYZ")
    rows[1][20, 1, :3, 3] = 0, 0, 0.02
    rows[2][20, 1, :3, :3] *= 1.5
    results = [compared(STILL, comparison.poses(bones(), each), []) for each in rows]
    assert [[each.bone for each in result] for result in results] == [["b"]] * 3
    (one,), (two,), (three,) = results
    assert (one.rotated, one.scaled, one.size) == (True, False, pytest.approx(np.degrees(0.01), rel=1e-6))
    assert (two.rotated, two.scaled, two.size) == (False, False, pytest.approx(0.02))
    assert (three.rotated, three.scaled, three.size) == (False, True, pytest.approx(0.5))
    assert {each.frame for result in results for each in result} == {FRAMES[20]}
    assert (one.steps, two.steps, three.steps) == pytest.approx((0.01 / 1.28e-3, 0.02 / 1.26e-3, 500), rel=0.01)
    assert not any(each.outside or each.carried for result in results for each in result)


def test_of_two_that_are_off_what_is_more_of_its_steps_is_told() -> None:
    """Larger by a twentieth is 50 steps, and rotated by 0.01 is 10."""
    rows = np.tile(np.eye(4), (len(FRAMES), 5, 1, 1))
    rows[20, 4, :3, :3] = from_euler(np.array([0.01, 0, 0]), "XYZ") * 1.05
    (only,) = compared(STILL, comparison.poses(bones(), rows), [])
    assert (only.bone, only.rotated, only.scaled, only.size) == ("e", False, True, pytest.approx(0.05))


def test_the_object_alone_is_elsewhere() -> None:
    gathered, nowhere = Comparison(bones(), STEPS, 1.0), np.tile(np.eye(4), (len(FRAMES), 1, 1))
    there = nowhere.copy()
    there[20, 1, 3] = 3.0
    gathered.add(FRAMES, (STILL, nowhere), (STILL, there))
    assert [(each.bone, each.outside, each.carried, each.size) for each in gathered.differences()] == [
        ("a", True, False, 3.0),
        ("e", True, False, 3.0),
    ]


@pytest.mark.parametrize(("by", "outside"), [(1.2e-3, True), (1.3e-3, False), (2.4e-3, False)])
def test_an_object_is_not_all_that_is_elsewhere_where_a_root_is_so_inside_too(by: float, outside: bool) -> None:
    """By more than a step and a quarter."""
    gathered, nowhere = Comparison(bones(), STEPS, 1.0), np.tile(np.eye(4), (len(FRAMES), 1, 1))
    there = nowhere.copy()
    there[20, 1, 3] = 3.0
    gathered.add(FRAMES, (STILL, nowhere), (moved(STILL, 4, (0, by, 0)), there))
    assert {each.bone: each.outside for each in gathered.differences()} == {"a": True, "e": outside}


@pytest.mark.parametrize(("edges", "expected"), [(None, [30.0]), ([0.0], [-10.0, 30.0]), ([10.0, 20.0], [-10.0, 15.0, 30.0])])
def test_each_stretch_has_its_own_worst_frame(edges: list[float] | None, expected: list[float]) -> None:
    """Off by 1, 2 and 3 at frames -10, 15 and 30, added one by one; a stretch ends with its edge."""
    frames = np.array([-10.0, 15.0, 30.0])
    shown, nowhere = STILL[:3], np.tile(np.eye(4), (3, 1, 1))
    written = shown.copy()
    written[:, 4, 1, 3] += 1, 2, 3
    written[:, 0, 1, 3] += 1, 2, 3
    stretches = None if edges is None else comparison.Stretches(np.array(edges), frozenset("e"))
    gathered = Comparison(bones(), STEPS, 1.0, stretches)
    for row in range(3):
        part = slice(row, row + 1)
        gathered.add(frames[part], (shown[part], nowhere[part]), (written[part], nowhere[part]))
    differences = gathered.differences()
    assert sorted(each.frame for each in differences if each.bone == "e") == expected
    assert any(each.bone == "a" for each in differences) is (edges is None), "only those that are looked at"
    assert [each.size for each in differences] == sorted((each.size for each in differences), reverse=True)


@pytest.mark.parametrize(
    ("name", "away", "less"),
    [
        ("location", [2e-3, 0], True),
        ("location", [2e-3, 1e-3], False),
        ("rotation_euler", [0.9e-3, 2 * np.pi], True),
        ("rotation_euler", [0.6e-3, -0.6e-3], False),
        ("scale", [1e-3, -1e-3], True),
        ("scale", [1.1e-3, 0], False),
        ('["type"]', [0, 0], True),
        ('["type"]', [1e-9, 0], False),
    ],
)
def test_what_makes_less_than_a_step_in_any_case(name: str, away: list[float], less: bool) -> None:
    """Of two components at one frame, in Blender units that are half a game unit."""
    steps = Steps(rotation=1e-3, translation=5e-3, path=4e-3)
    assert comparison.least(name, np.array(away)[:, None], steps, 0.5) is less


def test_keys_with_what_lies_between() -> None:
    assert comparison.between(np.array([1.0, 5, 6])).tolist() == [1, 2, 3, 4, 5, 5.25, 5.5, 5.75, 6]
    assert comparison.between(np.array([3.0])).tolist() == [3] and comparison.between(np.zeros(0)).tolist() == []


def test_poses_by_hand() -> None:
    """Of a chain along Y whose root is twice as large and a quarter about Z: what does not take its size keeps its own."""
    given = bones()
    part = comparison.Bones(given.names[:3], given.parents[:3], given.rest[:3], np.array([True, True, False]))
    quarter = from_euler(np.array([0, 0, np.pi / 2]), "XYZ")
    rows = np.tile(np.eye(4), (1, 3, 1, 1))
    rows[0, 0, :3, :3] = 2 * quarter
    rows[0, 2, :3, 3] = (1, 0, 0)
    posed = comparison.poses(part, rows)[0]
    assert np.allclose(posed[:, :3, 3], [(0, 0, 0), (-2, 0, 0), (-4, 2, 0)])
    assert np.allclose(posed[:, :3, :3], [2 * quarter, 2 * quarter, quarter])


def test_a_part_of_the_bones_has_all_above_them() -> None:
    part, index = bones().part(np.array([False, False, True, False, True]))
    assert (part.names, part.parents.tolist(), index.tolist()) == (("a", "b", "c", "e"), [-1, 0, 1, -1], [0, 1, 2, 4])
    assert part.rest[:, 1, 3].tolist() == [0, 1, 2, 4]


def test_the_basis_of_channels() -> None:
    """By mode; what has no curve rests, and a scale is along the bone's own axes."""
    at = {
        ("a", "location", 1): 5,
        ("a", "scale", 0): 2,
        ("b", "rotation_euler", 2): np.pi / 2,
        ("b", "scale", 0): 3,
        ("", "rotation_axis_angle", 0): np.pi / 2,
    }
    values = {comparison.Channel(*key): np.array([0.0, value]) for key, value in at.items()}
    rows = comparison.basis_of(values, ["a", "b", "", "d"], {"b": "XYZ", "": "AXIS_ANGLE"}, 2)[1]
    assert np.allclose(rows[0], [(2, 0, 0, 0), (0, 1, 0, 5), (0, 0, 1, 0), (0, 0, 0, 1)])
    assert np.allclose(rows[1, :3, :3], [(0, -1, 0), (3, 0, 0), (0, 0, 1)])
    assert np.allclose(rows[2, :3, :3], [(0, 0, 1), (0, 1, 0), (-1, 0, 0)]) and np.allclose(rows[3], np.eye(4))
