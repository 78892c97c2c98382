"""The engine's arithmetic once more, slow and straight from its description, one number at a time: what the tests compare with."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from retro_anim.core.lba.files.lm1 import Lm1

Matrix = list[list[float]]
Pose = Sequence[tuple[int, Sequence[float]]]
"""Of every bone its kind, 0 rotate, 1 translate, and alpha, beta, gamma or x, y, z."""


def product(one: Matrix, other: Matrix) -> Matrix:
    return [[sum(one[row][k] * other[k][column] for k in range(3)) for column in range(3)] for row in range(3)]


def rotation(alpha: float, beta: float, gamma: float) -> Matrix:
    """Rx(alpha) * Rz(gamma) * Ry(beta), radians."""
    c, s = math.cos, math.sin
    about_x = [[1, 0, 0], [0, c(alpha), -s(alpha)], [0, s(alpha), c(alpha)]]
    about_z = [[c(gamma), -s(gamma), 0], [s(gamma), c(gamma), 0], [0, 0, 1]]
    about_y = [[c(beta), 0, s(beta)], [0, 1, 0], [-s(beta), 0, c(beta)]]
    return product(product(about_x, about_z), about_y)


def position(
    body: Lm1, pose: Pose, rotation: Callable[[int, Matrix], Matrix], move: Callable[[Matrix, list[float]], list[float]]
) -> list[list[float]]:
    """Group after group: parents come first."""
    assert body.groups is not None
    world: list[list[float]] = [[0, 0, 0] for _ in body.points]
    matrices: list[Matrix] = []
    for index, group in enumerate(body.groups):
        kind, values = pose[index] if index < len(pose) else (0, (0, 0, 0))
        origin, shift, matrix = [0.0, 0.0, 0.0], (0.0, 0.0, 0.0), rotation(-1, [])
        if index:
            origin = world[group["pivot"] // 6]
            above = [list(row) for row in matrices[group["parent"] // 38]]
            matrix = rotation(index, above) if kind == 0 else above
            shift = tuple(values) if kind == 1 else shift
        matrices.append(matrix)
        first = int(group["first_point"]) // 6
        for point in range(first, first + int(group["point_count"])):
            local = [float(value) + more for value, more in zip(body.points[point], shift, strict=True)]
            world[point] = [own + base for own, base in zip(move(matrix, local), origin, strict=True)]
    return world


def float_points(body: Lm1, pose: Pose, steps: int = 1024) -> np.ndarray:
    def rotation_above(index: int, above: Matrix) -> Matrix:
        if index < 0:
            return [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
        angles = pose[index][1] if index < len(pose) else (0, 0, 0)
        return product(above, rotation(*(angle * 2 * math.pi / steps for angle in angles)))

    def move(matrix: Matrix, local: list[float]) -> list[float]:
        return [sum(row[k] * local[k] for k in range(3)) for row in matrix]

    return np.array(position(body, pose, rotation_above, move))


def shorter_angle(last: int, new: int, rotation: int) -> int:
    """From one angle to the next: LBA1 goes the way of the raw difference at an exact half turn, LBA2 always down."""
    if rotation == 4096:
        path = (new - last) & 0xFFF
        return path - 4096 if path & 0x800 else path
    path = (new & 1023) - (last & 1023)
    return path + 1024 if path < -512 else path - 1024 if path > 512 else path
