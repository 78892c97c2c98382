"""Ankles above what is called foot, on legs whose angles and lengths are given: a thigh and a shin of 4 metres each, straight down."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.anatomy.tree import tree_of
from retro_anim.core.retarget.mapping.humanoid.ankles import label_feet
from retro_anim.core.retarget.mapping.humanoid.evidence import Evidence
from retro_anim.core.retarget.mapping.naming.names import read_names

from .given import figure_of

HIP, KNEE, ANKLE = np.array([0.0, 0.0, 10.0]), np.array([0.0, 0.0, 6.0]), np.array([0.0, 0.0, 2.0])
SIDES = {"left": "L", "right": "R"}


def ahead(degrees: float, length: float) -> Floats:
    """Down and to the front, so far away from straight down."""
    return length * np.array([0.0, -np.sin(np.radians(degrees)), -np.cos(np.radians(degrees))])


class Legs:
    """Legs of joints with names, one on the other: hip, knee, any between, and `last`, which is called foot, with what is below it.
    pelvis: whether there is a bone above them. foot: another name for it."""

    def __init__(self, pelvis: bool = True, foot: str = "last", /, **legs: dict[str, Floats]) -> None:
        self.names, parents, heads = (["pelvis"], [-1], [HIP]) if pelvis else ([], [], [])
        for side, joints in legs.items():
            for number, (name, head) in enumerate(joints.items()):
                above = "pelvis" if not number else f"last.{SIDES[side]}" if "last" in [*joints][:number] else self.names[-1]
                parents.append(self.names.index(above) if above in self.names else -1)
                self.names.append(f"{name}.{SIDES[side]}")
                heads.append(head)
        figure = figure_of(self.names, parents, np.array(heads))
        tree = tree_of(range(len(self.names)), parents, figure.heads, figure.tails)
        self.known = Evidence(figure, tree, read_names([name.replace("last", foot) for name in self.names]))
        for side in legs:
            for role, name in (("UpperLeg", "hip"), ("LowerLeg", "knee"), ("Foot", "last")):
                self.give(side, role, name)

    def give(self, side: str, role: str, name: str) -> None:
        self.known.give(side + role, self.names.index(f"{name}.{SIDES[side]}"), 0.0)

    def feet(self, side: str = "left") -> tuple[str | None, str | None]:
        """What are the foot and the toes."""
        label_feet(self.known)
        bones = [self.known.result.roles.get(side + role) for role in ("Foot", "Toes")]
        first, second = (None if bone is None else self.names[bone].partition(".")[0] for bone in bones)
        return first, second


def leg(degrees: float = 60.0, length: float = 2.0, **below: Floats) -> dict[str, Floats]:
    """With one bone between, at which it bends by so much, from where the ball is so far away. below: metres from the ball to others."""
    ball = ANKLE + ahead(degrees, length)
    return {"hip": HIP, "knee": KNEE, "joint": ANKLE, "last": ball, **{name: ball + offset for name, offset in below.items()}}


FOUND, NONE = ("joint", "last"), ("last", None)


@pytest.mark.parametrize(
    ("degrees", "length", "feet"),
    [
        (31, 1.0, FOUND),
        (29, 1.0, NONE),
        (80, 0.41, FOUND),
        (80, 0.39, NONE),
        (80, 2.39, FOUND),
        (80, 2.41, NONE),
        (35, 2.2, FOUND),
        (35, 2.3, NONE),
        (135, 1.0, FOUND),
    ],
)
def test_an_ankle_is_where_a_foot_that_stands_bends_away(degrees: float, length: float, feet: tuple[str, str | None]) -> None:
    """By 30 degrees; it is a tenth to six tenths of the shin long. At 35 degrees one of 2.3 metres goes down by more than a fifth of the
    leg: along the leg of (1.32, 9.88) metres by 20.4 / 99.4, one of 2.2 metres by 19.3 / 97.6."""
    assert Legs(left=leg(degrees, length)).feet() == feet


def test_how_sure_an_ankle_is() -> None:
    """Nine tenths by where it is, and by its name besides; what was said of the bones before is forgotten."""
    legs = Legs(left=leg())
    legs.give("left", "Toes", "last")
    legs.known.doubt("leftToes", 0.3, "may be")
    assert legs.feet() == FOUND
    result = legs.known.result
    assert result.confidence["leftFoot"] == result.confidence["leftToes"] == pytest.approx(0.81)
    assert "may be" not in result.notes.values()
    named = Legs(left={"foot" if name == "joint" else name: head for name, head in leg().items()})
    named.known.result.notes["leftFoot"] = "may be"
    assert named.feet() == ("foot", "last") and "leftFoot" not in named.known.result.notes
    toes = Legs(True, "toes", left=leg())
    assert toes.feet() == FOUND
    assert (toes.known.result.confidence["leftFoot"], toes.known.result.confidence["leftToes"]) == (0.81, round(1 - 0.07 * 0.19, 3))


@pytest.mark.parametrize(("degrees", "feet"), [(49, FOUND), (51, NONE), (-51, NONE)])
def test_a_foot_that_bends_more_at_what_is_called_so_has_its_ankle_there(degrees: float, feet: tuple[str, str | None]) -> None:
    """Than the leg does above it: by 50 degrees. Towards its toes, or the only bone on it; of several nothing is known."""
    tip, other = ahead(50 + degrees, 0.7), ahead(50, 0.7)
    assert Legs(left=leg(50, 1.5, tip=tip)).feet() == feet
    assert Legs(left=leg(50, 1.5, other=tip, tip=tip)).feet() == FOUND
    toes = Legs(left=leg(50, 1.5, other=other, tip=tip))
    toes.give("left", "Toes", "tip")
    assert toes.feet() == (FOUND if feet == FOUND else ("last", "tip"))
    assert Legs(left=leg(50, 1.5, tip=np.zeros(3))).feet() == FOUND


def test_the_ankle_is_where_the_leg_bends_most() -> None:
    """Between bones that share the shin's twist, on its line, and others along the foot."""
    ball = ANKLE + ahead(70, 1.5)
    shin = {"hip": HIP, "knee": KNEE, "twist": KNEE + ahead(0, 2.0), "joint": ANKLE, "middle": ANKLE + ahead(70, 0.7), "last": ball}
    assert Legs(left=shin).feet() == FOUND
    assert Legs(left={**shin, "middle": ANKLE}).feet() == FOUND, "of two at one place the upper"


@pytest.mark.parametrize("pelvis", [True, False])
def test_both_legs_have_their_ankles_alike(pelvis: bool) -> None:
    """Also where only one of them shows it."""
    for shows, other in (("left", "right"), ("right", "left")):
        both = {shows: leg(), other: leg(5.0)}
        assert Legs(pelvis, **both).feet(other) == FOUND
        assert Legs(pelvis, **{shows: leg()}).feet(shows) == FOUND
        short = {name: head for name, head in leg(5.0).items() if name != "joint"}
        legs = Legs(pelvis, **{shows: leg(), other: short})
        assert (legs.feet(shows), legs.feet(other)) == (FOUND, NONE)


def test_no_ankle_is_the_knee() -> None:
    """The left one is two bones above its foot, where the right leg has its knee."""
    ball = ANKLE + ahead(70, 1.5)
    left = {"hip": HIP, "knee": KNEE, "joint": ANKLE, "middle": ANKLE + ahead(70, 0.7), "last": ball}
    right = leg(5.0)
    for legs in (Legs(left=left, right=right), Legs(left=left, right={name: right[name] for name in ("hip", "knee", "last")})):
        assert (legs.feet("left"), legs.feet("right")) == (FOUND, NONE)


def test_a_bone_that_is_something_else_is_no_ankle() -> None:
    """Of one leg; the other's is."""
    legs = Legs(left=leg(), right=leg())
    legs.known.result.roles["tail"] = legs.names.index("joint.L")
    assert (legs.feet("left"), legs.feet("right")) == (NONE, FOUND)


def test_without_a_knee_nothing_is_known() -> None:
    for part in ("UpperLeg", "LowerLeg"):
        legs = Legs(left=leg())
        legs.known.result.drop("left" + part)
        assert legs.feet() == NONE
