"""Rest poses that are no help to tell where a figure faces, made by hand: each a turn in degrees about a world axis for some bones, which
takes along what hangs below."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations import rotation_matrix
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.motion import Motion

from .. import rigs

Rotations = dict[str, tuple[int, float]]
"""Bone -> world axis and degrees."""

STANCES: dict[str, Rotations] = {
    "fighting, hips 43 degrees off": {
        "hips": (2, 43),
        "upperChest": (2, 8),
        "leftUpperArm": (2, -70),
        "leftLowerArm": (0, 80),
        "rightUpperArm": (1, 50),
        "rightLowerArm": (2, 60),
    },
    "fighting, 21.5 degrees off": {"hips": (2, -21.5), "leftUpperArm": (1, 80), "rightUpperArm": (2, 75), "leftLowerLeg": (0, -35)},
    "mid-stride": {
        "hips": (2, 6.8),
        "upperChest": (2, -14),
        "leftUpperLeg": (0, 30),
        "rightUpperLeg": (0, -28),
        "leftUpperArm": (1, 75),
        "rightUpperArm": (1, -75),
    },
    "lying on its back": {"hips": (0, 90)},
    "lying, heading 43 degrees off": {"hips": (0, -90), "spine": (2, 43), "leftUpperLeg": (2, 30)},
    "lying on its side, its back curved": {"hips": (1, 90), "chest": (2, 40)},
    "hips tilted": {"hips": (1, 30), "spine": (1, -30), "leftUpperLeg": (1, -30), "rightUpperLeg": (1, -30)},
}


def standing_as(figure: Figure, rotations: Rotations) -> Figure:
    """The same bones with another rest pose."""
    rest, whole = np.array(figure.rest), np.tile(np.eye(3), (len(figure), 1, 1))
    for bone, (name, parent) in enumerate(zip(figure.names, figure.parents.tolist(), strict=True)):
        above = whole[parent] if parent >= 0 else np.eye(3)
        axis, degrees = rotations.get(name, (2, 0.0))
        whole[bone] = rotation_matrix.about(axis, np.radians(np.array(degrees))) @ above
        rest[bone, :3, :3] = whole[bone] @ figure.rest[bone, :3, :3]
        if parent >= 0:
            rest[bone, :3, 3] = rest[parent, :3, 3] + above @ (figure.rest[bone, :3, 3] - figure.rest[parent, :3, 3])
    rest[:, :3, :3] = rest[:, :3, :3].astype(np.float32)
    return replace(figure, rest=rest)


def about_z(motion: Motion, degrees: float) -> Motion:
    """The same motion, all of it turned about the world's Z."""
    rotation = quat.about(np.array([0.0, 0.0, 1.0]), np.radians(np.array(degrees)))
    return replace(motion, rotations=quat.multiply(rotation, motion.rotations), positions=quat.rotate(rotation, motion.positions))


def rotated(figure: Figure, degrees: float) -> Figure:
    """A figure whose bones, not its object, are turned about Z."""
    rotation = rotation_matrix.about(2, np.radians(np.array(degrees)))
    rest = np.array(figure.rest)
    rest[:, :3, :3], rest[:, :3, 3] = rotation @ rest[:, :3, :3], rest[:, :3, 3] @ rotation.T
    return replace(figure, rest=rest)


def calm(frames: int = 40) -> Motion:
    """A motion of `rigs.rolled(1)` that looks along -Y, more or less."""
    return rigs.dance(rigs.rolled(1), frames, most=0.3)[1]
