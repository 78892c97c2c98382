"""Euler triples that follow each other without jumps, from rotations that several triples stand for."""

from __future__ import annotations

import numpy as np

from .angles import wrapped
from .rotation_matrix import Floats

_POLE = 1e-7
"""The cosine of the middle angle below which the other two rotate about the same axis."""


def continuous(angles: Floats, near: Floats, mode: str) -> Floats:
    """(K, B, 3) Euler angles in `mode` -> of all triples of the same rotations those nearest to the frame before; the first ones
    nearest to `near` (B, 3). Radians.

    In mode XZY rotations by (x, y, z) and by (x + pi, y + pi, pi - z) are the same. At the pole, z a quarter circle, only y + x (or
    y - x) counts: x stays what it was.
    """
    triples = np.concatenate([near[None], _without_poles(angles, near, mode)])
    before, after = triples[:-1], triples[1:]
    # The distance between two triples is the same from either side, so each frame shows by itself whether it changes sides.
    stays = np.abs(wrapped(after - before)).sum(axis=-1)
    changes = np.abs(wrapped(_other(after, mode) - before)).sum(axis=-1)
    odd = np.cumsum(changes < stays - 1e-9, axis=0) % 2 == 1
    chosen = np.where(odd[..., None], _other(after, mode), after)
    return np.unwrap(np.concatenate([near[None], chosen]), axis=0)[1:]


def _axes(mode: str) -> tuple[int, int, int]:
    """The components that are applied first, second and last."""
    first, middle, last = ("XYZ".index(letter) for letter in mode)
    return first, middle, last


def _without_poles(angles: Floats, near: Floats, mode: str) -> Floats:
    """The same rotations, at the pole with the first angle of the last frame that has one."""
    first, middle, last = _axes(mode)
    pole = np.abs(np.cos(angles[..., middle])) < _POLE
    if not pole.any():
        return angles
    sign = 1.0 if (middle - last) % 3 == 1 else -1.0
    known = np.concatenate([near[None], angles])
    row = np.arange(1, len(known))[:, None]
    latest = np.maximum.accumulate(np.where(pole, 0, row), axis=0)
    held = np.take_along_axis(known[..., first], latest, axis=0)
    out = angles.copy()
    out[..., last] += sign * np.sign(np.sin(angles[..., middle])) * (angles[..., first] - held) * pole
    out[..., first] = np.where(pole, held, angles[..., first])
    return out


def _other(triples: Floats, mode: str) -> Floats:
    out = triples + np.pi
    middle = _axes(mode)[1]
    out[..., middle] = np.pi - triples[..., middle]
    return out
