"""The names of the parts of a body: sides, and what follows from them."""

from __future__ import annotations

import pytest
from retro_anim.core.retarget.figures.roles import BODY, FEET, LIMB_JOINTS, ROLES, end_bone, on_both_sides, other_side, role_label, sided


@pytest.mark.parametrize("role", ROLES)
def test_sides(role: str) -> None:
    side, part = sided(role)
    assert side + part == role and other_side(other_side(role)) == role
    assert (role in on_both_sides(part)) == (other_side(role) != role) == (side != "")


def test_end_bones() -> None:
    assert [end_bone(limb) for limb in ("leftHand", "rightHand", "leftFoot", "rightFoot")] == ["hand.L", "hand.R", "foot.L", "foot.R"]
    assert end_bone("hips") == "hips.R"


def test_feet_are_roles() -> None:
    assert set(FEET) == {*on_both_sides("Foot"), *on_both_sides("Toes")} and set(FEET) < set(ROLES)


_FINGERS = ["ThumbMetacarpal", "ThumbProximal", "ThumbDistal"] + [
    finger + joint for finger in ("Index", "Middle", "Ring", "Little") for joint in ("Proximal", "Intermediate", "Distal")
]
_LIMBS = ["UpperLeg", "LowerLeg", "Foot", "Toes", "Shoulder", "UpperArm", "LowerArm", "Hand"]
_TRUNK = ["hips", "spine", "chest", "upperChest", "neck", "head"]
VRM = [*_TRUNK, "leftEye", "rightEye", "jaw", *(side + part for side in ("left", "right") for part in _LIMBS + _FINGERS)]
"""The bones of a humanoid in VRM 1.0."""


def test_roles_are_those_of_vrm_and_the_root() -> None:
    assert sorted(ROLES) == sorted([*VRM, "root"])
    assert len(set(ROLES)) == len(ROLES) == 56
    assert {side + part for side in ("left", "right") for part in _LIMBS} == LIMB_JOINTS
    assert {*_TRUNK, *LIMB_JOINTS} == BODY


def test_the_other_side() -> None:
    assert [other_side(role) for role in ("leftHand", "rightToes", "hips", "root")] == ["rightHand", "leftToes", "hips", "root"]
    assert [sided(role) for role in ("rightUpperArm", "upperChest")] == [("right", "UpperArm"), ("", "upperChest")]
    assert [role_label(role) for role in ("rightThumbDistal", "upperChest")] == ["right thumb distal", "upper chest"]
