"""Oni's rotations as numbers: 16-bit Euler triples, quaternions on disk, and double precision in between.

A triple (x, y, z) means Rx * Ry * Rz on column vectors. Quaternions here are w, x, y, z; arrays are (..., 4), angles radians.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import quaternion as quaternions
from ...motion.rotations import rotation_matrix
from ...motion.rotations.reproducible import arctan2
from ...motion.rotations.rotation_matrix import Floats

STEP = 2 * np.pi / 65535
"""Radians of one step of a 16-bit angle (OniGalore OBD:TRAM/raw0x34)."""

POLE = 1e-9
"""Below this cosine of y the angles x and z rotate about the same axis."""


def from_steps(steps: NDArray[np.int16]) -> Floats:
    """Signed 16-bit angles -> radians."""
    return steps.astype(np.float64) * STEP


def to_steps(angles: Floats) -> NDArray[np.int16]:
    """Radians -> the nearest 16-bit angles. 180 degrees are 0x8000."""
    wrapped = angles - 2 * np.pi * np.round(angles / (2 * np.pi))
    return np.rint(wrapped / STEP).astype(np.int64).astype(np.uint16).view(np.int16)


def to_quaternion(angles: Floats) -> Floats:
    """(..., 3) triples in radians -> (..., 4): qx * qy * qz."""
    half = angles / 2
    (sx, sy, sz), (cx, cy, cz) = np.moveaxis(np.sin(half), -1, 0), np.moveaxis(np.cos(half), -1, 0)
    parts = (
        cx * cy * cz - sx * sy * sz,
        sx * cy * cz + cx * sy * sz,
        cx * sy * cz - sx * cy * sz,
        cx * cy * sz + sx * sy * cz,
    )
    return np.stack(parts, axis=-1)


def to_triples(quaternion: Floats) -> NDArray[np.int16]:
    """The 16-bit triples (K, 3) of one track's quaternions (K, 4), exact to the rounding of the steps, also at the pole.

    Double precision throughout: z first, then x from what is left when the rounded z is undone, so that their sum is right where they
    rotate about the same axis. At the pole itself z is that of the key before. Of the two triples of a rotation each key takes the one
    that is nearer to the key before (the first key the one with y within 90 degrees).
    """
    m = rotation_matrix.from_quaternion(quaternion)
    flat = np.hypot(m[..., 0, 0], m[..., 0, 1])
    y = arctan2(m[..., 0, 2], flat)
    z = _held(arctan2(-m[..., 0, 1], m[..., 0, 0]), flat < POLE)
    choices = np.stack([_triple(m, y, z), _triple(m, np.pi - y, z + np.pi)], axis=1)
    return choices[np.arange(len(choices)), _nearer(choices)]


def _held(values: Floats, missing: NDArray[np.bool_]) -> Floats:
    """(K,) values; where one is missing the last one before it, 0 where there is none."""
    last = np.maximum.accumulate(np.where(missing, -1, np.arange(len(values))))
    return np.where(last < 0, 0.0, values[np.maximum(last, 0)])


def _triple(m: Floats, y: Floats, z: Floats) -> NDArray[np.int16]:
    """The steps of (x, y, z), with x the best one for z as it is rounded."""
    steps = to_steps(z)
    sine, cosine = np.sin(from_steps(steps)), np.cos(from_steps(steps))
    x = np.arctan2(m[..., 2, 0] * sine + m[..., 2, 1] * cosine, m[..., 1, 0] * sine + m[..., 1, 1] * cosine)
    return np.stack([to_steps(x), to_steps(y), steps], axis=-1)


def _nearer(choices: NDArray[np.int16]) -> NDArray[np.int64]:
    """(K,) which of two triples (K, 2, 3) each key takes, so that steps from key to key are small.

    The best choice after either choice before is a map of {0, 1} into itself; a chain of such maps is known from its last constant one
    and the number of swaps since.
    """
    count = len(choices)
    if count < 2:
        return np.zeros(count, np.int64)
    step = (choices[1:, None] - choices[:-1, :, None]).astype(np.int64)  # 16 bits go around as angles do
    cost = np.abs(step).sum(axis=-1)  # (K - 1, choice before, choice now)
    after = np.argmin(cost, axis=2)
    constant = np.concatenate([[True], after[:, 0] == after[:, 1]])
    swaps = np.concatenate([[0], np.cumsum((after[:, 0] == 1) & (after[:, 1] == 0))])
    value = np.concatenate([[0], after[:, 0]])
    start = np.maximum.accumulate(np.where(constant, np.arange(count), 0))
    return (value[start] + swaps - swaps[start]) % 2


def from_disk(values: NDArray[np.float32]) -> Floats:
    """(K, 4) quaternions as the files have them, x, y, z, -w -> w, x, y, z of length 1."""
    wide = values.astype(np.float64)
    return quaternions.normalised(np.concatenate([-wide[..., 3:], wide[..., :3]], axis=1))


def to_disk(quaternion: Floats) -> NDArray[np.float32]:
    """The inverse of `from_disk`."""
    return np.concatenate([quaternion[..., 1:], -quaternion[..., :1]], axis=1).astype(np.float32)
