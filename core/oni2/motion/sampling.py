"""What Blender shows of an animation, in the game's own numbers, at the game's own frames."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...motion.blocks import path_from
from ...motion.curves import Channel, Curves, curves_of, path_channels
from ...motion.rigs.rig import Rig
from ...motion.root_motion import object_motion, path_matrix
from ...motion.rotations import rotation_matrix
from ...motion.sampling import MERGE, BoneSamples, frame_of_last, key_frames, sample_curves, sample_poses, stepped
from ...reporting import log
from ...reporting.errors import ExportError, Problem
from ..fields import DELTA
from ..files.anim import Anim
from .euler import continuous
from .motion import SCALE, Conversion, blocks_of

Floats = NDArray[np.float64]

CLOSE = 1e-4
"""Radians, metres or parts by which something may be off its rest and still count as resting there."""

NEAR = 2e-6
"""Of the skeleton's size and its root motion: how far an evaluated pose may be off the keyed one and still be that one. Blender
calculates with 32 bits."""

LONGEST = 100_000
"""Frames of a clip, at most: nearly an hour. Every one of them is written, and looked at."""


@dataclass(frozen=True, eq=False)
class Samples:
    """What Blender shows at K frames. ignored: (K, B, 3) scale numbers that are only kept. path: (K, 3) root motion outside the root
    bone, metres. rotated: whether that rotates. deltas: (K, 3) as keyed, None where they are not. closes: whether the last of them shows
    the first one's pose again, with which the loop goes on: it is no frame of the file. onwards: (3,) the root's step from the last of them
    to the key that closes the loop, metres; None without such. closing: (3,) where the root is at that key, metres; None without such, or
    where something else than curves moves the root."""

    frames: Floats
    bones: BoneSamples
    ignored: Floats
    path: Floats
    rotated: bool
    deltas: Floats | None
    closes: bool = False
    onwards: Floats | None = None
    closing: Floats | None = None

    @property
    def first(self) -> Floats:
        """(3,) where the root is at the first of them, metres."""
        return self.bones.positions[0, 0] + self.path[0]

    @property
    def stride(self) -> Floats | None:
        """(3,) how far the root goes until the loop starts again, metres; None where no key shows it."""
        return None if self.closing is None else self.closing - self.first


def frames_of(curves: Curves, conversion: Conversion, closing: float | None = None) -> Floats:
    """(K,) every frame of the game from the start to the last key of any curve, or the first one behind; of a loop to the one before its
    `closing` key, if that lies behind all others. Raises ExportError for far too many."""
    keyed = key_frames(curves)
    times = conversion.timing.times(keyed[[0, -1]]).tolist() if len(keyed) else [0.0, 0.0]
    if len(keyed) and closing is not None and closing > keyed[-1] + MERGE:
        times[1] = max(round(float(conversion.timing.times(np.array(closing)))) - 1, times[0])
    if not 0 <= times[1] < LONGEST:
        text = f"its last key is at frame {keyed[-1]:g}, which is {times[1]:.0f} frames of the game from its start"
        raise ExportError(Problem(f"{text}: move it to the others", frame=float(keyed[-1])))
    if times[0] < -0.01:
        log.warning(
            f"keys before frame {conversion.timing.start:g}, where the clip starts, are left out: move them behind it",
            frame=float(keyed[0]),
        )
    return conversion.timing.frames(np.arange(frame_of_last(times[1]) + 1, dtype=np.float64))


def sampled(curves: Curves, frames: Floats, conversion: Conversion) -> BoneSamples:
    """What the curves, rotations in the rig's own modes, show at `frames` (K,), in the game's axes."""
    samples = sample_curves(curves, frames, conversion.rig, conversion.scale)
    return BoneSamples(samples.angles, samples.positions, game_sizes(samples.sizes, conversion.rig))


def evaluated(pose: Floats, keyed: BoneSamples, conversion: Conversion) -> BoneSamples:
    """From armature-space pose matrices (K, B, 4, 4). keyed: what the curves show at the same frames; where the pose is just that, its
    numbers are taken."""
    rig = conversion.rig
    posed = sample_poses(pose, rig, conversion.scale, keyed)
    moved = (posed.angles != keyed.angles).any(axis=(0, 2))
    if moved.any():
        angles = continuous(posed.angles[:, moved], keyed.angles[0, moved])
        near = keyed.angles[:, moved]
        posed.angles[:, moved] = np.where(np.abs(angles - near).max(axis=2, keepdims=True) < CLOSE, near, angles)
    reach = float(np.ptp(rig.heads, axis=0).max(initial=0) + np.abs(pose[..., :3, 3]).max(initial=0) / conversion.scale)
    positions = np.where(
        np.abs(posed.positions - keyed.positions).max(axis=2, keepdims=True) <= NEAR * reach, keyed.positions, posed.positions
    )
    sizes = game_sizes(posed.sizes, rig)
    return BoneSamples(posed.angles, positions, np.where(np.abs(sizes - keyed.sizes) < 1e-5 * np.abs(keyed.sizes), keyed.sizes, sizes))


def game_sizes(sizes: Floats, rig: Rig) -> Floats:
    """(K, B, 3) scale along a bone's own axes -> along the game's."""
    out = np.empty_like(sizes)
    np.put_along_axis(out, np.broadcast_to(rig.location_axes[None], sizes.shape), sizes, axis=2)
    return out


def gather(curves: Curves, frames: Floats, bones: BoneSamples, conversion: Conversion, closing: float | None = None) -> Samples:
    """Everything that the curves show at `frames` (K,); `bones` is sampled by the caller, from the curves or from evaluated poses. closing:
    where the key stands that closes the loop, None without such."""
    rig, names = conversion.rig, conversion.rig.skeleton.names
    bones, path, rotated = _led(curves, frames, bones, conversion)
    ignored = np.ones_like(bones.sizes)
    for bone, name in enumerate(names):
        for axis in range(3):
            curve = curves.get(Channel(name, f'["{SCALE}"]', axis))
            if curve is not None:
                ignored[:, bone, axis] = curve.at(frames)
    deltas, onwards, end = stepped(curves, names[0], DELTA, frames, 3), None, None
    if closing is not None:
        ends = np.array([frames[0], frames[-1], closing])
        onwards = np.diff(path_from(curves, ends[1:], rig, conversion.scale, conversion.root_motion, conversion.placement)[0], axis=0)[0]
        keyed, led, _ = _led(curves, ends, sampled(curves, ends, conversion), conversion)
        root, shown = keyed.positions[:, 0] + led, bones.positions[:, 0] + path
        end = root[2] if np.abs(root[:2] - shown[[0, -1]]).max() < CLOSE else None
    return Samples(frames, bones, ignored, path, rotated, deltas, onwards=onwards, closing=end)


def _led(curves: Curves, frames: Floats, bones: BoneSamples, conversion: Conversion) -> tuple[BoneSamples, Floats, bool]:
    """The bones at `frames` (K,) with what the object does on the root; (K, 3) root motion outside that, metres, and whether it rotates."""
    rig, root_motion = conversion.rig, conversion.root_motion
    path, rotated = np.zeros((len(frames), 3)), False
    where, rotation = path_channels(rig, root_motion)
    if root_motion != "BONE" and any(channel in curves for channel in (*where, *rotation)):
        path, angles = path_from(curves, frames, rig, conversion.scale, root_motion, conversion.placement)
        rotated = root_motion == "NONE" and bool((np.abs(angles) > CLOSE).any())
    moved = object_motion(curves, frames, conversion.placement)
    if moved is not None:
        linear, offset = moved
        bones = _on_root(bones, linear, offset if root_motion != "OBJECT" else np.zeros_like(offset), conversion)
    return bones, path, rotated


def _on_root(bones: BoneSamples, linear: Floats, offset: Floats, conversion: Conversion) -> BoneSamples:
    """The bones with what the object does on the root: rotations (K, 3, 3) and translations (K, 3) in the armature's space, Blender's
    units."""
    rig, axes = conversion.rig, conversion.rig.convention.axes
    still = np.abs(linear - np.eye(3)).max() < CLOSE
    if still and not offset.any():
        return bones
    angles, positions, head = bones.angles.copy(), bones.positions.copy(), rig.heads[0]
    if still:
        positions[:, 0] += offset / conversion.scale @ axes
        return BoneSamples(angles, positions, bones.sizes)
    moved = np.einsum("kij,kj->ki", linear, head + positions[:, 0] @ axes.T) + offset / conversion.scale - head
    positions[:, 0] = moved @ axes
    game = axes.T @ linear @ axes @ path_matrix(angles[:, 0], rig)
    basis = rig.rest[0].T @ axes @ game @ axes.T @ rig.rest[0]
    triples = rig.euler_from_basis(np.zeros(1, np.int64), rotation_matrix.to_euler(basis, rig.modes[0])[:, None])
    angles[:, :1] = continuous(triples, angles[0, :1])
    return BoneSamples(angles, positions, bones.sizes)


def replay(anim: Anim, conversion: Conversion) -> Samples:
    """What the import of `anim` for this conversion shows at its frames."""
    curves = curves_of(blocks_of(anim, conversion))
    frames = conversion.timing.frames(np.arange(len(anim.table), dtype=np.float64))
    closing = conversion.timing.frame(float(len(anim.table))) if anim.loops and len(anim.table) > 1 else None
    return gather(curves, frames, sampled(curves, frames, conversion), conversion, closing)
