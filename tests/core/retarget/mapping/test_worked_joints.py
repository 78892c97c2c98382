"""Legs of other joints: of which no foot is sure. Bones one below the other, a metre long if nothing else is said."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.mapping.by_names import pair_same_names
from retro_anim.core.retarget.mapping.by_roles import doubt_joints

from .given import figure_of
from .test_pairing import chain_of, pairing, pairs

HUMAN = chain_of(["hip", "knee", "ankle", "toe"])
BEAST = chain_of(["hip", "knee", "hock", "ankle", "toe"])
NOTE = "its leg has other joints than the source's"


def doubted(source: Figure, target: Figure, beasts: bool = False, side: str = "left", **given: dict[str, Any]) -> tuple[float, str]:
    """Confidence and note of a pair of feet that was 0.9 sure, or as `given` says, once legs have been compared."""
    roles = [
        {f"{side}LowerLeg": figure.index["knee"], f"{side}Foot": figure.index["ankle"]}
        | ({f"{side}Toes": figure.index["toe"]} if "toe" in figure.index else {})
        for figure in (source, target)
    ]
    values = [
        {"roles": {role: bone for role, bone in each.items() if role not in given.get(key, {}).get("without", ())}}
        for key, each in zip(("one", "two"), roles, strict=True)
    ]
    both = pairing(source, target, *values)
    both.pair(source.index["hip"], target.index["hip"], f"{side}UpperLeg", 0.9)
    both.pair(source.index["ankle"], target.index["ankle"], f"{side}Foot", 0.9)
    foot = both.pairs[target.index["ankle"]]
    both.pairs[target.index["ankle"]] = replace(foot, **given.get("foot", {}))
    doubt_joints(both, beasts)
    assert both.pairs[target.index["hip"]].confidence == 0.9, "only feet"
    pair = both.pairs[target.index["ankle"]]
    return pair.confidence, pair.note


@pytest.mark.parametrize("side", ["left", "right"])
def test_no_foot_is_sure_of_a_leg_that_has_other_joints(side: str) -> None:
    """A hock is one beast's ankle."""
    assert doubted(HUMAN, BEAST, side=side) == doubted(BEAST, HUMAN, side=side) == (0.6, NOTE)
    assert doubted(HUMAN, HUMAN, side=side) == doubted(BEAST, BEAST, side=side) == (0.9, "")


def test_what_is_less_sure_stays_so_and_keeps_its_note() -> None:
    assert doubted(HUMAN, BEAST, foot={"confidence": 0.3, "note": "why"}) == (0.3, "why")
    assert doubted(HUMAN, BEAST, foot={"confidence": 0.7}) == (0.6, NOTE)


def test_of_beasts_what_is_behind_the_foot_counts_too() -> None:
    """The longest row of bones that hangs on it: two toes beside each other are as one."""
    longer = chain_of(["hip", "knee", "ankle", "toe", "claw"])
    forked = figure_of(["hip", "knee", "ankle", "toe", "other"], [-1, 0, 1, 2, 2], np.outer([0.0, 1, 2, 3, 3], (0, 0, 1)))
    bare = chain_of(["hip", "knee", "ankle"])
    assert doubted(HUMAN, longer, beasts=True) == doubted(HUMAN, bare, beasts=True) == (0.6, NOTE)
    assert doubted(HUMAN, longer) == doubted(HUMAN, bare) == doubted(HUMAN, forked, beasts=True) == (0.9, "")
    both = figure_of(["hip", "knee", "ankle", "other", "toe", "claw"], [-1, 0, 1, 2, 2, 4], np.outer([0.0, 1, 2, 3, 3, 4], (0, 0, 1)))
    assert doubted(longer, both, beasts=True) == (0.9, "")


@pytest.mark.parametrize(("apart", "sure"), [(0.0, True), (0.019, True), (0.021, False)])
def test_bones_that_begin_where_the_next_one_does_are_no_joints(apart: float, sure: bool) -> None:
    """Nearer than a hundredth of the lower leg, which is 2 metres long."""
    control = figure_of(["hip", "knee", "twin", "ankle", "toe"], [-1, 0, 1, 2, 3], np.outer([0.0, 1, 1 + apart, 3, 4], (0, 0, 1)))
    plain = figure_of(["hip", "knee", "ankle", "toe"], [-1, 0, 1, 2], np.outer([0.0, 1, 3, 4], (0, 0, 1)))
    assert doubted(plain, control)[0] == (0.9 if sure else 0.6)


def test_of_legs_that_are_not_there_nothing_is_said() -> None:
    """Without a lower leg or a foot, or where one does not hang on the other."""
    apart = figure_of(["hip", "knee", "hock", "ankle", "toe"], [-1, 0, 1, 0, 3], np.outer([0.0, 1, 2, 3, 4], (0, 0, 1)))
    assert doubted(HUMAN, apart) == (0.9, "")
    for missing in ("leftLowerLeg", "leftFoot"):
        assert doubted(HUMAN, BEAST, two={"without": (missing,)}) == doubted(HUMAN, BEAST, one={"without": (missing,)}) == (0.9, "")
    first = figure_of(["knee", "hock", "ankle", "hip"], [-1, 0, 1, -1], np.outer([0.0, 1, 2, 3], (0, 0, 1)))
    second = figure_of(["knee", "ankle", "hip"], [-1, 0, -1], np.outer([0.0, 1, 2], (0, 0, 1)))
    assert doubted(first, second) == (0.6, NOTE), "also where the knee is the first bone of all"
    assert doubted(second, first, one={"without": ("leftFoot",)}) == (0.9, "")


@pytest.mark.parametrize(("name", "hangs", "follows"), [("bone_12", 0, True), ("bone_12", 1, False), ("tail_12", 1, True)])
def test_a_number_alone_is_a_name_below_bones_that_follow_each_other(name: str, hangs: int, follows: bool) -> None:
    """A tail here is a sleeve there: on the first of two bones in the source, on one of them in the target."""
    heads = np.array([[0.0, 0, 0], [1, 0, 0], [0, 0, 1]])
    both = pairing(figure_of(["a", "b", name], [-1, -1, 0], heads), figure_of(["c", "d", name], [-1, -1, hangs], heads))
    both.pair(0, 0, "", 0.9)
    both.pair(1, 1, "", 0.9)
    pair_same_names(both)
    assert (pairs(both)[2:] == [(name, name, "", 0.85, "")]) == follows
    assert len(both.pairs) == 2 + follows
