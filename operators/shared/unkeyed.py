"""Poses that a person sees and has not keyed: said of the clips that are written, since no file has them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import bpy

from ...core.reporting import log
from ...core.reporting.labels import counted

if TYPE_CHECKING:
    from ...io.pipeline.changes import Change

Posed = Mapping[str, tuple[str, str]]
"""By the name of the action that plays: the first bone that is posed and not keyed, and what there is to say."""


def of_scene(context: bpy.types.Context) -> Posed:
    """Of the armatures that it shows, as they stand now."""
    from ...io.blender import identity
    from ...io.blender.motion import unkeyed

    frame = context.scene.frame_current_final
    said: dict[str, tuple[str, str]] = {}
    for obj in context.scene.objects:
        action = obj.animation_data.action if obj.type == "ARMATURE" and obj.animation_data else None
        if action is None or identity.game_of(obj) is None or not obj.visible_get():  # what is hidden shows an older frame
            continue
        if bones := unkeyed.posed(obj, frame):
            who = f"{bones[0]} is" if len(bones) == 1 else f"{counted(len(bones), 'bone')} (first: {bones[0]}) are"
            does = "insert a keyframe (I) and write it again, else no file has it and the next frame takes it away"
            said[action.name] = bones[0], f"{who} posed and not keyed at frame {frame:g}: {does}"
    return said


def clips_of(changes: Iterable[Change]) -> Iterator[str]:
    """The names of what was written; of a part between markers, which was an action for the export alone, that of the action that plays."""
    for change in changes:
        obj = bpy.data.objects.get(change.armature)
        playing = None if obj is None or obj.animation_data is None else obj.animation_data.action
        yield change.action if playing is None or change.action in bpy.data.actions else playing.name


def report(posed: Posed, clips: Iterable[str]) -> None:
    """Of these clips. The message leads to no frame: it would be shown anew, without the pose."""
    for clip in dict.fromkeys(clips):
        if clip in posed:
            bone, text = posed[clip]
            with log.about(clip):
                log.warning(text, bone=bone)
