"""The closing key of a loop, put where the file would have it: behind the last key, with the pose to which the game goes back."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.declare.game import Game
from ....core.motion.curves import Block, Channel, is_rotation, straight
from ....core.motion.rotations.angles import wrapped
from ....core.motion.sampling import MERGE
from ....core.reporting.errors import ExportError
from ...blender import armature, compat
from ...blender.arrays import KIND, values_of
from ...blender.motion import fcurves
from .. import modules
from ..changes import Replayed
from .closing import SAME

_MARKER = "loop"


def refit(context: bpy.types.Context, game: Game) -> tuple[bpy.types.Action, float, float]:
    """Closing key, frame range and cyclic flag of the active action as an import of its export would have them; returns the action and the
    frames of the loop frame and of the closing key. Raises ExportError for what the game cannot hold, and for what does not loop."""
    writer = modules.module(game, "write").Writer(context, game.export_options())
    for obj, action in writer.subjects:
        if action is not None:
            clip, loop = _looping(writer, obj, action)
            _fit(clip, loop)
            return action, *loop
    if writer.subjects:
        raise ExportError(f"clips of {game.label} have no closing key: there is nothing to refit")
    raise writer.without_subject()


def _looping(writer: Any, obj: bpy.types.Object, action: bpy.types.Action) -> tuple[Replayed, tuple[float, float]]:
    """The clip as it would come back, and the frames of its loop. In some games an action loops where it is cyclic: whoever wants its loop
    refitted wants that."""
    cyclic, result = action.use_cyclic, None
    try:
        for wanted in (cyclic, True):
            action.use_cyclic = wanted
            for clip in writer.replayed(obj, writer.pack(obj, action)):
                if clip.loop is not None:
                    result = clip, clip.loop
                    return result
    finally:
        if result is None:
            action.use_cyclic = cyclic
    raise ExportError(f"{action.name} does not loop: the keyframe to which it goes back is not one of it")


def _fit(clip: Replayed, loop: tuple[float, float]) -> None:
    root = next((bone.name for bone in armature.bones_of(clip.obj) if bone.parent is None), "") if clip.obj.type == "ARMATURE" else ""
    blocks = {channel: (block, row) for block in clip.blocks for row, channel in enumerate(block.channels) if not block.generated.all()}
    last = max((float(block.frames[~block.generated][-1]) for block, _ in blocks.values()), default=loop[0])
    carried = {channel for channel in blocks if channel.bone in ("", root)}
    angles = [_passed(*blocks[channel], loop) for channel in carried if is_rotation(channel.property)]
    # Where the game goes back to how the character stood, so does a root whose object rotates as well: what is written is of both.
    since = loop[0] if (np.abs(wrapped(np.array(angles))) < SAME).all() else last
    for curve in compat.curves(clip.action, clip.obj):
        channel = fcurves.channel_of(curve)
        if channel is None or (_types(curve) == compat.GENERATED_VALUE).all():
            continue
        block, row = blocks.get(channel, (None, 0))
        if block is None and not (is_rotation(channel.property) or channel.property == "location"):
            continue
        if block is not None and channel.bone not in ("", root):
            _take_pose(curve, channel, block, row, loop[0], clip)
        _clear(curve, last, block)
        if block is None or block.generated[-1]:
            begins = since if channel in carried else loop[0]
            passed = _passed(block, row, (begins, loop[1])) if block is not None and channel in carried else 0.0
            _put(curve, _closing(curve, channel, begins, passed, last), loop[1], compat.GENERATED_KEY)
        curve.update()
    clip.action.use_frame_range = clip.action.use_cyclic = True
    clip.action.frame_start, clip.action.frame_end = loop
    for marker in clip.action.pose_markers:
        if marker.name == _MARKER:
            marker.frame = round(loop[0])


def _take_pose(curve: Any, channel: Channel, block: Block, row: int, frame: float, clip: Replayed) -> None:
    """What was posed at the closing key alone, and is written to the loop frame, there, too."""
    now, index = float(curve.evaluate(frame)), int(np.argmin(np.abs(block.frames - frame)))
    away = float(block.values[row, index]) - now
    rotates = channel.property == "rotation_euler"
    step = clip.steps.rotation if rotates else clip.steps.translation * clip.scale
    away -= 2 * np.pi * round(away / (2 * np.pi)) if rotates else 0.0
    owner = armature.pose_bones(clip.obj).get(channel.bone)
    shown = owner is not None and owner.rotation_mode == clip.modes.get(channel.bone)
    if abs(away) > 1.5 * step and (shown if rotates else channel.property == "location"):
        curve.keyframe_points.insert(frame, now + away, options={"FAST"}).interpolation = "LINEAR"


def _closing(curve: Any, channel: Channel, begins: float, passed: float, last: float) -> float:
    """The value of the closing key: as far on as `passed` from that at `begins`; an angle within half a circle of the last."""
    now, value = float(curve.evaluate(last)), float(curve.evaluate(begins)) + passed
    circles = round((now - value) / (2 * np.pi)) if channel.property == "rotation_euler" and begins != last else 0
    return value + 2 * np.pi * circles


def _passed(block: Block, row: int, ends: tuple[float, float]) -> float:
    """How far a channel comes from one frame to another."""
    first, last = straight(block.frames, block.values[row])(np.array(ends))
    return float(last - first)


def _clear(curve: Any, last: float, block: Block | None) -> None:
    """Without the keys behind the last keyframe, and without generated ones that an import would not make; there it shows what it did."""
    points, now = curve.keyframe_points, float(curve.evaluate(last))
    frames: NDArray[np.float32] = values_of(points, "co", np.float32, 2)[:, 0]
    meant = block.frames[block.generated] if block is not None else frames[:0]
    generated = _types(curve) == compat.GENERATED_VALUE
    strange = generated & (np.abs(frames[:, None] - meant).min(axis=1, initial=np.inf) > MERGE)
    leaves = strange | (frames > last + MERGE)
    for index in np.flatnonzero(leaves)[::-1].tolist():
        points.remove(points[index], fast=True)
    if not (np.abs(frames[~leaves] - last) < MERGE).any():
        _put(curve, now, last, "KEYFRAME")


def _put(curve: Any, value: float, frame: float, kind: str) -> None:
    point = curve.keyframe_points.insert(frame, value, options={"FAST"})
    point.interpolation, point.type = "CONSTANT" if curve.data_path.endswith("]") else "LINEAR", kind


def _types(curve: Any) -> NDArray[np.uint8]:
    return values_of(curve.keyframe_points, "type", KIND)
