"""A clip as curves: the file's own numbers in them, wherever Blender can hold them.

Every bone has the game's axes at rest, so its raw angles are rotation_euler in mode XZY and its raw translations, less the rest place,
its location. Towards the child the same numbers stand on other axes with other signs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .. import curves as shared
from ..clip import Clip, Path
from ..curves import Block, Channel, Placement, RootMotion, Timing
from ..rig import Y_UP, BoneDirection, Convention, Rig
from .anim import RATE, Anim
from .channels import Column, Layout, layout_of
from .reading import Facing, Reading
from .skel import Skel
from .travel import travel_of

Floats = NDArray[np.float64]

CONVENTIONS: dict[Facing, Convention] = {
    "-Z": Convention(Y_UP, ((2, 1, 1), (1, 2, -1), (0, 0, 1))),
    "+Z": Convention(np.diag([-1.0, -1, 1]) @ Y_UP, ((2, 1, 1), (1, 2, 1), (0, 0, -1))),
}
"""Where a character that looks along the game's -Z or +Z looks along Blender's +Y: Ry * Rz * Rx in Blender's axes."""

DELTA = '["root_delta"]'
"""Custom property of the root bone: how far the root goes from each frame to the next, as the file says besides its channels."""

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
    reading: Reading


def rig_of(skel: Skel, facing: Facing, direction: BoneDirection) -> Rig:
    convention = CONVENTIONS[facing]
    skeleton = skel.skeleton()
    if direction == "CHILD":
        return Rig.build(skeleton, convention, direction)
    return Rig.of_rest(skeleton, convention, np.broadcast_to(convention.axes, (len(skeleton), 3, 3)))


def channel_of(column: Column, rig: Rig, reading: Reading) -> tuple[Channel, float]:
    """Where a column's numbers stand in Blender, and with which sign."""
    bone, kind, axis = column
    name = rig.skeleton.names[bone]
    if kind == "rot":
        index = rig.euler_axes[bone].tolist().index(axis)
        return Channel(name, "rotation_euler", index), float(rig.euler_signs[bone, index])
    if kind == "scale" and reading.scale == "IGNORE":
        return Channel(name, SCALE, axis), 1.0
    index = rig.location_axes[bone].tolist().index(axis)
    sign = float(rig.location_signs[bone, index]) if kind == "trans" else 1.0
    return Channel(name, "location" if kind == "trans" else "scale", index), sign


def base_of(column: Column, skel: Skel, reading: Reading) -> float:
    """What a translation's number is at rest."""
    replaced = column.kind == "trans" and reading.offset == "REPLACE"
    return float(skel.bones[column.bone].offset[column.axis]) if replaced else 0.0


def blocks_of(anim: Anim, stage: Stage) -> list[Block]:
    """What the clip looks like in Blender: its channels, the root motion where it is not the root bone's, the deltas, and one key for
    what the skeleton could move but this clip does not, so that nothing of an action before stays."""
    count = len(anim.table)
    closes = anim.loops and count > 1
    times = np.arange(count + closes, dtype=np.float64)
    frames, made = stage.timing.frames(times), times >= count
    moves = has_travel(anim, stage.layout)
    travel = travel_of(anim, stage.layout) if moves else np.zeros((count, 3))
    values = anim.values.astype(np.float64)
    if closes:
        values = np.concatenate([values, _closing(anim, stage.layout)[None]])
        travel = np.concatenate([travel, _onwards(anim, travel)[None]])
    inside = travel if stage.root_motion != "BONE" else np.zeros_like(travel)
    channels: list[Channel] = []
    rows: list[Floats] = []
    for index, column in enumerate(stage.layout.columns):
        channel, sign = channel_of(column, stage.rig, stage.reading)
        row = values[:, index]
        if column.kind == "trans":
            row = (row - base_of(column, stage.skel, stage.reading) - (inside[:, column.axis] if column.bone == 0 else 0)) * stage.scale
        channels.append(channel)
        rows.append(row * sign)
    blocks = [Block(channels, frames.astype(np.float32), np.array(rows, np.float32), made)]
    if moves and stage.root_motion != "BONE":
        path = Clip("", RATE, [], Path(times, travel, np.zeros_like(travel), made), float(count - 1))
        blocks += shared.blocks_of(path, stage.rig, stage.timing, stage.scale, stage.root_motion, stage.placement)
    if anim.deltas is not None:
        names = [Channel(stage.rig.skeleton.names[0], DELTA, axis) for axis in range(3)]
        own = ~made
        blocks.append(Block(names, frames[own].astype(np.float32), np.ascontiguousarray(anim.deltas.T), made[own], stepped=True))
    return [*blocks, *rest_block(stage, set(channels))]


def rest_block(stage: Stage, keyed: set[Channel]) -> list[Block]:
    """One generated key at the start for what the skeleton declares and the clip has not."""
    declared = layout_of(stage.skel, stage.reading.order)
    held = {**declared.held, **stage.layout.held}
    rest = {column: 1.0 if column.kind == "scale" else base_of(column, stage.skel, stage.reading) for column in declared.columns} | held
    found = {channel_of(column, stage.rig, stage.reading): (column, value) for column, value in rest.items()}
    left = [(channel, sign * shown(column, value, stage)) for (channel, sign), (column, value) in found.items() if channel not in keyed]
    if not left:
        return []
    frames = stage.timing.frames(np.zeros(1)).astype(np.float32)
    return [Block([channel for channel, _ in left], frames, np.array([[value] for _, value in left], np.float32), np.ones(1, bool))]


def shown(column: Column, value: float, stage: Stage) -> float:
    """A file's number as Blender's, without the sign of its axis."""
    return (value - base_of(column, stage.skel, stage.reading)) * stage.scale if column.kind == "trans" else value


def has_travel(anim: Anim, layout: Layout) -> bool:
    """Whether the file moves the character at all."""
    return anim.deltas is not None or any(column.bone == 0 and column.kind == "trans" for column in layout.columns)


def _closing(anim: Anim, layout: Layout) -> Floats:
    """(channels,) where the first frame's pose comes again after the last one: angles the short way, the root where its way leads."""
    first, last = anim.values[0].astype(np.float64), anim.values[-1].astype(np.float64)
    out = first.copy()
    for index, column in enumerate(layout.columns):
        if column.kind == "rot":
            out[index] = first[index] + 2 * np.pi * np.round((last[index] - first[index]) / (2 * np.pi))
        elif column.kind == "trans" and column.bone == 0:
            onwards = first[index] + anim.travel[column.axis]
            out[index] = min(first[index], onwards, key=lambda place: abs(place - last[index]))
    return out


def _onwards(anim: Anim, travel: Floats) -> Floats:
    """(3,) the way at the closing key."""
    if anim.deltas is not None:
        return travel[-1] + anim.deltas[-1]
    return np.where(np.abs(anim.travel - travel[-1]) < np.abs(travel[-1]), anim.travel, 0.0)
