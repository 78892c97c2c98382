"""Strips that play the part of a clip that repeats, which Blender gives to one that is made, or pushed down, from a cyclic action."""

from __future__ import annotations

from typing import Any

from .....core.reporting import log
from ....blender import compat
from ....blender.motion.nla import nla
from ...loops import loop_start


def plays_as_it_is(strip: Any) -> bool:
    """Whether a strip plays its action just as it is: all of it, or once round the loop that came with it, to which keyframes lead that are
    the clip's as well. No strip without an action does."""
    if strip.action is None or compat.silenced_by_strips(compat.curves_in(strip.action, nla.strip_slot(strip))):
        return False
    if nla.is_plain(strip):
        return True
    goes_round = nla.is_once(strip) and nla.plays_range(strip) and nla.plays_to_the_end(strip)
    return goes_round and strip.action.use_cyclic and loop_start.is_led_into(strip.action)


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
