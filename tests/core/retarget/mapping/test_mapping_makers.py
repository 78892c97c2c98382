"""Creatures of one kind by makers of other habits, their bones but numbered: limb goes to limb, and which way they look shows."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from itertools import permutations

import numpy as np
import pytest
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.mapping.creatures.body import bodies
from retro_anim.core.retarget.mapping.creatures.parts import LEFT
from retro_anim.core.retarget.mapping.creatures.symmetry import halves
from retro_anim.core.retarget.mapping.mapping import map_bones
from retro_anim.core.retarget.mapping.naming.names import Side
from retro_anim.core.retarget.mapping.shape import same_shape
from support import counted

from .creatures import creatures
from .given import figure_of

KINDS = creatures("makers.txt")


def without_sides(figure: Figure) -> list[Side]:
    """The sides of bones whose names say nothing."""
    return ["" for _ in figure.names]


def limb(call: str) -> tuple[str, str]:
    """The limb of a bone, and the side."""
    return call.split(".")[0].rstrip("LR0123456789" if "." not in call else ""), call[-1] if call[-1] in "LR" else ""


@cache
def mapped(kind: str, seeds: int = 2) -> tuple[int, int, int, int, int]:
    """Target bones that have one of the kind in the source; those that follow a bone of the same limb; others that follow one; these
    without a doubt; and those with one."""
    total = [0, 0, 0, 0, 0]
    for one, two in permutations(KINDS[kind], 2):
        for seed in range(seeds):
            (source, first), (target, second) = one.varied(seed, named=False), two.varied(seed + 100, named=False)
            bone_map = map_bones(source, target)
            rows = [((pair.source,), pair.target, pair.note) for pair in bone_map.pairs]
            rows += [(chain.source, name, chain.note) for chain in bone_map.chains for name in chain.target]
            total[0] += sum(call in first.values() for call in second.values())
            for sources, name, note in rows:
                good = limb(second[name]) in {limb(first[bone]) for bone in sources}
                total[1] += good
                total[2] += not good
                total[3] += not good and not note
                total[4] += good and bool(note)
    return total[0], total[1], total[2], total[3], total[4]


@pytest.mark.parametrize("kind", KINDS)
def test_limbs_follow_limbs(kind: str) -> None:
    bones, right, wrong, unmarked, _ = mapped(kind)
    assert right >= 0.85 * bones
    assert wrong <= 0.08 * (right + wrong)
    assert unmarked <= 0.01 * (right + wrong)


def test_what_is_right_is_seldom_doubtful() -> None:
    """Of all kinds together: who looks through a map looks at what is marked."""
    counts = np.array([mapped(kind) for kind in KINDS])
    _, right, _, _, doubtful = counts.sum(axis=0)
    assert doubtful <= 0.4 * right


@pytest.mark.parametrize("kind", ["horse", "trex", "ant", "octopus"])
def test_which_way_a_creature_looks_shows_in_itself(kind: str) -> None:
    for creature in KINDS[kind]:
        figure, calls = creature.varied(3, named=False)
        for body in (body for body in bodies(figure, without_sides(figure)) if not body.rotated):
            left = sum(calls[name][-1] == "L" for name, side in zip(figure.names, body.kinds, strict=True) if side == LEFT)
            assert (body.ahead > 0) == (left > 0)


def test_legs_at_a_body_that_is_alike_behind_have_their_mate_on_the_other_side() -> None:
    """A spider whose legs bend by chance, as stances do: the plane across the body would do for its legs, but not for its head."""
    random = np.random.default_rng(0)
    names, parents, heads = (
        ["body", "head", "abdomen", "tip"],
        [-1, 0, 0, 2],
        [[0, 0, 0.2], [0, -0.15, 0.2], [0, 0.13, 0.25], [0, 0.46, 0.3]],
    )
    for side in (-1, 1):
        for number, y in enumerate((-0.12, -0.04, 0.04, 0.12)):
            for joint, (x, spread, z) in enumerate(((0.06, 1.0, 0.2), (0.3, 2.0, 0.4), (0.45, 3.0, 0.0))):
                parents.append(len(names) - 1 if joint else 0)
                names.append(f"{number}.{joint}{side}")
                heads.append([side * x + random.normal(0, 0.01), spread * y + random.normal(0, 0.01), z + random.normal(0, 0.01)])
        for eye in (0.02, 0.05):
            parents.append(1)
            names.append(f"eye{eye}{side}")
            heads.append([side * eye, -0.2, 0.22])
    figure = figure_of(names, parents, np.array(heads))
    mates = halves(figure, without_sides(figure)).mates
    assert [names[mate] for mate in mates] == [
        name if name in ("body", "head", "abdomen", "tip") else name.replace("-1", "1") if "-1" in name else name[:-1] + "-1"
        for name in names
    ]


def _tree(count: int, seed: int) -> Figure:
    random = np.random.default_rng(seed)
    parents = [(bone - 1) // 2 if bone else -1 for bone in range(count)]
    heads = np.zeros((count, 3))
    steps = np.random.default_rng(1).normal(size=(count, 3)) + random.normal(0, 0.01, (count, 3))
    for bone in range(1, count):
        heads[bone] = heads[parents[bone]] + steps[bone]
    return figure_of([f"bone_{bone}" for bone in range(count)], parents, heads)


def _calls(work: Callable[[], object]) -> int:
    with counted.calls() as calls:
        work()
    return calls()


def test_two_trees_of_which_every_branch_is_like_every_other_take_no_square_of_their_bones() -> None:
    match = same_shape(_tree(2000, 2), _tree(2000, 3))
    assert match is None or max(match.confidence.values()) < 0.8
    one, two = (_calls(partial(same_shape, _tree(count, 2), _tree(count, 3))) for count in (1000, 2000))
    assert two < 2.5 * one


def test_a_family_takes_no_square_of_its_bones() -> None:
    def star(count: int) -> Figure:
        heads = np.vstack([np.zeros(3), np.random.default_rng(0).normal(size=(count, 3))])
        return figure_of([f"bone_{bone}" for bone in range(count + 1)], [-1] + [0] * count, heads)

    one, two = (_calls(partial(halves, figure, without_sides(figure))) for figure in map(star, (500, 1000)))
    assert two < 2.5 * one
