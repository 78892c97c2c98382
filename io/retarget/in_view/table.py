"""Retargeted channels as arrays that are set as the pose of an armature, frame by frame, without an action."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.motion.curves import Block
from ....core.motion.rotations.rotation_matrix import Floats
from ...blender import armature, paths, temporary_state
from ...blender.motion import evaluated

_SWITCHED = re.compile(rf'\["(.*)"\](\.influence)?$|^{paths.STRETCH}$')
"""Custom properties, how much constraints count, and how far IK may lengthen a bone."""


@dataclass(frozen=True, eq=False)
class Table:
    """The channels at some frames, linear between them as the keys will be.

    bones: by property (F, bones * components), as `foreach_set` takes them. own: by property (F, components) those of the object."""

    frames: Floats
    bones: dict[str, NDArray[np.float32]]
    own: dict[str, NDArray[np.float32]]

    @classmethod
    def of(cls, obj: bpy.types.Object, frames: Floats, blocks: list[Block]) -> Table:
        """Channels without keys stay as they are posed now; switches of the rig are set at once."""
        number = {bone.name: index for index, bone in enumerate(armature.pose_bones(obj))}
        pose = evaluated.pose_values(obj)
        bones: dict[str, NDArray[np.float32]] = {}
        own: dict[str, NDArray[np.float32]] = {}
        for block in blocks:
            for channel, values in zip(block.channels, block.values, strict=True):
                if _SWITCHED.search(channel.property) and (not channel.bone or channel.bone in number):
                    temporary_state.keep_property(obj, channel.bone, channel.property)
                    paths.set_at(obj, channel.bone, channel.property, float(values[0]))
                elif channel.bone in number and channel.property in pose:
                    if channel.property not in bones:
                        bones[channel.property] = np.repeat(pose[channel.property][None], len(frames), axis=0)
                    bones[channel.property][:, number[channel.bone], channel.component] = values
                elif not channel.bone:
                    if channel.property not in own:
                        own[channel.property] = np.repeat(np.array(getattr(obj, channel.property), np.float32)[None], len(frames), axis=0)
                    own[channel.property][:, channel.component] = values
        return cls(frames, {name: np.ascontiguousarray(rows.reshape(len(frames), -1)) for name, rows in bones.items()}, own)

    def show(self, obj: bpy.types.Object, frame: float) -> None:
        """Set the pose; between two frames what lies between them, beyond the ends theirs."""
        row, share = row_at(self.frames, frame)
        poses: Any = armature.pose_bones(obj)
        for name, rows in self.bones.items():
            poses.foreach_set(name, rows[row] if share < 1e-6 else _between(rows, row, share))
        for name, rows in self.own.items():
            setattr(obj, name, rows[row] if share < 1e-6 else _between(rows, row, share))
        obj.update_tag(refresh={"DATA"})


def row_at(frames: Floats, frame: float) -> tuple[int, float]:
    """The row of the frame at or before one, and the part of the way to the next that it is beyond; beyond the ends these."""
    row = int(np.clip(np.searchsorted(frames, frame + 1e-6, side="right") - 1, 0, len(frames) - 1))
    if row == len(frames) - 1 or frame <= frames[row]:
        return row, 0.0
    return row, float((frame - frames[row]) / (frames[row + 1] - frames[row]))


def _between(rows: NDArray[np.float32], row: int, share: float) -> NDArray[np.float32]:
    return np.asarray(rows[row] * (1 - share) + rows[row + 1] * share, np.float32)
