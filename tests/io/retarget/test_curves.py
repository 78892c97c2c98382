"""What retargeting reads of an action's curves, beside what Blender makes of them."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support import blender_rigs as rigs

Part = Callable[[str], ModuleType]


@pytest.mark.parametrize("moved", [0, 16])
def test_every_curve_with_keys_at_frames_of_its_own(part: Part, moved: int) -> None:
    """As jittered, or reduced, curves have them; of all kinds between the keys, and outside of them. moved: by how many places frames are
    off their order, by which those outside are neither the first nor the last."""
    compat, frames = part("io.blender.compat"), np.roll(np.arange(-3.0, 30.0, 1.5), moved)
    obj: Any = bpy.data.objects.new("many", None)
    action, curves = compat.new_action("many", obj)
    random = np.random.default_rng(5)
    for number in range(1300):
        curve = curves.new(f'pose.bones["bone {number // 3}"].location', number % 3, "many")
        curve.keyframe_points.add(3)
        at = np.array([0.0, 9.0, 20.0]) + number * 1e-2
        curve.keyframe_points.foreach_set("co", np.stack([at, random.normal(size=3)], axis=1).astype(np.float32).ravel())
        kind = ("LINEAR", "CONSTANT", "BEZIER")[number % 3]
        for point in curve.keyframe_points:
            point.interpolation = kind
        curve.extrapolation = ("CONSTANT", "LINEAR")[number % 2]
        curve.update()
    values = part("io.retarget.reading.keys").channels_at(action, obj, frames)
    assert len(values) == 1300
    channel_of = part("io.blender.motion.fcurves").channel_of
    for curve in compat.quick_curves(action, obj)[::7]:
        assert np.allclose(values[channel_of(curve)], [curve.evaluate(frame) for frame in frames], atol=1e-5)


def test_custom_properties_move_nothing(part: Part) -> None:
    keys, frames, source = part("io.retarget.reading.keys"), np.arange(1.0, 30.0), rigs.build("one")
    action = rigs.dance(part, source)
    before = keys.channels_at(action, source, frames)
    for path in ('pose.bones["Hips"]["speed"]', '["mood"]'):
        part("io.blender.compat").new_curve(action, path, 0, "more").keyframe_points.insert(5.0, 2.0)
    assert before.keys() == keys.channels_at(action, source, frames).keys()


def test_a_muted_group_is_read_as_blender_plays_it(part: Part) -> None:
    """Before actions had slots it silenced its curves; since then it does nothing."""
    read, source = part("io.retarget.reading.read"), rigs.build("one")
    action = rigs.dance(part, source)
    for group in {curve.group for curve in part("io.blender.compat").curves(action, source)}:
        group.mute = "Arm" in group.name
    for bone in source.pose.bones:  # what is muted stays as it is posed
        bone.matrix_basis.identity()
    action.update_tag()
    frames = np.arange(1.0, 30.0, 4.0)
    figure = read.figure_of(source)
    keyed, shown = read.keyed(source, action, figure, frames), read.shown(bpy.context, source, figure, frames)
    assert np.abs(keyed.positions - shown.positions).max() < 1e-5


def test_what_was_written_goes_between_its_keys_as_the_curves_do(part: Part) -> None:
    """Lines, steps and single keys, at frames of their own; of custom properties nothing."""
    compat, curves, random = part("io.blender.compat"), part("core.motion.curves"), np.random.default_rng(7)
    frames = np.arange(-2.0, 14.0, 0.75)
    paths = [("hips", "location"), ("knee", "location"), ("heel", "rotation_euler"), ("toe", "location"), ("knee", '["bent"]')]
    every = [(0, 1.5, 9), (0, 1.5, 9), (0.25, 4, 7), (3,), (0, 1.5, 9)]
    blocks = [
        curves.Block(
            [curves.Channel(bone, name, index) for index in range(3)],
            np.array(at, np.float32),
            random.normal(size=(3, len(at))).astype(np.float32),
            np.zeros(len(at), bool),
            stepped=bone == "heel",
        )
        for (bone, name), at in zip(paths, every, strict=True)
    ]
    obj = bpy.data.objects.new("walker", None)
    action = part("io.blender.motion.curve_writer").Writer(obj).write(blocks)
    values = part("io.retarget.reading.keys").of_blocks(blocks, frames)
    assert len(values) == 12
    channel_of = part("io.blender.motion.fcurves").channel_of
    shown = {channel_of(curve): [curve.evaluate(frame) for frame in frames] for curve in compat.quick_curves(action, obj)}
    assert all(np.allclose(own, shown[channel], atol=1e-5) for channel, own in values.items())
