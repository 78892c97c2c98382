"""Bones of a new armature with names that people know, instead of the game's numbers, which every bone keeps as a property."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...core.declare.game import Game
from ...core.motion.rig import Rig
from ...core.reporting import labels
from ...core.retarget.figures.figure import Figure
from ...core.retarget.mapping.known_names import known_names


def named(rig: Rig, game: Game) -> Rig:
    """The rig with these names where its figure is known; the others stay as they are."""
    skeleton = rig.skeleton
    rest = np.tile(np.eye(4), (len(skeleton), 1, 1))
    rest[:, :3, :3], rest[:, :3, 3] = rig.rest, rig.heads
    lengths = np.maximum(np.linalg.norm(rig.tips - rig.heads, axis=1), 1.0)
    known = known_names(Figure(skeleton.names, skeleton.parents, rest, lengths, left=game.left))
    if not known:
        return rig
    names = labels.unique(known.get(bone, name) for bone, name in enumerate(skeleton.names))
    return replace(rig, skeleton=replace(skeleton, names=names))
