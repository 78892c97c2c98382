"""What a game's file would round away of an action: compared with what the import would show of the export."""

from __future__ import annotations

from dataclasses import replace

import bpy
import numpy as np

from ...core.motion.curves import Block, Channel, is_rotation
from ...core.motion.rotations import quaternion as quat
from ...core.motion.rotations.rotation_matrix import Floats
from ...core.reporting import log
from ...core.reporting.errors import RetroAnimError
from ...core.retarget.figures.motion import Standing
from ...core.retarget.figures.walk import forward
from ..pipeline import modules
from .game import game_of
from .reading import keys, read


def losses(context: bpy.types.Context, obj: bpy.types.Object, action: bpy.types.Action) -> tuple[float, float] | None:
    """Largest angle in degrees between a bone's own rotation in the action and in the game's file, and largest distance in metres between
    its positions in the world, at the action's keys. None where the armature is no game's, or its game cannot hold the action."""
    game = game_of(obj)
    if game is None:
        return None
    try:
        blocks: list[Block] = modules.module(game, "replay").blocks(context, obj, action)
    except RetroAnimError as error:
        log.warning(f"the game cannot hold it as it is: {error}")
        return None
    return _differences(obj, action, blocks)


def _differences(obj: bpy.types.Object, action: bpy.types.Action, blocks: list[Block]) -> tuple[float, float]:
    """Degrees and metres between the action and what the blocks show."""
    figure = read.figure_of(obj)
    frames = read.frames_of(action, obj, 1.0, at_keys=True)
    turning = [block for block in blocks if any(is_rotation(channel.property) for channel in block.channels)] or blocks
    # Keys outside the action's range need not be in the file, nor where a loop begins again: there only its path goes on.
    first, last = min(block.frames[0] for block in blocks), max(block.frames[-1] for block in turning)
    frames = frames[(frames > first - 0.01) & (frames < last + 0.01)]
    if not len(frames):
        return 0.0, 0.0
    ours, theirs = keys.channels_at(action, obj, frames), _values(blocks, frames)
    locals_ = [keys.local_of(figure, frames, values) for values in (ours, theirs)]
    rotated = quat.multiply(quat.conjugate(locals_[0].rotations), locals_[1].rotations)
    standing = [read.object_at(obj, frames, ours), read.object_at(obj, frames, theirs, "ZYX")]  # as every import rotates objects
    if standing[0] is not None:  # a game that has no object's motion begins wherever the object stands
        standing[1] = standing[0].at(slice(0, 1)) if standing[1] is None else _begun_at(standing[0], standing[1])
    positions = [forward(figure, frames, local, where).positions for local, where in zip(locals_, standing, strict=True)]
    if standing[0] is None:  # where the hips carry the motion, the file has not where it starts on the ground
        positions[1] = positions[1] + (positions[0] - positions[1])[0, 0] * np.array([1.0, 1.0, 0.0])
    return float(np.degrees(quat.angle(rotated)).max()), float(np.linalg.norm(positions[0] - positions[1], axis=-1).max())


def _begun_at(where: Standing, other: Standing) -> Standing:
    """`other` moved and turned about Z as a whole, to begin where and as `where` does: where a clip starts in the world, and which way it
    faces there, is not the file's."""
    up = np.array([0.0, 0.0, 1.0])
    yaw = quat.about(up, quat.twist_angle(quat.multiply(where.rotations[0], quat.conjugate(other.rotations[0])), up))
    positions = where.positions[0] + quat.rotate(yaw, other.positions - other.positions[0])
    return replace(other, rotations=quat.multiply(yaw, other.rotations), positions=positions)


def _values(blocks: list[Block], frames: Floats) -> dict[Channel, Floats]:
    """The values of curves with these keys at `frames`."""
    result: dict[Channel, Floats] = {}
    for block in blocks:
        if not block.stepped:
            for channel, row in zip(block.channels, block.values, strict=True):
                result[channel] = np.interp(frames, block.frames.astype(np.float64), row.astype(np.float64))
    return result
