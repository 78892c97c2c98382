"""A .stick as Skeleton and Clip, and back: a key whose single-precision value is still that of the file keeps the file's number."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..motion.blocks import sample_track
from ..motion.clip import Clip, Track
from ..motion.curves import Curves, Timing
from ..motion.rigs.matrix_rig import MatrixRig
from ..motion.rigs.skeleton import Skeleton
from ..motion.rotations.rotation_matrix import Floats
from ..motion.sampling import key_frames
from .document import Stick

RATE = 10.0
"""Frames a second."""


def skeleton_of(document: Stick) -> Skeleton:
    heads = document.offsets.copy()
    for bone, parent in enumerate(document.parents):
        if parent >= 0:
            heads[bone] += heads[parent]
    return Skeleton(document.names, np.array(document.parents, np.int32), heads, heads + np.array([0, 0, 0.2]))


def rig_of(skeleton: Skeleton) -> MatrixRig:
    """At rest all bones have the axes of the game, which are Blender's."""
    rest = np.broadcast_to(np.eye(3), (len(skeleton), 3, 3))
    return MatrixRig(skeleton, np.eye(3), rest, skeleton.heads, skeleton.tips)


def clip_of(document: Stick, name: str) -> Clip:
    count, bones = document.rotations.shape[:2]
    times, generated = np.arange(count, dtype=np.float64), np.zeros(count, bool)
    tracks = [
        Track("translation", np.zeros(1, np.int64), times, document.locations[:, None], generated),
        Track("quaternion", np.arange(bones), times, document.rotations, generated),
    ]
    return Clip(name, RATE, tracks, None, float(count - 1))


def update(curves: Curves, rig: MatrixRig, timing: Timing, scale: float, document: Stick, original: Stick | None) -> Stick:
    """The document with the motion of the curves, at each of the game's frames from the first key to the last."""
    keys = timing.times(key_frames(curves))
    count = max(1, round(float(keys[-1])) + 1) if len(keys) else 1
    frames = timing.frames(np.arange(count, dtype=np.float64))
    locations = sample_track(curves, "translation", np.zeros(1, np.int64), frames, rig, scale)[:, 0]
    rotations = sample_track(curves, "quaternion", np.arange(len(rig.skeleton)), frames, rig, scale)
    if original is not None:
        locations, rotations = _kept(locations, original.locations), _kept(rotations, original.rotations)
    return replace(document, locations=locations, rotations=rotations)


def _kept(values: Floats, before: Floats) -> Floats:
    """The file's own numbers where the curves still hold them."""
    result, count = values.copy(), min(len(values), len(before))
    same = values[:count].astype(np.float32) == before[:count].astype(np.float32)
    result[:count][same] = before[:count][same]
    return result
