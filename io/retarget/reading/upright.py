"""Whether a character stands as a game would have it."""

from __future__ import annotations

import bpy
import numpy as np

from ....core.reporting import log
from ....core.retarget.mapping import kinds
from ....core.retarget.mapping.mapping import labels_of
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
