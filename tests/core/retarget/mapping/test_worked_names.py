"""What bones are by their names, with scores that follow from the vocabulary by hand."""

from __future__ import annotations

import pytest
from retro_anim.core.retarget.mapping.naming.names import Name, _ends_inside, other, read_names


def read(text: str) -> Name:
    (name,) = read_names([text])
    return name


@pytest.mark.parametrize(
    ("text", "tokens", "side", "numbers", "copy", "plain"),
    [
        ("LeftUpLeg", ("up", "leg"), "left", (), -1, "upleg"),
        ("upper_arm.L", ("upper", "arm"), "left", (), -1, "upperarm"),
        ("upper_arm.L.001", ("upper", "arm"), "left", (), 1, "upperarm"),
        ("hand.R.012", ("hand",), "right", (), 12, "hand"),
        ("hand.0012", ("hand",), "", ("0012",), -1, "hand_12"),
        ("thumb_01_l", ("thumb",), "left", ("01",), -1, "thumb_1"),
        ("finger000", ("finger",), "", ("000",), -1, "finger_0"),
        ("Finger12", ("finger",), "", ("12",), -1, "finger_12"),
        ("lhand", ("hand",), "left", (), -1, "hand"),
        ("HANDR", ("hand",), "right", (), -1, "hand"),
        ("rightleftfoot", ("foot",), "", (), -1, "foot"),
        ("LeftRightHand", ("hand",), "", (), -1, "hand"),
        ("Spine2", ("spine",), "", ("2",), -1, "spine_2"),
        ("rig:hips", ("hips",), "", (), -1, "hips"),
        ("a|b|RightFoot", ("foot",), "right", (), -1, "foot"),
        ("hips:", ("hips",), "", (), -1, "hips"),
        ("C\u0301adera", ("cadera",), "", (), -1, "cadera"),
        ("IKFoot_L", ("ik", "foot"), "left", (), -1, "ikfoot"),
        ("左腕", ("腕",), "left", (), -1, "腕"),
        ("qwhand", ("qwhand",), "", (), -1, "qwhand"),
    ],
)
def test_how_names_are_taken_apart(text: str, tokens: tuple[str, ...], side: str, numbers: tuple[str, ...], copy: int, plain: str) -> None:
    name = read(text)
    assert (name.tokens, name.side, name.numbers, name.copy, name.plain) == (tokens, side, numbers, copy, plain)


@pytest.mark.parametrize(
    ("text", "parts", "doubt"),
    [
        ("Hips", {"hips": 1.0}, 1.0),
        ("cog", {"hips": 0.4, "root": 0.5}, 1.0),
        ("spine", {"spine": 1.0, "chest": 0.6}, 1.0),
        ("hand.L", {"Hand": 1.0}, 1.0),
        ("hand", {"Hand": 0.8}, 1.0),  # a part that comes in pairs, of no side
        ("hip", {"hips": 0.9}, 1.0),
        ("hip.L", {"UpperLeg": 0.75}, 1.0),  # what is central means something else on a side
        ("arm.L", {"UpperArm": 0.85, "LowerArm": 0.3}, 1.0),
        ("upper_arm.L", {"UpperArm": 1.0}, 1.0),
        ("arm_upper.L", {"UpperArm": 1.0}, 1.0),
        ("upleg.R", {"UpperLeg": 1.0}, 1.0),
        ("lower_leg.R", {"LowerLeg": 1.0}, 1.0),
        ("low_arm.R", {"LowerArm": 1.0}, 1.0),
        ("fore_arm.R", {"LowerArm": 1.0}, 1.0),
        ("upper_chest", {"chest": 1.0, "upperChest": 1.0}, 1.0),
        ("chest_big_upper", {"chest": 0.9, "upperChest": 0.9}, 0.9),
        ("hand_ik.L", {"Hand": 0.05}, 0.05),
        ("upper_arm_twist.L", {"UpperArm": 0.12}, 0.12),
        ("arm_twist_ik.L", {"UpperArm": 0.85 * 0.12 * 0.05, "LowerArm": 0.3 * 0.12 * 0.05}, 0.006),
        ("xyzq_hand.L", {"Hand": 0.9}, 0.9),  # a token that is in no table
        ("jnt_hand.L", {"Hand": 1.0}, 1.0),
        ("arm_hand.L", {"Hand": 1.0, "UpperArm": 0.8 * 0.85, "LowerArm": 0.8 * 0.3}, 1.0),  # the last one counts most
        ("hand_arm.L", {"Hand": 0.8, "UpperArm": 0.85, "LowerArm": 0.3}, 1.0),
        ("hand_arm_foot.L", {"Foot": 1.0, "UpperArm": 0.8 * 0.85, "LowerArm": 0.8 * 0.3, "Hand": 0.8**2}, 1.0),
        ("spine_hand.L", {"Hand": 1.0}, 1.0),  # of limbs and what is none the limb
        ("hand_index.L", {"Index": 1.0}, 1.0),
        ("index_thumb.L", {"Thumb": 1.0}, 1.0),
        ("index_finger.L", {"Index": 1.0}, 1.0),
        ("finger_ring.L", {"Ring": 1.0}, 1.0),
        ("hand_finger.L", {"Finger": 1.0}, 1.0),
        ("finger", {"Finger": 0.8}, 1.0),
        ("front_foot.L", {"Hand": 1.0}, 1.0),
        ("front_leg.L", {"UpperArm": 0.6, "LowerArm": 0.7}, 1.0),
        ("frontleg.L", {"UpperArm": 0.6, "LowerArm": 0.7}, 1.0),
        ("fore_leg.L", {"UpperArm": 0.6, "LowerArm": 0.7}, 1.0),
        ("foreleg.L", {"UpperArm": 0.6, "LowerArm": 0.7}, 1.0),
        ("fore_upper_leg.L", {"UpperArm": 1.0}, 1.0),
        ("forefoot.L", {"Hand": 1.0}, 1.0),
        ("fore_finger.L", {"Index": 1.0}, 1.0),  # of what is no leg it is a finger
        ("fore.L", {"Index": 1.0}, 1.0),
        ("hind_leg.L", {"UpperLeg": 0.6, "LowerLeg": 0.7}, 1.0),
        ("hindfoot.L", {"Foot": 1.0}, 1.0),
        ("front_toe.L", {"Toes": 1.0}, 1.0),
        ("front_head", {"head": 1.0}, 1.0),
        ("string_01", {}, 1.0),
        ("hair.L", {}, 0.05),
        ("master", {"root": 0.5}, 0.5),
    ],
)
def test_what_names_mean(text: str, parts: dict[str, float], doubt: float) -> None:
    name = read(text)
    assert name.parts == pytest.approx(parts) and name.doubt == pytest.approx(doubt)


@pytest.mark.parametrize(
    ("text", "joint", "finger"),
    [
        ("index_metacarpal.L", 0, "Index"),
        ("index_proximal.L", 1, "Index"),
        ("pinky_intermediate.L", 2, "Little"),
        ("thumb_distal.L", 3, "Thumb"),
        ("thumb_tip.L", None, "Thumb"),
        ("hand.L", None, ""),
        ("finger_1.L", None, ""),
    ],
)
def test_joints_of_fingers_have_names(text: str, joint: int | None, finger: str) -> None:
    assert (read(text).joint, read(text).finger) == (joint, finger)


def test_the_other_side() -> None:
    assert [other(side) for side in ("left", "right", "")] == ["right", "left", ""]


PARTS = ("Hips", "Spine", "Head", "LeftArm", "RightArm", "LeftFoot", "RightFoot", "Neck")


@pytest.mark.parametrize("text", ["mixamorig{}", "Bip01 {}", "{}_jnt", "{}_x7", "foo_{}_end", "Rig.{}.001", "{}"])
def test_what_most_names_begin_or_end_with_is_no_part_of_them(text: str) -> None:
    names = [text.format(part) for part in PARTS]
    assert read_names(names) == read_names(PARTS)
    # Three of five need it, and those without it keep theirs.
    names[0], names[1], names[2] = PARTS[:3]
    assert [name.parts for name in read_names(names)] == [name.parts for name in read_names(PARTS)]


def test_what_fewer_names_begin_with_is_a_part_of_them() -> None:
    names = [f"zzz_{part}" if number < 4 else part for number, part in enumerate(PARTS)]
    assert [name.tokens[0] == "zzz" for name in read_names(names)] == [True] * 4 + [False] * 4


@pytest.mark.parametrize(("others", "cut"), [(("qx12", "qx13"), True), (("qx12", "qx13", "qx14"), False), (("qx1", "qx12", "qx13"), False)])
def test_numbers_that_most_names_begin_with_are_not_cut_apart(others: tuple[str, ...], cut: bool) -> None:
    """Where more than a quarter of the names go on in digits there, or end: of eight three."""
    names = [f"qx1{letter}" for letter in "abcdefgh"[: 8 - len(others)]]
    assert [name.numbers for name in read_names([*names, *others])[:5]] == [() if cut else ("1",)] * 5
    assert [name.numbers for name in read_names([f"bone1{digit}" for digit in range(6)])] == [(f"1{digit}",) for digit in range(6)]


def test_who_is_called_what_most_names_begin_or_end_with_keeps_its_name() -> None:
    assert read_names(["x_hand", "x_foot", "x_head", "x_spine", "x_"])[-1].tokens == ("x",)
    assert read_names(["hand_jnt", "foot_jnt", "head_jnt", "neck_jnt", "_jnt"])[-1].tokens == ("jnt",)
    assert [name.tokens for name in read_names(["hand"] * 5)] == [("hand",)] * 5


@pytest.mark.parametrize("prefix", ["Left", "Spine", "Hand", "r"])
def test_a_prefix_that_means_a_part_of_the_body_or_a_side_stays(prefix: str) -> None:
    """Of a figure of which only an arm is rigged."""
    names = [f"{prefix}_{letter}q" for letter in "uvwxyz"]
    assert all(len(name.tokens) + bool(name.side) >= 2 for name in read_names(names))


def test_a_side_at_the_end_of_most_names_stays() -> None:
    assert [name.side for name in read_names([f"{part}_l" for part in ("arm", "hand", "foot", "toe", "thigh", "calf")])] == ["left"] * 6


@pytest.mark.parametrize(("sides", "count", "known"), [("gd", 4, True), ("gd", 3, False), ("id", 4, True), ("ed", 5, True)])
def test_letters_of_romance_languages_are_sides_where_there_are_no_others(sides: str, count: int, known: bool) -> None:
    """In equal numbers, of four bones at least."""
    parts = ("bras", "main", "jambe", "pied", "genou")[:count]
    names = [f"{part}_{side}" for part in parts for side in sides]
    read_sides = [name.side for name in read_names(names)]
    assert read_sides == (["left", "right"] * count if known else [""] * 2 * count)
    assert not any(name.side for name in read_names([*names, f"tête_{sides[0]}"])), "one more of one side"
    assert [name.side for name in read_names([*names, "hand_l"])][-1] == "left"
    assert not any(name.side for name in read_names([*names, "hand_l"])[:-1]), "where there are others they are none"


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("upperarm", ("upperarm",)),
        ("handfoot", ("hand", "foot")),
        ("lefthandtwist", ("hand", "twist")),
        ("handl", ("hand",)),
        ("handlx", ("handlx",)),
        ("hlhand", ("hlhand",)),
        ("UPPERARM", ("upperarm",)),
        ("lfarm", ("arm",)),  # two letters for a side rather than one
        ("lorigin", ("origin",)),  # and one rather than three tokens, as of lo, rig and in
        ("FKhand", ("fk", "hand")),
        ("upperArmTWIST", ("upper", "arm", "twist")),
    ],
)
def test_runs_of_letters_are_the_fewest_known_tokens_that_make_them_up(text: str, tokens: tuple[str, ...]) -> None:
    assert read(text).tokens == tokens


@pytest.mark.parametrize(("prefix", "inside"), [("x", True), ("xy", False), ("xyz", False), ("l", True), ("hand", True), ("root", False)])
def test_what_names_begin_with_is_cut_unless_it_says_something(prefix: str, inside: bool) -> None:
    """A side, a part of the body, or a single letter; that of all bones is none of them."""
    assert _ends_inside(prefix) == inside


def test_letters_without_end_are_no_names() -> None:
    """Six times one of eight letters is taken apart, and not with a letter more: that would take ever longer."""
    assert read("shoulder" * 6).tokens == ("shoulder",) * 6
    assert read("shoulder" * 6 + "l").tokens == ("shoulder" * 6 + "l",)
