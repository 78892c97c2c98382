"""The curves that an import of the exported file would give."""

from __future__ import annotations

import bpy

from ...core.motion.blocks import blocks_of
from ...core.motion.comparison import Steps
from ...core.motion.curves import Block, Placement
from ...core.stick.document import Stick
from ...core.stick.game import ExportOptions
from ...core.stick.motion import clip_of
from ..blender import source_data
from ..pipeline.changes import Replayed
from .build import FORMAT
from .pack import Packed, pack_action, read_rig, timing_of


def blocks(context: bpy.types.Context, obj: bpy.types.Object, action: bpy.types.Action) -> list[Block]:
    document = pack_action(context, obj, action, ExportOptions()).document
    return _blocks(context, obj, action, document)


def replayed(context: bpy.types.Context, obj: bpy.types.Object, packed: Packed) -> Replayed:
    """The clip as it would come back."""
    rig, scale = read_rig(obj)
    action = packed.action

    def before() -> list[Block] | None:
        kept = source_data.kept(action) if action.get(source_data.FORMAT) == FORMAT else None
        return _blocks(context, obj, action, Stick.parse(kept)) if kept is not None else None

    blocks = _blocks(context, obj, action, packed.document)
    modes = {"": "ZYX", **dict.fromkeys(rig.skeleton.names, "QUATERNION")}
    return Replayed(obj, action, blocks, modes, scale, Steps(rotation=1e-4, translation=1e-4, path=1e-4), before)


def _blocks(context: bpy.types.Context, obj: bpy.types.Object, action: bpy.types.Action, document: Stick) -> list[Block]:
    rig, scale = read_rig(obj)
    return blocks_of(clip_of(document, action.name), rig, timing_of(context, action), scale, "BONE", Placement.origin())
