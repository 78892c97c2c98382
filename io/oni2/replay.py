"""What an import would show of the file that an export would write."""

from __future__ import annotations

from dataclasses import replace

import bpy
import numpy as np

from ...core.motion.comparison import Steps
from ...core.motion.curves import Block
from ...core.motion.root_motion import beside_properties
from ...core.oni2.files.anim import Anim
from ...core.oni2.motion import motion
from ...core.oni2.options import ExportOptions
from ...core.reporting import log
from ..blender import fcurves
from ..pipeline.changes import Replayed
from . import figure, pack

STEPS = Steps(rotation=1e-4, translation=1e-4, path=1e-4)
"""All numbers are floats."""


def blocks(context: bpy.types.Context, obj: bpy.types.Object, action: bpy.types.Action) -> list[Block]:
    """The curves of an action as they would come back. Raises RetroAnimError when the game cannot hold the action."""
    read = figure.read(obj)
    data = pack.pack_action(context, obj, action, ExportOptions(), read)
    return motion.blocks_of(Anim.parse(data), pack.conversion_of(context, read, action))


def replayed(context: bpy.types.Context, known: figure.Figure, action: bpy.types.Action, data: bytes, options: ExportOptions) -> Replayed:
    """The clip as it would come back."""
    with log.collect():  # what is odd was said when the action was packed
        conversion = pack.conversion_of(context, known, action)

    def before() -> list[Block] | None:
        original = pack.original_of(action)
        return None if original is None else motion.blocks_of(original, conversion)

    modes = {"": "ZYX", **dict(zip(known.rig.skeleton.names, known.rig.modes, strict=True))}
    anim = Anim.parse(data, beta=True)
    loop = (conversion.timing.frame(0.0), conversion.timing.frame(float(len(anim.table)))) if anim.loops and len(anim.table) > 1 else None
    frames = conversion.timing.frames(np.arange(float(len(anim.table)))) if options.sampling == "VISUAL" else None
    blocks = motion.blocks_of(anim, conversion)
    if conversion.root_motion == "NONE":
        blocks += beside_properties(blocks, fcurves.path_properties(action, known.obj), known.rig, conversion.placement)
    steps = STEPS
    if conversion.root_motion == "NONE" and fcurves.moves_object(action, known.obj):
        steps = replace(steps, path=np.inf)  # what the properties hold goes along with the object, and nobody sees it
    return Replayed(known.obj, action, blocks, modes, known.scale, steps, before, loop, frames)
