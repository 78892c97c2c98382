"""The rule of Tales of Pirates between its frames, by the format's definition alone: positions straight, quaternions along the arc and what
they have for a length straight, matrices as a rotation along the arc and a straight stretch."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def arc(one: Floats, other: Floats, part: float) -> Floats:
    """(..., 4) along the shorter arc between quaternions of length 1."""
    dot = (one * other).sum(-1, keepdims=True)
    other, angle = np.where(dot < 0, -other, other), np.arccos(np.abs(dot).clip(0, 1))
    sine = np.where(np.sin(angle) < 1e-6, 1.0, np.sin(angle))
    mixed = (np.sin((1 - part) * angle) * one + np.sin(part * angle) * other) / sine
    return np.where(np.sin(angle) < 1e-6, one + part * (other - one), mixed)


def rows(x: Floats, y: Floats, z: Floats, w: Floats) -> Floats:
    """(..., 3, 3) for row vectors; quaternions of another length scale and shear."""
    return np.stack(
        [
            np.stack([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)], -1),
            np.stack([2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)], -1),
            np.stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)], -1),
        ],
        -2,
    )


def between_matrices(one: Floats, other: Floats, part: float) -> Floats:
    """(B, 3, 3): stretch, then rotation about one axis by a part of the angle between the two."""
    rotated: list[Floats] = []
    stretches: list[Floats] = []
    for rows_of in (one, other):
        mirrored = np.where(np.linalg.det(rows_of) < 0, -1.0, 1.0)[:, None, None]
        u, _, vt = np.linalg.svd(rows_of * mirrored)
        rotated.append(u @ vt)
        stretches.append(rows_of @ (u @ vt).swapaxes(1, 2))
    step = rotated[0].swapaxes(1, 2) @ rotated[1]
    angle = np.arccos(((np.trace(step, axis1=1, axis2=2) - 1) / 2).clip(-1, 1))
    skew = np.stack([step[:, 1, 2] - step[:, 2, 1], step[:, 2, 0] - step[:, 0, 2], step[:, 0, 1] - step[:, 1, 0]], 1)
    length = np.linalg.norm(skew, axis=1, keepdims=True)
    x, y, z = (skew / np.where(length < 1e-9, 1, length)).T
    sine = np.sin(part * angle / 2)
    partly = rows(x * sine, y * sine, z * sine, np.cos(part * angle / 2))
    return (stretches[0] + part * (stretches[1] - stretches[0])) @ rotated[0] @ np.where((length < 1e-9)[..., None], np.eye(3), partly)


def skins(lab: Any, frame: int, part: float) -> Floats:
    """(bones, 4, 4) for row vectors."""
    out, after = np.zeros((lab.bone_count, 4, 4)), min(frame + 1, lab.frame_count - 1)
    out[:, 3, 3] = 1
    if lab.key_type == 3:
        one, other = (lab.quaternions[:, at].astype(float) for at in (frame, after))
        sizes = [np.linalg.norm(keys, axis=1, keepdims=True) for keys in (one, other)]
        mixed = arc(one / sizes[0], other / sizes[1], part) * (sizes[0] + part * (sizes[1] - sizes[0]))
        out[:, :3, :3] = rows(*(mixed if part else one).T)
        ends = [lab.positions[:, at].astype(float) for at in (frame, after)]
    else:
        one, other = (lab.matrices[:, at, :3, :3].astype(float) for at in (frame, after))
        out[:, :3, :3] = between_matrices(one, other, part) if part else one
        ends = [lab.matrices[:, at, 3, :3].astype(float) for at in (frame, after)]
    out[:, 3, :3] = ends[0] + part * (ends[1] - ends[0])
    for bone, parent in enumerate(lab.bones["parent"].tolist()):
        if parent != 0xFFFFFFFF:
            out[bone] = out[bone] @ out[parent]
    return lab.inverse_binds.astype(float) @ out
