"""What Blender shows of an animation, sampled at its keyframes: of what is there now, and of what an import would show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ...motion.blocks import blocks_of
from ...motion.comparison import REST
from ...motion.curves import Channel, Curve, Curves, Placement, RootMotion, Timing, curves_of, rotation_channels
from ...motion.rigs.rig import Rig
from ...motion.root_motion import whole_path
from ...motion.rotations import euler
from ...motion.rotations.rotation_matrix import Floats
from ...motion.sampling import BoneSamples, key_frames, sample_curves, stepped
from ..files.anm import Anm
from ..files.variant import Variant
from .motion import EXTRA, MASTER, UNUSED, clip_of

_ROUNDED = 0.05
"""Game units that a root may be off in the single precision of Blender's poses."""

UNSCALED = 1e-3
"""What a scale may be off 1, and be none."""


@dataclass(frozen=True, eq=False)
class Settings:
    """What the action holds of its file besides the curves.

    bone_count: bones of the animation, which may be more or fewer than the armature's; 0 for as many as the armature.
    first_duration, first_step, first_rotation: of keyframe 0, which no curve shows. loop_frame, word3: None for a new animation's defaults.
    root_is_visible: whether there are faces or lines at the root group's own points. markers: (frame, name) of the action. begins: the
    frame from which a path in properties counts, None from their origin. allowed: game units that everything may be off, by the bound of
    a reduction. of_loop: what to do about its loop, where a strip plays it in another way; "" for what can be done in the action itself.
    fps_before: frames a second of the scene that it came into, None where that counts now.
    """

    game: Variant
    timing: Timing
    scale: float
    root_motion: RootMotion
    placement: Placement = field(default_factory=Placement.origin)
    bone_count: int = 0
    loop_frame: int = 0
    word3: int | None = None
    first_duration: int = 0
    first_step: tuple[int, int, int] = (0, 0, 0)
    first_rotation: tuple[int, int, int] = (0, 0, 0)
    root_is_visible: Callable[[], bool] = lambda: True
    markers: tuple[tuple[int, str], ...] = ()
    begins: float | None = None
    allowed: float = 0.0
    of_loop: str = ""
    fps_before: float | None = None


@dataclass(frozen=True, eq=False)
class Sampled:
    """What Blender shows at K frames. positions, angles: (K, 3) root motion outside the bones' own channels, in game units and radians.

    master, unused: (K, C) keyed properties of the root bone, None where they are not. extra: the same of bones that the armature does not
    have, by their number. translated: bones that have location curves but no rotation curves, so that a key at rest is a translation.
    path_at: root motion as `positions` and `angles` at any frames, for what lies between. closing: the same at the one frame of the key
    that closes the loop, None without one; keyed: of that, which bones have a key there, None for all.
    """

    frames: Floats
    bones: BoneSamples
    positions: Floats
    angles: Floats
    master: NDArray[np.float64] | None
    unused: NDArray[np.float64] | None
    extra: dict[int, Floats]
    translated: NDArray[np.bool_]
    path_at: Callable[[Floats], tuple[Floats, Floats]]
    closing: Sampled | None = None
    keyed: NDArray[np.bool_] | None = None


def sample(curves: Curves, frames: Floats, bones: BoneSamples, rig: Rig, settings: Settings, closing: Sampled | None = None) -> Sampled:
    """Everything that the curves hold at `frames` (K,). bones: sampled by the caller, from the curves or from evaluated poses."""

    def path_at(when: Floats) -> tuple[Floats, Floats]:
        return whole_path(curves, when, rig, settings.scale, settings.root_motion, settings.placement, settings.begins)

    root = rig.skeleton.names[0]
    positions, angles = path_at(frames)
    keyed = {(channel.bone, channel.property.split("_")[0]) for channel in curves}
    translated = np.array([(name, "location") in keyed and (name, "rotation") not in keyed for name in rig.skeleton.names])
    extra: dict[int, Floats] = {}
    for bone in range(len(rig.skeleton), max(settings.bone_count, len(rig.skeleton))):
        values = stepped(curves, root, EXTRA.format(bone), frames, 4)
        if values is not None:
            extra[bone] = values
    return Sampled(
        frames,
        bones,
        positions,
        angles,
        stepped(curves, root, MASTER, frames, 1),
        stepped(curves, root, UNUSED, frames, 3),
        extra,
        translated,
        path_at,
        closing,
    )


def replay(anm: Anm, rig: Rig, settings: Settings) -> Sampled:
    """What the import of `anm` with these settings shows at its keyframes."""
    clip = clip_of(anm, settings.game, "", shown=len(rig.skeleton))
    blocks = blocks_of(clip, rig, settings.timing, settings.scale, settings.root_motion, settings.placement)
    curves = curves_of(blocks)
    frames = settings.timing.frames(anm.times.astype(np.float64)).astype(np.float32).astype(np.float64)
    bones = sample_curves(curves, frames, rig, settings.scale)
    ends = [block.frames[-1:] for block in blocks if clip.loop and block.generated[-1] and not block.generated.all()]
    if not ends:
        return sample(curves, frames, bones, rig, settings)
    last = ends[0].astype(np.float64)
    closing = sample(curves, last, sample_curves(curves, last, rig, settings.scale), rig, settings)
    return sample(curves, frames, bones, rig, settings, closing)


@dataclass(frozen=True, eq=False)
class Before:
    """An animation as it came in. anm: the file. shown: what the import of it shows."""

    anm: Anm
    shown: Sampled

    @classmethod
    def of(cls, anm: Anm, rig: Rig, settings: Settings) -> Before:
        return cls(anm, replay(anm, rig, settings))


def with_moved(curves: Curves, resting: Curves) -> Curves:
    """The curves, and of those that an import made to keep a channel at rest the ones that somebody has moved: Blender leaves a key
    generated when another value is inserted."""
    return curves | {channel: curve for channel, curve in resting.items() if curve.values.any()}


def with_root(curves: Curves, shown: Sequence[tuple[Floats, BoneSamples]], rig: Rig, scale: float) -> Curves:
    """The curves; where more than these moves the root bone, as a control above it or a constraint, with keys of it as it is shown.

    shown: frames (K,) and what is to be seen there, in the order of time."""
    frames, root = np.concatenate([when for when, _ in shown]), np.zeros(1, np.int64)
    positions = np.concatenate([bones.positions[:, :1] for _, bones in shown])
    angles = np.concatenate([bones.angles[:, :1] for _, bones in shown])
    own = sample_curves(curves, frames, rig, scale)
    if np.array_equal(angles, own.angles[:, :1]) and np.abs(positions - own.positions[:, :1]).max() < _ROUNDED:
        return curves
    name, mode = rig.skeleton.names[0], rig.modes[0]
    triples = rig.euler_to_basis(root, angles)
    rows = np.concatenate([euler.continuous(triples, triples[0], mode)[:, 0], rig.location_to_basis(root, positions)[:, 0] * scale], axis=1)
    channels = [*rotation_channels(name, mode), *(Channel(name, "location", axis) for axis in range(3))]
    others = {channel: curve for channel, curve in curves.items() if channel.bone != name or channel.property not in REST}
    keys = frames.astype(np.float32)
    return others | {channel: Curve(keys, row.astype(np.float32)) for channel, row in zip(channels, rows.T, strict=True)}


def keyframes_of(curves: Curves, settings: Settings) -> Floats:
    """(K,) the frames that become keyframes: wherever a curve has a key, or the start frame alone. The game has no scale: keys that leave
    it at 1 ask for nothing."""
    idle = {
        channel for channel, curve in curves.items() if channel.property == "scale" and np.abs(curve.values - 1).max(initial=0) < UNSCALED
    }
    frames = key_frames(curves, curves.keys() - idle)
    return frames if len(frames) else np.array([settings.timing.start])
