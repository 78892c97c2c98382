"""What the game stores of a motion beside its keys: how tall and where the character is, and how far its attacks reach.

As OniSplit computes it (Animation.ComputeExtents, AnimationDatWriter.GenerateExtentInfo), from the boxes around each bone's mesh.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import quaternion
from ...motion.rotations.reproducible import arctan2
from ...motion.rotations.rotation_matrix import Floats
from ...reporting import log
from ...reporting.errors import ExportError
from ..records.angles import STEP
from ..records.tram import Tram
from ..records.tram_layout import EXTENT, EXTENT_POINT, NONE, POSITION
from .evaluate import Joints, chain, local_rotations, root_path, rotations_of, summed_path

THROW_TARGET = 0x10000
RING = 36
SECTOR = np.radians(30.0)
"""A corner counts for the sectors that are nearer than this."""

_CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])


@dataclass(frozen=True, eq=False)
class Figure:
    """parents (B,), offsets (B, 3). low, high: (B, 3) the box around each bone's mesh in the bone's axes, None without meshes."""

    parents: NDArray[np.int32]
    offsets: Floats
    low: Floats | None = None
    high: Floats | None = None

    @property
    def boxes(self) -> tuple[Floats, Floats]:
        """The boxes; without meshes the span to each child, which is all that is known."""
        if self.low is not None and self.high is not None:
            return self.low, self.high
        low, high = np.zeros_like(self.offsets), np.zeros_like(self.offsets)
        for bone, parent in enumerate(self.parents.tolist()):
            if parent >= 0:
                low[parent] = np.minimum(low[parent], self.offsets[bone])
                high[parent] = np.maximum(high[parent], self.offsets[bone])
        return low, high


def derive(tram: Tram, figure: Figure, positions: bool = True, extents: bool = True) -> Tram:
    """The record with positions, extents or both of its present motion and attacks. Raises ExportError for what the format cannot hold."""
    if tram.rotations is None or not (positions or extents):
        return tram
    if figure.low is None:
        log.warning("positions and reaches are estimated from the joints, because the body's meshes are missing")
    every = np.arange(tram.frame_count, dtype=np.float64)
    joints = chain(figure.parents, figure.offsets, local_rotations(rotations_of(tram), every), root_path(tram)[:-1])
    if positions:
        tram = replace(tram, positions=_positions(tram, joints, figure))
    return _extents(tram, joints, figure) if extents else tram


def _positions(tram: Tram, joints: Joints, figure: Figure) -> NDArray[Any] | None:
    """One per frame: the root's path, and the spheres around the boxes from the lowest to the highest. Where a record has no heights
    something else moves the character, and its positions mean nothing."""
    if tram.heights is None:
        return None if tram.positions is None else np.zeros(tram.frame_count, POSITION)
    low, high = figure.boxes
    centres = joints.positions + quaternion.rotate(joints.rotations, (low + high) / 2)
    radius = np.linalg.norm(high - low, axis=1) / 2
    bottom, top = (centres[..., 1] - radius).min(axis=1), (centres[..., 1] + radius).max(axis=1)
    ground = _ground_path(tram)
    out = np.zeros(tram.frame_count, POSITION)
    problems: list[str] = []
    for name, values in (("x", ground[:, 0]), ("z", ground[:, 1]), ("height", top - bottom), ("y_offset", bottom)):
        out[name] = _hundredths(values, out.dtype[name], f"position {name.replace('_', ' ')}", problems)
    if problems:
        raise ExportError(problems)
    return out


def _ground_path(tram: Tram) -> NDArray[np.float32]:
    """(frames, 2) the root's x and z, as OniSplit's XML gives them again."""
    return summed_path(tram.velocities, np.zeros(2, np.float32), tram.frame_count)


def _hundredths(values: NDArray[Any], kind: np.dtype[Any], what: str, problems: list[str]) -> NDArray[Any]:
    limits = np.iinfo(kind)
    whole = np.rint(values * values.dtype.type(100))
    wrong = ~((whole >= limits.min) & (whole <= limits.max))
    if wrong.any():
        frame = int(np.argmax(wrong))
        problems.append(f"{what} {values[frame]:.2f} at frame {frame}: {limits.min / 100:g} to {limits.max / 100:g} are possible")
        return np.zeros(len(values), kind)
    return whole.astype(kind)


def _extents(tram: Tram, joints: Joints, figure: Figure) -> Tram:
    """Extents, attack ring and summary; of a record without attacks none."""
    ring, none = np.zeros(RING, np.float32), np.zeros((), EXTENT_POINT)
    none["frame"] = NONE
    empty = replace(
        tram,
        reach=np.float32(0),
        min_y=np.float32(1e9),
        max_y=np.float32(-1e9),
        attack_ring=ring,
        first_extent=none,
        max_extent=none,
        extents=None,
    )
    attacks = tram.attacks
    if attacks is None or not len(attacks):
        return empty
    low, high = figure.boxes
    corners = low[:, None] + (high - low)[:, None] * _CORNERS
    path = root_path(tram)[:-1]
    rows: list[NDArray[Any]] = []
    far = np.zeros(RING)
    for attack in attacks:
        frames = np.arange(int(attack["start"]), min(int(attack["end"]), tram.frame_count - 1) + 1)
        bones = np.flatnonzero((int(attack["bones"]) >> np.arange(len(figure.parents))) & 1)
        if not len(frames):
            continue
        positions, rotations = joints.positions[frames][:, bones, None], joints.rotations[frames][:, bones, None]
        points = (positions + quaternion.rotate(rotations, corners[bones])).reshape(len(frames), -1, 3)
        far = np.maximum(far, _ring(points - path[0]))
        rows.append(_reach(points, path[frames], tram.direction, frames))
    if not rows:
        return empty
    extents = np.concatenate(rows)
    return summary(replace(empty, attack_ring=far.astype(np.float32), extents=extents))


def _ring(points: Floats) -> Floats:
    """(36,) the largest horizontal distance of points (..., 3) around each direction."""
    flat = points.reshape(-1, 3)
    length, angle = np.hypot(flat[:, 0], flat[:, 2]), arctan2(flat[:, 0], flat[:, 2])
    sectors = np.arange(RING) * (2 * np.pi / RING)
    apart = np.abs((angle[:, None] - sectors + np.pi) % (2 * np.pi) - np.pi)
    return np.where(apart < SECTOR, length[:, None], 0.0).max(axis=0, initial=0.0)


def _reach(points: Floats, path: Floats, direction: int, frames: NDArray[np.int64]) -> NDArray[Any]:
    """(F,) of EXTENT: how far points (F, P, 3) reach along the direction of the move, from the root."""
    out = np.zeros(len(frames), EXTENT)
    out["frame"] = frames
    if not points.shape[1]:
        return out
    away = points - path[:, None]
    x, z = away[..., 0], away[..., 2]
    along = {1: z, 2: -z, 3: x, 4: -x}.get(direction, np.hypot(x, z))
    rows, best = np.arange(len(frames)), np.argmax(along, axis=1)
    angle = np.arctan2(x[rows, best], z[rows, best]) % (2 * np.pi)
    problems: list[str] = []
    out["angle"] = np.rint(angle / STEP).astype(np.int64) % 65536
    out["length"] = _hundredths(np.maximum(along[rows, best], 0), out.dtype["length"], "reach of an attack", problems)
    out["min_y"] = _hundredths(points[..., 1].min(axis=1), out.dtype["min_y"], "lowest point of an attack", problems)
    out["max_y"] = _hundredths(points[..., 1].max(axis=1), out.dtype["max_y"], "highest point of an attack", problems)
    if problems:
        raise ExportError(problems)
    return out


def summary(tram: Tram) -> Tram:
    """Reach, heights, the first extent and the one that comes farthest to the front, by the record's ring and extents. Raises ExportError
    for an extent at a frame that the animation does not have."""
    extents = tram.extents
    if extents is None or not len(extents) or tram.attacks is None:
        return tram
    outside = (extents["frame"] < 0) | (extents["frame"] >= tram.frame_count)
    if outside.any():
        index = int(np.argmax(outside))
        raise ExportError(f"extent {index + 1} is at frame {extents['frame'][index]}; the animation ends at {tram.frame_count - 1}")
    path = root_path(tram)[:-1]
    length = extents["length"] / 100.0
    ground = _ground_path(tram)
    farthest = int(np.argmax(length.astype(np.float32) + ground[extents["frame"], 1]))
    points: list[NDArray[Any]] = []
    for index in (0, farthest):
        frame = int(extents["frame"][index])
        attack, offset = _attack_at(tram, frame)
        point = np.zeros((), EXTENT_POINT)
        point["frame"], point["attack"], point["frame_offset"] = frame, attack, min(offset, 255)
        point["x"], point["z"] = ground[frame, 0], -ground[frame, 1]
        point["height"] = path[frame, 1]
        point["length"], point["angle"] = length[index], extents["angle"][index] * STEP
        point["min_y"], point["max_y"] = extents["min_y"][index] / 100.0, extents["max_y"][index] / 100.0
        points.append(point)
    first, largest = points
    if tram.flags & THROW_TARGET:
        largest = tram.max_extent
    return replace(
        tram,
        reach=np.float32(tram.attack_ring.max()),
        min_y=np.float32(extents["min_y"].min() / 100.0),
        max_y=np.float32(extents["max_y"].max() / 100.0),
        first_extent=first,
        max_extent=largest,
    )


def _attack_at(tram: Tram, frame: int) -> tuple[int, int]:
    """The first attack that goes on at a frame, and for how long already."""
    assert tram.attacks is not None
    for index, attack in enumerate(tram.attacks):
        if int(attack["start"]) <= frame <= int(attack["end"]):
            return index, frame - int(attack["start"])
    return 0, 0
