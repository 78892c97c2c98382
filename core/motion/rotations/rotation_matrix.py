"""Rotations as whole arrays: column vectors, matrices (..., 3, 3), angles in radians."""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np
from numpy.typing import NDArray

from .reproducible import arctan2

Floats = NDArray[np.float64]

_AXES = "XYZ"

_NO_VOLUME = 1e-18
"""Of its own volume, what something that is scaled to nothing has at most."""


def about(axis: int, angle: Floats) -> Floats:
    """(..., 3, 3) right-handed rotations by `angle` (...) about axis 0, 1 or 2."""
    first, second = (axis + 1) % 3, (axis + 2) % 3
    matrix = np.zeros((*np.shape(angle), 3, 3))
    matrix[..., axis, axis] = 1
    matrix[..., first, first] = matrix[..., second, second] = np.cos(angle)
    matrix[..., second, first] = np.sin(angle)
    matrix[..., first, second] = -matrix[..., second, first]
    return matrix


def relative_to(above: Floats, pose: Floats) -> Floats:
    """(..., 4, 4) matrices `pose` in the space of matrices `above`; at rest in one that is scaled to nothing, in which nobody sees them."""
    try:
        return np.linalg.inv(above) @ pose
    except np.linalg.LinAlgError:
        flat = (np.abs(np.linalg.det(above[..., :3, :3])) < _NO_VOLUME)[..., None, None]
        return np.where(flat, np.eye(4), np.linalg.inv(np.where(flat, np.eye(4), above)) @ pose)


def from_euler(angles: Floats, mode: str) -> Floats:
    """(..., 3, 3) of Blender's Euler angles (..., 3): mode "XYZ" rotates about X first, so the matrix is Rz * Ry * Rx."""
    first, second, third = (_AXES.index(letter) for letter in mode)
    return about(third, angles[..., third]) @ about(second, angles[..., second]) @ about(first, angles[..., first])


def to_euler(matrix: Floats, mode: str) -> Floats:
    """The Euler angles (..., 3) of rotation matrices, safe at the pole, where the angle applied last is 0.

    For R = R_i(a) R_j(b) R_k(c): b from the element that is its sine alone, a and c from what is left after it.
    """
    k, j, i = (_AXES.index(letter) for letter in mode)
    sign = 1.0 if (j - i) % 3 == 1 else -1.0
    m = matrix
    flat = np.hypot(m[..., i, i], m[..., i, j])
    middle = np.arctan2(sign * m[..., i, k], flat)
    first = arctan2(-sign * m[..., i, j], m[..., i, i])
    last = np.where(flat < 1e-9, 0.0, first)
    # R_i(a) alone is left when c is undone: its sine and cosine stand in the columns that c mixed.
    sine, cosine = np.sin(last), np.cos(last)
    outer = np.arctan2(
        sign * (m[..., k, i] * sign * sine + m[..., k, j] * cosine),
        m[..., j, i] * sign * sine + m[..., j, j] * cosine,
    )
    angles = np.empty((*flat.shape, 3))
    angles[..., i], angles[..., j], angles[..., k] = outer, middle, last
    return angles


def from_quaternion(quaternion: Floats) -> Floats:
    """(..., 3, 3) of quaternions (..., 4) in the order w, x, y, z; they need not have length 1."""
    w, x, y, z = np.moveaxis(quaternion / np.maximum(np.linalg.norm(quaternion, axis=-1, keepdims=True), 1e-30), -1, 0)
    rows = (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def from_axis_angle(values: Floats) -> Floats:
    """(..., 3, 3) of Blender's axis-angle (..., 4): angle, then the axis."""
    axis = values[..., 1:] / np.maximum(np.linalg.norm(values[..., 1:], axis=-1, keepdims=True), 1e-30)
    half = values[..., :1] / 2
    return from_quaternion(np.concatenate([np.cos(half), np.sin(half) * axis], axis=-1))


def angle(matrix: Floats) -> Floats:
    """(...,) by how much rotations (..., 3, 3) rotate, radians."""
    return np.arccos(((np.trace(matrix, axis1=-2, axis2=-1) - 1) / 2).clip(-1, 1))


def nearest(matrix: Floats) -> Floats:
    """The nearest proper rotations to matrices (..., 3, 3): of many by Newton's iteration, which takes a fifth of the time of an SVD; of a
    few, and of those that are flat or mirrored, by SVD."""
    flat = matrix.reshape(-1, 3, 3)
    if len(flat) < _MANY:
        return _by_svd(matrix)
    rotations, hard = _by_newton(flat)
    if hard.any():
        rotations[hard] = _by_svd(flat[hard])
    return rotations.reshape(matrix.shape)


_MANY = 128
"""Matrices from which on Newton's iteration is faster than an SVD."""

_FLAT = 1e-4
"""The volume, as a part of what a cube of the matrix's size has, below which a matrix is left to the SVD."""

_STEPS, _STILL = 12, 1e-9
"""Steps at most; and what a step changes of which the next would change nothing: the error is squared in each."""


def _by_svd(matrix: Floats) -> Floats:
    u, _, vt = np.linalg.svd(matrix)
    u[..., :, 2] *= np.sign(np.linalg.det(u @ vt))[..., None]
    return u @ vt


def _by_newton(matrices: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """(N, 3, 3) the middle of each matrix (N, 3, 3) and its transposed inverse, again and again, both brought to one size at first
    (Higham); and (N,) which are too flat, mirrored, or no numbers at all, so that their result means nothing."""
    present = np.ascontiguousarray(matrices.transpose(1, 2, 0), np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        inverse, volumes = _cofactors(present)
        hard = ~(volumes > _FLAT * np.einsum("ijn,ijn->n", present, present) ** 1.5)
    present[:, :, hard] = np.eye(3)[..., None]
    for step in range(_STEPS):
        inverse, volumes = _cofactors(present)
        inverse /= volumes
        if step < 3:
            size = (np.einsum("ijn,ijn->n", inverse, inverse) / np.einsum("ijn,ijn->n", present, present)) ** 0.25
            following = (present * size + inverse / size) / 2
        else:
            following = (present + inverse) / 2
        change = float(np.abs(following - present).max())
        present = following
        if change < _STILL:
            break
    return present.transpose(2, 0, 1).copy(), hard


def _cofactors(rows: Floats) -> tuple[Floats, Floats]:
    """Of matrices (3, 3, N): (3, 3, N) the transposed inverse times the determinant, and (N,) that."""
    after, before = rows[[1, 2, 0]], rows[[2, 0, 1]]
    out = after[:, [1, 2, 0]] * before[:, [2, 0, 1]] - after[:, [2, 0, 1]] * before[:, [1, 2, 0]]
    return out, np.einsum("in,in->n", rows[0], out[0])


@cache
def axis_aligned() -> Floats:
    """(24, 3, 3) all rotations that map axes onto axes, identity first; not to be written to."""
    rotations: list[Floats] = []
    for order in itertools.permutations(range(3)):
        for signs in itertools.product((1.0, -1.0), repeat=3):
            matrix = np.zeros((3, 3))
            matrix[list(order), range(3)] = signs
            if np.linalg.det(matrix) > 0:
                rotations.append(matrix)
    return np.array(rotations)


_RIGHT_ANGLE = 1e-4
"""Two axes whose cosine is smaller are at a right angle for Blender."""


def unscaled(matrices: Floats) -> Floats:
    """What bones with *Inherit Scale: None* inherit of their parent's matrices (..., 3, 3): Blender's own way to make them orthogonal.

    The Y axis keeps its direction; the two others leave it, and are then bent against one another by the same angle. One step of float32
    beside a right angle counts as one there, and axes in one line stay so.
    """
    x, y, z = np.moveaxis(matrices, -1, 0)
    y = _unit(y)
    x, z = (_unit(axis - (axis * y).sum(axis=-1, keepdims=True) * y) for axis in (x, z))
    cosine = (x * z).sum(axis=-1, keepdims=True)
    oblique = (np.abs(cosine) > _RIGHT_ANGLE) & (np.abs(cosine) < 1 - np.finfo(np.float32).eps)
    wanted = (np.arccos(cosine.clip(-1, 1)) + np.pi / 2) / 2
    bent = _unit(x - cosine * z) * np.sin(wanted) + z * np.cos(wanted)
    third = _unit(np.cross(np.cross(bent, z), bent))
    return np.stack([np.where(oblique, bent, x), y, np.where(oblique, third, z)], axis=-1)


def _unit(vectors: Floats) -> Floats:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-20)
