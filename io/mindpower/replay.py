"""What the import would show of what an export of an action would write."""

from __future__ import annotations

from dataclasses import replace

import bpy
import numpy as np

from ...core.mindpower.motion import channels, prepared, timeline
from ...core.motion.curves import Block
from . import figure, pack
from .actions import new_timing


def blocks(context: bpy.types.Context, obj: bpy.types.Object, action: bpy.types.Action) -> list[Block]:
    """Keys of the bones, of the action alone, without the rest of the file's time line. Raises RetroAnimError when the game cannot hold
    the action."""
    character = figure.read(obj)
    part = pack.part_of(context, character, None, action, "KEYS")
    template = prepared.excerpt(pack.template_of(character), np.zeros(1, np.int64))
    lab = timeline.assemble(template, template, [part], timeline.join([part], 1))
    motion = replace(character, original=lab, imported=character.rig).replay()
    assert motion is not None
    return channels.blocks_of(motion, character.names, 1, lab.frame_count, new_timing(action, context))
