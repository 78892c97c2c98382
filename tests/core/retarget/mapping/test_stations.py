"""Where along the body the bones of beasts are, and what follows from it for two of a kind; built by hand, names replaced by numbers."""

from __future__ import annotations

from itertools import permutations

import pytest
from retro_anim.core.retarget.mapping.creatures.creatures import bodies_of
from retro_anim.core.retarget.mapping.mapping import labels_of, map_bones

from .beasts import KINDS, Row, beast, chain, numbered, sided
from .test_mapping_beasts import Score


def small_fish(tail: int, fin: float) -> list[Row]:
    """With one pair of fins, of one bone each."""
    rows: list[Row] = [("body", "", (0, 0, 1)), *chain("tail", "body", *[(0.0, 0.9 / tail, 0.0)] * tail), ("back", "body", (0, 0.05, 0.2))]
    rows += [("upper", f"tail{tail - 1}", (0, 0.1, 0.15)), ("lower", f"tail{tail - 1}", (0, 0.1, -0.15))]
    rows += [("head", "body", (0, -0.25, 0)), ("jaw", "head", (0, -0.1, -0.05))]
    return rows + sided([("fin*", "body", (fin, -0.1, -0.05))])


def with_ring(rows: list[Row]) -> list[Row]:
    """With bones round the eyes, which are longer than the legs and reach nowhere, and targets below the feet on the floor."""
    ring = [(0.02, -0.04, 0.0), (0.02, -0.02, 0.03), (0.0, 0.02, 0.03), (-0.02, 0.02, 0.0), (-0.02, 0.0, -0.03), (0.0, 0.0, -0.04)] * 4
    side: list[Row] = [(f"lid{number}*", f"lid{number - 1}*" if number else "head", step) for number, step in enumerate(ring)]
    return [
        ("root", "", (0, 0, 0)),
        *((name, above or "root", step) for name, above, step in rows),
        *sided([*side, ("goal*", "root", (0.1, 0.3, 0.02))]),
    ]


@pytest.mark.parametrize("ringed", [False, True], ids=["plain", "ringed"])
def test_stations_are_those_of_hips_shoulders_and_head(ringed: bool) -> None:
    rows = beast(spine=3, neck=2, tail=5, height=0.6, toes=True, ears=True)
    figure, names = numbered(with_ring(rows) if ringed else rows, 3)
    for body in bodies_of(figure, labels_of(figure)):
        if body.ahead < 0:
            continue
        along = {names[name]: float(body.stations.along[bone]) for bone, name in enumerate(figure.names)}
        off = {names[name]: float(body.stations.off[bone]) for bone, name in enumerate(figure.names)}
        expected = {"hips": 0.0, "spine2": 1.0, "head": 2.0, "tail4": -1.0}
        assert {name: round(along[name], 6) for name in expected} == expected
        assert 0 < along["spine0"] < along["spine1"] < 1 < along["neck0"] < along["neck1"] < 2
        assert (off["head"], off["jaw"], off["nose"]) == (0, 1, 1)


@pytest.mark.parametrize(("ahead", "is_tail"), [(0.1, False), (0.03, True), (0.0, True), (-0.1, True)])
def test_what_goes_forward_from_the_hips_is_no_tail(ahead: float, is_tail: bool) -> None:
    """A belly of a beast without a tail; what hangs nearly straight down is one."""
    rows = [row for row in beast(spine=3, neck=2, tail=5, height=0.6, toes=True, ears=True) if not row[0].startswith("tail")]
    figure, names = numbered([*rows, ("belly", "hips", (0, -ahead, -0.2))], 3)
    belly = next(bone for bone, name in enumerate(figure.names) if names[name] == "belly")
    for body in bodies_of(figure, labels_of(figure)):
        if body.ahead > 0:
            assert (body.stations.along[belly], body.stations.off[belly]) == ((-1, 0) if is_tail else (0, 1))


def test_fish_of_one_pair_of_fins() -> None:
    score = Score()
    for one, two in permutations((small_fish(3, 0.1), small_fish(5, 0.12), small_fish(4, 0.09)), 2):
        score.add(numbered(one, 1), numbered(two, 102))
    assert score.right >= 0.95 * score.bones
    assert score.wrong <= 0.01 * score.right


def test_one_toe_is_none_of_several() -> None:
    """What goes on from a paw follows no single toe of another."""
    several = [row for row in KINDS["wolf"][0] if not row[0].startswith(("foretoe", "hindtoe"))]
    for toe, x in (("a", -0.02), ("b", 0.0), ("c", 0.02)):
        several += sided([(f"in{toe}*", "forepaw*", (x, -0.06, -0.03)), (f"out{toe}*", "hindpaw*", (x, -0.06, -0.03))])
    one = beast(spine=3, neck=2, tail=5, height=0.6, toes=True, ears=True)
    for rows in ((several, one), (one, several)):
        (source, first), (target, second) = numbered(rows[0], 1), numbered(rows[1], 102)
        bone_map = map_bones(source, target)
        pairs = [(first[pair.source], second[pair.target]) for pair in bone_map.pairs]
        ends = [(first[chain.source[-1]], second[chain.target[-1]]) for chain in bone_map.chains]
        assert len(pairs) > 20
        assert not [pair for pair in pairs + ends if any("toe" in name for name in pair) != all("toe" in name for name in pair)]
