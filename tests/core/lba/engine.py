"""The first game's own arithmetic, 2.14 fixed point with arithmetic shifts: what the tests compare with, bit for bit.

Sources: P_TRIGO.ASM RotMatIndex2, RotList, TransRotList; the sine table P_SinTab.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from retro_anim.core.lba.body.body import Body
from retro_anim.core.lba.files.anm import ROTATE, TRANSLATE
from retro_anim.core.lba.motion.playback import State

Ints = NDArray[np.int64]

ONE = 16384
SINE: Ints = np.round(ONE * np.sin(2 * np.pi * np.arange(1024) / 1024)).astype(np.int64)

_ROTATIONS = ((0, 1, 2), (2, 0, 1), (1, 2, 0))
"""In the order alpha, gamma, beta: which angle, and the two columns that it mixes."""


def rotate(matrix: Ints, angles: Ints) -> Ints:
    """`matrix` (3, 3) times the rotation by LBA1 angle steps alpha, beta, gamma; a zero angle is skipped."""
    for axis, first, second in _ROTATIONS:
        angle = int(angles[axis]) & 1023
        if angle:
            sine, cosine = SINE[angle], SINE[(angle + 256) & 1023]
            one, other = np.array(matrix[:, first]), np.array(matrix[:, second])
            matrix[:, first] = (cosine * one + sine * other) >> 14
            matrix[:, second] = (cosine * other - sine * one) >> 14
    return matrix


def vertices(body: Body, state: State) -> Ints:
    """(P, 3) the points of a body in one pose (T = 1, whole numbers), as the LBA1 engine computes them; actor angles zero."""
    kinds, values = state.kinds[0], state.values[0].astype(np.int64)
    points, world = body.points.astype(np.int64), np.zeros((len(body.points), 3), np.int64)
    unit: Ints = (ONE * np.eye(3)).astype(np.int64)
    matrices: list[Ints] = [unit]  # of the root's parent, then of every group
    for group, parent in enumerate(body.parents.tolist()):
        kind = int(kinds[group]) if group < len(kinds) else ROTATE
        value = values[group] if 0 < group < len(values) else np.zeros(3, np.int64)
        matrix = np.array(matrices[parent + 1], np.int64)
        matrices.append(rotate(matrix, value) if kind == ROTATE else matrix)
        origin = world[body.pivots[group]] if parent >= 0 else np.zeros(3, np.int64)
        moved = points[body.group_of == group] + (value if kind == TRANSLATE else 0)
        position = ((moved @ matrices[-1].T) >> 14) + origin
        world[body.group_of == group] = (position + 32768) % 65536 - 32768
    return world


def whole(state: State, before: Ints) -> State:
    """A pose between two keyframes in whole steps and units: of the way that is gone the engine leaves out the fraction. before: (B, 3)
    values of the keyframe that it comes from."""
    rotates = (state.kinds[0] == ROTATE)[:, None]
    path = state.values[0] - before
    path = np.trunc(np.where(rotates, (path + 512) % 1024 - 512, path).round(9))
    values = np.where(rotates, (before + path) % 1024, before + path)
    values[0] = 0
    return State(state.kinds, values[None])
