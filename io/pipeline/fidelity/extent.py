"""Where a clip is written longer than somebody would think who looks at its keys, or at the frame range of its action, which begins or ends
elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

import bpy
import numpy as np

from ....core.motion.curves import Block
from ....core.reporting import log
from ....core.reporting.labels import REPEAT
from ...blender import identity
from ...blender.motion.nla import nla, nla_keys
from ..loops import loop_start
from .pair import Pair

_CLOSE = 2.5
"""Frames that an import leaves between the end of a frame range and the last key, which may hold a last velocity alone; and some more."""

_APART = 0.55
"""Frames, of Blender or of the game, by which a frame range begins behind a key, and not at it: the nearest one is where it is cut."""

_PART = "export a part by a strip of the NLA or by Timeline Markers"


def is_late(action: bpy.types.Action, blocks: Sequence[Block], apart: float = _APART) -> bool:
    """Whether the frame range of an action begins behind the first key of a clip (its curves), and not where its loop does, to which keys
    lead that are played once."""
    first = min((float(block.frames[0]) for block in blocks if len(block.frames)), default=np.inf)
    if not (action.use_frame_range and first < action.frame_start - apart):
        return False
    return not loop_start.is_led_into(action, {channel.bone for block in blocks for channel in block.channels})


def is_cut(action: bpy.types.Action, blocks: Sequence[Block]) -> bool:
    """Whether the frame range of an action ends before the last key of a clip (its curves) does."""
    ends = [float(block.frames[-1]) for block in blocks if len(block.frames)]
    return action.use_frame_range and max(ends, default=-np.inf) > action.frame_end + _CLOSE


def is_short(action: bpy.types.Action, blocks: Sequence[Block]) -> bool:
    """Whether the frame range of an action ends behind the last key of a clip (its curves); no matter of one pose, which is as long as
    anybody likes."""
    ends = [float(block.frames[-1]) for block in blocks if len(block.frames) > 1]
    return action.use_frame_range and max(ends, default=np.inf) < action.frame_end - _CLOSE


def is_other(action: bpy.types.Action, blocks: Sequence[Block]) -> bool:
    """Whether the frame range of an action does not go with its curves in any of these ways."""
    return is_late(action, blocks) or is_cut(action, blocks) or is_short(action, blocks)


def report(pair: Pair) -> None:
    """Say where a clip begins before its frame range or goes on behind it, or ends before that, of one that came in where it did not
    before, where the game repeats another part than the range has, and where it stands still before its first key."""
    clip, action = pair.clip, pair.clip.action
    is_fresh, came, by_strip = pair.before is None, clip.before() or (), _plays_all(clip.obj, action)
    keys = [curve.keys[[0, -1], 0].tolist() for channel, curve in pair.curves.items() if pair.is_of_game(channel)]
    shown, last_shown = min((ends[0] for ends in keys), default=-np.inf), max((ends[1] for ends in keys), default=-np.inf)
    written = min((float(keys[0][0]) for keys in pair.written.values()), default=np.inf)
    last = max((float(block.frames[-1]) for block in clip.blocks if len(block.frames)), default=-np.inf)
    apart = _APART * max(1.0, pair.before.fps / (identity.rate_of(clip.obj) or np.inf)) if pair.before is not None else _APART
    late = is_late(action, clip.blocks, apart) and shown < action.frame_start - _APART and not by_strip
    late = late and (not _begins_with_range(pair) if is_fresh else is_late(action, came))
    # To the way back of a loop that was made in Blender no key leads, and one that came in without it is a part of a clip.
    behind = last_shown > action.frame_end + _CLOSE if is_fresh else is_cut(action, came) and not pair.ends_before_its_loop()
    cut = is_cut(action, clip.blocks) and behind and not by_strip
    short = is_short(action, clip.blocks) and (action.use_cyclic or clip.loop is not None)
    ended = is_short(action, clip.blocks) and not (short or is_fresh or is_short(action, came))
    if ended:
        log.warning(
            f"its frame range ends at frame {action.frame_end:g}, and the clip in the file with its last key, at frame {last_shown:g}: put "
            f"a key at frame {action.frame_end:g}, if it is to be as long, or end the range there",
            frame=last_shown,
        )
    if late:
        _report_late(pair, written)
    if cut:
        last = last_shown if is_fresh else last
        log.warning(
            f"its frame range ends at frame {action.frame_end:g}, and all of it is written, up to frame {last:g}: delete the keys behind, "
            f"or {_PART}",
            frame=action.frame_end,
        )
    if short:
        log.warning(
            f"its frame range ends at frame {action.frame_end:g}, and the game goes on with the loop at frame {last:g}: {_of_short(pair)}",
            frame=last,
        )
    if not (late or cut or short or by_strip):
        _report_repeated(pair)
    if not clip.unit and shown > written + 0.5 and not is_fresh:
        log.warning(
            f"its first key is at frame {shown:g}, and it is written from frame {written:g} on, where it came in, and stands still until "
            "then: move all keys back, if it is to begin with them",
            frame=shown,
        )


def _of_short(pair: Pair) -> str:
    """What to do about a frame range that goes on behind the last key."""
    action = pair.clip.action
    longer = f"at frame {action.frame_end:g}, if it is to be as long"
    if nla_keys.REPEATED in action:
        return REPEAT
    if identity.FURTHER in action:  # the range of a further slot is the first one's, too
        return f"put a key of it {longer}"
    if any(each.type == "CYCLES" for channel, curve in pair.curves.items() if pair.counts(channel) for each in curve.curve.modifiers):
        return "bake its curves, which repeat by Cycles modifiers, into keys"
    return f"end the range there, or put a key {longer}" if pair.before is None else "end the range there"


def _begins_with_range(pair: Pair) -> bool:
    """Whether the game repeats a clip from where its frame range begins, or from a keyframe behind."""
    return pair.clip.loop is not None and pair.clip.loop[0] > pair.clip.action.frame_start - _APART


def _report_repeated(pair: Pair) -> None:
    """Say where the game's loop is shorter or longer than the frames that are repeated."""
    clip, action = pair.clip, pair.clip.action
    if clip.loop is None or not (action.use_cyclic and action.use_frame_range):
        return
    begins, more = clip.loop[0], clip.loop[1] - clip.loop[0] - (action.frame_end - action.frame_start)
    if more < -_CLOSE and begins > action.frame_start + _CLOSE:
        item = loop_start.loop_field(action)
        remedy = f", or set {item.label} to the keyframe from which it is to repeat and choose Refit Loop" if item is not None else ""
        log.warning(
            f"its frame range begins at frame {action.frame_start:g}, and the game repeats it from frame {begins:g}: begin the range there"
            f"{remedy}",
            frame=begins,
        )
    if more > _CLOSE and pair.before is None:
        log.warning(
            f"its frame range repeats {action.frame_end - action.frame_start:g} frames, and the game takes {more:g} more to go back to "
            f"frame {begins:g}: choose Refit Loop, which shows these, or let the clip end in the pose in which it begins",
            frame=action.frame_end,
        )


def _report_late(pair: Pair, written: float) -> None:
    clip, action = pair.clip, pair.clip.action
    begins = f"its frame range begins at frame {action.frame_start:g}"
    if clip.loop is not None and (item := loop_start.loop_field(action)) is not None:
        log.warning(
            f"{begins}, and the game plays it from frame {written:g} on and repeats it from frame {clip.loop[0]:g}: set {item.label} to "
            f"the keyframe from which it is to repeat and choose Refit Loop, or delete the keys before, or {_PART}",
            frame=action.frame_start,
        )
        return
    log.warning(
        f"{begins}, and all of it is written, from frame {written:g} on: delete the keys before, or {_PART}",
        frame=action.frame_start,
    )


def _plays_all(obj: bpy.types.Object, action: bpy.types.Action) -> bool:
    """Whether a strip, and not the object by itself, shows an action, and all of it, whatever the frame range of that."""
    data = obj.animation_data
    if data is None or data.action == action:
        return False
    return any(each.strip.action == action and nla.is_plain(each.strip) for each in nla.playing(obj))
