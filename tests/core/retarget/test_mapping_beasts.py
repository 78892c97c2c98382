"""Beasts whose bones are but numbered, mapped between copies of one skeleton with other lengths and another order: built by hand, so that
the truth is what each bone was called when it was built."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.mapping.mapping import map_bones

from .given import figure_of

Row = tuple[str, str, tuple[float, float, float]]
"""Name, parent, offset from it. In the rows of one side a `*` stands for it."""


def chain(name: str, parent: str, *offsets: tuple[float, float, float]) -> list[Row]:
    return [(f"{name}{number}", f"{name}{number - 1}" if number else parent, offset) for number, offset in enumerate(offsets)]


def sided(rows: list[Row]) -> list[Row]:
    return [
        (name.replace("*", side), parent.replace("*", side), (sign * x, y, z))
        for side, sign in (("L", 1), ("R", -1))
        for name, parent, (x, y, z) in rows
    ]


def beast(spine: int, neck: int, tail: int, height: float, toes: bool, ears: bool) -> list[Row]:
    """It looks along -Y: the hips at the back, the shoulders at the front, shoulder blades, hocks."""
    rows: list[Row] = [("hips", "", (0, 0.35, height))]
    rows += chain("spine", "hips", (0, -0.12, 0.02), *[(0.0, -0.6 / spine, 0.0)] * (spine - 1))
    top = f"spine{spine - 1}"
    rows += chain("neck", top, (0, -0.15, 0.08), *[(0.0, -0.1, 0.1)] * (neck - 1))
    rows += [("head", f"neck{neck - 1}", (0, -0.1, 0.1)), ("jaw", "head", (0, -0.08, -0.03)), ("nose", "head", (0, -0.2, 0.0))]
    rows += chain("tail", "hips", (0, 0.1, 0.02), *[(0.0, 0.1, -0.02)] * (tail - 1))
    side: list[Row] = [("blade*", top, (0.06, -0.08, 0)), ("arm*", "blade*", (0.03, 0.06, -0.15)), ("forearm*", "arm*", (0, -0.03, -0.18))]
    side += [("forepaw*", "forearm*", (0, 0, -0.17)), ("thigh*", "hips", (0.08, 0.02, -0.05)), ("shin*", "thigh*", (0, -0.06, -0.2))]
    side += [("hock*", "shin*", (0, 0.1, -0.16)), ("hindpaw*", "hock*", (0, -0.02, -0.12))]
    if toes:
        side += [("foretoe*", "forepaw*", (0, -0.06, -0.03)), ("hindtoe*", "hindpaw*", (0, -0.06, -0.03))]
    if ears:
        side += [("ear*", "head", (0.05, 0.02, 0.08)), ("tip*", "ear*", (0.02, 0, 0.06))]
    return rows + sided(side)


def spider() -> list[Row]:
    rows: list[Row] = [("body", "", (0, 0, 0.3)), ("head", "body", (0, -0.15, 0)), *chain("abdomen", "body", (0, 0.2, 0.05), (0, 0.2, 0))]
    side: list[Row] = []
    for leg, y in enumerate((-0.12, -0.04, 0.04, 0.12)):
        side += [(f"hip{leg}*", "body", (0.06, y, 0)), (f"upper{leg}*", f"hip{leg}*", (0.12, 1.5 * y, 0.12))]
        side += [(f"lower{leg}*", f"upper{leg}*", (0.15, 1.5 * y, -0.1)), (f"end{leg}*", f"lower{leg}*", (0.12, y, -0.2))]
    return rows + sided(side)


BEASTS = {
    "dog": beast(spine=3, neck=2, tail=5, height=0.6, toes=True, ears=True),
    "fox": beast(spine=3, neck=2, tail=9, height=0.4, toes=True, ears=True),
    "horse": beast(spine=5, neck=4, tail=4, height=1.2, toes=True, ears=False),
    "calf": beast(spine=4, neck=2, tail=3, height=0.8, toes=False, ears=True),
    "rat": beast(spine=2, neck=1, tail=12, height=0.3, toes=True, ears=False),
    "spider": spider(),
}


def numbered(rows: list[Row], seed: int) -> tuple[Figure, dict[str, str]]:
    """The beast with each length up to 15 % longer or shorter, alike on both sides, its bones shuffled and called bone_N; and what each
    bone was called."""
    random = np.random.default_rng(seed)
    names, parents = (
        [name for name, _, _ in rows],
        [next((at for at, row in enumerate(rows) if row[0] == above), -1) for _, above, _ in rows],
    )
    factors: dict[str, float] = {}
    heads, depths = np.zeros((len(rows), 3)), [0] * len(rows)
    for bone, (name, _, offset) in enumerate(rows):
        factor = factors.setdefault(name.rstrip("LR"), float(random.uniform(0.85, 1.15)))
        above = parents[bone]
        heads[bone] = np.array(offset) * factor + (heads[above] if above >= 0 else 0.0)
        depths[bone] = depths[above] + 1 if above >= 0 else 0
    shuffled = random.permutation(len(rows)).tolist()
    order = sorted(range(len(rows)), key=lambda bone: (depths[bone], shuffled[bone]))
    number = {bone: position for position, bone in enumerate(order)}
    above_each = [number[parents[bone]] if parents[bone] >= 0 else -1 for bone in order]
    figure = figure_of([f"bone_{position}" for position in range(len(order))], above_each, heads[order])
    return figure, {f"bone_{position}": names[bone] for position, bone in enumerate(order)}


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


def test_a_beast_is_no_copy_of_another() -> None:
    """Trees that differ are left to what limbs and chains have in common."""
    (source, _), (target, _) = numbered(BEASTS["dog"], 1), numbered(BEASTS["spider"], 2)
    assert all(pair.confidence < 0.9 for pair in map_bones(source, target).pairs)
