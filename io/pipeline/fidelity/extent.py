"""Where a clip is written longer than somebody would think who looks at its keys, or at the frame range of its action."""

from __future__ import annotations

from collections.abc import Sequence

import bpy
import numpy as np

from ....core.motion.curves import Block
from ....core.reporting import log
from ....core.reporting.labels import REPEAT
from ...blender import identity
from ...blender.motion import nla_keys
from .pair import Pair

_CLOSE = 2.5
"""Frames that an import leaves between the end of a frame range and the last key, which may hold a last velocity alone; and some more."""


def is_cut(action: bpy.types.Action, blocks: Sequence[Block]) -> bool:
    """Whether the frame range of an action ends before the last key of a clip (its curves) does."""
    ends = [float(block.frames[-1]) for block in blocks if len(block.frames)]
    return action.use_frame_range and max(ends, default=-np.inf) > action.frame_end + _CLOSE


def is_short(action: bpy.types.Action, blocks: Sequence[Block]) -> bool:
    """Whether the frame range of an action ends behind the last key of a clip (its curves); no matter of one pose, which is as long as
    anybody likes."""
    ends = [float(block.frames[-1]) for block in blocks if len(block.frames) > 1]
    return action.use_frame_range and max(ends, default=np.inf) < action.frame_end - _CLOSE


def report(pair: Pair) -> None:
    """Say where a clip that came in goes on behind its frame range, which ended there before, or is repeated before its end, and where it
    stands still before its first key."""
    clip, action = pair.clip, pair.clip.action
    if pair.before is None:
        return
    if is_cut(action, clip.blocks) and is_cut(action, clip.before() or ()) and not pair.ends_before_its_loop():
        last = max(float(block.frames[-1]) for block in clip.blocks if len(block.frames))
        log.warning(
            f"its frame range ends at frame {action.frame_end:g}, and all of it is written, up to frame {last:g}: delete the keys behind, "
            "or export a part by a strip of the NLA or by Timeline Markers",
            frame=action.frame_end,
        )
    if is_short(action, clip.blocks) and (action.use_cyclic or clip.loop is not None):
        last = max(float(block.frames[-1]) for block in clip.blocks if len(block.frames))
        # The range of a further slot is the first one's, too.
        is_further = identity.FURTHER in action
        remedy = f"put a key of it at frame {action.frame_end:g}, if it is to be as long" if is_further else "end the range there"
        if nla_keys.REPEATED in action:
            remedy = REPEAT
        log.warning(
            f"its frame range ends at frame {action.frame_end:g}, and the game goes on with the loop at frame {last:g}: {remedy}",
            frame=last,
        )
    keys = [float(curve.keys[0, 0]) for channel, curve in pair.curves.items() if pair.counts(channel)]
    shown, written = min(keys, default=-np.inf), min((float(keys[0][0]) for keys in pair.written.values()), default=np.inf)
    if not clip.unit and shown > written + 0.5:
        log.warning(
            f"its first key is at frame {shown:g}, and it is written from frame {written:g} on, where it came in, and stands still until "
            "then: move all keys back, if it is to begin with them",
            frame=shown,
        )
