"""How far what Blender shows is from the game, where bones cannot hold the game's matrices."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...motion.rotation_matrix import Floats
from ...reporting import log
from .motion import Motion

_AT_ONCE = 2_000_000


def vertex_errors(motion: Motion, points: Floats, bones: NDArray[np.int64], weights: Floats) -> NDArray[np.float64]:
    """(V,) the distance of each vertex from where the game has it, at its worst frame. points: (V, 3) at rest, in Blender's units and axes.
    bones, weights: (V, N), weights of any sum."""
    far = np.zeros(len(points))
    total = weights.sum(axis=1, keepdims=True)
    shares = weights / np.where(total == 0, 1, total)
    touched = np.flatnonzero((np.isin(bones, list(motion.errors)) & (weights != 0)).any(axis=1))
    frames = len(motion)
    at = np.column_stack([points, np.ones(len(points))])
    step = max(1, _AT_ONCE // max(frames, 1))
    for first in range(0, len(touched), step):
        some = touched[first : first + step]
        off = np.zeros((frames, 3, len(some)))
        for bone, error in motion.errors.items():
            share = np.where(bones[some] == bone, shares[some], 0.0).sum(axis=1)
            mine = np.flatnonzero(share)
            if len(mine):
                off[:, :, mine] += error @ (at[some[mine]].T * share[mine])
        far[some] = np.linalg.norm(off, axis=1).max(axis=0, initial=0)
    return far


def report(worst: dict[str, float], largest: float) -> None:
    """Warn of bones that are not exact. worst: by bone, the farthest of its vertices. largest: of all vertices. In Blender's units."""
    shown = sorted(((far, name) for name, far in worst.items()), reverse=True)
    if not shown:
        return
    named = ", ".join(f"{name} {far:.2g}" for far, name in shown[:6]) + (f" and {len(shown) - 6} more" if len(shown) > 6 else "")
    log.warning(
        f"sheared bones, which Blender holds only nearly; vertices are up to {largest:.2g} m off: {named}. Helper bones make them exact"
    )
