"""What an import would show of the file that an export would write."""

from __future__ import annotations

import bpy
import numpy as np

from ...core.motion.clip import Clip
from ...core.motion.comparison import Bones, Steps
from ...core.motion.curves import Block
from ...core.motion.modes import modes_of
from ...core.oni2.files.anim import Anim
from ...core.oni2.files.header import Header
from ...core.oni2.game import ExportOptions
from ...core.oni2.motion import motion
from ...core.reporting import log
from ..blender import source_data
from ..pipeline.changes import Foreign, Replayed
from . import figure, pack

STEPS = Steps(rotation=1e-4, translation=1e-4, path=1e-4)
"""All numbers are floats."""


def blocks(context: bpy.types.Context, obj: bpy.types.Object, action: bpy.types.Action) -> list[Block]:
    """The curves of an action as they would come back. Raises RetroAnimError when the game cannot hold the action."""
    read = figure.read(obj)
    data = pack.pack_action(context, obj, action, ExportOptions(), read)
    return motion.blocks_of(Anim.again(data), pack.conversion_of(context, read, action))


def came(
    context: bpy.types.Context, known: figure.Figure, action: bpy.types.Action, options: ExportOptions
) -> tuple[bytes, motion.Conversion, Clip] | None:
    """An action of an armature as its animation has it, where none of its properties was edited: the file, and its motion."""
    data = source_data.kept(action)
    original = pack.original_of(action)
    if original is None or data is None:
        return None
    conversion = pack.conversion_of(context, known, action)
    then = pack.conversion_before(conversion, action, original)
    if then.skel is not conversion.skel or then.scale != conversion.scale:
        return None
    if pack.header_of(action, original, options) != Header.of(original):
        return None
    return data, conversion, motion.clip_of(original, conversion, action.name)


def replayed(context: bpy.types.Context, known: figure.Figure, action: bpy.types.Action, data: bytes, options: ExportOptions) -> Replayed:
    """The clip as it would come back."""
    with log.collect():  # what is odd was said when the action was packed
        conversion = pack.conversion_of(context, known, action)

    def before() -> list[Block] | None:
        original = pack.original_of(action)
        return None if original is None else motion.blocks_of(original, conversion)

    modes = modes_of(known.rig)
    anim = Anim.again(data)
    loop = (conversion.timing.frame(0.0), conversion.timing.frame(float(len(anim.table)))) if anim.loops and len(anim.table) > 1 else None
    # What is played once is looked at up to its end, also where the file ends before.
    count = (
        len(anim.table) if loop else max(len(anim.table), round(float(conversion.timing.times(np.array([action.frame_range[1]]))[0])) + 1)
    )
    every = np.arange(float(min(count, 2 * len(anim.table)) + (loop is not None)))  # and the pose to which a loop goes back
    frames = conversion.timing.frames(every) if options.looks else None
    blocks = motion.blocks_of(anim, conversion)
    held = {(channel.bone, channel.property) for block in blocks for channel in block.channels}

    def unheld(bone: str) -> list[str]:
        return [part for part in ("location", "scale") if (bone, part) not in held]

    return Replayed(known.obj, action, blocks, modes, known.scale, STEPS, before, loop, frames, unheld=unheld)


def of_other(context: bpy.types.Context, obj: bpy.types.Object, action: bpy.types.Action, data: bytes, options: ExportOptions) -> Replayed:
    """The clip of an armature that did not come from the game, on the skeleton that it would be."""
    with log.collect():  # what is odd was said when the action was packed
        other = pack.other_of(context, obj, action, options)
    rig, conversion, anim = other.conversion.rig, other.conversion, Anim.again(data)
    parents, count = np.asarray(rig.skeleton.parents, np.int64), len(other.names)
    bones = Bones(tuple(other.names), parents, rig.rest_matrices(1.0), np.ones(count, np.bool_))
    frames = conversion.timing.frames(np.arange(float(len(anim.table))))
    modes = dict(zip(other.names, rig.modes, strict=True))
    blocks, stand = motion.blocks_of(anim, conversion), Foreign(bones, np.eye(3))
    return Replayed(obj, action, blocks, modes, 1.0, STEPS, frames=frames, foreign=stand)
