"""Where Oni's bones are, by the formats' description alone: bytes of a .oni -> joints, and what Blender shows of an armature in the same
terms. Shares no code with the package."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
import numpy as np

AXES = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
"""The game's axes -> Blender's: (x, y, z) -> (x, -z, y)."""

T_POSE = {0: (0, 90, 90), 1: (0, 180, 0), 4: (0, 180, 0), 11: (90, 90, 90), 14: (-90, 0, 0), 15: (-90, -90, 90), 18: (90, 0, 0)}


@dataclass(frozen=True, eq=False)
class Shown:
    """positions (T, B, 3) in the game's axes and units, rotations (T, B, 3, 3) in the world."""

    positions: np.ndarray
    rotations: np.ndarray

    def local(self, parents: np.ndarray) -> np.ndarray:
        """(T, B, 3, 3) against the parent."""
        own = self.rotations.copy()
        for bone, parent in enumerate(parents):
            if parent >= 0:
                own[:, bone] = self.rotations[:, parent].swapaxes(-1, -2) @ self.rotations[:, bone]
        return own


class Tram:
    """A TRAM as its bytes are described: the first instance of a .oni of version 32."""

    def __init__(self, data: bytes) -> None:
        table, raw = struct.unpack_from("<I", data, 0x20)[0], struct.unpack_from("<I", data, 0x30)[0]
        start = table + struct.unpack_from("<I", data, 0x44)[0] - 8
        size, _, _, _, _, bones, frames = struct.unpack_from("<7H", data, start + 0x160)
        self.frames, self.bones = frames, bones
        pointers = dict(zip(range(0x0C, 0x3C, 4), struct.unpack_from("<12I", data, start + 0x0C), strict=True))

        def floats(at: int, count: int) -> np.ndarray | None:
            return np.frombuffer(data, "<f4", count, raw + pointers[at]).astype(float) if pointers[at] else None

        self.heights, moves = floats(0x0C, frames), floats(0x10, 2 * frames)
        self.velocities = None if moves is None else moves.reshape(-1, 2)
        block = raw + pointers[0x34]
        self.tracks = [self._track(data, block + offset, size) for offset in struct.unpack_from(f"<{bones}H", data, block)]

    def _track(self, data: bytes, at: int, size: int) -> tuple[list[int], np.ndarray]:
        times, keys, time = [], [], 0
        while True:
            keys.append(_key(data[at : at + size]))
            times.append(time)
            at += size
            if time == self.frames - 1:
                return times, np.array(keys)
            time += data[at]
            at += 1

    def at(self, times: np.ndarray, offsets: np.ndarray, parents: np.ndarray, rule: str, rest_height: float) -> Shown:
        """Before the first and after the last frame it holds, but for the root's last velocity. rule: nlerp or slerp."""
        path = np.zeros((self.frames + 1, 3))
        if self.velocities is not None:
            path[1:, [0, 2]] = np.cumsum(self.velocities, axis=0)
        heights = np.full(self.frames, rest_height) if self.heights is None else self.heights
        path[:, 1] = np.append(heights, heights[-1])
        root = np.stack([np.interp(times, np.arange(self.frames + 1), path[:, axis]) for axis in range(3)], axis=1)
        positions, rotations = np.zeros((len(times), self.bones, 3)), np.zeros((len(times), self.bones, 3, 3))
        for bone, parent in enumerate(parents):
            track = self.tracks[bone]
            own = np.array([matrix(between(*track, time, rule == "slerp")) for time in times])
            above = np.broadcast_to(np.eye(3), own.shape) if parent < 0 else rotations[:, parent]
            rotations[:, bone] = above @ own
            positions[:, bone] = root if parent < 0 else positions[:, parent] + above @ offsets[bone]
        return Shown(positions, rotations)


def _key(raw: bytes) -> np.ndarray:
    if len(raw) == 16:
        x, y, z, w = struct.unpack("<4f", raw)
        key = np.array([-w, x, y, z])
        return key / np.linalg.norm(key)
    return of_angles(np.array(struct.unpack("<3h", raw)) * 360 / 65535)


def of_angles(degrees: np.ndarray) -> np.ndarray:
    """w, x, y, z of qx * qy * qz."""
    out = np.array([1.0, 0, 0, 0])
    for axis, angle in enumerate(np.radians(degrees) / 2):
        one = np.array([np.cos(angle), 0, 0, 0])
        one[1 + axis] = np.sin(angle)
        (a, b, c, d), (e, f, g, h) = out, one
        out = np.array(
            [a * e - b * f - c * g - d * h, a * f + b * e + c * h - d * g, a * g - b * h + c * e + d * f, a * h + b * g - c * f + d * e]
        )
    return out


def matrix(q: np.ndarray) -> np.ndarray:
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def between(times: list[int], keys: np.ndarray, time: float, slerp: bool) -> np.ndarray:
    """The shorter way from key to key."""
    after = int(np.searchsorted(times, time))
    if after == 0 or after == len(times):
        return keys[0 if after == 0 else -1]
    first, last = keys[after - 1], keys[after]
    share = (time - times[after - 1]) / (times[after] - times[after - 1])
    cosine = float(first @ last)
    if cosine < 0:
        last, cosine = -last, -cosine
    angle = np.arccos(min(cosine, 1.0))
    if slerp and angle > 1e-6:
        return (np.sin((1 - share) * angle) * first + np.sin(share * angle) * last) / np.sin(angle)
    mixed = (1 - share) * first + share * last
    return mixed / np.linalg.norm(mixed)


class Stage:
    """An armature in the T pose: its bones as the game has them, and what Blender shows of it."""

    def __init__(self, obj: Any, scale: float = 0.1) -> None:
        self.obj, self.scale = obj, scale
        bones = sorted(obj.data.bones, key=lambda bone: bone["retro_anim_bone"])
        self.names = [bone.name for bone in bones]
        self.parents = np.array([self.names.index(bone.parent.name) if bone.parent else -1 for bone in bones])
        self.rest = [AXES.T @ np.array(bone.matrix_local.to_3x3()) for bone in bones]
        heads = np.array([bone.head_local for bone in bones]) @ AXES / scale
        self.t_pose: list[np.ndarray] = []
        for bone, parent in enumerate(self.parents):
            own = matrix(of_angles(np.array(T_POSE.get(bone, (0, 0, 0)))))
            self.t_pose.append(own if parent < 0 else self.t_pose[parent] @ own)
        offsets = [self.t_pose[parent].T @ (heads[bone] - heads[parent]) for bone, parent in enumerate(self.parents)]
        self.offsets, self.height = np.array(offsets), float(heads[0, 1])

    def shown(self, frames: np.ndarray) -> Shown:
        positions, rotations = [], []
        for frame in frames.tolist():
            whole = int(np.floor(frame + 1e-6))
            bpy.context.scene.frame_set(whole, subframe=max(0.0, frame - whole))
            posed = self.obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
            world = [np.array(posed.matrix_world @ posed.pose.bones[name].matrix) for name in self.names]
            positions.append([one[:3, 3] @ AXES / self.scale for one in world])
            axes = [one[:3, :3] / np.linalg.norm(one[:3, :3], axis=0) for one in world]
            rotations.append([AXES.T @ one @ rest.T @ pose for one, rest, pose in zip(axes, self.rest, self.t_pose, strict=True)])
        return Shown(np.array(positions), np.array(rotations))

    def apart(self, one: Shown, other: Shown) -> tuple[np.ndarray, np.ndarray]:
        """(T, B) degrees by which the bones are rotated otherwise, against their parents and in the world (the smaller of the two);
        (T,) the distance of the root."""
        angles = [_angle(a, b) for a, b in ((one.local(self.parents), other.local(self.parents)), (one.rotations, other.rotations))]
        return np.minimum(*angles), np.linalg.norm(one.positions[:, 0] - other.positions[:, 0], axis=1)


def _angle(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    between = one.swapaxes(-1, -2) @ other
    vector = np.stack([between[..., i, j] - between[..., j, i] for i, j in ((2, 1), (0, 2), (1, 0))], axis=-1)
    return np.degrees(np.arctan2(np.linalg.norm(vector, axis=-1), np.trace(between, axis1=-2, axis2=-1) - 1))


def pictured() -> tuple[Any, Any]:
    """A new material "skin" that shows a picture of random colours, and its (2, 4, 4) pixels from the lowest row on."""
    data: Any = bpy.data
    image = data.images.new("skin.png", 4, 2)
    pixels = np.random.default_rng(3).integers(0, 256, (2, 4, 4)).astype(np.float32) / 255
    pixels[..., 3] = 1
    image.pixels.foreach_set(pixels.ravel())
    material = data.materials.new("skin")
    if material.node_tree is None:
        material.use_nodes = True
    node = material.node_tree.nodes.new("ShaderNodeTexImage")
    node.image = image
    material.node_tree.links.new(node.outputs["Color"], material.node_tree.nodes["Principled BSDF"].inputs["Base Color"])
    return material, pixels


def body_in_blender(path: Path, **options: Any) -> tuple[Any, Any]:
    """A body, imported: the armature and the first mesh."""
    ops: Any = bpy.ops
    ops.import_anim.oni(filepath=str(path), **options)
    obj: Any = bpy.context.object
    return obj, next((each for each in bpy.data.objects if each.type == "MESH"), None)
