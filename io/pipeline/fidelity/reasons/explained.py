"""What a game has explained in its own words, and what else is off of the same bones, which that says nothing of."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import numpy as np

from .....core.motion.comparison import Difference, Stretches
from .....core.motion.rotations.rotation_matrix import Floats
from ..pair import Pair
from .case import CLOSE, Case
from .causes import topics_of

_LOOP = "loop"
"""The topic of what a loop does where it ends."""

Look = Callable[[Stretches], list[Difference]]
"""Of each bone of the stretches the worst in each of these, the worst first."""


def others(pair: Pair, differences: Sequence[Difference], explained: Collection[str], look: Look) -> list[Difference]:
    """The differences without those of topics that the game has explained; of bones that have one, where they are off by most besides,
    between two other keys of the file: the pose of one key is seen up to the keys beside it. So with those of bones that are off by most
    where a loop ends, which says nothing of the rest of it."""

    def topics(each: Difference) -> set[str]:
        return topics_of(Case(pair, each))

    given = {*explained} - {""}
    left = [each for each in differences if not given or given.isdisjoint(topics(each))]
    hidden = {each.bone for each in differences} - {each.bone for each in left}
    hidden |= {each.bone for each in left if _LOOP in topics(each)}
    if not hidden:
        return left
    keys, covered = _own_keys(pair), set[tuple[str, int]]()
    for each in look(Stretches(keys, frozenset(hidden))):
        before, at, after = np.searchsorted(keys, [each.frame - CLOSE, each.frame, each.frame + CLOSE]).tolist()
        if each.bone not in hidden or (each.bone, at) in covered:
            continue
        if (given | {_LOOP}).isdisjoint(topics(each)):
            hidden.remove(each.bone)
            left.append(each)
        else:
            covered |= {(each.bone, before), (each.bone, after)}
    return sorted(left, key=lambda each: -each.steps)


def _own_keys(pair: Pair) -> Floats:
    """(K,) the frames of the keys that the file has, of all channels."""
    parts = [block.frames[~block.generated].astype(np.float64) for block in pair.clip.blocks]
    return np.unique(np.concatenate([np.zeros(0), *parts]))
