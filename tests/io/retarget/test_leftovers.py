"""A new action looks the same whatever was shown before it: what it does not move, and others do, is at rest."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support import blender_rigs as rigs

Part = Callable[[str], ModuleType]
FRAMES = range(1, 31, 4)


def carried_by_a_constraint() -> Any:
    """A rig whose hips hang from "master" by an Armature constraint alone, as controls of rigs do."""
    target = rigs.build("controls", root="mechanism")
    bpy.context.view_layer.objects.active = target
    bpy.ops.object.mode_set(mode="EDIT")
    master = target.data.edit_bones.new("master")
    master.head, master.tail = (0, 0, 0), (0, 0.4, 0)
    bpy.ops.object.mode_set(mode="OBJECT")
    tied = target.pose.bones["mechanism"].constraints.new("ARMATURE").targets.new()
    tied.target, tied.subtarget = target, "master"
    return target


def limbs(obj: Any, frames: range = FRAMES) -> Any:
    return rigs.joints(obj, rigs.JOINTS, frames)


def test_a_control_that_carries_mapped_ones_by_a_constraint(part: Part) -> None:
    """As the root of a rig made by Rigify: another clip has moved it."""
    module, core = part("io.retarget.retarget"), part("core.retarget.options")
    source, target = rigs.build("one"), carried_by_a_constraint()
    action = rigs.dance(part, source, "dance")
    target.pose.bones["master"].rotation_mode = "QUATERNION"
    before = rigs.keyed(
        part, target, "before", {("master", "location"): np.ones((3, 2)), ("master", "rotation_quaternion"): np.full((4, 2), 0.5)}
    )
    part("io.blender.compat").assign(target, before)
    bpy.context.scene.frame_set(2)
    assert tuple(target.pose.bones["master"].location) == (1.0, 1.0, 1.0)
    options = module.RetargetOptions(core=core.Options(feet=False), actions=(action.name,))
    (report,) = module.retarget_actions(bpy.context, source, target, rigs.pairs(part, rigs.PLAIN, rigs.PLAIN), options).reports
    assert report.limb_shown < 1e-3
    bpy.context.scene.frame_set(1)
    assert np.abs(limbs(target) - limbs(source)).max() < 1e-4


@pytest.mark.parametrize("name", ["root", 'a "root"'])
def test_clips_of_one_run_do_not_leave_anything_to_each_other(part: Part, name: str) -> None:
    rest, known = part("io.retarget.rest"), part("io.retarget.known")
    target = rigs.build("rig", root=name)
    bent = {("head", "rotation_quaternion"): np.array([[0.9, 0.9], [0.4, 0.1], [0, 0], [0, 0]])}
    still = rigs.keyed(part, target, "still", bent)
    compat = part("io.blender.compat")
    compat.assign(target, still)
    wanted = limbs(target)
    moving = rigs.keyed(part, target, "moving", bent | {(name, "location"): np.full((3, 2), 0.7)})
    rest.settle(target, [(still, [name, "hips"]), (moving, [name, "hips"])], known.Known(target))
    compat.assign(target, moving)
    assert np.abs(limbs(target) - wanted).max() > 0.5
    compat.assign(target, still)
    np.testing.assert_allclose(limbs(target), wanted, atol=1e-6)
    assert still.frame_range[0] == 1  # and nothing where there are no keys


def test_a_slot_that_nobody_chose_is_said(part: Part) -> None:
    if not part("io.blender.compat").SLOTTED:
        pytest.skip("this Blender's actions have no slots")
    module, log = part("io.retarget.retarget"), part("core.reporting.log")
    source, target = rigs.build("one"), rigs.build("two")
    action: Any = rigs.dance(part, source, "dance")

    def said() -> str:
        with log.collect() as lines:
            options = module.RetargetOptions(actions=(action.name,))
            module.retarget_actions(bpy.context, source, target, rigs.pairs(part, rigs.PLAIN, rigs.PLAIN), options)
        return "\n".join(lines.digest("WARNING"))

    assert "slot" not in said()
    source.animation_data.action_slot = None
    assert "no slot of it is chosen for one" in said()
    source.animation_data.action = None
    assert "slot" not in said()  # there is but one
    bag = action.layers[0].strips[0].channelbag(action.slots.new("OBJECT", "another"), ensure=True)
    bag.fcurves.new('pose.bones["head"].location', index=0).keyframe_points.insert(1, 0.1)
    assert action.slots[0].name_display == "one" and "slot" not in said()  # one action for two characters: each has its own by its name
    action.slots[0].name_display = "somebody"
    assert "no slot of it is chosen for one: somebody was taken" in said()
