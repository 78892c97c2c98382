"""Mapping of the given files: the games' skeletons, motion capture and CesiumMan, against what the bones really are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.roles import other_side
from retro_anim.core.retarget.mapping.mapping import labels_of, map_bones

from .given import bvh_figure, gltf_figure, lab_figure, lba_figure
from .zoo import build
from .zoo_rigs import COMMON

TWINSEN = {
    "hips": 2,
    "chest": 3,
    "head": 14,
    "leftUpperArm": 4,
    "leftLowerArm": 5,
    "rightUpperArm": 6,
    "rightLowerArm": 7,
    "leftUpperLeg": 8,
    "leftLowerLeg": 9,
    "leftFoot": 10,
    "rightUpperLeg": 11,
    "rightLowerLeg": 12,
    "rightFoot": 13,
}
"""The truth table of the human bodies of entity 0; body 6 rides on two groups more."""


def twinsen(body: int) -> dict[str, int]:
    return {role: group + (2 if body == 6 else 0) for role, group in TWINSEN.items()}


PEOPLE = ("0001", "0005", "0010", "0088", "0741")
BIPED = {
    "root": "",
    "hips": " Pelvis",
    "spine": " Spine",
    "neck": " Neck",
    "head": " Head",
    **{
        side + role: f" {letter} {name}"
        for side, letter in (("left", "L"), ("right", "R"))
        for role, name in {
            "Shoulder": "Clavicle",
            "UpperArm": "UpperArm",
            "LowerArm": "ForeArm",
            "Hand": "Hand",
            "UpperLeg": "Thigh",
            "LowerLeg": "Calf",
            "Foot": "Foot",
            "Toes": "Toe0",
        }.items()
    },
}

CESIUM = dict(
    hips=2,
    spine=11,
    chest=12,
    neck=19,
    head=20,
    **{f"left{role}": node for role, node in zip(("UpperArm", "LowerArm", "Hand"), (16, 17, 18), strict=True)},
    **{f"right{role}": node for role, node in zip(("UpperArm", "LowerArm", "Hand"), (13, 14, 15), strict=True)},
    **{f"left{role}": node for role, node in zip(("UpperLeg", "LowerLeg", "Foot", "Toes"), (7, 8, 9, 10), strict=True)},
    **{f"right{role}": node for role, node in zip(("UpperLeg", "LowerLeg", "Foot", "Toes"), (3, 4, 5, 6), strict=True)},
)
"""Nodes of the file; its original has them by these names, of which only some say what the joint is."""

CESIUM_NAMES = {
    2: "Skeleton_torso_joint_1",
    11: "Skeleton_torso_joint_2",
    12: "torso_joint_3",
    19: "Skeleton_neck_joint_1",
    20: "Skeleton_neck_joint_2",
    16: "Skeleton_arm_joint_L__4_",
    17: "Skeleton_arm_joint_L__3_",
    18: "Skeleton_arm_joint_L__2_",
    13: "Skeleton_arm_joint_R",
    14: "Skeleton_arm_joint_R__2_",
    15: "Skeleton_arm_joint_R__3_",
    7: "leg_joint_L_1",
    8: "leg_joint_L_2",
    9: "leg_joint_L_3",
    10: "leg_joint_L_5",
    3: "leg_joint_R_1",
    4: "leg_joint_R_2",
    5: "leg_joint_R_3",
    6: "leg_joint_R_5",
}


def wrong(figure: Figure, truth: dict[str, str], profiles: bool = True) -> dict[str, str]:
    """Roles that got another bone, or none."""
    result = labels_of(figure, profiles=profiles).roles
    got = {role: figure.names[result[role]] if role in result else "" for role in truth}
    return {role: name for role, name in got.items() if name != truth[role]}


@pytest.mark.parametrize("body", range(7))
@pytest.mark.parametrize("profiles", [True, False])
def test_lba_human_bodies(game_file: Callable[[str], Path], body: int, profiles: bool) -> None:
    figure = lba_figure(game_file("lba1/BODY.HQR"), body)
    assert not wrong(figure, {role: f"group {group:02d}" for role, group in twinsen(body).items()}, profiles)


def in_blender(figure: Figure) -> Figure:
    """As Blender lists the bones of an import: each followed by all below it, and every bone along Y, as the game's axes are."""
    order: list[int] = []
    waiting = [bone for bone in range(len(figure)) if figure.parents[bone] < 0]
    while waiting:
        bone = waiting.pop()
        order.append(bone)
        waiting += reversed(figure.children[bone])
    position = {bone: number for number, bone in enumerate(order)}
    parents = np.array([position.get(int(figure.parents[bone]), -1) for bone in order], np.int32)
    rest = np.tile(np.eye(4), (len(order), 1, 1))
    rest[:, :3, 3] = figure.rest[order, :3, 3]
    return Figure(tuple(figure.names[bone] for bone in order), parents, rest, figure.lengths[order])


@pytest.mark.parametrize("body", range(7))
@pytest.mark.parametrize("profiles", [True, False])
def test_lba_bodies_as_they_stand_in_blender(game_file: Callable[[str], Path], body: int, profiles: bool) -> None:
    figure = in_blender(lba_figure(game_file("lba1/BODY.HQR"), body))
    assert not wrong(figure, {role: f"group {group:02d}" for role, group in twinsen(body).items()}, profiles)
    if profiles and body != 6:
        assert labels_of(figure).confidence["leftFoot"] == 1


@pytest.mark.parametrize("body", range(7))
def test_lba_bodies_whose_groups_are_shuffled(game_file: Callable[[str], Path], body: int) -> None:
    """By structure alone: other numbers, the groups in another order."""
    figure = lba_figure(game_file("lba1/BODY.HQR"), body)
    order = [0]
    pick = np.random.default_rng(body)
    while len(order) < len(figure):
        order.append(int(pick.choice([bone for bone in range(len(figure)) if bone not in order and figure.parents[bone] in order])))
    position = {bone: number for number, bone in enumerate(order)}
    parents = np.array([position.get(int(figure.parents[bone]), -1) for bone in order], np.int32)
    names = tuple(f"bone_{number}" for number in pick.permutation(len(order)))
    shuffled = Figure(names, parents, figure.rest[order], figure.lengths[order])
    bad = wrong(shuffled, {role: names[position[group]] for role, group in twinsen(body).items()})
    assert len(bad) <= 0.15 * len(TWINSEN)
    assert not any(other_side(role) != role and name == names[position[twinsen(body)[other_side(role)]]] for role, name in bad.items())


@pytest.mark.parametrize(
    ("number", "prefix"), [("0001", "Bip01"), ("0005", "Bip02"), ("0010", "Bip01"), ("0088", "Bip01"), ("0741", "Bip01")]
)
def test_mindpower_people(game_file: Callable[[str], Path], number: str, prefix: str) -> None:
    figure = lab_figure(game_file(f"mindpower/animation/{number}.lab"))
    assert not wrong(figure, {role: prefix + name for role, name in BIPED.items()})


def test_a_name_against_its_place_is_told(game_file: Callable[[str], Path]) -> None:
    """This character's toes are as long as its feet, so the structure takes one for the other."""
    result = labels_of(lab_figure(game_file("mindpower/animation/0001.lab")))
    assert result.notes["leftFoot"] == "by its name; by its position it would be Bip01 L Toe0"
    assert result.confidence["leftFoot"] < result.confidence["leftUpperLeg"]


def test_mindpower_people_onto_a_mannequin(game_file: Callable[[str], Path]) -> None:
    source, target = lab_figure(game_file("mindpower/animation/0001.lab")), build(COMMON[1])
    result = {pair.role: (pair.source, pair.target) for pair in map_bones(source, target.figure)}
    for role, name in BIPED.items():
        if role in target.truth:
            assert result[role] == ("Bip01" + name, target.truth[role][0])
    assert "root" not in result, "Biped's root is in the pelvis, the mannequin's on the floor"


def test_cesium_man_without_names(game_file: Callable[[str], Path]) -> None:
    figure = gltf_figure(game_file("mocap/cesium_man.gltf"))
    assert not wrong(figure, {role: f"Node_{node}" for role, node in CESIUM.items()})


def test_cesium_man_by_its_own_names(game_file: Callable[[str], Path]) -> None:
    figure = gltf_figure(game_file("mocap/cesium_man.gltf"))
    named = replace(figure, names=tuple(CESIUM_NAMES[int(name[5:])] for name in figure.names))
    assert not wrong(named, {role: CESIUM_NAMES[node] for role, node in CESIUM.items()})


_MIXAMO_LIKE = {
    "hips": "Hips",
    "neck": "Neck",
    "head": "Head",
    **{
        side + role: side.title() + name
        for side in ("left", "right")
        for role, name in {
            "Shoulder": "Shoulder",
            "UpperArm": "Arm",
            "LowerArm": "ForeArm",
            "Hand": "Hand",
            "UpperLeg": "UpLeg",
            "LowerLeg": "Leg",
            "Foot": "Foot",
            "Toes": "ToeBase",
        }.items()
    },
}
_HIP_KNEE = {
    "hips": "Hips",
    "spine": "lowerback",
    "chest": "Chest",
    "upperChest": "Chest2",
    "neck": "lowerneck",
    "head": "Head",
    **{
        side + role: side.title() + name
        for side in ("left", "right")
        for role, name in {
            "Shoulder": "Collar",
            "UpperArm": "Shoulder",
            "LowerArm": "Elbow",
            "Hand": "Wrist",
            "UpperLeg": "Hip",
            "LowerLeg": "Knee",
            "Foot": "Ankle",
            "Toes": "Toe",
        }.items()
    },
}


@pytest.mark.parametrize(
    ("name", "truth"),
    [
        ("cmu_01_01_600", {**_MIXAMO_LIKE, "spine": "LowerBack", "chest": "Spine", "upperChest": "Spine1"}),
        ("ad_cmu1_jumping_jacks", _HIP_KNEE),
        ("ad_fair1_zombie", {**_MIXAMO_LIKE, "spine": "Spine", "upperChest": "Spine3"}),
        ("ad_rokoko_jesse_dance", {**_MIXAMO_LIKE, "spine": "Spine", "chest": "Spine1", "upperChest": "Spine2"}),
    ],
)
def test_motion_capture(game_file: Callable[[str], Path], name: str, truth: dict[str, str]) -> None:
    figure = bvh_figure(game_file(f"mocap/{name}.bvh"))
    assert not wrong(figure, truth)
    numbers = np.random.default_rng(1).permutation(len(figure))
    nameless = replace(figure, names=tuple(f"bone_{number}" for number in numbers))
    renamed = dict(zip(figure.names, nameless.names, strict=True))
    bad = wrong(nameless, {role: renamed[bone] for role, bone in truth.items()})
    assert len(bad) <= 0.2 * len(truth), "by structure alone, with bones of no length"
    assert not any(role[0] in "lr" and name == renamed[truth[other_side(role)]] for role, name in bad.items() if name)
