"""What an import would show of what an export would write."""

from __future__ import annotations

from dataclasses import replace

import bpy
import numpy as np

from ...core.mindpower.motion import prepared, timeline
from ...core.mindpower.motion.channels import blocks_of
from ...core.motion.curves import Block
from . import actions, figure
from .parts import part_of, template_of


def blocks(context: bpy.types.Context, obj: bpy.types.Object, action: bpy.types.Action) -> list[Block]:
    """The curves of an action alone, without the rest of the file's time line. Raises RetroAnimError for what the game cannot hold."""
    known = figure.read(obj)
    part = part_of(context, known, None, action, "KEYS")
    template = prepared.excerpt(template_of(known), np.zeros(1, np.int64))
    lab = timeline.assemble(template, template, [part], timeline.join([part], 1))
    motion = replace(known, original=lab, imported=known.rig).replay()
    assert motion is not None
    return blocks_of(motion, known.names, 1, lab.frame_count, actions.new_timing(action, context))
