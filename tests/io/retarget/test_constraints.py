"""Rigs whose constraints take bones elsewhere than their own channels say: the new action switches these off, and Blender shows the
source's limbs. The truth is measured here on evaluated poses."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support import blender_rigs as rigs

Part = Callable[[str], ModuleType]
FRAMES = range(1, 31)
LIMBS = {"Arm": ("UpperArm", "LowerArm", "Hand"), "Leg": ("UpperLeg", "LowerLeg", "Foot")}
SIDES = ("left", "right")


def bones(target: Any, created: dict[str, str], suffix: str, parent: str | None = None) -> None:
    """Further bones where others are, that do not move the skin: role -> name."""
    bpy.context.view_layer.objects.active = target
    bpy.ops.object.mode_set(mode="EDIT")
    edited = target.data.edit_bones
    for role, name in created.items():
        like, bone = edited[role], edited.new(name + suffix)
        bone.head, bone.tail, bone.roll, bone.use_deform = like.head, like.tail, like.roll, False
        above = like.parent.name if like.parent and like.parent.name in created else ""
        bone.parent = edited[created[above] + suffix] if above else edited[parent] if parent else None
    bpy.ops.object.mode_set(mode="OBJECT")


def constrained(target: Any, bone: str, kind: str, follows: str) -> Any:
    constraint = target.pose.bones[bone].constraints.new(kind)
    constraint.target, constraint.subtarget = target, follows
    return constraint


def by_ik(part: Part, angle: float | None = 0.0) -> Any:
    """Arms and legs of IK, whose ends copy the rotation of the IK's controls. angle: of the poles; None: without poles."""
    target = rigs.build("ik", rotation=rigs.rolled(2))
    ends = {side + limb[2]: f"{side}{limb[2]} control" for side in SIDES for limb in LIMBS.values()}
    bones(target, ends, "")
    bones(target, {side + limb[1]: f"{side}{limb[1]} pole" for side in SIDES for limb in LIMBS.values()}, "")
    for side in SIDES:
        for _, middle, end in LIMBS.values():
            solver = constrained(target, side + middle, "IK", ends[side + end])
            solver.chain_count = 2
            if angle is not None:
                solver.pole_target, solver.pole_subtarget, solver.pole_angle = target, f"{side}{middle} pole", angle
            constrained(target, side + end, "COPY_ROTATION", ends[side + end])
    return target


def driven_by(target: Any, constraint: Any, expression: str, name: str = "by FK") -> None:
    driver = constraint.driver_add("influence").driver
    variable = driver.variables.new()
    variable.name = "value"
    variable.targets[0].id, variable.targets[0].data_path = target, f'pose.bones["hips"]["{name}"]'
    driver.type, driver.expression = "SCRIPTED", expression


def by_switch(part: Part) -> Any:
    """The skin follows controls of FK where a property is 1, others where it is 0, as it is."""
    target = rigs.build("switched", rotation=rigs.rolled(2))
    controls = {role: f"{role} FK" for role in rigs.PLAIN}
    bones(target, controls, "")
    bones(target, dict.fromkeys(("leftLowerArm",), "elsewhere"), "")
    target.pose.bones["hips"]["by FK"] = 0.0
    for role, name in controls.items():
        driven_by(target, constrained(target, role, "COPY_TRANSFORMS", "elsewhere"), "1 - value" if "Lower" in role else "0")
        driven_by(target, constrained(target, role, "COPY_TRANSFORMS", name), "value" if "Lower" in role else "1")
    return target


@pytest.fixture
def go(part: Part) -> Callable[..., Any]:
    def retargeted(target: Any, names: dict[str, str]) -> Any:
        source = rigs.build("one")
        rigs.dance(part, source)
        module, core = part("io.retarget.retarget"), part("core.retarget.options")
        options = module.RetargetOptions(core=core.Options(feet=False))
        (report,) = module.retarget_actions(bpy.context, source, target, rigs.pairs(part, rigs.PLAIN, names), options).reports
        return report, apart(source, target)

    return retargeted


def apart(source: Any, target: Any) -> float:
    """Degrees between the limbs of the source and those that the target shows, at most."""
    most = 0.0
    for side in SIDES:
        for limb in LIMBS.values():
            roles = [side + part for part in limb]
            lines = [np.diff(rigs.joints(obj, roles, FRAMES), axis=1) for obj in (source, target)]
            first, second = (line / np.linalg.norm(line, axis=2, keepdims=True) for line in lines)
            most = max(most, float(np.degrees(2 * np.arcsin(np.linalg.norm(first - second, axis=2) / 2)).max()))
    return most


@pytest.mark.parametrize("angle", [None, 0.0, 1.1])
def test_limbs_of_ik_follow_by_their_own_bones(part: Part, go: Callable[..., Any], angle: float | None) -> None:
    target = by_ik(part, angle)
    report, truth = go(target, rigs.PLAIN)
    assert truth < 1e-2
    assert report.limb_max < 1e-2
    assert report.is_good
    keyed = {curve.data_path for curve in part("io.blender.compat").curves(target.animation_data.action, target)}
    assert sum(path.endswith(".influence") for path in keyed) == 8


def test_influences_are_as_they_were_once_it_was_tried(part: Part) -> None:
    target = by_ik(part)
    solver = target.pose.bones["leftLowerArm"].constraints[0]
    solver.influence = 0.75
    core, controls = part("core.retarget.figures.maps.bone_map"), part("io.retarget.control_rigs.controls")
    bone_map = core.BoneMap(tuple(core.Pair(role, role, role) for role in rigs.PLAIN))
    rig = controls.Controls.of(bpy.context, target, bone_map, False, part("io.retarget.target_cache").Known(target))
    assert {switch.value for switch in rig.switches} == {0.0}
    assert solver.influence == 0.75


def test_a_switch_of_the_rig_that_drives_influences_is_keyed(part: Part, go: Callable[..., Any]) -> None:
    """The influences themselves are driven, so that keys of them would do nothing."""
    target = by_switch(part)
    report, truth = go(target, {role: f"{role} FK" for role in rigs.PLAIN})
    assert truth < 1e-2
    assert report.is_good
    paths = {curve.data_path for curve in part("io.blender.compat").curves(target.animation_data.action, target)}
    assert 'pose.bones["hips"]["by FK"]' in paths
    assert not any(path.endswith(".influence") for path in paths)


def test_the_report_is_about_the_bones_that_move_the_skin(part: Part, go: Callable[..., Any]) -> None:
    """They follow the controls, but for a hand that is held elsewhere, for good."""
    target = rigs.build("skin", rotation=rigs.rolled(2))
    controls = {role: f"{role} control" for role in rigs.PLAIN}
    bones(target, controls, "")
    for role, name in controls.items():
        constrained(target, role, "COPY_TRANSFORMS", name)
    constrained(target, "leftHand", "COPY_LOCATION", "hips")
    report, truth = go(target, controls)
    assert truth > 5
    assert not report.is_good
    assert report.limb_max == pytest.approx(truth, abs=1e-2)
    assert report.limb_worst == "leftLowerArm control"


def test_the_skin_of_what_is_no_human_is_compared_with_its_controls(part: Part) -> None:
    """Bones without roles, one of which rotates the skin otherwise than its control, for good. A mirrored end, as games' skeletons have
    them, shows no rotation."""
    source, target = rigs.build("one"), rigs.build("skin", rotation=rigs.rolled(2))
    rigs.dance(part, source)
    controls = {role: f"{role} control" for role in rigs.PLAIN}
    bones(target, controls, "")
    for role, name in controls.items():
        constrained(target, role, "COPY_TRANSFORMS", name)
    constrained(target, "leftToes", "COPY_ROTATION", "hips")
    target.pose.bones["head"].constraints.remove(target.pose.bones["head"].constraints[0])
    target.pose.bones["head"].scale, controls["head"] = (1.0, 1.0, -1.0), "head"
    module, core, maps = (
        part(f"{name}") for name in ("io.retarget.retarget", "core.retarget.options", "core.retarget.figures.maps.bone_map")
    )
    bone_map = maps.BoneMap(tuple(maps.Pair(role, name) for role, name in controls.items()))
    options = module.RetargetOptions(core=core.Options(feet=False))
    (report,) = module.retarget_actions(bpy.context, source, target, bone_map, options).reports
    assert not report.is_good
    (line,) = [line for line in report.reasons() if "bone map" in line]
    assert line.startswith("leftToes of the skin")


def test_a_switch_that_is_known_and_was_tried_out_has_one_key(part: Part, go: Callable[..., Any]) -> None:
    """Called as Rigify's, but the other way round: what was tried out counts."""
    target = rigs.build("two", rotation=rigs.rolled(2))
    target.pose.bones["hips"]["IK_FK"] = 0.5
    driven_by(target, constrained(target, "leftLowerArm", "COPY_ROTATION", "hips"), "value", "IK_FK")
    report, truth = go(target, rigs.PLAIN)
    assert truth < 1e-2
    assert report.is_good
    curves = part("io.blender.compat").curves(target.animation_data.action, target)
    assert [curve.evaluate(1) for curve in curves if "IK_FK" in curve.data_path] == [0.0]


def test_a_preview_switches_too_and_gives_back(part: Part) -> None:
    target, source = by_ik(part), rigs.build("one")
    rigs.dance(part, source)
    preview, staged = part("io.retarget.in_view.preview"), part("io.blender.temporary_state")
    module, core = part("io.retarget.retarget"), part("core.retarget.options")
    options = module.RetargetOptions(core=core.Options(feet=False))
    shown = preview.Preview(bpy.context, source, target)
    shown.change(bpy.context, rigs.pairs(part, rigs.PLAIN, rigs.PLAIN), options)
    assert target.pose.bones["leftLowerArm"].constraints[0].influence == 0.0
    shown.stop()
    staged.give_back(target)
    assert target.pose.bones["leftLowerArm"].constraints[0].influence == 1.0


def test_a_source_is_what_moves_its_skin_not_a_control_that_it_does_not_follow(part: Part) -> None:
    """The map names the controls of FK; the arm moves by another one, and nothing asks for a look."""
    source, target = rigs.build("controlled"), rigs.build("plain", rotation=rigs.rolled(2))
    controls = {role: f"{role} FK" for role in rigs.PLAIN}
    bones(source, controls, "")
    others = {role: role for role in ("leftLowerArm", "leftHand")}
    bones(source, others, " other", "leftUpperArm")
    for role, name in controls.items():
        constrained(source, role, "COPY_TRANSFORMS", f"{role} other" if role in others else name)
    rigs.dance(part, source)
    module, core = part("io.retarget.retarget"), part("core.retarget.options")
    options = module.RetargetOptions(core=core.Options(feet=False))
    bone_map = rigs.pairs(part, controls, rigs.PLAIN)
    (report,) = module.retarget_actions(bpy.context, source, target, bone_map, options).reports
    rotated = [axes(obj, "leftLowerArm") for obj in (source, target)]
    assert np.abs(rotated[0] - rotated[1]).max() < 1e-3
    assert not any(item.visible for item in report.unmapped)


def axes(obj: Any, name: str) -> Any:
    """(F, 3, 3) a bone's rotation away from rest, as Blender shows it."""
    result = []
    for frame in FRAMES:
        bpy.context.scene.frame_set(frame)
        shown = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones[name].matrix.to_quaternion()
        result.append((shown @ obj.data.bones[name].matrix_local.to_quaternion().inverted()).to_matrix())
    return np.array(result)


def played_before(part: Part, target: Any, bone: str, path: str, value: float) -> Any:
    """An action of the target's own that has nothing but a key of one property."""
    action = bpy.data.actions.new("before")
    part("io.blender.compat").assign(target, action)
    now = target.pose.bones[bone].path_resolve(path)
    part("io.blender.paths").set_at(target, bone, path, value)
    target.keyframe_insert(f'pose.bones["{bone}"]{"" if path.startswith("[") else "."}{path}', frame=1)
    part("io.blender.paths").set_at(target, bone, path, now)
    target.animation_data.action = None
    return action


@pytest.mark.parametrize("driven", [False, True])
def test_what_another_action_switches_on_is_off_in_the_new_one(part: Part, go: Callable[..., Any], driven: bool) -> None:
    target = rigs.build("two", rotation=rigs.rolled(2))
    constraint = constrained(target, "leftLowerArm", "COPY_ROTATION", "hips")
    constraint.influence = 0.0
    if driven:
        target.pose.bones["hips"]["by FK"] = 1.0
        driven_by(target, constraint, "1 - value")
    bone, path, value = ("hips", '["by FK"]', 0.0) if driven else ("leftLowerArm", f'constraints["{constraint.name}"].influence', 1.0)
    before = played_before(part, target, bone, path, value)
    report, truth = go(target, rigs.PLAIN)
    assert truth < 1e-2
    assert report.is_good
    source, created = bpy.data.objects["one"], target.animation_data.action
    for action in (before, created):
        part("io.blender.compat").assign(target, action)
        bpy.context.scene.frame_set(3)
    assert apart(source, target) < 1e-2


def test_own_actions_that_look_otherwise_behind_a_new_one_are_told(part: Part, go: Callable[..., Any]) -> None:
    """One that keys the influences itself is not."""
    target = by_ik(part)
    for name in ("with", "without"):
        rigs.dance(part, target, name)
        for bone in target.pose.bones if name == "with" else ():
            for constraint in bone.constraints:
                constraint.keyframe_insert("influence", frame=1)
    target.animation_data.action = None
    with part("core.reporting.log").collect() as said:
        go(target, rigs.PLAIN)
    (line,) = [line for line in said.digest("WARNING") if "key it there" in line]
    assert line.startswith("without:")


@pytest.mark.parametrize("hinged", [("rightHand",), ("rightShoulder", "rightHand"), ("leftLowerLeg",), ("hips",)])
def test_bones_that_take_over_no_rotation_are_carried_all_the_same(part: Part, go: Callable[..., Any], hinged: tuple[str, ...]) -> None:
    """Their heads go along with the bone above. A constraint of another bone, which limits nothing here, has what carries what tried."""
    target = rigs.build("hinged", rotation=rigs.rolled(3), root="ground")
    for name in hinged:
        target.data.bones[name].use_inherit_rotation = False
    target.pose.bones["hips"].constraints.new("LIMIT_SCALE")
    report, truth = go(target, rigs.PLAIN)
    assert truth < 0.01 and report.limb_max < 0.01
    assert report.is_good
