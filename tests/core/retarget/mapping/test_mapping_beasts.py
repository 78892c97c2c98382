"""Beasts whose bones are but numbered, mapped between copies of one skeleton with other lengths and another order, and between different
rigs of a kind: built by hand, so that the truth is what each bone was called when it was built."""

from __future__ import annotations

import tracemalloc
from dataclasses import dataclass, replace
from itertools import pairwise, permutations

import numpy as np
import pytest
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.mapping.mapping import labels_of, map_bones
from retro_anim.core.retarget.mapping.pairing import UNSURE

from .beasts import BEASTS, KINDS, LEGS, Row, numbered, part
from .creatures import spread
from .zoo import build
from .zoo_changes import numbered as numbered_rig
from .zoo_rigs import COMMON


@pytest.mark.parametrize("kind", BEASTS)
def test_numbered_copies_of_a_beast(kind: str) -> None:
    right = wrong = bones = doubtful = 0
    for seed in range(5):
        (source, first), (target, second) = numbered(BEASTS[kind], seed), numbered(BEASTS[kind], seed + 100)
        pairs = map_bones(source, target).pairs
        good = [pair for pair in pairs if first[pair.source] == second[pair.target]]
        right, wrong, bones = right + len(good), wrong + len(pairs) - len(good), bones + len(target)
        doubtful += sum(bool(pair.note) for pair in good)
    assert right >= 0.95 * bones
    assert wrong <= 0.01 * (right + wrong)
    assert doubtful <= 0.05 * right


@pytest.mark.parametrize("quarters", [1, 2, 3])
@pytest.mark.parametrize("kind", BEASTS)
def test_a_numbered_copy_that_looks_another_way(kind: str, quarters: int) -> None:
    """A spider's legs are where others of its are once it looks to its side."""
    about = np.eye(4)
    cosine, sine = [(1, 0), (0, 1), (-1, 0), (0, -1)][quarters]
    about[:2, :2] = [[cosine, -sine], [sine, cosine]]
    right = bones = unmarked = 0
    for seed in range(3):
        (source, first), (target, second) = numbered(BEASTS[kind], seed), numbered(BEASTS[kind], seed + 100)
        pairs = map_bones(source, replace(target, rest=about @ target.rest)).pairs
        right += sum(first[pair.source] == second[pair.target] for pair in pairs)
        unmarked += sum(first[pair.source] != second[pair.target] and not pair.note for pair in pairs)
        bones += len(target)
    assert right >= 0.95 * bones
    assert unmarked == 0


def named(rows: list[Row], seed: int) -> tuple[Figure, dict[str, str]]:
    """As `numbered`, under the names that its bones had when it was built."""
    figure, names = numbered(rows, seed)
    return replace(figure, names=tuple(names[name] for name in figure.names)), {name: name for name in names.values()}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("which", [0, 1], ids=["target numbered", "source numbered"])
def test_one_that_has_names_and_one_that_is_numbered(kind: str, which: int) -> None:
    """What the names of one of them say is no help where those of the other say nothing."""
    score = Score()
    for one, two in ((0, 1), (1, 0), (0, 0)):
        pair = named(KINDS[kind][one], one), numbered(KINDS[kind][two], 100 + two)
        score.add(*(pair if which == 0 else pair[::-1]))
    assert score.right >= 0.95 * score.bones
    assert score.unmarked <= 0.01 * (score.right + score.wrong)


@pytest.mark.parametrize(
    ("kind", "least"), [("bird", 0.95), ("spider", 0.99), ("fish", 0.95), ("two-legged lizard", 0.95), ("wolf", 0.95), ("horse", 0.95)]
)
def test_two_of_a_kind_that_both_have_names(kind: str, least: float) -> None:
    """Those of which a name says what a human has at another joint are doubtful."""
    score = Score()
    for (one, source), (two, target) in permutations(enumerate(KINDS[kind]), 2):
        score.add(named(source, one), named(target, 100 + two))
    assert score.right >= 0.95 * score.bones
    assert score.unmarked <= 0.01 * (score.right + score.wrong)


@pytest.mark.parametrize("limbs", [2, 7], ids=["few", "many"])
def test_limbs_that_nothing_tells_apart_are_doubtful(limbs: int) -> None:
    """Tentacles of one point and one length; the body and its fin are no doubt."""
    rows: list[Row] = [("body", "", (0, 0, 1)), ("fin", "body", (0, 0.5, 2.0))]
    for limb in range(limbs):
        rows += [(f"arm{limb * 'L'}", "body", (0, -0.1, 0)), (f"end{limb * 'L'}", f"arm{limb * 'L'}", (0, -0.4, 0.01))]
    (source, first), (target, second) = numbered(rows, 1), numbered(rows, 2)
    pairs = map_bones(source, target).pairs
    assert len(pairs) == len(rows)
    for pair in pairs:
        assert bool(pair.note) == second[pair.target].startswith(("arm", "end"))
        assert pair.note or first[pair.source] == second[pair.target]


def test_a_beast_is_no_copy_of_another() -> None:
    """Trees that differ are left to what limbs and chains have in common."""
    (source, _), (target, _) = numbered(BEASTS["dog"], 1), numbered(BEASTS["spider"], 2)
    assert all(pair.confidence < 0.9 for pair in map_bones(source, target).pairs)


def is_part(one: str, two: str, chained: bool) -> bool:
    """Whether bones are of one part; of limbs that follow as chains the next joint will do, since one may have more of them."""
    if part(one) == part(two):
        return True
    joint, other = one[:-1], two[:-1]
    in_one_leg = one[-1] == two[-1] and any({joint, other} <= {*pair} for leg in LEGS for pair in pairwise(leg))
    return chained and in_one_leg


@dataclass
class Score:
    """Target bones that have one of the kind in the source, and those that follow it, without and with a doubt; and those that follow
    something else."""

    bones: int = 0
    right: int = 0
    wrong: int = 0
    doubtful: int = 0
    unmarked: int = 0

    def add(self, source: tuple[Figure, dict[str, str]], target: tuple[Figure, dict[str, str]]) -> None:
        (one, first), (two, second) = source, target
        bone_map = map_bones(one, two)
        parts = {part(name) for name in first.values()}
        self.bones += sum(part(name) in parts for name in second.values())
        rows = [((pair.source,), pair.target, pair.note) for pair in bone_map.pairs]
        rows += [(sources, name, chain.note) for chain in bone_map.chains for sources, name in spread(chain)]
        chained = {name for chain in bone_map.chains for name in chain.target}
        for sources, name, note in rows:
            good = any(is_part(first[bone], second[name], name in chained) for bone in sources)
            self.right += good
            self.wrong += not good
            self.doubtful += good and bool(note)
            self.unmarked += not good and not note


@pytest.mark.parametrize("kind", KINDS)
def test_two_rigs_of_a_kind(kind: str) -> None:
    score = Score()
    for (one, source), (two, target) in permutations(enumerate(KINDS[kind]), 2):
        for seed in range(2):
            score.add(numbered(source, seed + 10 * one), numbered(target, 100 + seed + 10 * two))
    assert score.right >= 0.95 * score.bones
    assert score.wrong <= 0.01 * (score.right + score.wrong)
    assert score.doubtful <= 0.2 * score.right


@pytest.mark.parametrize("hocks", [(True, False), (False, True)])
def test_a_joint_that_but_one_of_two_legs_has_belongs_to_none(hocks: tuple[bool, bool]) -> None:
    """Of two rigs only one has a hock: thighs, shins and feet follow each other, but for an ankle that may be a hock."""
    rigs = {True: KINDS["wolf"][3], False: KINDS["lizard"][0]}
    score = Score()
    for seed in range(3):
        (source, first), (target, second) = numbered(rigs[hocks[0]], seed), numbered(rigs[hocks[1]], seed + 100)
        score.add((source, first), (target, second))
    assert score.right >= 0.95 * score.bones
    assert score.wrong <= 2 and score.unmarked == 0


@pytest.mark.parametrize("kind", ["wolf", "horse", "cat without shoulder blades", "lizard", "spider"])
def test_beasts_are_no_humans(kind: str) -> None:
    human = numbered_rig(build(COMMON[0]), 3).figure
    for seed, rows in enumerate(KINDS[kind]):
        figure, _ = numbered(rows, seed)
        assert not labels_of(figure).humanoid
        assert not any(pair.role for pair in (*map_bones(figure, human).pairs, *map_bones(human, figure).pairs))


@pytest.mark.parametrize("kind", ["fish", "spider"])
def test_a_beast_and_a_human_that_both_have_names(kind: str) -> None:
    """What both call a head has no role, for the beast is no humanoid; bodies follow each other as chains."""
    beast, human = named(KINDS[kind][0], 1)[0], build(COMMON[0]).figure
    for source, target in ((beast, human), (human, beast)):
        bone_map = map_bones(source, target)
        assert not any(pair.role for pair in bone_map.pairs)
        assert bone_map.pairs or bone_map.chains


def test_of_a_human_and_a_lizard_nothing_is_sure_though_their_bones_have_the_same_names() -> None:
    pairs = map_bones(named(KINDS["lizard"][1], 1)[0], build(COMMON[0]).figure).pairs
    assert {(pair.note, pair.confidence) for pair in pairs} == {("figures of different kinds", UNSURE)}


def test_names_that_a_program_gives_by_itself_say_nothing() -> None:
    """Numbered objects of a program, and helpers that are called after their bone: two of a number have nothing in common."""
    (source, _), (target, _) = numbered(BEASTS["dog"], 1), numbered(BEASTS["spider"], 2)
    for call in ("Dummy{:02}", "Bone{:02} shear 1", "Point{:02}", "Null {}"):
        one, two = (replace(figure, names=tuple(map(call.format, range(len(figure))))) for figure in (source, target))
        assert all(pair.note for pair in map_bones(one, two).pairs)


def test_memory_does_not_grow_with_the_square_of_the_bones() -> None:
    """Of a scan or a crowd in one armature, whose bones no one could look through either."""
    figures: list[Figure] = []
    for count in (2500, 9):
        rest = np.tile(np.eye(4), (count, 1, 1))
        rest[:, :3, 3] = np.random.default_rng(count).normal(size=(count, 3))
        parents = np.maximum(np.arange(count) - 50, 0).astype(np.int32)
        parents[0] = -1
        figures.append(Figure(tuple(f"{count}.{bone}" for bone in range(count)), parents, rest, np.full(count, 0.1)))
    tracemalloc.start()
    try:
        map_bones(*figures)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 2500 * 2500 * 8
