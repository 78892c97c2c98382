"""How deep the source's feet are in its ground, by their joints or by their meshes, and so how deep the target's may be."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations.rotation_matrix import Floats
from . import contacts
from .feet import Limb
from .root import NEAR
from .source import Source
from .treads import Tread, tread

_SAME = 1e-3
"""In leg lengths: joints that are no further apart are in one place."""


def meshes(source: Source, legs: Sequence[Limb]) -> list[Tread | None]:
    """What each of the source's feet has of a mesh, as far as that is known and it stands at rest as in its reference pose."""
    binding = source.binding
    rows = [(source.leads[item.rows[2]], source.leads[item.rows[3]]) for item in legs]
    bones = [(binding.followers[foot].source, binding.followers[toes].source) for foot, toes in rows]
    off = np.abs(binding.heads - binding.source.heads)[[bone for pair in bones for bone in pair]].max()
    return [tread(binding.source, *pair) if off < _SAME * source.legs.source else None for pair in bones]


def allowed(above: Floats, touching: NDArray[np.bool_], source: Source) -> Floats:
    """(F,) metres of the target by which a foot may be above where it is at rest, below it if negative, as the source's is. above: (F,) of
    the source's, in its own metres, over its own rest. touching: (F,) where it stands."""
    above = above - source.lift
    above -= _ground(above, touching, source)
    above += np.minimum(above + NEAR * source.legs.source, 0.0)  # so far below the ground, where one drowns or falls, nothing is on it
    return above * source.legs.target / source.legs.source


def _ground(above: Floats, touching: NDArray[np.bool_], source: Source) -> Floats:
    """(F,) metres, 0 at most, by which the sole of a foot of the source is lower than at rest, by the median of each clip's frames in
    which it stands: its ground is there. 0 of who has heights over the ground of the object, and where it is further than feet that stand
    are from that. above: (F,) metres above where it is at rest."""
    spans, measured = source.motion.spans, source.legs
    result, counts = np.zeros(len(spans)), spans.count(touching)
    if measured.at_origin or not counts.any():
        return spans.spread(result)
    result[counts > 0] = contacts.quantiles(above[touching], counts[counts > 0], 0.5)
    return spans.spread(np.where(np.abs(result) < contacts.HEIGHT * measured.source, result, 0.0).clip(max=0))
