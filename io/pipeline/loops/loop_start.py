"""The keyframe to which a clip loops, of a game that says which: where the frame range of its action begins, as it came in."""

from __future__ import annotations

from collections.abc import Collection

import bpy

from ....core.declare.fields import Field
from ...blender import identity
from ...blender.motion.nla import nla, nla_keys


def loop_field(clip: bpy.types.Action) -> Field | None:
    """What says to which keyframe a clip of its game loops."""
    game = identity.game_of(clip)
    return next((item for item in game.fields.get("action", ()) if item.name == "loop_frame"), None) if game is not None else None


def is_led_into(action: bpy.types.Action, bones: Collection[str] | None = None) -> bool:
    """Whether the range of an action begins where its loop does, at the keyframe that its field names, behind the first. bones: those whose
    keys are keyframes of the clip, "" for the object; None for all."""
    item, first = loop_field(action), action.frame_range[0]
    number = action.get(item.property, 0) if item is not None else 0
    later = action.curve_frame_range[0] + nla.NEAR < first
    return isinstance(number, int) and number > 0 and later and nla_keys.is_keyframe(action, number, first, bones)
