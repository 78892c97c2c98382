"""Where the bones of an .anim are, by the format's description alone, and what Blender shows in the same terms. Shares no code with the
package. Skeletons are those whose channels are all there is: three translations of the root, three rotations a bone."""

from __future__ import annotations

import struct
from typing import Any

import bpy
import numpy as np

AXES = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
"""The game's axes -> Blender's: (x, y, z) -> (x, -z, y)."""


def table_of(data: bytes) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Stride, values (frames, channels), and deltas (frames, 3) or None."""
    magic = data[:4]
    if magic == b"ANI1":
        flags, frames, channels = struct.unpack_from("<3I", data, 4)
        stride, at, lead, trail = np.frombuffer(data, "<f4", 3, 16), 28, 0, 3 * bool(flags >> 31)
    elif magic == b"ani\0":
        flags, frames, channels = struct.unpack_from("<3I", data, 4)
        count = 3 if flags & 1 else 1
        stride, at, lead, trail = np.frombuffer(data, "<f4", count, 16), 17 + 4 * count, 3 * bool(flags & 2), 0
    else:
        frames, channels = struct.unpack_from("<2I", data, 4)
        stride, at, lead, trail = np.frombuffer(data, "<f4", 1, 12), 17, 0, 0
    rows = np.frombuffer(data, "<f4", frames * (lead + channels + trail), at).reshape(frames, -1).astype(float)
    deltas = rows[:, :3] if lead else rows[:, channels:] if trail else None
    return stride.astype(float), rows[:, lead : lead + channels], deltas


def rows_of(data: bytes) -> np.ndarray:
    """The values frame by frame (frames, channels); of a loop with one row more, where its last frame has blended into the first: angles
    are the same a whole circle on, and the root goes on by what it travels a cycle where that leads less far from the last frame."""
    stride, values, deltas = table_of(data)
    head = 28 if data[:4] == b"ANI1" else 17 + 4 * len(stride) if data[:4] == b"ani\0" else 17
    loops = data[4] & 1 if head == 28 else data[head - 1]
    if not loops or len(values) < 2:
        return values
    first, last = values[0], values[-1]
    travel = np.array([0.0, 0.0, stride[0]]) if len(stride) == 1 else stride
    travel = travel if deltas is None else deltas.sum(axis=0)
    back, on = first[:3], first[:3] + travel
    root = np.where(np.abs(on - last[:3]) < np.abs(back - last[:3]), on, back)
    circles = np.round((last[3:] - first[3:]) / (2 * np.pi))
    return np.concatenate([values, [[*root, *(first[3:] + 2 * np.pi * circles)]]])


def _about(axis: int, angle: float) -> np.ndarray:
    first, second = (axis + 1) % 3, (axis + 2) % 3
    out = np.eye(3)
    out[first, first] = out[second, second] = np.cos(angle)
    out[second, first], out[first, second] = np.sin(angle), -np.sin(angle)
    return out


class Skeleton:
    """parents and offsets of the bones in the file's order."""

    def __init__(
        self, obj: Any, names: list[str], parents: list[int], offsets: list[tuple[float, float, float]], scale: float = 1.0
    ) -> None:
        self.obj, self.names, self.parents, self.offsets, self.scale = obj, names, parents, np.array(offsets), scale
        self.rest = [AXES.T @ np.array(obj.data.bones[name].matrix_local.to_3x3()) for name in names]

    def written(self, values: np.ndarray, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Positions (T, B, 3) and rotations (T, B, 3, 3) in the world: straight from frame to frame, number by number."""
        rows = np.stack([np.interp(times, np.arange(len(values)), column) for column in values.T], axis=1)
        positions, rotations = np.zeros((len(times), len(self.names), 3)), np.zeros((len(times), len(self.names), 3, 3))
        for time, row in enumerate(rows):
            for bone, parent in enumerate(self.parents):
                x, y, z = row[3 + 3 * bone : 6 + 3 * bone]
                own = _about(1, y) @ _about(2, z) @ _about(0, x)
                if parent < 0:
                    positions[time, bone], rotations[time, bone] = row[:3], own
                else:
                    positions[time, bone] = positions[time, parent] + rotations[time, parent] @ self.offsets[bone]
                    rotations[time, bone] = rotations[time, parent] @ own
        return positions, rotations

    def shown(self, frames: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        positions, rotations = [], []
        for frame in frames.tolist():
            whole = int(np.floor(frame + 1e-6))
            bpy.context.scene.frame_set(whole, subframe=max(0.0, frame - whole))
            posed = self.obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
            world = [np.array(posed.matrix_world @ posed.pose.bones[name].matrix) for name in self.names]
            positions.append([one[:3, 3] @ AXES / self.scale for one in world])
            axes = [one[:3, :3] / np.linalg.norm(one[:3, :3], axis=0) for one in world]
            rotations.append([AXES.T @ one @ rest.T for one, rest in zip(axes, self.rest, strict=True)])
        return np.array(positions), np.array(rotations)

    def apart(self, one: tuple[np.ndarray, np.ndarray], other: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """(T, B) degrees, against the parent and in the world, the smaller of the two; (T,) the distance of the root."""
        angles = []
        for first, second in ((one[1], other[1]), (self._local(one[1]), self._local(other[1]))):
            chord = np.linalg.norm(first - second, axis=(-2, -1)) / np.sqrt(8)
            angles.append(np.degrees(2 * np.arcsin(chord.clip(0, 1))))
        return np.minimum(*angles), np.linalg.norm(one[0][:, 0] - other[0][:, 0], axis=1)

    def _local(self, rotations: np.ndarray) -> np.ndarray:
        own = rotations.copy()
        for bone, parent in enumerate(self.parents):
            if parent >= 0:
                own[:, bone] = rotations[:, parent].swapaxes(-1, -2) @ rotations[:, bone]
        return own
