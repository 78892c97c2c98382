"""Clips of four games by their formats' descriptions alone: bytes -> when the poses are, how the figure goes, and the poses themselves.
Shares no code with the package."""

from __future__ import annotations

import struct
from dataclasses import dataclass

import numpy as np

from .oni import oni_shown


@dataclass(frozen=True, eq=False)
class GameClip:
    """times: (F,) in the game's units. path: (F, 2) over the ground, sideways and ahead in the game's own axes. poses: (F, N) numbers of
    which each pose consists, without the path. loop: of a format that says so, else None. rate: units a second."""

    times: np.ndarray
    path: np.ndarray
    poses: np.ndarray
    rate: float
    loop: int | None = None


def lba(data: bytes, rate: float) -> GameClip:
    """An ANM: steps are in the character's axes, which its heading turns. poses: angles in steps."""
    count, bones, loop, _ = struct.unpack_from("<4H", data)
    assert len(data) == 8 + count * (8 + 8 * bones)
    times, path, poses = [], [np.zeros(2)], []
    time, heading, steps = 0, 0, 1024 if rate == 50 else 4096
    for frame in range(count):
        at = 8 + frame * (8 + 8 * bones)
        duration, x, _, z = struct.unpack_from("<H3h", data, at)
        numbers = np.frombuffer(data, "<i2", 4 * bones, at + 8).reshape(bones, 4)
        if frame:
            time += duration
            heading += int(numbers[0, 2])
            angle = heading * 2 * np.pi / steps
            path.append(path[-1] + [x * np.cos(angle) + z * np.sin(angle), z * np.cos(angle) - x * np.sin(angle)])
        times.append(time)
        poses.append(numbers[1:].ravel().astype(float))
    return GameClip(np.array(times), np.array(path), np.array(poses), rate, loop)


def lba_joints(clip: GameClip, time: float, heads: np.ndarray, parents: list[int]) -> np.ndarray:
    """(B, 3) joints of a figure at a time, with the path ahead and sideways; angles by the shorter way from keyframe to keyframe.

    heads: (B, 3) at rest, in the game's axes."""
    circle = 1024 if clip.rate == 50 else 4096
    after = int(np.searchsorted(clip.times, time).clip(1, len(clip.times) - 1))
    share = (time - clip.times[after - 1]) / (clip.times[after] - clip.times[after - 1])
    one, other = clip.poses[after - 1].reshape(-1, 4), clip.poses[after].reshape(-1, 4)
    joints, rotations = [np.array(heads[0], float)], [np.eye(3)]
    for bone, parent in enumerate(parents[1:], 1):
        kind, steps = other[bone - 1, 0], other[bone - 1, 1:] - one[bone - 1, 1:]
        if kind == 0:
            steps = (steps + circle / 2) % circle - circle / 2
        values = one[bone - 1, 1:] + share * steps
        own = np.eye(3)
        for axis in (0, 2, 1) if kind == 0 else ():
            angle = values[axis] * 2 * np.pi / circle
            c, s = np.cos(angle), np.sin(angle)
            about = {0: [[1, 0, 0], [0, c, -s], [0, s, c]], 1: [[c, 0, s], [0, 1, 0], [-s, 0, c]], 2: [[c, -s, 0], [s, c, 0], [0, 0, 1]]}[
                axis
            ]
            own = own @ np.array(about)
        at = joints[parent] + rotations[parent] @ (heads[bone] - heads[parent])
        rotations.append(rotations[parent] @ own)
        joints.append(at + (rotations[-1] @ values if kind else 0))
    path = clip.path[after - 1] + share * (clip.path[after] - clip.path[after - 1])
    return np.array(joints) + np.array([path[0], 0, path[1]])


def oni(data: bytes) -> GameClip:
    """A TRAM: one frame more on the path than there are poses. poses: quaternions of all bones."""
    tram = oni_shown.Tram(data)
    every = np.arange(tram.frames)
    poses = [np.concatenate([oni_shown.between(*track, float(frame), True) for track in tram.tracks[1:]]) for frame in every]
    velocities = np.zeros((tram.frames, 2)) if tram.velocities is None else tram.velocities
    path = np.concatenate([np.zeros((1, 2)), np.cumsum(velocities, axis=0)])
    return GameClip(np.arange(tram.frames + 1), path, np.array(poses), 60.0)


def oni2(data: bytes) -> GameClip:
    """An ANI1 whose first three channels are the root's translation. loop: bit 0 of its flags."""
    magic, flags, frames, channels = struct.unpack_from("<4s3I", data)
    assert magic == b"ANI1"
    width = channels + (3 if flags >> 31 else 0)
    assert len(data) == 28 + 4 * frames * width
    table = np.frombuffer(data, "<f4", frames * width, 28).reshape(frames, width).astype(float)
    stride = struct.unpack_from("<3f", data, 16)
    path = np.concatenate([table[:, [0, 2]] - table[0, [0, 2]], [[stride[0], stride[2]]]])
    return GameClip(np.arange(frames + 1), path, table[:, 6:channels], 30.0, flags & 1)


def lab(data: bytes, start: int = 0) -> GameClip:
    """Frames of a .lab of quaternions from `start` on. path: of the second bone, the pelvis. poses: quaternions of all below it."""
    version, bones, frames, dummies, kind = struct.unpack_from("<5I", data)
    assert (version, kind) in ((0x1005, 3), (0x1004, 3))
    keys = np.frombuffer(data, "<f4", -1, 20 + bones * 136 + dummies * 72).reshape(bones, 7 * frames).astype(float)
    positions = keys[:, : 3 * frames].reshape(bones, frames, 3)[:, start:]
    quaternions = keys[:, 3 * frames :].reshape(bones, frames, 4)[:, start:]
    pelvis = np.array([positions[0, frame] + _rotated(quaternions[0, frame], positions[1, frame]) for frame in range(frames - start)])
    poses = quaternions[2:].swapaxes(0, 1).reshape(frames - start, -1)
    return GameClip(np.arange(frames - start), pelvis[:, :2], poses, 30.0)


def _rotated(key: np.ndarray, point: np.ndarray) -> np.ndarray:
    """A point by x, y, z, w."""
    axis, w = key[:3], key[3]
    return point + 2 * w * np.cross(axis, point) + 2 * np.cross(axis, np.cross(axis, point))
