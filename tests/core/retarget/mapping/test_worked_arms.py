"""Arms of persons whose bones are but numbered, of proportions that games have: which joint is what is known by how the arm was put
together."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.retarget.mapping.mapping import labels_of

from .given import figure_of

ARM = ("Shoulder", "UpperArm", "LowerArm", "Hand")
LEG = ("UpperLeg", "LowerLeg", "Foot", "Toes")


def roles(arm: tuple[float, ...], fingers: tuple[tuple[float, ...], ...], first: int = 0) -> dict[str, str]:
    """What the joints of an arm are taken for, by what they are. arm: the lengths from joint to joint; `first` of them is left out at the
    shoulder's side. fingers: of each the lengths from the hand on."""
    names, heads, parents = ["hips"], [np.array([0, 0, 1.0])], [-1]

    def add(name: str, above: str, offset: tuple[float, float, float]) -> str:
        parents.append(names.index(above))
        heads.append(heads[parents[-1]] + np.array(offset))
        names.append(name)
        return name

    above = "hips"
    for part, height in (("spine", 0.12), ("chest", 0.2), ("neck", 0.25), ("head", 0.1)):
        above = add(part, above, (0, 0.01, height))
    add("top", "head", (0, 0, 0.2))
    for side, sign in (("left", 1), ("right", -1)):
        above = "hips"
        for part, offset in zip(LEG, ((0.1, 0, -0.05), (0, -0.01, -0.45), (0, 0.02, -0.42), (0, -0.13, -0.08)), strict=True):
            above = add(side + part, above, (sign * offset[0], offset[1], offset[2]))
        above = "chest"
        for part, length in zip(ARM[first:], arm, strict=True):
            above = add(side + part, above, (sign * length, 0, 0.1 if above == "chest" else -0.3 * length))
        for finger, lengths in enumerate(fingers):
            above = side + "Hand"
            for joint, length in enumerate(lengths):
                above = add(f"{side}{finger}{joint}", above, (sign * length, 0.02 * finger if not joint else 0, 0))
    numbered = [f"bone_{number}" for number in range(len(names))]
    bones = labels_of(figure_of(numbered, parents, np.array(heads))).roles
    return {names[bone]: role for role, bone in bones.items() if names[bone].endswith(ARM)}


FORK = ((0.07, 0.03), (0.08, 0.03))


@pytest.mark.parametrize(
    ("arm", "fingers"),
    [
        ((0.05, 0.14, 0.28, 0.25), FORK),
        ((0.16, 0.14, 0.34, 0.39), FORK),
        ((0.07, 0.23, 0.29, 0.36), ((0.21, 0.2), (0.2,))),
        ((0.18, 0.3, 0.34, 0.25), ((0.34, 0.31), (0.3,))),
        ((0.2, 0.17, 0.36, 0.39), ((0.13, 0.05, 0.05),)),
    ],
)
def test_an_arm_with_a_collar_bone(arm: tuple[float, ...], fingers: tuple[tuple[float, ...], ...]) -> None:
    """Short upper arms, and hands as long as them; the joint that is left out of the arm would be the shoulder's."""
    assert roles(arm, fingers) == {side + part: side + part for side in ("left", "right") for part in ARM}


@pytest.mark.parametrize("arm", [(0.3, 0.35, 0.24), (0.28, 0.17, 0.23), (0.2, 0.3, 0.3)])
@pytest.mark.parametrize("fingers", [(), ((0.06,),), FORK])
def test_an_arm_without_a_collar_bone(arm: tuple[float, ...], fingers: tuple[tuple[float, ...], ...]) -> None:
    """The third joint is the hand, also where nothing hangs on it: an elbow between is not left out."""
    assert roles(arm, fingers, 1) == {side + part: side + part for side in ("left", "right") for part in ARM[1:]}
