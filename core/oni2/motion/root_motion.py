"""The root motion of a clip: the sum of its deltas, or the way of the root's own channels."""

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
    places = root_places(anim.values, layout)
    return places - places[0]


def root_places(values: NDArray[np.float32], layout: Layout) -> Floats:
    """(frames, 3) the numbers of the root's translation channels, 0 for those it has not."""
    places = np.zeros((len(values), 3))
    places[:, layout.index[2][layout.of_root]] = values[:, layout.of_root]
    return places
