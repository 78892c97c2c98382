"""What follows of runs of two beasts, from what the rules below say of them, which is given by hand."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from retro_anim.core.retarget.mapping.creatures import creatures
from retro_anim.core.retarget.mapping.creatures.creatures import Kin
from retro_anim.core.retarget.mapping.creatures.doubts import DOUBTFUL, SURE
from retro_anim.core.retarget.mapping.naming.names import read_names

NUMBERED = read_names(["bone_1", "bone_2"])


class Decided:
    """Doubts as they are given. asked: what `sure` and `differ` were asked."""

    def __init__(
        self,
        sure: float = SURE,
        unlike: bool = False,
        differs: tuple[int, ...] = (),
        pair: float = SURE,
        chain: float = SURE,
        blurred: tuple[int, ...] = (),
    ) -> None:
        self._sure, self._unlike, self._differs, self._pair, self._chain = sure, unlike, differs, pair, chain
        self.asked: list[tuple[bool, int]] = []
        self.ends: Any = None
        self._blurred = blurred

    def sure(self, _ones: list[int], _twos: list[int], chained: bool, left_out: int) -> float:
        self.asked.append((chained, left_out))
        return self._sure

    def unlike(self, _ones: list[int], _twos: list[int]) -> bool:
        return self._unlike

    def differ(self, first: int, _second: int, ends: Any) -> bool:
        self.ends = ends
        return first in self._differs

    def is_blurred(self, first: int, _second: int) -> bool:
        return first in self._blurred

    def of_pair(self, _first: int, _second: int) -> float:
        return self._pair

    def of_chain(self, _chain: Any) -> float:
        return self._chain


Run = tuple[list[int], list[int]]


def decided(
    monkeypatch: pytest.MonkeyPatch,
    doubts: Decided,
    run: Run = ([1, 2], [11, 12]),
    paired: Sequence[tuple[int, int]] = ((1, 11), (2, 12)),
    chain: Any = None,
    known: dict[int, bool] | None = None,
    named: bool = False,
    either: bool = False,
    lacks_ends: tuple[bool, bool] = (False, False),
) -> Kin:
    match: Any = SimpleNamespace(one=None, two=None, matched={}, likeness_in_all=lambda: 0.75)
    given: dict[str, Any] = {
        "TreeMatch": lambda *_: match,
        "likeness": lambda *_, **__: None,
        "Doubts": lambda *_: doubts,
        "of_uneven_rows": lambda _match: None,
        "faces": lambda _match: None,
        "laid": lambda _match, _faces: known or {},
        "ends_that_show": lambda _match: ({7}, {8}),
        "runs_of": lambda _match: [run],
        "together": lambda _match, _ones, _twos: (list(paired), chain),
    }
    for name, value in given.items():
        monkeypatch.setattr(creatures, name, value)
    names = read_names(["tail", "head"]) if named else NUMBERED
    sides: list[Any] = [SimpleNamespace(names=names, lacks_ends=lacks) for lacks in lacks_ends]
    result = creatures._result(match, either, False, sides[0], sides[1])
    assert result.score == 0.75
    return result


CHAIN = (1, 2), (11, 12, 13)


def test_a_run_of_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    doubts = Decided()
    assert decided(monkeypatch, doubts) == Kin({1: 11, 2: 12}, [], {11: SURE, 12: SURE}, 0.75)
    assert doubts.asked == [(False, 0)] and doubts.ends == ({7}, {8})
    assert decided(monkeypatch, Decided(DOUBTFUL)).confidence == {11: DOUBTFUL, 12: DOUBTFUL}
    assert decided(monkeypatch, Decided(differs=(2,))).confidence == {11: SURE, 12: DOUBTFUL}
    assert decided(monkeypatch, Decided(), either=True).confidence == {11: DOUBTFUL, 12: DOUBTFUL}


@pytest.mark.parametrize(("run", "paired", "left_out"), [(([1], [11, 12, 13]), 1, 2), (([1, 2, 3], [11, 12]), 2, 1), (([1], [11]), 2, 0)])
def test_what_is_left_out_of_the_longer_one(run: Run, paired: int, left_out: int, monkeypatch: pytest.MonkeyPatch) -> None:
    doubts = Decided()
    decided(monkeypatch, doubts, run, [(1, 11), (2, 12)][:paired])
    assert doubts.asked == [(False, left_out)]


def test_a_run_that_is_a_chain(monkeypatch: pytest.MonkeyPatch) -> None:
    """As sure as the chain is, and as the run; pairs beside it besides by themselves."""
    doubts = Decided()
    assert decided(monkeypatch, doubts, paired=[(3, 14)], chain=CHAIN) == Kin({3: 14}, [CHAIN], dict.fromkeys((11, 12, 13, 14), SURE), 0.75)
    assert doubts.asked == [(True, 1)]
    one = decided(monkeypatch, Decided(chain=DOUBTFUL), paired=[(3, 14)], chain=CHAIN).confidence
    assert one == {11: DOUBTFUL, 12: DOUBTFUL, 13: DOUBTFUL, 14: SURE}
    other = decided(monkeypatch, Decided(pair=DOUBTFUL), paired=[(3, 14)], chain=CHAIN).confidence
    assert other == {11: SURE, 12: SURE, 13: SURE, 14: DOUBTFUL}
    assert set(decided(monkeypatch, Decided(DOUBTFUL), paired=[(3, 14)], chain=CHAIN).confidence.values()) == {DOUBTFUL}
    assert decided(monkeypatch, Decided(differs=(3,)), paired=[(3, 14)], chain=CHAIN).confidence[14] == DOUBTFUL


def test_what_is_unlike_is_no_match_unless_its_position_on_the_head_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which does not count where both figures have names."""
    assert decided(monkeypatch, Decided(unlike=True)) == Kin({}, [], {}, 0.75)
    known = decided(monkeypatch, Decided(DOUBTFUL, unlike=True), known={1: True})
    assert known.pairs == {1: 11, 2: 12} and known.confidence == {11: SURE, 12: DOUBTFUL}
    blurred = decided(monkeypatch, Decided(blurred=(1,)), known={1: True, 2: True})
    assert blurred.confidence == {11: DOUBTFUL, 12: SURE}, "what may be another head"
    assert decided(monkeypatch, Decided(), known={2: False}).confidence == {11: SURE, 12: DOUBTFUL}
    assert decided(monkeypatch, Decided(unlike=True), known={5: True}).pairs == {}
    assert decided(monkeypatch, Decided(unlike=True), known={1: True}, named=True).pairs == {}


@pytest.mark.parametrize("lacks", [(True, False), (False, True)])
def test_what_lacks_its_ends_shows_none(lacks: tuple[bool, bool], monkeypatch: pytest.MonkeyPatch) -> None:
    doubts = Decided()
    decided(monkeypatch, doubts, lacks_ends=lacks)
    assert doubts.ends == (set(), set())
