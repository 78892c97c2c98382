"""Channels as keys: quaternions and Euler angles that never jump, in each bone's own rotation mode."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...motion.curves import Block, Channel, rotation_property
from ...motion.rotations import quaternion as quat
from ...motion.rotations import rotation_matrix
from ...motion.rotations.angles import wrapped
from ...motion.rotations.reproducible import arctan2
from ...motion.rotations.rotation_matrix import Floats
from ..figures.figure import Figure
from ..figures.spans import Spans


def rotation_block(figure: Figure, bone: int, frames: NDArray[Any], rotations: Floats) -> Block:
    """A bone's keys in its own rotation mode. rotations: (F, 4), without jumps."""
    return rotation_blocks(figure, bone, frames, rotations, Spans((len(frames),)))[0]


def rotation_blocks(figure: Figure, bone: int, frames: NDArray[Any], rotations: Floats, spans: Spans) -> list[Block]:
    """The same of each clip."""
    mode = figure.modes[bone]
    name, count = rotation_property(mode)
    values = rotations if mode == "QUATERNION" else spans.each(lambda rows: _values(rows, mode), rotations)
    return blocks_of(figure.names[bone], name, count, frames, values, spans)


def block(bone: str, name: str, count: int, frames: NDArray[Any], values: Floats) -> Block:
    """One property's keys. values: (F, count)."""
    return blocks_of(bone, name, count, frames, values, Spans((len(frames),)))[0]


def blocks_of(bone: str, name: str, count: int, frames: NDArray[Any], values: Floats, spans: Spans) -> list[Block]:
    """The same of each clip. values: of all of them."""
    channels = [Channel(bone, name, index) for index in range(count)]
    at, keys, plain = frames.astype(np.float32, copy=False), np.ascontiguousarray(values.T, np.float32), np.zeros(len(frames), bool)
    return [Block(channels, at[rows], keys[:, rows], plain[rows]) for rows in spans.rows]


def rotation_values(rotations: Floats, mode: str) -> Floats:
    """(F, 4) quaternions as what Blender keys in a rotation mode: (F, 4) or (F, 3), in radians, without jumps."""
    return _values(quat.continuous(rotations, -2, positive=True), mode)


def _values(rotations: Floats, mode: str) -> Floats:
    """The same of rotations that have no jumps."""
    if mode == "QUATERNION":
        return rotations
    if mode == "AXIS_ANGLE":
        return _axis_angle(rotations)
    return unrolled(rotation_matrix.to_euler(rotation_matrix.from_quaternion(rotations), mode), mode)


def unrolled(angles: Floats, mode: str) -> Floats:
    """(F, 3) Euler angles, at each frame the ones of equal rotation that are nearest to those of the frame before.

    Each rotation has two triples, (a, b, c) and (a + pi, pi - b, c + pi) with b mirrored in between. The step from one to the other is the
    same whichever of the two is present, so a running count of the steps at which changing is nearer decides for all frames at once."""
    middle = "XYZ".index(mode[1])
    alternative = angles + np.pi
    alternative[:, middle] = np.pi - angles[:, middle]
    stay, change = _distance(angles[1:] - angles[:-1]), _distance(alternative[1:] - angles[:-1])
    parity = np.concatenate([[0], np.cumsum(change < stay - 1e-9) % 2]).astype(bool)
    chosen = np.where(parity[:, None], alternative, angles)
    return np.unwrap(chosen, axis=0)


def _distance(steps: Floats) -> Floats:
    """(N,) the sum of angle steps, each by the shorter direction."""
    return np.asarray(np.abs(wrapped(steps)).sum(axis=1), np.float64)


def _axis_angle(rotations: Floats) -> Floats:
    """(F, 4) angle and axis; where there is no rotation the axis of the frame before stays, the first one's being Y as in Blender."""
    size = np.linalg.norm(rotations[:, 1:], axis=1)
    known = np.where(size > 1e-9, np.arange(len(rotations)), -1)
    known = np.maximum.accumulate(known)
    last = np.maximum(known, 0)
    axes = np.where((known >= 0)[:, None], rotations[last, 1:] / np.maximum(size[last, None], 1e-30), np.array([0.0, 1.0, 0.0]))
    signs = np.cumprod(np.concatenate([[1.0], np.where(np.einsum("fi,fi->f", axes[1:], axes[:-1]) < 0, -1.0, 1.0)]))
    angles: Floats = np.unwrap(2 * arctan2(size, rotations[:, 0]) * signs).astype(np.float64)
    return np.concatenate([angles[:, None], (axes * signs[:, None]).astype(np.float64)], axis=1)
