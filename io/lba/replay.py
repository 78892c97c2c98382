"""What an import of the exported animation would show: the export replayed."""

from __future__ import annotations

import bpy

from ...core.lba.files.anm import Anm
from ...core.lba.motion.motion import CONVENTION, clip_of
from ...core.lba.options import ExportOptions
from ...core.motion.curves import Block, Timing, blocks_of
from ..blender import actions, armature, scene
from .pack import pack_action


def blocks(context: bpy.types.Context, obj: bpy.types.Object, action: bpy.types.Action) -> list[Block]:
    """The curves that the action would come back with. Raises ExportError for what the game cannot hold."""
    packed = pack_action(context, obj, action, ExportOptions())
    rig, scale = armature.read_rig(obj, CONVENTION)
    clip = clip_of(Anm.parse(packed.data), packed.game, action.name, shown=len(rig.skeleton))
    timing = Timing(packed.game.rate, scene.fps(context.scene), float(action.frame_range[0]))
    return blocks_of(clip, rig, timing, scale, "OBJECT", actions.placement_of(obj))
