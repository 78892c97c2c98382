"""The curves that an import of the exported file would give."""

from __future__ import annotations

import bpy

from ...core.motion.curves import Block, Placement, blocks_of
from ...core.stick.motion import clip_of
from ...core.stick.options import ExportOptions
from .pack import pack_action, read_rig, timing_of


def blocks(context: bpy.types.Context, obj: bpy.types.Object, action: bpy.types.Action) -> list[Block]:
    document = pack_action(context, obj, action, ExportOptions()).document
    rig, scale = read_rig(obj)
    return blocks_of(clip_of(document, action.name), rig, timing_of(context, action), scale, "BONE", Placement.origin())
