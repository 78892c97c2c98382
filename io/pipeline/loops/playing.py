"""Playback as the games play a clip: what comes before its loop once, then the loop again and again."""

from __future__ import annotations

from dataclasses import dataclass

import bpy

from ....core.motion.curves import LAST_FRAME
from ...blender import compat, identity

FOLLOWS = "retro_anim_follows"
"""Custom property of a scene: whether its preview range goes with the active action."""


@dataclass(frozen=True)
class Played:
    """Frames of the scene. first: where playback starts. start, end: what is repeated, both shown."""

    first: int
    start: int
    end: int


def played(action: bpy.types.Action) -> Played:
    """The whole clip, or its loop without the closing key, which shows the loop's first pose again; a clip whose intro lies before its loop
    starts there."""
    start, end = (_on_time_line(frame) for frame in action.frame_range)
    keyed = _on_time_line(action.curve_frame_range[0]) if _has_curves(action) else start
    return Played(min(keyed, start), start, max(start, end - (1 if action.use_cyclic else 0)))


def _on_time_line(frame: float) -> int:
    """The nearest frame that Blender's time line has, also to one that is no number."""
    return round(max(-LAST_FRAME, min(LAST_FRAME, frame)))


def show(scene: bpy.types.Scene, action: bpy.types.Action) -> Played:
    """Make the preview range what is repeated, and go to where the clip starts: from before its preview range Blender plays into it, and
    repeats only that."""
    frames = _repeat(scene, action)
    scene.frame_set(frames.first)
    return frames


def _repeat(scene: bpy.types.Scene, action: bpy.types.Action) -> Played:
    frames = played(action)
    scene.use_preview_range = True
    # Each of the two moves the other where they would cross.
    scene.frame_preview_start, scene.frame_preview_end = frames.start, frames.end
    scene.frame_preview_start = frames.start
    return frames


def _has_curves(action: bpy.types.Action) -> bool:
    start, end = action.curve_frame_range
    return end > start


def follow(scene: bpy.types.Scene, action: bpy.types.Action, stay: bool = False) -> None:
    """As `show`, where the scene follows, a clip of a game or one that was retargeted; playback goes on with its beginning. One without
    keys has nothing to repeat.

    stay: at the frame that somebody chose."""
    if not scene.get(FOLLOWS) or not (identity.GAME in action or identity.RETARGETED in action):
        return
    if not next(iter(compat.all_curves(action)), None):
        scene.use_preview_range = False
    else:
        (_repeat if stay else show)(scene, action)
