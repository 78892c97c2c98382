"""Two plain evaluators: what the game shows of a file's bytes, after the description of its format, and what Blender shows of curves.

Both give a character in the game's axes: of each group a rotation and a position, root motion composed. One number at a time, and nothing
of the code that is tested.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .. import reference
from ..edits import Action

Floats = NDArray[np.float64]
Placed = list[tuple[Floats, Floats]]
"""Of each group its rotation (3, 3) and where it is (3,)."""


@dataclass
class Frame:
    duration: int
    step: tuple[int, ...]
    bones: list[tuple[int, tuple[int, ...]]]


@dataclass
class Film:
    """An ANM as its bytes say. parents, heads: of the body's groups, heads (3,) at rest."""

    game: str
    loop: int
    frames: list[Frame]
    parents: list[int]
    heads: Floats

    @classmethod
    def of(cls, data: bytes, game: str, parents: list[int], heads: Floats) -> Film:
        count, bones, loop, _ = struct.unpack_from("<4H", data)
        frames: list[Frame] = []
        for index in range(count):
            at = 8 + index * (8 + 8 * bones)
            duration, *step = struct.unpack_from("<H3h", data, at)
            rows = [struct.unpack_from("<H3h", data, at + 8 + 8 * bone) for bone in range(bones)]
            frames.append(Frame(duration, tuple(step), [(row[0], row[1:]) for row in rows]))
        return cls(game, loop, frames, parents, heads)

    @property
    def steps(self) -> int:
        return 1024 if self.game == "lba1" else 4096

    def between(self, last: int, new: int, share: float) -> Placed:
        """A part of the way from one keyframe to the one that is approached, root motion of that way not included."""
        bones: list[tuple[int, list[float]]] = []
        for (_, old), (kind, value) in zip(self.frames[last].bones, self.frames[new].bones, strict=True):
            kind = kind & 1 if self.game == "lba2" else kind
            if kind == 0:
                distances = [reference.shorter_angle(first, second, self.steps) for first, second in zip(old, value, strict=True)]
            else:
                distances = [second - first for first, second in zip(old, value, strict=True)]
            bones.append((kind, [first + distance * share for first, distance in zip(old, distances, strict=True)]))
        return self._placed(bones, np.zeros(3), np.eye(3))

    def _placed(self, bones: list[tuple[int, list[float]]], position: Floats, linear: Floats) -> Placed:
        placed: Placed = [(linear, position + linear @ self.heads[0])]
        for group in range(1, len(self.parents)):
            kind, value = bones[group] if group < len(bones) else (0, [0.0, 0.0, 0.0])
            parent, where = placed[self.parents[group]]
            origin = where + parent @ (self.heads[group] - self.heads[self.parents[group]])
            if kind == 0:
                placed.append((parent @ np.array(reference.rotation(*(angle * 2 * math.pi / self.steps for angle in value))), origin))
            else:
                placed.append((parent, origin + parent @ np.array(value)))
        return placed

    def root(self, frame: int, share: float, heading: Floats, position: Floats) -> tuple[Floats, Floats]:
        """Heading (3,) in angle steps, and position, a part of the way to a keyframe."""
        flag, value = self.frames[frame].bones[0]
        if self.game == "lba1":
            rotation = np.array([0.0, value[1], 0])
        else:
            rotation = np.array([(number + 2048) % 4096 - 2048 for number in value], float) * (flag & 1)
        heading = heading + rotation * share
        matrix = np.array(reference.rotation(*(heading * 2 * math.pi / self.steps).tolist()))
        return heading, position + matrix @ (np.array(self.frames[frame].step) * share)

    def shown(self, keyframe: int, share: float) -> Placed:
        """The character a part of the way behind a keyframe, from where keyframe 0 had it; behind the last one on the way back."""
        heading, position = np.zeros(3), np.zeros(3)
        for frame in range(1, keyframe + 1):
            heading, position = self.root(frame, 1.0, heading, position)
        new = keyframe + 1 if keyframe + 1 < len(self.frames) else self.loop
        if share:
            heading, position = self.root(new, share, heading, position)
        matrix = np.array(reference.rotation(*(heading * 2 * math.pi / self.steps).tolist()))
        pose = self.between(keyframe, new if share else keyframe, share)
        return [(matrix @ linear, position + matrix @ where) for linear, where in pose]


def shown(action: Action, frame: float, film: Film) -> Placed:
    """What Blender shows: mode ZYX is a rotation about X, then Y, then Z; x is alpha, y minus gamma, z beta; (x, z, -y) is the game's."""

    def values(bone: str, name: str) -> list[float]:
        lines = [next((line for channel, line in action.lines.items() if channel == (bone, name, axis)), None) for axis in range(3)]
        return [0.0 if line is None or not len(line.frames) else line.at(frame) for line in lines]

    def rotation(bone: str) -> Floats:
        alpha, gamma, beta = values(bone, "rotation_euler")
        return np.array(reference.rotation(alpha, beta, -gamma))

    def moved(bone: str) -> Floats:
        x, y, z = values(bone, "location")
        return np.array([x, z, -y]) / action.settings.scale

    linear, position = rotation(""), moved("")
    placed: Placed = [(linear, position + linear @ film.heads[0])]
    for group in range(1, len(film.parents)):
        name = action.rig.skeleton.names[group]
        parent, where = placed[film.parents[group]]
        origin = where + parent @ (film.heads[group] - film.heads[film.parents[group]])
        placed.append((parent @ rotation(name), origin + parent @ moved(name)))
    return placed


def apart(first: Placed, second: Placed) -> tuple[float, float]:
    """By how many degrees and units two are different, at most."""
    angles = [math.acos(max(-1.0, min(1.0, (float(np.trace(a.T @ b)) - 1) / 2))) for (a, _), (b, _) in zip(first, second, strict=True)]
    return math.degrees(max(angles)), max(float(np.linalg.norm(a - b)) for (_, a), (_, b) in zip(first, second, strict=True))
