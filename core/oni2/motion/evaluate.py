"""Where the bones of a skeleton are in a clip: R = Ry * Rz * Rx on column vectors, as libsr2 from_eulers_xzy has it transposed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import rotation_matrix
from ..files.interpretation import Interpretation
from ..files.skeleton.skel import Skel
from ..files.skeleton.skel_bones import KINDS
from .channels import Layout

Floats = NDArray[np.float64]

MODE = "XZY"
"""Ry * Rz * Rx, as core.rotation and Blender name it."""


@dataclass(frozen=True, eq=False)
class Locals:
    """Every bone against its parent at T times. angles: (T, B, 3) radians about x, y, z. translations: (T, B, 3) metres.
    scales: (T, B, 3)."""

    angles: Floats
    translations: Floats
    scales: Floats


def locals_of(skel: Skel, layout: Layout, values: Floats, interpretation: Interpretation) -> Locals:
    """values: (T, channels) the numbers of the file."""
    count, bones = len(values), len(skel.bones)
    offsets = skel.offsets
    base = offsets if interpretation.offset == "ADD" else np.zeros_like(offsets)
    tables = np.stack([np.tile(offsets, (count, 1, 1)), np.zeros((count, bones, 3)), np.ones((count, bones, 3))])

    for column, constant in layout.held.items():
        kind = KINDS.index(column.kind)
        tables[kind, :, column.bone, column.axis] = constant + (base[column.bone, column.axis] if kind == 0 else 0)
    if len(layout):
        bone, axis = np.array([[column.bone, column.axis] for column in layout.columns]).T
        kinds = np.array([KINDS.index(column.kind) for column in layout.columns])
        tables[kinds, :, bone, axis] = (values + np.where(kinds == 0, base[bone, axis], 0)).T
    if interpretation.scale == "IGNORE":
        tables[2] = 1
    return Locals(tables[1], tables[0], tables[2])


def world_of(skel: Skel, local: Locals) -> Floats:
    """(T, B, 4, 4) from a bone's own points into character space: world(parent) * T * R * S."""
    own = np.zeros((*local.angles.shape[:2], 4, 4))
    own[..., :3, :3] = rotation_matrix.from_euler(local.angles, MODE) * local.scales[..., None, :]
    own[..., :3, 3] = local.translations
    own[..., 3, 3] = 1
    for bone, parent in enumerate(bone.parent for bone in skel.bones):
        if parent >= 0:
            own[:, bone] = own[:, parent] @ own[:, bone]
    return own


def values_at(values: NDArray[np.float32] | Floats, frames: Floats) -> Floats:
    """(T, channels) at frame numbers `frames` (T,): straight from frame to frame, channel by channel; the first and last one hold."""
    frames = np.clip(frames, 0, len(values) - 1)
    before = np.floor(frames).astype(np.int64)
    after = np.minimum(before + 1, len(values) - 1)
    share = (frames - before)[:, None]
    first, second = values[before].astype(np.float64), values[after].astype(np.float64)
    return np.where(share > 0, first * (1 - share) + second * share, first)
