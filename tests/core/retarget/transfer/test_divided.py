"""Limbs whose long bones are divided by bones of one name, as mGear's, each bent a little at rest: their joints are known from the names
that they were built with."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.motion.rotations import rotation_matrix
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.mapping.mapping import labels_of

from ..mapping.test_ankles import MGEAR
from ..mapping.zoo import Built, build

JOINTS = {"arm": ("UpperArm", "LowerArm", "Hand"), "leg": ("UpperLeg", "LowerLeg", "Foot")}


def names(limb: str, upper: int, lower: int) -> list[str]:
    """Of the bones down to the end, `+` before those that divide others."""
    helpers = ["", *["+"] * upper, "", *["+"] * lower]
    return [*(f"{mark}{limb}_*0_{number}_jnt" for number, mark in enumerate(helpers)), f"{limb}_*0_end_jnt"]


def divided(upper: int, lower: int) -> Built:
    """Upper and lower long bones of arms and legs in so many and one more even parts."""
    arm = ["shoulder_*0_shoulder_jnt", *names("arm", upper, lower)]
    built = build(replace(MGEAR, arm=", ".join(arm), leg=", ".join([*names("leg", upper, lower), "foot_*0_0_jnt"])))
    rest, index = np.array(built.figure.rest), built.figure.index
    for limb, parts in JOINTS.items():
        for side, letter in (("left", "L"), ("right", "R")):
            ends = [rest[index[built.truth[side + part][0]], :3, 3].copy() for part in parts]
            spans = [np.linspace(ends[0], ends[1], upper + 2)[:-1], np.linspace(ends[1], ends[2], lower + 2)[:-1]]
            for number, head in enumerate(np.concatenate(spans)):
                rest[index[f"{limb}_{letter}0_{number}_jnt"], :3, 3] = head
    return Built(replace(built.figure, rest=rest), built.truth)


def bent(figure: Figure, seed: int) -> Figure:
    """Each bone of arms and legs turned against its parent by up to 25 degrees, alike on both sides."""
    random = np.random.default_rng(seed)
    angles: dict[str, float] = {}
    rest, whole = np.array(figure.rest), np.tile(np.eye(3), (len(figure), 1, 1))
    for bone, (name, parent) in enumerate(zip(figure.names, figure.parents.tolist(), strict=True)):
        above = whole[parent] if parent >= 0 else np.eye(3)
        angle = 0.0
        if name.startswith(("arm", "leg")):
            angle = angles.setdefault(name.replace("_R", "_L"), random.uniform(-0.44, 0.44))
        axis, sign = (0, 1) if name.startswith("leg") else (2, -1 if "_R" in name else 1)
        whole[bone] = above @ rotation_matrix.about(axis, np.array(sign * angle))
        rest[bone, :3, :3] = whole[bone] @ figure.rest[bone, :3, :3]
        if parent >= 0:
            rest[bone, :3, 3] = rest[parent, :3, 3] + above @ (figure.rest[bone, :3, 3] - figure.rest[parent, :3, 3])
    return replace(figure, rest=rest)


@pytest.mark.parametrize(("upper", "lower"), [(2, 2), (1, 1), (2, 3)])
def test_joints_of_divided_limbs(upper: int, lower: int) -> None:
    built = divided(upper, lower)
    for seed in range(6):
        figure = bent(built.figure, seed)
        labels = labels_of(figure)
        for side in ("left", "right"):
            for part in (part for parts in JOINTS.values() for part in parts):
                assert figure.names[labels.roles[side + part]] == built.truth[side + part][0]


def test_an_uneven_division_is_doubtful_where_the_limb_would_begin_below_its_first_bone() -> None:
    """Bones of any length: the first arm's bone may be a collar bone, too."""
    built = divided(2, 2)
    figure = built.figure
    rest = np.array(figure.rest)
    for letter in "LR":
        first, last = (figure.index[f"arm_{letter}0_{number}_jnt"] for number in (0, 3))
        for number, share in ((1, 0.1), (2, 0.45)):
            rest[figure.index[f"arm_{letter}0_{number}_jnt"], :3, 3] = (1 - share) * rest[first, :3, 3] + share * rest[last, :3, 3]
    labels = labels_of(replace(figure, rest=rest))
    for side in ("left", "right"):
        right = figure.names[labels.roles[f"{side}UpperArm"]] == built.truth[f"{side}UpperArm"][0]
        assert right or "bones divide this limb" in labels.notes[f"{side}UpperArm"]
