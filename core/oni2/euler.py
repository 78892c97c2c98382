"""Euler triples that follow each other without jumps, from rotations that several triples stand for."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_TURN = 2 * np.pi
_POLE = 1e-7
"""The cosine of the middle angle below which the other two turn about the same axis."""


def continuous(angles: Floats, near: Floats) -> Floats:
    """(K, B, 3) game triples of Ry * Rz * Rx -> of all triples of the same rotations those nearest to the frame before; the first ones
    nearest to `near` (B, 3).

    Rotations by (x, y, z) and by (x + pi, y + pi, pi - z) are the same. At the pole, z a quarter turn, only y + x (or y - x) counts: x
    stays what it was.
    """
    triples = np.concatenate([near[None], _without_poles(angles, near)])
    before, after = triples[:-1], triples[1:]
    # The way from the one triple to the other is as long as the way back, so each frame tells by itself whether it changes sides.
    stays = np.abs(_wrapped(after - before)).sum(axis=-1)
    changes = np.abs(_wrapped(_other(after) - before)).sum(axis=-1)
    odd = np.cumsum(changes < stays - 1e-9, axis=0) % 2 == 1
    chosen = np.where(odd[..., None], _other(after), after)
    return np.unwrap(np.concatenate([near[None], chosen]), axis=0)[1:]


def _without_poles(angles: Floats, near: Floats) -> Floats:
    """The same rotations, at the pole with the x of the last frame that has one."""
    pole = np.abs(np.cos(angles[..., 2])) < _POLE
    if not pole.any():
        return angles
    known = np.concatenate([near[None], angles])
    row = np.arange(1, len(known))[:, None]
    last = np.maximum.accumulate(np.where(pole, 0, row), axis=0)
    x = np.take_along_axis(known[..., 0], last, axis=0)
    out = angles.copy()
    out[..., 1] += np.sign(np.sin(angles[..., 2])) * (angles[..., 0] - x) * pole
    out[..., 0] = np.where(pole, x, angles[..., 0])
    return out


def _other(triples: Floats) -> Floats:
    return np.stack([triples[..., 0] + np.pi, triples[..., 1] + np.pi, np.pi - triples[..., 2]], axis=-1)


def _wrapped(angles: Floats) -> Floats:
    return angles - _TURN * np.round(angles / _TURN)
