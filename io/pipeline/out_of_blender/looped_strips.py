"""Strips that play the part of a clip that repeats, which Blender gives to one that is made, or pushed down, from a cyclic action."""

from __future__ import annotations

from typing import Any

import bpy

from ....core.declare.fields import Field
from ....core.reporting import log
from ...blender import identity
from ...blender.motion import nla, nla_keys


def plays_as_it_is(strip: Any) -> bool:
    """Whether a strip plays its action just as it is: all of it, or once round the loop that came with it, to which keyframes lead that are
    the clip's as well. No strip without an action does."""
    if strip.action is None:
        return False
    return nla.is_plain(strip) or (nla.is_once(strip) and nla.plays_range(strip) and nla.plays_to_the_end(strip) and _loops(strip.action))


def report_lead_in(strip: Any) -> None:
    """Say of a strip that plays its action as it is that more is written than it plays."""
    if nla.is_plain(strip):
        return
    action, first = strip.action, strip.action.curve_frame_range[0]
    with log.about(action.name):
        log.warning(
            f"the strip {strip.name} plays only what repeats, from frame {strip.action_frame_start:g} of the action on; what leads to it, "
            f"which the game plays once, is written, too: set Frame Start of its action clip to {first:g} to see it, or switch the "
            "action's Cyclic Animation off to leave it out",
            frame=float(strip.frame_start),
        )


def loop_field(clip: bpy.types.Action) -> Field | None:
    """What says to which keyframe a clip of its game loops."""
    game = identity.game_of(clip)
    return next((item for item in game.fields.get("action", ()) if item.name == "loop_frame"), None) if game is not None else None


def _loops(action: bpy.types.Action) -> bool:
    """Whether the range of an action that came in begins where its loop does, at the keyframe that its field names, behind the first."""
    item, first = loop_field(action), action.frame_range[0]
    number = action.get(item.property, 0) if item is not None else 0
    later = action.curve_frame_range[0] + nla.NEAR < first
    return isinstance(number, int) and number > 0 and action.use_cyclic and later and nla_keys.is_keyframe(action, number, first)
