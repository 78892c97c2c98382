"""Curves with many keys are filled in another manner than short ones, and are the same: as if each key had been given by itself."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from numpy.typing import NDArray

Part = Callable[[str], ModuleType]

COUNT = 150

TIMES: dict[str, Any] = {
    "whole frames": np.arange(COUNT) + 1.0,
    "before zero": np.arange(COUNT) * 3 - 170.0,
    "between frames": np.concatenate([[4], 4 + np.cumsum(np.linspace(0.1, 1.7, COUNT - 1))]),
    "from between frames on": np.arange(COUNT) * 0.8 + 0.5,
    "far away": np.arange(COUNT) + 1000000.0,
    "to the end of the time line": 1048575.0 - COUNT + np.arange(COUNT),
    "from its end on": 1048574.0 + np.arange(COUNT),
    "from its beginning on": np.arange(COUNT) - 1048574.0,
    "beyond it": np.arange(COUNT) * 1000 + 2000000.0,
    "two that are too close": np.where(np.arange(COUNT) == 9, 8.005, np.arange(COUNT)),
}


def as_blender_has_it(curve: Any) -> dict[str, Any]:
    """Everything of a curve and of its keys, but what it is called."""
    own = {name.identifier: getattr(curve, name.identifier) for name in curve.bl_rna.properties if name.type in ("BOOLEAN", "ENUM", "INT")}
    for name in ("co", "handle_left", "handle_right", "interpolation", "type", "easing", "handle_left_type", "select_control_point"):
        pairs = name in ("co", "handle_left", "handle_right")
        values = np.empty(len(curve.keyframe_points) * (2 if pairs else 1), np.float32 if pairs else np.int32)
        curve.keyframe_points.foreach_get(name, values)
        own[name] = values.tobytes()
    return own


@pytest.mark.parametrize("stepped", (False, True))
@pytest.mark.parametrize("name", TIMES)
def test_they_are_as_if_each_key_had_been_given_by_itself(part: Part, name: str, stepped: bool) -> None:
    curves, curve_writer, compat = part("core.motion.curves"), part("io.blender.motion.curve_writer"), part("io.blender.compat")
    at, marked = TIMES[name].astype(np.float32), np.arange(COUNT) % 7 == 2
    values = np.random.default_rng(3).normal(size=COUNT).astype(np.float32)
    owner = bpy.data.objects.new("owner", bpy.data.armatures.new("owner"))
    block = curves.Block([curves.Channel("bone", "location", 1)], at, values[None], marked, stepped)
    (own,) = compat.curves(curve_writer.Writer(owner).write([block]))
    curve = compat.new_action("plain", owner)[1].new(own.data_path, 1, "bone")
    curve.keyframe_points.add(COUNT)
    for key, frame, value, generated in zip(curve.keyframe_points, at.tolist(), values.tolist(), marked.tolist(), strict=True):
        key.co = frame, value
        key.interpolation = "CONSTANT" if stepped else "LINEAR"
        key.type = compat.GENERATED_KEY if generated else "KEYFRAME"
    curve.update()
    assert len(own.keyframe_points) == COUNT - (name == "two that are too close")
    assert as_blender_has_it(own) == as_blender_has_it(curve)


@pytest.mark.parametrize("count", (10, COUNT))
def test_keys_that_blender_merges_in_one_curve_are_in_all_others(part: Part, count: int) -> None:
    """Curves and actions are made as copies of others with as many keys: not of those that have lost some."""
    curves, curve_writer, compat = part("core.motion.curves"), part("io.blender.motion.curve_writer"), part("io.blender.compat")
    owner = bpy.data.objects.new("owner", bpy.data.armatures.new("owner"))
    even, values = 1000000 + np.arange(count, dtype=np.float32), np.random.default_rng(4).normal(size=(3, count)).astype(np.float32)
    merged = np.where(np.arange(count) == 3, even[2], even)
    pairs = (("first", merged), ("second", even)), (("first", even), ("second", merged))

    def block(bone: str, frames: NDArray[np.float32]) -> Any:
        return curves.Block([curves.Channel(bone, "location", axis) for axis in range(3)], frames, values, np.zeros(count, bool))

    clips = [[block(bone, frames) for bone, frames in pair] for pair in pairs]
    written = curve_writer.Writer(owner).write_all(clips)
    lengths = [[len(curve.keyframe_points) for curve in compat.curves(action, owner)] for action in written]
    assert lengths == [[count - 1] * 3 + [count] * 3, [count] * 3 + [count - 1] * 3]


def test_curves_of_several_lengths_are_alone_in_their_action(part: Part) -> None:
    """Long curves may be made from a model, of which nothing is left; the order is that in which they were given."""
    curves, curve_writer, compat = part("core.motion.curves"), part("io.blender.motion.curve_writer"), part("io.blender.compat")
    owner, random = bpy.data.objects.new("owner", bpy.data.armatures.new("owner")), np.random.default_rng(5)
    counts = {"first": COUNT, "second": COUNT - 40, "third": COUNT, "fourth": 5}
    values = {bone: random.normal(size=(3, count)).astype(np.float32) for bone, count in counts.items()}
    blocks = [
        curves.Block(
            [curves.Channel(bone, "location", axis) for axis in range(3)], at + np.float32(7), values[bone], np.zeros(len(at), bool)
        )
        for bone, at in ((bone, np.arange(count, dtype=np.float32)) for bone, count in counts.items())
    ]
    action = curve_writer.Writer(owner).write(blocks)
    written = compat.curves(action, owner)
    assert [(curve.data_path, curve.array_index) for curve in written] == [
        (f'pose.bones["{bone}"].location', axis) for bone in counts for axis in range(3)
    ]
    assert all(not len(curve.sampled_points) for curve in written)
    for curve, (bone, axis) in zip(written, ((bone, axis) for bone in counts for axis in range(3)), strict=True):
        keys = np.empty(2 * counts[bone], np.float32)
        curve.keyframe_points.foreach_get("co", keys)
        assert (keys[::2] == np.arange(counts[bone]) + 7).all()
        assert (keys[1::2] == values[bone][axis]).all()
