"""Channels as poses in the world, against matrices multiplied out as Blender documents them; and motions in parts and together."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations import rotation_matrix
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures import motion as motions
from retro_anim.core.retarget.figures import walk
from retro_anim.core.retarget.figures.columns import Columns
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.motion import Local, Motion, Standing

from .. import rigs

FRAMES, BONES = 6, 5
PARENTS = [-1, 0, 1, 2, 1]
NOWHERE = Standing(quat.IDENTITY[None], np.zeros((1, 3)), 1.0)


def figure_of(hinged: tuple[int, ...] = (), unturned: tuple[int, ...] = (), fixed: tuple[int, ...] = ()) -> Figure:
    """A chain with a branch, whose bones are at random angles."""
    rest = np.tile(np.eye(4), (BONES, 1, 1))
    rest[:, :3, :3] = rigs.random_rotations(3, BONES)
    rest[:, :3, 3] = np.random.default_rng(3).normal(size=(BONES, 3))
    one, two, three = (np.isin(np.arange(BONES), bones) for bones in (hinged, unturned, fixed))
    return Figure(("a", "b", "c", "d", "e"), np.array(PARENTS, np.int32), rest, np.ones(BONES), np.eye(4), (), one, two, three)


def channels(seed: int = 5) -> Local:
    locations = np.random.default_rng(seed).normal(size=(FRAMES, BONES, 3))
    locations[:, 4] = 0
    rotations = quat.of_matrix(rigs.random_rotations(seed, FRAMES * BONES)).reshape(FRAMES, BONES, 4)
    return Local(locations, rotations)


def moving(scale: float) -> Standing:
    """An object that goes about."""
    return Standing(quat.of_matrix(rigs.random_rotations(8, FRAMES)), np.random.default_rng(8).normal(size=(FRAMES, 3)), scale)


def multiplied_out(figure: Figure, local: Local, standing: Standing) -> tuple[Floats, Floats]:
    """(F, B, 3, 3) and (F, B, 3) by 4 x 4 matrices, frame by frame."""
    rotations, positions = np.zeros((FRAMES, BONES, 3, 3)), np.zeros((FRAMES, BONES, 3))
    objects = [np.broadcast_to(each, (FRAMES, each.shape[1])) for each in (standing.rotations, standing.positions)]
    for frame in range(FRAMES):
        world = np.eye(4)
        world[:3, :3] = rotation_matrix.from_quaternion(objects[0][frame]) * standing.scale
        world[:3, 3] = objects[1][frame]
        poses: list[Floats] = []
        for bone, parent in enumerate(PARENTS):
            rest, above = figure.rest[bone], poses[parent] if parent >= 0 else np.eye(4)
            carried = above @ np.linalg.inv(figure.rest[parent]) @ rest if parent >= 0 else rest
            axes = above[:3, :3] if figure.unturned[bone] else carried[:3, :3]
            before = rest if figure.hinged[bone] else carried
            pose = np.eye(4)
            pose[:3, :3] = before[:3, :3] @ rotation_matrix.from_quaternion(local.rotations[frame, bone])
            pose[:3, 3] = carried[:3, 3] + (0 if figure.fixed[bone] else axes @ local.locations[frame, bone])
            poses.append(pose)
            placed = world @ pose
            rotations[frame, bone], positions[frame, bone] = placed[:3, :3] / standing.scale, placed[:3, 3]
    return rotations, positions


@pytest.mark.parametrize(
    "standing", [NOWHERE, moving(1.0), moving(0.3), replace(NOWHERE, scale=2.0)], ids=["nowhere", "goes", "small", "big"]
)
@pytest.mark.parametrize(
    ("hinged", "unturned", "fixed"), [((), (), ()), ((0, 2), (), ()), ((), (0, 1, 3), ()), ((), (), (1, 3)), ((1, 3), (0, 3), (2,))]
)
def test_poses_are_those_of_matrices_multiplied_out(
    hinged: tuple[int, ...], unturned: tuple[int, ...], fixed: tuple[int, ...], standing: Standing
) -> None:
    figure, local, frames = figure_of(hinged, unturned, fixed), channels(), np.arange(float(FRAMES))
    rotations, positions = multiplied_out(figure, local, standing)
    whole = walk.forward(figure, frames, local, standing)
    lazy = walk.walked(figure, frames, lambda bone: (local.rotations[:, bone], local.locations[:, bone]), standing)
    for each in (whole, lazy):
        assert rotation_matrix.from_quaternion(np.asarray(each.rotations)) == pytest.approx(rotations, abs=1e-9)
        assert np.asarray(each.positions) == pytest.approx(positions, abs=1e-9)


def test_a_figure_stands_where_its_object_is() -> None:
    """Turned by a right angle about Z, three times as large, and moved."""
    world = rigs.yawed(np.pi / 2, 3.0)
    world[:3, 3] = (1, 2, 3)
    figure = replace(figure_of(), world=world)
    rest = motions.rest_motion(figure)
    x, y, z = figure.rest[:, :3, 3].T
    assert rest.positions[0] == pytest.approx(np.stack([1 - 3 * y, 2 + 3 * x, 3 + 3 * z], axis=1))
    still = Local(np.zeros((1, BONES, 3)), np.tile(quat.IDENTITY, (1, BONES, 1)))
    posed = walk.forward(figure, np.zeros(1), still)
    assert posed.positions == pytest.approx(rest.positions) and posed.standing.scale == pytest.approx(3)
    assert quat.apart(posed.rotations, rest.rotations).max() < 1e-7
    assert rest.frames.tolist() == [0] and rest.sizes is None


@pytest.mark.parametrize(
    "standing",
    [
        replace(NOWHERE, scale=2.0),
        replace(NOWHERE, positions=np.array([[0.0, 0.1, 0.0]])),
        replace(NOWHERE, rotations=np.array([[0.0, 0.0, 0.0, 1.0]])),
        replace(NOWHERE, positions=np.zeros((FRAMES, 3))),
        replace(NOWHERE, rotations=np.tile(quat.IDENTITY, (FRAMES, 1))),
    ],
)
def test_an_object_that_moves_rotates_or_scales_is_somewhere(standing: Standing) -> None:
    assert NOWHERE.is_nowhere and not standing.is_nowhere


def lazy(counts: tuple[int, ...] = (), standing: Standing = NOWHERE) -> tuple[Motion, Motion]:
    """A motion that is computed bone by bone, and the same as a whole."""
    figure, local, frames = figure_of(), channels(), 10.0 + np.arange(float(FRAMES))
    computed = walk.walked(figure, frames, lambda bone: (local.rotations[:, bone], local.locations[:, bone]), standing)
    sizes = np.random.default_rng(1).uniform(0.5, 2, (FRAMES, BONES, 3))
    return replace(computed, sizes=sizes, counts=counts), replace(computed.whole(), sizes=sizes, counts=counts)


def same(one: Motion, other: Motion) -> bool:
    pairs = [(one.frames, other.frames), (one.rotations, other.rotations), (one.positions, other.positions)]
    pairs += [(one.standing.rotations, other.standing.rotations), (one.standing.positions, other.standing.positions)]
    assert one.sizes is not None and other.sizes is not None
    pairs.append((one.sizes, other.sizes))
    return all(np.array_equal(np.asarray(first), np.asarray(second)) for first, second in pairs) and one.counts == other.counts


@pytest.mark.parametrize("rows", [slice(1, 4), np.array([4, 0, 2])], ids=["slice", "rows"])
def test_some_of_the_frames(rows: slice) -> None:
    computed, whole = lazy((2, 4), moving(1.0))
    picked = whole.at(rows)
    assert same(computed.at(rows), picked)
    assert picked.counts == () and picked.frames.tolist() == whole.frames[rows].tolist()
    assert np.array_equal(picked.positions, whole.positions[rows]) and np.array_equal(picked.rotations, whole.rotations[rows])
    assert picked.sizes is not None and whole.sizes is not None and np.array_equal(picked.sizes, whole.sizes[rows])
    assert np.array_equal(picked.standing.rotations, whole.standing.rotations[rows])
    assert np.array_equal(picked.standing.positions, whole.standing.positions[rows])
    still = replace(whole, standing=NOWHERE).at(rows).standing
    assert (len(still.rotations), len(still.positions)) == (1, 1), "of what stands still there is one row whatever the frames are"


def test_each_clip_by_itself_and_all_of_them_together() -> None:
    for given in lazy((2, 1, 3), moving(0.5)):
        clips = given.clips
        assert [len(clip.frames) for clip in clips] == [2, 1, 3]
        for clip, rows in zip(clips, (slice(0, 2), slice(2, 3), slice(3, 6)), strict=True):
            assert same(clip, given.at(rows))
        assert same(motions.joined([clip.whole() for clip in clips]), given)
    (alone,) = (whole := lazy()[1]).clips
    assert alone is whole and motions.joined([whole]) is whole and whole.whole() is whole


def test_clips_are_joined_whether_or_not_they_stand_and_have_sizes() -> None:
    """Of one without sizes they are 1; of an object that stands still every row of its clip is the same."""
    one, other = (lazy(standing=standing)[1] for standing in (moving(2.0), replace(NOWHERE, scale=2.0)))
    both = motions.joined([one, replace(other, sizes=None)])
    assert both.sizes is not None and one.sizes is not None
    assert np.array_equal(both.sizes, np.concatenate([one.sizes, np.ones((FRAMES, BONES, 3))]))
    assert np.array_equal(both.standing.rotations, np.concatenate([one.standing.rotations, np.tile(quat.IDENTITY, (FRAMES, 1))]))
    assert np.array_equal(both.standing.positions, np.concatenate([one.standing.positions, np.zeros((FRAMES, 3))]))
    assert both.standing.scale == 2 and both.counts == (FRAMES, FRAMES)
    assert np.array_equal(both.positions, np.concatenate([one.positions, other.positions]))
    without = motions.joined([replace(other, sizes=None)] * 2)
    assert without.sizes is None and without.standing is other.standing, "one that stands still for all needs no rows"
    assert len(motions.joined([one, one]).standing.rotations) == 2 * FRAMES


def test_a_root_that_stays_where_it_is_has_a_place_in_every_frame() -> None:
    """And one that goes has its own."""
    figure = figure_of()
    local = channels()
    for locations in (None, local.locations[:, 0]):
        motion = walk.walked(figure, np.arange(float(FRAMES)), lambda bone, own=locations: (local.rotations[:, bone], own), NOWHERE)
        stands = figure.rest[0, :3, 3] + (0.0 if locations is None else locations @ figure.rest[0, :3, :3].T)
        assert motion.positions[:, 0].shape == (FRAMES, 3)
        assert motion.positions[:, 0] == pytest.approx(np.broadcast_to(stands, (FRAMES, 3)), abs=1e-6)


def test_a_few_frames_of_many() -> None:
    """64 at most, from the first to the last; of what is computed for some frames alone just these are asked for."""
    count = 200
    motion = Motion(np.arange(float(count)), np.tile(quat.IDENTITY, (count, 1, 1)), np.zeros((count, 1, 3)), None, NOWHERE)
    few = motion.few()
    assert len(few.frames) == 64 and (few.frames[0], few.frames[-1]) == (0, count - 1) and np.diff(few.frames).min() >= 3
    assert motion.at(slice(0, 64)).few().frames.tolist() == list(range(64))
    asked: list[list[int]] = []

    def some(rows: NDArray[np.int64]) -> Motion:
        asked.append(rows.tolist())
        return motion

    assert replace(motion, rotations=Columns((count, 1, 4), lambda _: np.tile(quat.IDENTITY, (count, 1)), few=some)).few() is motion
    assert asked == [few.frames.astype(int).tolist()]


def test_bones_that_are_held_are_computed_once() -> None:
    """Whatever else is asked for, and although what is at hand is forgotten."""
    computed: list[int] = []
    local = channels()

    def own(bone: int) -> tuple[Floats, Floats]:
        computed.append(bone)
        return local.rotations[:, bone], local.locations[:, bone]

    plain = walk.walked(figure_of(), np.arange(float(FRAMES)), own, NOWHERE, moved={1, 2})
    held = plain.holding([0, 2])
    computed.clear()
    held.forget()
    whole = lazy()[1]
    assert np.array_equal(held.positions[:, 2], whole.positions[:, 2]) and np.array_equal(held.rotations[:, 0], whole.rotations[:, 0])
    assert not computed
    assert np.array_equal(held.positions[:, 4], whole.positions[:, 4])
    assert computed == [0, 1, 4]
    assert isinstance(held.positions, Columns) and held.positions.moved == {1, 2}
    computed.clear()
    assert np.array_equal(held.rotations[:, 4], whole.rotations[:, 4]) and not computed, "it is at hand"
    held.forget(4)
    assert np.array_equal(held.rotations[:, 4], whole.rotations[:, 4]) and computed == [4], "until it is forgotten"
    assert whole.holding([1]) is whole


def test_all_bones_at_some_frames_are_asked_for_one_after_the_other() -> None:
    """Both values of each while it is at hand, of which there is little: a long clip would be computed twice."""
    asked: list[tuple[int, str]] = []
    local = channels()

    def column(kind: str, bone: int) -> Floats:
        asked.append((bone, kind))
        return (local.rotations if kind == "rotation" else local.locations)[:, bone]

    kinds = ("rotation", "position")
    columns = [Columns((FRAMES, BONES, width), partial(column, kind)) for kind, width in zip(kinds, (4, 3), strict=True)]
    computed = Motion(np.arange(float(FRAMES)), cast(Floats, columns[0]), cast(Floats, columns[1]), None, NOWHERE)
    for some in (lambda: computed.at(slice(1, 4)), computed.whole):
        assert isinstance(some().rotations, np.ndarray)
        assert asked == [(bone, kind) for bone in range(BONES) for kind in kinds]
        asked.clear()
