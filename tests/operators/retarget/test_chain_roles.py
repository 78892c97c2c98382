"""Limbs whose lines are joined to a chain in the window, split again, or made one by their ends: what their bones are stays the same, so
that they move as pairs do."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support import blender_rigs as rigs

OPS: Any = bpy.ops
Part = Callable[[str], ModuleType]
ARM = {"upperarm_l": "leftUpperArm", "lowerarm_l": "leftLowerArm", "hand_l": "leftHand"}


@pytest.fixture(autouse=True)
def kept_maps(part: Part, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(part("operators.retarget.mapping.bone_map"), "folder", lambda: tmp_path)


@pytest.fixture
def target(part: Part) -> Any:
    """Of longer arms than the source, so that a hand goes elsewhere for its goal."""
    source = rigs.build("hero", names=rigs.MIXAMO)
    sizes = {"leftLowerArm": 1.4, "leftUpperLeg": 1.5}
    target = rigs.build("mannequin", names=rigs.UNREAL, pose=rigs.a_pose(), rotation=rigs.rolled(1), root="root", sizes=sizes)
    rigs.dance(part, source, "clip", seed=3)
    settings().source, settings().target = source, target
    OPS.retro_anim.retarget_map(anew=True)
    return target


def settings() -> Any:
    return bpy.context.scene.retro_anim_retarget


def choose(bone: str) -> Any:
    """The line that begins with a bone of the target."""
    firsts = [json.loads(line.target)[0] if line.is_chain else line.target for line in settings().pairs]
    settings().index = firsts.index(bone)
    return settings().pairs[settings().index]


def join(first: str, times: int = 1) -> Any:
    choose(first)
    for _ in range(times):
        OPS.retro_anim.retarget_chain_join()
    return choose(first)


def roles(part: Part) -> dict[str, str]:
    """By bone of the target, of the map that a run takes."""
    bone_map = part("operators.retarget.mapping.map_table").read(settings())
    chained = {bone: role for chain in bone_map.chains for bone, role in chain.roles.items()}
    return chained | {pair.target: pair.role for pair in bone_map.pairs if pair.role}


def poses(target: Any) -> Any:
    """(frames, bones, 4, 4) of what a run gives, as Blender shows it."""
    assert OPS.retro_anim.retarget(actions_from="ACTIVE") == {"FINISHED"}
    low, high = map(int, target.animation_data.action.frame_range)
    result: list[Any] = []
    for frame in range(low, high + 1, 5):
        bpy.context.scene.frame_set(frame)
        shown: Any = target.evaluated_get(bpy.context.evaluated_depsgraph_get())
        result.append([np.array(bone.matrix) for bone in shown.pose.bones])
    return np.array(result)


@pytest.mark.parametrize(("first", "times"), [("upperarm_l", 2), ("clavicle_l", 3), ("thigh_l", 2), ("thigh_l", 3), ("spine_01", 2)])
def test_a_limb_that_is_one_chain_moves_as_its_bones_did(part: Part, target: Any, first: str, times: int) -> None:
    settings().limb_leftHand.reach = settings().limb_leftFoot.reach = "LIMB"
    before, known = poses(target), roles(part)
    join(first, times)
    assert roles(part) == known
    assert np.abs(poses(target) - before).max() < 1e-4


@pytest.fixture
def divided(target: Any) -> Any:
    """The target with two more bones in its left upper arm, in line with it."""
    bpy.context.view_layer.objects.active = target
    OPS.object.mode_set(mode="EDIT")
    bones = target.data.edit_bones
    upper, lower = bones["upperarm_l"], bones["lowerarm_l"]
    start, along = upper.head.copy(), lower.head - upper.head
    above = upper
    for number in (1, 2):
        bone = bones.new(f"helper_{number}")
        bone.head, bone.tail, bone.parent = start + along * number / 3, start + along * (number + 1) / 3, above
        above = bone
    lower.use_connect, lower.parent = False, above
    OPS.object.mode_set(mode="OBJECT")
    OPS.retro_anim.retarget_map(anew=True)
    return target


def drop(*bones: str) -> None:
    for bone in bones:
        choose(bone)
        OPS.retro_anim.retarget_map_remove()


def apart(one: Any, other: Any, target: Any, bones: tuple[str, ...]) -> tuple[float, float]:
    """The largest distance in metres and degrees of these bones."""
    rows = [target.pose.bones.find(bone) for bone in bones]
    traces = np.einsum("fbij,fbij->fb", one[:, rows, :3, :3], other[:, rows, :3, :3])
    angles = np.degrees(np.arccos(np.clip((traces - 1) / 2, -1, 1)))
    return float(np.abs(one[:, rows, :3, 3] - other[:, rows, :3, 3]).max()), float(angles.max())


@pytest.mark.parametrize("reach", ["NONE", "BODY"])
@pytest.mark.parametrize("ends", [("clavicle_l", "mixamorig:LeftArm", "hand_l"), ("upperarm_l", "mixamorig:LeftShoulder", "lowerarm_l")])
def test_ends_of_a_limb_that_one_side_alone_has_change_nothing(part: Part, target: Any, ends: tuple[str, str, str], reach: str) -> None:
    """An arm from the shoulder on, of a source from the upper arm on; and four bones that two follow."""
    first, source, last = ends
    settings().limb_leftHand.reach = reach
    drop("clavicle_l", *(("hand_l",) if last != "hand_l" else ()))
    before = poses(target)
    OPS.retro_anim.retarget_map(anew=True)
    settings().limb_leftHand.reach = reach
    line = join("clavicle_l", 3)
    line.source_start, line.target_start, line.target_end = source, first, last
    chosen = [len(json.loads(getattr(line, side))) for side in ("source", "target")]
    assert chosen == ([3, 4] if first == "clavicle_l" else [4, 2])
    far, angle = apart(poses(target), before, target, ("clavicle_l", *ARM))
    assert far < 1e-4 and angle < 0.05


def test_bones_in_an_upper_arm_leave_it_straight(part: Part, divided: Any) -> None:
    before = poses(divided)
    line = join("upperarm_l", 2)
    assert json.loads(line.target) == ["upperarm_l", "helper_1", "helper_2", "lowerarm_l", "hand_l"]
    far, angle = apart(poses(divided), before, divided, (*ARM, "helper_1", "helper_2"))
    assert far < 1e-4 and angle < 0.05


def test_a_chain_is_split_at_the_same_joint_of_both_sides(part: Part, target: Any) -> None:
    line = join("clavicle_l", 3)
    line.target_start = "upperarm_l"
    choose("upperarm_l")
    OPS.retro_anim.retarget_chain_split(at="lowerarm_l")
    assert json.loads(choose("lowerarm_l").source) == ["mixamorig:LeftForeArm", "mixamorig:LeftHand"]
    assert json.loads(choose("upperarm_l").source) == ["mixamorig:LeftShoulder", "mixamorig:LeftArm"]


def test_a_hand_in_a_chain_has_a_goal(part: Part, target: Any) -> None:
    hindered = part("operators.retarget.panels.limbs").hindered
    plain = poses(target)
    settings().limb_leftHand.reach = "BODY"
    join("upperarm_l", 2)
    assert hindered(settings(), "leftHand") == ""
    assert np.abs(poses(target) - plain).max() > 0.05
    OPS.retro_anim.retarget_map_remove()
    assert "the bone map has no left hand" in hindered(settings(), "leftHand")


def test_the_parts_of_a_split_chain_are_what_their_bones_are(part: Part, target: Any) -> None:
    known = roles(part)
    join("clavicle_l", 3)
    OPS.retro_anim.retarget_chain_split()
    assert [choose(bone).role for bone in ("clavicle_l", "lowerarm_l")] == ["leftShoulder", "leftLowerArm"]
    assert roles(part) == known
    choose("lowerarm_l")
    OPS.retro_anim.retarget_chain_split()
    assert roles(part) == known
    named = [line.role for line in settings().pairs if line.role]
    assert len(named) == len(set(named))


def test_a_chain_that_loses_bones_to_another_one_keeps_what_its_others_are(part: Part, target: Any) -> None:
    known = roles(part)
    join("upperarm_l", 2)
    for bone in target.pose.bones:
        flags = bone if "select" in bone.bl_rna.properties else bone.bone
        flags.select = bone.name in ("clavicle_l", "upperarm_l")
    target.select_set(True)
    bpy.context.view_layer.objects.active = target
    OPS.object.mode_set(mode="POSE")
    assert OPS.retro_anim.retarget_chain() == {"FINISHED"}
    assert [choose(bone).role for bone in ("clavicle_l", "lowerarm_l")] == ["leftShoulder", "leftLowerArm"]
    assert roles(part) == known


def test_bones_between_picked_ends_stay_what_they_were(part: Part, target: Any) -> None:
    line = join("upperarm_l")
    line.target_end, line.source_end = "hand_l", "mixamorig:LeftHand"
    settings().pairs.remove(next(row for row, each in enumerate(settings().pairs) if each.target == "hand_l"))
    assert {bone: role for bone, role in roles(part).items() if bone in ARM} == ARM
    line = choose("upperarm_l")
    line.target_end = "lowerarm_l"
    assert "hand_l" not in roles(part)
    line.target_end = "hand_l"
    assert roles(part)["hand_l"] == "leftHand"


def test_a_finger_of_another_number_of_bones_that_is_split_can_be_saved(part: Part, target: Any, tmp_path: Path) -> None:
    """Its chain has the name of all of its joints, which is no role of one of them."""
    bone_map = part("core.retarget.figures.maps.bone_map")
    chain = bone_map.Chain(("mixamorig:Spine", "mixamorig:Spine1", "mixamorig:Spine2"), ("spine_01", "spine_02"), "leftIndex")
    part("operators.retarget.mapping.map_table").fill(settings(), bone_map.BoneMap((), (chain,)))
    choose("spine_01")
    OPS.retro_anim.retarget_chain_split()
    assert roles(part) == {}
    assert OPS.retro_anim.retarget_map_save(filepath=str(tmp_path / "map.json")) == {"FINISHED"}
    assert OPS.retro_anim.retarget_map_load(filepath=str(tmp_path / "map.json")) == {"FINISHED"}


def test_what_spoils_the_roles_of_a_line_is_left_out(part: Part, target: Any) -> None:
    for text in ('{"hand_l": "thumb"}', "[", '["leftHand"]', '{"foot_l": "leftFoot"}'):
        line = join("upperarm_l", 2)
        line.target_roles = text
        assert not set(roles(part)) & set(ARM)
        OPS.retro_anim.retarget_map(anew=True)


def test_a_limb_whose_chain_does_not_say_what_its_bones_are_has_them_when_split(part: Part, target: Any) -> None:
    """As that of a file without roles, which are not needed there."""
    bone_map = part("core.retarget.figures.maps.bone_map")
    table = part("operators.retarget.mapping.map_table")
    known, whole = roles(part), table.read(settings())
    source = tuple(f"mixamorig:Left{bone}" for bone in ("Arm", "ForeArm", "Hand"))
    pairs = tuple(pair for pair in whole.pairs if pair.target not in ARM)
    table.fill(settings(), bone_map.BoneMap(pairs, (bone_map.Chain(source, tuple(ARM), "leftArm"),)))
    for _ in range(2):
        choose("upperarm_l")
        OPS.retro_anim.retarget_chain_split()
    lines = [choose(bone) for bone in ARM]
    assert [(line.source, line.role) for line in lines] == list(zip(source, ARM.values(), strict=True))
    assert roles(part) == known
    settings().limb_leftHand.reach = "BODY"
    assert part("operators.retarget.panels.limbs").hindered(settings(), "leftHand") == ""
