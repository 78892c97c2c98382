"""Which bones of a hand are which fingers, by names and numbers, and eyes and jaw; hands made by hand, a decimetre long."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.retarget.mapping.humanoid.evidence import Evidence
from retro_anim.core.retarget.mapping.humanoid.hands import label_face, label_fingers
from retro_anim.core.retarget.mapping.naming.names import read_names
from retro_anim.core.retarget.mapping.naming.selection import select

from .given import figure_of

Rows = list[tuple[str, str, tuple[float, float, float]]]
"""Name, parent, joint."""

OUTWARDS = np.array([0.03, 0.0, 0.0])


def evidence(rows: Rows, hand: str = "hand.L", side: str = "left") -> Evidence:
    """Of a figure of these bones, of which the hand is known."""
    names = [name for name, _, _ in rows]
    figure = figure_of(names, [names.index(parent) if parent else -1 for _, parent, _ in rows], np.array([head for _, _, head in rows]))
    read = read_names(names)
    known = Evidence(figure, select(figure, read, controls=False), read)
    if hand:
        known.result.roles[f"{side}Hand"] = names.index(hand)
    return known


def fingers(*chains: tuple[str, ...], near: float = 0.1, hand: str = "hand.L") -> Rows:
    """A hand of fingers side by side, the first `near` from its joint and the others 0.1, each bone 0.03 long."""
    rows: Rows = [(hand, "", (0.0, 0.0, 0.0))]
    for number, chain in enumerate(chains):
        parent, joint = hand, np.array([near if number == 0 else 0.1, 0.0, 0.0])
        for name in chain:
            rows.append((name, parent, (float(joint[0]), 0.002 * number, 0.0)))
            parent, joint = name, joint + OUTWARDS
    return rows


def roles(rows: Rows, side: str = "left", hand: str = "hand.L") -> dict[str, str]:
    """Role without its side -> name of its bone, but for the hand's."""
    known = evidence(rows, hand, side)
    label_fingers(known, "left" if side == "left" else "right")
    names = [name for name, _, _ in rows]
    return {role.removeprefix(side): names[bone] for role, bone in known.result.roles.items() if role != f"{side}Hand"}


def of(finger: str, *bones: str) -> dict[str, str]:
    joints = ("Metacarpal", "Proximal", "Distal") if finger == "Thumb" else ("Proximal", "Intermediate", "Distal")
    return {finger + joint: bone for joint, bone in zip(joints, bones, strict=False)}


def three(name: str, side: str = ".L") -> tuple[str, str, str]:
    return (f"{name}_1{side}", f"{name}_2{side}", f"{name}_3{side}")


def test_fingers_by_their_names() -> None:
    """From the hand outwards; a thumb begins with its metacarpal."""
    rows = fingers(three("thumb"), three("index"), three("pinky"))
    assert roles(rows) == of("Thumb", *three("thumb")) | of("Index", *three("index")) | of("Little", *three("pinky"))


def test_a_fourth_bone_of_a_finger_has_no_role() -> None:
    """It is its tip; the finger is the three that bend."""
    known = evidence(fingers(("index_1.L", "index_2.L", "index_3.L", "index_4.L")))
    label_fingers(known, "left")
    assert known.result.fingers == {"leftIndex": (1, 2, 3)}
    assert known.result.roles == {"leftHand": 0, "leftIndexProximal": 1, "leftIndexIntermediate": 2, "leftIndexDistal": 3}


@pytest.mark.parametrize(
    ("chain", "first"),
    [
        (("index_metacarpal.L", "index_1.L", "index_2.L"), "index_1.L"),  # by its name
        (("index_0.L", "index_1.L", "index_2.L", "index_3.L"), "index_1.L"),  # by its number
        (("index_00.L", "index_01.L", "index_02.L", "index_03.L"), "index_01.L"),
        (("index_0.L", "index_1.L", "index_2.L"), "index_0.L"),  # of three bones none is in the palm
        (("index_metacarpal.L", "index_1.L"), "index_1.L"),
        (("index1_0.L", "index1_1.L", "index1_2.L", "index1_3.L"), "index1_1.L"),  # by the last of its numbers
        (("index_metacarpal.L",), "index_metacarpal.L"),  # alone it is the finger
        (("index_proximal.L", "index_b.L", "index_c.L", "index_d.L"), "index_proximal.L"),  # as it says itself
        (("index_a.L", "index_b.L", "index_c.L", "index_d.L"), "index_a.L"),  # 0.1 away and 0.03 long
    ],
)
def test_a_bone_in_the_palm_is_no_joint_of_the_finger(chain: tuple[str, ...], first: str) -> None:
    assert roles(fingers(chain))["IndexProximal"] == first


@pytest.mark.parametrize(("away", "in_palm"), [(0.029, True), (0.03, False), (0.031, False)])
def test_a_finger_of_four_bones_begins_in_the_palm_if_nearer_than_it_is_long(away: float, in_palm: bool) -> None:
    """Its first bone is 0.03 long."""
    rows = fingers(("index_a.L", "index_b.L", "index_c.L", "index_d.L"), near=away)
    assert roles(rows)["IndexProximal"] == ("index_b.L" if in_palm else "index_a.L")
    assert roles([(name, parent if parent != "hand.L" else "", head) for name, parent, head in rows[1:]], hand="") == of(
        "Index", "index_a.L", "index_b.L", "index_c.L"
    ), "without a hand nothing is near to it"


def test_a_thumb_begins_with_its_metacarpal_whatever_it_is_called() -> None:
    assert roles(fingers(("thumb_metacarpal.L", "thumb_1.L", "thumb_2.L"))) == of("Thumb", "thumb_metacarpal.L", "thumb_1.L", "thumb_2.L")


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("finger0", "finger1", "finger2", "finger3", "finger4"), ("Thumb", "Index", "Middle", "Ring", "Little")),
        (("finger1", "finger2", "finger3", "finger4", "finger5"), ("Thumb", "Index", "Middle", "Ring", "Little")),
        (("finger1", "finger2", "finger3", "finger4"), ("Index", "Middle", "Ring", "Little")),
        (("finger0", "finger1", "finger2"), ("Thumb", "Index", "Middle")),
        (("finger4", "finger2", "finger1", "finger3"), ("Little", "Middle", "Index", "Ring")),  # in any order
        (("finger01", "finger02"), ("Index", "Middle")),
        (("finger10", "finger20", "finger30"), ("Index", "Middle", "Ring")),  # the first digit, of which each has another
        (("finger12", "finger21", "finger3"), ("Index", "Middle", "Ring")),
        (("finger12", "finger3"), ("Index", "Middle")),
        (("finger3",), ("Index",)),
        (("finger1", "finger1_x"), ("", "")),  # which is which does not show
        (("finger", "finger2"), ("", "Index")),
        (("finger", "finger_x", "finger2", "finger3"), ("", "", "Index", "Middle")),
        (("finger", "finger1", "finger2", "finger3", "finger4", "finger5"), ("", "Thumb", "Index", "Middle", "Ring", "Little")),
        (("finger", "finger_x"), ("", "")),
    ],
)
def test_fingers_by_their_numbers(names: tuple[str, ...], expected: tuple[str, ...]) -> None:
    """Four that begin at 1 have no thumb among them; one without a number is none that is counted."""
    rows = fingers(*((f"{name}.L",) for name in names))
    by_bone = {bone: role for role, bone in roles(rows).items()}
    first = {finger: "Metacarpal" if finger == "Thumb" else "Proximal" for finger in ("Thumb", "Index", "Middle", "Ring", "Little")}
    assert [by_bone.get(f"{name}.L", "") for name in names] == [finger and finger + first[finger] for finger in expected]


@pytest.mark.parametrize(("near", "is_thumb"), [(0.069, True), (0.071, False)])
def test_the_first_of_few_numbered_fingers_is_the_thumb_if_it_begins_nearer_to_the_wrist(near: float, is_thumb: bool) -> None:
    """Than 0.7 of what the others do, which are 0.1 away."""
    expected = roles(fingers(("finger1.L",), ("finger2.L",), ("finger3.L",), near=near))
    assert expected["IndexProximal"] == ("finger2.L" if is_thumb else "finger1.L")
    assert ("ThumbMetacarpal" in expected) == is_thumb
    assert ("ThumbMetacarpal" in roles(fingers(("finger1.L",), ("finger2.L",), near=near))) == is_thumb


def test_numbered_fingers_beside_a_thumb_of_its_own_name() -> None:
    """From 0 as from 1, and five of them too, of which the last is none."""
    for first in (0, 1):
        rows = fingers(("thumb.L",), *((f"finger{first + number}.L",) for number in range(5)))
        assert roles(rows) == of("Thumb", "thumb.L") | {
            f"{finger}Proximal": f"finger{first + number}.L" for number, finger in enumerate(("Index", "Middle", "Ring", "Little"))
        }


def test_numbers_of_fingers_and_of_their_joints() -> None:
    """Finger12 and finger2-1 are joints of fingers 1 and 2: two digits that differ in the first, or two numbers."""
    biped = fingers(("Finger0.L", "Finger01.L", "Finger02.L"), ("Finger1.L", "Finger11.L", "Finger12.L"))
    assert roles(biped) == of("Thumb", "Finger0.L", "Finger01.L", "Finger02.L") | of("Index", "Finger1.L", "Finger11.L", "Finger12.L")
    dashed = fingers(("finger1-1.L", "finger1-2.L"), ("finger2-1.L", "finger2-2.L"))
    assert roles(dashed) == of("Index", "finger1-1.L", "finger1-2.L") | of("Middle", "finger2-1.L", "finger2-2.L")
    many = fingers(*((f"finger{number}.L",) for number in (9, 10, 11)))
    assert roles(many) == of("Index", "finger9.L") | of("Middle", "finger10.L") | of("Ring", "finger11.L")
    alone = fingers(("finger12.L",), ("finger2-1.L",))
    assert roles(alone) == of("Index", "finger12.L") | of("Middle", "finger2-1.L"), "of one number alone the first digit"


def test_huge_numbers_are_cut_and_no_trouble() -> None:
    """Four digits of them count."""
    assert roles(fingers(("finger00019999.L",), ("finger2.L",))) == of("Index", "finger00019999.L") | of("Middle", "finger2.L")


def test_the_longest_chain_is_the_finger() -> None:
    """Of bones that have its name; others between them are passed over."""
    rows = fingers(("index_a.L",), ("index_1.L", "bump", "index_2.L", "index_3.L"))
    assert roles(rows) == of("Index", "index_1.L", "index_2.L", "index_3.L")
    last = fingers(("index_1.L", "index_2.L"), ("index_a.L",))
    assert roles(last) == of("Index", "index_1.L", "index_2.L")
    assert roles(fingers(("index_a.L",), ("index_b.L",))) == of("Index", "index_a.L"), "of alike ones the first"


def test_only_what_is_below_the_hand_is_a_finger_of_it() -> None:
    """Of no side, or of its own; without a known hand of its own side alone."""
    rows: Rows = [
        ("hand.L", "", (0, 0, 0)),
        ("index", "hand.L", (0.1, 0, 0)),
        ("middle.R", "hand.L", (0.1, 0.01, 0)),
        ("ring.L", "", (0.1, 0.02, 0)),
    ]
    assert roles(rows) == of("Index", "index")
    assert roles(rows, hand="") == of("Ring", "ring.L")
    assert roles(rows, "right", hand="") == of("Middle", "middle.R")


def test_a_faint_name_is_no_finger() -> None:
    """A twist bone of an index finger scores 0.12 of it, less than 0.3; one of a name that is in no table 0.9."""
    assert roles(fingers(("index_twist.L",))) == {}
    assert roles(fingers(("index_half.L",))) == roles(fingers(("finger1_half.L",))) == {}, "0.3 of it"
    assert roles(fingers(("qzq_index.L",))) == of("Index", "qzq_index.L")


def test_how_sure_fingers_are() -> None:
    """0.93 of the name's score: all of an own name, 0.9 of a number."""
    known = evidence(fingers(("index.L",)))
    label_fingers(known, "left")
    assert known.result.confidence["leftIndexProximal"] == pytest.approx(0.93)
    known = evidence(fingers(("finger1.L",), ("finger2.L",)))
    label_fingers(known, "left")
    assert known.result.confidence["leftIndexProximal"] == pytest.approx(0.93 * 0.9)


def faces(*rows: tuple[str, str], taken: dict[str, str] | None = None, top: str = "head") -> dict[str, str]:
    """Role -> its bone, of bones below the first, which is `top`."""
    every: Rows = [(name, parent, (0.0, 0.1 * number, 1.0)) for number, (name, parent) in enumerate(((top, ""), *rows))]
    names = [name for name, _, _ in every]
    known = evidence(every, "")
    known.result.roles |= {role: names.index(bone) for role, bone in (taken or {}).items()}
    label_face(known)
    return {role: names[bone] for role, bone in known.result.roles.items() if role not in (taken or {})}


def test_eyes_and_jaw_by_their_names() -> None:
    assert faces(("eye.L", "head"), ("eye.R", "head"), ("jaw", "head")) == {"leftEye": "eye.L", "rightEye": "eye.R", "jaw": "jaw"}
    assert faces(("eye", "head"), ("jaw.L", "head")) == {}, "of the wrong side"
    assert faces(top="jaw") == {"jaw": "jaw"}, "also the first bone of all"


def test_of_several_the_best_name_is_the_eye_and_of_alike_ones_the_upper() -> None:
    assert faces(("qzq_eye.L", "head"), ("eye.L", "qzq_eye.L")) == {"leftEye": "eye.L"}
    assert faces(("eye_1.L", "head"), ("eye_2.L", "eye_1.L")) == {"leftEye": "eye_1.L"}
    assert faces(("eye_2.L", "eye_1.L"), ("eye_1.L", "head")) == {"leftEye": "eye_1.L"}


def test_a_mouth_is_a_jaw_and_what_is_doubtful_is_none() -> None:
    """A mouth scores 0.3, one of a name in no table 0.27, and of two such 0.243; of three less than 0.22."""
    assert faces(("mouth", "head")) == {"jaw": "mouth"}
    assert faces(("qzq_wvw_mouth", "head")) == {"jaw": "qzq_wvw_mouth"}
    assert faces(("qzq_wvw_xjx_mouth", "head")) == {}


def test_a_bone_that_has_a_role_is_no_eye_and_no_jaw() -> None:
    assert faces(("eye.L", "head"), ("eye.R", "head"), taken={"head": "eye.R"}) == {"leftEye": "eye.L"}
    assert faces(("jaw", "head"), taken={"head": "jaw"}) == {}
    assert faces(("jaw", "head"), taken={"head": "head"}) == {"jaw": "jaw"}
