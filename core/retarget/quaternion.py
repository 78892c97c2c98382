"""Unit quaternions (..., 4) in the order w, x, y, z, as whole arrays; float64, column-vector rotations."""

from __future__ import annotations

import numpy as np

from .. import rotation
from ..rotation import Floats

IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])


def multiply(a: Floats, b: Floats) -> Floats:
    """The rotation `b` first, then `a`; shapes broadcast."""
    aw, ax, ay, az = a[..., 0], a[..., 1], a[..., 2], a[..., 3]
    bw, bx, by, bz = b[..., 0], b[..., 1], b[..., 2], b[..., 3]
    out = np.empty(np.broadcast_shapes(a.shape, b.shape))
    out[..., 0] = aw * bw - ax * bx - ay * by - az * bz
    out[..., 1] = aw * bx + ax * bw + ay * bz - az * by
    out[..., 2] = aw * by - ax * bz + ay * bw + az * bx
    out[..., 3] = aw * bz + ax * by - ay * bx + az * bw
    return out


def conjugate(a: Floats) -> Floats:
    """The rotation back."""
    return a * np.array([1.0, -1.0, -1.0, -1.0])


def rotate(a: Floats, points: Floats) -> Floats:
    """Points (..., 3) turned by `a` (..., 4); shapes broadcast."""
    w, x, y, z = a[..., 0], a[..., 1], a[..., 2], a[..., 3]
    px, py, pz = points[..., 0], points[..., 1], points[..., 2]
    tx, ty, tz = 2 * (y * pz - z * py), 2 * (z * px - x * pz), 2 * (x * py - y * px)
    out = np.empty((*np.broadcast_shapes(a.shape[:-1], points.shape[:-1]), 3))
    out[..., 0] = px + w * tx + y * tz - z * ty
    out[..., 1] = py + w * ty + z * tx - x * tz
    out[..., 2] = pz + w * tz + x * ty - y * tx
    return out


def normalized(a: Floats) -> Floats:
    """Length 1; the identity where there is no length."""
    size = np.sqrt(np.einsum("...i,...i->...", a, a))[..., None]
    return np.where(size > 1e-30, a / np.maximum(size, 1e-30), IDENTITY)


def from_matrix(matrix: Floats) -> Floats:
    """Of rotation matrices (..., 3, 3): the row of the outer product q q^T with the greatest diagonal, so that nothing cancels."""
    m = matrix
    xx, yy, zz = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
    outer = np.empty((*m.shape[:-2], 4, 4))
    outer[..., 0, 0], outer[..., 1, 1] = 1 + xx + yy + zz, 1 + xx - yy - zz
    outer[..., 2, 2], outer[..., 3, 3] = 1 - xx + yy - zz, 1 - xx - yy + zz
    for row, column, value in (
        (0, 1, m[..., 2, 1] - m[..., 1, 2]),
        (0, 2, m[..., 0, 2] - m[..., 2, 0]),
        (0, 3, m[..., 1, 0] - m[..., 0, 1]),
        (1, 2, m[..., 0, 1] + m[..., 1, 0]),
        (1, 3, m[..., 0, 2] + m[..., 2, 0]),
        (2, 3, m[..., 1, 2] + m[..., 2, 1]),
    ):
        outer[..., row, column] = outer[..., column, row] = value
    best = np.argmax(np.einsum("...ii->...i", outer), axis=-1)
    return normalized(np.take_along_axis(outer, best[..., None, None], axis=-2)[..., 0, :])


def to_matrix(a: Floats) -> Floats:
    """(..., 3, 3)."""
    return rotation.from_quaternion(a)


def about(axis: Floats, angle: Floats) -> Floats:
    """By `angle` (...) radians about unit vectors (..., 3)."""
    half = np.asarray(angle)[..., None] / 2
    turned = np.sin(half) * axis
    return np.concatenate([np.broadcast_to(np.cos(half), (*turned.shape[:-1], 1)), turned], axis=-1)


def angle(a: Floats) -> Floats:
    """(...) the size of the turn, 0 to pi."""
    return 2 * np.arctan2(np.linalg.norm(a[..., 1:], axis=-1), np.abs(a[..., 0]))


def power(a: Floats, share: Floats | float) -> Floats:
    """The part `share` (...) of each turn, the short way."""
    short = np.where(a[..., :1] < 0, -a, a)
    size = np.linalg.norm(short[..., 1:], axis=-1)
    half = np.arctan2(size, short[..., 0]) * share
    factor = np.where(size > 1e-12, np.sin(half) / np.maximum(size, 1e-12), np.asarray(share))
    return normalized(np.concatenate([np.cos(half)[..., None], short[..., 1:] * factor[..., None]], axis=-1))


def slerp(a: Floats, b: Floats, share: Floats | float) -> Floats:
    """From `a` to `b`, the short way."""
    return multiply(a, power(multiply(conjugate(a), b), share))


def twist_angle(a: Floats, axis: Floats) -> Floats:
    """(...) radians, -pi to pi, of the part of `a` about unit vectors `axis` (..., 3): a = swing * twist."""
    along = np.einsum("...i,...i->...", a[..., 1:], np.broadcast_to(axis, (*a.shape[:-1], 3)))
    sign = np.where(a[..., 0] < 0, -1.0, 1.0)
    return 2 * np.arctan2(along * sign, a[..., 0] * sign)


def continuous(a: Floats, axis: int = -2) -> Floats:
    """Signs such that neighbours along `axis` never have a negative dot product; the first one's w is not negative."""
    moved = np.moveaxis(a, axis, 0)
    dots = np.einsum("f...i,f...i->f...", moved[1:], moved[:-1])
    first = np.where(moved[:1, ..., 0] < 0, -1.0, 1.0)
    signs = np.cumprod(np.concatenate([first, np.where(dots < 0, -1.0, 1.0)]), axis=0)
    return np.moveaxis(moved * signs[..., None], 0, axis)
