"""What the structure of a person says, and how surely, worked out by hand from the offsets of a made-up one's joints."""

from __future__ import annotations

from dataclasses import replace
from math import exp

import numpy as np
import pytest
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.anatomy.joints import Joints
from retro_anim.core.retarget.anatomy.limbs import arm_positions, find_limbs, leg_positions, suits_both
from retro_anim.core.retarget.anatomy.structure import Structure, _point_on, analyse
from retro_anim.core.retarget.anatomy.tree import Tree
from retro_anim.core.retarget.anatomy.tree import tree_of as some_of

from .. import rigs

Offset = tuple[float, float, float]
Bone = tuple[str, str, Offset]


def tree_of(moved: dict[str, Offset] | None = None, more: tuple[Bone, ...] = (), tails: Floats | None = None) -> tuple[Tree, list[str]]:
    """A person and the names of its bones. moved: other offsets of some joints; those without a side are of both sides' joints. more: name,
    parent and offset of further bones, behind the others. tails: (N, 3), without them every bone ends where it begins."""
    offsets: dict[str, Floats] = {name: np.array(offset) for name, offset in zip(rigs.NAMES, rigs.OFFSETS, strict=True)}
    for name, offset in (moved or {}).items():
        for side, mirror in (("", 1), ("left", 1), ("right", -1)):
            if side + name in offsets:
                offsets[side + name] = np.array(offset) * [mirror, 1, 1]
    above = {name: rigs.NAMES[parent] if parent >= 0 else "" for name, parent in zip(rigs.NAMES, rigs.PARENTS.tolist(), strict=True)}
    for name, parent, offset in more:
        above[name], offsets[name] = parent, np.array(offset)
    names, heads = list(above), dict[str, Floats]()
    for name in names:
        heads[name] = offsets[name] + (heads[above[name]] if above[name] else 0.0)
    points = np.array([heads[name] for name in names])
    parents = tuple(names.index(above[name]) if above[name] else -1 for name in names)
    return Tree(tuple(range(len(names))), parents, points, points if tails is None else tails), names


def read(
    moved: dict[str, Offset] | None = None, more: tuple[Bone, ...] = (), left: Floats | None = None
) -> tuple[Structure, dict[str, str]]:
    """And by role the name of its bone."""
    tree, names = tree_of(moved, more)
    structure = analyse(tree, left)
    assert structure is not None
    return structure, {role: names[bone] for role, bone in structure.roles.items()}


def test_how_sure_the_parts_of_a_person_are() -> None:
    """0.95 for limbs that cost nothing and are alike, less by a tenth of what they cost; toes 0.7, collar bones 0.9 of that."""
    structure, named = read()
    assert all(role == name for role, name in named.items())
    nodes = Joints(tree_of()[0])
    legs, arms = find_limbs(nodes) or (None, None)
    assert legs is not None and arms is not None
    leg, _ = suits_both(*(leg_positions(nodes, path) for path in legs.paths))
    arm, _ = suits_both(*(arm_positions(nodes, path, 0.08) for path in arms.paths))
    assert leg > 0 and arm > 0
    wanted = {"hips": 0.95, "spine": 0.9, "chest": 0.9, "upperChest": 0.9, "neck": 0.7, "head": 0.75}
    for side in ("left", "right"):
        wanted.update({f"{side}{part}": 0.95 * exp(-0.1 * leg) for part in ("UpperLeg", "LowerLeg", "Foot")})
        wanted.update({f"{side}{part}": 0.95 * exp(-0.1 * arm) for part in ("UpperArm", "LowerArm", "Hand")})
        wanted.update({f"{side}Toes": 0.7 * 0.95 * exp(-0.1 * leg), f"{side}Shoulder": 0.9 * 0.95 * exp(-0.1 * arm)})
    assert structure.confidence == pytest.approx(wanted)
    assert [named[role] for role in ("hips", "neck")] == ["hips", "neck"]
    assert [rigs.NAMES[bone] for bone in structure.spine] == ["spine", "chest", "upperChest"]
    assert [rigs.NAMES[bone] for bone in structure.neck] == ["neck"]


def test_limbs_that_differ_are_less_sure() -> None:
    """By 0.4 of how little they are alike; the parts of the trunk by 0.45."""
    longer = replace(rigs.humanoid())
    heads = longer.heads.copy()
    for name in ("LowerLeg", "Foot", "Toes"):
        heads[rigs.NAMES.index(f"left{name}"), 2] -= 0.03
    for name in ("LowerArm", "Hand", "IndexProximal", "LittleProximal"):
        heads[rigs.NAMES.index(f"left{name}"), 0] += 0.03
    tree = Tree(tuple(range(len(heads))), tuple(rigs.PARENTS.tolist()), heads, heads)
    legs, arms = find_limbs(Joints(tree)) or (None, None)
    structure, plain = analyse(tree), read()[0]
    assert structure is not None and legs is not None and arms is not None and 0.5 < legs.alike < 1 and 0.5 < arms.alike < 1
    assert structure.confidence["hips"] == pytest.approx(0.5 + 0.45 * legs.alike)
    assert structure.confidence["spine"] == pytest.approx(0.45 + 0.45 * arms.alike)
    nodes = Joints(tree)
    for pair, role, cost in (
        (legs, "leftFoot", suits_both(*(leg_positions(nodes, path) for path in legs.paths))[0]),
        (arms, "leftHand", suits_both(*(arm_positions(nodes, path, 0.08) for path in arms.paths))[0]),
    ):
        assert structure.confidence[role] == pytest.approx(0.95 * exp(-0.1 * cost) * (0.6 + 0.4 * pair.alike))
    assert structure.confidence["leftFoot"] < plain.confidence["leftFoot"]


@pytest.mark.parametrize(
    ("role", "sure"),
    [
        *((role, 0.7) for role in ("hips", "leftFoot", "rightToes", "leftUpperLeg", "spine", "head")),
        *((role, 0.8) for role in ("leftHand", "rightShoulder", "leftLowerArm")),
    ],
)
def test_a_role_is_as_sure_as_the_limbs_that_it_rests_on(role: str, sure: float) -> None:
    """Legs 0.7, arms 0.8, sides 0.9 or, for those that have one, less."""
    structure = replace(read()[0], legs_sure=0.7, arms_sure=0.8, sides_sure=0.9)
    assert structure.sure(role) == sure
    sided = role.startswith(("left", "right"))
    assert replace(structure, sides_sure=0.3).sure(role) == (0.3 if sided else sure)
    assert replace(structure, legs_sure=1.0).sure(role) == (1.0 if role == "hips" else 0.9 if sided and sure == 0.7 else 0.8)


@pytest.mark.parametrize(
    ("aside", "higher", "head"), [(0.0, 0.01, "plume"), (0.1, 0.14, "head"), (0.1, 0.16, "plume"), (-0.2, 0.29, "head")]
)
def test_the_head_is_what_goes_furthest_up_in_the_middle(aside: float, higher: float, head: str) -> None:
    """Beside the neck a bone that goes higher: what it is off to the side counts one and a half times against that."""
    offsets = dict(zip(rigs.NAMES, rigs.OFFSETS, strict=True))
    top = float(offsets["neck"][2] + offsets["head"][2])
    _, named = read(more=(("plume", "upperChest", (aside, 0.0, top + higher)),))
    assert named["head"] == head


@pytest.mark.parametrize("away", [(0.0, -100.0, 0.0), (0.0, 100.0, 0.0), (100.0, 0.0, 0.0), (0.0, 0.0, -100.0)])
def test_where_a_person_stands_says_nothing_of_where_it_faces(away: Offset) -> None:
    tree, _ = tree_of()
    shifted = analyse(replace(tree, heads=tree.heads + np.array(away), tails=tree.tails + np.array(away)))
    plain = read()[0]
    assert shifted is not None and shifted.roles == plain.roles
    assert shifted.forward == pytest.approx(plain.forward) and shifted.sides_sure == pytest.approx(plain.sides_sure)


@pytest.mark.parametrize(("up", "hips"), [(0.25, "hips"), (0.1, "spine")])
def test_legs_that_hang_on_the_spine_have_their_hips_at_the_first_bone(up: float, hips: str) -> None:
    """Which is 0.05 above the middle between them, where that which they hang on is 0.3, not where it is 0.15."""
    tree, names = tree_of({"spine": (0.0, 0.0, up)})
    at = {name: bone for bone, name in enumerate(names)}
    parents = list(tree.parents)
    parents[at["leftUpperLeg"]] = parents[at["rightUpperLeg"]] = at["spine"]
    structure = analyse(replace(tree, parents=tuple(parents)))
    assert structure is not None and names[structure.roles["hips"]] == hips


def test_what_has_fewer_than_six_bones_is_nobody() -> None:
    assert analyse(Tree(tuple(range(5)), (-1, 0, 0, 0, 0), np.zeros((5, 3)), np.zeros((5, 3)))) is None


def aslant(degrees: float) -> dict[str, Offset]:
    """Arms that go down as the legs do, and so far to the side; the trunk goes ahead."""
    angle = np.radians(degrees)
    arm = (0.42 * np.sin(angle), 0.0, -0.42 * np.cos(angle))
    trunk = dict.fromkeys(("spine", "chest", "upperChest", "neck", "head"), (0.0, -0.15, 0.0))
    return {**trunk, "LowerArm": arm, "Hand": arm}


@pytest.mark.parametrize(
    ("moved", "beast"),
    [
        (aslant(0), True),
        ({**aslant(0), "LowerArm": (0, 0, -0.1), "Hand": (0, 0, -0.1)}, False),  # arms that are short beside the legs
        ({**aslant(0), "LowerArm": (0, 0, -0.75), "Hand": (0, 0, -0.75)}, False),  # and long ones
        ({**aslant(0), **dict.fromkeys(("spine", "chest", "upperChest"), (0.0, -0.05, 0.2))}, False),  # a trunk that goes up
        ({**aslant(0), **dict.fromkeys(("spine", "chest", "upperChest"), (0.0, -0.01, 0.001))}, False),  # hardly any trunk
    ],
)
@pytest.mark.parametrize("size", [0.01, 1.0, 100.0])
def test_who_goes_on_all_fours(moved: dict[str, Offset], beast: bool, size: float) -> None:
    """However large."""
    tree, _ = tree_of(moved)
    assert (analyse(replace(tree, heads=size * tree.heads, tails=size * tree.tails)) is None) == beast


def test_arms_that_go_another_way_than_the_legs_are_a_person_s() -> None:
    """One to the left, the other to the right cancel each other out; both ahead, or both up, do not."""
    for arm in ((0.0, -0.42, 0.0), (0.0, 0.0, 0.42)):
        assert analyse(tree_of({**aslant(0), "LowerArm": arm, "Hand": arm})[0]) is not None


@pytest.mark.parametrize(("ahead", "beast"), [(0.1, True), (0.42, False)])
def test_a_limb_goes_from_where_it_begins_to_its_end(ahead: float, beast: bool) -> None:
    """Shins go straight down, and so do arms; with thighs along the trunk legs go half along it."""
    tree, _ = tree_of({**aslant(0), "LowerLeg": (0.0, -ahead, -0.42 if beast else 0.0)})
    assert (analyse(tree) is None) == beast


@pytest.mark.parametrize(("away", "hips"), [(0.1, "carrier"), (0.5, "pelvis")])
def test_hips_beside_the_spine_are_those_of_what_carries_both_where_that_is_near(away: float, hips: str) -> None:
    """To where the thighs begin: 0.15 of the figure's size, which is about 2.1."""
    tree, names = tree_of(more=(("pelvis", "hips", (0.0, away, 0.0)),))
    at = {name: bone for bone, name in enumerate(names)}
    parents = list(tree.parents)
    parents[at["leftUpperLeg"]] = parents[at["rightUpperLeg"]] = at["pelvis"]
    order = [at["hips"], at["pelvis"], *(bone for bone in range(len(names)) if bone not in (at["hips"], at["pelvis"]))]
    heads = tree.heads.copy()
    for name in ("UpperLeg", "LowerLeg", "Foot", "Toes"):
        for side in ("left", "right"):
            heads[at[side + name], 1] += away
    moved = Tree(
        tuple(range(len(order))),
        tuple(order.index(parents[bone]) if parents[bone] >= 0 else -1 for bone in order),
        heads[order],
        heads[order],
    )
    structure = analyse(moved)
    assert structure is not None
    assert names[order[structure.roles["hips"]]] == ("hips" if hips == "carrier" else "pelvis")
    assert [names[order[bone]] for bone in structure.spine] == ["spine", "chest", "upperChest"]


PLUME: tuple[Bone, ...] = (("plume", "upperChest", (0.0, 0.3, 0.1)), ("feather", "plume", (0.0, 0.3, 0.1)))
WING: tuple[Bone, ...] = (("wing", "upperChest", (0.3, 0.0, 0.2)), ("feather", "wing", (0.3, 0.0, 0.2)))


@pytest.mark.parametrize("more", [PLUME, WING])
def test_the_head_is_on_the_branch_that_goes_on_from_the_trunk(more: tuple[Bone, ...]) -> None:
    """A longer one backwards is lower; one to the side is higher, but not in the middle."""
    _, named = read(more=more)
    assert (named["neck"], named["head"]) == ("neck", "head")


def test_of_the_branches_above_the_neck_the_head_is_on_the_highest() -> None:
    more: tuple[Bone, ...] = (("braid", "neck", (0.0, 0.1, 0.02)), ("tip", "braid", (0.0, 0.1, -0.1)), ("crown", "head", (0.0, 0.0, 0.15)))
    structure, named = read(more=more)
    assert named["head"] == "head" and structure.confidence["head"] == 0.75


@pytest.mark.parametrize(
    ("steps", "head"),
    [
        ((0.04, 0.04, 0.3), 2),  # a bone of more than 0.085 of the figure's height
        ((0.04, 0.07, 0.07), 1),  # one of more than 1.6 times the one before
        ((0.04, 0.06, 0.06), 3),  # none of them: the last bone
        ((0.01, 0.06, 0.06), 3),  # a very short one before says nothing
        ((0.2, 0.04, 0.04), 0),
    ],
)
def test_a_head_is_the_first_long_bone_above_the_arms(steps: tuple[float, float, float], head: int) -> None:
    """Of a figure of about 1.4: legs of 0.83, a trunk of 0.4, and all that is above the arms."""
    names = ["neck", "head", "one", "two"]
    more: tuple[Bone, ...] = (("one", "head", (0, 0, steps[1])), ("two", "one", (0, 0, steps[2])))
    structure, named = read({"neck": (0, 0, 0.1), "head": (0, 0, steps[0])}, more)
    assert named["head"] == names[head]
    assert named.get("neck") == (names[0] if head else None) and len(structure.neck) == head


def test_a_bone_of_the_neck_on_which_several_hang_is_the_head() -> None:
    """As eyes and a jaw do; not the first one, from which something else may hang."""
    more: tuple[Bone, ...] = (("eye", "head", (0.02, -0.04, 0.01)), ("crown", "head", (0, 0, 0.05)), ("strand", "neck", (0.0, 0.05, 0.0)))
    assert read({"head": (0, 0, 0.05)}, more)[1]["head"] == "head"


SHORT = {"LowerLeg": (0.0, 0.0, -0.42), "Foot": (0.0, 0.0, -0.42)}
"""Straight legs of 0.84, whose toes alone show where forward is."""
UPRIGHT = {"spine": (0.0, 0.0, 0.1), "upperChest": (0.0, 0.0, 0.15)}


@pytest.mark.parametrize("toes", [0.15, 0.01, 0.02, -0.02, -0.15, 0.001])
def test_toes_show_where_forward_is(toes: float) -> None:
    """By twice their part of the leg's length, in both legs: from 0.15 on they are sure, up to 0.02 they say nothing, and one looks along
    -Y."""
    structure, named = read({**SHORT, **UPRIGHT, "Toes": (0.0, -toes, -0.07)})
    shown = 2 * 2 * abs(toes) / 0.84
    back = toes < 0
    assert structure.forward == pytest.approx([0, 1 if back else -1, 0]) and structure.up == pytest.approx([0, 0, 1])
    assert structure.left == pytest.approx([-1 if back else 1, 0, 0])
    assert named["leftFoot"] == ("rightFoot" if back else "leftFoot") and named["leftHand"] == ("rightHand" if back else "leftHand")
    assert structure.sides_sure == pytest.approx(1.0 if shown > 0.15 else 0.6 + 0.25 * shown / 0.15)


@pytest.mark.parametrize("first", ["left", "right"])
def test_who_shows_nothing_looks_along_minus_y(first: str) -> None:
    """Straight legs, and toes that go down: left is along X, whatever the bones are called and whichever limbs are first."""
    tree, names = tree_of({**SHORT, **UPRIGHT, "Toes": (0.0, 0.0, -0.07), "UpperArm": (0.18, 0.0, 0.0)})
    heads = tree.heads * ([1, 1, 1] if first == "left" else [-1, 1, 1])
    structure = analyse(replace(tree, heads=heads, tails=heads))
    assert structure is not None and structure.left == pytest.approx([1, 0, 0]) and structure.forward == pytest.approx([0, -1, 0])
    assert [names[structure.roles[f"left{part}"]] for part in ("Foot", "Hand")] == [f"{first}Foot", f"{first}Hand"]


def test_arms_that_hang_on_the_trunk_have_no_collar_bones() -> None:
    """Nor is the upper arm one."""
    tree, names = tree_of()
    kept = [bone for bone, name in enumerate(names) if not name.endswith("Shoulder")]
    structure = analyse(some_of(kept, tree.parents, tree.heads, tree.tails))
    assert structure is not None
    named = {role: names[kept[bone]] for role, bone in structure.roles.items()}
    assert named == {role: role for role in named} and "leftUpperArm" in named and "leftShoulder" not in named


@pytest.mark.parametrize("knee", [0.02, 0.1, -0.1])
def test_knees_show_where_forward_is(knee: float) -> None:
    """By half of how far they are before the middle of hip and ankle."""
    structure, named = read({**UPRIGHT, "Toes": (0.0, 0.0, -0.07), "LowerLeg": (0.0, -knee, -0.42), "Foot": (0.0, knee, -0.42)})
    shown = 2 * 0.5 * abs(knee) / (2 * np.hypot(0.42, knee))
    assert named["leftFoot"] == ("leftFoot" if knee > 0 else "rightFoot")
    assert structure.sides_sure == pytest.approx(1.0 if shown > 0.15 else 0.6 + 0.25 * shown / 0.15)


def test_a_side_that_the_game_declares_is_sure() -> None:
    """Whatever the toes show; not where it is declared to be up."""
    for left, first in ((np.array([1.0, 0, 0]), "left"), (np.array([-1.0, 0, 0]), "right"), (np.array([0.1, 0, 1]), "left")):
        structure, named = read({**SHORT, **UPRIGHT}, left=left)
        assert named["leftFoot"] == f"{first}Foot" and structure.left[0] == pytest.approx(1 if first == "left" else -1)
        assert structure.sides_sure == 1


@pytest.mark.parametrize(("points", "sure"), [(True, 1.0), (False, 0.6)])
def test_the_ends_of_feet_count_where_bones_point_at_those_that_hang_on_them(points: bool, sure: float) -> None:
    """Without toes. Ends that go on from the shin, as importers draw them, say nothing."""
    tree, names = tree_of({**SHORT, **UPRIGHT})
    kept = [bone for bone, name in enumerate(names) if not name.endswith("Toes")]
    parents = [kept.index(tree.parents[bone]) if tree.parents[bone] >= 0 else -1 for bone in kept]
    heads = tree.heads[kept]
    below = [[child for child, parent in enumerate(parents) if parent == bone] for bone in range(len(kept))]
    tails = np.array([heads[each].mean(axis=0) if each and points else heads[bone] + [0, 0.1, 0] for bone, each in enumerate(below)])
    for bone, number in enumerate(kept):
        if names[number].endswith("Foot"):
            tails[bone] = heads[bone] + [0, -0.15, -0.05]
    ahead = Tree(tuple(range(len(kept))), tuple(parents), heads, tails)
    structure = analyse(ahead)
    assert structure is not None and structure.sides_sure == pytest.approx(sure)
    for bone, number in enumerate(kept):
        if names[number].endswith("Foot"):
            tails[bone] = heads[bone] + [0, -0.05, -0.15]
    straight = analyse(replace(ahead, tails=tails))
    assert straight is not None and straight.sides_sure == pytest.approx(0.6)


def test_arms_are_on_the_side_of_their_legs() -> None:
    """In whatever order they hang on their hub."""
    tree, names = tree_of()
    parts = ("Shoulder", "UpperArm", "LowerArm", "Hand", "IndexProximal", "LittleProximal")
    arm = [names.index(f"left{part}") for part in parts]
    order = [*(bone for bone in range(len(names)) if bone not in arm), *arm]
    parents = tuple(order.index(tree.parents[bone]) if tree.parents[bone] >= 0 else -1 for bone in order)
    structure = analyse(Tree(tuple(range(len(order))), parents, tree.heads[order], tree.heads[order]))
    assert structure is not None
    named = {role: names[order[bone]] for role, bone in structure.roles.items()}
    assert named == {role: role for role in named} and "leftHand" in named


def test_both_legs_show_where_forward_is() -> None:
    """Of one whose feet point opposite ways the one that points further."""
    tree, names = tree_of({**SHORT, **UPRIGHT})
    for ahead, back in ((0.15, 0.05), (0.05, 0.15)):
        heads = tree.heads.copy()
        for name, toes in (("left", -ahead), ("right", back)):
            ankle = heads[names.index(f"{name}Foot")]
            heads[names.index(f"{name}Toes")] = ankle + np.array([0, toes, -np.sqrt(0.17**2 - toes**2)])
        structure = analyse(replace(tree, heads=heads, tails=heads))
        assert structure is not None and structure.forward[1] == pytest.approx(-1 if ahead > back else 1)


def test_a_figure_all_in_one_plane_has_its_left_along_x() -> None:
    """Seen from the side: nothing of it is across."""
    tree, _ = tree_of({**SHORT, **UPRIGHT, "LowerArm": (0.0, 0.02, -0.27), "Hand": (0.0, -0.02, -0.25)})
    heads = tree.heads * [0, 1, 1]
    structure = analyse(replace(tree, heads=heads, tails=heads))
    assert structure is not None and np.abs(structure.left).tolist() == [1, 0, 0]


def test_bones_at_one_joint_are_collar_bones_and_neck() -> None:
    """Between where the arms hang together and the first that is long, or the head: they end where they begin."""
    tree, names = tree_of({"Shoulder": (0.0, 0.0, 0.0), "UpperArm": (0.18, 0.01, 0.12), "neck": (0.0, 0.0, 0.0), "head": (0.0, 0.0, 0.1)})
    structure = analyse(tree)
    assert structure is not None
    named = {role: names[bone] for role, bone in structure.roles.items()}
    assert [named[role] for role in ("leftShoulder", "rightShoulder", "leftUpperArm")] == ["leftShoulder", "rightShoulder", "leftUpperArm"]
    assert structure.confidence["leftShoulder"] == pytest.approx(0.8 * structure.confidence["leftUpperArm"])
    assert (named["neck"], named["head"]) == ("neck", "head")


@pytest.mark.parametrize(("pointing", "others", "shows"), [(3, 2, False), (4, 2, True), (7, 5, False), (7, 4, True), (0, 0, False)])
def test_bones_point_at_those_that_hang_on_them_where_more_than_three_of_five_do(pointing: int, others: int, shows: bool) -> None:
    """Of those on which something hangs, elsewhere than where they begin, and that have a length."""
    count = pointing + others + 1
    heads = np.outer(np.arange(count), (0, 0, 1.0))
    tails = heads + np.where((np.arange(count) < pointing)[:, None], (0, 0, 1.0), (1.0, 0, 0))
    heads, tails = np.append(heads, [heads[0]] * 3, axis=0), np.append(tails, [heads[0], heads[0], tails[0]], axis=0)
    parents = (*range(-1, count - 1), -1, count, 0)
    assert _point_on(Tree(tuple(range(count + 3)), parents, heads, tails)) == shows
