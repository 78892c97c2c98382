"""Through curves and back: untouched keys keep their bits, an edit changes its own alone, without the original the motion stays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from retro_anim.core.mindpower.files.ranges import Range, Row, ranges_of, spare
from retro_anim.core.mindpower.files.skeleton.lab import Lab, new_lab
from retro_anim.core.mindpower.motion import channels, evaluate, fitting, rig, timeline, timeline_keys, update
from retro_anim.core.motion.curves import Channel, Curve, Curves, Timing, curves_of
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import ExportError
from support.poses import skin_matrices

MAT43, MAT44, QUAT = 1, 2, 3
"""The type of keys in a file's head."""

FILES = ("0001", "0005", "0010", "0014", "0016", "0088", "0311", "0725", "0741", "0860")


class Scene:
    """What Blender would hold of a file: one set of curves for each range."""

    def __init__(self, lab: Lab, ranges: list[Range] | None = None, helped: bool = True) -> None:
        self.lab = lab
        self.ranges = ranges or [Range(0, lab.frame_count - 1)]
        stand = rig.LabRig.of(lab)
        stand = stand.with_rest(stand.rest.astype(np.float32))
        self.before = fitting.fit(lab, stand, choose=True, helped=np.full(lab.bone_count, helped))
        helpers = {bone: (f"{bone} a", f"{bone} b") for bone in self.before.helpers}
        self.names = channels.BoneNames(tuple(f"bone {index}" for index in range(lab.bone_count)), helpers)
        self.timing = Timing(30.0, 30.0, 1.0)
        self.actions: list[Curves] = [
            curves_of(channels.blocks_of(self.before, self.names, item.start, item.end + 1, self.timing)) for item in self.ranges
        ]
        self.lengths = [len(item) for item in self.ranges]

    def parts(self, with_original: bool = True) -> list[timeline.Part]:
        parts: list[timeline.Part] = []
        for item, curves, length in zip(self.ranges, self.actions, self.lengths, strict=True):
            frames = self.timing.frames(np.arange(length, dtype=float))
            old = np.minimum(np.arange(item.start, item.start + length), item.end)
            sampled = channels.motion_of(curves, self.names, self.before.rig, frames)
            before = update.Before(self.lab, self.before) if with_original else None
            keys = update.encode(sampled, before, old, np.zeros(self.lab.bone_count, bool))
            parts.append(timeline.Part(f"{item.start}", keys, item))
        return parts

    def edit(self, action: int, bone: int, value: float = 0.25, component: int = 1, name: str = "rotation_quaternion") -> None:
        channel = Channel(f"bone {bone}", name, component)
        curve = self.actions[action].get(channel, Curve(np.ones(1, np.float32), np.ones(1, np.float32)))
        self.actions[action][channel] = Curve(curve.frames, curve.values + np.float32(value))

    def export(self, key_type: int | None = None) -> tuple[Lab, timeline.TimeLine]:
        parts = self.parts()
        line = timeline.join(parts, self.lab.frame_count)
        return timeline_keys.assemble(self.lab, self.lab, parts, line, key_type), line

    def without_original(self) -> Lab:
        parts = self.parts(False)
        base, parts = timeline_keys.rebuilt(self.lab, parts, self.lab.frame_count)
        return timeline_keys.assemble(self.lab, base, parts, timeline.join(parts, self.lab.frame_count))


@pytest.fixture
def load(game_file: Callable[[str], Path]) -> Callable[[str], Lab]:
    return lambda name: Lab.parse(game_file(f"mindpower/animation/{name}.lab").read_bytes())


def bits(array: NDArray[Any]) -> bytes:
    return np.ascontiguousarray(array).tobytes()


def worlds(lab: Lab) -> NDArray[np.float64]:
    return evaluate.world_matrices(lab)


@pytest.mark.parametrize("name", FILES)
def test_unedited_it_is_the_same_file(load: Callable[[str], Lab], name: str) -> None:
    lab = load(name)
    third = lab.frame_count // 3
    scene = Scene(lab, [Range(1, third), Range(third - 5, 2 * third), Range(2 * third + 1, lab.frame_count - 1)], helped=name != "0860")
    exported, line = scene.export()
    assert exported.pack() == lab.pack()
    assert line.untouched
    assert all(part.keys.kept_positions.all() and part.keys.kept_rotations.all() for part in scene.parts())


@pytest.mark.parametrize("name", FILES)
def test_without_the_original_bones_are_where_they_were(load: Callable[[str], Lab], name: str) -> None:
    lab = load(name)
    half = lab.frame_count // 2
    exported = Scene(lab, [Range(0, half), Range(half - 3, lab.frame_count - 1)]).without_original()
    assert exported.frame_count == lab.frame_count
    size = max(1.0, np.abs(worlds(lab)[..., 3, :3]).max() / 3)
    assert np.abs(worlds(exported) - worlds(lab)).max() < 1e-5 * size


def test_an_edited_bone_changes_its_own_keys_alone(load: Callable[[str], Lab]) -> None:
    lab = load("0005")
    scene = Scene(lab, [Range(10, 40), Range(41, 90)])
    scene.edit(0, 7)
    exported, _ = scene.export()
    assert bits(exported.positions) == bits(lab.positions)
    changed = (exported.quaternions != lab.quaternions).any(axis=2)
    assert np.flatnonzero(changed.any(axis=1)).tolist() == [7]
    assert np.flatnonzero(changed.any(axis=0)).tolist() == list(range(10, 41))
    assert np.abs(np.linalg.norm(exported.quaternions[7], axis=1) - 1).max() < 1e-6


def test_an_edit_below_a_sheared_bone_is_where_it_is_seen(load: Callable[[str], Lab]) -> None:
    """0016 has scale and shear in its keys: matrices come back, and a bone's children that were not touched keep theirs."""
    lab = load("0016")
    scene = Scene(lab)
    scene.edit(0, 1)
    exported, _ = scene.export()
    changed = (exported.matrices != lab.matrices).any(axis=(2, 3)).any(axis=1)
    assert np.flatnonzero(changed).tolist() == [1]
    frames = scene.timing.frames(np.arange(lab.frame_count, dtype=float))
    sampled = channels.motion_of(scene.actions[0], scene.names, scene.before.rig, frames)
    pose = channels.poses(sampled)[:, 1] @ np.linalg.inv(scene.before.rig.rest[1])
    skin = skin_matrices(exported, worlds(exported))[:, 1]
    assert np.abs(rig.to_blender(skin, 1.0) - pose).max() < 1e-5


def test_odd_fourth_columns_stay_where_nothing_was_edited(load: Callable[[str], Lab]) -> None:
    """Of MAT44, which has room for numbers that no pose needs: those of a bone beside the edited one keep their bits."""
    lab = load("0016")
    rows = np.zeros((lab.bone_count, lab.frame_count, 4, 4), np.float32)
    rows[..., :3], rows[..., 3, 3] = lab.matrices[..., :3], 1
    rows[3, 5, 0, 3], rows[3, 5, 3, 3] = 0.125, 2
    lab = lab.with_matrices(rows)
    scene = Scene(lab)
    scene.edit(0, 1)
    exported, _ = scene.export()
    changed = (exported.matrices != lab.matrices).any(axis=(2, 3)).any(axis=1)
    assert np.flatnonzero(changed).tolist() == [1]
    assert (exported.matrices[1, :, :, 3] == (0, 0, 0, 1)).all()


def test_a_longer_action_goes_behind_the_last_frame(load: Callable[[str], Lab]) -> None:
    lab = load("0005")
    scene = Scene(lab, [Range(10, 40), Range(41, 90)])
    scene.lengths[0] += 5
    exported, line = scene.export()
    count = lab.frame_count
    assert exported.frame_count == count + 36
    assert line.spans == [(count, count + 35), (41, 90)]
    assert bits(exported.quaternions[:, :count]) == bits(lab.quaternions)
    assert bits(exported.quaternions[:, count:]) == bits(lab.quaternions[:, np.minimum(np.arange(10, 46), 40)])
    rows = [Row(1, 10, 40, (12, 40)), Row(2, 0, 0), Row(3, 41, 90, (50,)), Row(4, 95, 9400, (7, 9999)), Row(5, 60, 20)]
    assert timeline.new_rows(rows, line, scene.parts()) == [Row(1, count, count + 35, (count + 2, count + 30)), *rows[1:]]


@pytest.mark.parametrize("name", ["0001", "0014", "0311", "0725", "0860"])
@pytest.mark.parametrize("helped", [False, True])
def test_frames_added_to_a_sheared_character_repeat_the_last_key(load: Callable[[str], Lab], name: str, helped: bool) -> None:
    lab = load(name)
    scene = Scene(lab, [Range(10, 20)], helped)
    scene.lengths[0] += 4
    exported, _ = scene.export()
    assert exported.key_type == lab.key_type
    last = evaluate.local_matrices(lab, np.array([20]))
    assert (evaluate.local_matrices(exported, np.arange(lab.frame_count + 10, lab.frame_count + 15)) == last).all()


@pytest.mark.parametrize("name", ["0001", "0860", "0741", "0311"])
def test_a_copied_action_of_quaternions_needs_no_matrices(load: Callable[[str], Lab], name: str) -> None:
    lab = load(name)
    scene = Scene(lab, [Range(10, 20)])
    sampled = channels.motion_of(scene.actions[0], scene.names, scene.before.rig, scene.timing.frames(np.arange(11.0)))
    keys = update.encode(sampled, update.Before(lab, scene.before), np.full(11, -1), np.zeros(lab.bone_count, bool))
    parts = [timeline.Part("copy", keys)]
    exported = timeline_keys.assemble(lab, lab, parts, timeline.join(parts, lab.frame_count))
    assert exported.key_type == lab.key_type
    assert np.abs(worlds(exported)[-11:] - worlds(lab)[10:21]).max() < 1e-4


def test_a_shorter_action(load: Callable[[str], Lab]) -> None:
    lab = load("0005")
    scene = Scene(lab, [Range(10, 40), Range(41, 90)])
    scene.lengths[0] = 11
    exported, line = scene.export()
    assert line.spans == [(10, 20), (41, 90)]
    assert exported.pack() == lab.pack()
    assert timeline.new_rows([Row(1, 10, 40, (12, 39))], line, scene.parts()) == [Row(1, 10, 20, (12, 20))]


def test_a_whole_time_line_that_got_shorter(load: Callable[[str], Lab]) -> None:
    """It is replaced, and the actions that lost frames are named."""
    lab = load("0005")
    scene = Scene(lab)
    scene.lengths[0] = 50
    exported, line = scene.export()
    assert exported.frame_count == 50 and bits(exported.quaternions) == bits(lab.quaternions[:, :50])
    with log.collect() as said:
        rows = timeline.new_rows([Row(1, 10, 40), Row(2, 30, 60), Row(3, 70, 80)], line, scene.parts())
    assert rows == [Row(1, 10, 40), Row(2, 30, 49), Row(3, 49, 49)]
    assert said.digest("WARNING")[0].endswith("2, 3")


def test_an_edit_of_shared_frames_goes_behind_them(load: Callable[[str], Lab]) -> None:
    lab = load("0005")
    scene = Scene(lab, [Range(10, 40), Range(30, 60), Range(70, 80)])
    scene.edit(0, 7)
    with log.collect() as said:
        exported, line = scene.export()
    count = lab.frame_count
    assert line.spans == [(count, count + 30), (30, 60), (70, 80)]
    assert "goes behind" in said.digest()[0]
    assert bits(exported.quaternions[:, :count]) == bits(lab.quaternions)
    rows = [Row(1, 10, 40), Row(2, 30, 60), Row(3, 70, 80), Row(4, 200, 210)]
    assert timeline.new_rows(rows, line, scene.parts()) == [Row(1, count, count + 30), *rows[1:]]


def test_scale_turns_quaternions_into_matrices_or_is_refused(load: Callable[[str], Lab]) -> None:
    lab = load("0005")
    scene = Scene(lab, [Range(10, 40)])
    scene.edit(0, 7, 0.5, name="scale")
    with log.collect() as said:
        exported, _ = scene.export()
    assert exported.key_type == MAT43
    assert lab.names[7] in said.digest("WARNING")[0]
    local = evaluate.local_matrices(exported)
    there = np.ones(lab.frame_count, bool)
    there[10:41] = False
    assert np.abs(local[there] - evaluate.local_matrices(lab)[there]).max() < 1e-6
    assert np.allclose(sorted(np.linalg.norm(local[20, 7, :3, :3], axis=1)), [1, 1, 1.5], atol=1e-5)
    with pytest.raises(ExportError, match=lab.names[7]):
        scene.export(QUAT)


@pytest.mark.parametrize("key_type", [MAT43, MAT44, QUAT])
def test_a_key_type_asked_for(load: Callable[[str], Lab], key_type: int) -> None:
    lab = load("0005")
    exported, _ = Scene(lab).export(key_type)
    assert exported.key_type == key_type
    assert np.abs(worlds(Lab.parse(exported.pack())) - worlds(lab)).max() < 1e-5


def test_a_file_with_scale_is_not_written_as_quaternions(load: Callable[[str], Lab]) -> None:
    with pytest.raises(ExportError, match="quaternions"):
        Scene(load("0016")).export(QUAT)


def test_positions_that_the_oldest_version_cannot_hold(load: Callable[[str], Lab]) -> None:
    lab = load("0014")
    scene = Scene(lab)
    channel = Channel("bone 2", "location", 0)
    frames = np.array([1, lab.frame_count], np.float32)
    scene.actions[0][channel] = Curve(frames, np.array([0, 1], np.float32))
    with log.collect() as said:
        exported, _ = scene.export()
    assert (exported.version, exported.key_type, exported.rest) == (0x1005, QUAT, b"")
    assert Lab.parse(exported.pack()).pack() == exported.pack()
    assert lab.names[2] in said.digest("WARNING")[0]


def test_ranges_of_a_table() -> None:
    rows = [Row(1, 2, 5), Row(2, 0, 0), Row(3, 2, 5, (3,)), Row(4, 8, 30), Row(5, 50, 60), Row(6, 7, 3), Row(7, 4, 6)]
    with log.collect() as said:
        ranges = ranges_of(rows, 20)
    assert [(item.start, item.end, item.numbers, item.keys) for item in ranges] == [
        (2, 5, (1, 3), (3,)),
        (4, 6, (7,), ()),
        (8, 19, (4,), ()),
    ]
    assert [line.rpartition(": ")[2] for line in said.digest("WARNING")] == ["4", "5", "6"]
    assert spare(ranges, 22) == [(0, 1), (7, 7), (20, 21)]
    assert spare(ranges, 20) == [(0, 1), (7, 7)]
    assert spare([Range(0, 3), Range(4, 6)], 7) == [] and spare([Range(0, 3), Range(4, 6)], 8) == [(7, 7)]


def test_evaluated_poses(load: Callable[[str], Lab]) -> None:
    """As it looks: what looks as imported keeps its bits; a bone that moved, and it alone, is written anew."""
    lab = load("0725")
    scene = Scene(lab, helped=False)
    old = np.arange(lab.frame_count)
    pose = channels.poses(scene.before)
    noise = np.random.default_rng(0).normal(scale=1e-7, size=pose.shape)
    keys = update.encode_poses(pose + noise, scene.before.rig, scene.before, old)
    assert not keys.changed.any()
    pose[100, 5, :3, 3] += 0.3
    keys = update.encode_poses(pose, scene.before.rig, scene.before, old)
    touched = np.argwhere(~keys.kept_positions)
    children = np.flatnonzero(lab.parents == 5).tolist()
    assert {bone for _, bone in touched.tolist()} == {5, *children}
    assert {frame for frame, _ in touched.tolist()} == {100}


def test_new_actions_go_to_the_end() -> None:
    lab = new_lab(["root"], [-1], [np.eye(4)]).with_quaternions(np.zeros((1, 4, 3)), np.tile([0, 0, 0, 1.0], (1, 4, 1)))
    scene = Scene(lab)
    old = scene.parts()[0]
    fresh = timeline.Part("new", replace(old.keys.at(np.arange(3)), old=np.full(3, -1)), None, (Row(9, 0, 2, (1,)),))
    line = timeline.join([old, fresh], 4)
    assert line.spans == [(0, 3), (4, 6)]
    assert timeline.new_rows([Row(1, 0, 3)], line, [old, fresh])[1] == Row(9, 4, 6, (5,))
    assert timeline_keys.assemble(lab, lab, [old, fresh], line).frame_count == 7


def test_the_pose_table_of_an_ancient_file_follows_its_length(load: Callable[[str], Lab]) -> None:
    scene = Scene(load("0014"), [Range(0, 30)])
    scene.lengths[0] = 41
    exported, _ = scene.export()
    assert exported.saved_range == (0, exported.frame_count - 1) == (0, 78 + 40)
    assert Lab.parse(exported.pack()).pack() == exported.pack()
