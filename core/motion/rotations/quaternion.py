"""Quaternions as whole arrays (..., 4) in the order w, x, y, z: Hamilton's product, column vectors, as in Blender."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .angles import continued
from .reproducible import arctan2, product
from .rotation_matrix import Floats

IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])


def multiply(one: Floats, other: Floats) -> Floats:
    """(..., 4) the rotation `other` first, then `one`; their shapes are broadcast.

    As pairs of complex numbers, (w + xi) + (y + zi)j, whose product needs a quarter of the steps that it takes by components."""
    a, b = _pair(one)
    c, d = _pair(other)
    along, across = product(a, c), product(b, d.conj())
    out = _empty((*along.shape, 4), one, other)
    first, second = _pair(out)
    np.subtract(along, across, out=first)
    np.add(np.multiply(a, d, out=along), np.multiply(b, c.conj(), out=across), out=second)
    return out


def _pair(quaternion: Floats) -> tuple[NDArray[np.complex128], NDArray[np.complex128]]:
    """(...) w + xi and y + zi, views where the components lie together."""
    together = quaternion.dtype == np.float64 and quaternion.strides[-1] == 8
    both = (quaternion if together else np.ascontiguousarray(quaternion, np.float64)).view(np.complex128)
    return both[..., 0], both[..., 1]


def _empty(shape: tuple[int, ...], *like: Floats) -> Floats:
    """An array for a result, with its axes in memory as in an array of that many rows, so that slices that lie together stay so."""
    for array in like:
        if array.shape[:-1] == shape[:-1]:
            out = np.empty_like(array, np.float64, shape=shape)
            return out if out.strides[-1] == 8 else np.empty(shape)
    return np.empty(shape)


def relative(one: Floats, other: Floats) -> Floats:
    """(..., 4) what comes before `one` to make it `other`: the product of the inverse of `one`, of length 1, and `other`."""
    a, b = _pair(one)
    c, d = _pair(other)
    back = a.conj()
    along, across = product(back, c), product(b, d.conj())
    out = _empty((*along.shape, 4), one, other)
    first, second = _pair(out)
    np.add(along, across, out=first)
    np.subtract(np.multiply(back, d, out=along), np.multiply(b, c.conj(), out=across), out=second)
    return out


def conjugate(quaternion: Floats) -> Floats:
    """(..., 4) the inverse of quaternions of length 1."""
    return quaternion * np.array([1.0, -1.0, -1.0, -1.0])


def normalised(quaternion: Floats) -> Floats:
    """(..., 4) of length 1; those of length 0 become the identity."""
    length = np.sqrt(np.einsum("...i,...i->...", quaternion, quaternion))[..., None]
    if length.min(initial=np.inf) > 1e-30:
        return quaternion / length
    return np.where(length > 1e-30, quaternion / np.maximum(length, 1e-30), IDENTITY)


def of_matrix(matrix: Floats) -> Floats:
    """Of rotation matrices (..., 3, 3): from the largest of the four components, so that no division is by a small number."""
    m = np.asarray(matrix, np.float64)
    xx, yy, zz = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
    squares = np.stack([1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz], axis=-1)
    wx, wy, wz = m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1]
    xy, xz, yz = m[..., 0, 1] + m[..., 1, 0], m[..., 0, 2] + m[..., 2, 0], m[..., 1, 2] + m[..., 2, 1]
    # Row i is 4 * q_i * q, whichever i; the row with the largest q_i is the exact one.
    rows = np.empty((*xx.shape, 4, 4))
    for number in range(4):
        rows[..., number, number] = squares[..., number]
    for (row, column), value in {(0, 1): wx, (0, 2): wy, (0, 3): wz, (1, 2): xy, (1, 3): xz, (2, 3): yz}.items():
        rows[..., row, column] = rows[..., column, row] = value
    best = np.argmax(squares, axis=-1)[..., None, None]
    return normalised(np.take_along_axis(rows, best, axis=-2)[..., 0, :])


def of_euler(angles: Floats, mode: str) -> Floats:
    """Of Blender's Euler angles (..., 3): mode "XYZ" rotates about X first. Which of the two signs they have follows the angles."""
    half = np.ascontiguousarray(np.moveaxis(angles, -1, 0)) / 2
    cosines, sines = np.cos(half), np.sin(half)
    first, *others = ("XYZ".index(letter) for letter in mode)
    zero = np.zeros(half.shape[1:])
    parts = [cosines[first], zero, zero, zero]
    parts[1 + first] = sines[first]
    for axis in others:  # about an axis, put before what there is
        w, cosine, sine = parts[0], cosines[axis], sines[axis]
        along, after, beyond = (parts[1 + (axis + step) % 3] for step in range(3))
        parts[0] = cosine * w - sine * along
        parts[1 + axis] = cosine * along + sine * w
        parts[1 + (axis + 1) % 3] = cosine * after - sine * beyond
        parts[1 + (axis + 2) % 3] = cosine * beyond + sine * after
    out = _empty((*half.shape[1:], 4), angles)
    for component, values in enumerate(parts):
        out[..., component] = values
    return out


def rotate(quaternion: Floats, points: Floats) -> Floats:
    """Points (..., 3) rotated by quaternions of length 1; shapes broadcast."""
    if points.ndim == 1 and quaternion.ndim > 1:
        return _rotated(quaternion, points)
    w, x, y, z = quaternion[..., 0], quaternion[..., 1], quaternion[..., 2], quaternion[..., 3]
    px, py, pz = points[..., 0], points[..., 1], points[..., 2]
    tx, ty, tz = 2 * (y * pz - z * py), 2 * (z * px - x * pz), 2 * (x * py - y * px)
    out = _empty((*np.broadcast_shapes(quaternion.shape[:-1], points.shape[:-1]), 3), points, quaternion)
    out[..., 0] = px + w * tx + y * tz - z * ty
    out[..., 1] = py + w * ty + z * tx - x * tz
    out[..., 2] = pz + w * tz + x * ty - y * tx
    return out


def _rotated(quaternion: Floats, point: Floats) -> Floats:
    """One point (3,) rotated by each of many: Q P Q^-1, of which the first product is one with a matrix, and the second lacks its real
    part."""
    x, y, z = point.tolist()
    a, b = _pair(quaternion)
    c, d = _pair(quaternion @ np.array((0.0, x, y, z, -x, 0.0, -z, y, -y, z, 0.0, -x, -z, -y, x, 0.0)).reshape(4, 4))
    out = _empty((*a.shape, 3), quaternion)
    along, across = product(d, a), product(c, b)
    np.subtract(along, across, out=out[..., 1:].view(np.complex128)[..., 0])
    np.multiply(a.conj(), c, out=along)
    np.multiply(b.conj(), d, out=across)
    np.add(along.imag, across.imag, out=out[..., 0])
    return out


def about(axis: Floats, angle: Floats) -> Floats:
    """By `angle` (...) radians about unit vectors (..., 3)."""
    half = np.asarray(angle)[..., None] / 2
    rotated = np.sin(half) * axis
    return np.concatenate([np.broadcast_to(np.cos(half), (*rotated.shape[:-1], 1)), rotated], axis=-1)


def angle(quaternion: Floats) -> Floats:
    """(...) radians, the angle of the shorter rotation, 0 to pi."""
    return 2 * np.arctan2(np.linalg.norm(quaternion[..., 1:], axis=-1), np.abs(quaternion[..., 0]))


def apart(one: Floats, other: Floats) -> Floats:
    """(...) radians, the angle of the shorter rotation between two, 0 to pi; exact also for small ones."""
    return of_chords(chords(one, other))


def chords(one: Floats, other: Floats) -> Floats:
    """(...) 0 to the root of 2: how far apart two rotations are on the sphere of quaternions, the shorter of both."""
    steps = one - other
    squares = np.asarray(np.einsum("...i,...i->...", steps, steps))  # of two single rotations, too
    if (far := squares > 2).any():  # the same rotation with the other sign is nearer
        steps = (one + other)[far]
        squares[far] = np.einsum("...i,...i->...", steps, steps)
    return np.sqrt(squares)


def of_chords(chords: Floats) -> Floats:
    """(...) radians that rotations are apart whose chords are known."""
    return np.asarray(4 * np.arcsin(np.minimum(chords / 2, 1)), np.float64)


def power(quaternion: Floats, share: Floats | float) -> Floats:
    """The part `share` (...) of each rotation, in the shorter direction."""
    short = np.where(quaternion[..., :1] < 0, -quaternion, quaternion)
    size = np.linalg.norm(short[..., 1:], axis=-1)
    half = arctan2(size, short[..., 0]) * share
    factor = np.where(size > 1e-12, np.sin(half) / np.maximum(size, 1e-12), np.asarray(share))
    return normalised(np.concatenate([np.cos(half)[..., None], short[..., 1:] * factor[..., None]], axis=-1))


def power_over(rotations: Floats, share: float, starts: Sequence[int] = (0,)) -> Floats:
    """(F, 4) the part `share` of each rotation, in the direction in which it goes on, also once that is the longer one: in the shorter one
    it would jump at half a turn. starts: the first keys of clips; in which direction each goes is counted from where `continued` says."""
    keys = continuous(rotations, positive=True, starts=np.asarray(starts, np.int64))
    parts = power(keys, share)
    if not keys[:, 0].min(initial=1.0) < 0:
        return parts
    size = np.linalg.norm(keys[:, 1:], axis=1)
    known = np.maximum.accumulate(np.where(size > 1e-9, np.arange(len(keys)), 0))
    axes = keys[known, 1:] / np.maximum(size[known, None], 1e-30)
    signs = np.where(np.einsum("fi,fi->f", axes, axes[np.maximum(np.arange(len(axes)) - 1, 0)]) < 0, -1.0, 1.0)
    signs[list(starts)] = 1.0
    for first, last in zip(starts, (*starts[1:], len(keys)), strict=True):
        rows = slice(first, last)
        signs[rows] = np.cumprod(signs[rows])
        size[rows] = continued(2 * arctan2(size[rows], keys[rows, 0]) * signs[rows])
    over = np.abs(size) > np.pi - 1e-6  # at half a turn itself either direction would be the shorter one
    parts[over] = about((axes * signs[:, None])[over], size[over] * share)
    return parts


def twist_angle(quaternion: Floats, axis: Floats) -> Floats:
    """(...) radians, -pi to pi: how far a rotation is one about unit vectors `axis` (..., 3), when taken as swing after twist."""
    along = np.einsum("...i,...i->...", quaternion[..., 1:], axis)
    sign = np.where(quaternion[..., 0] < 0, -1.0, 1.0)
    return 2 * np.arctan2(along * sign, quaternion[..., 0] * sign)


def continuous(quaternion: Floats, axis: int = 0, positive: bool = False, starts: NDArray[np.int64] | None = None) -> Floats:
    """(..., 4) the same rotations, each key along `axis` with the sign that puts it on the side of the one before, as linear curves need.

    positive: the first one's w is not negative; else the first one stays as it is. starts: the keys that have none before them, where
    several clips are one after another.
    """
    keys = np.moveaxis(quaternion, axis, 0) if axis else quaternion
    rotations = np.einsum("...i,...i->...", keys[1:], keys[:-1]) < 0
    begins = np.arange(min(1, len(keys))) if starts is None else starts
    rotations[begins[1:] - 1] = False
    first = (keys[begins, ..., 0] < 0) & positive
    if not rotations.any() and (not first.any() or first.all()):
        return -quaternion if first.any() else quaternion
    signs = np.cumprod(np.where(np.concatenate([first[:1], rotations]), -1.0, 1.0), axis=0)
    anew = np.where(first, -1.0, 1.0) * signs[begins]  # what the clips before have changed is taken back at the start of each
    signs = signs * np.repeat(anew, np.diff(begins, append=len(keys)), axis=0)
    return np.moveaxis(keys * signs[..., None], 0, axis) if axis else keys * signs[..., None]


def slerp(one: Floats, other: Floats, part: Floats) -> Floats:
    """The shortest rotation from `one` to `other`, both of length 1; `part` (...) from 0 to 1."""
    dot = np.sum(one * other, axis=-1)
    other = np.where((dot < 0)[..., None], -other, other)
    angle = np.maximum(np.arccos(np.minimum(np.abs(dot), 1)), 1e-9)  # so small a one keeps the shares where both are the same
    return normalised(np.sin((1 - part) * angle)[..., None] * one + np.sin(part * angle)[..., None] * other)


def nlerp(one: Floats, other: Floats, part: Floats) -> Floats:
    """(..., 4) as `slerp`, but along the chord: what linear curves of the four components show."""
    other = np.where((np.sum(one * other, axis=-1) < 0)[..., None], -other, other)
    return normalised(one + (other - one) * np.asarray(part)[..., None])
