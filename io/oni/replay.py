"""What the import would show of what an export of an action would write."""

from __future__ import annotations

import bpy

from ...core.motion.curves import Block
from ...core.oni.motion import motion
from ...core.oni.options import ExportOptions
from ...core.oni.records.tram import Tram
from .build import read_rig
from .pack import pack_action, settings_of


def blocks(context: bpy.types.Context, obj: bpy.types.Object, action: bpy.types.Action) -> list[Block]:
    """Keys of the bones and the object. obj: an armature. Raises RetroAnimError when the game cannot hold the action."""
    record = pack_action(context, obj, action, ExportOptions()).record
    assert isinstance(record, Tram)  # as of every armature
    rig, scale = read_rig(obj)
    return motion.blocks_of(record, rig, settings_of(context, obj, action, scale))
