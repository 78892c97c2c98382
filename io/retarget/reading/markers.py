"""Contacts as pose markers of the source's action, so that a person can see and change them: `leftFoot down`, `leftFoot up`, and so on."""

from __future__ import annotations

from collections.abc import Mapping

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.motion.rotations.rotation_matrix import Floats
from ....core.reporting.errors import RetroAnimError
from ....core.retarget.figures.maps.bone_map import BoneMap
from ....core.retarget.figures.spans import Spans
from ....core.retarget.ground import feet
from ....core.retarget.ground.contacts import runs
from ....core.retarget.options import RetargetOptions
from ....core.retarget.setup import prepare
from ...blender import scene
from ...blender.motion import pose_markers
from . import read
from .source_actions import chosen_actions

LIMBS = ("leftFoot", "rightFoot", "leftHand", "rightHand")
_DOWN, _UP = "down", "up"
_NAMES = {f"{limb} {mark}" for limb in LIMBS for mark in (_DOWN, _UP)}


def marks(action: bpy.types.Action) -> list[tuple[int, str]]:
    """The frame and name of each marker that says where a limb stands, in time."""
    return sorted((marker.frame, marker.name) for marker in action.pose_markers if marker.name in _NAMES)


def contacts(action: bpy.types.Action, frames: Floats) -> dict[str, NDArray[np.bool_]]:
    """By limb (F,) whether it stands, for the limbs that have markers."""
    result: dict[str, NDArray[np.bool_]] = {}
    known = marks(action)
    for limb in LIMBS:
        own = [(frame, name) for frame, name in known if name.startswith(limb)]
        if not own:
            continue
        touching = np.full(len(frames), own[0][1].endswith(_UP))
        for frame, name in own:
            # The frame of "up" is the last that stands.
            touching[frames > frame + 1e-3 if name.endswith(_UP) else frames >= frame - 1e-3] = name.endswith(_DOWN)
        result[limb] = touching
    return result


def mark(action: bpy.types.Action, frames: Floats, result: Mapping[str, NDArray[np.bool_]]) -> int:
    """Write contacts as markers, instead of those of the same limbs that are there, and none of them selected: who moves one would move
    all. Without any contact those that are there stay. Returns the number of new ones."""
    marked: list[tuple[str, int]] = []
    for limb, touching in result.items():
        stands = runs(touching, Spans((len(frames),)))
        marked += [(f"{limb} {_DOWN}", start) for start in stands.starts.tolist()]
        marked += [(f"{limb} {_UP}", stop - 1) for stop in stands.stops.tolist()]
    names = {f"{limb} {kind}" for limb in result for kind in (_DOWN, _UP)}
    replaced = [marker for marker in action.pose_markers if marker.name in names] if marked else []
    for marker in replaced:
        action.pose_markers.remove(marker)
    for name, row in marked:
        pose_markers.add(action, name, float(frames[row]))
    return len(marked)


def mark_contacts(
    context: bpy.types.Context, source: bpy.types.Object, target: bpy.types.Object, bone_map: BoneMap, options: RetargetOptions
) -> tuple[bpy.types.Action, int]:
    """Where feet, and hands on request, stand in the source's present action, as markers of it. Returns the action, and their number.

    Raises RetroAnimError where the action is linked: its markers would be gone with the next opening of the file."""
    (action,) = chosen_actions(source, ())
    if action.library is not None:
        raise RetroAnimError(f"{action.name} is linked from {action.library.filepath}: make it local to mark contacts")
    figure = read.figure_of(source, read.still_world(source, action))
    frames = read.frames_of(action, source, 1.0, at_keys=False)
    motion = read.read_motion(context, source, action, figure, frames)
    setup = prepare(figure, read.figure_of(target), bone_map, options.core, motion=motion)
    limbs = feet.limbs(setup.binding, motion, scene.fps(context.scene), setup.legs, options.core.hands)
    return action, mark(action, frames, {limb.name: limb.touching for limb in limbs})
