"""Rigs whose pelvis hangs beside the spine, or is connected to the bone above it and so cannot move: what carries it goes with the hips."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .figure import Figure
from .maps.bone_map import BoneMap, Pair, PairOptions

_TRUNK = ("spine", "chest", "upperChest", "neck", "head")

_NEAR = 0.5
"""In lengths of the trunk: a bone that far from the hips, as one on the ground, carries them without rotating."""


def with_hub(figure: Figure, bone_map: BoneMap) -> BoneMap:
    """The map with the target bone that carries the hips as a follower of the hips, too: the one above hips and spine where the spine is
    not below the hips, the nearest that can move where the hips cannot."""
    hips = bone_map.role("hips")
    if hips is None or hips.target not in figure.index:
        return bone_map
    pelvis = figure.index[hips.target]
    tops = [pair.target for role in _TRUNK if (pair := bone_map.role(role)) is not None]
    tops += [chain.target[0] for chain in bone_map.chains if chain.name in _TRUNK and chain.target]
    trunk = [figure.index[name] for name in tops if name in figure.index]
    beside = [bone for bone in trunk if not figure.is_below(bone, pelvis)]
    hub = pelvis
    while hub >= 0 and (figure.fixed[hub] or not all(figure.is_below(bone, hub) for bone in beside)):
        hub = int(figure.parents[hub])
    carried = {
        pair.target for pair in bone_map.pairs if pair.source == hips.source and figure.is_below(pelvis, figure.index.get(pair.target, -1))
    }
    if hub < 0 or hub == pelvis or carried != {hips.target}:
        return bone_map
    heads = figure.heads
    away = float(np.linalg.norm(heads[hub] - heads[pelvis]))
    near = bool(beside) and any(away < _NEAR * float(np.linalg.norm(heads[bone] - heads[pelvis])) for bone in trunk)
    carrying = Pair(hips.source, figure.names[hub], options=PairOptions(rotation="ALL" if near else "NONE"))
    others = (pair for pair in bone_map.pairs if pair.target != figure.names[hub])
    return replace(bone_map, pairs=(carrying, *others))
