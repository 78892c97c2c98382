"""How sure a role is by a name, by where the bone hangs in the structure, and by both; worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.retarget.anatomy.structure import analyse
from retro_anim.core.retarget.anatomy.tree import Tree
from retro_anim.core.retarget.mapping.humanoid.evidence import Evidence, Labels
from retro_anim.core.retarget.mapping.humanoid.labels import ARM, LEG, _scores, _swapped, _take_positions
from retro_anim.core.retarget.mapping.naming.names import read_names

from .. import rigs

BODY = rigs.humanoid()


def evidence(bones: tuple[int, ...] = tuple(range(len(rigs.NAMES)))) -> Evidence:
    """Of some bones of the made-up body, where all of the structure is sure."""
    parents = [bones.index(parent) if parent in bones else -1 for parent in BODY.parents[list(bones)].tolist()]
    tree = Tree(bones, tuple(parents), BODY.heads[list(bones)], BODY.tails[list(bones)])
    return Evidence(BODY, tree, read_names(rigs.NAMES))


HEAD, NECK = rigs.NAMES.index("head"), rigs.NAMES.index("neck")


@pytest.mark.parametrize(
    ("named", "placed", "between", "sure", "confidence", "note"),
    [
        (1.0, 0.0, 0.0, 1.0, 0.93, ""),
        (2.0, 0.0, 0.0, 1.0, 0.93, ""),
        (0.5, 0.0, 0.0, 1.0, 0.465, ""),
        (0.49, 0.0, 0.0, 1.0, 0.456, "the name only suggests it"),
        (0.49, 0.1, 0.0, 1.0, 1 - (1 - 0.4557) * 0.91, ""),
        (0.0, 0.8, 0.0, 1.0, 0.72, "not by its name; by its position in the skeleton"),
        (0.19, 0.8, 0.0, 1.0, 1 - (1 - 0.1767) * 0.28, "not by its name; by its position in the skeleton"),
        (0.2, 0.8, 0.0, 1.0, 1 - (1 - 0.186) * 0.28, ""),
        (1.0, 0.8, 0.0, 1.0, 1 - 0.07 * 0.28, ""),
        (1.0, 0.8, 0.0, 0.5, 1 - 0.07 * 0.64, ""),
        (1.0, 0.3, 0.5, 1.0, 1 - 0.07 * 0.55, ""),
        (1.0, 0.6, 0.5, 1.0, 1 - 0.07 * 0.46, ""),
        (0.0, 0.0, 0.0, 1.0, 0.05, "not by its name; by its position in the skeleton"),
    ],
)
def test_name_and_position_make_each_other_surer(
    named: float, placed: float, between: float, sure: float, confidence: float, note: str
) -> None:
    """A name alone by 0.93 of its score, a position alone by 0.9 of it; a position counts as much as the structure is sure."""
    known = evidence()
    assert known.structure is not None
    known.structure = replace(known.structure, legs_sure=sure, arms_sure=1.0, sides_sure=1.0)
    known.positions = {"head": (HEAD, placed)} if placed else {}
    known.give("head", HEAD, named, between)
    assert known.result.roles == {"head": HEAD}
    assert known.result.confidence["head"] == pytest.approx(round(confidence, 3), abs=1e-9)
    assert known.result.notes.get("head", "") == note


@pytest.mark.parametrize(
    ("named", "elsewhere", "confidence", "noted"), [(1.0, 0.6, 0.83, True), (0.5, 0.6, 0.315, True), (1.0, 0.5, 0.93, False)]
)
def test_a_name_against_the_structure_is_less_sure(named: float, elsewhere: float, confidence: float, noted: bool) -> None:
    """By 0.2, less by as much of the half of it as the name is sure; only where the structure is sure by more than a half."""
    known = evidence()
    known.positions = {"head": (NECK, elsewhere)}
    known.give("head", HEAD, named)
    assert known.result.confidence["head"] == pytest.approx(confidence, abs=6e-4)
    assert known.result.notes == ({"head": "by its name; by its position it would be neck"} if noted else {})


def test_without_a_structure_a_position_counts_in_full() -> None:
    """One between other roles, which nothing else says."""
    known = evidence()
    known.structure = None
    known.give("head", HEAD, 1.0, between=0.5)
    assert known.result.confidence["head"] == pytest.approx(round(1 - 0.07 * 0.55, 3))


def test_what_is_known_of_bones() -> None:
    bones = tuple(bone for bone, name in enumerate(rigs.NAMES) if name != "spine")
    known = evidence(bones)
    arm, hand = (bones.index(rigs.NAMES.index(name)) for name in ("leftUpperArm", "leftHand"))
    assert known.named(hand, "Hand") == 1 and known.named(hand, "Foot") == 0
    known.positions = {"leftHand": (hand, 0.7)}
    assert (known.placed("leftHand", hand), known.placed("leftHand", arm), known.placed("head", hand)) == (0.7, 0.0, 0.0)
    assert known.bone("leftHand") == -1
    known.give("leftHand", hand, 1.0)
    assert known.bone("leftHand") == hand and known.result.roles["leftHand"] == rigs.NAMES.index("leftHand")
    assert known.common("Hand") == -1, "of one side alone"
    known.give("rightUpperArm", bones.index(rigs.NAMES.index("rightUpperArm")), 1.0)
    assert bones[known.common("Shoulder", "Hand", "UpperArm")] == rigs.NAMES.index("upperChest")
    spine = bones.index(rigs.NAMES.index("chest"))
    known.give("leftToes", 0, 1.0)
    known.give("rightToes", spine, 1.0)
    assert known.common("Toes") == known.tree.common([0, spine]) == -1, "without the spine they hang together nowhere"
    known.give("rightToes", bones.index(rigs.NAMES.index("leftFoot")), 1.0)
    assert known.common("Toes") == 0, "the first bone of all"
    known.doubt("leftHand", 0.4, "why")
    assert (known.result.confidence["leftHand"], known.result.notes["leftHand"]) == (0.4, "why")
    known.doubt("leftHand", 0.6, "else")
    assert known.result.confidence["leftHand"] == 0.4


def test_the_structure_is_that_of_the_declared_side() -> None:
    tree = evidence().tree
    assert evidence().structure is not None and analyse(tree) is not None
    mirrored = replace(BODY, left=BODY.rest_rotations[0] @ [-1.0, 0, 0])
    structure = Evidence(mirrored, tree, read_names(rigs.NAMES)).structure
    assert structure is not None and structure.left == pytest.approx([-1, 0, 0])


@pytest.mark.parametrize("limb", ["Leg", "Arm"])
def test_who_has_two_legs_or_two_arms_on_hips_is_a_humanoid(limb: str) -> None:
    roles = ["hips", *(f"{side}{part}{limb}" for side in ("left", "right") for part in ("Upper", "Lower"))]
    labels = Labels([], {role: bone for bone, role in enumerate(roles)})
    assert labels.humanoid
    for role in roles:
        assert not Labels([], {each: bone for each, bone in labels.roles.items() if each != role}).humanoid


def test_roles_that_are_assumed_are_the_whole_trunk() -> None:
    """Others keep what else they are, but for those whose bone or role it is."""
    labels = Labels([], {"hips": 0, "chest": 1, "neck": 2, "head": 3, "leftHand": 4, "leftFoot": 5, "rightFoot": 6}, spine=(1,), neck=(2,))
    labels.confidence.update(dict.fromkeys(labels.roles, 0.5))
    labels.notes["head"] = "doubtful"
    labels.assume({"hips": 1, "spine": 4, "chest": 7, "neck": 8, "leftFoot": 9})
    assert labels.roles == {"hips": 1, "spine": 4, "chest": 7, "neck": 8, "leftFoot": 9, "rightFoot": 6}
    assert labels.confidence == {**dict.fromkeys(("hips", "spine", "chest", "neck", "leftFoot"), 1.0), "rightFoot": 0.5}
    assert (labels.spine, labels.neck, labels.notes) == ((4, 7), (8,), {})


def test_a_bone_is_worth_for_a_limb_what_its_name_and_position_say() -> None:
    """A name that is less clear than the clearest of its side twice as much less; 0.45 of what the structure says, unless the bone is one
    of the other side."""
    names = [("left", {"Hand": 0.9, "Foot": 0.2}), ("left", {"Hand": 0.7}), ("", {"Hand": 1.0}), ("right", {"Hand": 1.0}), ("left", {})]
    known: Any = SimpleNamespace(names=[SimpleNamespace(side=side, parts=parts) for side, parts in names], positions={})
    plain = [[0.9, 0.2], [0.5, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]]
    assert np.array(_scores(known, "left", ("Hand", "Foot"))) == pytest.approx(np.array(plain))
    for bone, counts in ((0, True), (2, True), (3, False), (4, True), (-1, False)):
        known.positions = {"leftFoot": (bone, 0.8), "rightHand": (0, 1.0)}
        added = np.array(plain)
        added[bone, 1] += 0.36 * counts
        assert np.array(_scores(known, "left", ("Hand", "Foot"))) == pytest.approx(added)
    known.names = []
    known.positions = {}
    assert _scores(known, "left", ("Hand",)) == []


@pytest.mark.parametrize(
    ("sides", "swapped"), [("LLRR", False), ("RRLL", True), ("LRLR", None), ("LL R", False), ("    ", None), ("RR L", True), ("L  L", None)]
)
def test_names_say_which_of_the_structure_s_limbs_are_the_left_ones(sides: str, swapped: bool | None) -> None:
    """Most of those of both sides; also that of the first bone of all."""
    called = {"L": "left", "R": "right", " ": ""}
    known: Any = SimpleNamespace(names=[SimpleNamespace(side=called[side]) for side in sides])
    structure: Any = SimpleNamespace(roles={"leftHand": 0, "leftFoot": 1, "rightHand": 2, "rightFoot": 3, "rightToes": -1})
    assert _swapped(known, structure, ("Hand", "Foot", "Toes")) is swapped


@pytest.mark.parametrize(("named", "numbered"), [("Arm", "Leg"), ("Leg", "Arm")])
@pytest.mark.parametrize("swapped", [False, True])
def test_limbs_whose_names_have_no_side_go_by_the_others(named: str, numbered: str, swapped: bool) -> None:
    """The names of two limbs say which is left, against the positions or not: the two others, which are numbered, are on the same side."""
    parts = {"Arm": ("UpperArm", "LowerArm"), "Leg": ("UpperLeg", "LowerLeg")}
    known, names = evidence(), [f"bone_{bone}" for bone in range(len(rigs.NAMES))]
    for side in ("left", "right"):
        for part in parts[named]:
            called = side if not swapped else "left" if side == "right" else "right"
            names[rigs.NAMES.index(side + part)] = called + part
    known = Evidence(BODY, known.tree, read_names(names))
    assert known.structure is not None
    _take_positions(known, known.structure)
    for part in parts[numbered]:
        assert known.positions["left" + part][0] == rigs.NAMES.index(("right" if swapped else "left") + part)


@pytest.mark.parametrize(("arms", "legs"), [(False, True), (True, False), (True, True)])
def test_limbs_whose_names_have_sides_go_by_their_own(arms: bool, legs: bool) -> None:
    """Whether or not arms or legs are called as the positions have them, or as each other."""
    names = list(rigs.NAMES)
    parts = {part: swapped for kind, swapped in ((ARM, arms), (LEG, legs)) for part in kind}
    for part, swapped in parts.items():
        for side, other in (("left", "right"), ("right", "left")):
            names[rigs.NAMES.index(side + part)] = (other if swapped else side) + part
    known = Evidence(BODY, evidence().tree, read_names(names))
    assert known.structure is not None
    _take_positions(known, known.structure)
    for part in parts:
        for side in ("left", "right"):
            assert known.positions[side + part][0] == names.index(side + part)
