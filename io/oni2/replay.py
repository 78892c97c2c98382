"""What an import would show of the file that an export would write."""

from __future__ import annotations

import bpy

from ...core.motion.curves import Block
from ...core.oni2.files.anim import Anim
from ...core.oni2.motion import motion
from ...core.oni2.options import ExportOptions
from . import figure, pack


def blocks(context: bpy.types.Context, obj: bpy.types.Object, action: bpy.types.Action) -> list[Block]:
    """The curves of an action as they would come back. Raises RetroAnimError when the game cannot hold the action."""
    read = figure.read(obj)
    data = pack.pack_action(context, obj, action, ExportOptions(), read)
    return motion.blocks_of(Anim.parse(data), pack.conversion_of(context, read, action))
