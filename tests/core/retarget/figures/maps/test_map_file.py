"""Bone maps in JSON: what is written is read again, and nothing else is."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import FormatError, RetroAnimError
from retro_anim.core.retarget.figures.maps import map_file, map_library
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap, Chain, Limb, LimbName, Pair, PairOptions, Reach, ReferencePose
from retro_anim.core.retarget.figures.roles import ROLES
from retro_anim.core.retarget.mapping.mapping import map_bones

from ...rigs import humanoid

_NAMES = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=20)
_PARTS = st.floats(0, 1)
_ANGLES = st.floats(-7, 7)
_OPTIONS = st.builds(
    PairOptions,
    st.sampled_from(("WORLD", "LOCAL")),
    st.sampled_from(("ALL", "SWING", "TWIST", "NONE")),
    _PARTS,
    st.tuples(_ANGLES, _ANGLES, _ANGLES),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
_LIMBS = st.builds(
    Limb,
    st.sampled_from(get_args(LimbName)),
    st.sampled_from(get_args(Reach)),
    _NAMES,
    _PARTS,
    st.floats(0, 9),
    st.floats(0, 9),
    _ANGLES,
    st.floats(0, 9),
).filter(lambda limb: limb.limb != "hips" or limb.reach == "NONE")
_ROTATIONS = st.dictionaries(_NAMES, st.sampled_from(((1.0, 0.0, 0.0, 0.0), (0.6, 0.0, 0.8, 0.0), (0.0, -1.0, 0.0, 0.0))), max_size=4)
_POSES = st.builds(ReferencePose, _NAMES, _ROTATIONS, _ROTATIONS)
_FINGERPRINTS = st.from_regex(r"\A([0-9a-f]{16}|)\Z")


@st.composite
def bone_maps(draw: st.DrawFn) -> BoneMap:
    targets = draw(st.lists(_NAMES, unique=True, max_size=12))
    cut = draw(st.integers(0, len(targets)))
    sources = st.lists(_NAMES, min_size=1, max_size=4).map(tuple)
    roles = st.sampled_from(("", *ROLES))
    pairs = tuple(draw(st.builds(Pair, _NAMES, st.just(name), roles, _PARTS, _NAMES, _OPTIONS)) for name in targets[:cut])
    modes = st.sampled_from(("INTERPOLATED", "ONE_TO_ONE", "REVERSED"))
    followers = tuple(targets[cut:])
    joints = st.dictionaries(st.sampled_from(followers or ("",)), st.sampled_from(ROLES), max_size=len(followers))
    leading = draw(sources)
    theirs = st.dictionaries(st.sampled_from(leading), st.sampled_from(ROLES), max_size=len(leading))
    chain = st.builds(Chain, st.just(leading), st.just(followers), _NAMES, modes, _PARTS, _NAMES, _PARTS, joints, theirs)
    chains = (draw(chain),) if followers else ()
    limbs = draw(st.lists(_LIMBS, unique_by=lambda limb: limb.limb))
    poses = draw(st.lists(_POSES, max_size=3, unique_by=lambda pose: pose.name))
    return BoneMap(pairs, chains, draw(_FINGERPRINTS), draw(_FINGERPRINTS), tuple(limbs), tuple(poses))


SAMPLE = BoneMap(
    (
        Pair("Hips", "pelvis", "hips"),
        Pair("Arm", "arm", "leftUpperArm", 0.5, "why", PairOptions("LOCAL", "TWIST", 0.25, (0.1, 0, 0), scale=True)),
    ),
    (Chain(("a", "b"), ("c",), "tail", "REVERSED"),),
    "0123456789abcdef",
    "fedcba9876543210",
)


@given(bone_maps())
def test_a_map_is_read_as_it_was_written(bone_map: BoneMap) -> None:
    assert map_file.parse(map_file.pack(bone_map)) == bone_map


def test_the_file_is_plain_json_with_defaults_left_out() -> None:
    document = json.loads(map_file.pack(SAMPLE))
    assert document["format"] == "retro_anim bone map" and document["version"] == 1
    assert document["pairs"][0] == {"source": "Hips", "target": "pelvis", "role": "hips"}
    assert document["pairs"][1]["options"] == {"space": "LOCAL", "turn": "TWIST", "weight": 0.25, "offset": [0.1, 0, 0], "scale": True}


def test_the_example_in_the_documentation_is_a_map() -> None:
    text = (Path(__file__).parents[5] / "docs" / "retargeting.md").read_text(encoding="utf-8")
    result = map_file.parse(text.split("```json\n")[1].split("```")[0].encode())
    assert [pair.role for pair in result] == ["hips", "leftUpperArm"] and result.chains[0].target == ("t1", "t2", "t3")
    assert result.pairs[1].options == PairOptions()


@given(st.binary(max_size=60))
def test_any_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(FormatError):
        map_file.parse(data)


@given(st.data())
def test_changed_bytes_give_a_map_or_a_format_error(data: st.DataObject) -> None:
    packed = bytearray(map_file.pack(SAMPLE))
    for position in data.draw(st.lists(st.integers(0, len(packed) - 1), min_size=1, max_size=3)):
        packed[position] = data.draw(st.integers(0, 255))
    with suppress(FormatError):
        map_file.parse(bytes(packed))


def test_every_truncation_is_refused() -> None:
    packed = map_file.pack(SAMPLE).rstrip()
    for length in range(len(packed)):
        with pytest.raises(FormatError):
            map_file.parse(packed[:length])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"version": 2}, "version 2"),
        ({"format": "other"}, "no bone map"),
        ({"extra": 1}, "'extra'"),
        ({"pairs": 3}, "pairs of the file"),
        ({"pairs": [[]]}, "pair 1 is no JSON object"),
        ({"pairs": [{"source": "a"}]}, "names no target"),
        ({"pairs": [{"source": "a", "target": "b"}, {"source": "c", "target": "b"}]}, "more than one pair"),
        ({"pairs": [{"source": "a", "target": "c"}]}, "more than one pair"),
        ({"pairs": [{"source": "a", "target": "b", "role": "leftWing"}]}, "role of pair 1"),
        ({"pairs": [{"source": "a", "target": "b", "confidence": 1.5}]}, "from 0 to 1"),
        ({"pairs": [{"source": "a", "target": "b", "confidence": True}]}, "no number"),
        ({"pairs": [{"source": "a", "target": "b", "options": {"offset": [1, 2]}}]}, "three angles"),
        ({"pairs": [{"source": "a", "target": "b", "options": {"space": "VIEW"}}]}, "space of options of pair 1"),
        ({"pairs": [{"source": "\ud800", "target": "b"}]}, "printable"),
        ({"chains": [{"source": [], "target": ["x"]}]}, "no bones on one side"),
        ({"chains": [{"source": ["a"], "target": ["x"], "roles": {"y": "leftHand"}}]}, "chain 1 gives y a role, which is no bone of its"),
        (
            {"chains": [{"source": ["a"], "target": ["x"], "source_roles": {"x": "leftHand"}}]},
            "chain 1 gives x a role, which is no bone of its",
        ),
        ({"chains": [{"source": ["a"], "target": ["x"], "roles": {"x": "leftWing"}}]}, "roles of chain 1 is none of root"),
        ({"chains": [{"source": ["a"], "target": ["x"], "roles": ["leftHand"]}]}, "roles of chain 1 is no object"),
        ({"limbs": [{"limb": "tail"}]}, "limb of limb 1 is none of hips"),
        ({"limbs": [{"limb": "hips", "reach": "HAND"}]}, "limb 1: hips have no goal, but a height"),
        ({"limbs": [{"limb": "hips"}, {"limb": "hips"}]}, "two of a limb: hips"),
        ({"limbs": [{"limb": "leftFoot", "stride": -1}]}, "stride of limb 1 is not from 0"),
        ({"poses": [{"target": {}}]}, "pose 1 has no name"),
        ({"poses": [{"name": "a"}, {"name": "a"}]}, "two of a pose: a"),
        ({"poses": [{"name": "a", "target": {"b": [0, 0, 0, 0]}}]}, "no quaternion"),
        ({"poses": [{"name": "a", "target": [1]}]}, "no object"),
        ({"source_fingerprint": "../../../etc/x"}, "16 hexadecimal"),
    ],
)
def test_what_is_wrong_is_named(change: dict[str, object], said: str) -> None:
    document = json.loads(map_file.pack(SAMPLE)) | change
    with pytest.raises(FormatError, match=said):
        map_file.parse(json.dumps(document).encode())


@pytest.mark.parametrize(
    "data", [b"[" * 200_000, b'{"version": ' + b"9" * 9000 + b"}", b'{"version": NaN}', b'{"version": 1e999}', b"\xff", b"null", b"[]"]
)
def test_hostile_json_is_refused(data: bytes) -> None:
    with pytest.raises(FormatError):
        map_file.parse(data)


def test_a_kept_map_is_found_by_both_skeletons_and_from_the_other_side(tmp_path: Path) -> None:
    source, target = humanoid(), replace(humanoid(), names=tuple(f"x_{name}" for name in humanoid().names))
    assert map_library.recall(tmp_path, source, target) is None
    created = map_bones(source, target)
    edited = replace(created, pairs=(replace(created.pairs[0], options=PairOptions("LOCAL")), *created.pairs[1:5]))
    assert map_library.remember(tmp_path / "maps", edited).is_file()
    assert map_library.recall(tmp_path / "maps", source, target) == edited
    back = map_library.recall(tmp_path / "maps", target, source)
    assert back is not None and [(pair.source, pair.target) for pair in back] == [(pair.target, pair.source) for pair in edited]
    assert all(pair.options == PairOptions() for pair in back)
    assert map_library.recall(tmp_path / "maps", source, source) is None


def test_a_broken_kept_map_is_passed_over_with_a_warning(tmp_path: Path) -> None:
    figure = humanoid()
    path = map_library.remember(tmp_path, map_bones(figure, figure))
    path.write_bytes(b"{")
    with log.collect() as said:
        assert map_library.recall(tmp_path, figure, figure) is None
    assert path.name in said.digest("WARNING")[0]
    with pytest.raises(FormatError, match=path.name):
        map_library.load(path)
    for unknown in ({"source_fingerprint": ""}, {"target_fingerprint": ""}):
        with pytest.raises(RetroAnimError, match="which skeletons"):
            map_library.remember(tmp_path, replace(map_bones(figure, figure), **unknown))


def test_reference_poses_of_a_skeleton_come_with_every_map_onto_it(tmp_path: Path) -> None:
    """Those that a map has itself stay; those of others are without their source. Maps onto other skeletons have none for it."""
    first, second, target, other = (replace(humanoid(), names=tuple(f"{mark}_{name}" for name in humanoid().names)) for mark in "abcd")
    bent, low = ({f"c_{name}": (0.0, 1.0, 0.0, 0.0)} for name in ("spine", "hips"))
    own = replace(map_bones(first, target), poses=(ReferencePose("sits", {"a_spine": (0.0, 0.0, 1.0, 0.0)}, bent),))
    kept = [
        replace(
            map_bones(second, target), poses=(ReferencePose("sits", {}, low), ReferencePose("lies", {"b_hips": (0.0, 1.0, 0.0, 0.0)}, low))
        )
    ]
    kept.append(replace(map_bones(second, other), poses=(ReferencePose("stands", {}, {}),)))
    for each in kept:
        map_library.remember(tmp_path, each)
    result = map_library.with_poses(tmp_path, own, first, target)
    assert result == replace(own, poses=(*own.poses, ReferencePose("lies", {}, low)))
    map_library.remember(tmp_path, replace(own, poses=(ReferencePose("old", {}, low),)))
    assert map_library.with_poses(tmp_path, own, first, target) == result, "an older one of the same skeletons is passed over"
    alone = map_bones(second, other)
    assert map_library.with_poses(tmp_path, alone, second, other) == alone


def test_a_reference_pose_is_forgotten_in_all_maps_of_its_target(tmp_path: Path) -> None:
    """Whatever the target follows in them: from any of them it would be offered again. Other poses and targets keep theirs."""
    one, two, other = (replace(humanoid(), names=tuple(f"{letter}_{name}" for name in humanoid().names)) for letter in "abc")
    poses = tuple(ReferencePose(name, {}, {}) for name in ("T", "A"))
    maps = [replace(map_bones(source, target), poses=poses) for source, target in ((one, two), (other, two), (two, one))]
    paths = [map_library.remember(tmp_path, each) for each in maps]
    broken = tmp_path / f"x-{two.fingerprint}.json"
    broken.write_bytes(b"{")
    alone = map_library.remember(tmp_path, replace(map_bones(two, two), poses=poses[1:]))
    before = alone.stat().st_mtime_ns
    with log.collect():
        map_library.forget_pose(tmp_path, two.fingerprint, "T")
    assert [[pose.name for pose in map_library.load(path).poses] for path in paths] == [["A"], ["A"], ["T", "A"]]
    assert broken.read_bytes() == b"{" and alone.stat().st_mtime_ns == before, "what has no such pose is not written"
    map_library.forget_pose(tmp_path, "", "A")
    assert [[pose.name for pose in map_library.load(path).poses] for path in paths] == [["A"], ["A"], ["T", "A"]], "of no target none"
