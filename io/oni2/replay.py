"""What the import would show of what an export of an action would write."""

from __future__ import annotations

import bpy

from ...core.motion.curves import Block
from ...core.oni2.files.anim import Anim
from ...core.oni2.motion import motion
from . import figure
from .pack import ExportOptions, pack_action, stage_of


def blocks(context: bpy.types.Context, obj: bpy.types.Object, action: bpy.types.Action) -> list[Block]:
    """Keys of the bones and the object. Raises RetroAnimError when the game cannot hold the action."""
    character = figure.read(obj)
    data = pack_action(context, obj, action, ExportOptions(path=""), character)
    return motion.blocks_of(Anim.parse(data), stage_of(context, character, action))
