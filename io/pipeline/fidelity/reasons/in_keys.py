"""Reasons in the keys why a bone is not written as it is shown: what lies between them, and where they lie."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .....core.motion.comparison import REST
from .....core.motion.curves import PATH_PROPERTY, ROTATION_PROPERTY, Block, Channel, is_rotation
from .....core.motion.rotations.rotation_matrix import Floats
from ....blender import compat
from ....blender.motion import fcurves
from ....blender.motion.fcurves import ShownCurve
from ....blender.motion.nla import nla_keys
from ..pair import Pair
from . import in_rig
from .case import CLOSE, Case, own_frames

ROUNDED = 2e-3
"""Frames that a key may be off by single precision alone."""

_EXACT = 2e-4
"""The same where a rate accounts for it."""

_BEFORE = 0.5
"""Frames from which on a key is one outside of the file, and not one that was rounded to its first or last frame."""

_STRAIGHT = 1e-3
"""Radians by which an object may rotate and lead what it carries in a line."""

_SLOPE = 1e-5
"""By how much a curve that goes on in a line is elsewhere than its first or last key, in its own units: one that is level goes nowhere."""

_MEANT = 1e7
"""Degrees from which on single precision no longer tells where an angle is."""


def modifier(case: Case) -> bool:
    return any(len(curve.curve.modifiers) for _, curve in case.curves)


def skipped(case: Case) -> bool:
    """Between two samples of what is shown, which are further apart than the game's times, where a key lies or a curve bends."""
    clip = case.pair.clip
    own = own_frames(case.pair, case.owners)
    if clip.step <= clip.unit or not len(own) or beyond(case) or (np.abs(own - case.difference.frame) < CLOSE).any():
        return False
    keys = np.concatenate([np.zeros(0), *(curve.keys[:, 0] for _, curve in case.curves)])
    keys = keys[(keys > own[0]) & (keys < own[-1])]
    return modifier(case) or curved(case) or bool((np.abs(keys[:, None] - own).min(axis=1) > 0.5 * clip.unit + CLOSE).any())


def renamed(case: Case) -> str:
    """The name that the bone had before, where its curves have that still, so that they do not move it."""
    keyed = (fcurves.channel_of(curve.curve) for channel, curve in case.curves if channel.bone)
    return next((each.bone for each in keyed if each is not None and each.bone != case.difference.bone), "")


def later(case: Case) -> str:
    """Where its first key is, of a game whose clips begin with that, if it was another frame when the clip came in."""
    came_in = case.pair.clip.unit and case.pair.before is not None
    shown = min((float(curve.keys[0, 0]) for channel, curve in case.pair.curves.items() if channel.property in REST), default=np.inf)
    written = min((float(keys[0][0]) for keys in case.pair.written.values()), default=0.0)
    return f"frame {shown:g}, and not frame {written:g}" if came_in and CLOSE < abs(shown - written) < np.inf else ""


def closing(case: Case) -> bool:
    """Behind the last key of the file: at the key that closes the loop, or on a straight line to it."""
    last, end, loop = _last_own_key(case.pair), case.pair.range()[1], case.pair.clip.loop
    keys = [float(curve.keys[-1, 0]) for channel, curve in case.pair.curves.items() if channel.property in REST]
    if not case.pair.clip.action.use_cyclic or last is None or case.difference.frame <= last + CLOSE:
        return False
    if loop is not None and abs(loop[1] - max([end, *keys])) < min(1, 0.6 * (loop[1] - last)) and off_grid(case):
        return False  # rounded with all the others, by half a frame of the game at most
    return case.difference.frame >= end - CLOSE or not (curved(case) or _is_led_round(case, last, end))


def _is_led_round(case: Case, first: float, last: float) -> bool:
    """Whether it is a root that an object leads in an arc from one frame to another, since that rotates."""
    angles = [curve for channel, curve in case.pair.curves.items() if not channel.bone and is_rotation(channel.property)]
    return case.is_root and any(np.abs(np.diff(curve.at(np.array([first, last])))).max() > _STRAIGHT for curve in angles)


def closing_elsewhere(case: Case) -> str:
    """What puts the end of a loop elsewhere than where it goes back to, as it looks: no key does."""
    if not case.pair.looks or case.owners == ("",) or not closing(case):
        return ""
    mover = in_rig.constraint(case) or ("a driver" if in_rig.driver(case) else "")
    return mover or ("the NLA" if case.pair.evaluated == "the NLA" else "")


def loop_pose(case: Case) -> bool:
    clip = case.pair.clip
    is_refitted = nla_keys.PLAYED not in clip.action  # and no part of a clip
    return is_refitted and clip.loop is not None and abs(case.difference.frame - clip.loop[0]) < CLOSE


def _last_own_key(pair: Pair) -> float | None:
    ends = [float(block.frames[~block.generated][-1]) for block in pair.clip.blocks if (~block.generated).any() and len(block.frames) > 1]
    return max(ends) if ends else None


def half_circle(case: Case) -> str:
    """The rotation between two keys of the file that is more than the game can tell from one the other way. Of where a bone is on its
    parent, and of what it shows at these keys, that is no reason; a root goes in the direction to which it is rotated."""
    for channel, curve in case.curves:
        frames = own_frames(case.pair, (channel.bone,)) if channel.property == "rotation_euler" else np.zeros(0)
        if len(frames) < 2 or not (case.difference.rotated or case.is_root):
            continue
        index = int(np.searchsorted(frames, case.difference.frame).clip(1, len(frames) - 1))
        angle = abs(np.degrees(float(np.diff(curve.at(frames[index - 1 : index + 1]))[0])))
        at_key = not case.is_root and bool((np.abs(frames - case.difference.frame) < CLOSE).any())
        if angle > 180 * (1 + 1e-5) and not (at_key and angle < _MEANT):
            return f"{angle:.4g} degrees between frames {frames[index - 1]:g} and {frames[index]:g}"
    return ""


def _quaternions(case: Case) -> tuple[Floats, Floats]:
    """Frames (K,) and quaternions (K, 4) where the bone, else the object that carries it, has a key of any component; none where it is
    not rotated by all four."""
    for owner in case.owners:
        channels = [Channel(owner, "rotation_quaternion", index) for index in range(4)]
        curves = [case.pair.curves[channel] for channel in channels if channel in case.pair.curves]
        if len(curves) == 4 and not case.pair.different.isdisjoint(channels):
            frames = np.unique(np.concatenate([curve.keys[:, 0] for curve in curves])).astype(np.float64)
            return frames, np.stack([curve.at(frames) for curve in curves], axis=1)
    return np.zeros(0), np.zeros((0, 4))


def opposite(case: Case) -> str:
    """Two quaternions that lead the long way round in Blender."""
    frames, values = _quaternions(case)
    back = np.flatnonzero((values[1:] * values[:-1]).sum(axis=1) < 0)
    if not len(back):
        return ""
    nearest = int(back[np.abs(frames[back] + frames[back + 1] - 2 * case.difference.frame).argmin()])
    return f"frames {frames[nearest]:g} and {frames[nearest + 1]:g}"


def lengths(case: Case) -> bool:
    """Whether keys that are of no length 1 lead elsewhere than the rotations that they stand for."""
    frames, values = _quaternions(case)
    sizes = np.maximum(np.linalg.norm(values, axis=1, keepdims=True), 1e-9)
    if not case.difference.rotated or len(frames) < 2 or np.abs(sizes - 1).max() <= 1e-4:
        return False
    shown, meant = (_between(frames, rows, case.difference.frame) for rows in (values, values / sizes))
    near = abs(float(shown @ meant)) / max(float(np.linalg.norm(shown) * np.linalg.norm(meant)), 1e-9)
    return bool(2 * np.degrees(np.arccos(min(1.0, near))) > case.difference.size / 2)


def _between(frames: Floats, rows: Floats, at: float) -> Floats:
    """(C,) on straight lines between rows (K, C) at frames (K,)."""
    return np.array([float(np.interp(at, frames, rows[:, part])) for part in range(rows.shape[1])])


def chord(case: Case) -> bool:
    """Whether nothing but the rotation between the quaternion keys around it may be the reason."""
    frames, values = _quaternions(case)
    if not case.difference.rotated or len(frames) < 2:
        return False
    index = int(np.searchsorted(frames, case.difference.frame).clip(1, len(frames) - 1))
    lengths = np.maximum(np.linalg.norm(values[index - 1 : index + 1], axis=1), 1e-9)
    angle = 2 * np.degrees(np.arccos(min(1.0, abs(float(values[index] @ values[index - 1])) / float(lengths.prod()))))
    within = frames[index - 1] + CLOSE < case.difference.frame < frames[index] - CLOSE
    return bool(within and case.difference.size < 0.1 * angle)


def between_samples(case: Case) -> bool:
    """Between two frames of a clip that is sampled frame by frame."""
    sampled = case.pair.clip.frames
    return sampled is not None and not beyond(case) and bool(np.abs(sampled - case.difference.frame).min(initial=np.inf) > ROUNDED)


def within_frame(case: Case) -> bool:
    """Between two frames of the game where the file has a key at each, so that no more keys help: an object that rotates leads a root in
    an arc."""
    own = own_frames(case.pair, case.owners)
    even = len(own) > 2 and np.ptp(np.diff(own)) < CLOSE and not case.pair.clip.unit
    return bool(even and not beyond(case) and (np.abs(own - case.difference.frame) > CLOSE).all())


def in_between(case: Case) -> str:
    """The kind of the keys that the import put between the game's frames, where one is shown between the same two as this."""
    shown = np.concatenate([np.zeros(0), *(curve.keys[:, 0] for _, curve in case.curves)])
    inserted = (np.abs(shown[:, None] - keys).min(initial=np.inf) < CLOSE for _, keys, _ in _inserted(case))
    return compat.GENERATED_KEY.title() if any(inserted) else ""


def at_once(case: Case) -> str:
    """The two frames between which the game goes at once from a rotation to a translation, or back: an import puts keys of both there."""
    inserted = [(frames, {channel.property for channel in block.channels}) for frames, _, block in _inserted(case)]
    moved = {frames for frames, properties in inserted if "location" in properties}
    rotated = (frames for frames, properties in inserted if frames in moved and any(map(is_rotation, properties)))
    return next((f"frames {low:g} and {high:g}" for low, high in rotated), "")


def _inserted(case: Case) -> Iterator[tuple[tuple[float, float], Floats, Block]]:
    """Two frames of the game around this, and the keys that an import of the file puts between them, with their block."""
    at = case.difference.frame
    for block in case.pair.clip.blocks:
        if not any(channel.bone in case.owners for channel in block.channels) or not block.generated.any():
            continue
        own = np.append(block.frames[~block.generated], np.inf)
        after = int(np.searchsorted(own, at, "right"))
        low, high = float(own[max(after - 1, 0)]), float(own[min(after, len(own) - 1)])
        between = block.frames[block.generated & (block.frames > low) & (block.frames < high)].astype(np.float64)
        if np.isfinite(high) and len(between):
            yield (low, high), between, block


def unheld(case: Case) -> str:
    """The kind of the keys that the import puts between the game's frames, where one beside this is where it put one of the game's own."""
    came = case.pair.clip.before() or ()
    for channel, curve in case.curves:
        own = np.concatenate([np.zeros(0), *(block.frames[~block.generated] for block in came if channel in block.channels)])
        points = curve.curve.keyframe_points
        after = int(np.searchsorted(curve.keys[:, 0], case.difference.frame - CLOSE))
        for point in points[max(after - 1, 0) : after + 1]:
            if point.type == compat.GENERATED_KEY and np.abs(own - point.co.x).min(initial=np.inf) < CLOSE:
                return compat.GENERATED_KEY.title()
    return ""


def lacking(case: Case) -> str:
    """What the bone is keyed with, and the clip's file has no channel for. What a root is keyed with may be written as the object's."""
    written = {channel for channel in case.pair.written if channel.bone and channel.bone in case.owners}
    objects = {channel for channel in case.pair.written if not channel.bone and case.is_root}
    keyed = {channel for channel, curve in case.curves if channel.bone and channel.property in REST and _is_moved(channel, curve)}
    parts = set(map(_part, keyed)) - set(map(_part, written | objects))
    # Where the file's rotations are angles, each has a channel of its own, or a locked value.
    angles = {channel.component for channel in written if channel.property == "rotation_euler" and not _is_locked(case, channel)}
    rotated = {channel.component for channel, curve in case.curves if channel in keyed and _is_rotated(case, channel, curve)}
    locked = rotated - angles if angles else set[int]()
    return " and ".join(sorted(parts | {f"{'XYZ'[component]} rotation" for component in locked}))


def _is_moved(channel: Channel, curve: ShownCurve) -> bool:
    """Whether a channel is not at rest all the time: Insert Keyframe keys location and scale along with a rotation."""
    rest = REST[channel.property][channel.component]
    return is_rotation(channel.property) or not np.allclose(curve.keys[:, 1], rest, atol=1e-5)


def _is_rotated(case: Case, channel: Channel, curve: ShownCurve) -> bool:
    """Whether an angle is keyed elsewhere than the file has it: Insert Keyframe keys all three."""
    at = curve.keys[:, 0].astype(np.float64)
    away = curve.keys[:, 1] - case.pair.written_value(channel, at)
    return channel.property == "rotation_euler" and bool(np.abs(away).max() > 1e-5)


def _is_locked(case: Case, channel: Channel) -> bool:
    """Whether the bone is locked there, and the game keeps it at one angle."""
    return bool(case.bone.lock_rotation[channel.component]) and not np.ptp(case.pair.written[channel][1])


def _part(channel: Channel) -> str:
    """What of a bone a channel is a component of, whatever the rotation mode, and whether or not a property holds it in place."""
    if channel.property == PATH_PROPERTY:
        return "location"
    return "rotation" if is_rotation(channel.property) or channel.property == ROTATION_PROPERTY else channel.property


def curved(case: Case) -> bool:
    """But not at a key that the file has as well: how a curve comes there and goes on says nothing of its value."""
    at, keys = case.difference.frame, case.pair.written

    def both(channel: Channel, curve: ShownCurve) -> bool:
        return channel in keys and all((np.abs(each - at) < CLOSE).any() for each in (keys[channel][0], curve.keys[:, 0]))

    return any(not curve.linear and not both(channel, curve) for channel, curve in case.curves)


def begins_before(case: Case) -> bool:
    """Before the first key of a curve that goes on in a line there."""
    return _leaves(case, 0, -1)


def goes_on(case: Case) -> bool:
    """Behind the last key of a curve that goes on in a line there."""
    return _leaves(case, -1, 1)


def _leaves(case: Case, end: int, sign: int) -> bool:
    """Whether a curve goes on in a line beyond its first or last key (end), in the direction of a sign, and is elsewhere by that."""
    at = case.difference.frame
    lines = [curve for _, curve in case.curves if curve.curve.extrapolation == "LINEAR" and sign * (at - curve.keys[end, 0]) >= CLOSE]
    return any(abs(float(curve.at(np.array([at]))[0]) - curve.keys[end, 1]) > _SLOPE for curve in lines)


def beyond(case: Case) -> bool:
    return case.difference.frame > _end(case.pair) + CLOSE


def left_behind(case: Case) -> bool:
    """Beyond the end of the file, and not by keys alone that were rounded to its last frame."""
    end = _end(case.pair)
    return beyond(case) and not any(end + CLOSE < curve.keys[-1, 0] < end + 0.5 for _, curve in case.curves)


def _end(pair: Pair) -> float:
    return max((float(keys[0][-1]) for keys in pair.written.values()), default=0.0)


def unclosed(case: Case) -> bool:
    """At the key that an import put behind the last one of a loop, where the clip is played once now."""
    ends = [points[-1].type for _, curve in case.curves if len(points := curve.curve.keyframe_points)]
    return case.pair.clip.loop is None and beyond(case) and compat.GENERATED_KEY in ends


def overtaken(case: Case) -> bool:
    """Around the key that an import put behind the last one of a loop and that is there still, where the file goes on to keys behind it."""
    own = own_frames(case.pair, case.owners)
    shown = np.concatenate([np.zeros(0), *(curve.keys[:, 0] for channel, curve in case.pair.curves.items() if channel.bone in case.owners)])
    for end in {float(block.frames[-1]) for block in case.pair.clip.before() or () if len(block.frames) and block.generated[-1]}:
        after = int(np.searchsorted(own, end))
        around = own[max(after - 1, 0) : after + 1]
        is_there = np.abs(shown - end).min(initial=np.inf) < CLOSE
        if is_there and len(around) == 2 and np.abs(around - end).min() > CLOSE and around[0] < case.difference.frame < around[1]:
            return True
    return False


def off_grid(case: Case) -> bool:
    """Keys that lie where the file has none."""
    return _off_grid_by(case) > ROUNDED


def other_rate(case: Case) -> str:
    """The frames a second of the scene, where these and not those that a clip came in with put its keys where the file has none: a tenth
    of a percent more or less of them does so, by hardly more than keys are rounded."""
    before = case.pair.before
    if before is None or abs(before.fps - before.fps_before) <= 1e-6 * before.fps or _off_grid_by(case) <= _EXACT:
        return ""
    return f"{before.fps:g}"


def _off_grid_by(case: Case) -> float:
    """Frames by which keys are where the file has none, at most."""
    written = [keys[0] for channel, keys in case.pair.written.items() if channel.bone in case.owners]
    if not written:
        return 0.0
    there: Floats = np.unique(np.concatenate(written)).astype(np.float64)
    keys = np.unique(np.concatenate([curve.keys[:, 0] for _, curve in case.curves] or [there]))
    if case.pair.clip.unit:  # a keyframe is of all bones: where one's key is moved to a whole unit of time, what others show goes along
        every = np.concatenate([curve.keys[:, 0] for curve in case.pair.curves.values()] or [there])
        keys = np.union1d(keys, every[np.abs(every - case.difference.frame) <= case.pair.clip.unit])
    keys = keys[(keys > there[0] - _BEFORE) & (keys < there[-1] + _BEFORE)]  # what lies before or behind the file is no matter of that
    nearest = np.abs(there[np.searchsorted(there, keys).clip(0, len(there) - 1)] - keys)
    before = np.abs(there[np.maximum(np.searchsorted(there, keys) - 1, 0)] - keys)
    return float(np.minimum(nearest, before).max(initial=0.0))
