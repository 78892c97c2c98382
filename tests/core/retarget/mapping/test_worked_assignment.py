"""The best assignment of parts to bones, against trying all of them."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from retro_anim.core.retarget.anatomy.tree import Tree
from retro_anim.core.retarget.mapping.humanoid.assignment import best_limb, best_states


def tree_of(parents: list[int]) -> Tree:
    points = np.zeros((len(parents), 3))
    return Tree(tuple(range(len(parents))), tuple(parents), points, points)


def limb_by_trying(tree: Tree, scores: list[list[float]], missing: list[float]) -> float:
    """Of all ways to give parts to bones, each below the one before, the best: a bone has its score less a thousandth for each bone above
    it, and none with less than 0.2; parts without a bone cost what they are missed."""
    best = -np.inf
    for bones in product(range(-1, len(tree)), repeat=len(missing)):
        given = [bone for bone in bones if bone >= 0]
        if any(one == other or one not in tree.path_up(other) for one, other in pairwise(given)):
            continue
        own = [scores[bone][part] - 1e-3 * tree.depths[bone] for part, bone in enumerate(bones) if bone >= 0]
        if min(own, default=1.0) < 0.2:
            continue
        best = max(best, sum(own) - sum(price for price, bone in zip(missing, bones, strict=True) if bone < 0))
    return best


@pytest.mark.parametrize("seed", range(25))
def test_a_limb_is_the_best_of_all(seed: int) -> None:
    random = np.random.default_rng(seed)
    parents = [-1, *(int(random.integers(max(0, bone - 2), bone)) for bone in range(1, 6))]
    tree, missing = tree_of(parents), random.uniform(0, 0.6, 3).round(2).tolist()
    scores = random.uniform(-0.2, 1, (6, 3)).round(2).tolist()
    score, bones = best_limb(tree, scores, missing)
    assert score == pytest.approx(limb_by_trying(tree, scores, missing))
    given = [bone for bone in bones if bone >= 0]
    assert all(one != other and one in tree.path_up(other) for one, other in pairwise(given))
    reckoned = sum(scores[bone][part] - 1e-3 * tree.depths[bone] if bone >= 0 else -missing[part] for part, bone in enumerate(bones))
    assert reckoned == pytest.approx(score)


def test_a_limb_of_nobody() -> None:
    """Every part is missing; of two bones that suit alike the upper one is taken, of two branches the first."""
    assert best_limb(tree_of([-1, 0]), [[0.1, 0.1]] * 2, [0.25, 0.5]) == (-0.75, [-1, -1])
    assert best_limb(tree_of([-1]), [[0.2]], [0.0]) == (0.2, [0])
    assert best_limb(tree_of([]), [], [1.0]) == (-1.0, [-1])
    assert best_limb(tree_of([-1, 0, 1]), [[0.5]] * 3, [0.0]) == (0.5, [0])
    assert best_limb(tree_of([-1, 0, 0]), [[0.0], [0.5], [0.5]], [0.0])[1] == [1]


@pytest.mark.parametrize("seed", range(25))
def test_states_are_the_best_of_all(seed: int) -> None:
    """In order, those that are only of one bone once at most; those that no bone has cost what they are missed."""
    random = np.random.default_rng(seed)
    count, kinds = int(random.integers(1, 5)), 4
    scores = random.uniform(-1, 1, (count, kinds)).round(2).tolist()
    once, missing = (random.random(kinds) < 0.5).tolist(), random.uniform(0, 1, kinds).round(2).tolist()
    best, chosen = -np.inf, list[int]()
    for states in product(range(kinds), repeat=count):
        if list(states) != sorted(states) or any(once[state] and states.count(state) > 1 for state in states):
            continue
        score = sum(row[state] for row, state in zip(scores, states, strict=True))
        score -= sum(price for state, price in enumerate(missing) if state not in states)
        if score > best + 1e-9:
            best, chosen = score, list(states)
    if chosen:
        assert best_states(scores, once, missing) == chosen


def test_no_bones_have_no_states() -> None:
    assert best_states([], [False], [1.0]) == []


@pytest.mark.parametrize("seed", range(5))
def test_a_limb_hangs_on_any_root(seed: int) -> None:
    """The first bone, as of a light beside the body, may be a root on which nothing of it hangs."""
    random = np.random.default_rng(seed)
    tree, missing = tree_of([-1, -1, 1, 2]), [0.5, 0.5]
    scores = [[0.3, 0.3], *random.uniform(0.4, 1, (3, 2)).round(2).tolist()]
    score, bones = best_limb(tree, scores, missing)
    assert score == pytest.approx(limb_by_trying(tree, scores, missing))
    assert 0 not in bones
