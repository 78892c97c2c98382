"""What other actions leave behind: channels that a new action does not mean to move, but that stand away from rest where something else
keyed them. They get one key at rest, so that the new action looks the same whatever was shown before."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import bpy
import numpy as np

from ...core.motion.curves import Block, is_rotation, rotation_property
from ...core.motion.rotations.rotation_matrix import Floats
from ...core.retarget.transfer import output
from ..blender import armature, compat
from ..blender.motion import evaluated
from ..blender.paths import data_path
from .target_cache import Known, Moved

Still = dict[tuple[str, str], tuple[float, ...]]
"""By bone and property where the channels are when nothing moves them."""

_AWAY = 1e-6


def moved(obj: bpy.types.Object, bones: Iterable[str], actions: Iterable[Moved], beside: Iterable[str] = ()) -> Still:
    """Those of the bones' channels that stand away from rest, or that one of the actions keys. beside: more bones, of which those are left
    as they are that no action has without scale or shear: nobody knows how they rest."""
    held, wanted = set(bones), {*bones, *beside}
    result: Still = {}
    scales: dict[str, list[Floats]] = {}
    every = list(actions)
    for bone, name in set[tuple[str, str]]().union(*{action.channels for action in every}):  # most actions have the same ones
        if bone in wanted and name in evaluated.REST:
            result[bone, name] = evaluated.REST[name]
    for action in every:
        for bone in action.scales.keys() & wanted:
            scales.setdefault(bone, []).append(action.scales[bone])
    names = [bone.name for bone in armature.pose_bones(obj)]
    for name, values in evaluated.pose_values(obj).items():
        rest = np.array(evaluated.REST[name], np.float32)
        away = np.abs(values - rest).max(axis=1) > _AWAY
        for row in np.flatnonzero(away).tolist():
            if names[row] in wanted:
                mirrored = name == "scale" and bool((values[row] < 0).any())
                result[names[row], name] = tuple(values[row].tolist()) if mirrored else evaluated.REST[name]
    odd = {bone for bone, ranges in scales.items() if bone not in held and np.abs(np.abs(np.stack(ranges)) - 1).max() > 1e-3}
    result = {(bone, name): rest for (bone, name), rest in result.items() if bone not in odd}
    result |= {(bone, "scale"): still for bone, ranges in scales.items() if bone not in odd and (still := _still(ranges)) is not None}
    modes = {bone.name: rotation_property(bone.rotation_mode)[0] for bone in armature.pose_bones(obj)}
    return {(bone, name): rest for (bone, name), rest in result.items() if not is_rotation(name) or name == modes[bone]}


def posed_sizes(obj: bpy.types.Object, still: Still, actions: Iterable[Moved]) -> list[str]:
    """The bones that somebody has scaled without a key, and that get one at rest. still: as `moved` gives it."""
    keyed = {bone for action in actions for bone, name in action.channels if name == "scale"}
    bones = armature.pose_bones(obj)
    at_rest = sorted(bone for (bone, name), rest in still.items() if name == "scale" and min(rest) > 0 and bone not in keyed)
    return [bone for bone in at_rest if np.abs(np.array(bones[bone].scale) - 1).max() > 1e-3]


def settle(
    obj: bpy.types.Object, clips: Sequence[bpy.types.Action], others: Sequence[bpy.types.Action], held: Iterable[str], known: Known
) -> dict[str, set[tuple[str, str]]]:
    """One key at rest in each clip for each channel of the `held` bones that only other clips key, or the others, which stay as they are:
    whichever of them was shown before, it looks the same. Returns these channels by the names of the clips. known: of the armature, brought
    up to date."""
    every = [known.moved(action) for action in (*clips, *others)]
    modes = {bone.name: rotation_property(bone.rotation_mode)[0] for bone in armature.pose_bones(obj)}
    keyed = set[tuple[str, str]]().union(*{own.channels for own in every})
    keyed = {(bone, name) for bone, name in keyed if bone in modes and name in ("location", modes[bone], "scale")}
    result: dict[str, set[tuple[str, str]]] = {}
    bones = set(held)
    for action, own in zip(clips, every, strict=False):
        lacking = keyed - own.channels
        rests = {(bone, name): _rest(bone, name, every) for bone, name in sorted(lacking) if bone in bones}
        if rests:
            _key(obj, action, rests)
            known.add(action, rests)
            result[action.name] = set(rests)
    return result


def _rest(bone: str, name: str, every: list[Moved]) -> tuple[float, ...]:
    """Where a channel is when nothing moves it: a mirrored scale where all have it, else as it is at rest."""
    ranges = [own.scales[bone] for own in every if bone in own.scales] if name == "scale" else []
    still = _still(ranges) if ranges else None
    return still if still is not None and min(still) < 0 else evaluated.REST[name]


def _key(obj: bpy.types.Object, action: bpy.types.Action, rests: Still) -> None:
    curves, first = compat.more_curves(action, obj), action.frame_range[0]
    if curves is None:
        return
    for (bone, name), rest in rests.items():
        for index, value in enumerate(rest):
            curves.new(data_path(bone, name), index, bone).keyframe_points.insert(first, value)


def _still(ranges: list[Floats]) -> tuple[float, ...] | None:
    """The scale that a bone has in all actions, as the mirrored tips of a game's skeleton do; None where it changes. ranges: (3, 2)
    smallest and largest of each action."""
    table = np.stack(ranges)
    return tuple(table[0, :, 0].tolist()) if np.ptp(table, axis=(0, 2)).max() < _AWAY else None


def blocks(result: Still, written: list[Block], frames: Floats) -> list[Block]:
    """One key at rest for each of the channels that is not among those written."""
    has = {(channel.bone, channel.property) for block in written for channel in block.channels}
    return [
        output.block(bone, name, len(rest), frames[:1], np.array([rest]))
        for (bone, name), rest in sorted(result.items())
        if (bone, name) not in has
    ]
