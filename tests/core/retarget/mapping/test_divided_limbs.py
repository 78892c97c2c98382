"""Joints of limbs whose long bones are divided by numbered bones of one name, on chains whose lengths are given."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from retro_anim.core.retarget.anatomy.tree import tree_of
from retro_anim.core.retarget.mapping.humanoid.divided_limbs import label_divided
from retro_anim.core.retarget.mapping.humanoid.evidence import Evidence
from retro_anim.core.retarget.mapping.naming.names import read_names

from .given import figure_of

LEG, ARM = ("UpperLeg", "LowerLeg", "Foot"), ("UpperArm", "LowerArm", "Hand")
DOUBT = "bones divide this limb, and nothing shows for certain which of them is its joint"


class Chain:
    """A left leg's bones in a line: names, and the steps from each to the next, each of a metre where none are given. above: what they hang
    on. beside: names of more bones on the last one. given: which of them have roles so far, counted in the chain."""

    def __init__(
        self,
        names: Sequence[str],
        steps: Sequence[float] = (),
        given: dict[str, int] | None = None,
        above: Sequence[str] = ("body",),
        beside: Sequence[str] = (),
    ) -> None:
        self.above, self.names = len(above), [*above, *names, *beside]
        along = np.append(-np.arange(len(above), 0.0, -1), np.cumsum([0.0, *(steps or [1.0] * (len(names) - 1))]))
        heads = np.stack([0.1 * along, 0 * along, -along], axis=1)
        parents = [*range(-1, len(heads) - 1), *[len(heads) - 1] * len(beside)]
        figure = figure_of(self.names, parents, np.concatenate([heads, heads[-1] + np.eye(3)[: len(beside)]]))
        tree = tree_of(range(len(self.names)), parents, figure.heads, figure.tails)
        self.known = Evidence(figure, tree, read_names(self.names))
        roles = {"UpperLeg": 0, "LowerLeg": 1, "Foot": len(names) - 1} if given is None else given
        for role, bone in roles.items():
            self.known.give("left" + role, bone + self.above, 1.0)

    def roles(self, parts: Sequence[str] = LEG) -> dict[str, int]:
        """Afterwards."""
        label_divided(self.known, "left", parts)
        return {role.removeprefix("left"): bone - self.above for role, bone in self.known.result.roles.items()}


def chain_of(count: int, first: int = 1) -> list[str]:
    return [f"leg{number}.L" for number in range(first, first + count)]


def joint_of(steps: Sequence[float]) -> int | None:
    """Behind how many of the steps the knee is; None where it stays where it was, at the thigh."""
    foot = len(steps)
    roles = Chain(chain_of(foot + 1), steps, {"UpperLeg": 0, "LowerLeg": 0, "Foot": foot}).roles()
    assert (roles["UpperLeg"], roles["Foot"]) == (0, foot)
    return roles["LowerLeg"] or None


@pytest.mark.parametrize(
    ("steps", "joint"),
    [
        ((1, 1, 1, 1), 2),
        ((3, 1, 1, 1), 1),
        ((1, 1, 1, 3), 3),
        ((2, 2, 3, 3), None),
        ((1.41, 1.41, 1, 1), 2),
        ((1.43, 1.43, 1, 1), None),
        ((1, 1, 1.41, 1.41), 2),
        ((1, 1, 1.43, 1.43), None),
        ((1, 1.34, 1.34, 1), 2),
        ((1, 1, 1, 1.36), None),
        ((1.36, 1, 1.18, 1.18), None),
        ((1.1, 1.1, 1, 1.22), 2),
        ((np.exp(0.25), np.exp(0.25), 2 / (1 + np.exp(0.2)), 2 * np.exp(0.2) / (1 + np.exp(0.2))), 2),
        ((np.exp(0.27), np.exp(0.27), 2 / (1 + np.exp(0.2)), 2 * np.exp(0.2) / (1 + np.exp(0.2))), None),
        ((1, 1, 1, 0.75, 0.75, 0.75, 0.75), 3),
        ((0.5, 0.5, 0.5, 0.5, 1, 1), 4),
        ((1, 0, 1, 1, 1), None),
    ],
)
def test_a_knee_parts_even_parts_of_about_as_long_bones(steps: Sequence[float], joint: int | None) -> None:
    """One long bone is e^0.35, 1.419 times as long as the other at most; or one of its parts e^0.3, 1.35 times as another; of both the
    squares add up: (0.25 / 0.35)^2 + (0.2 / 0.3)^2 is 0.95, with 0.27 it is 1.04. Parts without a length show nothing."""
    assert joint_of(steps) == joint


def test_how_sure_a_divided_limb_is() -> None:
    """0.85 by its bones, and by their names."""
    chain = Chain(chain_of(5))
    assert chain.roles() == {"UpperLeg": 0, "LowerLeg": 2, "Foot": 4}
    scores = {"UpperLeg": 0.6, "LowerLeg": 0.7, "Foot": 0.0}
    wanted = {"left" + part: round(1 - (1 - 0.93 * score) * (1 - 0.9 * 0.85), 3) for part, score in scores.items()}
    assert chain.known.result.confidence == pytest.approx(wanted)


@pytest.mark.parametrize(("count", "is_clear"), [(11, True), (13, False), (8, False)])
def test_of_many_parts_no_joint_is_clear(count: int, is_clear: bool) -> None:
    """One joint on, halves of 10 are 4 and 6, which fits worse by (log(6 / 4) / 0.35)^2, 1.34; of 12 by (log(7 / 5) / 0.35)^2, 0.92.
    Of 7 are 3 and 4 as good as 4 and 3."""
    chain = Chain(chain_of(count))
    assert chain.roles()["LowerLeg"] in ((count - 1) // 2, count // 2)
    result = chain.known.result
    doubtful = {role for role, note in result.notes.items() if note == DOUBT and result.confidence[role] == 0.5}
    assert doubtful == (set() if is_clear else set(result.roles))


UNEVEN = (1, 2, 1, 2)


@pytest.mark.parametrize(("given", "doubtful"), [({"UpperLeg": 0}, 0), ({"UpperLeg": 1}, 3), ({"UpperLeg": 1, "Shoulder": 0}, 0)])
def test_an_uneven_limb_is_doubtful_where_it_would_begin_below_its_first_bone(given: dict[str, int], doubtful: int) -> None:
    chain = Chain(chain_of(5), UNEVEN, {**given, "LowerLeg": 2, "Foot": 4})
    assert chain.roles() == {**given, "LowerLeg": 2, "Foot": 4}
    assert list(chain.known.result.notes.values()).count(DOUBT) == doubtful
    without = Chain([*chain_of(4), "leg_end_5.L"], UNEVEN, {"UpperLeg": 1, "LowerLeg": 2})
    assert without.roles() == {"UpperLeg": 1, "LowerLeg": 2}
    assert set(without.known.result.notes) == {"leftUpperLeg", "leftLowerLeg"}


GIVEN = {"UpperLeg": 0, "LowerLeg": 1}


@pytest.mark.parametrize("above", [(), ("body",)])
def test_bones_are_of_one_limb_by_their_names(above: Sequence[str]) -> None:
    """All of one name, whichever of them had been taken for its parts; five of them at least, each with a number, or a copy's."""
    for given in ({"UpperLeg": 1, "LowerLeg": 0, "Foot": 4}, {"UpperLeg": 3, "LowerLeg": 4, "Foot": 0}):
        assert Chain(chain_of(5), given=given, above=above).roles() == {"UpperLeg": 0, "LowerLeg": 2, "Foot": 4}
    assert Chain(chain_of(4), above=above).roles()["LowerLeg"] == 1
    copies = ["leg.L.000", "leg.L.001", "leg.L.002", "leg3.L", "leg4.L"]
    assert Chain(copies, above=above).roles()["LowerLeg"] == 2
    assert Chain(["leg.L", *chain_of(4)], above=above).roles()["LowerLeg"] == 1
    assert Chain([f"cloth{number}.L" for number in range(5)], above=above).roles()["LowerLeg"] == 1, "no leg's"
    assert Chain(["leg0.R", *chain_of(4)], given={"UpperLeg": 1, "LowerLeg": 2, "Foot": 4}, above=above).roles()["LowerLeg"] == 2
    assert Chain(["shin0.L", *chain_of(5)], given={"UpperLeg": 1, "LowerLeg": 2, "Foot": 5}, above=above).roles()["LowerLeg"] == 3
    assert Chain(chain_of(5), given={**GIVEN, "Foot": 4}, beside=["leg8.L", "leg9.L"]).roles()["LowerLeg"] == 2, (
        "as far as they are one row"
    )


def test_a_limb_without_its_upper_or_lower_bone_stays() -> None:
    for given in ({"UpperLeg": 0, "Foot": 4}, {"LowerLeg": 1, "Foot": 4}):
        assert Chain(chain_of(5), given=given).roles() == given
    outside = Chain(chain_of(5), given={"UpperLeg": -1, "LowerLeg": 1, "Foot": 4})
    assert outside.roles() == {"UpperLeg": -1, "LowerLeg": 1, "Foot": 4}


def test_a_limb_ends_at_a_bone_of_another_name() -> None:
    """Which hangs on the last one, and counts as one of them."""
    assert Chain([*chain_of(4), "paw.L"], given={**GIVEN, "Foot": 4}).roles() == {"UpperLeg": 0, "LowerLeg": 2, "Foot": 4}
    further = {**GIVEN, "Foot": 6}
    assert Chain([*chain_of(5), "heel.L", "paw.L"], given=further).roles() == further
    other = {**GIVEN, "Foot": -1}
    for last in ("leg5.L", "leg_end5.L"):
        assert Chain([*chain_of(4), last], given=other).roles() == other


def test_a_limb_without_an_end_of_its_own_ends_where_its_names_say() -> None:
    assert Chain(chain_of(5), given=GIVEN).roles() == GIVEN
    for end in ("end", "tip", "eff"):
        assert Chain([*chain_of(4), f"leg_{end}5.L"], given=GIVEN).roles() == {"UpperLeg": 0, "LowerLeg": 2, "Foot": 4}


def test_a_foot_below_an_end_is_its_ball() -> None:
    """The end is the ankle, and what was called foot the toes, whatever they had been; a hand stays none, and the end is it."""
    names = [*chain_of(4), "leg_end5.L", "foot.L", "toe.L"]
    chain = Chain(names, given={**GIVEN, "Foot": 5, "Toes": 6})
    chain.known.doubt("leftToes", 0.1, "may be")
    assert chain.roles() == {"UpperLeg": 0, "LowerLeg": 2, "Foot": 4, "Toes": 5}
    assert chain.known.result.confidence["leftToes"] == round(0.9 * 0.85, 3) and "may be" not in chain.known.result.notes.values()
    named = Chain([*names[:5], "toes.L", "tip.L"], given={**GIVEN, "Foot": 5, "Toes": 6})
    assert named.roles()["Toes"] == 5 and "leftToes" not in named.known.result.notes
    assert Chain(names[:6], given={**GIVEN, "Foot": 5}).roles() == {"UpperLeg": 0, "LowerLeg": 2, "Foot": 4, "Toes": 5}
    arm = [name.replace("leg", "arm").replace("foot", "hand") for name in names[:6]]
    roles = Chain(arm, given={"UpperArm": 0, "LowerArm": 1, "Hand": 5}).roles(ARM)
    assert roles == {"UpperArm": 0, "LowerArm": 2, "Hand": 4}
    uneven = {**GIVEN, "Foot": 5}
    assert Chain(names[:6], (1, 2, 1, 2, 1), given=uneven).roles() == uneven
