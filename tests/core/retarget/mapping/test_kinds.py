"""What kind of figure names, roles and joints show."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.mapping import kinds
from retro_anim.core.retarget.mapping.humanoid.evidence import Labels
from retro_anim.core.retarget.mapping.naming.names import Name, read_names

from .given import figure_of

Offset = tuple[float, float, float]


def names(*texts: str) -> list[Name]:
    return [name for text in texts for name in read_names([text])]


def test_what_two_humanoids_can_share() -> None:
    """Hips and head by their roles; of spine, neck and fingers as many as both have."""
    one = Labels([], {"hips": 0, "head": 1, "leftHand": 2, "spine": 3, "neck": 4, "leftIndexProximal": 5}, spine=(3, 6), neck=(4,))
    two = Labels([], {"hips": 0, "head": 1, "rightHand": 2, "spine": 3, "neck": 4, "leftIndexProximal": 5}, spine=(3, 6, 7), neck=(4, 8))
    assert kinds.in_common(one, two) == 2 + 2 + 1 + 1, "a finger that only one has for one counts by its role"
    one.fingers, two.fingers = {"leftIndex": (5, 9, 10), "leftRing": (11,)}, {"leftIndex": (5, 9), "rightRing": (11,)}
    assert kinds.in_common(one, two) == 2 + 2 + 1 + 2


def test_bones_of_a_body() -> None:
    labels = Labels(names("hips", "tail", "spine", "neck", "index_tip.L"), {"hips": 0}, spine=(2,), neck=(3,))
    assert kinds.body(labels) == {0, 2, 3, 4}


@pytest.mark.parametrize(("text", "nameless"), [("Bone.001", True), ("joint12", True), ("bone_L", False), ("tail", False), ("a", True)])
def test_bones_that_are_but_numbered(text: str, nameless: bool) -> None:
    assert kinds.nameless(Labels(names("Bone", text))) == nameless
    assert kinds.plain(Labels(names("hand.L", "x"), {"hips": 0})).sides == ("left", "")


def test_arms_have_names_where_all_four_bones_have() -> None:
    roles = [f"{side}{part}" for side in ("left", "right") for part in ("UpperArm", "LowerArm")]
    labels = Labels([], {role: bone for bone, role in enumerate(roles)})
    assert kinds.has_arms(labels)
    for role in roles:
        assert not kinds.has_arms(Labels([], {each: bone for each, bone in labels.roles.items() if each != role}))
        assert not kinds.has_arms(Labels([], labels.roles, notes={role: "not by its name"}))


@pytest.mark.parametrize(("degrees", "bent"), [(180.0, False), (125.0, False), (115.0, True), (90.0, True), (65.0, True), (55.0, False)])
def test_a_trunk_across_the_legs_is_bent(degrees: float, bent: bool) -> None:
    """By 60 degrees at least to either side of them; whatever their lengths."""
    angle = np.radians(degrees)
    trunk = 0.3 * np.array([0.0, np.sin(angle), -np.cos(angle)])
    heads = np.array([[0, 0, 5.0], trunk + np.array([0, 0, 5]), [0.1, 0, 3], [-0.1, 0, 3]])
    figure = figure_of(list("abcd"), [-1, 0, 0, 0], heads)
    roles = {"hips": 0, "head": 1, "leftFoot": 2, "rightFoot": 3}
    assert kinds.is_bent(figure, roles) == bent
    assert not kinds.is_bent(figure, {"hips": 0, "leftFoot": 2}) and not kinds.is_bent(figure, {"hips": 0, "head": 1})
    tailed = figure_of(list("abcde"), [-1, 0, 0, 0, 0], np.append(heads, [[0, 3, 5.0]], axis=0))
    assert not kinds.is_bent(tailed, {"hips": 0, "leftFoot": 2}), "what is mapped to nothing is no trunk, whatever bone is the last"


@pytest.mark.parametrize(
    ("second", "third", "tailed"), [(0.36, 0.1, True), (0.36, -0.3, True), (0.34, 0.0, False), (0.34, 0.1, True), (0.0, 0.0, False)]
)
def test_what_is_long_behind_the_hips_is_a_tail(second: float, third: float, tailed: bool) -> None:
    """From its first joint on by more than 0.35 of a thigh of 1, wherever the figure stands."""
    heads = np.array([[0, 0, 1.0], [0.1, 0, 0], [-0.1, 0, 0], [0, 5, 1], [0, 5 + second, 1], [0, 5 + second + third, 1]])
    heads[1:3, 2] = heads[0, 2] - np.sqrt(0.99)
    figure = figure_of(list("abcdef"), [-1, 0, 0, 0, 3, 4], heads + np.array([3, -2, 7]))
    labels = Labels(names(*"abcdef"), {"hips": 0, "leftLowerLeg": 1, "rightLowerLeg": 2})
    assert kinds.is_tailed(figure, labels) == tailed
    labels.roles["chest"] = 5
    assert not kinds.is_tailed(figure, labels), "on which a part of the body hangs is none"
    assert not kinds.is_tailed(figure, Labels(labels.names, {"hips": 0})), "without legs nothing is known"


def legs(count: int, reach: float, ends: float = 0.0, start: float = 0.5, away: Offset = (0.0, 0.0, 0.0)) -> Figure:
    """A body at a height of 1 with legs of two bones that reach so far aside. ends: the height of their ends. away: where all of it is."""
    heads: list[Floats] = [np.array([0.0, 0, 1]), np.array([0.0, 0, 0])]
    parents = [-1, -1]
    for leg in range(count):
        angle = 2 * np.pi * leg / count
        out = np.array([np.cos(angle), np.sin(angle), 0])
        parents += [0, len(heads)]
        heads += [0.01 * out + [0, 0, start], (0.01 + reach) * out + [0, 0, ends]]
    points = np.array(heads) + np.array(away)
    return figure_of([f"b{bone}" for bone in range(len(heads))], parents, points, points + np.array([0, 0, 1e-3]))


@pytest.mark.parametrize(
    ("count", "reach", "ends", "start", "many"),
    [
        (6, 0.5, 0.0, 0.5, True),
        (5, 0.5, 0.0, 0.5, False),
        (6, 0.28, 0.0, 0.5, False),  # no further than 0.6 of the height at which they begin
        (6, 0.32, 0.0, 0.5, True),
        (6, 0.5, 0.24, 0.5, True),
        (6, 0.5, 0.26, 0.5, False),  # not half the way down
        (6, 0.7, 0.26, 0.5, True),  # half of it from the body, further up
        (6, 0.1, 0.0, 0.1, False),
    ],
)
def test_who_has_six_legs_is_no_human(count: int, reach: float, ends: float, start: float, many: bool) -> None:
    for away in ((0.0, 0.0, 0.0), (9.0, 0.0, 0.0), (0.0, 9.0, 0.0), (0.0, 0.0, 9.0)):
        assert kinds.many_legged(legs(count, reach, ends, start, away)) == many


@pytest.mark.parametrize(
    ("text", "says"), [("qa", True), ("bone", False), ("bone_x", False), ("tail", True), ("12", False), ("null", False), ("t", False)]
)
def test_names_that_say_more_than_that_it_is_a_bone(text: str, says: bool) -> None:
    (name,) = names(text)
    assert kinds.says_more(name) == says


def test_rigs_in_layers() -> None:
    def rig(deform: int, mechanism: int) -> list[Name]:
        return names(*(f"DEF-{letter}" for letter in "abcdefgh"[:deform]), *(f"MCH-{letter}" for letter in "abcdefgh"[:mechanism]))

    assert kinds.layered(rig(8, 8)) and not kinds.layered(rig(7, 8)) and not kinds.layered(rig(8, 7))
