"""Actions out of blocks of keys: whatever was written before, each has its own keys and no others."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest

Part = Callable[[str], ModuleType]
Key = tuple[float, float, str, str]

CLIPS = {
    "ten": ([1, 2, 4, 7, 8, 9, 12, 13, 20, 31], [9]),
    "six": ([1, 5, 5.02, 7, 8, 40], [5]),
    "two": ([1, 30], [1]),
    "ten again": ([1, 3, 5, 7, 9, 11, 13, 15, 17, 19], [9]),
    "no closing key": ([1, 2, 3, 4], []),
    "two between": ([1, 2, 3, 4, 5], [1, 2, 4]),
    "one": ([1], [0]),
    "one of its own": ([6], []),
    "twelve": (list(range(1, 13)), [11]),
    "far away": ([100000, 100001, 100002], [2]),
}
"""Frames of the keys, and which of them are generated."""


def values_of(name: str, rows: int, count: int) -> Any:
    return np.random.default_rng(len(name)).normal(size=(rows, count)).astype(np.float32)


@pytest.fixture
def written(part: Part) -> dict[str, bpy.types.Action]:
    """All clips in turn by one writer: a turn, steps, and a single key that puts a channel at rest."""
    curves, curve_writer = part("core.motion.curves"), part("io.blender.motion.curve_writer")
    writer = curve_writer.Writer(bpy.data.objects.new("owner", bpy.data.armatures.new("owner")))
    rest = curves.Block([curves.Channel("bone", "location", 1)], np.ones(1, np.float32), np.zeros((1, 1), np.float32), np.ones(1, bool))
    actions = {}
    for name, (frames, generated) in CLIPS.items():
        marked = np.isin(np.arange(len(frames)), generated)
        rotation = [curves.Channel("bone", "rotation_euler", index) for index in range(3)]
        step = [curves.Channel("bone", '["type"]', 0)]
        at, values = np.array(frames, np.float32), values_of(name, 4, len(frames))
        blocks = [curves.Block(rotation, at, values[:3], marked), rest, curves.Block(step, at, values[3:], marked, stepped=True)]
        actions[name] = writer.write(blocks)
        actions[name].name = name
    return actions


def test_curves_of_several_bones_keep_their_own_keys(part: Part) -> None:
    """Blender 4.2 puts the curves of a bone side by side, in whatever order they are made."""
    curves, curve_writer = part("core.motion.curves"), part("io.blender.motion.curve_writer")
    writer = curve_writer.Writer(bpy.data.objects.new("owner", bpy.data.armatures.new("owner")))
    for count in (4, 4, 3):
        at, marked = np.arange(1, count + 1, dtype=np.float32), np.zeros(count, bool)
        kinds = [(bone, kind) for kind in ("location", "scale") for bone in ("one", "two")]
        channels = [[curves.Channel(bone, kind, index) for index in range(3)] for bone, kind in kinds]
        values = np.arange(len(kinds) * 3 * count, dtype=np.float32).reshape(len(kinds), 3, count)
        blocks = [curves.Block(row, at, rows, marked) for row, rows in zip(channels, values, strict=True)]
        action = writer.write(blocks)
        by_path = {(curve.data_path, curve.array_index): curve for curve in part("io.blender.compat").curves(action)}
        for (bone, kind), rows in zip(kinds, values, strict=True):
            for index in range(3):
                curve = by_path[f'pose.bones["{bone}"].{kind}', index]
                assert [key.co[1] for key in curve.keyframe_points] == rows[index].tolist()


def test_only_what_differs_is_written_over_a_copy_and_all_of_it(part: Part) -> None:
    """Few and many keys, steps and lines, at the same frames and at others; also a 0 that is another 0, and a block of many channels."""
    curves, curve_writer = part("core.motion.curves"), part("io.blender.motion.curve_writer")
    data_path = part("io.blender.paths").data_path
    writer = curve_writer.Writer(bpy.data.objects.new("owner", bpy.data.armatures.new("owner")))
    bones, random = [f"bone {number}" for number in range(7)], np.random.default_rng(3)
    before: dict[str, Any] = {}
    for clip in range(6):
        blocks = []
        for number, bone in enumerate(bones):
            count = 400 if number == 1 else 5 - (clip == 4 and number > 3)
            at = np.arange(count, dtype=np.float32) + (1 + clip if number == 2 else 1)
            names = [f'["{letter}"]' for letter in "abcdefgh"] if number > 4 else ["location"]
            channels = [curves.Channel(bone, name, axis) for name in names for axis in range(1 if number > 4 else 3)]
            values = random.normal(size=(len(channels), count)).astype(np.float32)
            kept = before.get(bone)
            if clip in (1, 2) and kept is not None and kept.shape == values.shape and number != 3:
                values = kept.copy()
                values[-1, 2] = -0.0 if clip == 2 else 0.0
            before[bone] = values
            blocks.append(curves.Block(channels, at, values, np.zeros(count, bool), stepped=number == 6))
        action = writer.write(blocks)
        shown = {(curve.data_path, curve.array_index): curve for curve in part("io.blender.compat").every_curve(action)}
        for block in blocks:
            for channel, row in zip(block.channels, block.values, strict=True):
                keys = np.empty(2 * len(row), np.float32)
                curve = shown[data_path(channel.bone, channel.property), channel.component]
                curve.keyframe_points.foreach_get("co", keys)
                assert keys[1::2].tobytes() == row.tobytes() and keys[::2].tobytes() == block.frames.tobytes(), (clip, channel)


def test_clips_none_of_which_has_most_keys_in_all_its_curves(part: Part) -> None:
    """They are written together; each has its own keys and types, and nothing else is left."""
    curves, curve_writer, compat = part("core.motion.curves"), part("io.blender.motion.curve_writer"), part("io.blender.compat")
    bones, counts = ("one", "two", "three"), [(9, 3, 1), (3, 8, 5), (6, 6, 6), (7, 2, 9), (1, 1, 1), (60, 2, 2), (4, 4, 8)]
    clips = []
    for number, lengths in enumerate(counts):
        clip = []
        for bone, count in zip(bones, lengths, strict=True):
            channels = [curves.Channel(bone, "location", index) for index in range(3)]
            marked = np.arange(count) % (number + 2) == 1
            clip.append(curves.Block(channels, np.cumsum(np.arange(1, count + 1, dtype=np.float32)), values_of(bone, 3, count), marked))
        clips.append(clip)
    before = set(bpy.data.actions)
    actions = curve_writer.Writer(bpy.data.objects.new("owner", bpy.data.armatures.new("owner"))).write_all(clips)
    assert set(bpy.data.actions) - before == set(actions) and len(set(actions)) == len(counts)
    for action, clip in zip(actions, clips, strict=True):
        by_path = {(curve.data_path, curve.array_index): curve for curve in compat.curves(action)}
        assert len(by_path) == 9
        for bone, block in zip(bones, clip, strict=True):
            types = [compat.GENERATED_KEY if one else "KEYFRAME" for one in block.generated]
            for index, row in enumerate(block.values.tolist()):
                expected = list(zip(block.frames.tolist(), row, ["LINEAR"] * len(row), types, strict=True))
                assert keys_of(by_path[f'pose.bones["{bone}"].location', index]) == expected


def test_a_long_time_line_has_its_own_keys_in_its_own_channels(part: Part) -> None:
    """More keys than are laid out at once, in curves that are copies of one another, of any component, and lie in the usual order."""
    curves, curve_writer = part("core.motion.curves"), part("io.blender.motion.curve_writer")
    at = np.arange(30_000, dtype=np.float32)
    channels = [curves.Channel(bone, "rotation_quaternion", index) for bone in ("one", "two") for index in range(4)]
    values = values_of("long", len(channels), len(at))
    action = curve_writer.Writer(bpy.data.objects.new("owner", bpy.data.armatures.new("owner"))).write(
        [curves.Block(channels, at, values, np.zeros(len(at), bool))]
    )
    written = list(part("io.blender.compat").curves(action))
    paths = [(f'pose.bones["{bone}"].rotation_quaternion', index) for bone, _, index in channels]
    assert [(curve.data_path, curve.array_index) for curve in written] == paths
    for curve, row in zip(written, values, strict=True):
        keys = np.empty(2 * len(at), np.float32)
        curve.keyframe_points.foreach_get("co", keys)
        assert curve.group.name in curve.data_path
        assert (keys[::2] == at).all() and (keys[1::2] == row).all()
        assert {curve.keyframe_points[index].interpolation for index in (0, 1, -1)} == {"LINEAR"}


def keys_of(curve: Any) -> list[Key]:
    return [(key.co[0], key.co[1], key.interpolation, key.type) for key in curve.keyframe_points]


@pytest.mark.parametrize("name", CLIPS)
def test_each_action_has_its_own_keys(name: str, written: dict[str, bpy.types.Action], part: Part) -> None:
    frames, generated = CLIPS[name]
    closing = part("io.blender.compat").GENERATED_KEY
    types = [closing if index in generated else "KEYFRAME" for index in range(len(frames))]
    values = values_of(name, 4, len(frames))
    curves = {(curve.data_path, curve.array_index): curve for curve in part("io.blender.compat").curves(written[name])}
    assert written[name].name == name and len(curves) == 5
    at = np.array(frames, np.float32).tolist()
    for index in range(3):
        row = values[index].tolist()
        assert keys_of(curves['pose.bones["bone"].rotation_euler', index]) == list(zip(at, row, ["LINEAR"] * len(at), types, strict=True))
    assert keys_of(curves['pose.bones["bone"].location', 1]) == [(1.0, 0.0, "LINEAR", closing)]
    stepped = list(zip(at, values[3].tolist(), ["CONSTANT"] * len(at), types, strict=True))
    assert keys_of(curves['pose.bones["bone"]["type"]', 0]) == stepped


def test_the_bone_has_its_group(written: dict[str, bpy.types.Action], part: Part) -> None:
    for action in written.values():
        assert {curve.group.name for curve in part("io.blender.compat").curves(action)} == {"bone"}


def test_keys_have_handles(written: dict[str, bpy.types.Action], part: Part) -> None:
    """Beside their keys, also where keys were taken away: whoever makes a curve smooth needs them."""
    for action in written.values():
        for curve in part("io.blender.compat").curves(action):
            handles = [(key.handle_left[0], key.co[0], key.handle_right[0]) for key in curve.keyframe_points]
            assert all(left <= at <= right for left, at, right in handles), (action.name, handles)
            if len(handles) > 1:
                assert all(left < right for left, _, right in handles), (action.name, handles)


def test_a_copy_of_another_characters_action_has_nothing_of_that_one_but_its_curves(part: Part) -> None:
    curves, curve_writer, making = (
        part(f"{name}") for name in ("core.motion.curves", "io.blender.motion.curve_writer", "io.blender.new_objects")
    )
    channels = [curves.Channel("bone", "location", index) for index in range(3)]
    at, marked = np.arange(1, 5, dtype=np.float32), np.zeros(4, bool)
    created: list[Any] = []
    with making.making():
        for name in ("first", "second"):
            owner = bpy.data.objects.new(name, bpy.data.armatures.new(name))
            created.append(curve_writer.Writer(owner).write([curves.Block(list(channels), at, values_of(name, 3, 4), marked)]))
            if name == "first":
                created[0]["events"] = "of the first alone"
                created[0].pose_markers.new("loop").frame = 3
    second = created[1]
    assert (list(second.keys()), list(second.pose_markers)) == ([], [])
    if bpy.app.version >= (4, 4, 0):
        assert [slot.identifier for slot in second.slots] == ["OBsecond"]
    for curve, values in zip(part("io.blender.compat").curves(second), values_of("second", 3, 4), strict=True):
        assert [key.co[1] for key in curve.keyframe_points] == values.tolist()
    assert created[0]["events"] and len(created[0].pose_markers) == 1
