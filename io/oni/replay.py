"""What the import would show of what an export of an action would write."""

from __future__ import annotations

import bpy

from ...core.motion.comparison import Steps
from ...core.motion.curves import Block
from ...core.oni.motion import motion
from ...core.oni.motion.object_motion import object_blocks
from ...core.oni.options import ExportOptions
from ...core.oni.posing import animation_of
from ...core.oni.records.oban import Oban
from ...core.oni.records.tram import Tram
from ...core.reporting import log
from ..pipeline.changes import Replayed
from .build import read_rig
from .pack import Packed, object_settings, pack_action, settings_of

STEPS = Steps(rotation=1.5e-4, translation=1e-3, path=1e-3)
"""Angles are 16 bits of a circle, two steps of which the product of three of them may be off; velocities are floats."""


OBJECT_STEPS = Steps(rotation=1e-5, translation=1e-3, path=1e-3)
"""All numbers of an OBAN are floats."""


def blocks(context: bpy.types.Context, obj: bpy.types.Object, action: bpy.types.Action) -> list[Block]:
    """Keys of the bones and the object. obj: an armature. Raises RetroAnimError when the game cannot hold the action."""
    record = pack_action(context, obj, action, ExportOptions()).record
    assert isinstance(record, Tram)  # as of every armature
    rig, scale = read_rig(obj)
    return motion.blocks_of(record, rig, settings_of(context, obj, action, scale))


def replayed(context: bpy.types.Context, obj: bpy.types.Object, packed: Packed) -> Replayed:
    """The clip of an armature, or of an object, as it would come back."""
    record, action = packed.record, packed.action
    original = animation_of(packed.kept) if packed.kept is not None else None
    with log.collect():  # what is odd was said when the action was packed
        if isinstance(record, Oban):
            return _of_object(context, obj, action, record, original if isinstance(original, Oban) else None)
        rig, scale = read_rig(obj)
        settings = settings_of(context, obj, action, scale)

    def before() -> list[Block] | None:
        moving = original if isinstance(original, Tram) and original.rotations is not None else None
        return motion.blocks_of(moving, rig, settings) if moving is not None else None

    modes = {"": "ZYX", **dict.fromkeys(rig.skeleton.names, "QUATERNION")}
    return Replayed(obj, action, motion.blocks_of(record, rig, settings), modes, scale, STEPS, before)


def _of_object(
    context: bpy.types.Context, obj: bpy.types.Object, action: bpy.types.Action, record: Oban, original: Oban | None
) -> Replayed:
    settings = object_settings(context, action, record)

    def before() -> list[Block] | None:
        return None if original is None else object_blocks(original, settings)

    return Replayed(obj, action, object_blocks(record, settings), {"": "QUATERNION"}, settings.scale, OBJECT_STEPS, before)
