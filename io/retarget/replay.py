"""What a game's file would hold of an action, as the import would show it again: the export replayed, whatever game it is."""

from __future__ import annotations

import bpy
import numpy as np

from ...core.lba.files.anm import Anm
from ...core.lba.motion.motion import CONVENTION, clip_of
from ...core.motion import quaternion as quat
from ...core.motion.curves import Block, Channel, Timing
from ...core.motion.curves import blocks_of as clip_blocks
from ...core.motion.rotation_matrix import Floats
from ...core.oni.motion import motion as oni_motion
from ...core.oni.records.tram import Tram
from ...core.oni2.files.anim import Anim
from ...core.oni2.motion import motion as oni2_motion
from ...core.retarget.figures.motion import forward
from ..blender import actions, armature, scene
from ..lba import pack as lba_export
from ..mindpower import replay as mindpower_replay
from ..oni import build
from ..oni import pack as oni_pack
from ..oni2 import figure as oni2_figure
from ..oni2 import pack as oni2_export
from . import read


def losses(context: bpy.types.Context, obj: bpy.types.Object, action: bpy.types.Action, game: str) -> tuple[float, float]:
    """Largest angle in degrees between a bone's own rotation in the action and in the game's file, and largest distance in metres between
    its places in the world, at the action's keys. game: a key of GAMES. Raises RetroAnimError when the game cannot hold the action."""
    blocks = GAMES[game](context, obj, action)
    figure = read.figure_of(obj)
    frames = read.frames_of(action, obj, 1.0, True)
    frames = frames[frames < max(block.frames[-1] for block in blocks) + 0.01]  # keys outside the action's range need not be in the file
    ours, theirs = read.channels_at(action, obj, frames), _values(blocks, frames)
    locals_ = [read.local_of(figure, frames, values) for values in (ours, theirs)]
    rotated = quat.multiply(quat.conjugate(locals_[0].rotations), locals_[1].rotations)
    standing = [read.object_at(obj, frames, ours), read.object_at(obj, frames, theirs, "ZYX")]  # as every import turns objects
    positions = [forward(figure, frames, local, where).positions for local, where in zip(locals_, standing, strict=True)]
    if standing[0] is not None and standing[1] is not None:
        positions[1] = (
            positions[1] + standing[0].positions[0] - standing[1].positions[0]
        )  # where a clip starts in the world is not the file's
    return float(np.degrees(quat.angle(rotated)).max()), float(np.linalg.norm(positions[0] - positions[1], axis=-1).max())


def _values(blocks: list[Block], frames: Floats) -> dict[Channel, Floats]:
    """What curves of these keys say at `frames`."""
    found: dict[Channel, Floats] = {}
    for block in blocks:
        if not block.stepped:
            for channel, row in zip(block.channels, block.values, strict=True):
                found[channel] = np.interp(frames, block.frames.astype(np.float64), row.astype(np.float64))
    return found


def _lba(context: bpy.types.Context, obj: bpy.types.Object, action: bpy.types.Action) -> list[Block]:
    packed = lba_export.pack_action(context, obj, action, lba_export.ExportOptions())
    rig, scale = armature.read_rig(obj, CONVENTION)
    clip = clip_of(Anm.parse(packed.data), packed.game, action.name, shown=len(rig.skeleton))
    timing = Timing(packed.game.rate, scene.fps(context.scene), float(action.frame_range[0]))
    return clip_blocks(clip, rig, timing, scale, "OBJECT", actions.placement_of(obj))


def _oni(context: bpy.types.Context, obj: bpy.types.Object, action: bpy.types.Action) -> list[Block]:
    record = oni_pack.pack_action(context, obj, action, oni_pack.ExportOptions("")).record
    assert isinstance(record, Tram)  # of an armature it is none of an object
    rig, scale = build.read_rig(obj)
    return oni_motion.blocks_of(record, rig, oni_pack.settings_of(context, obj, action, scale))


def _oni2(context: bpy.types.Context, obj: bpy.types.Object, action: bpy.types.Action) -> list[Block]:
    figure = oni2_figure.read(obj)
    data = oni2_export.pack_action(context, obj, action, oni2_export.ExportOptions(""), figure)
    return oni2_motion.blocks_of(Anim.parse(data), oni2_export.stage_of(context, figure, action))


GAMES = {"lba_": _lba, "oni_": _oni, "oni2_": _oni2, "mindpower_": mindpower_replay.blocks}
"""The keys of an action as they would come back from the game's file, by how the custom properties of the game's armatures begin."""
