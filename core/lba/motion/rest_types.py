"""Of which type a bone at rest is: the game takes the numbers of a keyframe as of the type of the one that it goes to."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..files.anm import ROTATE, TRANSLATE, Anm, kinds_of
from ..files.variant import Variant

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


def come_to_rest(types: Ints, values: Ints, posed: Bools, match: Ints, original: Anm | None, game: Variant, loop_frame: int) -> None:
    """Give bones at rest the type of the keyframe before where that poses them: of another type what poses them is gone at once.

    Where the file has it so it stays, since an import shows that. types (K, B), values (K, B, 3): changed. posed: (K, B). match: (K,) which
    keyframe of `original` each is, or -1."""
    before, here = _steps(len(types), loop_frame)
    ends: Bools = posed[before] & ~posed[here]
    if len(before) == len(types) and loop_frame:
        ends[loop_frame - 1] &= ~posed[-1]  # to the loop frame the game comes back time and again, and once from the one before it
    played = kinds_of(types, game)
    if original is not None:
        width = min(types.shape[1], original.bone_count)
        kinds, rests = original.kinds(game)[:, :width], at_rest(original, game)[:, :width]
        follows = np.full(len(kinds), -1)
        first, second = _steps(len(kinds), original.loop_frame)
        follows[first] = second
        was, now = match[before], match[here]
        same = (was >= 0) & (now >= 0) & (follows[was] == now)
        cut = ~rests[was] & rests[now] & (kinds[was] != kinds[now]) & (kinds[was] == played[before, :width])
        ends[:, :width] &= ~(same[:, None] & cut)
    ends &= played[before] != played[here]
    step, bone = np.nonzero(ends)
    types[here[step], bone] = played[before[step], bone]
    values[here[step], bone] = 0


def at_rest(anm: Anm, game: Variant) -> Bools:
    """(K, B) where an animation's numbers pose no bone."""
    kinds = anm.kinds(game)
    modulo = np.where(kinds == ROTATE, game.rotation, 65536)[..., None]
    return (kinds > TRANSLATE) | np.all(anm.values.astype(np.int64) % modulo == 0, axis=2)


def _steps(count: int, loop_frame: int) -> tuple[Ints, Ints]:
    """The keyframes from which and to which the game goes, the way back last where there is one."""
    before = np.arange(count if loop_frame < count else count - 1)
    here = before + 1
    if loop_frame < count:
        here[-1] = loop_frame
    return before, here
