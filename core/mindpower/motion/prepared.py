"""A skeleton file prepared for Blender: bones in an order that can be built, names that Blender takes, and what must travel along."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...reporting.labels import LIMIT
from ..files.skeleton.lab import QUAT, Lab
from ..files.skeleton.lab_layout import NO_PARENT

NAME_LIMIT = LIMIT
"""Bytes in the name of a bone in Blender, which is also what the file has room for."""


def ordered(lab: Lab) -> Lab:
    """The skeleton with parents before their children; itself where that is so, which is nearly always."""
    order = lab.order
    if (order == np.arange(lab.bone_count)).all():
        return lab
    index = np.argsort(order)
    bones, dummies = lab.bones[order].copy(), lab.dummies.copy()
    above = lab.parents[order]
    bones["parent"] = np.where(above < 0, NO_PARENT, index[above]).astype("<u4")
    bones["id"] = np.arange(lab.bone_count)
    there = dummies["parent"] < lab.bone_count
    dummies["parent"][there] = index[dummies["parent"][there]]
    reordered = replace(lab, bones=bones, dummies=dummies, inverse_binds=lab.inverse_binds[order])
    if lab.key_type == QUAT:
        return reordered.with_quaternions(lab.positions[order], lab.quaternions[order])
    return reordered.with_matrices(lab.matrices[order])


def excerpt(lab: Lab, frames: NDArray[np.int64]) -> Lab:
    """The same file with some frames alone, and with frame 0 where there are none."""
    chosen = frames if len(frames) else np.zeros(1, np.int64)
    if lab.key_type == QUAT:
        return lab.with_quaternions(lab.positions[:, chosen], lab.quaternions[:, chosen])
    return lab.with_matrices(lab.matrices[:, chosen])
