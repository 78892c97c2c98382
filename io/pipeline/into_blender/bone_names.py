"""Bones of a new armature with names that people know and Blender mirrors; each keeps its number and its name of the game as properties."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

import numpy as np

from ....core.declare.game import Game
from ....core.declare.shared import BoneNames
from ....core.motion.rigs.matrix_rig import MatrixRig
from ....core.motion.rigs.rig import Rig
from ....core.reporting import labels
from ....core.retarget.figures.figure import Figure
from ....core.retarget.mapping.known_names import known_names, mirroring

_Rig = TypeVar("_Rig", Rig, MatrixRig)

_SHORTEST = 1e-3
"""Of a figure's size: a bone without a length has this one."""


def named(rig: _Rig, game: Game, choice: BoneNames) -> _Rig:
    """The rig with its bones called as was chosen: the parts of a body that is known, the others so that they mirror."""
    if choice == "GAME":
        return rig
    skeleton = rig.skeleton
    rest = np.tile(np.eye(4), (len(skeleton), 1, 1))
    rest[:, :3, :3], rest[:, :3, 3] = rig.rest, rig.heads
    shortest = max(float(np.ptp(rig.heads, axis=0).max(initial=0.0)) if len(skeleton) else 0.0, 1e-9) * _SHORTEST
    lengths = np.maximum(np.linalg.norm(rig.tips - rig.heads, axis=1), shortest)
    known = known_names(Figure(skeleton.names, skeleton.parents, rest, lengths, left=game.left))
    others = [bone for bone in range(len(skeleton)) if bone not in known]
    mirrored = mirroring([skeleton.names[bone] for bone in others])
    names = known | dict(zip(others, labels.unique(mirrored, known.values()), strict=True))
    return replace(rig, skeleton=replace(skeleton, names=tuple(names[bone] for bone in range(len(skeleton)))))
