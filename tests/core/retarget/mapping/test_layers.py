"""Rigs in layers, built by hand: which bone shows the shape, which control rotates it, and what hangs on what."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap, Chain, Pair
from retro_anim.core.retarget.mapping import layers
from retro_anim.core.retarget.mapping.layers import Layers, layers_of
from retro_anim.core.retarget.mapping.mapping import map_bones
from retro_anim.core.retarget.mapping.naming.profiles import PROFILES

from .. import rigs

Point = tuple[float, float, float]
Bone = tuple[str, str, Point, Point]
"""Name, parent, head and tail."""

CONTROLS: tuple[Bone, ...] = (
    ("root", "", (0, 0, 0), (0, 0.3, 0)),
    ("torso_target", "root", (0, 0, 1), (0, 0, 1.4)),
    ("pole", "root", (0, 0, 1), (0, 0.5, 1)),
    ("sway", "root", (0, 0, 1), (0.1, 0, 0.5)),
    ("torso", "root", (0, 0, 1), (0, 0, 1.4)),
    ("spine_fk.001", "torso", (0, 0, 1.2), (0, 0, 1.4)),
    ("tweak_spine.001", "spine_fk.001", (0, 0, 1.2), (0, 0, 1.25)),
    ("rope", "tweak_spine.001", (0, 0, 1.4), (0, 0, 1.5)),
    ("head", "spine_fk.001", (0, 0, 1.4), (0, 0, 1.7)),
    ("tweak_spine", "torso", (0, 0, 1), (0, 0, 1.05)),
    ("tail_fk.001", "tweak_spine", (0, 0, 1), (0, 0.3, 1)),
    ("tail_fk", "root", (0, 0.3, 1), (0, 0.6, 1)),
    ("thigh_fk.L", "torso", (0.1, 0, 1), (0.1, 0, 0.5)),
    ("thigh.L", "torso", (0.1, 0, 1), (0.1, 0, 0.5)),
    ("thigh_ik.L", "root", (0.1, 0, 1), (0.1, 0, 0.5)),
    ("shin.L", "thigh_fk.L", (0.1, 0, 0.5), (0.1, 0, 0.1)),
    ("shin.R", "root", (-0.2, 0, 0.5), (-0.2, 0, 0.1)),
)

ORIGINALS: tuple[Bone, ...] = (
    ("ORG-head", "rope", (0, 0, 1.4), (0, 0, 1.7)),
    ("ORG-spine", "root", (0, 0, 1), (0, 0, 1.2)),
    ("ORG-spine.001", "ORG-spine", (0, 0, 1.2), (0, 0, 1.4)),
    ("ORG-tail", "root", (0, 0.6, 1), (0, 0.3, 1)),
    ("ORG-tail.001", "ORG-tail", (0, 0.3, 1), (0, 0, 1)),
    ("ORG-thigh.L", "ORG-spine", (0.1, 0, 1), (0.1, 0, 0.5)),
    ("ORG-shin.L", "ORG-thigh.L", (0.1, 0, 0.5), (0.1, 0, 0.1)),
    ("ORG-thigh.R", "ORG-spine", (-0.1, 0, 1), (-0.1, 0, 0.5)),
    ("ORG-shin.R", "ORG-thigh.R", (-0.1, 0, 0.5), (-0.1, 0, 0.1)),
)


@dataclass(frozen=True)
class Row:
    """What is expected of one bone of the shape."""

    parent: str
    bone: str
    control: str


EXPECTED = {
    "spine": Row("", "ORG-spine", "torso"),  # no control of its name: the one that goes along it and the next
    "spine.001": Row("spine", "ORG-spine.001", "spine_fk.001"),
    "head": Row("spine.001", "ORG-head", "head"),  # what it hangs on says so
    "tail.001": Row("spine", "tail_fk.001", "tail_fk.001"),  # controls that lie in reverse show the shape themselves
    "tail": Row("tail.001", "tail_fk", "tail_fk"),  # it begins at its end
    "thigh.L": Row("spine", "ORG-thigh.L", "thigh_fk.L"),  # rather than the plain one and that of IK
    "shin.L": Row("thigh.L", "ORG-shin.L", "shin.L"),
    "thigh.R": Row("spine", "ORG-thigh.R", ""),
    "shin.R": Row("thigh.R", "ORG-shin.R", "shin.R"),  # by its name, although it lies beside
}


def deforming(originals: tuple[Bone, ...]) -> tuple[Bone, ...]:
    return tuple((name.replace("ORG", "DEF"), name, head, tail) for name, _, head, tail in originals)


def figure(bones: tuple[Bone, ...], modes: dict[str, str] | None = None) -> Figure:
    names = [name for name, _, _, _ in bones]
    heads, tails = (np.array([bone[at] for bone in bones], float) for at in (2, 3))
    lengths = np.linalg.norm(tails - heads, axis=1)
    rest = np.tile(np.eye(4), (len(bones), 1, 1))
    rest[:, :3, 3], rest[:, :3, 1] = heads, (tails - heads) / lengths[:, None]
    for matrix in rest:
        across = np.cross(matrix[:3, 1], np.roll(matrix[:3, 1], 1) + np.array([0.1, 0.2, 0.3]))
        matrix[:3, 0] = across / np.linalg.norm(across)
        matrix[:3, 2] = np.cross(matrix[:3, 0], matrix[:3, 1])
    parents = np.array([names.index(parent) if parent else -1 for _, parent, _, _ in bones], np.int32)
    kinds = tuple((modes or {}).get(name, "QUATERNION") for name in names)
    return Figure(tuple(names), parents, rest, lengths, modes=kinds, hinged=np.array(["spine" in name for name in names]))


def rig(modes: dict[str, str] | None = None) -> Figure:
    return figure((*CONTROLS, *ORIGINALS, *deforming(ORIGINALS)), modes)


def read(body: Figure) -> Layers:
    result = layers_of(body)
    assert result is not None
    return result


def rows(result: Layers) -> dict[str, Row]:
    names = result.figure.names
    parents = [names[parent] if parent >= 0 else "" for parent in result.figure.parents.tolist()]
    return {
        name: Row(parent, bone, control) for name, parent, bone, control in zip(names, parents, result.bones, result.controls, strict=True)
    }


def test_what_shows_the_shape_what_rotates_it_and_what_it_hangs_on() -> None:
    result = read(rig())
    assert rows(result) == EXPECTED
    assert all(parent < bone for bone, parent in enumerate(result.figure.parents.tolist()))
    assert result.shown == {row.control: row.bone for row in EXPECTED.values() if row.control}


def test_the_shape_lies_where_its_bones_lie_and_rotates_as_its_controls() -> None:
    body = rig({"torso": "XYZ", "ORG-spine": "ZYX", "ORG-thigh.R": "YXZ", "tail_fk": "AXIS_ANGLE"})
    result = read(body)
    for row, name in enumerate(result.figure.names):
        bone = body.index[result.bones[row]]
        np.testing.assert_array_equal(result.figure.rest[row], body.rest[bone], name)
        assert result.figure.lengths[row] == body.lengths[bone]
    modes = dict(zip(result.figure.names, result.figure.modes, strict=True))
    other = {name: mode for name, mode in modes.items() if mode != "QUATERNION"}
    assert other == {"spine": "XYZ", "thigh.R": "YXZ", "tail": "AXIS_ANGLE"}


def test_the_same_by_some_controls() -> None:
    """What has none of these is left out, and what hangs on it hangs on the next one above."""
    result = read(rig({"torso": "XYZ"}))
    named = result.controlled({"torso", "head", "tail_fk.001", "shin.R", "root"})
    names = named.names
    parents = {name: names[parent] if parent >= 0 else "" for name, parent in zip(names, named.parents.tolist(), strict=True)}
    assert parents == {"torso": "", "head": "torso", "tail_fk.001": "torso", "shin.R": "torso"}
    assert named.parents.min() == -1
    heads = {name: head for name, _, head, _ in (*CONTROLS, *ORIGINALS)}
    for row, name in enumerate(names):
        bone = {"torso": "ORG-spine", "head": "ORG-head", "shin.R": "ORG-shin.R"}.get(name, name)
        np.testing.assert_allclose(named.rest[row, :3, 3], heads[bone])
    assert dict(zip(names, named.modes, strict=True))["torso"] == "XYZ"


@pytest.mark.parametrize("human", [False, True])
def test_a_control_that_moves_where_a_bone_begins_is_that_of_one_without_another_unless_it_is_a_human_s(
    human: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layers, "profile_of", lambda *_, **__: (None, {}) if human else None)
    monkeypatch.setattr(layers, "is_bent", lambda *_: False)
    tweak: Bone = ("tweak_thigh.R", "root", (-0.1, 0, 1), (-0.1, 0, 0.9))
    result = read(figure((*CONTROLS, tweak, *ORIGINALS, *deforming(ORIGINALS))))
    assert rows(result)["thigh.R"].control == ("" if human else "tweak_thigh.R")
    assert result.placing == (set() if human else {"tweak_thigh.R"})


@pytest.mark.parametrize(
    ("begins", "control"), [((0, -0.2, 1), "fin"), ((0, -0.2, 1.1), "fin"), ((0, -0.2, 1.05), "rudder"), ((0, 1, 1), "rudder")]
)
def test_a_control_that_begins_at_neither_end_of_its_namesake_gives_way_to_one_along_it(begins: Point, control: str) -> None:
    fins: tuple[Bone, ...] = (("ORG-fin", "root", (0, -0.2, 1), (0, -0.2, 1.1)),)
    own: tuple[Bone, ...] = (("fin", "root", begins, (0, 2, 2)), ("rudder", "root", (0, -0.2, 1), (0, -0.2, 1.1)))
    assert rows(read(figure((*CONTROLS, *own, *ORIGINALS, *fins, *deforming(ORIGINALS)))))["fin"].control == control


@pytest.mark.parametrize("missing", ["ORG", "DEF"])
def test_a_rig_without_one_of_the_layers_is_none(missing: str) -> None:
    """Fewer than eight bones of it are no layer."""
    few = tuple(bone for bone in ORIGINALS if missing == "DEF" or not bone[0].endswith((".L", ".R")))
    many = deforming(ORIGINALS) if missing == "ORG" else deforming(ORIGINALS[:7])
    many = tuple((name, "root", head, tail) for name, _, head, tail in many)
    assert layers_of(figure((*CONTROLS, *((name, "root", head, tail) for name, _, head, tail in few), *many))) is None


@pytest.mark.parametrize("first", ["tweak_spine", "torso", "tail_fk.001"])
def test_a_rig_s_first_bone_counts_as_any_other(first: str) -> None:
    (top,) = (bone for bone in CONTROLS if bone[0] == first)
    rest = tuple((name, parent or first, head, tail) for name, parent, head, tail in CONTROLS if name != first)
    result = rows(read(figure(((first, "", *top[2:]), *rest, *ORIGINALS, *deforming(ORIGINALS)))))
    assert result == EXPECTED if first != "tail_fk.001" else result["tail.001"] == Row("", first, first)


def test_the_first_of_the_shape_counts_as_any_other() -> None:
    """The spine, on whose control the tail hangs; and a control that is the second bone of all, of no name and no use, is nobody's."""
    spines = tuple(bone for bone in ORIGINALS if "spine" in bone[0])
    originals = (*spines, *(bone for bone in ORIGINALS if bone not in spines))
    beside: Bone = ("swing", "root", (-0.1, 0, 1), (-0.3, 0, 0.7))
    assert rows(read(figure((CONTROLS[0], beside, *CONTROLS[1:], *originals, *deforming(originals))))) == EXPECTED


@pytest.mark.parametrize("first", [True, False])
def test_bones_that_begin_at_each_other_s_ends_hang_on_each_other_once(first: bool) -> None:
    pads: tuple[Bone, ...] = (
        ("ORG-pad", "root", (0, -0.2, 1), (0, -0.2, 1.1)),
        ("ORG-pad.001", "root", (0, -0.2, 1.1), (0, -0.2, 1)),
    )
    originals = (*pads, *ORIGINALS) if first else (*ORIGINALS, *pads)
    result = rows(read(figure((*CONTROLS, *originals, *deforming(originals)))))
    assert (result["pad"].parent, result["pad.001"].parent) == ("pad.001", "")


def test_what_a_bone_hangs_on_counts_before_what_ends_where_it_begins() -> None:
    fins: tuple[Bone, ...] = (
        ("ORG-spine", "root", (0, 0, 1), (0, 0, 1.2)),
        ("ORG-fin", "ORG-spine", (0, -0.2, 1), (0, -0.2, 1.1)),
        ("ORG-fin.001", "ORG-spine", (0, -0.2, 1.1), (0, -0.2, 1.2)),
    )
    originals = (*fins, *(bone for bone in ORIGINALS if bone[0] != "ORG-spine"))
    result = rows(read(figure((*CONTROLS, *originals, *deforming(originals)))))
    assert {name: result[name].parent for name in ("fin", "fin.001", "spine")} == {"fin": "spine", "fin.001": "spine", "spine": ""}


def test_two_bones_that_were_called_alike_keep_their_names() -> None:
    twins: tuple[Bone, ...] = (("org_tail", "root", (0.5, 0, 1), (0.5, 0, 1.1)),)
    originals = (*ORIGINALS, *twins)
    result = read(figure((*CONTROLS, *originals, *deforming(originals[:-1]))))
    assert result.figure.names == result.bones
    assert {"ORG-spine", "org_tail", "tail_fk"} >= {name for name in result.figure.names if "tail" in name and ".001" not in name}


def test_a_map_by_the_names_of_controls() -> None:
    """What has no control is left out; a chain keeps those that have one, with their roles."""
    bone_map = BoneMap(
        (Pair("a", "thigh.R"), Pair("b", "spine", role="spine"), Pair("", "head"), Pair("c", "else")),
        (
            Chain(("d", "e"), ("tail", "thigh.R"), roles={"tail": "rightHand", "thigh.R": "rightFoot"}, source_roles={"e": "rightHand"}),
            Chain(("d",), ("thigh.R",)),
        ),
    )
    controls = dict(zip((result := read(rig())).figure.names, result.controls, strict=True))
    named = layers.named_by(bone_map, {"b": "bee", "e": "eel"}, controls)
    assert [(pair.source, pair.target, pair.role) for pair in named.pairs] == [("bee", "torso", "spine"), ("c", "else", "")]
    assert [(chain.source, chain.target) for chain in named.chains] == [(("d", "eel"), ("tail_fk",))]
    assert [(chain.source_roles, chain.roles) for chain in named.chains] == [({"eel": "rightHand"}, {"tail_fk": "rightHand"})]


def test_what_is_beside_two_bodies_follows_by_name() -> None:
    """Of the bones of both layers those that no pair of the body has, onto controls that nothing moves yet."""
    one, other = read(rig()), read(rig())
    body = BoneMap((Pair("ORG-spine", "torso", role="hips"), Pair("tail", "head", role="head"), Pair("x", "y")))
    beside = layers.beside_roles(body, one, other)
    expected = {("ORG-spine", "torso"), ("tail", "head")}
    for name, row in EXPECTED.items():
        if name not in ("spine", "tail", "head") and row.control:
            expected.add((row.bone, row.control))
    assert {(pair.source, pair.target) for pair in beside.pairs} == expected
    assert all(0.5 < pair.confidence < 1 for pair in beside.pairs if not pair.role)
    for given in ((body, None, other), (body, one, None), (BoneMap((Pair("x", "y"),)), one, other)):
        assert layers.beside_roles(*given) is given[0]


@pytest.mark.parametrize(("bones", "apart", "is_one"), [(35, 0, True), (35, 3, True), (35, 4, False), (10, 1, True), (10, 2, False)])
def test_skeletons_of_one_kind_have_nine_of_ten_names_in_common(bones: int, apart: int, is_one: bool) -> None:
    names = rig().names[:bones]
    assert len(names) == bones
    one, other = (
        figure(tuple((name, "", (0, 0, 0), (0, 0, 1)) for name in called))
        for called in (names, (*names[apart:], *(f"other{number}" for number in range(apart))))
    )
    assert layers.have_one_set(one, other) == is_one


def test_bones_that_have_other_names_follow_by_their_shape() -> None:
    """The same skeleton, its bones but numbered: the rig's controls follow it as if they were called alike."""
    shape = read(rig()).figure
    numbered = replace(shape, names=tuple(f"bone_{number}" for number in range(len(shape))))
    followed = {pair.target: numbered.index[pair.source] for pair in map_bones(numbered, rig()).pairs}
    assert followed == {pair.target: shape.index[pair.source] for pair in map_bones(shape, rig()).pairs}
    assert followed


def test_a_human_s_rig_is_known_by_heart() -> None:
    """By controls of the names that Rigify gives them; without those of the legs it is none."""
    profile = next(profile for profile in PROFILES if profile.controls)
    joints = dict(zip(rigs.NAMES, rigs.humanoid().heads.tolist(), strict=True))
    at = {name: joints.get(role, [0.0, 0, 0]) for role, name in profile.roles.items()}
    controls: list[Bone] = [(name, "", (x, y, z), (x, y, z + 0.1)) for name, (x, y, z) in at.items()]
    layered = *ORIGINALS[:8], *deforming(ORIGINALS[:8])
    layered = tuple((name, "", head, tail) for name, _, head, tail in layered)
    assert read(figure((*controls, *layered))).by_heart
    legs = ("thigh", "shin", "foot", "toe")
    assert not read(figure((*(bone for bone in controls if not bone[0].startswith(legs)), *layered))).by_heart
