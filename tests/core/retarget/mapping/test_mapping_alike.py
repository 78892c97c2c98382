"""What a figure is mapped to does not depend on its unit, nor on where it stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap
from retro_anim.core.retarget.figures.roles import other_side
from retro_anim.core.retarget.mapping import map_bones

from ..rigs import humanoid, mirrored, reordered
from .beasts import BEASTS, numbered
from .given import figure_of
from .zoo import build
from .zoo_changes import numbered as numbered_rig
from .zoo_rigs import COMMON

Change = Callable[[Figure], Figure]


def scaled(size: float) -> Change:
    def change(figure: Figure) -> Figure:
        rest = figure.rest.copy()
        rest[:, :3, 3] *= size
        return replace(figure, rest=rest, lengths=figure.lengths * size)

    return change


def moved(figure: Figure) -> Figure:
    rest = figure.rest.copy()
    rest[:, :2, 3] += np.ptp(figure.heads) * np.array([3.0, -2.0])
    return replace(figure, rest=rest)


def looking_left(figure: Figure) -> Figure:
    quarter = np.eye(4)
    quarter[:2, :2] = [[0, -1], [1, 0]]
    return replace(figure, rest=quarter @ figure.rest)


def beasts(kind: str) -> tuple[Figure, Figure]:
    return numbered(BEASTS[kind], 1)[0], numbered(BEASTS[kind], 101)[0]


FIGURES: dict[str, Callable[[], tuple[Figure, Figure]]] = {
    "humanoid": lambda: (humanoid(), numbered_rig(build(COMMON[0]), 3).figure),
    "dog": lambda: beasts("dog"),
    "spider": lambda: beasts("spider"),
}


def table(bone_map: BoneMap) -> dict[str, tuple[object, ...]]:
    return {pair.target: (pair.source, pair.role, pair.confidence, pair.note, pair.options) for pair in bone_map.pairs}


@pytest.mark.parametrize("kind", FIGURES)
@pytest.mark.parametrize("change", [scaled(1000.0), scaled(1e-3), moved], ids=["small units", "large units", "elsewhere"])
def test_the_map_is_the_same(kind: str, change: Change) -> None:
    source, target = FIGURES[kind]()
    known = map_bones(source, target)
    assert len(known.pairs) > 5
    for changed in (map_bones(change(source), target), map_bones(source, change(target))):
        assert table(changed) == table(known)
        assert changed.chains == known.chains


@pytest.mark.parametrize("kind", FIGURES)
def test_the_map_is_the_same_where_both_look_left(kind: str) -> None:
    source, target = FIGURES[kind]()
    assert table(map_bones(looking_left(source), looking_left(target))) == table(map_bones(source, target))


@pytest.mark.parametrize("kind", FIGURES)
def test_the_map_is_the_same_in_any_order_of_bones(kind: str) -> None:
    source, target = FIGURES[kind]()
    known = map_bones(source, target)
    for changed in (map_bones(reordered(source), target), map_bones(source, reordered(target))):
        assert table(changed) == table(known)


@pytest.mark.parametrize("kind", FIGURES)
def test_the_map_is_the_same_in_the_mirror(kind: str) -> None:
    source, target = FIGURES[kind]()
    plain, mirror = map_bones(source, target), map_bones(mirrored(source), mirrored(target))
    names = {other_side(pair.target): (other_side(pair.source), pair.confidence, pair.note) for pair in plain.pairs}
    assert {pair.target: (pair.source, pair.confidence, pair.note) for pair in mirror.pairs} == names


@pytest.mark.parametrize("seed", range(4))
def test_copies_of_a_monster_without_order_follow_each_other(seed: int) -> None:
    """Twelve long arms of two bones like a fan, whose lengths differ by up to 15 %: they point where they did, by 10 degrees apart."""
    random = np.random.default_rng(seed)
    parents = [-1, *(0 if bone % 2 else bone - 1 for bone in range(1, 25))]
    offsets = random.normal(size=(25, 3))
    offsets[1::2] = [(np.cos(arm * np.pi / 18), 0.3, np.sin(arm * np.pi / 18)) for arm in range(12)]
    offsets[2::2] = 0.3 * offsets[1::2]

    def varied() -> tuple[Figure, list[int]]:
        steps = offsets * random.uniform(0.85, 1.15, (25, 1))
        heads = np.zeros((25, 3))
        for bone in range(1, 25):
            heads[bone] = heads[parents[bone]] + steps[bone]
        arms = random.permutation(12).tolist()
        order = [0, *(1 + 2 * arm for arm in arms), *(2 + 2 * arm for arm in arms)]
        return figure_of([f"bone_{bone}" for bone in random.permutation(25)], [-1, *[0] * 12, *range(1, 13)], heads[order]), order

    (source, ones), (target, twos) = varied(), varied()
    bone_map = map_bones(source, target)
    assert len(bone_map) == 25 and not any(pair.note for pair in bone_map)
    assert all(ones[source.index[pair.source]] == twos[target.index[pair.target]] for pair in bone_map)
