"""The closing key: where it stands, and what it says of the keyframe to which the game goes back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...motion.curves import Channel, Curves
from ...motion.rigs.rig import Rig
from ...motion.rotations.angles import wrapped
from ...motion.rotations.rotation_matrix import Floats, from_euler
from ...motion.sampling import MERGE, BoneSamples, key_frames
from ...reporting import log
from ..files.variant import Variant
from .sampled import Sampled, Settings

REFIT = "press Refit Loop"

_ALIKE = 1e-4
"""What the matrices of one rotation may be off that came from numbers of single precision."""


def closing_frame(curves: Curves, generated: Mapping[Channel, Floats], rig: Rig) -> float | None:
    """Where the generated keys stand that close the loop, None without such. generated: of each curve the frames of its generated keys.

    The root's and the object's are nothing else. Of the other bones they are where curves of several end with one: what a change of type
    needs stands in between, or is left of one bone alone."""
    frames = key_frames(curves)
    root = ("", rig.skeleton.names[0])
    sure = [float(when[-1]) for channel, when in generated.items() if channel.bone in root]
    ends: dict[float, set[str]] = {}
    for channel, when in generated.items():
        if channel.bone not in root and channel in curves and when[-1] > curves[channel].frames[-1]:
            ends.setdefault(round(float(when[-1]), 2), set()).add(channel.bone)
    candidates = [*sure, *(frame for frame, bones in ends.items() if len(bones) > 1 or (not sure and len(rig.skeleton) < 3))]
    if not candidates or not len(frames):
        return None
    closing = max(candidates)
    late = frames[frames > closing + MERGE]
    if not len(late):
        return closing
    log.warning(
        f"the key at frame {late[0]:g} stands behind the closing key at frame {closing:g}, with which the loop should end: {REFIT}, or "
        "delete one of them",
        topic="closing",
        frame=float(late[0]),
    )
    return None


def keyed_at(closing: float, curves: Curves, generated: Mapping[Channel, Floats], rig: Rig) -> NDArray[np.bool_]:
    """(B,) the bones that have a key of their own at the closing frame."""
    keys = [*((channel, curve.frames) for channel, curve in curves.items()), *generated.items()]
    posed = {
        channel.bone
        for channel, frames in keys
        if channel.property.startswith(("rotation_", "location")) and (np.abs(frames - closing) < MERGE).any()
    }
    return np.array([name in posed for name in rig.skeleton.names])


def is_closed(last: Sampled, loop: Sampled, game: Variant) -> bool:
    """Whether one frame shows the pose of another, to a step: a copy of the loop's first keyframe at its end is no keyframe."""
    angles, positions = _apart(last.bones, loop.bones, game)
    return not (angles.any() or positions.any())


def closed(sampled: Sampled, before: Sampled | None, loop_frame: int, settings: Settings, rig: Rig) -> Sampled:
    """The keyframe to which the loop goes back, with what was posed at the closing key alone; else it is reported where both differ.

    before: as it came in, with the loop frame of the settings as that keyframe."""
    game, was = settings.game, settings.loop_frame
    closing = sampled.closing
    if closing is None or not 0 <= loop_frame < len(sampled.frames):
        return sampled
    here = _row(sampled.bones, loop_frame)
    angles, positions = _apart(closing.bones, here, game)
    angles[_rotated_alike(closing.bones, here, rig)] = 0
    off: NDArray[np.bool_] = (angles > 0) | (positions > 0)
    off[0] = False
    if not off.any():
        return sampled
    old = None if before is None or was >= len(before.frames) else _row(before.bones, was)
    same = np.zeros(len(off), bool)
    if old is not None:
        rotated_by, moved = _apart(here, old, game)
        same = (rotated_by == 0) & (moved == 0)
    if closing.keyed is not None:
        same &= closing.keyed
    taken, left = off & same, off & ~same
    at, end = f"keyframe {loop_frame} (frame {sampled.frames[loop_frame]:g})", f"frame {closing.frames[0]:g}"
    for bones, written, remedy in (
        (taken, f"the pose of {end}", settings.of_loop or "Refit Loop puts it on both"),
        (left, f"the pose of {at}", settings.of_loop or f"{REFIT}, which puts it on both"),
    ):
        if bones.any():
            size, worst = _size(bones, angles, positions, rig)
            log.warning(
                f"the game loops back to {at}, and the closing key at {end} shows another pose: {size}; written is {written}; {remedy}",
                topic="loop",
                bone=worst,
                frame=float(closing.frames[0]),
            )
    if not taken.any():
        return sampled
    new_angles, new_positions = np.array(sampled.bones.angles), np.array(sampled.bones.positions)
    circle = 2 * np.pi
    difference = closing.bones.angles[0] - here.angles[0]
    new_angles[loop_frame, taken] += (difference - circle * np.rint(difference / circle))[taken]
    new_positions[loop_frame, taken] = closing.bones.positions[0, taken]
    return replace(sampled, bones=BoneSamples(new_angles, new_positions, sampled.bones.sizes))


def _row(bones: BoneSamples, key: int) -> BoneSamples:
    return BoneSamples(*(table[key : key + 1] for table in (bones.angles, bones.positions, bones.sizes)))


def _apart(first: BoneSamples, second: BoneSamples, game: Variant) -> tuple[Floats, Floats]:
    """(B,) by how many degrees and units two poses of one frame differ, 0 where by no more than a step."""
    quantum = 2 * np.pi / game.rotation
    angles = np.abs(wrapped(first.angles[0] - second.angles[0])).max(axis=1)
    positions = np.abs(first.positions[0] - second.positions[0]).max(axis=1)
    return np.degrees(np.where(angles > 1.01 * quantum, angles, 0.0)), np.where(positions > 1.01, positions, 0.0)


def _rotated_alike(first: BoneSamples, second: BoneSamples, rig: Rig) -> NDArray[np.bool_]:
    """(B,) whether two triples of angles are one rotation, by other ways."""
    every = np.arange(len(rig.skeleton))
    triples = [rig.euler_to_basis(every, each.angles)[0] for each in (first, second)]
    one, other = (np.stack([from_euler(angles, mode) for angles, mode in zip(each, rig.modes, strict=True)]) for each in triples)
    return np.asarray(np.abs(one - other).max(axis=(-1, -2)) < _ALIKE)


def _size(bones: NDArray[np.bool_], angles: Floats, positions: Floats, rig: Rig) -> tuple[str, str]:
    """The bone that is off by most, by how much, and how many more there are; and its name alone."""
    rotates = bool((angles * bones).any())
    sizes = (angles if rotates else positions) * bones
    worst, more = int(np.argmax(sizes)), int(bones.sum()) - 1
    others = f", and {more} more bones" if more > 1 else ", and 1 more bone" if more else ""
    name = rig.skeleton.names[worst]
    return f"{name} by {sizes[worst]:.4g} {'degrees' if rotates else 'units'}{others}", name
