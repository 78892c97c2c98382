"""Which bones of a rig show its shape, of rigs of nine bones a layer."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.retarget.mapping.naming.names import read_names
from retro_anim.core.retarget.mapping.naming.selection import DEFORM, FEW, FORWARD, MECHANISM, has_layers, inverse, key, select

from .given import figure_of

PARTS = ("hips", "spine", "chest", "neck", "head", "thigh.L", "thigh.R", "shin.L", "shin.R")


def chosen(names: list[str], controls: bool = False, parents: list[int] | None = None) -> list[str]:
    """The bones that may have a role, each hanging on the one before it if nothing else is said."""
    heads = np.arange(3.0 * len(names)).reshape(-1, 3)
    figure = figure_of(names, parents or list(range(-1, len(names) - 1)), heads)
    return [names[bone] for bone in select(figure, read_names(names), controls).bones]


def layer(prefix: str, count: int = len(PARTS)) -> list[str]:
    return [f"{prefix}{part}" for part in PARTS[:count]]


def test_a_layer_has_eight_bones() -> None:
    assert FEW == 8
    for count in (7, 8):
        names = read_names([*layer("DEF-", count), *layer("MCH-")])
        assert has_layers(names, DEFORM) == (count == 8)
        assert has_layers(names, DEFORM, MECHANISM) == (count == 8)
        assert not has_layers(names, DEFORM, FORWARD) and has_layers(names)


@pytest.mark.parametrize(("deform", "mechanism", "layered"), [(8, 8, True), (7, 8, False), (8, 7, False)])
def test_of_a_rig_in_layers_those_that_deform(deform: int, mechanism: int, layered: bool) -> None:
    """Or, where a person is to move them, the controls. Of any other rig both, but not what helps."""
    deforming, controls, helping = layer("DEF-", deform), layer("c_"), layer("MCH-", mechanism)
    names = [*deforming, *controls, *helping]
    assert chosen(names) == (deforming if layered else deforming + controls)
    assert chosen(names, controls=True) == (controls if layered else deforming + controls)


def test_of_controls_those_for_forward_kinematics() -> None:
    """Where there are some; the layers that nobody moves are none of them."""
    names = [*layer("DEF-"), *layer("MCH-"), "arm.L", "arm_fk.L", "arm_fk.R", "hand.L", "hand_ctrl_fk.L", "leg.L"]
    assert chosen(names, controls=True) == ["arm_fk.L", "arm_fk.R", "hand_ctrl_fk.L", "leg.L"]
    assert chosen(names) == layer("DEF-")
    deforming = [*layer("DEF-"), "DEF-arm.L", "DEF-arm_fk.L"]
    assert chosen([*deforming, *layer("MCH-")]) == deforming, "of what deforms all"


@pytest.mark.parametrize(
    ("name", "stays"),
    [
        ("hand.L", True),
        ("hand_half.L", True),  # 0.3 of it is left, more than a quarter
        ("hand_ik.L", False),
        ("hand_ik_half.L", False),
        ("hair", False),
        ("hand_twist.L", True),  # what lies along the body
        ("head_end", True),
        ("foot_heel_ik.L", False),
        ("prop_end", False),
        ("All Parent", True),  # the name is known as a whole, what it ends in alone would be a helper's
    ],
)
def test_what_helps_has_no_role_but_for_what_lies_along_the_body(name: str, stays: bool) -> None:
    assert (name in chosen(["hips", "spine", "chest", name])) == stays


def test_of_few_bones_all_may_have_a_role() -> None:
    """Where fewer than three would be left."""
    assert chosen(["hips", "spine", "hair", "hair_tip"]) == ["hips", "spine", "hair", "hair_tip"]
    assert chosen(["hips", "spine", "chest", "hair"]) == ["hips", "spine", "chest"]


def test_bones_hang_on_what_stands_for_those_of_other_layers() -> None:
    """DEF-shin.L hangs on ORG-thigh.L, for which DEF-thigh.L stands; DEF-toe.L on ORG-foot.L, for which none does."""
    deforming = [*layer("DEF-"), "DEF-toe.L"]
    names = [*deforming, "ORG-thigh.L", "ORG-foot.L", *layer("MCH-", 8)]
    parents = [-1] * len(names)
    shin, toe, thigh, foot = (names.index(name) for name in ("DEF-shin.L", "DEF-toe.L", "ORG-thigh.L", "ORG-foot.L"))
    parents[shin], parents[toe], parents[foot] = thigh, foot, names.index("MCH-hips")
    parents[names.index("MCH-hips")] = names.index("MCH-spine")
    tree = select(figure_of(names, parents, np.zeros((len(names), 3))), read_names(names), controls=False)
    above = {names[tree.bones[bone]]: names[tree.bones[parent]] if parent >= 0 else "" for bone, parent in enumerate(tree.parents)}
    assert above == dict.fromkeys(deforming, "") | {"DEF-shin.L": "DEF-thigh.L", "DEF-toe.L": "DEF-hips"}


def test_a_bone_that_is_in_no_layer_has_nothing_that_stands_for_it() -> None:
    """Of a rig in layers a control without a token of one, of the name of a bone that deforms."""
    names = [*layer("DEF-"), *layer("MCH-"), "thigh.L", "tail"]
    parents = [-1] * len(names)
    tail = names.index("DEF-shin.L")
    parents[tail] = names.index("thigh.L")
    tree = select(figure_of(names, parents, np.zeros((len(names), 3))), read_names(names), controls=False)
    assert tree.parents[tree.bones.index(tail)] == -1


def test_what_bones_of_several_layers_have_in_common() -> None:
    """Tokens but for those of layers, side, numbers and the number of a copy."""
    one, other, copy, right, second = read_names(["DEF-arm_1.L", "ORG-arm_1.L", "arm_1.L.001", "arm_1.R", "arm_2.L"])
    assert key(one) == key(other)
    assert len({key(name) for name in (one, copy, right, second)}) == 4
    (control, tweak) = read_names(["arm_1.L", "tweak_arm_1.L"])
    assert key(control) == key(one) != key(tweak) and key(tweak, "tweak") == key(one)


def test_controls_of_both_kinds() -> None:
    names = ["foot_ik.R", "foot_fk.R", "hand_ik.L", "hand.L"]
    assert inverse(read_names(names)) == {0}, "one beside a plain bone moves that"
