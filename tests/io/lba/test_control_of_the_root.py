"""A root that more moves than its own curves, as it looks: a control that somebody put above it, or a constraint.

The walk goes 240 units with each of its keyframes 1 to 4, straight on; in Blender that is -Y."""

from __future__ import annotations

import math
from typing import Any

import bpy
import pytest
from support.lba.lba_edits import Part, Walk, warnings

LAST = 37
"""The frame of the last keyframe."""


def put_above(walk: Walk) -> Any:
    """A control at the armature's origin, along Y, that the whole skeleton hangs on."""
    bpy.context.view_layer.objects.active = walk.obj
    bpy.ops.object.mode_set(mode="EDIT")
    bones = walk.obj.data.edit_bones
    control = bones.new("Master")
    control.head, control.tail = (0, 0, 0), (0, 0.3, 0)
    bones[walk.name(0)].parent = control
    bpy.ops.object.mode_set(mode="OBJECT")
    control = walk.obj.pose.bones["Master"]
    control.rotation_mode = "XYZ"
    return control


def key(compat: Any, owner: Any, channel: str, axis: int, end: float) -> None:
    """A channel evenly from 0 at the first keyframe to a value at the last."""
    for frame, value in ((1, 0.0), (LAST, end)):
        getattr(owner, channel)[axis] = value
        assert owner.keyframe_insert(channel, index=axis, frame=frame)
    for curve in compat.curves(owner.id_data.animation_data.action):
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"


def test_a_control_above_the_root_moves_the_character(walk: Walk, part: Part) -> None:
    """0.4 m more on the way, a tenth of a metre for each keyframe; a control is no root of its own, so nothing is left to say."""
    key(part("io.blender.compat"), put_above(walk), "location", 1, -0.4)
    lba = part("io.lba")
    exported = lba.export_lba(bpy.context, lba.ExportOptions(str(walk.out), sampling="VISUAL"))
    now = part("core.lba.files.anm").Anm.parse(walk.out.read_bytes())
    assert now.steps[1:, 2].tolist() == [240 + 100] * 4
    assert not now.steps[1:, :2].any()
    assert not [line for line in exported.warnings if "group 00" in line]


def test_a_control_rotates_the_character(walk: Walk, part: Part) -> None:
    """A quarter of a circle to its left, while the object goes straight on: as far as before, by steps in the character's own axes."""
    key(part("io.blender.compat"), put_above(walk), "rotation_euler", 2, math.pi / 2)
    now = walk.packed(sampling="VISUAL")
    heading, where = 0.0, [0.0, 0.0]
    for frame in now.frames[1:]:
        heading += frame["bones"]["value"][0][1] * math.tau / 1024
        x, z = float(frame["step"][0]), float(frame["step"][2])
        where[0] += x * math.cos(heading) + z * math.sin(heading)
        where[1] += z * math.cos(heading) - x * math.sin(heading)
    assert abs(heading) == pytest.approx(math.pi / 2, abs=0.01)
    assert where == pytest.approx([0.0, 960.0], abs=3)


def test_a_constraint_moves_the_character(walk: Walk, part: Part) -> None:
    empty = bpy.data.objects.new("guide", None)
    bpy.context.scene.collection.objects.link(empty)
    key(part("io.blender.compat"), empty, "location", 1, -0.4)
    constraint = walk.obj.pose.bones[walk.name(0)].constraints.new("COPY_LOCATION")
    constraint.target, constraint.use_offset = empty, True
    assert walk.packed(sampling="VISUAL").steps[1:, 2].tolist() == [340] * 4


def test_a_root_of_its_own_keys_stays_as_it_was(walk: Walk, part: Part) -> None:
    """Neither a control at rest nor As It Looks itself changes anything."""
    put_above(walk)
    now, said = warnings(part, lambda: walk.packed(sampling="VISUAL"))
    assert now.pack() == walk.before.pack()
    assert said == []
