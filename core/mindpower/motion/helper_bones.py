"""What a bone cannot hold, as two bones below it: any matrix is a rotation, a scale, a rotation and a scale.

Of a singular value decomposition alone the rotations are arbitrary wherever two of the values are alike, and they nearly always are: what
is left over is near the identity. Between two frames the mesh would fly apart. The constant, uneven scale of the second bone keeps the
values apart, so that the rotations are small, unique, and change as little from frame to frame as the matrix does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import rotation_matrix
from ...motion.rotations.rotation_matrix import Floats
from .continuity import Channels, rotations_of

_STRETCHES = np.array([[4.0, 1, 0.25], [16, 1, 1 / 16], [0.25, 1, 4], [1, 4, 0.25]])
"""Scales that keep singular values apart; those behind the first are for matrices far from the identity."""

_STEADY = 1e-3
"""How far a matrix half-way between two frames may be from the middle of theirs without a look at other scales."""

_LEAST = 1e-9


@dataclass(frozen=True, eq=False)
class Helper:
    """Two bones below one, both as it at rest, that add what it cannot hold: rotations (F, 4) w, x, y, z and scales (F, 3) of the first
    and of the second."""

    first: Channels
    scale: Channels
    second: Channels
    second_scale: Channels

    def at(self, frames: NDArray[np.int64]) -> Helper:
        """Some frames."""
        return Helper(*(values[frames] for values in self.channels))

    @property
    def channels(self) -> tuple[Channels, Channels, Channels, Channels]:
        return self.first, self.scale, self.second, self.second_scale

    @property
    def linear(self) -> Floats:
        """(F, 3, 3) what the two add to the bone above them."""
        first, scale, second, last = (values.astype(np.float64) for values in self.channels)
        rotated = rotation_matrix.from_quaternion(first) * scale[..., None, :]
        return rotated @ rotation_matrix.from_quaternion(second) * last[..., None, :]


def helper_of(missing: Floats) -> Helper:
    """The two bones whose product is `missing` (F, 3, 3) at every frame, and near it between frames."""
    best = _decomposed(missing, _STRETCHES[0])
    least = _unsteadiness(best, missing)
    if least > _STEADY:
        for stretch in _STRETCHES[1:]:
            other = _decomposed(missing, stretch)
            if (off := _unsteadiness(other, missing)) < 0.8 * least:
                best, least = other, off
    return best


def _decomposed(missing: Floats, stretch: Floats) -> Helper:
    u, size, vt = np.linalg.svd(missing * stretch)
    order = np.argsort(np.argsort(-stretch))  # the values come in descending order
    u, size, vt = _followed(u[:, :, order], np.maximum(size, _LEAST)[:, order], vt[:, order])
    if np.linalg.det(u[0]) < 0:
        u[:, :, 2] *= -1
        vt[:, 2] *= -1
    mirrored = np.linalg.det(vt) < 0
    vt[mirrored, 2] *= -1
    size[mirrored, 2] *= -1
    second_scale = np.tile((1 / stretch).astype(np.float32), (len(missing), 1))
    return Helper(rotations_of(u), size.astype(np.float32), rotations_of(vt), second_scale)


def _followed(u: Floats, size: Floats, vt: Floats) -> tuple[Floats, Floats, Floats]:
    """The axes in the order and with the signs that are nearest to those of the frame before; of the first frame to the bone's own."""
    before = np.concatenate([np.eye(3)[None], u[:-1]])
    likeness = np.abs(before.swapaxes(1, 2) @ u)
    if (np.diagonal(likeness, axis1=1, axis2=2) < 0.75).any():
        orders = np.empty((len(u), 3), np.int64)
        present = np.arange(3)
        for frame, alike in enumerate(likeness):
            present = orders[frame] = _nearest_order(alike[present])
        u, vt = np.take_along_axis(u, orders[:, None], axis=2), np.take_along_axis(vt, orders[..., None], axis=1)
        size = np.take_along_axis(size, orders, axis=1)
        before = np.concatenate([np.eye(3)[None], u[:-1]])
    signs = np.cumprod(np.where(np.einsum("fij,fij->fj", before, u) < 0, -1.0, 1.0), axis=0)
    return u * signs[:, None], size, vt * signs[..., None]


def _nearest_order(alike: Floats) -> NDArray[np.int64]:
    """Which axis of now continues each of those before. alike: (3, 3), of the earlier ones and those of now."""
    totals = [sum(alike[row, column] for row, column in enumerate(order)) for order in _ORDERS]
    return np.array(_ORDERS[int(np.argmax(totals))])


_ORDERS = ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))


def _unsteadiness(helper: Helper, missing: Floats) -> float:
    """How far the matrix half-way between two frames is at most from the middle of theirs."""
    middle = Helper(*(np.float32(0.5) * (values[1:] + values[:-1]) for values in helper.channels))
    return float(np.abs(middle.linear - (missing[1:] + missing[:-1]) / 2).max(initial=0))
