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
    rest, known = part("io.retarget.rest_keys"), part("io.retarget.target_cache")
    target = rigs.build("rig", root=name)
    bent = {("head", "rotation_quaternion"): np.array([[0.9, 0.9], [0.4, 0.1], [0, 0], [0, 0]])}
    still = rigs.keyed(part, target, "still", bent)
    compat = part("io.blender.compat")
    compat.assign(target, still)
    wanted = limbs(target)
    moving = rigs.keyed(part, target, "moving", bent | {(name, "location"): np.full((3, 2), 0.7)})
    rest.settle(target, [still, moving], [], [name, "hips"], known.Known(target))
    compat.assign(target, moving)
    assert np.abs(limbs(target) - wanted).max() > 0.5
    compat.assign(target, still)
    np.testing.assert_allclose(limbs(target), wanted, atol=1e-6)
    assert still.frame_range[0] == 1  # and nothing where there are no keys


def test_an_earlier_clip_learns_what_a_later_run_moves(part: Part) -> None:
    """The first run is without the arms. What the user has on the rig himself stays as it was."""
    module, core, log = part("io.retarget.retarget"), part("core.retarget.options"), part("core.reporting.log")
    compat = part("io.blender.compat")
    source, target = rigs.build("one"), rigs.build("two", root="root")
    own = rigs.keyed(part, target, "own", {("head", "rotation_quaternion"): np.array([[1.0, 1.0], [0, 0.1], [0, 0], [0, 0]])})
    rigs.dance(part, source, "calm", seed=1)
    rigs.dance(part, source, "wild", seed=2)
    target.animation_data.action = None

    def run(name: str, *left_out: str) -> Any:
        options = module.RetargetOptions(core=core.Options(feet=False), actions=(name,))
        roles = {role: bone for role, bone in rigs.PLAIN.items() if not role.endswith(left_out)}
        with log.collect() as lines:
            (action,) = module.retarget_actions(bpy.context, source, target, rigs.pairs(part, roles, rigs.PLAIN), options).actions
        return action, "\n".join(lines.digest("INFO"))

    calm, said = run("calm", "Arm", "Hand")
    assert "at rest was added" not in said
    wanted, curves = limbs(target), len(compat.every_curve(own))
    wild, said = run("wild")
    assert "leftLowerArm" in said
    assert "calm on two" in said
    compat.assign(target, wild)
    assert np.abs(limbs(target) - wanted).max() > 0.1
    compat.assign(target, calm)
    np.testing.assert_allclose(limbs(target), wanted, atol=1e-6)
    assert len(compat.every_curve(own)) == curves
    run("wild")  # and once more: there is nothing to add


def test_a_clip_of_a_run_learns_what_its_other_clips_move(part: Part) -> None:
    """Only one of them makes the head larger."""
    module, kinds = part("io.retarget.retarget"), part("core.retarget.figures.maps.bone_map")
    source, target = rigs.build("one"), rigs.build("two", rigs.UNREAL)
    rigs.keyed(part, source, "large", {("head", "scale"): np.full((3, 2), 1.5), ("hips", "location"): np.zeros((3, 2))})
    rigs.dance(part, source, "plain", seed=1)
    source.pose.bones["head"].scale = 1, 1, 1
    bone_map = kinds.BoneMap(
        tuple(kinds.Pair(role, rigs.UNREAL[role], role=role, options=kinds.PairOptions(scale=role == "head")) for role in rigs.JOINTS)
    )
    plain, large = module.retarget_actions(
        bpy.context, source, target, bone_map, module.RetargetOptions(actions=("plain", "large"))
    ).actions
    compat = part("io.blender.compat")
    compat.assign(target, large)
    bpy.context.scene.frame_set(2)
    assert target.pose.bones["head"].scale[0] == pytest.approx(1.5)
    compat.assign(target, plain)
    bpy.context.scene.frame_set(3)
    assert tuple(target.pose.bones["head"].scale) == (1.0, 1.0, 1.0)


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


def test_further_slots_are_clips_by_their_names(part: Part) -> None:
    """Beside the one that the source uses; not those that move another figure, or nothing of it. Afterwards there are no more actions."""
    compat, chosen = part("io.blender.compat"), part("io.retarget.reading.source_actions")
    if not compat.SLOTTED:
        pytest.skip("this Blender's actions have no slots")
    module, core = part("io.retarget.retarget"), part("core.retarget.options")
    source, target, other = rigs.build("one"), rigs.build("two", rigs.UNREAL), rigs.build("other")
    nod = rigs.dance(part, source, "nod", seed=2)
    wanted: Any = rigs.dance(part, source, "dance", seed=1)
    expected = {"dance": limbs(source)}
    compat.assign(source, nod)
    bag = wanted.layers[0].strips[0].channelbag
    for name in ("second", "others", "camera"):
        slot = wanted.slots.new("OBJECT", name)
        curves = bag(slot, ensure=True).fcurves
        for curve in compat.curves(nod, source) if name != "camera" else ():
            _copied(curve, curves)
        if name == "camera":
            curves.new("location", index=0).keyframe_points.insert(1, 0.1)
    expected["dance second"] = limbs(source)
    compat.assign(source, wanted)
    source.animation_data.action_slot = wanted.slots[0]
    compat.assign(other, wanted)
    other.animation_data.action_slot = wanted.slots[2]
    assert chosen.clip_names(source) == ["dance", "dance second", "nod"]
    before = {action.name for action in bpy.data.actions}
    options = module.RetargetOptions(core=core.Options(feet=False), actions=("dance second", "dance"))
    bone_map = rigs.pairs(part, rigs.PLAIN, rigs.UNREAL)
    result = module.retarget_actions(bpy.context, source, target, bone_map, options)
    names = [action.name for action in result.actions]
    assert names == ["dance second on two", "dance on two"]
    assert {action.name for action in bpy.data.actions} - before == set(names)
    for action, name in zip(result.actions, ("dance second", "dance"), strict=True):
        compat.assign(target, action)
        np.testing.assert_allclose(rigs.joints(target, [rigs.UNREAL[role] for role in rigs.JOINTS], FRAMES), expected[name], atol=2e-5)


def test_a_further_slot_whose_name_an_action_has_is_a_clip_all_the_same(part: Part) -> None:
    compat, chosen = part("io.blender.compat"), part("io.retarget.reading.source_actions")
    if not compat.SLOTTED:
        pytest.skip("this Blender's actions have no slots")
    module, core = part("io.retarget.retarget"), part("core.retarget.options")
    source, target = rigs.build("one"), rigs.build("two", rigs.UNREAL)
    nod = rigs.dance(part, source, "dance second", seed=2)
    expected = limbs(source)
    wanted: Any = rigs.dance(part, source, "dance", seed=1)
    curves = wanted.layers[0].strips[0].channelbag(wanted.slots.new("OBJECT", "second"), ensure=True).fcurves
    for curve in compat.curves(nod, source):
        _copied(curve, curves)
    source.animation_data.action_slot = wanted.slots[0]
    other = rigs.dance(part, rigs.build("nobody"), "other", seed=7)
    compat.assign(source, other)
    compat.assign(source, wanted)
    name = "dance second (2)"
    assert name in chosen.clip_names(source)
    options = module.RetargetOptions(core=core.Options(feet=False), actions=(name,))
    (action,) = module.retarget_actions(bpy.context, source, target, rigs.pairs(part, rigs.PLAIN, rigs.UNREAL), options).actions
    assert action.name == f"{name} on two" and name not in bpy.data.actions
    compat.assign(target, action)
    np.testing.assert_allclose(rigs.joints(target, [rigs.UNREAL[role] for role in rigs.JOINTS], FRAMES), expected, atol=2e-5)


def _copied(curve: Any, curves: Any) -> None:
    copy = curves.new(curve.data_path, index=curve.array_index)
    for key in curve.keyframe_points:
        copy.keyframe_points.insert(*key.co).interpolation = "LINEAR"


def test_hips_that_are_connected_are_said_with_what_helps(part: Part) -> None:
    """Blender's importer of FBX connects hips that begin where the bone above them ends."""
    module, log = part("io.retarget.retarget"), part("core.reporting.log")
    source, target = rigs.build("one", root="root"), rigs.build("two")
    action = rigs.dance(part, source, "dance")
    ends = {(bone, "location"): np.linspace(0, end, 30) * np.ones((3, 1)) for bone, end in (("hips", 0.7), ("leftHand", 0.001))}
    more = rigs.keyed(part, source, "goes", ends)

    def said(*names: str) -> str:
        with log.collect() as lines:
            options = module.RetargetOptions(actions=names)
            module.retarget_actions(bpy.context, source, target, rigs.pairs(part, rigs.PLAIN, rigs.PLAIN), options)
        return "\n".join(lines.digest("WARNING"))

    assert "connected" not in said(action.name, more.name)
    bpy.context.view_layer.objects.active = source
    bpy.ops.object.mode_set(mode="EDIT")
    bones = source.data.edit_bones
    bones["root"].tail = bones["hips"].head
    for name in ("hips", "leftHand"):
        bones[name].use_connect = True
    bpy.ops.object.mode_set(mode="OBJECT")
    assert "connected" not in said(action.name)
    warning = said(more.name)
    assert "hips of one is connected to root" in warning
    assert "Connected" in warning
    assert "leftHand" not in warning
