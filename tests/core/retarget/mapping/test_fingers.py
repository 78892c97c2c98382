"""Fingers by names and numbers, on hands whose answers are known."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.retarget.anatomy.tree import tree_of
from retro_anim.core.retarget.mapping.humanoid.evidence import Evidence
from retro_anim.core.retarget.mapping.humanoid.hands import label_face, label_fingers
from retro_anim.core.retarget.mapping.naming.names import read_names

from .given import figure_of

Finger = tuple[str, ...]


def hand_of(*fingers: Finger, near: float = 1.0, hand: bool = True) -> tuple[Evidence, list[str]]:
    """A left hand with chains of bones, a unit each; the first of the fingers begins so near to it, and others at 1."""
    names, parents, heads = ["hand.L"], [-1], [np.zeros(3)]
    for number, finger in enumerate(fingers):
        for joint, name in enumerate(finger):
            parents.append(0 if joint == 0 else len(names) - 1)
            names.append(name)
            heads.append(np.array([(near if number == 0 else 1.0) + joint, 0.1 * number, 0]))
    figure = figure_of(names, parents, np.array(heads))
    known = Evidence(figure, tree_of(range(len(names)), parents, figure.heads, figure.tails), read_names(names))
    if hand:
        known.give("leftHand", 0, 1.0)
    return known, names


def given(known: Evidence, names: list[str]) -> dict[str, str]:
    label_fingers(known, "left")
    return {role: names[bone] for role, bone in known.result.roles.items() if role != "leftHand"}


def chain(name: str, count: int = 3, first: int = 1) -> Finger:
    return tuple(f"{name}{joint}.L" for joint in range(first, first + count))


def test_fingers_by_their_names() -> None:
    """Three joints each; a thumb begins with its metacarpal. What is further out has no role."""
    known, names = hand_of(chain("thumb"), chain("index", 2), chain("pinky", 4))
    roles = given(known, names)
    assert roles == {
        "leftThumbMetacarpal": "thumb1.L",
        "leftThumbProximal": "thumb2.L",
        "leftThumbDistal": "thumb3.L",
        "leftIndexProximal": "index1.L",
        "leftIndexIntermediate": "index2.L",
        "leftLittleProximal": "pinky1.L",
        "leftLittleIntermediate": "pinky2.L",
        "leftLittleDistal": "pinky3.L",
    }
    assert {finger: [names[bone] for bone in bones] for finger, bones in known.result.fingers.items()} == {
        "leftThumb": ["thumb1.L", "thumb2.L", "thumb3.L"],
        "leftIndex": ["index1.L", "index2.L"],
        "leftLittle": ["pinky1.L", "pinky2.L", "pinky3.L"],
    }


def test_a_metacarpal_is_no_joint_of_a_finger() -> None:
    known, names = hand_of(("index_metacarpal.L", *chain("index")), ("thumb_metacarpal.L", *chain("thumb", 2)))
    roles = given(known, names)
    assert roles["leftIndexProximal"] == "index1.L" and roles["leftThumbMetacarpal"] == "thumb_metacarpal.L"
    assert len(known.result.fingers["leftIndex"]) == 3


def test_only_what_hangs_on_the_hand_is_a_finger() -> None:
    """Of its side, or of none; without a hand all that is called so on that side."""
    known, names = hand_of(chain("index"), ("ring1.R",), ("middle1",))
    assert set(given(known, names).values()) == {*chain("index"), "middle1"}
    known, names = hand_of(chain("index"), ("middle1",), hand=False)
    assert set(given(known, names).values()) == set(chain("index"))


FIVE = ("leftThumb", "leftIndex", "leftMiddle", "leftRing", "leftLittle")


@pytest.mark.parametrize(
    ("firsts", "fingers"),
    [
        (("finger0", "finger1", "finger2", "finger3", "finger4"), FIVE),
        (("finger1", "finger2", "finger3", "finger4", "finger5"), FIVE),
        (("finger01", "finger02", "finger03", "finger04", "finger05"), FIVE),
        (("finger11", "finger21", "finger31", "finger41"), FIVE[1:]),
        (("finger4", "finger3", "finger2", "finger1"), FIVE[4:0:-1]),
        (("finger0", "finger1", "finger2"), FIVE[:3]),
        (("finger1_1", "finger2_1", "finger3_1"), FIVE[1:4]),
        (("finger1", "finger1"), ()),
    ],
)
def test_fingers_by_their_numbers(firsts: tuple[str, ...], fingers: tuple[str, ...]) -> None:
    """From the thumb on where there are five, or where they are counted from 0; else from the index finger on."""
    known, names = hand_of(*((f"{first}.L",) for first in firsts))
    label_fingers(known, "left")
    assert {names[bones[0]]: finger for finger, bones in known.result.fingers.items()} == {
        f"{first}.L": finger for first, finger in zip(firsts, fingers, strict=False)
    }


@pytest.mark.parametrize(("near", "first"), [(0.69, "leftThumb"), (0.75, "leftIndex")])
def test_the_thumb_begins_nearer_to_the_hand(near: float, first: str) -> None:
    """Than 0.7 of what the others do."""
    known, names = hand_of(("finger1.L",), ("finger2.L",), ("finger3.L",), near=near)
    label_fingers(known, "left")
    assert names[known.result.fingers[first][0]] == "finger1.L"


def test_numbers_go_on_from_a_thumb_with_a_name() -> None:
    known, names = hand_of(chain("thumb"), ("finger0.L",), ("finger1.L",))
    label_fingers(known, "left")
    assert {finger: names[bones[0]] for finger, bones in known.result.fingers.items()} == {
        "leftThumb": "thumb1.L",
        "leftIndex": "finger0.L",
        "leftMiddle": "finger1.L",
    }


def test_a_finger_is_as_sure_as_its_name() -> None:
    """0.93 of it, and 0.9 of that where it is only numbered."""
    known, _ = hand_of(("index1.L",), ("finger2.L",), ("finger3.L",))
    label_fingers(known, "left")
    assert known.result.confidence["leftIndexProximal"] == pytest.approx(0.93)
    numbered, _ = hand_of(("finger0.L",), ("finger1.L",))
    label_fingers(numbered, "left")
    assert numbered.result.confidence["leftIndexProximal"] == pytest.approx(0.93 * 0.9)


def test_eyes_and_jaw() -> None:
    """The upper one of several; none that is something else already, or only hints at it."""
    names = ["head", "eye.L", "eye_x.L", "eye.R", "jaw", "chin", "mouth"]
    parents = [-1, 0, 1, 0, 0, 4, 4]
    figure = figure_of(names, parents, np.arange(21.0).reshape(7, 3))
    known = Evidence(figure, tree_of(range(7), parents, figure.heads, figure.tails), read_names(names))
    known.result.roles["other"] = 3
    label_face(known)
    assert {role: names[bone] for role, bone in known.result.roles.items()} == {"other": "eye.R", "leftEye": "eye.L", "jaw": "jaw"}
    assert known.result.confidence["leftEye"] == pytest.approx(0.93)
