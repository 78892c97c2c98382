"""What of two figures that are kin becomes a bone map, whose likeness is given by hand."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.mapping import mapping
from retro_anim.core.retarget.mapping.creatures import creatures
from retro_anim.core.retarget.mapping.creatures.doubts import DOUBTFUL
from retro_anim.core.retarget.mapping.humanoid.evidence import Labels
from retro_anim.core.retarget.mapping.naming.names import read_names
from retro_anim.core.retarget.mapping.pairing import Pairing
from retro_anim.core.retarget.mapping.shape import Match

from .. import rigs
from .given import figure_of


@pytest.mark.parametrize(("theirs", "follows"), [(0, True), (1, False)])
def test_what_is_beside_two_bodies_follows_where_these_are_alike_as_beasts(theirs: int, follows: bool) -> None:
    """As far as they are paired already, each with its own: else nothing does."""
    figures = figure_of(list("abc"), [-1, 0, 0], np.eye(3)), figure_of(list("abc"), [-1, 0, 0], np.eye(3))
    labels = Labels(read_names(["0", "1", "2"]), sides=("",) * 3)
    mapper: Any = SimpleNamespace(pairing=Pairing(*figures, labels, labels))
    mapper.pairing.pair(0, theirs, "", 0.9)
    mapping._Mapper._beside(mapper, creatures.Kin({0: 0, 2: 2}, [], {0: 0.9, 1: 0.9, 2: 0.7}, 0.9))
    assert mapper.pairing.paired == ({0: 0, 2: 2} if follows else {0: 1})
    if follows:
        assert (mapper.pairing.pairs[2].confidence, mapper.pairing.pairs[2].note) == (0.7, "another branch, or none, would suit as well")


def test_of_copies_of_a_beast_that_may_look_another_way_what_would_belong_elsewhere_is_doubtful(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of what is round; where as beasts more would, they are no copies. Of humans nobody asks."""
    shape = Match({bone: bone for bone in range(20)}, dict.fromkeys(range(20), 0.9), 0.01)
    most = int(mapping._ELSEWHERE * 20)

    def copied(
        apart: int, is_round: bool = False, humanoid: bool = False, kin: bool = True, alike: bool = True, distance: float = 0.01
    ) -> Match | None:
        monkeypatch.setattr(mapping, "same_shape", lambda *_: replace(shape, distance=distance) if alike else None)
        pairs = {bone: bone if bone >= apart else bone + 100 for bone in range(20)}
        relatives = creatures.Kin(pairs, [], {}, 0.9, is_round) if kin else None
        mapper: Any = SimpleNamespace(source=None, target=None, humanoid=humanoid, _relatives=relatives)
        return mapping._Mapper._shape(mapper)

    assert copied(0) == copied(3, humanoid=True) == copied(20, kin=False) == shape
    some, whole = copied(2), copied(0, is_round=True)
    assert some is not None and some.pairs == shape.pairs
    assert some.confidence == {bone: DOUBTFUL if bone < 2 else 0.9 for bone in range(20)}
    assert whole is not None and set(whole.confidence.values()) == {DOUBTFUL}
    assert copied(most) is not None and copied(most + 1) is None and copied(0, alike=False) is None
    exact = copied(20, is_round=True, distance=0.009)
    assert exact is not None and exact.confidence == shape.confidence, "nor of what points everywhere where the other does"


def with_tail(tip: bool) -> Figure:
    """A human of numbered bones, the last of which is a tail, which may have a tip."""
    body = rigs.humanoid()
    heads = np.vstack([body.heads, body.heads[0] + [[0, 0.1, 0], [0, 0.2, 0.05]]])[: len(body) + 1 + tip]
    return figure_of([f"bone_{bone}" for bone in range(len(heads))], [*body.parents.tolist(), 0, *[len(body)] * tip], heads)


@pytest.mark.parametrize(("score", "follows"), [(0.46, True), (0.44, False)])
def test_a_tail_of_humans_follows_as_that_of_beasts_that_are_alike(score: float, follows: bool) -> None:
    """By more than 0.45; of all else the roles count, as long as the beasts have no third more in common, here 27 bones and 22 roles."""
    mapper, tail = mapping._Mapper(with_tail(False), with_tail(True)), len(rigs.NAMES)
    alike = {bone: bone for bone in range(tail + 1)}
    mapper.__dict__["_relatives"] = creatures.Kin(alike, [], dict.fromkeys(alike, 0.7), score)
    bone_map = mapper.run()
    assert bone_map.role("leftHand") is not None and not bone_map.chains
    tails = [(pair.source, pair.confidence) for pair in bone_map.pairs if pair.target == f"bone_{tail}"]
    assert tails == ([(f"bone_{tail}", 0.7)] if follows else [])


@pytest.mark.parametrize(
    ("humanoid", "score", "bones", "covers"),
    [
        (True, 0.46, 13, False),
        (True, 0.46, 14, True),
        (True, 0.71, 10, False),
        (True, 0.71, 11, True),
        (True, 0.44, 99, False),
        (False, 0.11, 1, True),
        (False, 0.09, 99, False),
    ],
)
def test_humans_follow_as_beasts_where_these_have_more_in_common(
    humanoid: bool, score: float, bones: int, covers: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a third more than the ten parts of a body that both have, or by any more where they are much alike."""
    monkeypatch.setattr(mapping, "in_common", lambda *_: 10)
    mapper: Any = SimpleNamespace(humanoid=humanoid, source_labels=None, target_labels=None)
    relatives = creatures.Kin({}, [], dict.fromkeys(range(bones), 0.7), score)
    assert mapping._Mapper._covers_more(mapper, relatives) is covers


@pytest.mark.parametrize("names", [["Bone", "Bone.001", "Bone.002"], ["root", "hand.L", "hand.R"]])
def test_each_bone_follows_itself_where_both_skeletons_are_one(names: list[str]) -> None:
    """Named or numbered, and for sure, even where two bones are at one place."""
    figure = figure_of(names, [-1, 0, 0], np.array([[0.0, 0, 0], [1, 0, 0], [1, 0, 0]]))
    pairs = mapping.map_bones(figure, figure).pairs
    assert [(pair.source, pair.target, pair.confidence, pair.note) for pair in pairs] == [(name, name, 1.0, "") for name in names]


@pytest.mark.parametrize(("sure", "note"), [(0.79, True), (0.88, False)])
def test_what_is_sure_of_kin_has_no_note(sure: float, note: bool) -> None:
    assert mapping._of_kin(creatures.Kin({}, [], {3: sure}, 0.9), 3) == (
        sure,
        "another branch, or none, would suit as well" if note else "",
    )


@pytest.mark.parametrize("own", [0, 1])
def test_a_figure_whose_trunk_lies_in_a_limb_is_no_human(own: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as a hand whose fingers look like arms: what its structure shows it to be is forgotten, of the other one it stays."""
    figures = rigs.humanoid(), rigs.rolled(3)
    monkeypatch.setattr(mapping, "bodies_of", lambda figure, _: [figure])
    monkeypatch.setattr(mapping, "lies_in_a_limb", lambda _, bodies: bodies == [figures[own]])
    mapper = mapping._Mapper(*figures)
    labels = mapper.source_labels, mapper.target_labels
    assert not labels[own].roles and labels[1 - own].humanoid and not mapper.humanoid
    assert labels[own].sides == labels[1 - own].sides, "what names say stays"
