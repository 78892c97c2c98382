"""A clip as curves: the file's own numbers in them, wherever Blender can hold them.

Every bone has the game's axes at rest, so its raw angles are rotation_euler in mode XZY and its raw translations, less the rest position,
its location. Towards the child the same numbers stand on other axes with other signs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ...motion import curves as shared
from ...motion.clip import Clip, Path
from ...motion.curves import Block, Channel, Placement, RootMotion, Timing
from ...motion.rig import Y_UP, BoneDirection, Convention, Rig
from ..files.anim import RATE, Anim
from ..files.interpretation import Facing, Interpretation, ScaleChannels
from ..files.skel import KINDS, Skel
from .channels import Column, Layout, layout_of
from .root_motion import travel_of

Floats = NDArray[np.float64]

CONVENTIONS: dict[Facing, Convention] = {
    "-Z": Convention(Y_UP, ((2, 1, 1), (1, 2, -1), (0, 0, 1))),
    "+Z": Convention(np.diag([-1.0, -1, 1]) @ Y_UP, ((2, 1, 1), (1, 2, 1), (0, 0, -1))),
}
"""Where a character that looks along the game's -Z or +Z looks along Blender's +Y: Ry * Rz * Rx in Blender's axes."""

DELTA = '["root_delta"]'
"""Custom property of the root bone: how far the root goes from each frame to the next, as the file has it besides its channels."""

SCALE = '["oni2_scale"]'
"""Custom property of bones: the numbers of scale channels that are not applied."""


@dataclass(frozen=True)
class Stage:
    """What a clip is played on. scale: Blender units a metre."""

    skel: Skel
    layout: Layout
    rig: Rig
    timing: Timing
    scale: float
    root_motion: RootMotion
    placement: Placement
    interpretation: Interpretation


def rig_of(skel: Skel, facing: Facing, direction: BoneDirection) -> Rig:
    convention = CONVENTIONS[facing]
    skeleton = skel.skeleton()
    if direction == "CHILD":
        return Rig.build(skeleton, convention, direction)
    return Rig.of_rest(skeleton, convention, np.broadcast_to(convention.axes, (len(skeleton), 3, 3)))


@lru_cache(maxsize=16)
def targets_of(columns: tuple[Column, ...], rig: Rig, scale: ScaleChannels) -> tuple[list[Channel], Floats]:
    """Which Blender channel each column drives, and (C,) with which sign. scale: whether scale is applied."""
    channels: list[Channel] = []
    signs = np.ones(len(columns))
    euler, location = rig.euler_axes.tolist(), rig.location_axes.tolist()
    for index, (bone, kind, axis) in enumerate(columns):
        name = rig.skeleton.names[bone]
        if kind == "scale" and scale == "IGNORE":
            channels.append(Channel(name, SCALE, axis))
        elif kind == "rot":
            channels.append(Channel(name, "rotation_euler", euler[bone].index(axis)))
            signs[index] = rig.euler_signs[bone, channels[-1].component]
        else:
            channels.append(Channel(name, "location" if kind == "trans" else "scale", location[bone].index(axis)))
            signs[index] = rig.location_signs[bone, channels[-1].component] if kind == "trans" else 1.0
    return channels, signs


def bases_of(layout: Layout, skel: Skel, interpretation: Interpretation) -> Floats:
    """(C,) what the numbers of each column are at rest: the offset of translations that replace it, else 0."""
    kinds, bones, axes = layout.index
    return np.where(kinds == 0, skel.offsets[bones, axes], 0.0) if interpretation.offset == "REPLACE" else np.zeros(len(layout))


def blocks_of(anim: Anim, stage: Stage) -> list[Block]:
    """The clip in Blender: its channels, the root motion where it is not the root bone's, the deltas, and one key for
    what the skeleton could move but this clip does not, so that nothing of an action before stays."""
    count = len(anim.table)
    closes = anim.loops and count > 1
    times = np.arange(count + closes, dtype=np.float64)
    frames, generated = stage.timing.frames(times), times >= count
    moves = has_travel(anim, stage.layout)
    travel = travel_of(anim, stage.layout) if moves else np.zeros((count, 3))
    values = anim.values.astype(np.float64)
    if closes:
        values = np.concatenate([values, _closing(anim, stage.layout)[None]])
        travel = np.concatenate([travel, _onwards(anim, travel)[None]])
    rest, (kinds, _, axes) = bases_of(stage.layout, stage.skel, stage.interpretation), stage.layout.index
    inside = np.where(stage.layout.of_root, travel[:, axes], 0.0) if stage.root_motion != "BONE" else 0.0
    channels, signs = targets_of(stage.layout.columns, stage.rig, stage.interpretation.scale)
    shown = np.where(kinds == 0, (values - rest - inside) * stage.scale, values) * signs
    blocks = [Block(channels, frames.astype(np.float32), np.ascontiguousarray(shown.T, np.float32), generated)]
    if moves and stage.root_motion != "BONE":
        path = Clip("", RATE, [], Path(times, travel, np.zeros_like(travel), generated), float(count - 1))
        blocks += shared.blocks_of(path, stage.rig, stage.timing, stage.scale, stage.root_motion, stage.placement)
    if anim.deltas is not None:
        names = [Channel(stage.rig.skeleton.names[0], DELTA, axis) for axis in range(3)]
        own = ~generated
        blocks.append(Block(names, frames[own].astype(np.float32), np.ascontiguousarray(anim.deltas.T), generated[own], stepped=True))
    return [*blocks, *rest_block(stage)]


def rest_block(stage: Stage) -> list[Block]:
    """One generated key at the start for what the skeleton declares and the clip has not."""
    declared = layout_of(stage.skel, stage.interpretation.order)
    held = {**declared.held, **stage.layout.held}
    present = set(stage.layout.columns)
    left = Layout(tuple(dict.fromkeys(column for column in (*declared.columns, *held) if column not in present)))
    if not len(left):
        return []
    rest, (kinds, _, _) = bases_of(left, stage.skel, stage.interpretation), left.index
    values = np.array([held.get(column, np.nan) for column in left.columns])
    values = np.where(np.isnan(values), np.where(kinds == KINDS.index("scale"), 1.0, rest), values)
    channels, signs = targets_of(left.columns, stage.rig, stage.interpretation.scale)
    shown = np.where(kinds == 0, (values - rest) * stage.scale, values) * signs
    frames = stage.timing.frames(np.zeros(1)).astype(np.float32)
    return [Block(channels, frames, shown[:, None].astype(np.float32), np.ones(1, bool))]


def has_travel(anim: Anim, layout: Layout) -> bool:
    """Whether the file moves the character at all."""
    return anim.deltas is not None or bool(layout.of_root.any())


def _closing(anim: Anim, layout: Layout) -> Floats:
    """(channels,) where the first frame's pose comes again after the last one: angles by the shorter rotation, the root where its
    motion leads."""
    first: Floats = anim.values[0].astype(np.float64)
    last: Floats = anim.values[-1].astype(np.float64)
    kinds, _, axes = layout.index
    around = first + 2 * np.pi * np.round((last - first) / (2 * np.pi))
    onwards = first + anim.travel[axes]
    root = np.where(np.abs(onwards - last) < np.abs(first - last), onwards, first)
    return np.where(layout.of_root, root, np.where(kinds == KINDS.index("rot"), around, first))


def _onwards(anim: Anim, travel: Floats) -> Floats:
    """(3,) the root motion at the closing key."""
    if anim.deltas is not None:
        return travel[-1] + anim.deltas[-1]
    return np.where(np.abs(anim.travel - travel[-1]) < np.abs(travel[-1]), anim.travel, 0.0)
