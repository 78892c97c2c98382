"""The root motion of a clip: the sum of its deltas, or the movement of the root's own channels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..files.anim import Anim
from .channels import Layout

Floats = NDArray[np.float64]


def travel_of(anim: Anim, layout: Layout) -> Floats:
    """(frames, 3) how far the character has come since frame 0. A delta leads from its frame to the next one."""
    if anim.deltas is not None:
        steps = anim.deltas.astype(np.float64)
        return np.concatenate([np.zeros((1, 3)), np.cumsum(steps[:-1], axis=0)])
    positions = root_positions(anim.values, layout)
    return positions - positions[0]


def root_positions(values: NDArray[np.float32], layout: Layout) -> Floats:
    """(frames, 3) the numbers of the root's translation channels, 0 for those it has not."""
    positions = np.zeros((len(values), 3))
    positions[:, layout.index[2][layout.of_root]] = values[:, layout.of_root]
    return positions
