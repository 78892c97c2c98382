"""Bone maps between figures: left stays left, order is kept, what is not sure says so, and any skeleton gives a map."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap
from retro_anim.core.retarget.figures.roles import ROLES
from retro_anim.core.retarget.mapping.humanoid.evidence import Labels
from retro_anim.core.retarget.mapping.mapping import labels_of, map_bones
from retro_anim.core.retarget.mapping.naming.names import read_names

from ..rigs import NAMES, humanoid
from .given import figure_of
from .zoo import Rig, build
from .zoo_changes import cluttered, numbered
from .zoo_rigs import COMMON, OTHERS

MIXAMO, UNREAL_5 = build(COMMON[0]), build(COMMON[2])


def test_same_skeleton_follows_itself_bone_by_bone() -> None:
    result = map_bones(humanoid(), humanoid())
    assert [(pair.source, pair.target, pair.confidence) for pair in result] == [
        (name, name, 1.0) for name in sorted(NAMES, key=ROLES.index)
    ]


def test_spines_and_fingers_of_another_length_become_chains() -> None:
    result = map_bones(MIXAMO.figure, UNREAL_5.figure)
    chains = {chain.name: (chain.source, chain.target) for chain in result.chains}
    assert chains["spine"] == (
        ("mixamorig:Spine", "mixamorig:Spine1", "mixamorig:Spine2"),
        ("spine_01", "spine_02", "spine_03", "spine_04", "spine_05"),
    )
    back = map_bones(UNREAL_5.figure, MIXAMO.figure)
    assert {chain.name: (chain.target, chain.source) for chain in back.chains} == chains
    assert {(pair.target, pair.source) for pair in back} == {(pair.source, pair.target) for pair in result}


_PRINT = """
from dataclasses import replace
from core.retarget.mapping.test_mapping import MIXAMO, UNREAL_5
from core.retarget.mapping.zoo import build
from core.retarget.mapping.zoo_changes import cluttered
from core.retarget.mapping.zoo_rigs import COMMON
from retro_anim.core.retarget.figures.maps.map_file import pack
from retro_anim.core.retarget.mapping.mapping import map_bones
for one, two in ((UNREAL_5, MIXAMO), (MIXAMO, build(replace(COMMON[1], hand="@_01_*"))), (cluttered(MIXAMO, 7), cluttered(UNREAL_5, 8))):
    print(pack(map_bones(one.figure, two.figure)).decode())
"""


def test_the_map_is_the_same_in_every_run() -> None:
    """Sets of words come in another order in each process; the map does not."""
    tests = Path(__file__).parents[3]
    said: list[bytes] = []
    for seed in ("1", "2", "3"):
        surroundings = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": seed}
        created = subprocess.run([sys.executable, "-c", _PRINT], cwd=tests, env=surroundings, capture_output=True, check=False, timeout=300)
        assert created.returncode == 0, created.stderr.decode()
        said.append(created.stdout)
    assert said[0] and said[0] == said[1] == said[2]


def test_doubtful_pairs_say_why() -> None:
    nameless = numbered(build(COMMON[3]), 3).figure
    result = map_bones(MIXAMO.figure, nameless)
    shoulder = result.role("leftShoulder")
    assert shoulder is not None and 0.3 < shoulder.confidence < 0.8
    assert shoulder.note == "target: not by its name; by its position in the skeleton"
    named = map_bones(MIXAMO.figure, UNREAL_5.figure).role("leftShoulder")
    assert named is not None and named.confidence > 0.9 and named.note == ""


def test_names_decide_the_sides_of_a_figure_that_looks_backwards() -> None:
    """A body turned about, of which the structure alone would take left for right."""
    rotated = replace(MIXAMO.figure, rest=MIXAMO.figure.rest * np.array([-1.0, -1.0, 1.0, 1.0])[:, None])
    result = labels_of(rotated)
    assert result.roles.keys() >= {f"{side}{part}" for side in ("left", "right") for part in ("UpperArm", "Hand", "UpperLeg", "Foot")}
    assert all(rotated.names[bone] in MIXAMO.truth[role] for role, bone in result.roles.items() if role in MIXAMO.truth)


def test_tails_and_wings_are_matched_beside_the_body() -> None:
    source, target = cluttered(MIXAMO, 7), cluttered(build(COMMON[3]), 7)
    extra = {name for name in source.figure.names if name not in MIXAMO.figure.names}
    assert {"tail_01", "wing_01_L", "cape_01_R"} & extra
    result = {pair.source: pair.target for pair in map_bones(source.figure, target.figure)}
    assert all(result[name] == name for name in extra)


def with_chain(names: tuple[str, str]) -> Figure:
    """The mannequin with two more bones, one on the other, on its right hand."""
    figure, hand = MIXAMO.figure, MIXAMO.figure.index["mixamorig:RightHand"]
    position = figure.heads[hand]
    down = np.array([0.0, -0.3, 0.0])
    heads = np.concatenate([figure.heads, [position + down, position + 2 * down]])
    return figure_of([*figure.names, *names], [*figure.parents.tolist(), hand, len(figure)], heads)


def test_bones_of_one_name_that_hang_the_other_way_round_are_not_both_paired() -> None:
    result = {pair.source: pair.target for pair in map_bones(with_chain(("hilt", "blade")), with_chain(("blade", "hilt")))}
    assert len(result.keys() & {"hilt", "blade"}) == 1


def test_bones_of_the_middle_with_opposite_sides_in_their_names_are_not_paired() -> None:
    """Left and right are never crossed, whatever else speaks for a pair."""
    left = MIXAMO.renamed({name: name + ("_L" if name == "mixamorig:Neck" else "") for name in MIXAMO.figure.names})
    right = MIXAMO.renamed({name: name + ("_R" if name == "mixamorig:Neck" else "") for name in MIXAMO.figure.names})
    assert map_bones(left.figure, MIXAMO.figure).role("neck") is not None
    assert map_bones(left.figure, right.figure).role("neck") is None
    right_spine = UNREAL_5.renamed({name: name + ("_r" if name == "spine_03" else "") for name in UNREAL_5.figure.names})
    left_spine = MIXAMO.renamed({name: name + ("_L" if name == "mixamorig:Spine1" else "") for name in MIXAMO.figure.names})
    assert "spine" in {chain.name for chain in map_bones(MIXAMO.figure, right_spine.figure).chains}
    assert "spine" not in {chain.name for chain in map_bones(left_spine.figure, right_spine.figure).chains}


def test_a_bone_called_right_is_never_left() -> None:
    """Though it hangs where the left hand is."""
    built = MIXAMO.renamed({name: "mixamorig:RightHand2" if name == "mixamorig:LeftHand" else name for name in MIXAMO.figure.names})
    result = labels_of(built.figure)
    assert built.figure.names[result.roles["leftLowerArm"]] == "mixamorig:LeftForeArm"
    assert "leftHand" not in result.roles or built.figure.names[result.roles["leftHand"]] != "mixamorig:RightHand2"


def beast(legs: int, tail: int, prefix: str, scale: float = 1.0) -> Figure:
    """A body of one bone with pairs of legs along it, each of three bones, and a tail."""
    names, parents, heads = [f"{prefix}0"], [-1], [[0.0, 0.0, 1.0]]
    for pair in range(legs):
        for side in (1, -1):
            parent = 0
            for joint in range(3):
                names.append(f"{prefix}{len(names)}")
                parents.append(parent)
                parent = len(names) - 1
                heads.append([side * (0.3 + 0.2 * joint), pair * 0.5 - 0.5, 1.0 - 0.3 * joint])
    parent = 0
    for joint in range(tail):
        names.append(f"{prefix}{len(names)}")
        parents.append(parent)
        parent = len(names) - 1
        heads.append([0.0, 1.0 + 0.2 * joint, 1.0])
    return figure_of(names, parents, np.array(heads) * scale)


def test_beasts_follow_by_their_chains() -> None:
    """Six legs and a tail, other numbers and size: each leg its own, the tail bone by bone though it is longer."""
    source, target = beast(3, 4, "a"), beast(3, 6, "b", 2.5)
    result = map_bones(source, target)
    pairs = {pair.source: pair.target for pair in result}
    assert all(pairs[f"a{bone}"] == f"b{bone}" for bone in range(19))
    (tail,) = result.chains
    assert tail.source == ("a19", "a20", "a21", "a22") and tail.target == ("b19", "b20", "b21", "b22", "b23", "b24")


def test_a_lone_arm_is_not_mapped_onto_the_other_side() -> None:
    def one_armed(side: float) -> Figure:
        heads = np.array([[0, 0, 1.0], [0, 0, 0.5], [0, 0, 0.0], [side * 0.3, 0, 1.0], [side * 0.6, 0, 1.0], [side * 0.9, 0, 1.0]])
        return figure_of([f"{'l' if side > 0 else 'r'}x{bone}" for bone in range(6)], [-1, 0, 1, 0, 3, 4], heads)

    assert len(map_bones(one_armed(1), one_armed(1.1))) >= 3
    assert not {"lx3", "lx4", "lx5"} & {pair.source for pair in map_bones(one_armed(1), one_armed(-1))}


@pytest.mark.parametrize(
    ("thumb", "others"),
    [
        ("Thumb@", ("Finger1@", "Finger2@", "Finger3@", "Finger4@")),
        ("Finger0@", ("Finger1@", "Finger2@", "Finger3@", "Finger4@")),
        ("Finger1@", ("Finger2@", "Finger3@", "Finger4@", "Finger5@")),
        ("finger01_@", ("finger02_@", "finger03_@", "finger04_@", "finger05_@")),
        ("digit_1-@", ("digit_2-@", "digit_3-@", "digit_4-@", "digit_5-@")),
    ],
)
def test_numbered_fingers(thumb: str, others: tuple[str, ...]) -> None:
    """Counted from 0, from 1, or from 1 beside a thumb that has a name."""
    called = dict(zip(("Thumb", "Index", "Middle", "Ring", "Pinky"), (thumb, *others), strict=True))
    names = {name: name for name in MIXAMO.figure.names}
    for side in ("Left", "Right"):
        for finger, pattern in called.items():
            for joint in (1, 2, 3):
                names[f"mixamorig:{side}Hand{finger}{joint}"] = f"{side}_{pattern.replace('@', str(joint))}"
            names[f"mixamorig:{side}Hand{finger}4"] = f"{side}_{finger}_tip"
    renamed = MIXAMO.renamed(names)
    result = labels_of(renamed.figure).roles
    fingers = {
        role: right[0] for role, right in renamed.truth.items() if role.endswith(("Proximal", "Intermediate", "Distal", "Metacarpal"))
    }
    assert {role: renamed.figure.names[result[role]] for role in fingers if role in result} == fingers


@pytest.mark.parametrize(
    ("name", "side", "part"),
    [
        ("LeftHandIndex1", "left", "Index"),
        ("lefthandindex1", "left", "Index"),
        ("rForearmBend", "right", "LowerArm"),
        ("upperarm_l", "left", "UpperArm"),
        ("thigh.R.001", "right", "UpperLeg"),
        ("左ひざ", "left", "LowerLeg"),
        ("左足首", "left", "Foot"),
        ("Bip01 R Calf", "right", "LowerLeg"),
        ("ValveBiped.Bip01_L_UpperArm", "left", "UpperArm"),
        ("lShldr", "left", "UpperArm"),
        ("RightToeBase", "right", "Toes"),
        ("Oberschenkel.L", "left", "UpperLeg"),
        ("arm left shoulder 2", "left", "Shoulder"),
        ("LOWERARM_R", "right", "LowerArm"),
        ("SKEL_L_Clavicle", "left", "Shoulder"),
        ("mCollarRight", "right", "Shoulder"),
    ],
)
def test_names_are_taken_apart(name: str, side: str, part: str) -> None:
    (result,) = read_names([name])
    assert result.side == side
    assert result.parts[part] >= 0.7


@pytest.mark.parametrize("name", ["string_01", "earring_l", "armature", "rear_wheel", "handle", "leather", "clip_R", "Legend"])
def test_words_inside_words_are_not_taken(name: str) -> None:
    (result,) = read_names([name])
    assert max(result.parts.get(part, 0.0) for part in ("UpperArm", "Hand", "UpperLeg", "LowerLeg", "Ring", "hips")) < 0.35


_TOKENS = (
    "Bone joint left Right L R arm ForeArm hand leg thigh shin foot toe spine chest neck head hips pelvis root tail 左 右 腕 twist ik .001 "
    "_ - : 1 02"
)


@st.composite
def figures(draw: st.DrawFn) -> Figure:
    """Any tree of bones, with names that mean something or nothing, anywhere, also at one place."""
    count = draw(st.integers(0, 16))
    parents = [draw(st.integers(-1, bone - 1)) for bone in range(count)]
    used: set[str] = set()
    names: list[str] = []
    for bone in range(count):
        name = draw(st.one_of(st.text(max_size=8), st.lists(st.sampled_from(_TOKENS.split()), min_size=1, max_size=4).map("".join)))
        while not name or name in used:  # as Blender does
            name = f"{name}.{bone:03d}"
        names.append(name)
        used.add(names[-1])
    positions = st.sampled_from((0.0, 0.1, 0.2, 0.5, 1.0, -0.1, -0.5, 1e-9, 1e6))
    heads = np.array([[draw(positions) for _ in range(3)] for _ in range(count)]).reshape(-1, 3)
    return figure_of(names, parents, heads)


def _check(result: BoneMap, source: Figure, target: Figure) -> None:
    targets = [pair.target for pair in result] + [name for chain in result.chains for name in chain.target]
    assert len(set(targets)) == len(targets)
    assert set(targets) <= set(target.names)
    assert {pair.source for pair in result} | {name for chain in result.chains for name in chain.source} <= set(source.names)
    assert all(0 <= pair.confidence <= 1 for pair in result)
    assert result.source_fingerprint == source.fingerprint and result.target_fingerprint == target.fingerprint


def _kept_apart(result: BoneMap, one: Labels, two: Labels, source: Figure, target: Figure) -> None:
    for pair in result:
        sides = {one.sides[source.index[pair.source]], two.sides[target.index[pair.target]]} - {""}
        assert len(sides) < 2
        assert not pair.role.startswith(("left", "right")) or not sides or pair.role.startswith(sides.pop())


@settings(deadline=None, max_examples=40)
@given(figures(), figures())
def test_any_two_skeletons_give_a_map_that_crosses_nothing(source: Figure, target: Figure) -> None:
    result = map_bones(source, target)
    _check(result, source, target)
    if source.fingerprint != target.fingerprint:
        _kept_apart(result, labels_of(source), labels_of(target, True), source, target)
    assert map_bones(source, target) == result


def test_a_bone_named_left_never_follows_one_named_right_where_only_their_place_is_alike() -> None:
    """Beasts are matched by where their bones are. Nothing else holds these two together."""
    source = figure_of(["0", "L", "2"], [-1, 0, 1], np.array([[0, 0, 0], [0, 0, 0], [0, 0, 0.1]], float))
    heads = np.zeros((8, 3))
    heads[7, 2] = 0.1
    target = figure_of(["0", "1", "2", "3", "4", "5", "6", "R"], [-1, 0, 0, 1, 3, 0, 4, 6], heads)
    assert not [pair for pair in map_bones(source, target) if pair.target == "R"]


@settings(deadline=None, max_examples=20)
@given(st.sampled_from((*COMMON, *OTHERS)), figures())
def test_a_person_and_any_skeleton(rig: Rig, other: Figure) -> None:
    figure = build(rig).figure
    _check(map_bones(figure, other), figure, other)
    _check(map_bones(other, figure), other, figure)


@pytest.mark.parametrize("rig", (*COMMON, *OTHERS), ids=lambda rig: rig.name)
def test_order_is_kept_along_limbs(rig: Rig) -> None:
    """Of two pairs of one limb the source's upper bone has the target's upper bone."""
    figure = build(rig).figure
    for other in (MIXAMO.figure, UNREAL_5.figure):
        pairs = [(figure.index[pair.source], other.index[pair.target]) for pair in map_bones(figure, other)]
        for one, two in pairs:
            for three, four in pairs:
                if one != three and figure.is_below(three, one):
                    assert not other.is_below(two, four)


def test_a_long_chain_and_a_wide_hub_are_done_in_time() -> None:
    count = 1000
    heads = np.zeros((count, 3))
    heads[:, 2] = np.arange(count)
    chain = figure_of([f"b{bone}" for bone in range(count)], list(range(-1, count - 1)), heads)
    hub = figure_of([f"b{bone}" for bone in range(count)], [-1] + [0] * (count - 1), np.random.default_rng(0).normal(size=(count, 3)))
    assert map_bones(chain, MIXAMO.figure).target_fingerprint and map_bones(hub, MIXAMO.figure).target_fingerprint
