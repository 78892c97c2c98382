"""Custom properties and shape keys of a clip: of an action by its curves, of an NLA as all its strips show them together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any, TypeVar

import bpy
import numpy as np

from ....core.motion.curves import Channel
from ....core.motion.rotations.rotation_matrix import Floats
from ....core.retarget.figures.clip import Clip
from ...blender import armature, compat
from ...blender.motion import evaluated, shape_key_actions
from ...blender.motion.nla import nla
from . import along

_Course = along.Course
_Key = TypeVar("_Key")


def properties_of(
    context: bpy.types.Context, source: bpy.types.Object, action: bpy.types.Action | None, clip: Clip
) -> dict[Channel, _Course]:
    """The custom properties of bones and of the object that an action, without one any strip of the NLA, moves."""
    if action is not None:
        return along.properties_of(action, source, clip)
    channels = {channel for action in _actions(source) for channel, _ in along.property_curves(action, source)}

    def value(posed: bpy.types.Object, channel: Channel) -> float:
        owner: Any = armature.pose_bones(posed)[channel.bone] if channel.bone else posed
        number = owner.path_resolve(channel.property)
        return float(number if isinstance(number, int | float) else number[channel.component])

    there = [channel for channel in channels if not channel.bone or channel.bone in armature.pose_bones(source)]
    return _sampled(context, source, clip, sorted(there), value)


def shape_keys_of(context: bpy.types.Context, source: bpy.types.Object, action: bpy.types.Action | None, clip: Clip) -> dict[str, _Course]:
    """The shape keys of the source's meshes that move with an action, without one by any strip of their own NLA, by their names; the first
    mesh's count."""
    if action is not None:
        return along.shape_keys_of(action, source, clip)
    owners: dict[str, Any] = {}
    for keys in reversed(along.shapes(source)):
        paths = {along.path_of(block.name): block.name for block in keys.key_blocks}
        for action in _actions(keys):
            names = (paths.get(curve.data_path) for curve in shape_key_actions.curves(action, keys) if not compat.is_muted(curve))
            owners |= {name: keys for name in names if name is not None}

    def value(_: bpy.types.Object, name: str) -> float:
        return float(owners[name].evaluated_get(context.evaluated_depsgraph_get()).key_blocks[name].value)

    return _sampled(context, source, clip, sorted(owners), value)


def _actions(owner: Any) -> Iterator[bpy.types.Action]:
    """Those of the strips that play, and the one on top of them."""
    data = owner.animation_data
    if data is not None and data.action is not None:
        yield data.action
    yield from nla.actions_of(owner)


def _sampled(
    context: bpy.types.Context, source: bpy.types.Object, clip: Clip, wanted: list[_Key], value: Callable[[bpy.types.Object, _Key], float]
) -> dict[_Key, _Course]:
    """What Blender shows at the clip's frames."""
    if not wanted:
        return {}
    rows: Floats = np.empty((len(wanted), len(clip.sampled)))
    with ExitStack() as shown:
        for mesh in along.meshes(source):
            shown.enter_context(evaluated.evaluation(context, mesh))
        at = shown.enter_context(evaluated.evaluation(context, source))
        for column, frame in enumerate(clip.sampled.tolist()):
            posed = at(frame)
            rows[:, column] = [value(posed, key) for key in wanted]
    return {key: along.Course(along.closed(row, clip)) for key, row in zip(wanted, rows, strict=True)}
