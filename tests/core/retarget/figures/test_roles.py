"""The names of the parts of a body: sides, and what follows from them."""

from __future__ import annotations

import pytest
from retro_anim.core.retarget.figures.roles import FEET, ROLES, end_bone, on_both_sides, other_side, sided


@pytest.mark.parametrize("role", ROLES)
def test_sides(role: str) -> None:
    side, part = sided(role)
    assert side + part == role and other_side(other_side(role)) == role
    assert (role in on_both_sides(part)) == (other_side(role) != role) == (side != "")


def test_end_bones() -> None:
    assert [end_bone(limb) for limb in ("leftHand", "rightHand", "leftFoot", "rightFoot")] == ["hand.L", "hand.R", "foot.L", "foot.R"]


def test_feet_are_roles() -> None:
    assert set(FEET) == {*on_both_sides("Foot"), *on_both_sides("Toes")} and set(FEET) < set(ROLES)
