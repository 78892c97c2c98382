"""What is decided of two beasts that are laid on each other: which way round, what is sure, and of whom nothing is asked; what the rules
below say is given by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.retarget.mapping.creatures import creatures
from retro_anim.core.retarget.mapping.creatures.creatures import Kin, kin, lies_in_a_limb
from retro_anim.core.retarget.mapping.creatures.doubts import DOUBTFUL
from retro_anim.core.retarget.mapping.naming.names import read_names

from .given import figure_of


def body(name: str, ahead: float = 0.0, rotated: bool = False, front_shows: bool = True) -> Any:
    return SimpleNamespace(name=name, ahead=ahead, rotated=rotated, front_shows=front_shows, on_fours=False)


def side(*bodies: Any) -> Any:
    return SimpleNamespace(bodies=bodies, names=())


def best_of(
    monkeypatch: pytest.MonkeyPatch, ones: Sequence[Any], twos: Sequence[Any], scores: dict[str, tuple[float, float]]
) -> tuple[str, bool, bool]:
    """The best of what gains eight times as much as said, by the names of both bodies, whether another one is as good, and whether they
    are round. scores: with what speaks for the front, and without."""

    def laid(one: Any, two: Any, *_: object) -> tuple[float, Any]:
        score, gained = scores[one.name + two.name]
        return 8 * score, SimpleNamespace(one=one, two=two, gained=8 * gained)

    monkeypatch.setattr(creatures, "_laid", laid)
    result = creatures._Laid.of(side(*ones), side(*twos))
    match: Any = result.match
    return match.one.name + match.two.name, result.either, result.is_round


@pytest.mark.parametrize(
    ("other", "shows", "either"),
    [
        ((0.99, 0.8), True, False),  # by where both fronts are it does not
        ((0.95, 0.8), False, False),
        ((0.951, 0.8), False, True),  # nearly as much by all that speaks for it, where the front of either does not show
        ((0.5, 1.0), True, False),
        ((0.5, 1.01), True, True),  # more by the likeness alone
        ((0.5, 0.95), False, False),
        ((0.5, 0.96), False, True),  # or nearly as much by that
    ],
)
def test_a_figure_may_look_the_other_way(other: tuple[float, float], shows: bool, either: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    scores = {"ax": (1.0, 1.0), "bx": other}
    for fronts in ((shows, True), (True, shows)):
        ones = body("b", front_shows=fronts[0]), body("a", front_shows=fronts[0])
        assert best_of(monkeypatch, ones, [body("x", front_shows=fronts[1])], scores) == ("ax", either, False)


@pytest.mark.parametrize(("rotated", "is_round"), [(0.85, False), (0.86, True)])
def test_a_round_figure_may_be_rotated(rotated: float, is_round: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """By 0.85 of what speaks for the best, as one of either, or both; it is never taken itself."""
    scores = {"ax": (1.0, 1.0), "bx": (rotated, 9.0)}
    assert best_of(monkeypatch, [body("a"), body("b", rotated=True)], [body("x")], scores) == ("ax", is_round, is_round)
    swapped = {"xa": (1.0, 1.0), "xb": (rotated, 9.0)}
    assert best_of(monkeypatch, [body("x")], [body("a"), body("b", rotated=True)], swapped) == ("xa", is_round, is_round)
    both = best_of(monkeypatch, [body("a"), body("b", rotated=True)], [body("x")], {"ax": (1.0, 1.0), "bx": (9.0, 9.0)})
    assert both == ("ax", True, True)


def test_of_two_that_may_look_either_way_one_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """That of the second figure which looks ahead most, as both looking the other way is the same; no rotated one."""
    ones, twos = [body("a"), body("b")], [body("x", 0.1), body("y", 0.2), body("z", 0.3, rotated=True)]
    assert best_of(monkeypatch, ones, twos, {"ay": (1.0, 1.0), "by": (0.5, 0.5)})[0] == "ay"
    assert best_of(monkeypatch, ones[:1], twos[:2], {"ax": (0.5, 0.5), "ay": (1.0, 1.0)})[0] == "ay"


@pytest.mark.parametrize(("one", "two", "factor"), [(1.0, 1.0, 1.15), (1.0, -1.0, 0.85), (0.5, 0.4, 1.03), (0.0, 1.0, 1.0)])
def test_two_that_look_ahead_are_more_alike(one: float, two: float, factor: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(creatures, "likeness", lambda *_: None)
    monkeypatch.setattr(creatures, "TreeMatch", lambda *_: SimpleNamespace(gained=2.0))
    gained, match = creatures._laid(body("a", one), body("b", two), (), ())
    assert gained == pytest.approx(2 * factor) and match.gained == 2.0


@pytest.mark.parametrize(("fours", "factor"), [((True, True), 0.75), ((True, False), 0.925), ((False, True), 0.925)])
def test_where_two_on_fours_look_shows_more_than_what_they_are_like(
    fours: tuple[bool, bool], factor: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By half of what both gain, if both do; of one that looks ahead, and one that half looks back."""
    monkeypatch.setattr(creatures, "likeness", lambda *_: None)
    monkeypatch.setattr(creatures, "TreeMatch", lambda *_: SimpleNamespace(gained=2.0))
    ones = [body(name, ahead) for name, ahead in (("a", 1.0), ("b", -0.5))]
    for each, stands in zip(ones, fours, strict=True):
        each.on_fours = stands
    assert creatures._laid(ones[0], ones[1], (), ())[0] == pytest.approx(2 * factor)


def compared(
    monkeypatch: pytest.MonkeyPatch,
    counts: tuple[int, int],
    paired: tuple[int, int] = (2, 2),
    row: bool = False,
    ends: tuple[bool, bool] = (True, True),
) -> list[tuple[int, int, bool]] | None:
    """How many bones of both figures are compared, and whether the best is as good the other way for other reasons. row: whether all are in
    one row; else there are two."""
    figures = [
        figure_of(
            [f"b{at}" for at in range(count)],
            [-1, *range(count - 1)] if row else [(at - 1) // 2 for at in range(count)],
            np.zeros((count, 3)),
        )
        for count in counts
    ]
    sides = [
        [SimpleNamespace(figure=figure, paired=pairs, rotated=False, on_fours=False, ahead=1.0, joints_of_legs=list)]
        for figure, pairs in zip(figures, paired, strict=True)
    ]
    tried: list[tuple[int, int, bool]] = []

    def less(whole: Any) -> Any:
        count = len(whole.bones)
        return SimpleNamespace(bones=range(count - 1)) if ends[counts.index(count)] else None

    def of(one: Any, two: Any) -> Any:
        tried.append((len(one.bones), len(two.bones), False))
        gained = float(len(one.bones) == counts[0])

        def result(either: bool) -> Kin:
            tried.append((len(one.bones), len(two.bones), either))
            return Kin({}, [], {}, 0.0)

        return SimpleNamespace(score=gained, kin=result)

    monkeypatch.setattr(creatures, "without_targets", lambda whole: whole)
    monkeypatch.setattr(creatures, "without_ends", less)
    monkeypatch.setattr(creatures._Laid, "of", of)
    names = [read_names(figure.names) for figure in figures]
    ones, twos = (list[Any](each) for each in sides)
    return None if kin(ones, twos, names[0], names[1]) is None else tried


def test_what_is_compared_of_two_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both whole, and each without its ends where they have not as many bones; the best of these."""
    assert compared(monkeypatch, (7, 7)) == [(7, 7, False), (7, 7, False)]
    assert compared(monkeypatch, (7, 9)) == [(7, 9, False), (6, 9, False), (7, 8, False), (7, 9, False)]
    assert compared(monkeypatch, (7, 9), ends=(False, True)) == [(7, 9, False), (7, 8, False), (7, 9, False)]
    assert compared(monkeypatch, (7, 9), ends=(True, False)) == [(7, 9, False), (6, 9, False), (7, 9, False)]


def test_rows_of_other_lengths_may_be_either_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Snakes have no pairs."""
    assert (compared(monkeypatch, (7, 9), (0, 0), row=True) or [])[-1] == (7, 9, True)
    assert (compared(monkeypatch, (7, 7), (0, 0), row=True) or [])[-1] == (7, 7, False)


def test_of_whom_nothing_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has fewer than two bones with a twin, or more than half a million pairs of bones."""
    for paired in ((1, 2), (2, 1), (0, 0)):
        assert compared(monkeypatch, (7, 7), paired) is None
    assert compared(monkeypatch, (1024, 512)) is not None and compared(monkeypatch, (1024, 513)) is None
    each = [SimpleNamespace(figure=figure_of(["a"], [-1], np.zeros((1, 3))), paired=2)]
    ones: list[Any] = each
    assert kin([], ones, (), ()) is None and kin(ones, [], (), ()) is None
    monkeypatch.setattr(creatures, "_is_one_row", lambda figure: len(figure) == 7)
    assert compared(monkeypatch, (7, 7), (0, 0)) is not None
    assert compared(monkeypatch, (7, 9), (0, 0)) is None and compared(monkeypatch, (9, 7), (0, 0)) is None


@pytest.mark.parametrize(("count", "has_one"), [(1, False), (2, True), (2000, True), (2001, False)])
def test_who_has_a_body(count: int, has_one: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(creatures, "bodies", lambda _figure, sides: [sides])
    labels: Any = SimpleNamespace(names=[SimpleNamespace(side="left")])
    figure: Any = range(count)
    assert creatures.bodies_of(figure, labels) == ([["left"]] if has_one else [])


@pytest.mark.parametrize(("parents", "is_chain"), [([-1, 0, 1, 2, 0], True), ([-1, 0, 1, 0, 0], False), ([-1, 0, 0, 2, 3], True)])
def test_a_snake_has_three_steps_of_five_bones_in_a_row(parents: list[int], is_chain: bool) -> None:
    assert creatures._is_one_chain(figure_of(list("abcde"), parents, np.zeros((5, 3)))) == is_chain


@pytest.mark.parametrize(("own", "other"), [(True, False), (False, True), (False, False)])
def test_what_belongs_together_is_said_of_the_whole_figures(own: bool, other: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the numbers that bones had before something was left out."""
    asked: list[bool] = []

    def result(_match: Any, either: bool, is_round: bool, *_: object) -> Kin:
        asked.append(either)
        return Kin({0: 1}, [((1, 2), (0, 2))], {1: 0.9, 0: 0.6}, 0.5, is_round)

    monkeypatch.setattr(creatures, "_result", result)
    sides: list[Any] = [SimpleNamespace(bones=bones) for bones in ((5, 6, 7), (1, 3, 8))]
    match: Any = None
    laid = creatures._Laid(sides[0], sides[1], match, 1.0, own, True)
    assert laid.kin(other) == Kin({5: 3}, [((6, 7), (1, 8))], {3: 0.9, 1: 0.6}, 0.5, True)
    assert asked == [own or other]


def test_a_trunk_with_a_mirror_image_lies_in_a_limb() -> None:
    """One that the structure alone says is one, in a body that is not rotated."""

    def lies(role: str, bone: int, noted: bool = True, rotated: bool = False) -> bool:
        labels: Any = SimpleNamespace(roles={role: bone}, notes={role: "why"} if noted else {})
        each: Any = SimpleNamespace(twins=(-1, 2, 1, -1, 0), rotated=rotated)
        return lies_in_a_limb(labels, [each])

    assert lies("hips", 1) and lies("head", 2) and lies("chest", 1)
    assert lies("hips", 4) and not lies("hips", 0) and not lies("hips", 3) and not lies("leftHand", 1)
    assert not lies("hips", 1, noted=False) and not lies("hips", 1, rotated=True)


@pytest.mark.parametrize(("others", "pairs"), [((1,), {3: 1}), ((0, 1), {3: 0, 4: 1}), ((0, 1, 2), {3: 0, 0: 1, 4: 2})])
@pytest.mark.parametrize("either", [False, True])
def test_of_a_row_that_goes_in_and_out_again_bones_follow_by_their_part_of_the_way(
    others: tuple[int, ...], pairs: dict[int, int], either: bool
) -> None:
    """Ends follow ends, and the middle the middle, whichever of both is the longer one."""
    across, straight = (
        figure_of(names, parents, np.zeros((len(names), 3)))
        for names, parents in ((list("abcde"), [-1, 0, 0, 1, 2]), (list("abc"), [-1, 0, 1]))
    )
    row = (3, 1, 0, 2, 4)
    if either:
        laid = creatures._in_one_direction(Kin({}, [(others, row)], {}, 0.5), straight, across)
        assert (laid.pairs, laid.chains) == ({other: bone for bone, other in pairs.items()}, [])
    else:
        laid = creatures._in_one_direction(Kin({}, [(row, others)], {}, 0.5), across, straight)
        assert (laid.pairs, laid.chains) == (pairs, [])


def test_only_what_a_rival_has_otherwise_is_doubtful() -> None:
    """Bone 2 follows another one, what 5 follows leads elsewhere, 8 follows nothing of its chain; what it leaves out is not."""
    sure: dict[int, float] = dict.fromkeys((2, 3, 4, 5, 7, 8), 0.9)
    of = Kin({12: 2, 13: 3, 14: 4, 15: 5}, [((17, 18, 19), (7, 8))], sure, 0.5)
    rival = {11: 2, 13: 3, 15: 6, 18: 7, 16: 8}
    assert creatures._doubted(of, [{}]) == of
    assert creatures._doubted(of, [{}, rival]) == replace(of, confidence=sure | dict.fromkeys((2, 5, 7, 8), DOUBTFUL))
