"""Whether a character stands as a game would have it."""

from __future__ import annotations

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.reporting import log
from ....core.retarget.mapping import kinds
from ....core.retarget.mapping.mapping import labels_of
from ...blender import arrays
from .read import figure_of

_LYING = 0.5
"""Of the way from hips to head how much of it goes up, at least, where somebody stands."""


def report_lying(obj: bpy.types.Object) -> None:
    """Warn of an armature that is surely a human's, by names and limbs, and lies at rest, or stands on its head."""
    figure = figure_of(obj)
    labels = labels_of(figure)
    if not {"hips", "head"} <= labels.roles.keys() or not kinds.has_arms(labels) or kinds.is_bent(figure, labels.roles):
        return
    up = figure.heads[labels.roles["head"]] - figure.heads[labels.roles["hips"]]
    if up[2] < _LYING * np.linalg.norm(up):
        log.warning("its head is not above its hips: turn it upright, so that it stands along Z and looks along -Y, before it is made")


def space_of(obj: bpy.types.Object) -> NDArray[np.float64]:
    """(4, 4) the scene's space -> that of a new body: upright, around where the armature stands, and looking along -Y. Raises
    ExportError for one that stands nowhere."""
    matrix = np.eye(4)
    if looks_back(obj):
        matrix[:2, :2] *= -1
    matrix[:3, 3] = -matrix[:3, :3] @ arrays.world_of(obj)[:3, 3]
    return matrix


def looks_back(obj: bpy.types.Object) -> bool:
    """Whether an armature surely looks along +Y at rest: its left leg is on the right, by names."""
    figure = figure_of(obj)
    labels = labels_of(figure)
    legs = ("leftUpperLeg", "rightUpperLeg")
    if not all(leg in labels.roles and leg not in labels.notes for leg in legs):
        return False
    left, right = (figure.heads[labels.roles[leg]] for leg in legs)
    return float((left - right)[0]) < -_LYING * float(np.linalg.norm(left - right))


def report_back(obj: bpy.types.Object, remedy: str = "") -> None:
    """Say that an armature looks along +Y. remedy: what to do about it, "" where it is rotated by itself."""
    if looks_back(obj) and remedy:
        log.warning(f"it looks along +Y, and so backwards in the game: {remedy}")
    elif looks_back(obj):
        log.info("it looks along +Y, and is rotated to look along -Y, as the game's characters do")
