"""Where a posed body's groups and points are, in floating point: section "Body + pose -> vertices" of AffObjetIso."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..body.body import Body
from ..files.anm import ROTATE, TRANSLATE
from ..files.variant import Variant
from .playback import State, rotation_matrix_of

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Posed:
    """matrices: (T, G, 4, 4), each maps points relative to a group's pivot into character space (column vectors).
    pivots: (T, G, 3) where the point is that the group hangs on. points: (T, P, 3)."""

    matrices: Floats
    pivots: Floats
    points: Floats


def evaluate(body: Body, state: State, game: Variant) -> Posed:
    """Actor angles zero. Bones beyond the body's groups are ignored; groups without a bone stay at rest."""
    count, groups = len(state.kinds), body.group_count
    used = min(groups, state.kinds.shape[1])
    rotated = np.zeros((count, groups, 3))
    moved = np.zeros((count, groups, 3))
    rotates = (state.kinds[:, :used] == ROTATE)[..., None]
    translates = (state.kinds[:, :used] == TRANSLATE)[..., None]
    rotated[:, :used] = np.where(rotates, state.values[:, :used], 0) * (2 * np.pi / game.rotation)
    moved[:, :used] = np.where(translates, state.values[:, :used], 0)
    rotated[:, 0] = moved[:, 0] = 0
    local = rotation_matrix_of(rotated)
    matrices = np.zeros((count, groups, 4, 4))
    matrices[..., 3, 3] = 1
    pivots = np.zeros((count, groups, 3))
    for group, parent in enumerate(body.parents.tolist()):
        matrix = matrices[:, group]
        if parent < 0:
            matrix[:, :3, :3] = local[:, group]
            matrix[:, :3, 3] = np.einsum("tij,tj->ti", local[:, group], moved[:, group])
            continue
        above, pivot = matrices[:, parent], body.pivots[group]
        carrier = matrices[:, body.group_of[pivot]]
        pivots[:, group] = carrier[:, :3, :3] @ body.points[pivot] + carrier[:, :3, 3]
        matrix[:, :3, :3] = above[:, :3, :3] @ local[:, group]
        matrix[:, :3, 3] = pivots[:, group] + np.einsum("tij,tj->ti", matrix[:, :3, :3], moved[:, group])
    own = matrices[:, body.group_of]
    points = np.einsum("tpij,pj->tpi", own[..., :3, :3], body.points) + own[..., :3, 3]
    return Posed(matrices, pivots, points)
