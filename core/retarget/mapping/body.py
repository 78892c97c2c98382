"""What describes the bones of a figure without their names: where they are in the body, and what hangs on them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...motion.rotation_matrix import Floats
from ..figures.figure import Figure

_MIDDLE, _TWIN, _FAR = 0.008, 0.01, 0.06
"""In sizes of the figure: joints nearer to each other are both in the middle; how well two must mirror each other to be of two sides;
and from where on a joint without a twin is aside."""


@dataclass(frozen=True, eq=False)
class Body:
    """What describes the B bones, in sizes of the figure: reach (B, 3) to the furthest tip of what hangs on each, mass (B, 3) to the middle
    of that, position (B, 3) in the body; along (B, 3) from the parent, of length 1; side (B,) -1, 0 or 1. paired: bones with a
    twin on the other side."""

    figure: Figure
    reach: Floats
    mass: Floats
    position: Floats
    along: Floats
    side: Floats
    paired: int

    @classmethod
    def of(cls, figure: Figure, quarter: int) -> Body:
        cosine, sine = ((1, 0), (0, 1), (-1, 0), (0, -1))[quarter]
        heads = figure.heads @ np.array([[cosine, -sine, 0], [sine, cosine, 0], [0, 0, 1]], np.float64).T
        heads = heads / (float(np.linalg.norm(np.ptp(heads, axis=0))) or 1.0)
        count, parents = len(figure), figure.parents.tolist()
        steps = np.array([np.linalg.norm(heads[bone] - heads[parent]) if parent >= 0 else 0.0 for bone, parent in enumerate(parents)])
        middles = np.where((figure.parents >= 0)[:, None], (heads + heads[figure.parents]) / 2, heads)
        centre = (middles * steps[:, None]).sum(axis=0) / max(float(steps.sum()), 1e-12)
        below, weight, path = np.zeros((count, 3)), np.zeros(count), np.zeros(count)
        tip = heads.copy()
        for bone in range(count - 1, -1, -1):
            parent = parents[bone]
            if parent >= 0:
                below[parent] += below[bone] + middles[bone] * steps[bone]
                weight[parent] += weight[bone] + steps[bone]
                if path[bone] + steps[bone] > path[parent]:
                    path[parent], tip[parent] = path[bone] + steps[bone], tip[bone]
        mass = np.where(weight[:, None] > 1e-9, below / np.maximum(weight, 1e-9)[:, None] - heads, 0.0)
        position = heads - centre
        twin = _has_twin(position)
        side = np.where(twin | (np.abs(position[:, 0]) > _FAR), np.sign(position[:, 0]), 0.0)
        along = np.where((figure.parents >= 0)[:, None], heads - heads[figure.parents], 0.0) / np.maximum(steps, 1e-9)[:, None]
        return cls(figure, tip - heads, mass, position, along, side, int(twin.sum()))


def _has_twin(position: Floats) -> NDArray[np.bool_]:
    """(B,) whether a bone has another one like it on the other side of the body."""
    mirrored = position * np.array([-1.0, 1.0, 1.0])
    twin = np.linalg.norm(position[:, None] - mirrored[None], axis=2) < _TWIN
    twin &= np.abs(position[:, None, 0] - position[None, :, 0]) > _MIDDLE
    return np.asarray(twin.any(axis=1), np.bool_)
