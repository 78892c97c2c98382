"""Rigs whose pelvis hangs beside the spine, on a bone that carries both: it goes where the hips go, so that nothing comes apart."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .bone_map import BoneMap, Pair, PairOptions
from .figure import Figure

_TRUNK = ("spine", "chest", "upperChest", "neck", "head")

_NEAR = 0.5
"""In lengths of the trunk: a bone that far from the hips, as one on the ground, carries them without rotating."""


def with_hub(figure: Figure, bone_map: BoneMap) -> BoneMap:
    """The map with the target bone that carries both hips and spine as a follower of the hips, where the spine is not below the hips."""
    hips = bone_map.role("hips")
    tops = [pair.target for role in _TRUNK if (pair := bone_map.role(role)) is not None]
    tops += [chain.target[0] for chain in bone_map.chains if chain.name in _TRUNK and chain.target]
    if hips is None or hips.target not in figure.index:
        return bone_map
    pelvis = figure.index[hips.target]
    beside = [figure.index[name] for name in tops if name in figure.index and not figure.is_below(figure.index[name], pelvis)]
    hub = _above(figure, pelvis, beside)
    if hub < 0:
        return bone_map
    known = {pair.source: pair for pair in bone_map.pairs if pair.target == figure.names[hub]}
    if hips.source in known:
        return bone_map
    heads = figure.heads
    trunk = max(float(np.linalg.norm(heads[bone] - heads[pelvis])) for bone in beside)
    near = float(np.linalg.norm(heads[hub] - heads[pelvis])) < _NEAR * trunk
    carrying = Pair(hips.source, figure.names[hub], options=PairOptions(rotation="ALL" if near else "NONE"))
    others = (pair for pair in bone_map.pairs if pair.target != figure.names[hub])
    return replace(bone_map, pairs=(carrying, *others))


def _above(figure: Figure, pelvis: int, beside: list[int]) -> int:
    """The nearest bone above the pelvis that all of `beside` are below; -1 without one, or where there are none."""
    bone = int(figure.parents[pelvis]) if beside else -1
    while bone >= 0 and not all(figure.is_below(other, bone) for other in beside):
        bone = int(figure.parents[bone])
    return bone
