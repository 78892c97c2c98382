"""What limbs and trunks are taken for, of whole bodies; what limbs cost is worked out in test_worked_limbs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.retarget.anatomy.joints import Joints
from retro_anim.core.retarget.anatomy.limbs import find_limbs
from retro_anim.core.retarget.anatomy.structure import analyse
from retro_anim.core.retarget.anatomy.tree import Tree
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.mapping.mapping import labels_of
from retro_anim.core.retarget.mapping.naming.names import read_names

from ..mapping.test_ankles import PLAIN, moved
from ..mapping.zoo import build
from ..mapping.zoo_rigs import COMMON

LEFT = np.array([1.0, 0, 0])
HUMAN = build(COMMON[0])


def chain_of(points: list[tuple[float, float, float]], parents: list[int] | None = None) -> Joints:
    """Each joint on the one before it, where no parents are given."""
    heads = np.array(points, float)
    return Joints(Tree(tuple(range(len(points))), tuple(parents if parents else range(-1, len(points) - 1)), heads, heads))


def test_arms_that_are_not_alike_are_less_sure() -> None:
    """One lower arm is 3 hundredths longer: what is sure of legs stays."""
    figure = HUMAN.figure
    heads = np.array(figure.heads)
    hand = figure.names.index(HUMAN.truth["leftHand"][0])
    below = [bone for bone in range(len(figure)) if hand in _path_up(figure, bone)]
    heads[below] += 0.03 * LEFT
    sure = [analyse(Tree(tuple(range(len(figure))), tuple(figure.parents.tolist()), points, points)) for points in (figure.heads, heads)]
    assert sure[0] is not None and sure[1] is not None
    assert sure[1].confidence["leftUpperArm"] < sure[0].confidence["leftUpperArm"]
    assert sure[1].confidence["leftUpperLeg"] == sure[0].confidence["leftUpperLeg"]


def _path_up(figure: Figure, bone: int) -> list[int]:
    return [bone, *(_path_up(figure, int(figure.parents[bone])) if figure.parents[bone] >= 0 else [])]


@pytest.mark.parametrize("name", ["lfarm", "lf_arm"])
def test_two_known_tokens_before_a_single_letter(name: str) -> None:
    (read,) = read_names([name])
    assert (read.tokens, read.side) == (("arm",), "left")


ANKLE = {"one_*": (0.0, 0.03, -0.42), "two_*": (0.0, -0.07, -0.03), "foot_*": (0.0, -0.07, -0.03), "toe_*": (0.0, -0.07, -0.005)}


def test_an_ankle_that_one_leg_has_is_not_looked_for_beyond_the_other_s_knee() -> None:
    """Both ankles are two bones above what is called foot; the right shin has none between."""
    built = build(replace(PLAIN, leg="thigh_*, shin_*, +one_*, +two_*, foot_*, toe_*"))
    figure = moved(built, ANKLE).figure
    between = [figure.index["one_R"], figure.index["two_R"]]
    left = [bone for bone in range(len(figure)) if bone not in between]
    above = np.array(figure.parents)
    above[figure.index["foot_R"]] = figure.index["shin_R"]
    parents = [left.index(above[bone]) if above[bone] >= 0 else -1 for bone in left]
    one_sided = Figure(tuple(figure.names[bone] for bone in left), np.array(parents, np.int32), figure.rest[left], figure.lengths[left])
    roles = {role: one_sided.names[bone] for role, bone in labels_of(one_sided).roles.items()}
    assert (roles["leftFoot"], roles["leftToes"]) == ("one_L", "foot_L")
    assert (roles["rightFoot"], roles["rightToes"]) == ("foot_R", "toe_R")


@pytest.mark.parametrize(
    ("coat", "trunk", "arm", "leg"),
    [(4.0, 1.0, 2.0, 2.0), (2.0, 0.5, 3.0, 4.5), (0.0, -3.0, 2.0, 2.0)],
    ids=["a coat as long as the legs", "a trunk as short as a neck", "a chest below the hips"],
)
def test_arms_hang_on_the_other_end_of_the_trunk(coat: float, trunk: float, arm: float, leg: float) -> None:
    """Beside coat tails of any length on the hips, of bodies that hardly have a trunk or are bent over."""
    points, parents, names = [(0.0, 0.0, 10.0)], [-1], ["hips"]

    def add(name: str, parent: int, *point: float) -> int:
        points.append((point[0], point[1], point[2]))
        parents.append(parent)
        names.append(name)
        return len(points) - 1

    for side in (1.0, -1.0):
        knee = add("knee", add("leg", 0, side, 0, 9.8), side, -0.1, 9.8 - leg)
        add("toe", add("foot", knee, side, 0.1, 9.8 - 1.95 * leg), side, -0.6, 9.8 - 2.05 * leg)
        if coat:
            middle = add("seam", add("coat", 0, 1.3 * side, 0.8, 9.8), 1.4 * side, 0.9, 9.8 - 0.5 * coat)
            add("hem", middle, 1.5 * side, 1, 9.8 - 0.95 * coat)
    top = 10 + trunk
    chest = add("chest", 0, 0, 0, top)
    for side in (1.0, -1.0):
        elbow = add("elbow", add("arm", chest, 1.2 * side, 0, top), 1.2 * side, 0.1, top - 0.5 * arm)
        add("hand", elbow, 1.2 * side, 0, top - 0.95 * arm)
    if trunk < 0:
        add("crown", add("head", chest, 0, 0, top + 1), 0, 0, top + 2)
    pairs = find_limbs(chain_of(points, parents))
    assert pairs is not None and [names[pair.first] for pair in pairs] == ["leg", "arm"]


def test_a_body_without_legs_begins_at_the_hips() -> None:
    """Where its trunk's bones are but numbered, too: the lowest is no root below the hips."""
    figure = HUMAN.figure
    trunk = [HUMAN.truth[role][0] for role in ("hips", "spine", "chest", "upperChest", "neck")]
    legs = {figure.names.index(HUMAN.truth[side + "UpperLeg"][0]) for side in ("left", "right")}
    left = [bone for bone in range(len(figure)) if not legs & set(_path_up(figure, bone))]
    names = [f"Bone{trunk.index(figure.names[bone])}" if figure.names[bone] in trunk else figure.names[bone] for bone in left]
    parents = [left.index(int(figure.parents[bone])) if figure.parents[bone] >= 0 else -1 for bone in left]
    bust = Figure(tuple(names), np.array(parents, np.int32), figure.rest[left], figure.lengths[left])
    roles = {role: bust.names[bone] for role, bone in labels_of(bust).roles.items()}
    assert roles["hips"] == "Bone0" and "root" not in roles
