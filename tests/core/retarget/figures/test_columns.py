"""Values that are computed bone by bone: read as the array of all of them would be, and only as many kept as may be."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.columns import Columns, Recent, empty

WHOLE = np.arange(5 * 7 * 3, dtype=float).reshape(5, 7, 3)


def column(bone: int) -> Floats:
    return WHOLE[:, bone]


@pytest.mark.parametrize(
    "key",
    [
        np.s_[:, 0],
        np.s_[:, 6],
        np.s_[:, np.int64(4)],
        np.s_[:, [5, 1]],
        np.s_[:, np.array([2, 2, 0])],
        np.s_[:, 3, 1],
        np.s_[2, 3],
        np.s_[1:4, 3],
        np.s_[[4, 0], 3],
        np.s_[[4, 0], 3, 2],
        np.s_[3, [0, 6]],
        np.s_[:, [0, 6], 2],
        np.s_[:, [0, 6], 1:],
        np.s_[3],
        np.s_[1:3],
        np.s_[[3, 1]],
        np.s_[:, 2:5],
        np.s_[2, :, 1],
        np.s_[:],
    ],
)
def test_columns_are_read_as_an_array_is(key: Any) -> None:
    columns = Columns(WHOLE.shape, column)
    assert np.array_equal(columns[key], WHOLE[key])
    assert np.array_equal(np.asarray(columns), WHOLE)
    assert (columns.ndim, len(columns), columns.shape) == (3, 5, (5, 7, 3))


@pytest.mark.parametrize(("key", "bones"), [(np.s_[:, 4], [4]), (np.s_[:, [5, 1]], [5, 1]), (np.s_[2, 3], [3]), (np.s_[3], list(range(7)))])
def test_only_the_bones_that_are_asked_for_are_computed(key: Any, bones: list[int]) -> None:
    asked: list[int] = []

    def make(bone: int) -> Floats:
        asked.append(bone)
        return WHOLE[:, bone]

    assert np.array_equal(Columns(WHOLE.shape, make)[key], WHOLE[key])
    assert asked == bones


def test_the_frames_of_a_bone_lie_together() -> None:
    computed = empty(5, 7, 3)
    assert computed.shape == (5, 7, 3)
    assert computed[:, 2].flags.c_contiguous


def test_what_was_asked_for_lately_is_not_made_again() -> None:
    """Two results stay: the one that was not asked for the longest goes."""
    computed: list[int] = []
    recent = Recent(lambda bone: computed.append(bone) or -bone, 2)
    assert [recent[bone] for bone in (1, 2, 1, 3, 1, 2)] == [-1, -2, -1, -3, -1, -2]
    assert computed == [1, 2, 3, 2]
    assert 1 in recent and 2 in recent and 3 not in recent
    assert recent.put(1, 5) == 5 and recent.put(3, 7) == 7
    assert (recent[1], recent[3], 2 in recent) == (5, 7, False)
    recent.forget(1)
    recent.forget(9)
    assert 1 not in recent and 3 in recent
    recent.forget(None)
    assert 3 not in recent


def test_room_is_made_only_where_there_is_none() -> None:
    recent = Recent(lambda bone: bone, 2)
    kept: list[list[int]] = []
    for bone in (1, 2, 2, 3):
        recent.make_room(bone)
        kept.append([each for each in range(4) if each in recent])
        recent.put(bone, bone)
    assert kept == [[], [1], [1, 2], [2]]
