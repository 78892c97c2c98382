"""What of a target keeps its new actions from being seen as they are, though they are right."""

from __future__ import annotations

import bpy

from ..blender import rest


def unseen(obj: bpy.types.Object) -> list[str]:
    """Each with what helps."""
    result: list[str] = []
    if (still := rest.shown(obj)) is not None:
        result.append(f"{obj.name} {still[0]}, and nothing of the new clips: {still[1]} to see them")
    data = obj.animation_data
    if data is None or not data.use_nla:
        return result
    solo = next((track.name for track in data.nla_tracks if track.is_solo), "")
    if solo:
        result.append(f"{solo} plays alone in {obj.name}'s NLA: nothing of the new clips is seen until that track's star is off")
    elif _is_mixed(data):
        result.append(
            f"{obj.name}'s active action is mixed with its NLA: the new clips look otherwise until its Blending is Replace and its "
            "Influence is 1, or the tracks are muted"
        )
    return result


def followed_at_rest(source: bpy.types.Object) -> list[str]:
    """What is not seen of a source, and is followed."""
    still = rest.shown(source)
    return [] if still is None else [f"{source.name} {still[0]}, and is followed as its clips move: {still[1]} to see that"]


def _is_mixed(data: bpy.types.AnimData) -> bool:
    """Whether the active action shows but a part of what it keys."""
    below = any(not track.mute and len(track.strips) for track in data.nla_tracks)
    return below and (data.action_blend_type != "REPLACE" or data.action_influence != 1)
