"""Writing BVH: a hierarchy of joints, Y up, and a line of channels for each frame.

Every joint has the world's axes at rest, so that any reader poses it alike. The root, and joints whose offset from their parent
changes, have positions, which replace the offset; all have rotations in the usual order Z, X, Y: the matrix is Rz Rx Ry.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..rotations import rotation_matrix
from ..rotations.rotation_matrix import Floats

_MODE = "YXZ"
"""Rz Rx Ry by Blender's name: the first axis turns first."""

_Y_UP = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])
"""From Z up and looking along -Y to Y up and looking along +Z."""

_STILL = 1e-5
"""Of the figure's size: a joint that moves less has no positions."""

_DEEPEST = 64
"""Tabs in front of a line, at most."""

_END = -1
"""Stands for the end of a joint."""


@dataclass(frozen=True, eq=False)
class Joints:
    """names, parents: (B,), a parent before its children, -1 for the one root, which is the first. rest: (B, 4, 4) and poses:
    (F, B, 4, 4) in the scene's axes, Z up."""

    names: Sequence[str]
    parents: Sequence[int]
    rest: Floats
    poses: Floats


def write(joints: Joints, seconds: float) -> str:
    """The file's text. seconds: of a frame."""
    heads, positions = joints.rest[:, :3, 3] @ _Y_UP.T, joints.poses[..., :3, 3] @ _Y_UP.T
    linear = joints.poses[..., :3, :3] @ np.linalg.inv(joints.rest[:, :3, :3])
    rotations = rotation_matrix.nearest(_Y_UP @ linear @ _Y_UP.T)
    parents = np.array(joints.parents)
    above = np.maximum(parents, 0)
    offsets = np.where(parents[:, None] < 0, heads, heads - heads[above])
    local = np.where((parents < 0)[:, None, None], rotations, np.swapaxes(rotations[:, above], -1, -2) @ rotations)
    apart = np.einsum("fbji,fbj->fbi", rotations[:, above], positions - positions[:, above])
    position = np.where((parents < 0)[:, None], positions, apart)
    size = max(float(np.ptp(heads, axis=0).max(initial=0)), 1e-6)
    moving = (parents < 0) | (np.abs(position - offsets).max(axis=(0, 2), initial=0) > _STILL * size)
    angles = np.degrees(np.unwrap(rotation_matrix.to_euler(local, _MODE), axis=0))[..., [2, 0, 1]]
    hierarchy, order = _hierarchy(joints, offsets, moving)
    columns = [part for joint in order for part in ((position[:, joint], angles[:, joint]) if moving[joint] else (angles[:, joint],))]
    rows = np.concatenate(columns, axis=1)
    lines = ["HIERARCHY", *hierarchy, "MOTION", f"Frames: {len(rows)}", f"Frame Time: {seconds:.8f}"]
    lines += [" ".join(f"{value:.6f}" for value in row) for row in rows.tolist()]
    return "\n".join(lines) + "\n"


def _hierarchy(joints: Joints, offsets: Floats, moving: Floats) -> tuple[list[str], list[int]]:
    """The lines of all joints; and the joints as their channels follow one another. However many are below one another."""
    below: list[list[int]] = [[] for _ in joints.parents]
    for joint, parent in enumerate(joints.parents):
        if parent >= 0:
            below[parent].append(joint)
    lines: list[str] = []
    order: list[int] = []
    waiting = [(0, 0)]
    while waiting:
        joint, depth = waiting.pop()
        pad, inner = "\t" * min(depth, _DEEPEST), "\t" * min(depth + 1, _DEEPEST)
        if joint == _END:
            lines.append(f"{pad}}}")
            continue
        order.append(joint)
        name = "_".join(str(joints.names[joint]).split()) or f"joint{joint}"
        channels = ("Xposition Yposition Zposition " if moving[joint] else "") + "Zrotation Xrotation Yrotation"
        x, y, z = offsets[joint].tolist()
        lines += [f"{pad}{'JOINT' if depth else 'ROOT'} {name}", f"{pad}{{", f"{inner}OFFSET {x:.6f} {y:.6f} {z:.6f}"]
        lines.append(f"{inner}CHANNELS {6 if moving[joint] else 3} {channels}")
        if not below[joint]:
            lines += [f"{inner}End Site", f"{inner}{{", f"{inner}\tOFFSET 0.000000 0.000000 0.000000", f"{inner}}}"]
        waiting.append((_END, depth))
        waiting += [(child, depth + 1) for child in reversed(below[joint])]
    return lines, order
