"""A clip as curves: the file's own numbers in them, wherever Blender can hold them.

Every bone has the game's axes at rest, so its raw angles are rotation_euler in mode XZY and its raw translations, less the rest position,
its location. Towards the child the same numbers stand on other axes with other signs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...motion import blocks
from ...motion.clip import Clip, Path, PropertyTrack, Track, TrackKind
from ...motion.curves import Block, Placement, RootMotion, Timing
from ...motion.rigs.rig import Y_UP, BoneDirection, Convention, Rig
from ..fields import DELTA
from ..files.anim import RATE, Anim
from ..files.interpretation import Facing, Interpretation
from ..files.skeleton.skel import Skel
from ..files.skeleton.skel_bones import KINDS, Kind
from .channels import Layout, layout_of
from .root_motion import travel_of

Floats = NDArray[np.float64]

CONVENTIONS: dict[Facing, Convention] = {
    "-Z": Convention(Y_UP, ((2, 1, 1), (1, 2, -1), (0, 0, 1))),
    "+Z": Convention(np.diag([-1.0, -1, 1]) @ Y_UP, ((2, 1, 1), (1, 2, 1), (0, 0, -1))),
}
"""Where a character that looks along the game's -Z or +Z looks along Blender's +Y: Ry * Rz * Rx in Blender's axes."""

TRACKS: dict[Kind, TrackKind] = {"trans": "translation", "rot": "euler", "scale": "scale"}
"""The kinds of channels as kinds of tracks."""

SCALE = "oni2_scale"
"""Custom property of bones: the numbers of scale channels that are not applied."""


@dataclass(frozen=True)
class Conversion:
    """Between the numbers of an animation and those of Blender. scale: Blender units a metre."""

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


def bases_of(layout: Layout, skel: Skel, interpretation: Interpretation) -> Floats:
    """(C,) what the numbers of each column are at rest: the offset of translations that replace it, else 0."""
    kinds, bones, axes = layout.index
    return np.where(kinds == 0, skel.offsets[bones, axes], 0.0) if interpretation.offset == "REPLACE" else np.zeros(len(layout))


def clip_of(anim: Anim, conversion: Conversion, name: str = "") -> Clip:
    """The animation for this conversion: its channels, the root motion where the root bone does not carry it, the deltas, and one key for
    whatever the skeleton can move but this animation does not, so that nothing of another action stays."""
    layout, count = conversion.layout, len(anim.table)
    closes = anim.loops and count > 1
    times = np.arange(count + closes, dtype=np.float64)
    generated = times >= count
    moves = has_travel(anim, layout)
    travel = travel_of(anim, layout) if moves else np.zeros((count, 3))
    values = anim.values.astype(np.float64)
    if closes:
        values = np.concatenate([values, _closing(anim, layout)[None]])
        travel = np.concatenate([travel, _onwards(anim, travel)[None]])
    path, outside = None, conversion.root_motion != "BONE"
    if outside:
        values = values - np.where(layout.of_root, travel[:, layout.index[2]], 0.0)
        path = Path(times, travel, np.zeros_like(travel), generated) if moves else None
    keyed = _keyed(
        layout, values - bases_of(layout, conversion.skel, conversion.interpretation), times, generated, conversion.interpretation
    )
    resting = _resting(conversion)
    properties = [*keyed.properties, *resting.properties]
    if anim.deltas is not None:
        properties.append(PropertyTrack(DELTA, times[:count], anim.deltas, generated[:count]))
    loop = (0.0, float(count)) if anim.loops else None
    return Clip(name, RATE, [*keyed.tracks, *resting.tracks], path, float(count - 1), loop, properties)


def blocks_of(anim: Anim, conversion: Conversion) -> list[Block]:
    """The curves of one animation in Blender."""
    return blocks.blocks_of(
        clip_of(anim, conversion), conversion.rig, conversion.timing, conversion.scale, conversion.root_motion, conversion.placement
    )


class _Keyed(NamedTuple):
    tracks: list[Track]
    properties: list[PropertyTrack]


def _keyed(layout: Layout, values: Floats, times: Floats, generated: NDArray[np.bool_], interpretation: Interpretation) -> _Keyed:
    """The columns of a layout as tracks, scale that is not applied as properties of the bones. values: (K, columns), translations from
    the rest position."""
    keyed = _Keyed([], [])
    for group in layout.groups:
        parts = values[:, group.columns]
        if group.kind == "scale" and interpretation.scale == "IGNORE":
            keyed.properties.extend(
                PropertyTrack(SCALE, times, parts[:, row], generated, bone, stepped=False, components=group.axes)
                for row, bone in enumerate(group.bones.tolist())
            )
        else:
            keyed.tracks.append(Track(TRACKS[group.kind], group.bones, times, parts, generated, group.axes if len(group.axes) < 3 else ()))
    return keyed


def _resting(conversion: Conversion) -> _Keyed:
    """One generated key at the start for what the skeleton declares and the animation has not."""
    declared = layout_of(conversion.skel, conversion.interpretation.order)
    held = {**declared.held, **conversion.layout.held}
    present = set(conversion.layout.columns)
    left = Layout(tuple(dict.fromkeys(column for column in (*declared.columns, *held) if column not in present)))
    if not len(left):
        return _Keyed([], [])
    rest, (kinds, _, _) = bases_of(left, conversion.skel, conversion.interpretation), left.index
    values = np.array([held.get(column, np.nan) for column in left.columns])
    values = np.where(np.isnan(values), np.where(kinds == KINDS.index("scale"), 1.0, rest), values)
    return _keyed(left, (values - rest)[None], np.zeros(1), np.ones(1, bool), conversion.interpretation)


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
