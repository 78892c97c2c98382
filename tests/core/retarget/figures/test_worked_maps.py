"""Bone maps by hand: the very text of a file, the bounds of its fields, and what a map knows of roles, bones and limbs."""

from __future__ import annotations

import json

import pytest
from retro_anim.core.reporting.errors import FormatError
from retro_anim.core.retarget.figures.maps import map_file
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap, Chain, Limb, Pair, PairOptions, ReferencePose
from retro_anim.core.retarget.figures.roles import other_side, role_label

EMPTY = """{
  "format": "retro_anim bone map",
  "version": 1,
  "source_fingerprint": "",
  "target_fingerprint": "",
  "pairs": [],
  "chains": []
}
"""

FULL = """{
  "format": "retro_anim bone map",
  "version": 1,
  "source_fingerprint": "0123456789abcdef",
  "target_fingerprint": "fedcba9876543210",
  "pairs": [
    {"source": "Hüfte", "target": "pelvis", "role": "hips"},
    {"source": "a", "target": "b", "confidence": 0.5, "note": "why", "options": {"turn": "NONE", "weight": 0.0, "tail": true}}
  ],
  "chains": [
    {"source": ["a", "b"], "target": ["c"], "mode": "ONE_TO_ONE", "weight": 0.25}
  ],
  "limbs": [
    {"limb": "hips", "height": 1.5},
    {"limb": "leftFoot", "reach": "SELF", "strength": 0.5, "near": 2.0, "stride": 0.0, "stance": -0.25}
  ],
  "poses": [
    {"name": "T", "target": {"arm": [0.6, 0.0, -0.8, 0.0]}}
  ]
}
"""

FULL_MAP = BoneMap(
    (Pair("Hüfte", "pelvis", "hips"), Pair("a", "b", "", 0.5, "why", PairOptions(rotation="NONE", weight=0.0, tail=True))),
    (Chain(("a", "b"), ("c",), mode="ONE_TO_ONE", weight=0.25),),
    "0123456789abcdef",
    "fedcba9876543210",
    (Limb("hips", height=1.5), Limb("leftFoot", "SELF", strength=0.5, near=2.0, stride=0.0, stance=-0.25)),
    (ReferencePose("T", target={"arm": (0.6, 0.0, -0.8, 0.0)}),),
)


@pytest.mark.parametrize(("bone_map", "text"), [(BoneMap(()), EMPTY), (FULL_MAP, FULL)])
def test_a_map_is_just_this_text(bone_map: BoneMap, text: str) -> None:
    """A line for each pair, chain, limb and pose, without what is usual; lists that most maps do not need are left out."""
    assert map_file.pack(bone_map).decode() == text
    assert map_file.parse(text.encode()) == map_file.parse(b"\xef\xbb\xbf" + text.encode()) == bone_map


def test_what_a_file_leaves_out_is_usual() -> None:
    rows = {"limbs": [{"limb": "rightHand"}], "chains": [{"source": ["a"], "target": ["b"]}]}
    read = map_file.parse(json.dumps({"format": "retro_anim bone map", "version": 1.0} | rows).encode())
    assert read == BoneMap((), (Chain(("a",), ("b",)),), limbs=(Limb("rightHand"),))
    assert (read.limbs[0].reach, read.limbs[0].strength, read.limbs[0].near, read.limbs[0].stride, read.limbs[0].stance) == (
        "NONE",
        1,
        0,
        1,
        0,
    )
    assert (read.limbs[0].height, read.chains[0].mode, read.chains[0].confidence, read.chains[0].weight) == (1, "INTERPOLATED", 1, 1)


def refused(change: dict[str, object]) -> str:
    """What is said of a file with these fields; "" where nothing is."""
    data = json.dumps({"format": map_file.FORMAT, "version": 1} | change).encode()
    try:
        map_file.parse(data)
    except FormatError as error:
        return error.problem
    return ""


def pair(**fields: object) -> dict[str, object]:
    return {"pairs": [{"source": "a", "target": "b"} | fields]}


def limb(**fields: object) -> dict[str, object]:
    return {"limbs": [{"limb": "leftFoot"} | fields]}


def chain(*target: str) -> dict[str, object]:
    return {"chains": [{"source": ["a"], "target": target}]}


def pose(*numbers: float) -> dict[str, object]:
    return {"poses": [{"name": "a", "source": {"b": numbers}}]}


@pytest.mark.parametrize(
    ("allowed", "not_allowed", "said"),
    [
        (pair(source="x" * 1024), pair(source="x" * 1025), "source of pair 1 is no text of at most 1024 printable characters"),
        (pair(note="\x20"), pair(note="\x1f"), "note of pair 1 is no text of at most 1024 printable characters"),
        (pair(note=""), pair(source=""), "source of pair 1 is empty"),
        (pair(confidence=0), pair(confidence=-0.001), "confidence of pair 1 is not from 0 to 1"),
        (pair(confidence=1), pair(confidence=1.001), "confidence of pair 1 is not from 0 to 1"),
        (pair(options={"offset": [1e6, -1e6, 0]}), pair(options={"offset": [0, 0, 1000001]}), "offset of options of pair 1 is no number"),
        (pair(options={"offset": [0, 0, 0]}), pair(options={"offset": [0, 0, 0, 0]}), "offset of options of pair 1 is not three angles"),
        (pair(options={"scale": True}), pair(options={"scale": 1}), "scale of options of pair 1 is neither true nor false"),
        (limb(near=0), limb(near=-0.001), "near of limb 1 is not from 0 to 1000"),
        (limb(height=1000), limb(height=1000.1), "height of limb 1 is not from 0 to 1000"),
        (limb(stance=-1e6), limb(stance=-1000001), "stance of limb 1 is no number"),
        (limb(stance=2), limb(stance="2"), "stance of limb 1 is no number"),
        (pose(0.6, 0, 0, 0), pose(0.5, 0, 0, 0), "source of pose 1 has a rotation that is no quaternion of four numbers"),
        (pose(0, 1.9, 0, 0), pose(0, 2, 0, 0), "source of pose 1 has a rotation that is no quaternion of four numbers"),
        (pose(0, 0, 0, 1), pose(0, 0, 1), "source of pose 1 has a rotation that is no quaternion of four numbers"),
        ({"version": 1}, {"version": 1.5}, "version of the file is no whole number"),
        ({"version": 1}, {"version": 0}, "bone map of version 0; this program knows version 1"),
        ({"target_fingerprint": "0" * 16}, {"target_fingerprint": "0" * 17}, "target_fingerprint of the file is not 16 hexadecimal digits"),
        ({"target_fingerprint": ""}, {"target_fingerprint": 0}, "target_fingerprint of the file is not 16 hexadecimal digits"),
        ({"pairs": []}, {"pairs": {}}, "pairs of the file is no list of at most 20000"),
        (pair(), {"pairs": [{"target": "b"}]}, "pair 1 names no source"),
        (limb(), {"limbs": [{}]}, "limb 1 names no limb"),
        (chain("b"), chain(), "chain 1 has no bones on one side"),
        (limb(limb="hips", reach="NONE"), limb(limb="hips", reach="SELF"), "limb 1: hips have no goal, but a height"),
    ],
)  # fmt: skip
def test_the_bounds_of_a_field(allowed: dict[str, object], not_allowed: dict[str, object], said: str) -> None:
    assert (refused(allowed), refused(not_allowed)) == ("", said)


def test_lists_have_at_most_20000_items() -> None:
    names = [f"b{number}" for number in range(20_001)]
    assert refused(chain(*names[1:])) == ""
    assert refused(chain(*names)) == "target of chain 1 is no list of at most 20000"
    assert refused({"poses": [{"name": "a", "source": dict.fromkeys(names[1:], (1, 0, 0, 0))}]}) == ""
    assert (
        refused({"poses": [{"name": "a", "source": dict.fromkeys(names, (1, 0, 0, 0))}]})
        == "source of pose 1 is no object of at most 20000"
    )


def test_rotations_of_a_pose_are_made_of_length_one() -> None:
    data = json.dumps({"format": map_file.FORMAT, "version": 1} | pose(0.0, -0.9, 1.2, 0.0)).encode()
    assert map_file.parse(data).poses[0].source["b"] == pytest.approx((0, -0.6, 0.8, 0))


def test_a_field_that_no_map_has_is_named_as_far_as_forty_letters() -> None:
    assert refused(pair(z=1, extra=2)) == "pair 1 has a field 'extra' that no bone map has"
    assert refused({"x" * 50: 1}) == f"the file has a field '{'x' * 40}' that no bone map has"


@pytest.mark.parametrize(
    ("data", "meant"),
    [
        (b'{"format": "retro_anim bone map", "version": 99', True),
        (b'\xef\xbb\xbf \n{"format"  :  "retro_anim bone map"}', True),
        (b'x{"format": "retro_anim bone map"}', False),
        (b'{"format": "another"}', False),
        (b"", False),
    ],
)
def test_whether_a_file_is_meant_as_a_map(data: bytes, meant: bool) -> None:
    assert map_file.is_meant(data) is meant


def test_roles_have_another_side_or_are_their_own() -> None:
    sides = {role: other_side(role) for role in ("leftHand", "rightUpperLeg", "hips", "upright")}
    assert sides == {"leftHand": "rightHand", "rightUpperLeg": "leftUpperLeg", "hips": "hips", "upright": "upright"}
    assert [role_label(role) for role in ("leftUpperArm", "hips")] == ["left upper arm", "hips"]


def test_what_a_map_knows() -> None:
    assert FULL_MAP.sources() == {"Hüfte", "a", "b"} and FULL_MAP.targets() == ["pelvis", "b", "c"]
    assert BoneMap((Pair("x", "b"),), (Chain(("y",), ("c", "b")),)).targets() == ["b", "c"], "each once"
    assert FULL_MAP.role("hips") is FULL_MAP.pairs[0] and FULL_MAP.role("neck") is None
    assert (FULL_MAP.limb("leftFoot").reach, FULL_MAP.limb("rightFoot")) == ("SELF", Limb("rightFoot"))
    assert (len(FULL_MAP), list(FULL_MAP)) == (2, list(FULL_MAP.pairs))
    back = FULL_MAP.reversed()
    assert [(pair.source, pair.target) for pair in back] == [("pelvis", "Hüfte"), ("b", "a")]
    assert (back.chains[0].source, back.chains[0].target, back.limbs) == (("c",), ("a", "b"), ())
    assert (back.source_fingerprint, back.target_fingerprint) == ("fedcba9876543210", "0123456789abcdef")
    assert (back.poses[0].source, back.poses[0].target) == ({"arm": (0.6, 0.0, -0.8, 0.0)}, {})


def test_bones_of_chains_have_roles_too() -> None:
    """Three bones by four, in halves and by thirds: the last follow each other, and the second the one that is as far along; of another
    pair with the role the pair counts. In the reverse direction the roles are those of whom they followed."""
    roles = {"x": "leftUpperArm", "y": "leftLowerArm", "z": "leftHand"}
    chain = Chain(("a", "b", "c", "d"), ("x", "y", "z"), "leftUpperArm", roles=roles)
    bone_map = BoneMap((Pair("hips", "pelvis", "hips"),), (Chain(("t",), ("u",), "tail"), chain))
    assert bone_map.role("leftHand") == Pair("d", "z", "leftHand")
    assert bone_map.role("leftUpperArm") == Pair("a", "x", "leftUpperArm")
    assert bone_map.role("leftLowerArm") in (Pair("b", "y", "leftLowerArm"), Pair("c", "y", "leftLowerArm"))
    assert bone_map.role("tail") is None and bone_map.role("hips") == Pair("hips", "pelvis", "hips")
    assert BoneMap((Pair("e", "f", "leftHand"),), (chain,)).role("leftHand") == Pair("e", "f", "leftHand")
    assert Chain(("a", "b"), ("x",), roles={"x": "leftHand"}).source_of("x") == "b"
    back = bone_map.reversed().role("leftHand")
    assert back == Pair("z", "d", "leftHand")


def test_a_chain_onto_one_bone_is_called_what_the_bone_is() -> None:
    """Where that is a role, and nothing else is said of the bone."""
    one = Chain(("a", "b"), ("x",), "chest")
    assert (one.role_of("x"), one.role_of("y")) == ("chest", "")
    assert BoneMap((), (one,)).role("chest") == Pair("b", "x", "chest")
    assert Chain(("a", "b"), ("x",), "chest", roles={"x": "spine"}).role_of("x") == "spine"
    assert Chain(("a", "b"), ("x",), "tail").role_of("x") == ""
    two = Chain(("a", "b"), ("x", "y"), "chest")
    assert (two.role_of("x"), two.role_of("y")) == ("", "")


def test_joints_of_a_limb_that_both_sides_of_a_chain_have() -> None:
    """Of the trunk and of fingers none are looked for; what comes in another order on one side is left out."""
    theirs = {"a": "leftShoulder", "b": "leftUpperArm", "d": "leftLowerArm", "e": "leftHand"}
    ours = {"x": "leftUpperArm", "y": "leftLowerArm", "z": "leftHand"}
    chain = Chain(tuple("abcde"), tuple("xyz"), roles=ours, source_roles=theirs)
    assert chain.joints == {0: 1, 1: 3, 2: 4}
    assert [chain.source_of(bone) for bone in "xyz"] == ["b", "d", "e"]
    back = chain.reversed()
    assert (back.source, back.roles, back.source_roles, back.joints) == (tuple("xyz"), theirs, ours, {1: 0, 3: 1, 4: 2})
    assert back.reversed() == chain
    trunk = {"x": "spine", "y": "leftIndexProximal"}
    assert Chain(("a", "b", "c"), ("x", "y"), roles=trunk, source_roles={"b": "spine", "c": "leftIndexProximal"}).joints == {}
    assert Chain(
        ("a", "b", "c"), ("x", "y"), roles={"x": "leftHand", "y": "leftLowerArm"}, source_roles={"a": "leftLowerArm", "b": "leftHand"}
    ).joints == {0: 1}


@pytest.mark.parametrize(
    ("source", "roles", "back"),
    [
        ("ab", {"w": "leftUpperArm", "x": "leftLowerArm", "z": "leftHand"}, {"a": "leftUpperArm", "b": "leftHand"}),
        ("abcd", {"w": "leftUpperArm", "x": "leftLowerArm", "z": "leftHand"}, {"a": "leftUpperArm", "b": "leftLowerArm", "d": "leftHand"}),
    ],
)
def test_a_chain_there_and_back_keeps_its_roles(source: str, roles: dict[str, str], back: dict[str, str]) -> None:
    """Of bones that correspond to one the first gives it its role, at the end the last."""
    chain = Chain(tuple(source), tuple("wxyz"), "arm", roles=roles)
    assert (chain.reversed().roles, chain.reversed().source_roles) == (back, roles)
    assert chain.reversed().reversed().roles == roles


def test_a_map_that_does_not_say_its_version_is_of_none() -> None:
    with pytest.raises(FormatError, match="bone map of version 0; this program knows version 1"):
        map_file.parse(json.dumps({"format": map_file.FORMAT, "pairs": []}).encode())
