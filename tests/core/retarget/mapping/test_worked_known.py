"""Rigs that are known by heart, and the names that people know for the bones of games."""

from __future__ import annotations

import re

import pytest
from retro_anim.core.retarget.mapping.known_names import known_names, mirroring
from retro_anim.core.retarget.mapping.naming.names import read_names
from retro_anim.core.retarget.mapping.naming.profiles import PROFILES, profile_of

from .. import rigs
from .test_worked_roles import body

LBA, ONI, RIGIFY = PROFILES
GROUPS = [f"group {number:02d}" for number in range(15)]
PARENTS = [-1, 0, 1, 2, 3, 4, 3, 6, 2, 8, 9, 2, 11, 12, 3]


def known(names: list[str], parents: list[int], controls: bool = False) -> tuple[str, dict[str, str]] | None:
    """The name of the profile, and the names of bones by role."""
    result = profile_of(read_names(names), parents, controls=controls)
    return None if result is None else (result[0].name, {role: names[bone] for role, bone in result[1].items()})


def test_a_body_of_little_big_adventure_is_known_by_how_its_numbers_hang_together() -> None:
    assert known(GROUPS, PARENTS) == (LBA.name, LBA.roles)
    assert known(GROUPS, [-1, 0, 1, 2, 3, 4, 3, 6, 2, 8, 9, 2, 11, 12, 2]) is None, "its head hangs elsewhere"
    assert known(GROUPS, [14, *PARENTS[1:]]) is None, "its first bone hangs on another"
    assert known(GROUPS[:14], PARENTS[:14]) is None, "a bone is missing"
    assert known([*GROUPS, "sword"], [*PARENTS, 5]) == (LBA.name, LBA.roles), "more bones are no matter"


@pytest.mark.parametrize(("missing", "is_known"), [(0, True), (1, True), (2, False)])
def test_a_rig_is_known_that_has_nine_tenths_of_its_bones(missing: int, is_known: bool) -> None:
    """Of the 19 of Oni 18; whatever stands before their names."""
    assert len(ONI.roles) == 19
    bones = list(ONI.roles.values())[missing:]
    roles = dict(list(ONI.roles.items())[missing:])
    for names in (bones, [f"konoko:{name}" for name in bones]):
        shown = known(names, [-1] * len(names))
        assert (shown is not None) == is_known
        assert shown is None or shown == (ONI.name, dict(zip(roles, names, strict=True)))


def test_a_rig_of_controls_is_known_where_controls_are_looked_for() -> None:
    names = list(RIGIFY.roles.values())
    assert known(names, [-1] * len(names), controls=True) == (RIGIFY.name, RIGIFY.roles)
    assert known(names, [-1] * len(names)) is None


def test_of_bones_of_one_name_the_first_is_it() -> None:
    names = [*ONI.roles.values(), "Pelvis"]
    shown = known(names, [-1] * len(names))
    assert shown is not None and shown[1]["hips"] == "pelvis"


def test_bones_of_games_are_called_as_those_of_blender_s_own_rigs() -> None:
    called = {"UpperArm": "upper_arm", "LowerArm": "forearm", "UpperLeg": "thigh", "LowerLeg": "shin", "Toes": "toe"}

    def name(role: str) -> str:
        """Words apart, the side behind them."""
        side = ".L" if role.startswith("left") else ".R" if role.startswith("right") else ""
        part = re.sub("^(left|right)", "", role)
        return called.get(part, re.sub("(?<!^)([A-Z])", r"_\1", part).lower()) + side

    figure = rigs.humanoid()
    shown = known_names(figure)
    assert {figure.names[bone]: text for bone, text in shown.items()} == {role: name(role) for role in rigs.NAMES}
    assert (shown[figure.index["leftIndexProximal"]], shown[figure.index["upperChest"]]) == ("index_proximal.L", "upper_chest")


@pytest.mark.parametrize("arm", [("leftUpperArm", "leftLowerArm", "leftHand", "leftIndexProximal", "leftLittleProximal"), ()])
def test_what_has_not_the_limbs_of_a_human_has_no_known_names(arm: tuple[str, ...]) -> None:
    assert bool(known_names(body(*arm))) == (not arm)


@pytest.mark.parametrize(
    ("names", "mirroring_names"),
    [
        (["Bip01 L Foot", "Bip01 R Foot", "Bip01 Head"], ["Bip01 Foot.L", "Bip01 Foot.R", "Bip01 Head"]),
        (["a_Left_b", "a_Right_b"], ["a_b.L", "a_b.R"]),
        (["a.L.b", "a.R.b", "a-L-b"], ["a.b.L", "a.b.R", "a-L-b"]),
        (["Bip01 L Foot", "Bip01 Head"], ["Bip01 L Foot", "Bip01 Head"]),  # alone it stays
        (["Bip01 L Foot", "Bip01 R Hand"], ["Bip01 L Foot", "Bip01 R Hand"]),
        (["L Foot", "R Foot"], ["L Foot", "R Foot"]),  # a side in front Blender knows
        (["Bip01 LFoot", "Bip01 RFoot"], ["Bip01 LFoot", "Bip01 RFoot"]),
        (["x L a L b", "x R a L b"], ["x a L b.L", "x a L b.R"]),
    ],
)
def test_sides_in_the_middle_of_names_go_to_their_ends(names: list[str], mirroring_names: list[str]) -> None:
    """Where both are there, so that Blender mirrors them."""
    assert mirroring(names) == mirroring_names
