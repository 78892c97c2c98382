"""Whether a character stands as a game would have it, and what brings it there."""

from __future__ import annotations

import bpy
import numpy as np

from ....core.motion.rotations.rotation_matrix import Floats
from ....core.reporting import log
from ....core.retarget.figures.figure import Figure
from ....core.retarget.mapping import kinds
from ....core.retarget.mapping.humanoid.labels import Labels
from ....core.retarget.mapping.mapping import labels_of
from .read import figure_of

_LYING = 0.5
"""Of the way from hips to head how much of it goes up, at least, where somebody stands."""


def space_of(obj: bpy.types.Object) -> Floats:
    """(4, 4) the scene's space -> that of a new body: upright, around where the armature stands, and looking along -Y. What an armature
    has against that is reported. Raises ExportError for one that stands nowhere."""
    figure = figure_of(obj)
    labels = labels_of(figure)
    if _lies(figure, labels):
        log.warning("its head is not above its hips: turn it upright, so that it stands along Z and looks along -Y, before it is made")
    matrix = np.eye(4)
    if _is_backwards(figure, labels):
        log.info("it looks along +Y, and is rotated to look along -Y, as the game's characters do")
        matrix[:2, :2] *= -1
    matrix[:3, 3] = -matrix[:3, :3] @ figure.world[:3, 3]
    return matrix


def looks_back(obj: bpy.types.Object) -> bool:
    """Whether an armature surely looks along +Y at rest: its left leg is on the right, by names."""
    figure = figure_of(obj)
    return _is_backwards(figure, labels_of(figure))


def _lies(figure: Figure, labels: Labels) -> bool:
    """Whether an armature is surely a human's, by names and limbs, and lies at rest, or stands on its head."""
    if not {"hips", "head"} <= labels.roles.keys() or not kinds.has_arms(labels) or kinds.is_bent(figure, labels.roles):
        return False
    up = figure.heads[labels.roles["head"]] - figure.heads[labels.roles["hips"]]
    return bool(up[2] < _LYING * np.linalg.norm(up))


def _is_backwards(figure: Figure, labels: Labels) -> bool:
    legs = ("leftUpperLeg", "rightUpperLeg")
    if not all(leg in labels.roles and leg not in labels.notes for leg in legs):
        return False
    left, right = (figure.heads[labels.roles[leg]] for leg in legs)
    return float((left - right)[0]) < -_LYING * float(np.linalg.norm(left - right))
